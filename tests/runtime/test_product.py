"""Products with a kernel of their own, alone and with what is done to their sums."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify.base.target import TARGETS, current_target, using_target
from vitrify.passes.fusion import custom_gemm
from vitrify.runtime.lower.contraction import matmul_kernel as kernel
from vitrify.runtime.schedule.program_steps import CustomGemmStep, GemmStep, KernelStep

GENERATOR = np.random.default_rng(17)
BOUNDS = {"float32": 2e-6, "float64": 4e-15}  # of the sum of the products' sizes


@pytest.fixture
def any_size(monkeypatch: pytest.MonkeyPatch) -> None:
    """All products whose sizes the kernel can do have it, also those that OpenBLAS is faster for."""
    monkeypatch.setattr(
        custom_gemm,
        "_is_worthwhile",
        lambda sizes: sizes.columns >= 32 and 0 < sizes.rows <= 512 and sizes.depth <= 1024,
    )


@pytest.fixture
def threads() -> Iterator[None]:
    before = vt.get_num_threads()
    yield
    vt.set_num_threads(before)


def steps_of(compiled: Any) -> list[Any]:
    (entry,) = compiled._entries()
    return list(entry.runner.executable.steps.steps)


def array(*shape: int, dtype: str = "float32") -> np.ndarray:
    return GENERATOR.standard_normal(shape).astype(dtype)


def check(x: np.ndarray, y: np.ndarray, transposed: bool) -> None:
    compiled = vt.to_static(lambda a, b: vt.matmul(a, b, transpose_y=transposed))
    found = compiled(vt.to_tensor(x), vt.to_tensor(y)).numpy()
    wide = y.astype("float64").T if transposed else y.astype("float64")
    size = np.abs(x).astype("float64") @ np.abs(wide)
    assert (np.abs(found - x.astype("float64") @ wide) <= BOUNDS[str(x.dtype)] * size).all()
    assert [type(step) for step in steps_of(compiled)] == [KernelStep]


@pytest.mark.usefixtures("any_size")
@pytest.mark.parametrize("transposed", [False, True])
@pytest.mark.parametrize(
    ("rows", "depth", "columns", "dtype"),
    [(1, 7, 33, "float32"), (3, 1, 32, "float32"), (5, 16, 48, "float64"), (7, 17, 47, "float32"),
     (8, 600, 64, "float32"), (9, 67, 67, "float32"), (13, 3, 100, "float64"), (31, 33, 65, "float32"),
     (67, 600, 40, "float32"), (64, 1021, 96, "float32"), (40, 1021, 100, "float64"), (300, 40, 49, "float32"),
     (6, 520, 1024, "float32"), (261, 19, 32, "float64")],
)  # fmt: skip
def test_values(rows: int, depth: int, columns: int, dtype: str, transposed: bool) -> None:
    sides = (columns, depth) if transposed else (depth, columns)
    check(array(rows, depth, dtype=dtype), array(*sides, dtype=dtype), transposed)


@pytest.mark.usefixtures("any_size")
def test_no_depth_is_zeros() -> None:
    check(np.ones((8, 0), "float32"), np.ones((0, 32), "float32"), False)


@pytest.mark.parametrize("lead", [(2, 32), (1, 1, 64)])
def test_many_axes_are_rows(lead: tuple[int, ...]) -> None:
    x, w, bias, scale = array(*lead, 128), array(128, 96), array(96), array(*lead, 1)

    def layer(x: vt.Tensor, w: vt.Tensor, bias: vt.Tensor, scale: vt.Tensor) -> vt.Tensor:
        return vt.tanh(x @ w + bias) * scale

    compiled = vt.to_static(layer)
    arguments = [vt.to_tensor(a) for a in (x, w, bias, scale)]
    np.testing.assert_allclose(compiled(*arguments).numpy(), layer(*arguments).numpy(), rtol=1e-4, atol=1e-5)
    assert [type(step) for step in steps_of(compiled)] == [KernelStep]


def gated(x: vt.Tensor, w: vt.Tensor, bias: vt.Tensor, mask: vt.Tensor) -> tuple[vt.Tensor, ...]:
    t = x @ w + bias
    gate = vt.tanh(t) * vt.nn.functional.sigmoid(t)
    return x + vt.where(mask, gate, t), t > 0.0, t


@pytest.mark.usefixtures("threads")
@pytest.mark.parametrize(("rows", "side"), [(64, 96), (70, 127), (520, 64), (64, 640)])
def test_what_follows_is_done_to_the_sums(rows: int, side: int) -> None:
    x, w, bias, mask = array(rows, side), array(side, side), array(side), GENERATOR.standard_normal((rows, 1)) > 0
    arguments = [vt.to_tensor(a) for a in (x, w, bias, mask)]
    found = []
    for count in (1, 2):
        vt.set_num_threads(count)
        compiled = vt.to_static(gated)
        found.append([r.numpy() for r in compiled(*arguments)])
        assert [type(step) for step in steps_of(compiled)] == [KernelStep]
    for one, two, eager in zip(*found, gated(*arguments), strict=True):
        np.testing.assert_array_equal(one, two)
        if one.dtype == bool:
            assert (one != eager.numpy()).mean() < 1e-3  # sums at 0 may differ in the last bit
        else:
            np.testing.assert_allclose(one, eager.numpy(), rtol=1e-4, atol=2e-4)


@pytest.mark.parametrize(("rows", "kinds"), [(400, [KernelStep]), (12_000, [GemmStep, KernelStep])])
def test_little_depth_pays_by_what_follows_while_the_result_stays_near(rows: int, kinds: list[type]) -> None:
    x, y, v = array(rows, 9), array(9, 192), array(rows, 192)
    compiled = vt.to_static(lambda a, b, c: c / (vt.matmul(a, b) + 40.0))
    found = compiled(*map(vt.to_tensor, (x, y, v))).numpy()
    np.testing.assert_allclose(found, v / (x.astype("float64") @ y + 40.0), rtol=2e-5)
    assert [type(step) for step in steps_of(compiled)] == kinds


def test_a_chain_of_layers_keeps_each_input_until_all_tiles_have_read_it() -> None:
    """The residual is also a factor of the product: its memory can't take the result."""
    x, w = array(64, 128), array(128, 128) / 16

    def tower(x: vt.Tensor, w: vt.Tensor) -> vt.Tensor:
        for _ in range(4):
            x = x + 0.1 * vt.tanh(x @ w)
        return x

    arguments = vt.to_tensor(x), vt.to_tensor(w)
    np.testing.assert_allclose(vt.to_static(tower)(*arguments).numpy(), tower(*arguments).numpy(), rtol=1e-4, atol=1e-5)


