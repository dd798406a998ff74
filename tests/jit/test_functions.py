"""Functions in functions, closures, globals, methods, `super()`, decorators, defaults, generators inside."""

# ruff: noqa: B007
# The cases are Python as users write it, mistakes included.

from __future__ import annotations

import functools

import pytest

import vitrify as vt
from vitrify.base.errors import CaptureError
from vitrify.jit.convert import convert, is_converted

COUNT = 0


def case_nonlocal_counter(n):
    count = 0

    def add(k):
        nonlocal count
        if k > 1:
            count += k
        return count

    for i in range(n):
        add(i)
    return count


def case_nonlocal_written_by_a_call_in_a_branch(n):
    count = 0

    def add():
        nonlocal count
        count += 1

    if n > 1:
        add()
        count *= 10
    while count < n:
        add()
    return count


def case_nonlocal_not_yet_bound(n):
    def late():
        nonlocal y
        if n > 2:
            y = n

    late()
    if n == 2:
        y = "two"
    return y


def case_three_levels(n):
    total = 0

    def middle():
        def inner(k):
            nonlocal total
            if k % 2:
                total += k

        for i in range(n):
            inner(i)
            if total > 3:
                break

    middle()
    return total


def case_captured_is_seen_later(n):
    def show():
        return y

    y = 1
    if n > 1:
        y = 2
    first = show()
    for y in range(n):
        pass
    return first, show()


def case_captured_unbound(n):
    def show():
        return y

    if n > 1:
        y = 2
    return show()


def case_recursion(n):
    def fact(k):
        if k <= 1:
            return 1
        return k * fact(k - 1)

    return fact(n)


def case_mutual_recursion(n):
    def even(k):
        return True if k <= 0 else odd(k - 1)

    def odd(k):
        if k <= 0:
            return False
        return even(k - 1)

    return even(n)


def case_defaults_are_evaluated_once(n):
    def f(a, b=n or 5, *, c=[]):  # noqa: B006
        c.append(a)
        if len(c) > 1:
            return c, b
        return b

    return f(1), f(2), f.__defaults__


def case_decorated(n):
    def twice(k):
        def wrap(f):
            @functools.wraps(f)
            def g(*args):
                r = None
                for _ in range(k):
                    r = f(*args)
                return r

            return g

        return wrap

    calls = []

    @twice(n or 1)
    def f(x):
        """Doc of f."""
        calls.append(x)
        if x:
            return x
        return -1

    return f(n), calls, f.__doc__, f.__name__


def case_class_inside(n):
    factor = 2

    class A:
        size = 3 if n > 1 else 4
        double = [2 * v for v in range(3)]

        def __init__(self, v):
            self.__v = v

        @property
        def v(self):
            if self.__v > 1:
                return self.__v
            return -self.__v

        @staticmethod
        def s(a):
            return a and factor

        @classmethod
        def c(cls, a):
            return cls.size if a else None

    class B(A):
        def __init__(self, v):
            if v:
                super().__init__(v + 1)
            else:
                super().__init__(100)

        @property
        def v(self):
            return super().v + 1 if factor else __class__

    return A(n).v, B(n).v, A.s(n), B.c(n), A.size, A.double


def case_private_name_under_control_flow(n):
    class A:
        __count = 0

        def up(self):
            for i in range(n):
                if i:
                    self.__count += i
            return self.__count

    return A().up()


def case_generator_inside(n):
    def numbers():
        for i in range(10):
            if i == n:
                return
            if i % 2:
                continue
            yield i

    out = []
    for v in numbers():
        if v == 6:
            break
        out.append(v)
    return out


def case_generator_reads_unbound(n):
    if n > 1:
        y = 3

    def numbers():
        yield y

    return list(numbers())


def case_global(n):
    global COUNT
    COUNT = 0
    for i in range(n):
        if i % 2:
            COUNT += i
    return COUNT


def case_global_declared_in_branch(n):
    if n > 1:
        global COUNT
        COUNT = n
    else:
        COUNT = -n
    return COUNT


def case_global_not_bound(n):
    global NEVER_BOUND_BEFORE
    if n == 99:
        NEVER_BOUND_BEFORE = 1
    return NEVER_BOUND_BEFORE


def case_star_args(x, y):
    def f(a, /, b, *args, c=1, **kwargs):
        if args:
            return a, args, kwargs
        return b, c

    return f(x, y), f(x, y, 1, 2, c=3, d=4), f(x, b=y, a=3)


def case_keyword_named_like_ours(x):
    def f(function=1, fn=2, test=3, self=4):
        return function, fn, test, self

    return f(function=x, fn=x or 1, test=0, self=5)


def case_order_of_evaluation(x):
    log = []

    def note(v):
        log.append(v)
        return v

    def f(*args, **kwargs):
        return log

    return note(1) and f(note(2), *[note(3)], k=note(4), l=note(5))


def case_globals_of_this_module(x):
    if x:
        return "case_recursion" in globals()
    return "COUNT" in globals()


def case_locals_at_the_top(x):
    return "x" in locals()


def case_eval_with_namespace(x):
    if x:
        return eval("a + 1", {"a": x})
    return 0


CASES = [value for name, value in list(globals().items()) if name.startswith("case_")]


@pytest.mark.parametrize("fn", CASES, ids=lambda fn: fn.__name__)
def test_converted_equals_original(fn, same):
    same(fn)


def test_name_of_the_function_is_the_global(converted, from_text):
    module = from_text("def f(n):\n    if n:\n        return n + f(n - 1)\n    return 0\n")
    g = converted(module.f)
    module.f = lambda n: 100
    assert g(1) == 101


