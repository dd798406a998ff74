"""Products of matrices of integers: kernels of tiles where they fit, of rows elsewhere; sums wrap around as NumPy's."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify.base.target import TARGETS, runnable, using_target

SHAPES = [
    ((64, 200), (200, 320), False), ((64, 240), (240, 16), False), ((65, 40), (49, 40), True), ((2, 16), (16, 32), False),
    ((300, 100), (100, 50), False), ((300, 100), (100, 17), False), ((9, 33), (31, 33), True),
    ((9, 33), (8, 33), True), ((3, 7, 24), (24, 33), False), ((7, 9), (9, 5), False), ((1, 40), (40, 50), False),
    ((9, 2000), (2000, 20), False), ((2, 8, 20), (2, 20, 24), False), ((5, 0), (0, 40), False), ((40,), (40, 40), False),
]  # fmt: skip


def _numbers(dtype: str, shape: tuple[int, ...], seed: int) -> Any:
    limits = np.iinfo(dtype)
    return np.random.default_rng(seed).integers(limits.min, limits.max, shape, dtype, endpoint=True)


@pytest.mark.parametrize("dtype", ["int32", "int64"])
@pytest.mark.parametrize(("left", "right", "transposed"), SHAPES)
def test_products_wrap_around(dtype: str, left: tuple[int, ...], right: tuple[int, ...], transposed: bool) -> None:
    x, y = _numbers(dtype, left, 1), _numbers(dtype, right, 2)
    with np.errstate(all="ignore"):
        expected = np.matmul(x, y.T if transposed else y)
    compiled = vt.to_static(lambda x, y: vt.matmul(x, y, transpose_y=transposed))
    given = vt.to_tensor(x), vt.to_tensor(y)
    np.testing.assert_array_equal(compiled(*given).numpy(), expected)
    with vt.profiler.profile() as profile:
        compiled(*given)
    assert not [k.name for k in profile.kernels if k.kind == "python"]


@pytest.mark.parametrize("dtype", ["int32", "int64"])
def test_what_follows_is_in_the_kernel(dtype: str) -> None:
    def layer(x: Any, w: Any, bias: Any) -> Any:
        return vt.clip(((x @ w + bias).astype("int64") * 37 + 64) >> 7, 0, 127)

    rng = np.random.default_rng(3)
    given = [rng.integers(-100, 100, s).astype(dtype) for s in ((65, 40), (40, 49), (49,))]
    tensors = [vt.to_tensor(a) for a in given]
    compiled = vt.to_static(layer)
    made = compiled(*tensors).numpy()
    x, w, bias = (a.astype("int64") for a in given)
    np.testing.assert_array_equal(made, np.clip(((x @ w + bias) * 37 + 64) >> 7, 0, 127))
    assert len(compiled.kernels) == 1


def test_a_product_of_a_number_of_rows_that_a_call_tells() -> None:
    compiled = vt.to_static(
        lambda x, y: x @ y, input_spec=[vt.InputSpec([None, 40], "int32"), vt.InputSpec([40, 48], "int32")]
    )
    y = _numbers("int32", (40, 48), 2)
    for rows in (1, 5, 64):
        x = _numbers("int32", (rows, 40), rows)
        with np.errstate(all="ignore"):
            np.testing.assert_array_equal(compiled(vt.to_tensor(x), vt.to_tensor(y)).numpy(), x @ y)


MORE_SHAPES = [
    ((64, 64), (64, 64)), ((31, 31), (31, 31)), ((3, 5), (5, 7)), ((2, 9), (9, 8)), ((4, 0), (0, 9)),
    ((3, 1, 6, 20), (2, 20, 90)), ((20,), (20, 70)), ((6, 20), (20,)), ((1, 3), (3, 129)),
]  # fmt: skip


@pytest.mark.parametrize(("first", "second"), MORE_SHAPES)
def test_products_of_int64_are_numpys(first: tuple[int, ...], second: tuple[int, ...]) -> None:
    rng = np.random.default_rng(0)
    a, b = (rng.integers(-(2**62), 2**62, shape) for shape in (first, second))
    function = vt.to_static(lambda x, y: vt.matmul(x, y))
    for _ in range(2):
        made = function(vt.to_tensor(a), vt.to_tensor(b)).numpy()
    np.testing.assert_array_equal(made, a @ b)


@pytest.mark.parametrize("transposed", [(True, False), (False, True), (True, True)])
def test_transposed_factors(transposed: tuple[bool, bool]) -> None:
    rng = np.random.default_rng(1)
    a, b = rng.integers(-9, 9, (3, 17, 30)), rng.integers(-9, 9, (30, 75))
    given = [np.ascontiguousarray(np.swapaxes(v, -1, -2)) if t else v for v, t in zip((a, b), transposed, strict=True)]
    function = vt.to_static(lambda x, y: vt.matmul(x, y, *transposed))
    np.testing.assert_array_equal(function(*map(vt.to_tensor, given)).numpy(), a @ b)


def test_sizes_that_a_call_chooses() -> None:
    function = vt.to_static(lambda x, y: vt.matmul(x, y), input_spec=[vt.InputSpec([None, None], "int64")] * 2)
    for m, n, k in ((3, 4, 5), (9, 70, 2), (1, 1, 1)):
        a, b = np.arange(m * k).reshape(m, k), np.arange(k * n).reshape(k, n)
        np.testing.assert_array_equal(function(vt.to_tensor(a), vt.to_tensor(b)).numpy(), a @ b)


@pytest.mark.parametrize("name", sorted(set(TARGETS) & set(runnable())))
def test_other_vectors(name: str) -> None:
    a, b = np.arange(35 * 20).reshape(35, 20), np.arange(20 * 75).reshape(20, 75)
    with using_target(TARGETS[name]):
        function: Any = vt.to_static(lambda x, y: vt.matmul(x, y))
        np.testing.assert_array_equal(function(vt.to_tensor(a), vt.to_tensor(b)).numpy(), a @ b)