def test_a_residual_of_its_own_gives_its_memory() -> None:
    def layer(x: vt.Tensor, w: vt.Tensor, r: vt.Tensor) -> vt.Tensor:
        return vt.exp(r) @ w + vt.sin(r).sum(), (vt.cos(r) * 2.0 + 1.0).reshape([64, 128]) + x @ w

    x, w, r = array(64, 128), array(128, 128), array(64, 128)
    arguments = [vt.to_tensor(a) for a in (x, w, r)]
    for one, two in zip(vt.to_static(layer)(*arguments), layer(*arguments), strict=True):
        np.testing.assert_allclose(one.numpy(), two.numpy(), rtol=1e-4, atol=1e-3)


@pytest.mark.parametrize("transposed", [False, True])
def test_not_a_number_and_infinity_come_through(transposed: bool) -> None:
    x, y = np.ones((70, 64), "float32"), np.ones((127, 64) if transposed else (64, 127), "float32")
    x[3, 5], x[69, 0], x[68, 1] = np.nan, np.inf, -np.inf
    y[7, 9] = np.inf
    compiled = vt.to_static(lambda a, b: vt.matmul(a, b, transpose_y=transposed))
    with np.errstate(invalid="ignore"):
        wanted = x @ (y.T if transposed else y)
    np.testing.assert_array_equal(compiled(vt.to_tensor(x), vt.to_tensor(y)).numpy(), wanted)
    assert [type(step) for step in steps_of(compiled)] == [KernelStep]


@pytest.mark.parametrize(
    ("x", "y", "options"),
    [((72, 2048), (2048, 64), {}), ((128, 64), (128, 256), {"transpose_x": True}), ((2, 64, 128), (2, 128, 64), {}),
     ((64, 128), (128, 10), {}), ((2, 128), (128, 256), {}), ((16, 16), (16, 32), {}), ((1024, 64), (64, 64), {}), ((16, 64), (64, 64), {"transpose_y": True})],
)  # fmt: skip
def test_other_products_are_calls_of_the_library(x: Any, y: Any, options: dict[str, bool]) -> None:
    arrays = [array(*s) for s in (x, y)]
    compiled = vt.to_static(lambda a, b: vt.matmul(a, b, **options))
    found = compiled(*map(vt.to_tensor, arrays)).numpy()
    np.testing.assert_allclose(found, vt.matmul(*map(vt.to_tensor, arrays), **options).numpy(), rtol=1e-4, atol=1e-4)
    assert any(isinstance(step, GemmStep) for step in steps_of(compiled))