def test_globals_stay_the_module_s(converted, from_text):
    module = from_text("x = 1\ndef f(up):\n    global x\n    if up:\n        x += 1\n    return x\n")
    g = converted(module.f)
    assert g(True) == 2
    module.x = 10
    assert (g(False), g(True), module.x) == (10, 11, 11)
    assert "vt_rt" not in vars(module)


def test_cells_are_shared(converted):
    state = 1

    def f(up):
        nonlocal state
        if up:
            state += 1
        return state

    g = converted(f)
    assert g(True) == 2
    state = 10
    assert (g(True), f(False), state) == (11, 11, 11)


def test_signature_and_metadata_are_kept(converted):
    def f(a: int, b: list[int] = [1], *args: str, c: float = 2.0, **kwargs: bool) -> None:  # noqa: B006
        """Doc."""

    f.mark = 3
    g = converted(f)
    for name in ("__name__", "__qualname__", "__module__", "__doc__", "__defaults__", "__kwdefaults__"):
        assert getattr(g, name) == getattr(f, name)
    assert g.__annotations__ == f.__annotations__
    assert g.__defaults__[0] is f.__defaults__[0]
    assert g.mark == 3


def test_methods_with_super_and_private_names(converted):
    class A:
        def forward(self, x):
            return x + 1

    class B(A):
        def __init__(self):
            self.__k = 2
            self.log = []

        def forward(self, x):
            if x > 0:
                for _ in range(2):
                    x = super().forward(x)
                    self.__k += 1
            self.log.append(__class__ is B)
            return x and self.__k + super().forward(x)

    forward = converted(B.forward)
    b, c = B(), B()
    assert [forward(b, v) for v in (0, 1, 2)] == [B.forward(c, v) for v in (0, 1, 2)]
    assert b.__dict__ == c.__dict__


def test_decorators_of_the_function_itself_are_dropped(converted):
    calls = []

    def note(f):
        calls.append(f)
        return f

    @note
    @note
    def f(x):
        return x and 1

    assert converted(f)(3) == 1
    assert len(calls) == 2


def test_conversions_are_kept_per_code_object():
    import plain_runtime

    rt = plain_runtime.PlainRuntime()

    def make(k):
        def f(x):
            return k if x else 0

        return f

    first, second = convert(make(1), rt), convert(make(2), rt)
    assert first.conversion is second.conversion
    assert (first.function(1), second.function(1)) == (1, 2)
    assert is_converted(first.function)
    assert not is_converted(first.original)


def test_functions_inside_count_as_converted(converted):
    def f():
        def g(x):
            return x if x else 0

        return g

    assert is_converted(converted(f)())
    assert not is_converted(f())


@pytest.mark.parametrize("call", ["locals()", "vars()", "dir()"])
def test_reading_locals_under_control_flow_is_refused(call, from_text, converted):
    module = from_text(f"def f(x):\n    if x:\n        y = {call}\n    return x\n")
    with pytest.raises(CaptureError, match="local variables of its caller") as caught:
        converted(module.f)
    assert caught.value.loc.line == 3
    assert "outside `if`" in str(caught.value)


@pytest.mark.parametrize(
    "text",
    [
        "lambda x: x and (y := x)",
        "lambda x: (y := x + 1) * y if x else 0",
        "lambda x: (x := x + 1) * x if x else x - 1",
        "lambda x: [y + z for z in range(3) if (y := x * z)]",
        "lambda x: [(lambda: y)() for _ in (0,) if (y := x)]",
        "lambda x: x and (y := x) or y",
        "lambda x: (lambda a: a and (b := a) + (c := b) + c)(x)",
        "lambda x, *y: (y := y or (x,)) and y[0]",
        "lambda x: 0 < (y := x) < 3 and y",
    ],
)
def test_walrus_in_a_lambda(text, from_text, converted):
    module = from_text(f"f = {text}\n")
    for x in (0, 2):
        try:
            expected = module.f(x)
        except NameError as error:
            with pytest.raises(type(error), match="y"):
                converted(module.f)(x)
        else:
            assert converted(module.f)(x) == expected


def test_walrus_in_a_lambda_beside_another_variable_of_that_name_is_refused(from_text, converted):
    module = from_text("f = lambda x: x and [(y := x), (lambda y: y)(1)]\n")
    with pytest.raises(CaptureError, match="in a lambda") as caught:
        converted(module.f)
    assert "def" in caught.value.remedy


def test_lambdas_in_the_body_of_a_class() -> None:
    class Model:
        double = staticmethod(lambda x: x * 2.0)
        triple = lambda self, x: x * 3.0  # noqa: E731

    model = Model()
    compiled = vt.to_static(lambda x: (model.double(x), model.triple(x)))
    for found, expected in zip(compiled(vt.to_tensor([1.0])), (2.0, 3.0), strict=True):
        assert found.numpy().tolist() == [expected]


def test_locals_are_the_users(from_text, converted):
    module = from_text(
        "def f(x, closed=[]):\n"
        "    def inner():\n        return x, k, locals(), sorted(dir()), sorted(vars())\n"
        "    k = 1\n    y = x + 1\n    if x > 0:\n        y = y * 2\n        late = 3\n"
        "    for j in range(2):\n        y += j\n"
        "    return y, locals(), sorted(dir()), sorted(vars()), inner()\n"
    )
    for x in (-1, 2):
        found, expected = (f(x) for f in (converted(module.f), module.f))
        for one in (found, expected):
            del one[1]["inner"]  # functions differ
        assert found == expected


def test_locals_of_a_captured_function() -> None:
    def shown(x):
        y = x + 1
        if x.sum() > 0:
            y = y * 2
        return y, sorted(locals())

    total, names = vt.to_static(shown)(vt.ones([1]))
    assert (total.tolist(), names) == ([4.0], ["x", "y"])
