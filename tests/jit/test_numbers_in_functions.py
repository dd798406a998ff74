"""Python numbers that change between calls, as arguments of this library's functions: dtypes are those of eager mode."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import vitrify as vt
from vitrify.errors import ArgumentError

FUNCTIONS: dict[str, Callable[[Any, Any], Any]] = {
    "clip to both sides": lambda a, k: vt.clip(a, 1 - k, k * 1),
    "clip from below": lambda a, k: vt.clip(a, min=k + 1),
    "clip from above": lambda a, k: a.clip(max=k + 1),
    "maximum": lambda a, k: vt.maximum(a, k * 2),
    "minimum": lambda a, k: vt.minimum(a, k * 2),
    "fmax": lambda a, k: vt.fmax(a, k + 1),
    "remainder": lambda a, k: vt.remainder(a, k + 1),
    "scale": lambda a, k: vt.scale(a, k + 1),
    "nan_to_num": lambda a, k: vt.nan_to_num(a, nan=k + 1),
}


@pytest.mark.parametrize("dtype", ["int32", "int8", "float16", "float64"])
@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_number_of_the_run_takes_the_dtype_of_the_tensor(name: str, dtype: str) -> None:
    plain = FUNCTIONS[name]
    compiled = vt.jit.to_static(plain)
    for k in (3, 2, 5) if "int" in dtype else (1.5, 2.5, 0.5):
        x = vt.to_tensor([1, 20], dtype)
        expected, found = plain(x, k), compiled(x, k)
        assert (found.dtype, found.tolist()) == (expected.dtype, expected.tolist())


def test_integers_between_floats_of_the_run_are_floats() -> None:
    def f(x: Any, k: Any) -> Any:
        return vt.clip(x, -k, k)

    compiled = vt.jit.to_static(f)
    for k in (1.5, 2.5, 3.75):
        x = vt.to_tensor([-9, 20], "int32")
        assert (compiled(x, k).dtype, compiled(x, k).tolist()) == (vt.float32, f(x, k).tolist())


def test_the_gradient_passes_between_bounds_of_the_run() -> None:
    def f(x: Any, k: Any) -> Any:
        return vt.clip(x, -k, k).sum()

    compiled = vt.jit.to_static(f)
    for k in (1.0, 2.0, 3.0):
        x = vt.to_tensor([-3.0, -2.0, 0.0, 2.0, float("nan")], stop_gradient=False)
        y = vt.to_tensor([-3.0, -2.0, 0.0, 2.0, float("nan")], stop_gradient=False)
        f(x, k).backward()
        compiled(y, k).backward()
        assert y.grad.tolist() == x.grad.tolist()


def test_bounds_that_cross_are_refused_at_the_call_that_has_them() -> None:
    def f(x: Any, k: Any) -> Any:
        return vt.clip(x, k, 3)

    compiled, x = vt.jit.to_static(f), vt.ones([2])
    for k in (1, 2, 3):
        assert compiled(x, k).tolist() == f(x, k).tolist() == [k, k]
    for run in (f, compiled):
        with pytest.raises(ArgumentError, match="max must be at least min"):
            run(x, 5)
    assert compiled(x, 2).tolist() == [2, 2]
