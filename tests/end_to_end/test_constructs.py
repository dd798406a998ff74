"""Every construct of Python in a function of its own: compiled equals eager, on inputs that take every path."""

from __future__ import annotations

import functools
import math
import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify.errors import CaptureError

UP = np.array([1.0, 2.0, 3.0], np.float32)
DOWN = np.array([-1.0, -2.0, 0.5], np.float32)
GRID = np.arange(12, dtype=np.float32).reshape(4, 3) / 10 - 0.5
FOUR, TWO, ZERO = np.array(4), np.array(2), np.array(0)


@dataclass(frozen=True)
class Case:
    make: Callable[[], Callable[..., Any]]
    calls: list[tuple[Any, ...]]
    gradients: bool = True
    outside: bool = True
    traces: int | None = None


CASES: dict[str, Case] = {}


def on(*calls: Any, **options: Any) -> Callable[[Any], Any]:
    """Test the function on these arguments; one argument needs no tuple."""

    def add(fn: Any) -> Any:
        CASES[fn.__name__] = Case(lambda: fn, [c if isinstance(c, tuple) else (c,) for c in calls], **options)
        return fn

    return add


def made(*calls: Any, **options: Any) -> Callable[[Any], Any]:
    """The same for what a call of the decorated function makes, so that eager and compiled have their own state."""

    def add(make: Any) -> Any:
        CASES[make.__name__] = Case(make, [c if isinstance(c, tuple) else (c,) for c in calls], **options)
        return make

    return add


# ---- branches


@on(UP, DOWN)
def if_else(x):
    if x.sum() > 0:
        y = x * 2
    else:
        y = x - 1
    return y


@on(UP, DOWN, UP * 0)
def if_elif_else(x):
    if x.sum() > 0:
        return x * 2
    elif x.sum() < 0:
        return x * 3
    else:
        return x + 1


@on(UP, DOWN)
def if_alone(x):
    if x.sum() > 0:
        x = x * x
    return x


@on(UP, DOWN, UP * 10)
def early_return(x):
    if x.sum() > 0:
        if x.max() > 5:
            return x * 10
        x = x + 1
        return x * 2
    return -x


@on(UP, DOWN, UP * 10)
def early_return_deep(x):
    y = x * 2
    if x.sum() > 0:
        z = y + 1
        if z.max() > 8:
            if z.min() > 15:
                return z
            z = z * 3
        y = z
    y = y + x
    if y.sum() < 0:
        return y - 1
    return y * y


@on(UP, DOWN)
def return_in_loop(x):
    for k in range(5):
        x = x * 1.5
        if x.max() > 4:
            return x + k
    return -x


@on(UP, DOWN)
def return_in_nested_loop(x):
    s = x.sum()
    for i in range(3):
        for j in range(3):
            s = s + 1
            if s > 10:
                return s * 2
            if s + i > 8.5:
                break
        s = s * 1.1
    return s


@on(UP, DOWN)
def return_tuple_or_more(x):
    if x.sum() > 0:
        return x, x * 2
    return x - 1, x


@on(UP, DOWN)
def ternary(x):
    return x * 2 if x.sum() > 0 else x / 2


@on(UP, DOWN, UP * 10)
def ternary_nested(x):
    return (x * 2 if x.max() > 5 else x * 3) if x.sum() > 0 else x.abs()


@on(UP, DOWN)
def ternary_in_call(x):
    return vt.maximum(x if x.sum() > 0 else -x, vt.ones_like(x))


@on(UP, DOWN)
def same_name_different_python_numbers(x):
    if x.sum() > 0:
        k = 2
    else:
        k = 3.5
    return x * k


@on((UP, True), (UP, False), (DOWN, True), (DOWN, False))
def python_and_tensor_tests(x, flag):
    if flag:
        if x.sum() > 0:
            return x * 2
    elif x.sum() < 0:
        return x * 5
    return x


