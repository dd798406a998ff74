"""Python numbers that a compiled function computes: they promote like Python's beside tensors, whatever takes them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify.base.errors import CaptureError

from .numeric_arguments import Call, calls, differ, functions

BESIDE_A_TENSOR: dict[str, Callable[[Any, Any], Any]] = {
    "invert": lambda a, k: a + ~k,
    "clip by floats": lambda a, k: vt.clip(a, -k * 2.5, k * 2.5),
    "clip beyond the dtype": lambda a, k: vt.clip(a, -k * 2.0, k * 1e3),
    "floor_divide": lambda a, k: a // (k + 1),
    "stanh": lambda a, k: vt.stanh(a, k * 0.5, k + 1.0),
    "scale": lambda a, k: a.scale(k + 1, k * 2),
    "roll": lambda a, k: vt.roll(a, k + 1),
    "tile": lambda a, k: vt.tile(a, [k + 0]),
    "bitwise_and": lambda a, k: a & (k + 1),
    "increment": lambda a, k: vt.increment(a[0:1], k + 1),
}
ALONE: dict[str, Callable[[Any], Any]] = {
    "invert": lambda k: ~(k + 1),
    "invert a bool": lambda k: ~(k > 2),
    "shift left": lambda k: (k + 1) << 2,
    "shift right": lambda k: (k * -5) >> 1,
    "shift by it": lambda k: 1 << (k + 1),
    "bits": lambda k: ((k + 1) & 3, (k + 4) | 1, (k + 5) ^ 6),
    "bits of bools": lambda k: ((k > 1) & (k < 3), (k > 2) | (k < 0), (k > 1) ^ True),
    "bits of both": lambda k: (k > 1) & (k + 4),
}


def outcome(fn: Callable[..., Any], *args: Any) -> Any:
    try:
        return fn(*args)
    except CaptureError as error:
        return error
    except Exception as error:  # broad: eager mode's error is the expected one, whatever it is
        return type(error).__name__


@pytest.mark.parametrize("dtype", ["float16", "int32", "float64"])
@pytest.mark.parametrize("name", BESIDE_A_TENSOR)
def test_a_number_of_the_run_gives_eager_modes_dtype_and_value(name: str, dtype: str) -> None:
    plain = BESIDE_A_TENSOR[name]
    compiled = vt.jit.to_static(plain)
    for k in (1, 2, 3):
        x = vt.to_tensor([1, 20], dtype)
        expected, found = outcome(plain, x, k), outcome(compiled, vt.to_tensor([1, 20], dtype), k)
        if isinstance(found, CaptureError):
            continue  # refused by name
        if isinstance(expected, str):
            assert found == expected
            continue
        assert found.dtype == expected.dtype
        np.testing.assert_allclose(found.numpy(), expected.numpy(), rtol=1e-3 if dtype == "float16" else 1e-6)


def plain_form(call: Call, factor: float) -> Callable[[Any], Any]:
    return (lambda k: call.run(k + 0)) if factor == 1 else lambda k: call.run(k * factor)


@pytest.mark.parametrize("dtype", ["float16", "int32"])
@pytest.mark.parametrize("function", [pytest.param(f, id=name) for name, f in functions()])
def test_every_function_takes_numbers_of_the_run_as_it_takes_numbers(function: Callable[..., Any], dtype: str) -> None:
    for call in calls(function, dtype):
        for factor in (1, 0.5):
            plain = plain_form(call, factor)
            compiled = vt.jit.to_static(plain, numerics="reference")
            for number in call.numbers:
                results = []
                for fn in (plain, compiled):
                    vt.seed(7)
                    results.append(outcome(fn, number))
                expected, found = results
                if isinstance(found, CaptureError):
                    break  # refused by name
                if isinstance(expected, str):
                    assert found == expected, (call.name, number, factor)
                else:
                    difference = differ(found, expected, 1e-2 if dtype == "float16" else 1e-5)
                    assert not difference, (call.name, number, factor)


@pytest.mark.filterwarnings("ignore:Bitwise inversion:DeprecationWarning")  # of bools, from Python 3.12 on
@pytest.mark.parametrize("name", ALONE)
def test_operations_among_numbers_give_pythons_numbers(name: str) -> None:
    plain = ALONE[name]
    compiled = vt.jit.to_static(plain)
    for k in (1, 2, 3):
        expected, found = plain(k), compiled(k)
        assert repr(found) == repr(expected)


def test_a_negative_shift_is_pythons_error() -> None:
    @vt.jit.to_static
    def f(k: int) -> Any:
        return 1 << (k - 2)

    assert [f(2), f(4)] == [1, 4]
    with pytest.raises(ValueError, match="negative shift count"):
        f(1)


def clipped_below(x: Any) -> Any:
    return vt.clip(x, -float("inf"), 3)


def clipped_above(x: Any) -> Any:
    return vt.clip(x, 5, max=float("inf"))


def clipped_by_nothing(x: Any) -> Any:
    return x.clip(-float("inf"), float("inf"))


@pytest.mark.parametrize("wrap", [lambda fn: fn, vt.jit.to_static], ids=["eager", "compiled"])
def test_infinite_bounds_of_integers_are_floats_too(wrap: Callable[..., Any]) -> None:
    x = vt.to_tensor([1, 20], "int32")
    results = [wrap(fn)(x) for fn in (clipped_below, clipped_above, clipped_by_nothing)]
    assert [(y.dtype, y.tolist()) for y in results] == [
        (vt.float32, [1.0, 3.0]), (vt.float32, [5.0, 20.0]), (vt.float32, [1.0, 20.0])
    ]  # fmt: skip
