"""Products of a few rows: kernels that read the other factor once, as it lies in memory."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify.base.target import TARGETS, current_target, using_target
from vitrify.passes.fusion import custom_gemm
from vitrify.passes.fusion.custom_gemm import FewRows
from vitrify.runtime.kernel.reference import run_kernel
from vitrify.runtime.lower.contraction import few_rows_kernel as kernel
from vitrify.runtime.schedule.program_steps import CustomGemmStep, GemmStep, KernelStep

from .test_kernel_ir import cases_of, run_compiled

GENERATOR = np.random.default_rng(23)
BOUNDS = {"float32": 2e-6, "float64": 4e-15}  # of the sum of the products' sizes


@pytest.fixture
def any_size(monkeypatch: pytest.MonkeyPatch) -> None:
    """All products whose sizes the kernel can do have it, also those that OpenBLAS is as fast for."""
    monkeypatch.setattr(custom_gemm, "_few_pay", lambda sizes: sizes.columns >= current_target().lanes(4))
    monkeypatch.setattr(custom_gemm, "_is_near", lambda operation, sizes: False)


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
    wide = np.swapaxes(y, -1, -2).astype("float64") if transposed else y.astype("float64")
    size = np.abs(x).astype("float64") @ np.abs(wide)
    assert (np.abs(found - x.astype("float64") @ wide) <= BOUNDS[str(x.dtype)] * size).all()
    assert [type(step) for step in steps_of(compiled)] == [KernelStep]


@pytest.mark.usefixtures("any_size")
@pytest.mark.parametrize("transposed", [False, True])
@pytest.mark.parametrize(
    ("rows", "depth", "columns", "dtype"),
    [(1, 7, 33, "float32"), (2, 1, 16, "float32"), (2, 2100, 300, "float32"), (3, 33, 17, "float64"),
     (4, 1030, 1030, "float32"), (5, 600, 1111, "float32"), (8, 2050, 200, "float64"), (9, 67, 67, "float32"),
     (13, 800, 500, "float32"), (15, 300, 4099, "float32"), (31, 1100, 260, "float32"), (49, 1030, 777, "float32"),
     (64, 900, 1100, "float32"), (63, 770, 200, "float64"), (70, 40, 49, "float64")],
)  # fmt: skip
def test_values(rows: int, depth: int, columns: int, dtype: str, transposed: bool) -> None:
    sides = (columns, depth) if transposed else (depth, columns)
    check(array(rows, depth, dtype=dtype), array(*sides, dtype=dtype), transposed)


@pytest.mark.parametrize("transposed", [False, True])
@pytest.mark.parametrize("lead", [(3,), (2, 3), (1, 1)])
@pytest.mark.parametrize("rows", [2, 7, 11])
def test_batches(rows: int, lead: tuple[int, ...], transposed: bool) -> None:
    sides = (1500, 80) if transposed else (80, 1500)
    check(array(*lead, rows, 80), array(*lead, *sides), transposed)


@pytest.mark.usefixtures("threads")
@pytest.mark.parametrize("transposed", [False, True])
@pytest.mark.parametrize("shape", [(4, 700, 1030), (11, 1040, 512), (2, 2, 1024, 768)])
def test_what_follows_is_done_to_the_sums(shape: tuple[int, ...], transposed: bool) -> None:
    *lead, depth, columns = shape
    x, bias, mask = array(*lead, depth), array(columns), GENERATOR.standard_normal((*lead, 1)) > 0
    w, residual = array(columns, depth) if transposed else array(depth, columns), array(*lead, columns)

    def layer(*given: vt.Tensor) -> tuple[vt.Tensor, ...]:
        x, w, bias, mask, residual = given
        t = vt.matmul(x, w, transpose_y=transposed) + bias
        return residual + vt.where(mask, vt.tanh(t) * vt.nn.functional.sigmoid(t), t), t > 100.0

    arguments = [vt.to_tensor(a) for a in (x, w, bias, mask, residual)]
    found = []
    for count in (1, 2):
        vt.set_num_threads(count)
        compiled = vt.to_static(layer)
        found.append([r.numpy() for r in compiled(*arguments)])
        assert [type(step) for step in steps_of(compiled)] == [KernelStep]
    for one, two, eager in zip(*found, layer(*arguments), strict=True):
        np.testing.assert_array_equal(one, two)
        np.testing.assert_allclose(one, eager.numpy(), rtol=1e-4, atol=2e-4)


def test_what_follows_a_batch_is_done_to_its_sums() -> None:
    q, k, mask = array(2, 3, 4, 64), array(2, 3, 600, 64), array(2, 1, 4, 600)

    def scores(q: vt.Tensor, k: vt.Tensor, mask: vt.Tensor) -> vt.Tensor:
        return vt.exp(vt.matmul(q, k, transpose_y=True) * 0.125 + mask)

    arguments = [vt.to_tensor(a) for a in (q, k, mask)]
    compiled = vt.to_static(scores)
    np.testing.assert_allclose(compiled(*arguments).numpy(), scores(*arguments).numpy(), rtol=1e-4)
    assert [type(step) for step in steps_of(compiled)] == [KernelStep]


def test_a_residual_gives_its_memory() -> None:
    x, w = array(4, 512), array(512, 512) / 16

    def tower(x: vt.Tensor, w: vt.Tensor) -> vt.Tensor:
        for _ in range(4):
            x = x + 0.1 * vt.tanh(x @ w)
        return x

    arguments = vt.to_tensor(x), vt.to_tensor(w)
    np.testing.assert_allclose(vt.to_static(tower)(*arguments).numpy(), tower(*arguments).numpy(), rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("transposed", [False, True])
def test_not_a_number_and_infinity_come_through(transposed: bool) -> None:
    x, y = np.ones((5, 700), "float32"), np.ones((401, 700) if transposed else (700, 401), "float32")
    x[3, 5], x[4, 699], x[0, 1] = np.nan, np.inf, -np.inf
    y[7, 9] = y[-1, -1] = np.inf
    compiled = vt.to_static(lambda a, b: vt.matmul(a, b, transpose_y=transposed))
    with np.errstate(invalid="ignore"):
        wanted = x @ (y.T if transposed else y)
    np.testing.assert_array_equal(compiled(vt.to_tensor(x), vt.to_tensor(y)).numpy(), wanted)
    assert [type(step) for step in steps_of(compiled)] == [KernelStep]


def test_nothing_behind_the_arrays_is_read() -> None:
    """A factor that ends where what it is a part of goes on with numbers that aren't any."""
    memory = np.full(300 * 530 + 64, np.nan, "float32")
    for rows, columns in ((300, 530), (530, 300)):
        y = memory[: rows * columns].reshape(rows, columns)
        y[:] = 1.0
        for transposed in (False, True):
            depth = columns if transposed else rows
            compiled = vt.to_static(lambda a, b, t=transposed: vt.matmul(a, b, transpose_y=t))
            found = compiled(vt.to_tensor(np.ones((3, depth), "float32")), vt.to_tensor(y)).numpy()
            assert (found == depth).all()