@on(UP, DOWN)
def none_becomes_a_tensor(x):
    y = None
    if x.sum() > 0:
        y = x * 2
    else:
        y = x * 3
    return y


@on((UP, 0), (UP, 1))
def none_stays_or_not_by_python(x, flag):
    y = None
    if flag:
        y = x * 2
    return x if y is None else y


@on(UP, DOWN)
def used_where_defined(x):
    if x.sum() > 0:
        y = x * 2
        x = y + 1
    return x


@on(UP)
def defined_on_the_path_taken(x):
    if x.sum() > 0:
        y = x * 2
    return y


@on(DOWN, gradients=False)
def undefined_on_the_path_taken(x):
    if x.sum() > 0:
        y = x * 2
    return y


@on(UP, DOWN)
def containers_from_branches(x):
    if x.sum() > 0:
        out = {"a": x, "b": (x * 2, 3)}
    else:
        out = {"a": x - 1, "b": (x * 4, 3)}
    return out


@on(UP, DOWN)
def swapped_in_branch(x):
    a, b = x, x * 2
    if x.sum() > 0:
        a, b = b, a
    return a - b * 2


@on(UP, DOWN)
def pass_and_docstring(x):
    """Does little."""
    if x.sum() > 0:
        pass
    else:
        x = x * 2
    return x


@on((UP, 1), (UP, 2), (UP, 5))
def match_on_python(x, kind):
    match kind:
        case 1:
            return x * 2
        case 2 | 3:
            return x * 3
        case _:
            return x


@on((UP, (1, 2)), (UP, [3]), (UP, {"k": 4}))
def match_on_structure(x, shape):
    match shape:
        case (a, b):
            return x * a + b
        case [a]:
            return x * a
        case {"k": v} if v > 3:
            return x + v
    return x


@on(UP, DOWN)
def branch_on_one_element_shape(x):
    flag = (x.sum() > 0).reshape([1])
    if flag:
        return x * 2
    return x


@on(UP, DOWN, UP * 0)
def float_as_test(x):
    if x.sum():
        return x * 2
    return x + 7


# ---- while


@on(UP, UP * 30, DOWN)
def while_tensor(x):
    while x.sum() < 100:
        x = x * 2 + 1
    return x


@on((UP, FOUR), (UP, ZERO))
def while_count(x, n):
    i = 0
    while i < n:
        x = x * 1.5
        i += 1
    return x, i


@on((UP, FOUR), (DOWN, FOUR), (UP * 9, FOUR))
def while_break(x, n):
    i = vt.zeros([], "int64")
    while i < n:
        x = x + 1
        if x.sum() > 10:
            break
        i = i + 1
    return x, i


@on((UP, FOUR), (DOWN, FOUR))
def while_continue(x, n):
    i = vt.zeros([], "int64")
    while i < n:
        i = i + 1
        if i % 2 == 0:
            continue
        x = x * 1.5
    return x


@on(UP, DOWN)
def while_true(x):
    while True:
        x = x * 2
        if x.abs().max() > 20:
            break
    return x


@on(UP, DOWN)
def while_true_return(x):
    n = 0
    while True:
        x = x * 2
        n += 1
        if x.abs().max() > 20:
            return x, n


@on((UP, FOUR), (UP * 5, FOUR), (DOWN, ZERO))
def while_else(x, n):
    i = vt.zeros([], "int64")
    while i < n:
        x = x + 1
        if x.sum() > 15:
            break
        i = i + 1
    else:
        x = x * 100
    return x


@on((UP, FOUR, TWO), (DOWN, TWO, ZERO))
def while_nested(x, n, m):
    i = vt.zeros([], "int64")
    while i < n:
        j = vt.zeros([], "int64")
        while j < m:
            x = x * 1.1
            j = j + 1
        i = i + 1
    return x


@on((UP, FOUR), (DOWN, FOUR))
def while_nested_breaks(x, n):
    i = vt.zeros([], "int64")
    while i < n:
        j = vt.zeros([], "int64")
        while True:
            j = j + 1
            if j > i:
                break
            x = x * 1.2
        if x.max() > 5:
            break
        i = i + 1
    return x, i


