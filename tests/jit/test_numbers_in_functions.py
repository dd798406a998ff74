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


ALONE: dict[str, Any] = {
    "where": lambda x, s: (vt.where(x > 1, s, 0.0), vt.where(x > 1, s, s + 1), x * vt.where(x > 1, 1, s)),
    "where beside a tensor": lambda x, s: vt.where(x > 1, s, x.astype("float64")),
    "assign": lambda x, s: (vt.assign(s), vt.assign([s, 1.0]), vt.assign([1, s])),
    "normal": lambda x, s: (vt.normal(0.0, s, [2]).shape, vt.normal(s, s, [3]).shape, vt.normal(s, x).shape),
    "full": lambda x, s: (vt.full([2], s), vt.full_like(x, s), vt.to_tensor([s, 1])),
}


@pytest.mark.parametrize("name", ALONE)
def test_numbers_without_a_tensor_beside_them_are_no_tensors(name: str) -> None:
    fn, x = ALONE[name], vt.to_tensor([1.0, 2.0])
    given, of_run = vt.to_static(fn), vt.to_static(lambda x, t: fn(x, float(t)))
    for scale in (0.5, 0.25, 0.75):
        wanted = repr(fn(x, scale))
        assert [repr(given(x, scale)), repr(of_run(x, vt.to_tensor(scale)))] == [wanted, wanted]


def test_whole_numbers_of_a_run_are_rounded_to_whole_numbers() -> None:
    def fn(n: Any) -> Any:
        return [round(n * k, -1) for k in (1, 5, 15, -5, -15, 25)], round(n * 50, -2), round(n, 0), round(n, 2)

    compiled = vt.to_static(lambda t: fn(int(t)))
    assert [repr(compiled(vt.to_tensor(n))) for n in (1, 3, 13)] == [repr(fn(n)) for n in (1, 3, 13)]
