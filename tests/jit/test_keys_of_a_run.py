"""Numbers that only a run knows where Python looks them up: keys of dicts, sorted lists, whole numbers of `math`."""

from __future__ import annotations

import bisect
import math
from collections import OrderedDict, defaultdict
from collections.abc import Callable
from typing import Any

import pytest

import vitrify as vt
from vitrify.base.errors import CaptureError

DATA = ([1.0, -2.0, 3.0], [-1.0, 2.0, -4.0], [1.0, 2.0, 0.0], [0.0, 0.0, 0.0], [2.0, 2.0, 2.0])


def of_one_type(x: Any) -> Any:
    d = {0: x * 2, 2: x * 3, 3: x + 1}
    return d[int(x.sum())]


def of_several_types(x: Any) -> Any:
    d = {0: x * 2, 2: x.sum(), 3: (x, 1), "name": 4}
    return d[int(x.sum())]


def numbers(x: Any) -> Any:
    d = {0: 1.5, 2: 2.5, 3.0: 4.5}
    return x * d[float(x.sum())]


def functions(x: Any) -> Any:
    d = {0: lambda v: v + 1, 2: vt.abs, 3: lambda v: v.sum()}
    return d[int(x.sum())](x)


def with_a_default(x: Any) -> Any:
    d = {0: 1.5, 3: 2.5}
    return x * d.get(int(x.sum()), 7.0), d.get(int(x.max()))


def in_a_handler(x: Any) -> Any:
    d = OrderedDict({0: x * 2, 3: x * 3})
    try:
        return d[int(x.sum())]
    except KeyError:
        return x - 1


def in_a_loop(x: Any) -> Any:
    names = {0: 10.0, 1: 20.0, 2: 30.0, 3: 40.0}
    total = x.sum() * 0
    for v in x:
        total = total + names[int(v.abs()) % 4]
    return total


def places(x: Any) -> Any:
    steps = [1.0, 2.0, 2.0, 5.0]
    value = float(x.sum())
    return (
        bisect.bisect(steps, value),
        bisect.bisect_left(steps, value),
        bisect.bisect_right(steps, value, 1, 3),
        bisect.bisect_left([5.0, 2.0, 1.0], -value, key=lambda v: -v),
    )


def sorted_in(x: Any) -> Any:
    steps, others = [1.0, 2.0, 5.0], []
    bisect.insort(steps, float(x.sum()))
    bisect.insort_left(others, float(x.max()))
    return steps, others


def whole_numbers(x: Any) -> Any:
    n = int(x.sum()) * 6
    return math.gcd(n, 4), math.lcm(n, 4), math.gcd(n), math.gcd(12, n, 8), math.lcm(3, n, 5)


FUNCTIONS: list[Callable[[Any], Any]] = [
    of_one_type, of_several_types, numbers, functions, with_a_default, in_a_handler, in_a_loop, places, sorted_in,
    whole_numbers,
]  # fmt: skip


def outcome(fn: Callable[[Any], Any], data: list[float]) -> Any:
    def plain(value: Any) -> Any:
        if isinstance(value, vt.Tensor):
            return value.dtype, value.tolist()
        return type(value)(map(plain, value)) if isinstance(value, (list, tuple)) else (type(value), value)

    try:
        return plain(fn(vt.to_tensor(data)))
    except Exception as error:
        return type(error), error.args


@pytest.mark.parametrize("fn", FUNCTIONS, ids=lambda fn: fn.__name__)
def test_as_in_eager_mode(fn: Callable[[Any], Any]) -> None:
    compiled = vt.to_static(fn)
    for data in DATA:
        assert outcome(compiled, data) == outcome(fn, data)


def test_gradients_pass_through_what_a_key_finds() -> None:
    def slope(fn: Callable[[Any], Any], data: list[float]) -> Any:
        x = vt.to_tensor(data, stop_gradient=False)
        fn(x).sum().backward()
        return x.grad.tolist()

    compiled = vt.to_static(of_one_type)
    for data in (DATA[0], DATA[2], DATA[3]):
        assert slope(compiled, data) == slope(of_one_type, data)


def test_dicts_that_make_items_are_refused() -> None:
    @vt.to_static
    def fn(x: Any) -> Any:
        return defaultdict(list, {0: [x]})[int(x.sum())]

    with pytest.raises(CaptureError, match="key of a dict"):
        fn(vt.ones([2]))


def test_floats_have_no_divisor() -> None:
    @vt.to_static
    def fn(x: Any) -> Any:
        return math.gcd(float(x.sum()), 2)  # type: ignore[arg-type]

    with pytest.raises(TypeError, match="cannot be interpreted as an integer"):
        fn(vt.ones([2]))