@on(UP, DOWN)
def while_swaps(x):
    a, b = x, x * 0.5
    while a.abs().sum() < 50:
        a, b = a + b, a
    return a, b


@on(UP)
def while_python_counter(x):
    n = 0
    while n < 3:
        x = x * 2
        n += 1
    return x


@on((UP, 4), (UP, 0))
def while_over_pairs(x, n):
    state = (x, x * 0)
    while n:
        state = (state[0] * 1.1, state[1] + state[0])
        n -= 1
    return state


@on((UP, FOUR), (UP, ZERO))
def while_carries_a_tuple(x, n):
    state = (x, {"sum": x * 0})
    i = 0
    while i < n:
        state = (state[0] * 1.1, {"sum": state[1]["sum"] + state[0]})
        i = i + 1
    return state


@on((UP, FOUR), (DOWN, FOUR))
def while_with_branch(x, n):
    i = vt.zeros([], "int64")
    while i < n:
        if x.sum() > 4:
            x = x - 1
        else:
            x = x * 2 + 1
        i += 1
    return x


@on((UP, FOUR), (UP, ZERO))
def index_carried_as_python_int(x, n):
    i = 0
    s = x.sum() * 0
    while i < n:
        s = s + x[i % 3] * i
        i += 1
    return s


# ---- for


@on((UP, 3), (UP, 0))
def for_range_int(x, n):
    for k in range(n):
        x = x + k
    return x


@on((UP, FOUR), (UP, ZERO), (DOWN, TWO))
def for_range_tensor(x, n):
    for k in range(n):
        x = x * 1.5 + k
    return x


@on((UP, TWO, FOUR), (UP, FOUR, TWO))
def for_range_start_stop_step(x, a, b):
    for k in range(a, b):
        x = x * k
    for k in range(b, a, -1):
        x = x + k
    for k in range(0, b, 2):
        x = x - k
    return x


@on((GRID, FOUR), (GRID, TWO))
def index_subscripts(x, n):
    s = x[0] * 0
    for k in range(n):
        s = s + x[k] * k
    return s


@on(GRID, GRID[:2])
def for_rows(x):
    h = x[0] * 0
    for row in x:
        h = vt.tanh(h + row)
    return h


@on(GRID, GRID[:2])
def for_enumerate(x):
    h = x[0] * 0
    for k, row in enumerate(x):
        h = h * 0.5 + row * k
    return h


@on(GRID)
def for_enumerate_start(x):
    h = x[0] * 0
    for k, row in enumerate(x, start=2):
        h = h + row * k
    return h


@on((GRID, GRID * 2), (GRID, GRID[:2]))
def for_zip(x, y):
    h = x[0] * 0
    for a, b in zip(x, y):
        h = h + a * b
    return h


@on(GRID)
def for_enumerate_zip(x):
    h = x[0] * 0
    for k, (a, b) in enumerate(zip(x, x[1:])):
        h = h + a * b * k
    return h


@on(GRID)
def for_reversed(x):
    h = x[0] * 0
    for row in reversed(x):
        h = h * 0.5 + row
    return h


@on((FOUR, UP), (ZERO, UP))
def for_reversed_range(n, x):
    for k in reversed(range(n)):
        x = x * 0.5 + k
    return x


@on((([UP, DOWN, UP * 2]),), (([UP]),))
def for_list_of_tensors(xs):
    s = 0
    for x in xs:
        s = s + x * 2
    return s


@on(({"a": UP, "b": DOWN},))
def for_dict_items(table):
    s = 0
    for name, x in table.items():
        s = s + x * len(name)
    for name in table:
        s = s + table[name]
    return s


@on(({"a": UP, "b": DOWN},))
def dict_comprehension(table):
    return {k: v * 2 for k, v in table.items()}


