"""`with`, `try`, globals, nonlocals, attributes, items, `del`, in-place writes and hooks, plain and under tensor tests."""

from __future__ import annotations

import contextlib
import types
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import vitrify as vt

CALLS = [(np.array(row, np.float32),) for row in ([1.0, 2.0], [-1.0, -2.0], [3.0, 0.5], [0.2, 0.3])]
CASES: dict[str, Callable[[], Callable[..., Any]]] = {}
COUNT = 0
WEIGHT = vt.to_tensor([2.0, 3.0])


def plain(fn: Any) -> Any:
    """Test a function that keeps nothing."""
    CASES[fn.__name__] = lambda: fn
    return fn


def kept(make: Any) -> Any:
    """Test what `make` gives: a function, and its state after each call."""

    def built() -> Callable[..., Any]:
        fn, state = make()
        fn.state = state
        return fn

    CASES[make.__name__] = built
    return make


# ---- with


class Scaled:
    def __init__(self, factor):
        self.factor = factor
        self.entered = 0

    def __enter__(self):
        self.entered += 1
        return self.factor

    def __exit__(self, kind, error, trace):
        self.entered -= 1
        return kind is KeyError


@contextlib.contextmanager
def shifted(holder, value):
    before = holder.value
    holder.value = value
    try:
        yield holder
    finally:
        holder.value = before


@plain
def with_own_manager(x):
    with Scaled(3.0) as factor:
        y = x * factor
    return y


@plain
def with_own_manager_under_a_test(x):
    y = x
    if x.sum() > 0:
        with Scaled(3.0) as factor:
            y = x * factor
    return y


@plain
def with_around_a_branch(x):
    with Scaled(2.0) as factor:
        if x.sum() > 0:
            y = x * factor
        else:
            return x - factor
    return y + 1


@plain
def with_in_a_loop(x):
    total, k = x * 0, x.sum() * 0
    while k < 3:
        with Scaled(2.0) as factor:
            total = total + x * factor
            k = k + 1
    return total


@plain
def with_that_swallows(x):
    y = x
    with Scaled(2.0):
        if x.sum() > 0:
            raise KeyError("swallowed")
        y = x * 5
    return y


@plain
def with_generator_manager(x):
    holder = types.SimpleNamespace(value=1.0)
    with shifted(holder, 4.0):
        y = x * holder.value if x.sum() > 0 else x
    return y + holder.value


@plain
def with_several(x):
    with Scaled(2.0) as a, contextlib.suppress(ValueError), Scaled(3.0) as b:
        if x[0] > 2:
            raise ValueError("suppressed")
        return x * a * b
    return x


@plain
def no_grad_in_one_branch(x):
    if x.sum() > 0:
        with vt.no_grad():
            y = x * 3
    else:
        y = x * 2
    return y + x


# ---- try


@plain
def try_plain(x):
    try:
        [][0]
    except IndexError as error:
        return x * len(error.args)
    return x


@plain
def try_under_a_test(x):
    try:
        if x.sum() > 0:
            raise ValueError("positive")
        y = x - 1
    except ValueError as error:
        y = x * len(str(error))
    else:
        y = y * 10
    finally:
        y = y + 1 if x[0] > 0 else x
    return y


@plain
def try_picks_the_handler(x):
    try:
        if x[0] > 2:
            raise KeyError("big")
        if x[0] > 0.5:
            raise ValueError("middle")
    except KeyError:
        return x * 100
    except (ValueError, TypeError):
        return x * 10
    return x


@plain
def try_in_a_loop_with_continue(x):
    total = x * 0
    for k in range(4):
        try:
            if x.sum() > k:
                raise ValueError("skip")
        except ValueError:
            continue
        total = total + x * k
    return total


@plain
def try_around_a_loop_with_break(x):
    n = x.sum() * 0
    try:
        while n < 5:
            n = n + 1
            if x.sum() * n > 4:
                raise StopIteration
            if n > 3:
                break
    except StopIteration:
        return n * 10
    return n


@plain
def raise_with_cause(x):
    try:
        if x.sum() > 0:
            raise KeyError("inner")
    except KeyError as error:
        raise ValueError("outer") from error
    return x


@plain
def uncaught(x):
    if x.sum() > 3.2:
        raise OverflowError("too much")
    assert x[0] > -5, "very small"
    return x * 2


# ---- globals, nonlocals, attributes, items


@kept
def global_counter():
    def fn(x):
        global COUNT
        COUNT += 1
        return x * COUNT if x.sum() > 0 else x - COUNT

    twin = types.FunctionType(fn.__code__, {**globals(), "COUNT": 0}, "fn")
    return twin, lambda: twin.__globals__["COUNT"]


@plain
def global_tensor(x):
    return x * WEIGHT if x.sum() > 0 else x - WEIGHT


@kept
def nonlocal_number_under_a_test():
    calls = 0
    last = None

    def fn(x):
        nonlocal calls, last
        calls += 1
        if x.sum() > 0:
            last = x.detach() * calls
        return x + calls

    return fn, lambda: (calls, last)


@kept
def attribute_new_on_one_path():
    box = types.SimpleNamespace(seen=0)

    def fn(x):
        box.seen += 1
        if x.sum() > 0:
            box.best = x.sum().detach()
        return x * box.best if hasattr(box, "best") else x

    return fn, lambda: dict(vars(box))


class Meter:
    limit = 1.0

    def __init__(self):
        self._level = 0.0
        self.log = []

    @property
    def level(self):
        return self._level * 2

    @level.setter
    def level(self, value):
        self._level = value

    @classmethod
    def double(cls, x):
        return x * 2 * cls.limit

    @staticmethod
    def half(x):
        return x / 2


