"""`if`: converted equals original."""

# ruff: noqa: F821, RET504
# The cases are Python as users write it, mistakes included.

from __future__ import annotations

import pytest


def case_both_ways(x):
    if x > 1:
        y = x
    else:
        y = -x
    return y


def case_one_way(x):
    y = 0
    if x:
        y = 1
    return y


def case_elif(x):
    if x < 0:
        y = "negative"
    elif x == 0:
        y = "zero"
    elif x == 1:
        y = "one"
    else:
        y = "many"
    return y


def case_nested(x, y):
    z = 0
    if x > 1:
        if y > 1:
            z = 3
        else:
            z = 2
        z += 10
    elif y:
        z = -1
    return z, x, y


def case_unbound(x):
    if x > 1:
        y = 1
    return y


def case_unbound_augmented(x):
    if x > 1:
        y = 1
    y += 1
    return y


def case_unbound_in_branch(x):
    if x > 1:
        y = 1
    if x > 2:
        return y + 1
    return x


def case_unbound_before(x):
    if x:
        return y
    y = 2
    return y


def case_deleted(x):
    y = x
    if x > 2:
        del y
    return y


def case_deleted_twice(x):
    y = x
    if x > 2:
        del y
    del y
    return x


def case_deleted_parameter(x):
    if x > 2:
        del x
    return x


def case_deleted_item(x):
    d = {0: 1, 1: 2, "k": 3}
    if x:
        del d[x], d["k"]
    return d


def case_attribute(x):
    class Box:
        value = 1

    box = Box()
    if x:
        box.value = x
        box.other = 2 * x
    return box.value, getattr(box, "other", None)


def case_attribute_deleted(x):
    class Box:
        pass

    box = Box()
    box.a = 1
    if x:
        del box.a
    return hasattr(box, "a")


def case_item(x):
    values = [0, 1, 2, 3, 4]
    if x > 0:
        values[x] = -1
        values[0] += x
    return values


def case_tuple(x, y):
    if x < y:
        x, y = y, x
    return x, y


def case_starred(x):
    a, *b = 0, 0
    if x:
        a, *b = x, x + 1, x + 2
    return a, b


def case_import(x):
    if x:
        import math as m
    else:
        import cmath as m
    return m.sqrt(4)


def case_definition(x):
    if x > 1:

        def f(a):
            return a + 1
    else:

        def f(a):
            return a - 1

    return f(x)


def case_class(x):
    if x:

        class A:
            value = x
    else:

        class A:
            value = None

    return A.value


def case_annotated(x):
    y: int
    if x:
        y: int = 3
    else:
        y = 4
    return y


def case_walrus_in_test(x):
    if (y := x + 1) > 2:
        return y
    return -y


def case_pass(x):
    if x:
        pass
    else:
        pass
    return x


def case_docstring(x):
    """Says something."""
    if x:
        y = 1
    return y


def case_same_name_as_ours(x):
    then_1 = x
    vt_rt = 3
    if x:
        then_1 = 2
        return_value = vt_rt
        return return_value
    return then_1


CASES = [value for name, value in list(globals().items()) if name.startswith("case_")]


@pytest.mark.parametrize("fn", CASES, ids=lambda fn: fn.__name__)
def test_converted_equals_original(fn, same):
    same(fn)


def test_a_long_chain_of_early_returns(from_text, same):
    lines = [f"    if x == {k}:\n        return {k * k}" for k in range(60)]
    module = from_text("def f(x):\n" + "\n".join(lines) + "\n    return None\n")
    same(module.f, [(k,) for k in range(-1, 62)])


def test_state_that_the_runtime_sees():
    """Names written in either branch; those read later; attributes of objects that stay the same."""
    seen = []

    class Spy:
        def __getattr__(self, name):
            import plain_runtime

            return getattr(plain_runtime.PlainRuntime(), name)

        def if_else(self, test, then_fn, else_fn, get_state, set_state, names, live):
            seen.append((names, live, len(get_state())))
            (then_fn if test else else_fn)()

    class Box:
        h = 0

    def f(self, x):
        other = self
        if x:
            a = 1
            b = 2
            self.h = a
            other = Box()
            other.h = 4
        else:
            b = 3
        return b, other

    from vitrify.jit.convert import convert

    convert(f, Spy()).function(Box(), 1)
    assert seen == [(("other", "a", "b", "self.h"), ("other", "b", "self.h"), 4)]