@on((UP, 4), (DOWN, 4), (UP * 10, 4))
def for_break(x, n):
    for k in range(n):
        if x.sum() > 20:
            break
        x = x * 2 + k
    return x


@on((UP, FOUR), (DOWN, FOUR), (UP * 10, FOUR))
def for_break_range_tensor(x, n):
    last = 0
    for k in range(n):
        last = k
        if x.sum() > 20:
            break
        x = x * 2 + 1
    return x, last


@on(GRID, -GRID)
def for_break_rows(x):
    h = x[0] * 0
    for row in x:
        if row.sum() > 0.5:
            break
        h = h + row
    return h


@on((UP, 5), (DOWN, 5))
def for_continue(x, n):
    s = x.sum() * 0
    for k in range(n):
        x = x + 1
        if x.sum() > 10:
            continue
        s = s + x.sum()
    return s


@on((UP, 4), (UP * 9, 4), (DOWN, 0))
def for_else(x, n):
    for k in range(n):
        if x.sum() > 15:
            x = x * k
            break
        x = x + 1
    else:
        x = -x
    return x


@on((UP, FOUR), (UP * 9, FOUR), (DOWN, ZERO))
def for_else_range_tensor(x, n):
    for k in range(n):
        if x.sum() > 15:
            x = x * 0.1
            break
        x = x + 1
    else:
        x = -x
    return x


@on((GRID, 3), (-GRID, 3))
def nested_breaks_in_both(x, n):
    s = x.sum() * 0
    for i in range(n):
        for row in x:
            s = s + row.sum()
            if s > 0.3:
                break
        if s < -2:
            break
        s = s + 0.1 * i
    return s


@on((UP, FOUR), (DOWN, TWO))
def nested_continue(x, n):
    for i in range(n):
        for j in range(3):
            if x.sum() > 5:
                continue
            x = x + i * j + 0.5
        if x.sum() > 8:
            continue
        x = x * 1.5
    return x


@on((UP, 3), (DOWN, 3))
def return_from_for_over_list(x, n):
    for factor in [1.0, 2.0, 3.0]:
        x = x * factor
        if x.sum() > 10:
            return x, factor
    return x, 0.0


@on(UP)
def comprehension(x):
    ys = [x * k for k in range(3) if k != 1]
    return vt.stack(ys), sum(y.sum() for y in ys)


@on(GRID)
def comprehension_over_rows(x):
    return vt.stack([row * 2 for row in x])


@on(GRID)
def generator_expression(x):
    return sum(row.sum() for row in x)


@on(UP)
def list_append_static(x):
    out = []
    for k in range(4):
        x = vt.tanh(x)
        out.append(x)
    return vt.stack(out)


@on(GRID)
def list_append_rows(x):
    out = []
    h = x[0] * 0
    for row in x:
        h = vt.tanh(h + row)
        out.append(h)
    return vt.stack(out)


@on(GRID)
def list_append_rows_with_branch(x):
    out = []
    for row in x:
        if row.sum() > 0:
            out.append(row * 2)
        else:
            out.append(row)
    return vt.stack(out)


@on(UP)
def list_item_assignment(x):
    out = [x, x, x]
    for k in range(3):
        out[k] = out[k] * k
    return out


@on((UP, FOUR), (UP, ZERO))
def list_items_in_program_loop(x, n):
    state = [x, x * 2]
    for k in range(n):
        state[0], state[1] = state[1] * 0.5, state[0]
    return state


@on(UP, DOWN)
def dict_item_in_branch(x):
    d = {"y": x}
    if x.sum() > 0:
        d["y"] = x * 2
    return d["y"]


@on(np.zeros((2, 3), np.float32), np.zeros((3, 3), np.float32), np.zeros((5, 3), np.float32), traces=2)
def loop_over_shape(x):
    s = 0.0
    for k in range(x.shape[0]):
        s = s + (x[k] + k).sum()
    return s


