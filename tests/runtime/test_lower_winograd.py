"""Convolutions of transformed tiles: kernels against the rows' meaning and against direct convolutions."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from vitrify.base import dtype as dt
from vitrify.base.target import TARGETS, using_target
from vitrify.ir.builder import new_program
from vitrify.ir.core import Program
from vitrify.ir.walk import walk
from vitrify.ops.conv import output_size
from vitrify.ops.conv_winograd import panels
from vitrify.ops.dims import Dim, concrete
from vitrify.ops.op import OPS
from vitrify.ops.types import TensorType
from vitrify.passes.fusion.winograd import Costs, Winograd, costs
from vitrify.runtime.compiler import compile_program
from vitrify.runtime.interpreted import ReferenceExecutable
from vitrify.runtime.lower.contraction.winograd_kernels import Blocks
from vitrify.runtime.vm import team

N = Dim.symbol("N")
EPS = {"f32": 2.0**-24, "f64": 2.0**-53}


@pytest.fixture(autouse=True)
def _threads() -> Iterator[None]:
    before = team.get_num_threads()
    yield
    team.set_num_threads(before)


def tiles(
    x: tuple[int, ...], count: int, padding: Any, dtype: dt.DType, more: int = 0, relu: bool = False, batch: Any = N
) -> tuple[Program, dict[str, Any]]:
    """Images through filters [count, channels, 3, 3] by transformed tiles, with what may follow."""
    window = {"stride": (1, 1), "padding": padding, "dilation": (1, 1), "groups": 1}
    size = concrete(output_size(x[2:], (3, 3), window), {})
    program, builder = new_program("tiles")
    shapes = [(batch, *x[1:]), (count, x[1], 3, 3), (count,), (count,), (batch, count, *size)][: 2 + more]
    images, filters, *others = (program.add_feed(f"v{k}", TensorType(dtype, s)) for k, s in enumerate(shapes))
    with builder.active():
        transformed = OPS["winograd_filters"](filters)
        y = OPS["conv2d_winograd"](images, transformed, count=count, padding=padding)
        if more:
            scale, shift = (OPS["reshape"](v, (count, 1, 1)) for v in others[:2])
            y = y * scale + shift
        y = y + others[2] if more == 3 else y
        builder.return_([OPS["relu"](y) if relu else y])
    return program, window


def directly(window: dict[str, Any], arrays: list[Any], relu: bool) -> Any:
    """The same in float64, and the sum of the sizes of what is added."""
    x, w, *others = (a.astype(np.float64) for a in arrays)
    y, size = OPS["conv2d"].eager(x, w, **window), OPS["conv2d"].eager(abs(x), abs(w), **window)
    if others:
        scale, shift = others[0][:, None, None], others[1][:, None, None]
        y, size = y * scale + shift, size * abs(scale) + abs(shift)
        for other in others[2:]:
            y, size = y + other, size + abs(other)
    return (np.maximum(y, 0) if relu else y), size


def arrays_of(program: Program, batch: int) -> list[Any]:
    numbers = np.random.default_rng(batch)
    shapes = [concrete(v.tensor_type.shape, {"N": batch}) for v in program.feed_values]
    kinds = [v.dtype.numpy for v in program.feed_values]
    return [numbers.standard_normal(shape).astype(kind) for shape, kind in zip(shapes, kinds, strict=True)]


def check(program: Program, window: dict[str, Any], batches: tuple[int, ...], relu: bool = False) -> None:
    """One thread and two give the same bits, as exact as 16 roundings of every sum's parts allow."""
    executable = compile_program(program)
    for batch in batches:
        arrays = arrays_of(program, batch)
        made = []
        for threads in (1, 2):
            team.set_num_threads(threads)
            made.append(executable.run(arrays)[0].copy())
        assert made[0].tobytes() == made[1].tobytes()
        wanted, size = directly(window, arrays, relu)
        assert made[0].shape == wanted.shape
        bound = 16 * EPS[program.feed_values[0].dtype.short]
        assert (abs(made[0] - wanted) <= bound * size.max(initial=0)).all()