def test_gradients_equal_eager_ones() -> None:
    def slopes(function: Any) -> list[np.ndarray]:
        generator = np.random.default_rng(2)
        sizes = ((4, 600), (600, 512), (512,))
        x, w, b = (vt.to_tensor(generator.standard_normal(s) / 8, stop_gradient=False) for s in sizes)
        function(x, w, b).backward()
        return [v.grad.numpy() for v in (x, w, b)]

    def loss(x: vt.Tensor, w: vt.Tensor, b: vt.Tensor) -> vt.Tensor:
        return vt.nn.functional.gelu(x @ w + b).sum()

    compiled = vt.to_static(loss)
    for found, wanted in zip(slopes(compiled), slopes(loss), strict=True):
        np.testing.assert_allclose(found, wanted, rtol=1e-10, atol=1e-12)


@pytest.mark.parametrize(
    ("x", "y", "options"),
    [((4, 64), (64, 64), {}), ((65, 2048), (2048, 64), {}), ((4, 4096), (4096, 16), {}),
     ((600, 4), (600, 512), {"transpose_x": True}), ((3, 4, 600), (1, 600, 512), {})],
)  # fmt: skip
def test_other_products_are_calls_of_the_library(x: Any, y: Any, options: dict[str, bool]) -> None:
    arrays = [array(*s) for s in (x, y)]
    compiled = vt.to_static(lambda a, b: vt.matmul(a, b, **options))
    found = compiled(*map(vt.to_tensor, arrays)).numpy()
    np.testing.assert_allclose(found, vt.matmul(*map(vt.to_tensor, arrays), **options).numpy(), rtol=1e-4, atol=1e-3)
    assert any(isinstance(step, GemmStep) for step in steps_of(compiled))