@on(np.ones((2, 3), np.float32), np.ones((3, 3), np.float32), np.ones((5, 3), np.float32), traces=2)
def batch_sizes(x):
    n = x.shape[0]
    y = x.reshape([n * 3]) * n
    if y.sum() > 20:
        y = y / n
    return y.reshape([-1, 3]).mean(0), n


@on(np.ones((2, 3), np.float32), np.ones((3, 3), np.float32), np.ones((5, 3), np.float32), traces=2)
def batch_sizes_unpacked(x):
    b, d = x.shape
    return x.reshape([d, b]).sum() / (b * d), len(x), x.size


@on(np.ones((2, 3), np.float32), np.ones((3, 3), np.float32), np.ones((5, 3), np.float32), traces=2)
def sizes_in_arithmetic(x):
    n = x.shape[0]
    y = x * (n * 0.5) + (1.5 - n) * x + n**2 + n**-0.5 + abs(n - 9) + n // 2 + max(n, 2) + 1 / n + (n / 2) ** 2
    print(n, f"{n:3d}|", str(n), x.shape)
    return y * float(n), divmod(n, 2)


@on(*[np.ones((n, 3), np.float32) for n in (2, 3, 5, 4)])
def sizes_that_python_must_know(x):
    n = x.shape[0]
    table = {2: x, 3: x * 2}
    y = table.get(n, x * 4) / math.sqrt(n) + list(range(9))[n]
    if n in {2, 3}:
        y = y * 2
    return {f"rows {n}": y, "zeros": [0] * n}


@on(UP)
def shape_in_python(x):
    n = x.shape[0]
    if n > 2:
        return x[: n - 1] * n
    return x


# ---- logic


@on((UP, UP), (UP, DOWN), (DOWN, UP), (DOWN, DOWN))
def and_or_not(x, y):
    if x.sum() > 0 and y.sum() > 0:
        return x * y
    if x.sum() > 0 or not y.sum() > 0:
        return x - y
    return x


@on((GRID, FOUR), (GRID, np.array(3)), (GRID, ZERO))
def and_guards_an_index(x, n):
    i = 0
    while i < n and x[i].sum() < 0.5:
        i += 1
    return i


@on(UP, DOWN, gradients=False)
def right_side_is_lazy(x):
    def loud(v):
        print("ran", v.sum())
        return v.sum() > 3

    if x.sum() > 0 and loud(x):
        return x * 2
    if x.sum() > 0 or loud(x):
        return x * 3
    return x


@on((UP, None), (UP, 3))
def none_or_value(x, scale):
    scale = scale or 2
    return x * scale


@on((UP, UP), (UP, None))
def python_and_tensor(x, y):
    if y is not None and y.sum() > 0:
        return x * y
    return x


@on(UP, DOWN, UP * 0.1)
def comparison_chain(x):
    s = x.sum()
    if 0 < s <= 3:
        return x * 2
    if 3 < s < 100 != 5:
        return x * 3
    return x


@on(UP, DOWN)
def comparison_chain_value(x):
    ok = -5 < x.min() < 2
    return vt.where(ok, x, x * 2)


@on(UP, DOWN)
def not_value(x):
    flag = not (x.sum() > 0)
    return flag


@on(UP, UP * 0)
def or_of_values(x):
    y = x.sum() or x.sum() + 5
    return y * 2


@on((UP, FOUR), (UP, np.array(9)))
def membership(x, n):
    if n in (2, 4):
        return x * 2
    return x


# ---- assert, print, text


@on(UP, DOWN)
def assert_with_message(x):
    assert x.sum() > 0, "the sum must be positive"
    return x * 2


@on(UP)
def assert_python(x):
    assert x.shape[0] == 3, f"three, not {x.shape}"
    assert len(x) == 3
    return x


@on((UP, FOUR), (UP, np.array(9)))
def assert_in_loop(x, n):
    for k in range(n):
        x = x * 1.5
        assert x.max() < 50, "too large"
    return x


