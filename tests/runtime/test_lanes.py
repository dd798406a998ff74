"""Kernels along one axis against eager mode, bit for bit: long lines, many lines side by side, special values."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import vitrify as vt

Array = np.ndarray[Any, Any]
SHAPES = [
    ((3, 1300), 1),
    ((40, 300), 0),
    ((2, 5, 257), 1),
    ((1, 1), 0),
    ((4, 1, 2), 1),
    ((0, 3), 1),
    ((7,), 0),
    ((37, 12), 1),
    ((19, 70), 1),
    ((2, 8, 33), 2),
]
FUNCTIONS: dict[str, Callable[[Any, int], Any]] = {
    "argmax": lambda x, axis: vt.argmax(x, axis),
    "argmin": lambda x, axis: vt.argmin(x, axis),
    "cummax": lambda x, axis: vt.cummax(x, axis),
    "cummin": lambda x, axis: vt.cummin(x, axis),
    "largest so far": lambda x, axis: vt.cummax(x, axis)[0],
    "smallest so far": lambda x, axis: vt.cummin(x, axis)[0],
    "cumsum": lambda x, axis: vt.cumsum(x, axis),
    "cumsum from the end": lambda x, axis: vt.flip(vt.cumsum(vt.flip(x, [axis]), axis), [axis]),
}


def _numbers(shape: tuple[int, ...], dtype: str, special: bool) -> Array:
    made = np.random.default_rng(3).integers(-9, 9, shape).astype(dtype)
    if special and made.size:
        flat = made.reshape(-1)
        for k, value in enumerate((np.nan, np.inf, -np.inf, -0.0, np.nan, 0.0)):
            flat[(k * 37 + 5) % flat.size] = value
    return made


def _same(found: Any, expected: Any) -> None:
    pairs = zip(found, expected, strict=True) if isinstance(expected, (tuple, list)) else [(found, expected)]
    for a, b in pairs:
        assert a.dtype == b.dtype
        assert a.shape == b.shape
        np.testing.assert_array_equal(a.numpy(), b.numpy())
        if a.dtype.is_floating:
            numbers = ~np.isnan(b.numpy())
            np.testing.assert_array_equal(np.signbit(a.numpy())[numbers], np.signbit(b.numpy())[numbers])


@pytest.mark.parametrize(
    ("dtype", "symbolic"),
    [("float32", False), ("float32", True), ("float64", False), ("int64", True), ("int32", False)],
)
@pytest.mark.parametrize("name", list(FUNCTIONS))
def test_lines_as_in_eager_mode(name: str, dtype: str, symbolic: bool) -> None:
    function, first = FUNCTIONS[name], list(FUNCTIONS).index(name)
    for shape, axis in SHAPES if dtype == "float32" and not symbolic else SHAPES[first % 2 :: 2]:

        def along(x: Any, axis: int = axis) -> Any:
            return function(x, axis)

        spec = [vt.InputSpec([None] * len(shape) if symbolic else list(shape), dtype)]
        compiled = vt.to_static(along, input_spec=spec)
        for special in (False, True) if dtype.startswith("float") else (False,):
            x = vt.to_tensor(_numbers(shape, dtype, special))
            _same(compiled(x), along(x))


@pytest.mark.parametrize("axis", [0, 1])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_running_sums_of_logarithms(dtype: str, axis: int) -> None:
    def logs(x: Any) -> Any:
        return vt.logcumsumexp(x, axis)

    x = _numbers((30, 400), dtype, True)
    x[3] = -np.inf
    found = vt.to_static(logs)(vt.to_tensor(x)).numpy()
    with np.errstate(invalid="ignore"):
        expected = np.logaddexp.accumulate(x, axis)
    np.testing.assert_allclose(found, expected, rtol=2e-6 if dtype == "float32" else 1e-14)


@pytest.mark.parametrize("reverse", [False, True])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("size", [1, 5, 64, 65, 777])
def test_running_sums_of_logarithms_of_a_few_lines(dtype: str, size: int, reverse: bool) -> None:
    """A line on its own is made in blocks: large ones first, or last, infinities, from where on there is a NaN."""
    rows = 3.0 * np.random.default_rng(size).standard_normal((6, size)).astype(dtype)
    rows[1] = np.sort(rows[1])[::-1] * 300
    rows[2] = np.sort(rows[2]) * 300
    rows[3, : size // 2] = -np.inf
    rows[4, size // 3 : size // 2 + 1] = np.inf
    rows[5, size // 2] = np.nan

    def logs(x: Any) -> Any:
        x.stop_gradient = False
        made = vt.flip(vt.logcumsumexp(vt.flip(x, [1]), 1), [1]) if reverse else vt.logcumsumexp(x, 1)
        return made, vt.grad((made[:3] * made[:3]).sum(), x)[0]

    found, slope = vt.to_static(logs)(vt.to_tensor(rows))
    with np.errstate(invalid="ignore"):
        order = slice(None, None, -1 if reverse else 1)
        expected = np.logaddexp.accumulate(rows[:, order].astype(np.float64), 1)[:, order]
    bound = 1e-5 if dtype == "float32" else 1e-13
    np.testing.assert_allclose(found.numpy(), expected, rtol=bound, atol=bound)
    np.testing.assert_allclose(
        slope[:3].numpy(), logs(vt.to_tensor(rows))[1][:3].numpy(), rtol=1e3 * bound, atol=1e3 * bound
    )


def test_positions_of_bools() -> None:
    x = np.zeros((3, 600), bool)
    x[1, 577] = True

    def where(x: Any) -> Any:
        return vt.argmax(vt.cast(x, "int32"), 1), vt.argmin(vt.cast(x, "int32"), 0)

    _same(vt.to_static(where)(vt.to_tensor(x)), where(vt.to_tensor(x)))


@pytest.mark.parametrize("dtype", ["float32", "float64", "int64", "uint8"])
@pytest.mark.parametrize("columns", [2, 3, 7, 12, 15])
def test_positions_down_a_few_columns(dtype: str, columns: int) -> None:
    """Runs of rows, the rows that are left, ties, the first NaN; whatever the length and the number of threads."""

    def where(x: Any) -> Any:
        return vt.argmax(x, 1), vt.argmin(x, 1)

    rng = np.random.default_rng(columns)
    compiled = vt.to_static(where, input_spec=[vt.InputSpec([None, None, columns], dtype)])
    before = vt.get_num_threads()
    try:
        for length in (1, 2, 31, 64, 97, 640, 4001):
            x = rng.integers(0, 4 if length < 600 else 200, (3, length, columns)).astype(dtype)
            if dtype.startswith("float"):
                x[1, rng.random((length, columns)) < 0.02] = np.nan
                x[2, rng.random((length, columns)) < 0.3] = -np.inf
                x[2, rng.random((length, columns)) < 0.3] = -0.0
            given = vt.to_tensor(x)
            for threads in (1, 2):
                vt.set_num_threads(threads)
                _same(compiled(given), where(given))
            if length == 640:
                _same(vt.to_static(where)(given), where(given))
    finally:
        vt.set_num_threads(before)


@pytest.mark.parametrize(
    ("length", "dtype"),
    [(n, dtype) for n in (1, 2, 3, 10, 16, 31, 64, 127, 130, 511, 513) for dtype in ("float32", "float64", "int64")]
    + [(n, dtype) for n in (1, 31, 130) for dtype in ("int32", "uint8")],
)
def test_positions_in_short_lines(dtype: str, length: int) -> None:
    """Lines of a few elements or vectors: the last elements, ties, the first NaN, lines of nothing else."""

    def where(x: Any) -> Any:
        return vt.argmax(x, 1), vt.argmin(x, 1)

    rng = np.random.default_rng(length)
    x = rng.integers(0, 3, (40, length)).astype(dtype)
    x[10:30] = rng.integers(0, 200, (20, length)).astype(dtype)
    for k in range(10):
        x[k, -1 - k % length] = 7
    if dtype.startswith("float"):
        x[20:25, rng.integers(0, length, 9)] = np.nan
        x[25] = np.nan
        x[26], x[27], x[28, ::2] = np.inf, -np.inf, -0.0
    _same(vt.to_static(where)(vt.to_tensor(x)), where(vt.to_tensor(x)))


@pytest.mark.parametrize("dtype", ["float32", "float64", "int64", "uint8"])
@pytest.mark.parametrize("rows", [1, 2, 4, 5, 6, 8, 9, 13])
def test_positions_of_lines_side_by_side(dtype: str, rows: int) -> None:
    """Several rows are looked at in one go, and what is left over one by one; equal numbers and NaN in any of them."""
    rng = np.random.default_rng(rows)
    x = rng.integers(0, 4, (rows, 531)).astype(dtype)
    if dtype.startswith("float"):
        x[rng.integers(0, rows, 90), rng.permutation(531)[:90]] = np.nan
        x[rng.integers(0, rows, 90), rng.permutation(531)[:90]] = np.inf
        x[rng.integers(0, rows, 90), rng.permutation(531)[:90]] = -0.0
    both = vt.to_static(lambda x: (vt.argmax(x, 0), vt.argmin(x, 0)))
    for made, wanted in zip(both(vt.to_tensor(x)), (x.argmax(0), x.argmin(0)), strict=True):
        np.testing.assert_array_equal(made.numpy(), wanted)