def test_products_of_several_sizes_share_a_kernel() -> None:
    sizes = [(1024, 1536), (1536, 1056), (1056, 2048), (2048, 1536)]
    weights = [vt.to_tensor(array(*s) / 32) for s in sizes]

    def product(x: vt.Tensor, *weights: vt.Tensor) -> vt.Tensor:
        for weight in weights:
            x = x @ weight
        return x

    compiled, x = vt.to_static(product), vt.to_tensor(array(4, 1024))
    np.testing.assert_allclose(compiled(x, *weights).numpy(), product(x, *weights).numpy(), rtol=1e-3, atol=1e-4)
    assert len(compiled.kernels) == 1


@pytest.mark.parametrize("transposed", [False, True])
@pytest.mark.parametrize(("depth", "columns"), [(2048, 200), (1030, 515), (600, 777)])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_a_call_says_how_many_rows(depth: int, columns: int, dtype: str, transposed: bool) -> None:
    weight = array(*((columns, depth) if transposed else (depth, columns)), dtype=dtype)
    spec = vt.static.InputSpec([None, depth], dtype)
    compiled = vt.to_static(lambda x: vt.matmul(x, vt.to_tensor(weight), transpose_y=transposed), input_spec=[spec])
    wide = weight.astype("float64").T if transposed else weight.astype("float64")
    for rows in (0, 1, 2, 3, 4, 5, 11, 32, 33, 70):
        x = array(rows, depth, dtype=dtype)
        size = np.abs(x).astype("float64") @ np.abs(wide)
        found = compiled(vt.to_tensor(x)).numpy()
        assert (np.abs(found - x.astype("float64") @ wide) <= BOUNDS[dtype] * size).all(), rows
    steps = steps_of(compiled)
    ways = [next(w for step in steps if (w := step.way(rows))) for rows in (1, 2, 16)]
    assert [type(way) for way in ways] == [GemmStep, CustomGemmStep, CustomGemmStep]
    assert all(sum(step.way(rows) is not None for step in steps) == 1 for rows in range(80))


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_a_call_says_how_long_a_cache_of_keys_and_values_is(dtype: str) -> None:
    """Queries, keys and values of a decoder: the sizes of the batch and of the cache differ from call to call."""

    def scores(q: vt.Tensor, k: vt.Tensor) -> vt.Tensor:
        return vt.matmul(q, k, transpose_y=True)

    def sizes(*shape: Any) -> Any:
        return vt.static.InputSpec(list(shape), dtype)

    of_keys = vt.to_static(scores, input_spec=[sizes("N", 3, 4, 72), sizes("N", 3, "L", 72)])
    of_values = vt.to_static(vt.matmul, input_spec=[sizes("N", 3, 4, "L"), sizes("N", 3, "L", 72)])
    for batch, length in ((1, 1), (2, 300), (1, 777), (0, 600), (2, 1030), (1, 3000)):
        q, k, p = (array(batch, 3, *s, dtype=dtype) for s in ((4, 72), (length, 72), (4, length)))
        for compiled, x, y in ((of_keys, q, np.swapaxes(k, -1, -2)), (of_values, p, k)):
            found = compiled(*map(vt.to_tensor, (x, k))).numpy()
            size = np.abs(x).astype("float64") @ np.abs(y).astype("float64")
            assert (np.abs(found - x.astype("float64") @ y) <= BOUNDS[dtype] * size).all(), (batch, length)
    for compiled in (of_keys, of_values):
        (step,) = steps_of(compiled)
        assert [type(step.way(length)) for length in (1, 3000)] == [GemmStep, CustomGemmStep]