SIZES = [(1, 1), (2, 3), (5, 4), (9, 11), (17, 3), (19, 35), (33, 18)]


@pytest.mark.parametrize("number", range(len(SIZES)))
def test_images_of_any_size(number: int) -> None:
    """Sizes that no tile, vector or block divides; margins from none to as wide as the filter."""
    rows, columns = SIZES[number]
    padding = [((1, 1), (1, 1)), ((2, 0), (1, 2)), ((0, 2), (2, 2)), ((0, 0), (0, 0))][number % 4]
    rows, columns = max(rows, 3 - sum(padding[0])), max(columns, 3 - sum(padding[1]))
    channels, count = [(1, 3), (67, 8), (16, 17), (3, 67), (8, 1), (24, 16), (5, 9)][number]
    program, window = tiles((1, channels, rows, columns), count, padding, dt.float64 if number == 3 else dt.float32)
    check(program, window, (0, 1, 3))


@pytest.mark.parametrize("more, relu", [(0, True), (2, False), (2, True), (3, False), (3, True)])
def test_what_follows_is_done_before_pixels_are_stored(more: int, relu: bool) -> None:
    program, window = tiles((1, 7, 9, 10), 12, ((1, 1), (1, 1)), dt.float32, more, relu)
    check(program, window, (2,), relu)
    names = [name for name, _ in compile_program(program).kernel_texts]
    assert len([name for name in names if name != "winograd_filters"]) == 1


@pytest.mark.parametrize("size", [(1, 40), (40, 1), (2, 3), (19, 35)])
def test_what_follows_has_images_of_any_size_and_blocks_of_images(size: tuple[int, int]) -> None:
    program, window = tiles((1, 5, *size), 9, ((1, 1), (1, 1)), dt.float64, 3, relu=True)
    check(program, window, (0, 1, 5), relu=True)


def test_layers_of_other_sizes_share_a_kernel_with_what_follows() -> None:
    """All sizes are numbers given at the call, those that the epilogue reads by, too."""
    texts = set()
    for channels, count, size in ((7, 12, (9, 10)), (16, 24, (20, 21))):
        program, _ = tiles((1, channels, *size), count, ((1, 1), (1, 1)), dt.float32, 3, relu=True)
        texts |= {text for name, text in compile_program(program).kernel_texts if name != "winograd_filters"}
    assert len(texts) == 1


def test_a_single_image_is_split_among_threads_by_filters() -> None:
    program, window = tiles((1, 40, 4, 4), 172, ((1, 1), (1, 1)), dt.float32, batch=1)
    assert Blocks.of(2, 2, 64 * 212, 64 * 40 * 172, 1, 16, TARGETS["avx512"]).parts > 1
    check(program, window, (1,))


@pytest.mark.parametrize("batch, count", [(4, 200), (4, 16)])
def test_images_of_one_block_are_split_among_threads_by_filters(batch: int, count: int) -> None:
    program, window = tiles((1, 40, 6, 6), count, ((1, 1), (1, 1)), dt.float32, batch=batch)
    assert Blocks.of(3, 3, 64 * (40 + count), 64 * 40 * count, batch, 16, TARGETS["avx512"]).parts == 2
    check(program, window, (batch,))


def test_blocks_of_rows_and_of_images() -> None:
    """A large image goes by in rows of tiles, small ones several at a time, the last block with fewer of them."""
    assert Blocks.of(20, 21, 64 * 136, 64 * 72 * 64, None, 16, TARGETS["avx512"]).rows < 20
    check(*tiles((1, 72, 40, 41), 64, ((1, 1), (1, 1)), dt.float32), (2,))
    assert Blocks.of(2, 2, 64 * 16, 64 * 64, None, 16, TARGETS["avx512"]).images > 3
    check(*tiles((1, 8, 4, 4), 8, ((1, 1), (1, 1)), dt.float32), (1, 200))