@pytest.mark.parametrize("columns", [96, 100, 112])
def test_a_product_with_columns_that_fill_no_vectors_is_a_call_of_the_library(columns: int) -> None:
    arrays = array(72, 128), array(128, columns)
    compiled = vt.to_static(vt.matmul)
    found = compiled(*map(vt.to_tensor, arrays)).numpy()
    np.testing.assert_allclose(found, arrays[0] @ arrays[1], rtol=1e-4, atol=1e-4)
    lanes, most = current_target().lanes(4), current_target().gemm.waste
    wanted = GemmStep if -(-columns // lanes) * lanes > most * columns else KernelStep
    assert [type(step) for step in steps_of(compiled)] == [wanted]


@pytest.mark.parametrize("transposed", [False, True])
@pytest.mark.parametrize("columns", [96, 112, 127, 1024])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_a_call_says_how_many_rows(columns: int, transposed: bool, dtype: str) -> None:
    """By one of two kernels from so many on, by the library below: the same compiled function for all."""
    weight = array(*((columns, 256) if transposed else (256, columns)), dtype=dtype)
    spec = vt.static.InputSpec([None, 256], dtype)
    compiled = vt.to_static(
        lambda x: vt.matmul(x, vt.to_tensor(weight), transpose_y=transposed) + 1.0, input_spec=[spec]
    )
    wide = weight.astype("float64").T if transposed else weight.astype("float64")
    for rows in (0, 1, 7, 8, 9, 33, 64, 129, 300, 513):
        x = array(rows, 256, dtype=dtype)
        found = compiled(vt.to_tensor(x)).numpy()
        size = np.abs(x).astype("float64") @ np.abs(wide) + 1.0
        assert (np.abs(found - x.astype("float64") @ wide - 1.0) <= BOUNDS[dtype] * size).all(), rows
    assert [type(step) for step in steps_of(compiled)] == [CustomGemmStep, CustomGemmStep, KernelStep]


def test_gradients_equal_eager_ones() -> None:
    def slopes(function: Any) -> list[np.ndarray]:
        generator = np.random.default_rng(2)
        sizes = ((64, 128), (128, 96), (96,))
        x, w, b = (vt.to_tensor(generator.standard_normal(s) / 8, stop_gradient=False) for s in sizes)
        function(x, w, b).backward()
        return [v.grad.numpy() for v in (x, w, b)]

    def loss(x: vt.Tensor, w: vt.Tensor, b: vt.Tensor) -> vt.Tensor:
        return vt.nn.functional.gelu(x @ w + b).sum()

    for found, wanted in zip(slopes(vt.to_static(loss)), slopes(loss), strict=True):
        np.testing.assert_allclose(found, wanted, rtol=1e-10, atol=1e-12)


def test_tiles_fill_the_registers_and_strips_fit_the_cache() -> None:
    for rows, depth, columns in ((64, 256, 256), (64, 1024, 256), (65, 1024, 256), (4096, 256, 1024), (12, 64, 64)):
        sizes = custom_gemm.CustomGemm(None, None, rows, depth, columns, False)  # type: ignore[arg-type]
        tiles = kernel.tiles_of(sizes, 4)
        assert tiles.rows * tiles.vectors <= 24
        assert tiles.copied or tiles.block <= current_target().gemm.deep
        assert tiles.panel % tiles.rows == 0 or tiles.panel == rows
        if not tiles.copied and tiles.block < depth:  # sums are added to in memory: no tile may overlap another
            assert rows % tiles.rows == 0


@pytest.mark.parametrize(
    ("target", "rows", "wanted"),
    [
        ("avx2", 128, 6),
        ("avx2", 64, 6),
        ("avx2", 12, 6),
        ("avx2", 8, 4),
        ("avx512", 128, 8),
        ("avx512", 12, 6),
        ("sse4", 8, 4),
    ],
)
def test_tiles_of_few_sums_are_for_rows_that_others_would_waste(target: str, rows: int, wanted: int) -> None:
    """Eight sums just hide how long two multiply-adds take, so that each delay delays all: two rows more waste less."""
    with using_target(TARGETS[target]):
        sizes = custom_gemm.CustomGemm(None, None, rows, 256, 256, False)  # type: ignore[arg-type]
        assert kernel.tiles_of(sizes, 4).rows == wanted