def test_the_cost_of_a_product_with_two_kernels_is_that_of_one() -> None:
    weight = vt.to_tensor(array(600, 512))
    compiled = vt.to_static(lambda x: x @ weight, input_spec=[vt.static.InputSpec(["N", 600])])
    compiled(vt.to_tensor(array(4, 600)))
    assert len(steps_of(compiled)) == 2
    cost = compiled.cost()
    assert cost.at(N=4).work == 2 * 4 * 600 * 512


def test_a_recurrent_layer_with_a_batch_of_any_size_has_the_values_of_eager_mode() -> None:
    net = vt.nn.LSTM(160, 192)
    net.eval()
    compiled = vt.to_static(lambda x: net(x)[0])
    with vt.no_grad():
        for batch in (1, 2, 4, 5, 33):
            x = vt.to_tensor(array(batch, 6, 160))
            np.testing.assert_allclose(compiled(x).numpy(), net(x)[0].numpy(), rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("second", [1 << 10, 1 << 20], ids=["in blocks", "at once"])
def test_the_reference_of_kernels_gives_what_machine_code_gives(second: int) -> None:
    own = current_target()

    def products(x: vt.Tensor, w: vt.Tensor) -> tuple[vt.Tensor, vt.Tensor]:
        y = vt.tile(w, [18, 20])
        wide = vt.tile(x, [1, 3])
        return wide @ y, vt.matmul(wide, vt.tile(w, [120, 3]), transpose_y=True) + 1.0

    with using_target(replace(own, caches=replace(own.caches, second=second))):
        cases = list(cases_of(products))
        texts = "".join(kernel.source.text for kernel, _ in cases)
        assert "tile_f32(" in texts
        assert "inner_f32(" in texts
        for made, arrays in cases:
            assert isinstance(made.extent, int)
            expected = [a.copy() for a in arrays]
            run_kernel(made.body, expected, [int(d) for d in made.dims], 0, made.extent)
            run_compiled(made, arrays, made.extent)
            for found, wanted in zip(arrays, expected, strict=True):
                np.testing.assert_allclose(found, wanted, rtol=1e-4, atol=1e-4)


@pytest.mark.usefixtures("any_size")
@pytest.mark.parametrize("rows", [3, 11])
def test_a_matrix_in_memory_is_read_in_fewer_and_longer_runs(rows: int) -> None:
    own = current_target()
    with using_target(replace(own, gemm=replace(own.gemm, far=1 << 16), caches=replace(own.caches, second=1 << 12))):
        sizes = FewRows(None, None, 1, rows, 70, 1030, False)  # type: ignore[arg-type]
        assert kernel.depth_at_once(sizes, 4, current_target()) == (8 if rows == 3 else 16)
        check(array(rows, 70), array(70, 1030), transposed=False)


@pytest.mark.parametrize(("target", "most"), [("avx512", 32), ("avx2", 16), ("neon", 32), ("sse4", 16)])
def test_with_few_registers_fewer_rows_pay_lane_by_lane(target: str, most: int) -> None:
    with using_target(TARGETS[target]):
        assert [current_target().most_few_rows(transposed) for transposed in (False, True)] == [32, most]
        alone = 64 if current_target().has_many_registers else 32
        assert current_target().most_few_rows(False, alone=True) == alone


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("rows", [*range(1, 33), 49, 64])
def test_tiles_fit_the_registers_and_sums_the_stack(target: str, rows: int) -> None:
    with using_target(TARGETS[target]):
        own = current_target()
        tile = kernel.rows_of_tiles(rows, own)[0]
        assert tile <= own.gemm_tile[0] and -(-rows // tile) * tile < rows + tile
        for columns, itemsize in ((32, 4), (500, 4), (1030, 8), (4096, 4)):
            sizes = FewRows(None, None, 1, rows, 1024, columns, False)  # type: ignore[arg-type]
            span, most = kernel.span_of(sizes, 2 * own.lanes(itemsize), itemsize, own)
            assert 0 < span <= min(columns, most)
            assert most * -(-rows // tile) * tile * itemsize <= 128 << 10