@on((UP, TWO), (DOWN, ZERO))
def print_of_f_strings(x, n):
    print(f"sum {x.sum():.2f} of {x}, {len(x)} items", "n = {}".format(n), str(n))  # noqa: UP032
    for _ in range(n):
        print("%s" % x.min())  # noqa: UP031
    return x


@on(UP, DOWN)
def print_on_the_path(x):
    print("start")
    if x.sum() > 0:
        print("positive", x.sum(), sep=": ")
    else:
        print("negative", x)
    return x * 2


@on((UP, TWO), (UP, ZERO))
def print_in_loop(x, n):
    for k in range(n):
        print("turn", x, end=";\n")
        x = x * 2
    return x


@on((UP, "a"), (UP, "b"))
def strings(x, name):
    text = f"{name}-{len(x)}"
    return {text: x, "upper": name.upper()}


# ---- casts and built-in functions


@on(UP, DOWN)
def casts(x):
    return int(x.sum()), float(x[0]), bool(x.sum() > 0), x.sum().item()


@on(UP, DOWN)
def casts_used(x):
    n = int(x.abs().sum())
    return x * n + float(x.max()), n // 2


@on(UP)
def builtin_functions(x):
    return abs(x), len(x), sum(x), min(x), max(x), max(x[0], x[1]), min(x.sum(), 30.0)


@on(UP, DOWN)
def any_all_sorted(x):
    return any(x > 2), all(x > 0), sorted([x[0], x[1], x[2]])


@on(UP)
def isinstance_of_a_tensor(x):
    if isinstance(x, vt.Tensor) and not isinstance(x, float):
        return x * 2
    return x


@on(UP)
def map_filter_lambda(x):
    ys = list(map(lambda k: x * k, filter(lambda k: k % 2, range(5))))
    return ys


@on(UP, DOWN)
def map_with_tensor_branch(x):
    return list(map(lambda v: v * 2 if v.sum() > 0 else v, [x, -x]))


@on(UP, DOWN)
def sorted_with_key(x):
    return sorted([3, 1, 2], key=lambda k: -k), x


@on(UP)
def getattr_setattr(x):
    return getattr(x, "sum")() * 2


# ---- functions


def helper(x, scale=2.0, *rest, shift=0.0, **more):
    if x.sum() > 0:
        return x * scale + shift
    return x - scale + sum(rest) + sum(more.values())


@on(UP, DOWN)
def helpers(x):
    return helper(x), helper(x, 3.0, 1, 2, shift=4.0, other=x), helper(x, **{"scale": 5.0}), helper(*[x, 7.0])


@on(UP, DOWN)
def default_arguments(x, n=2, *, k=3):
    return helper(x, n) * k


@on((UP, DOWN, UP), (UP,))
def star_arguments(*xs):
    s = xs[0]
    for x in xs[1:]:
        s = s + x if x.sum() > 0 else s - x
    return s


@on(UP, DOWN)
def nested_function(x):
    y = x * 2

    def inner(v):
        if v.sum() > 0:
            return v + y
        return v - y

    return inner(x) + inner(-x)


@on(UP, DOWN)
def nonlocal_in_branch(x):
    total = x * 0

    def add(v):
        nonlocal total
        if v.sum() > 0:
            total = total + v

    add(x)
    add(x * 2)
    return total


@on((UP, FOUR), (DOWN, ZERO))
def nonlocal_in_loop(x, n):
    calls = 0
    h = x

    def step():
        nonlocal h, calls
        h = h * 1.5
        calls += 1

    for _ in range(n):
        step()
    return h, calls


@on(UP, DOWN)
def lambdas(x):
    f = lambda v, k=2: v * k if v.sum() > 0 else v  # noqa: E731
    return f(x), (lambda: f(x, k=4))()


@on((UP, 3), (UP, 0))
def recursion(x, n):
    if n == 0:
        return x
    return recursion(x * 2, n - 1) + 1