@pytest.mark.parametrize("rotated", [False, True])
@pytest.mark.parametrize("shape", [(8, 5, 3, 3), (13, 1, 3, 3), (1, 10, 3, 3)])
def test_filters_are_transformed_as_the_row_says(shape: tuple[int, ...], rotated: bool) -> None:
    program, builder = new_program("filters")
    weight = program.add_feed("w", TensorType(dt.float32, shape))
    with builder.active():
        builder.return_([OPS["winograd_filters"](weight, transposed=rotated)])
    w = arrays_of(program, 1)
    (made,), (wanted,) = compile_program(program).run(w), ReferenceExecutable(program, {}).run(w)
    assert made.shape == (16, panels(shape[rotated]), shape[1 - rotated], 8)
    np.testing.assert_allclose(made, wanted, rtol=0, atol=4e-7)


def convolutions(channels: int, size: int, padding: Any = ((1, 1), (1, 1))) -> Program:
    """A convolution and the gradient of its images, as a captured program has them."""
    window = {"stride": (1, 1), "padding": padding, "dilation": (1, 1), "groups": 1}
    program, builder = new_program("convolutions")
    x = program.add_feed("x", TensorType(dt.float32, (N, channels, size, size)))
    w = program.add_feed("w", TensorType(dt.float32, (channels, channels, 3, 3)))
    made = concrete(output_size((size, size), (3, 3), window), {})
    g = program.add_feed("g", TensorType(dt.float32, (N, channels, *made)))
    with builder.active():
        y = OPS["conv2d"](x, w, **window)
        builder.return_([y, OPS["conv2d_input_grad"](g, w, size=(size, size), **window)])
    return program


@pytest.mark.parametrize("padding", [((1, 1), (1, 1)), ((0, 2), (2, 1))])
def test_programs_take_transformed_tiles_where_they_save_time(padding: Any) -> None:
    program = convolutions(32, 15, padding)
    executable = compile_program(program)
    names = [name for name, _ in executable.kernel_texts]
    assert names.count("conv2d_winograd") >= 1 and "winograd_filters" in names and "conv2d_input_grad" not in names
    arrays = arrays_of(program, 3)
    for made, wanted in zip(executable.run(arrays), ReferenceExecutable(program, {}).run(arrays), strict=True):
        np.testing.assert_allclose(made, wanted, rtol=0, atol=1e-4)


def test_few_channels_stay_direct() -> None:
    names = [name for name, _ in compile_program(convolutions(4, 12)).kernel_texts]
    assert names == ["conv2d", "conv2d_input_grad"]


def test_the_cost_of_both_ways_is_said() -> None:
    program = convolutions(64, 16)
    cost = costs(next(iter(walk(program.body))))
    assert cost.saves and str(cost).startswith("conv2d of f32[N, 64, 16, 16] by f32[64, 64, 3, 3]: transformed tiles;")
    assert Winograd().run(program)


def test_a_pixel_that_is_not_finite_reaches_its_tiles_and_no_others() -> None:
    program = convolutions(32, 16)
    x, w, g = arrays_of(program, 1)
    x[0, 3, 5, 5] = np.inf
    y, dx = compile_program(program).run([x, w, g])
    seen = np.zeros((16, 16), bool)
    seen[4:8, 4:8] = True  # the four tiles whose 4 x 4 pixels have it
    assert not np.isfinite(y[0, :, 4:7, 4:7]).any() and np.isfinite(y[0, :, ~seen]).all() and np.isfinite(dx).all()
    y, _ = ReferenceExecutable(program, {}).run([x, w, g])
    seen[7], seen[:, 7] = False, False
    assert np.isinf(y[0, :, seen]).all() and np.isfinite(y[0, :, ~seen]).all()