@kept
def property_set_under_a_test():
    meter = Meter()

    def fn(x):
        if x.sum() > 0:
            meter.level = x.sum().detach()
        else:
            meter.level = x.sum().detach() * 0 - 1
        return x + meter.level + meter.double(x) - meter.half(x)

    return fn, lambda: meter._level


@kept
def list_of_an_object_grows():
    meter = Meter()

    def fn(x):
        meter.log.append(x.sum().detach())
        if x.sum() > 0:
            meter.log.append(x[0].detach())
        return x * len(meter.log)

    return fn, lambda: list(meter.log)


@kept
def class_attribute():
    class Totals:
        count = 0

    def fn(x):
        Totals.count += 1
        return x * Totals.count

    return fn, lambda: Totals.count


@kept
def dict_gains_keys():
    table: dict[str, Any] = {}

    def fn(x):
        name = "up"
        if x.sum() > 0:
            table[name] = x.detach()
        else:
            table["down"] = x.detach() * 2
        return x + len(table)

    return fn, lambda: dict(table)


@plain
def dict_in_a_loop(x):
    table = {"a": x, "b": x * 2}
    k = x.sum() * 0
    while k < 2:
        for name in table:
            table[name] = table[name] + k
        k = k + 1
    return table


@plain
def deleted_on_one_path(x):
    table = {"a": x, "b": x * 2}
    if x.sum() > 0:
        del table["a"]
    return table


@plain
def name_deleted_on_one_path(x):
    y = x * 2
    if x.sum() > 0:
        del y
        return x
    return y


@plain
def deleted_then_read(x):
    y = x * 2
    if x.sum() > 0:
        del y
    return y


@plain
def set_membership(x):
    seen = set()
    if x.sum() > 0:
        seen.add("up")
    return x * 3 if "up" in seen else x


# ---- in-place writes


@plain
def slice_written_under_a_test(x):
    y = x * 1
    if x.sum() > 0:
        y[:1] = y[1:] * 2
    else:
        y[0] = 0.0
    return y


@plain
def mask_written(x):
    y = x * 1
    y[x > 0.4] = 7.0
    return y * x


@plain
def argument_written_under_a_test(x):
    if x.sum() > 0:
        with vt.no_grad():
            x.add_(vt.ones([2]))
    return x * 2


@plain
def operators_in_place(x):
    y = x * 1
    y += x
    if x.sum() > 0:
        y *= 2
    y -= 1
    y /= 4
    return y


@kept
def buffer_written_or_replaced():
    layer = vt.nn.Layer()
    layer.register_buffer("mean", vt.zeros([2]))

    def fn(x):
        if x.sum() > 0:
            layer.mean.add_(x.detach())
        else:
            layer.mean = x.detach() * 2
        return x + layer.mean

    return fn, lambda: layer.mean


# ---- loops whose state changes its kind


@plain
def shape_changes_in_a_loop(x):
    y, k = x, x.sum() * 0
    while k < 3:
        y = vt.concat([y, x[:1] * k])
        k = k + 1
    return y


@plain
def none_becomes_a_tensor(x):
    best = None
    for k in range(3):
        if best is None:
            if x.sum() > k - 1:
                best = x * k
        elif x[0] > k:
            best = best + 1
    return best


@plain
def python_loop_that_a_test_ends(x):
    n = 0
    while n < 6:
        n += 1
        if x.sum() * n > 5:
            break
    return x * n, n


@plain
def loop_else_under_a_test(x):
    for k in range(3):
        if x[0] > k + 0.5:
            y = x * k
            break
    else:
        y = x - 10
    return y


@plain
def hook_in_a_branch(x):
    y = x * 2
    if x.sum() > 0:
        z = y * 1
        if not z.stop_gradient:
            z.register_hook(lambda g: g * 3)
        y = z
    return y * y


@pytest.mark.filterwarnings("ignore::vitrify.jit.RecompileWarning")
@pytest.mark.parametrize("name", CASES)
def test_compiled_equals_eager(name: str, agree: Callable[..., None]) -> None:
    agree(CASES[name], CALLS, True, True)


# ---- second derivatives


def through_if(x, n):
    return x**3 if x.sum() > 0 else x**4


def through_while(x, n):
    y, k = x, n * 0
    while k < n:
        y = y * x
        k = k + 1
    return y


def through_append(x, n):
    found = [x**2]
    for k in range(n):
        found.append(found[-1] * x)
    return vt.stack(found)


def through_append_under_a_test(x, n):
    found = [x**3]
    if x.sum() > 0:
        found.append(x**4)
    return vt.stack(found)


def through_nesting(x, n):
    y = x
    for k in range(n):
        if x[0] > k:
            y = y * x
        else:
            y = y + x**2
    return y


SECOND = [through_if, through_while, through_append, through_append_under_a_test, through_nesting]


def twice(x: Any, y: Any) -> Any:
    """The second derivative of a function's value along ones."""
    (first,) = vt.grad(y.sum(), [x], create_graph=True)
    return vt.grad(first.sum(), [x])[0]


@pytest.mark.parametrize("inside", [True, False], ids=["inside", "outside"])
@pytest.mark.parametrize("fn", SECOND, ids=[f.__name__ for f in SECOND])
def test_second_derivatives(fn: Any, inside: bool) -> None:
    def whole(x: Any, n: Any) -> Any:
        return twice(x, fn(x, n))

    compiled = vt.to_static(whole if inside else fn)
    for row in ([1.5, 2.0], [-1.0, -0.5]):
        for count in (2, 3):
            x = vt.to_tensor(np.array(row), stop_gradient=False)
            n = vt.to_tensor(count)
            found = compiled(x, n) if inside else twice(x, compiled(x, n))
            np.testing.assert_allclose(found.numpy(), whole(x, n).numpy(), rtol=1e-6)