@on((UP, 5))
def recursion_with_tensor_branch(x, n):
    def go(v, k):
        if k == 0:
            return v
        if v.sum() > 10:
            return go(v - 1, k - 1)
        return go(v * 2, k - 1)

    return go(x, n)


@on(UP, DOWN)
def partial_and_callable(x):
    class Scale:
        def __init__(self, k):
            self.k = k

        def __call__(self, v):
            return v * self.k if v.sum() > 0 else v

    return functools.partial(helper, scale=3.0)(x), Scale(3)(x)


def doubled(fn):
    @functools.wraps(fn)
    def wrapper(*args, **kwargs):
        out = fn(*args, **kwargs)
        if out.sum() > 5:
            return out * 2
        return out

    return wrapper


@doubled
def decorated_helper(x):
    return x + 1


@on(UP, DOWN)
def user_decorators(x):
    return decorated_helper(x)


@on(UP, DOWN)
def walrus(x):
    if (s := x.sum()) > 0:
        return x * s
    return x - s


@on((UP, FOUR))
def walrus_in_while(x, n):
    i = 0
    while (i := i + 1) < n:
        x = x * 1.5
    return x, i


@on(UP, DOWN)
def with_statement(x):
    with vt.no_grad():
        k = x.max()
        if k > 0:
            k = k * 2
    return x * k


@on(UP, DOWN)
def no_grad_around_a_branch(x):
    if x.sum() > 0:
        with vt.no_grad():
            y = x * 2
    else:
        y = x * 3
    return x * y


@on(UP, DOWN)
def try_finally(x):
    try:
        y = x * 2
        if x.sum() > 0:
            return y
    finally:
        y = None
    return x


@on(UP)
def try_except_python(x):
    try:
        k = {}["missing"]
    except KeyError as error:
        k = len(error.args)
    return x * k


@on(UP, DOWN)
def deleted(x):
    y = x * 2
    if x.sum() > 0:
        z = y + 1
        del z
    del y
    return x


@on(UP)
def inner_class_and_static(x):
    class Box:
        scale = 3

        @staticmethod
        def twice(v):
            return v * 2 if v.sum() > 0 else v

        @classmethod
        def thrice(cls, v):
            return v * cls.scale

        @property
        def size(self):
            return 5

    return Box.twice(x), Box.thrice(x), x * Box().size


# ---- in place


@on(UP, DOWN, gradients=False)
def inplace_on_local(x):
    y = x * 2
    if x.sum() > 0:
        y.add_(x)
    else:
        y -= x
    return y


@on(UP, DOWN)
def inplace_on_local_with_gradient(x):
    y = x * 2
    if x.sum() > 0:
        y.multiply_(x)
    y += 1
    return y


@on(UP, DOWN, gradients=False)
def inplace_on_argument(x):
    if x.sum() > 0:
        x.add_(vt.ones_like(x))
    x[0] = 9.0
    return x.sum()


@on((UP, FOUR), (UP, ZERO), gradients=False)
def inplace_on_argument_in_loop(x, n):
    for k in range(n):
        x[k % 3] = x[k % 3] * 2 + k
    return x * 1


@on((UP, FOUR), (UP, TWO))
def setitem_in_loop(x, n):
    out = vt.zeros([4, 3])
    for k in range(n):
        out[k] = x * k
    return out


@on(UP, DOWN)
def setitem_in_branch(x):
    y = x * 1
    if x.sum() > 0:
        y[1:] = x[:-1] * 2
    else:
        y[x < 0] = 0.5
    return y


@on(UP, DOWN)
def augmented(x):
    y = x * 2
    z = y
    z += 1
    y *= 2
    z -= x
    return y, z


@on((UP, FOUR), (DOWN, FOUR), gradients=False)
def aliases_in_loop(x, n):
    a = x * 1
    b = a
    for k in range(n):
        a.add_(vt.ones_like(a))
        if a.sum() > 8:
            b.multiply_(a * 0.1)
    return a, b