@pytest.mark.parametrize("width", [Dim.symbol("W"), 30])
def test_images_whose_size_only_a_call_knows(width: Any) -> None:
    """A program for any size: both convolutions, by blocks of rows of tiles."""
    window = {"stride": (1, 1), "padding": ((1, 1), (0, 2)), "dilation": (1, 1), "groups": 1}
    program, builder = new_program("open")
    x = program.add_feed("x", TensorType(dt.float32, (N, 24, Dim.symbol("H"), width)))
    w = program.add_feed("w", TensorType(dt.float32, (16, 24, 3, 3)))
    with builder.active():
        y = OPS["conv2d"](x, w, **window)
        builder.return_([y, OPS["conv2d_input_grad"](y, w, size=tuple(x.shape[2:]), **window)])
    executable = compile_program(program)
    names = [name for name, _ in executable.kernel_texts]
    assert "conv2d_winograd" in names and "conv2d" not in names and "conv2d_input_grad" not in names
    numbers = np.random.default_rng(0)
    for batch, rows, columns in ((1, 1, 1), (2, 19, 7), (3, 2, 70), (0, 5, 6), (1, 64, 65)):
        size = (batch, 24, rows, columns if isinstance(width, Dim) else width)
        arrays = [numbers.standard_normal(s).astype(np.float32) for s in (size, (16, 24, 3, 3))]
        made = []
        for threads in (1, 2):
            team.set_num_threads(threads)
            made.append([a.copy() for a in executable.run(arrays)])
        assert all(a.tobytes() == b.tobytes() for a, b in zip(*made, strict=True))
        for got, wanted in zip(made[0], ReferenceExecutable(program, {}).run(arrays), strict=True):
            np.testing.assert_allclose(got, wanted, rtol=0, atol=2e-5 * abs(wanted).max(initial=0))


def test_images_whose_channels_only_a_call_knows() -> None:
    """The filters tell how many there are."""
    window = {"stride": (1, 1), "padding": ((1, 1), (1, 1)), "dilation": (1, 1), "groups": 1}
    program, builder = new_program("open")
    x = program.add_feed("x", TensorType(dt.float32, (N, Dim.symbol("C"), Dim.symbol("H"), Dim.symbol("W"))))
    w = program.add_feed("w", TensorType(dt.float32, (16, 24, 3, 3)))
    with builder.active():
        builder.return_([OPS["conv2d"](x, w, **window)])
    executable = compile_program(program)
    numbers = np.random.default_rng(0)
    arrays = [numbers.standard_normal(s).astype(np.float32) for s in ((2, 24, 9, 14), (16, 24, 3, 3))]
    (got,), (wanted,) = executable.run(arrays), ReferenceExecutable(program, {}).run(arrays)
    np.testing.assert_allclose(got, wanted, rtol=0, atol=2e-5 * abs(wanted).max())


def _costs(name: str, channels: int, passes: int) -> Costs:
    own = TARGETS["avx512"]
    program, builder = new_program("costs")
    x = program.add_feed("x", TensorType(dt.float32, (8, channels, 7, 7)))
    w = program.add_feed("w", TensorType(dt.float32, (channels, channels, 3, 3)))
    window = {"stride": (1, 1), "padding": ((1, 1), (1, 1)), "dilation": (1, 1), "groups": 1}
    size = {"size": (7, 7)} if name == "conv2d_input_grad" else {}
    with builder.active():
        builder.return_([OPS[name](x, w, **size, **window)])
    with using_target(replace(own, core=replace(own.core, passes=passes))):
        return costs(next(iter(walk(program.body))))


def test_tiles_save_more_where_a_multiply_add_takes_two_passes() -> None:
    one, two = (_costs("conv2d", 512, passes) for passes in (1, 2))
    assert two.direct == 2 * one.direct and two.tiles < 2 * one.tiles
    assert two.saves and not one.saves


def test_gradients_read_large_filters_across() -> None:
    small, large = ([_costs(name, channels, 1) for name in ("conv2d", "conv2d_input_grad")] for channels in (64, 512))
    assert small[0].direct == small[1].direct
    assert large[0].direct < large[1].direct and large[1].saves