@on(UP, DOWN)
def view_then_write(x):
    y = x * 2
    z = y[0]
    y[0] = 7.0
    if x.sum() > 0:
        y[1] = z
    return y, z


@on((UP, FOUR), (UP, TWO), gradients=False)
def inplace_or_rebound_in_loop(x, n):
    y = x * 1
    for _ in range(n):
        y.add_(x)
        if y.sum() > 15:
            y = y * 0.5
    return y


@on(UP, DOWN)
def returned_after_a_write_or_new(x):
    y = x * 1
    if x.sum() > 0:
        y.add_(x)
        return y
    return y * 3


@on(UP, DOWN, gradients=False)
def pair_written_or_new(x):
    pair = (x * 1, x * 2)
    if x.sum() > 0:
        pair[0].add_(x)
    else:
        pair = (pair[1], pair[0])
    return pair


# ---- gradients inside, devices of autograd


@on(UP, DOWN)
def grad_inside(x):
    x = x * 1
    x.stop_gradient = False
    y = (x * x * x).sum()
    (g,) = vt.grad(y, [x])
    return g * 2


@on(UP, DOWN)
def grad_inside_create_graph(x):
    y = x * 1
    y.stop_gradient = False
    z = (y**3).sum()
    (g,) = vt.grad(z, [y], create_graph=True)
    return (g * g).sum().detach()


@on(UP, DOWN)
def detach_in_branch(x):
    if x.sum() > 0:
        y = x.detach() * 2
    else:
        y = x * 3
    return y * x


@on(UP, DOWN)
def stop_gradient_result(x):
    y = x * 2
    return y.detach(), y


@on((UP, TWO), (DOWN, FOUR))
def tensor_as_size(x, n):
    return vt.zeros([n, 2]) + x.sum()


@on((UP, TWO), (DOWN, FOUR))
def appends_a_number_of_times(x, n):
    out = []
    for k in range(n):
        out.append(x * k)
    return vt.stack(out)


@on((UP, ZERO), (DOWN, TWO))
def tensor_picks_from_a_list(x, n):
    return [x, x * 2, x * 3][n]


@on((UP, ZERO), (DOWN, TWO))
def recursion_inside_an_expression(x, n):
    if n <= 0:
        return x
    return recursion_inside_an_expression(x, n - 1) * 2


# ---- what is refused: (function, arguments, error, message, the line it names)


def text_of_a_tensor(x, n):
    return f"{x.sum()}"


def as_array(x, n):
    return x * x * np.cbrt(x.numpy()).sum()


def drawn_by_numpy(x, n):
    return x + np.random.rand()


def drawn_by_python(x, n):
    return x + random.random()


def swapped_and_written(x, n):
    a, b = x * 1, x * 2
    for _ in range(n):
        b.add_(x)
        a, b = b, a
    return a, b


REFUSED: list[tuple[Callable[..., Any], type[Exception], str, str]] = [
    (text_of_a_tensor, CaptureError, "a string made from a tensor's value", 'return f"{x.sum()}"'),
    (as_array, CaptureError, r"numpy\(\) of a tensor", "x.numpy()"),
    (drawn_by_numpy, CaptureError, "would draw once", "np.random.rand()"),
    (drawn_by_python, CaptureError, "would draw once", "random.random()"),
    (swapped_and_written, CaptureError, "becomes another variable's tensor", "for _ in range(n):"),
]


@pytest.mark.parametrize(("fn", "kind", "message", "line"), REFUSED, ids=[r[0].__name__ for r in REFUSED])
def test_refused(fn: Any, kind: type[Exception], message: str, line: str, refused: Callable[..., None]) -> None:
    refused(fn, (UP, TWO), kind, message, line)


@pytest.mark.filterwarnings("ignore::vitrify.jit.RecompileWarning")
@pytest.mark.parametrize("name", CASES)
def test_compiled_equals_eager(name: str, agree: Callable[..., None]) -> None:
    case = CASES[name]
    agree(case.make, case.calls, case.gradients, case.outside, case.traces)
