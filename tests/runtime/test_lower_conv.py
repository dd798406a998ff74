"""Convolutions of fixed sizes as tiles over panels: every path against the interpreter, on one thread and on two."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify.base import dtype as dt
from vitrify.base.target import Core
from vitrify.ir.builder import new_program
from vitrify.ir.core import Program
from vitrify.ops.conv import output_size
from vitrify.ops.dims import Dim, concrete
from vitrify.ops.op import OPS
from vitrify.ops.types import TensorType
from vitrify.passes.fusion import winograd
from vitrify.runtime.compiler import compile_program
from vitrify.runtime.executable import Executable
from vitrify.runtime.lower.contraction.panel import Windows
from vitrify.runtime.lower.contraction.tiling import inner_tiling, outer_tiling
from vitrify.runtime.schedule.program_steps import KernelStep
from vitrify.runtime.vm import team

from .checks import compare

N = Dim.symbol("N")
Attrs = dict[str, Any]


@pytest.fixture(autouse=True)
def _threads(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(winograd, "SAVES", 0.0)  # test_lower_winograd.py has those that become products of tiles
    before = team.get_num_threads()
    yield
    team.set_num_threads(before)


def attrs_of(stride: Any, padding: Any, dilation: Any, groups: int) -> Attrs:
    return {"stride": stride, "padding": padding, "dilation": dilation, "groups": groups}


def programs(x: tuple[int, ...], weight: tuple[int, ...], attrs: Attrs, dtype: dt.DType, batch: Any = N) -> Program:
    """A convolution and its two gradients, from images, filters and the result's gradient."""
    program, builder = new_program("conv")
    size = concrete(output_size(x[2:], weight[2:], attrs), {})
    images = program.add_feed("x", TensorType(dtype, (batch, *x[1:])))
    filters = program.add_feed("w", TensorType(dtype, weight))
    g = program.add_feed("g", TensorType(dtype, (batch, weight[0], *size)))
    with builder.active():
        y = OPS["conv2d"](images, filters, **attrs)
        dx = OPS["conv2d_input_grad"](g, filters, size=x[2:], **attrs)
        dw = OPS["conv2d_weight_grad"](images, g, kernel=weight[2:], **attrs)
        builder.return_([y, dx, dw])
    return program


def check(program: Program, batches: tuple[int, ...], f32: float = 2e-4) -> Executable:
    executable = compile_program(program)
    numbers = np.random.default_rng(0)
    for batch in batches:
        feeds = [
            numbers.standard_normal(concrete(v.tensor_type.shape, {"N": batch})).astype(v.dtype.numpy)
            for v in program.feed_values
        ]
        outputs = []
        for threads in (1, 2):
            team.set_num_threads(threads)
            compare(executable, program, feeds, [], calls=1, f32=f32)
            outputs.append(executable.run(feeds))
        for one, two in zip(*outputs, strict=True):
            assert one.tobytes() == two.tobytes()  # the same sums in the same order
    return executable


# x, weight, stride, padding, dilation, groups
CASES: dict[str, tuple[Any, ...]] = {
    "same": ((1, 5, 9, 11), (7, 5, 3, 3), (1, 1), ((1, 1), (1, 1)), (1, 1), 1),
    "one by one": ((1, 20, 7, 7), (9, 20, 1, 1), (1, 1), ((0, 0), (0, 0)), (1, 1), 1),
    "one by one, strided": ((1, 6, 9, 8), (4, 6, 1, 1), (2, 2), ((0, 0), (0, 0)), (1, 1), 1),
    "strided, margins that differ": ((1, 3, 12, 10), (8, 3, 3, 4), (2, 3), ((0, 2), (3, 1)), (1, 1), 1),
    "dilated": ((1, 4, 13, 12), (5, 4, 3, 2), (2, 1), ((2, 2), (0, 1)), (3, 2), 1),
    "groups": ((1, 6, 8, 8), (4, 3, 3, 3), (1, 1), ((1, 1), (1, 1)), (1, 1), 2),
    "depthwise": ((1, 6, 10, 17), (6, 1, 3, 3), (1, 1), ((1, 1), (1, 1)), (1, 1), 6),
    "depthwise, steps": ((1, 5, 29, 28), (5, 1, 3, 3), (2, 2), ((1, 1), (1, 1)), (1, 1), 5),
    "depthwise, narrow": ((1, 5, 7, 7), (5, 1, 5, 5), (1, 1), ((2, 2), (2, 2)), (1, 1), 5),
    "depthwise, wider than a vector": ((1, 3, 9, 37), (3, 1, 7, 7), (1, 1), ((3, 3), (3, 3)), (1, 1), 3),
    "depthwise, margins that differ": ((1, 4, 11, 23), (4, 1, 2, 4), (1, 3), ((0, 4), (5, 1)), (2, 1), 4),
    "depthwise, dilated": ((1, 4, 15, 26), (4, 1, 3, 3), (2, 3), ((2, 2), (4, 4)), (2, 3), 4),
    "depthwise, along a row": ((1, 4, 1, 150), (4, 1, 1, 9), (1, 2), ((0, 0), (4, 4)), (1, 1), 4),
    "depthwise, in blocks of rows": ((1, 2, 93, 71), (2, 1, 5, 5), (1, 1), ((2, 2), (2, 2)), (1, 1), 2),
    "depthwise, steps in blocks of rows": ((1, 2, 181, 141), (2, 1, 3, 3), (2, 2), ((1, 1), (1, 1)), (1, 1), 2),
    "depthwise, steps that divide the rows": ((2, 5, 28, 29), (5, 1, 3, 3), (2, 2), ((1, 1), (1, 1)), (1, 1), 5),
    "depthwise, longer steps": ((1, 3, 12, 30), (3, 1, 3, 5), (3, 2), ((1, 0), (3, 2)), (2, 1), 3),
    "depthwise, steps past the filter": ((1, 3, 8, 20), (3, 1, 1, 1), (2, 2), ((0, 0), (0, 0)), (1, 1), 3),
    "depthwise, steps over more rows than are summed at once": (
        (1, 2, 40, 44),
        (2, 1, 3, 3),
        (20, 2),
        ((1, 1), (1, 1)),
        (1, 1),
        2,
    ),
    "depthwise, even steps in blocks of rows": ((1, 2, 180, 141), (2, 1, 5, 5), (2, 2), ((2, 2), (2, 2)), (1, 1), 2),
    "filters that lie multiples of a page apart": (
        (1, 256, 3, 3),
        (40, 256, 2, 2),
        (1, 1),
        ((1, 0), (1, 0)),
        (1, 1),
        1,
    ),
    "depthwise, few columns": ((1, 3, 40, 3), (3, 1, 3, 3), (1, 1), ((1, 1), (1, 1)), (1, 1), 3),
    "depthwise, windows outside": ((1, 3, 2, 5), (3, 1, 2, 2), (1, 1), ((4, 3), (3, 4)), (1, 1), 3),
    "two filters for each channel": ((1, 3, 8, 9), (6, 1, 3, 3), (1, 1), ((1, 1), (1, 1)), (1, 1), 3),
    "a pixel over": ((1, 40, 7, 7), (9, 40, 3, 3), (1, 1), ((1, 1), (1, 1)), (1, 1), 1),
    "column": ((1, 4, 1, 30), (3, 4, 1, 5), (1, 1), ((0, 0), (2, 2)), (1, 1), 1),
    "tall filter, no margins": ((1, 4, 12, 6), (3, 4, 5, 1), (1, 1), ((0, 0), (0, 0)), (1, 1), 1),
    "stride beyond the filter": ((1, 2, 11, 11), (3, 2, 2, 2), (4, 3), ((0, 0), (0, 0)), (1, 1), 1),
    "margin beyond the filter": ((1, 2, 5, 5), (3, 2, 2, 2), (1, 1), ((3, 3), (2, 4)), (1, 1), 1),
    "patches": ((1, 3, 48, 32), (4, 3, 16, 16), (16, 16), ((0, 0), (0, 0)), (1, 1), 1),
    "patches that overlap, with margins": ((1, 2, 40, 52), (5, 2, 14, 17), (9, 12), ((3, 2), (5, 4)), (1, 1), 1),
    "long filters along a row": ((1, 2, 1, 500), (5, 2, 1, 150), (1, 40), ((0, 0), (25, 30)), (1, 1), 1),
    "wide filters, dilated": ((1, 2, 24, 40), (2, 2, 13, 17), (3, 1), ((0, 0), (20, 0)), (1, 2), 1),
    "wide filters of groups": ((1, 4, 24, 40), (4, 2, 13, 17), (1, 2), ((3, 2), (9, 8)), (1, 1), 2),
    "depthwise, wide": ((1, 2, 20, 24), (2, 1, 13, 13), (1, 1), ((6, 6), (6, 6)), (1, 1), 2),
}


@pytest.mark.parametrize("name", CASES)
def test_convolution_and_gradients_are_the_interpreters(name: str) -> None:
    x, weight, *attrs = CASES[name]
    dtype = dt.float64 if name in ("dilated", "groups", "depthwise, dilated", "depthwise, narrow") else dt.float32
    executable = check(programs(x, weight, attrs_of(*attrs), dtype), (3, 0) if name == "same" else (3,))
    assert all("# Tiles of" in text or "sums at once" in text for _, text in executable.kernel_texts)
    forward = dict(executable.kernel_texts)["conv2d"]
    assert ("sums at once" in forward) == (name.startswith("depthwise") and name != "depthwise, few columns")


def test_what_follows_a_depthwise_convolution_is_in_its_kernel() -> None:
    """Normalisation, a residual and an activation behind filters of single channels, of images of several sizes."""

    def block(x: Any, w: Any, scale: Any) -> Any:
        y = vt.nn.functional.conv2d(x, w, None, 1, 2, groups=6) * scale.reshape([1, 6, 1, 1]) + x
        return vt.nn.functional.hardswish(y)

    compiled = vt.to_static(block)
    for size in ((7, 7), (33, 20), (70, 90)):
        x, w, scale = vt.randn([2, 6, *size]), vt.randn([6, 1, 5, 5]), vt.randn([6])
        np.testing.assert_allclose(compiled(x, w, scale).numpy(), block(x, w, scale).numpy(), rtol=2e-4, atol=2e-4)


def random_case(seed: int) -> tuple[Any, ...]:
    numbers = np.random.default_rng(seed)

    def some(low: int, high: int) -> int:
        return int(numbers.integers(low, high + 1))

    groups = (1, 1, 2, 3)[some(0, 3)]
    kernel, stride, dilation = ((some(1, high), some(1, high)) for high in (5, 3, 2))
    padding = tuple((some(0, 3), some(0, 3)) for _ in range(2))
    least = [d * (k - 1) + 1 - sum(p) for k, d, p in zip(kernel, dilation, padding, strict=True)]
    size = [max(n, 1) + some(0, 14) for n in least]
    channels = groups * some(1, 6)
    return (1, channels, *size), (groups * some(1, 9), channels // groups, *kernel), stride, padding, dilation, groups


WIDE: dict[str, tuple[Any, ...]] = {
    "patches": ((1, 3, 66, 33), (4, 3, 33, 33), (33, 33), ((0, 0), (0, 0)), (1, 1), 1),
    "margins and groups": ((1, 2, 24, 40), (4, 1, 13, 17), (1, 2), ((3, 2), (9, 8)), (1, 1), 2),
    "dilated": ((1, 2, 40, 60), (2, 2, 31, 34), (3, 1), ((0, 0), (20, 0)), (1, 2), 1),
}


@pytest.mark.parametrize("name", WIDE)
def test_taps_of_wide_filters_are_a_loop(name: str) -> None:
    x, weight, *attrs = WIDE[name]
    executable = check(programs(x, weight, attrs_of(*attrs), dt.float64), (2,))
    assert all(
        "for tap in range" in text and text.count("fast_multiply_add") == 1 for _, text in executable.kernel_texts
    )


def test_bands_of_rows_are_filled_by_one_loop() -> None:
    x, weight, *attrs = (1, 3, 21, 21), (4, 3, 7, 7), (2, 2), ((3, 3), (3, 3)), (1, 1), 1
    executable = check(programs(x, weight, attrs_of(*attrs), dt.float32), (2,))
    assert any(text.count("for band in range(2)") == 1 for _, text in executable.kernel_texts)


def test_bands_and_copies_of_patches_are_filled_by_one_loop() -> None:
    """Compile time doesn't grow with the stride."""
    executable = check(
        programs((1, 3, 32, 64), (4, 3, 16, 16), attrs_of((16, 16), ((0, 0), (0, 0)), (1, 1), 1), dt.float32), (2,)
    )
    text = dict(executable.kernel_texts)["conv2d"]
    assert text.count("for band in range(16)") == 1 and text.count("for j in range(low, high)") == 1


@pytest.mark.parametrize("seed", range(4))
def test_any_convolution(seed: int) -> None:
    x, weight, *attrs = random_case(seed)
    check(programs(x, weight, attrs_of(*attrs), dt.float32 if seed % 2 else dt.float64), (2,))


def test_images_in_blocks_of_rows_and_results_in_blocks_of_channels() -> None:
    """A panel of the whole image wouldn't fit; a single image is still split among threads.

    Blocks of rows overlap here: many runs, as two threads may write the rows of both in either order.
    """
    attrs = attrs_of((1, 1), ((1, 1), (1, 1)), (1, 1), 1)
    program = programs((1, 48, 37, 61), (32, 48, 3, 3), attrs, dt.float32, batch=1)
    executable = check(program, (1,) * 20, f32=2e-3)
    forward = dict(executable.kernel_texts)["conv2d"]
    assert "min(" in forward and executable.kernel_texts


def test_height_known_at_the_call_only_takes_direct_loops() -> None:
    program, builder = new_program("conv")
    x = program.add_feed("x", TensorType(dt.float32, (1, 2, Dim.symbol("H"), 8)))
    w = program.add_feed("w", TensorType(dt.float32, (3, 2, 1, 1)))
    with builder.active():
        builder.return_([OPS["conv2d"](x, w, **attrs_of((1, 1), ((0, 0), (0, 0)), (1, 1), 1))])
    executable = compile_program(program)
    assert all("# Tiles of" not in text for _, text in executable.kernel_texts)
    feeds = [np.ones((1, 2, 5, 8), np.float32), np.ones((3, 2, 1, 1), np.float32)]
    np.testing.assert_array_equal(executable.run(feeds)[0], np.full((1, 3, 5, 8), 2, np.float32))


def test_numbers_that_are_not_finite_stay_where_they_belong() -> None:
    """Lanes behind the last pixel never reach a result, whatever memory holds there."""
    attrs = attrs_of((1, 1), ((0, 0), (0, 0)), (1, 1), 1)
    program = programs((1, 3, 5, 5), (4, 3, 1, 1), attrs, dt.float32)
    executable = compile_program(program)
    x, w, g = (np.ones(s, np.float32) for s in ((2, 3, 5, 5), (4, 3, 1, 1), (2, 4, 5, 5)))
    x[1, 0, 0, 0] = np.nan
    y, dx, dw = executable.run([x, w, g])
    assert np.isnan(y).sum() == 4 and np.isnan(y[1, :, 0, 0]).all()
    assert np.isfinite(dx).all() and np.isnan(dw).sum() == 4 and np.isnan(dw[:, 0]).all()


def test_windows_lay_shifted_rows_side_by_side() -> None:
    taps = tuple((y - 1, x - 1, 3 * y + x) for y in range(3) for x in range(3))
    windows = Windows(10, 12, 10, 12, (1, 1), taps)
    assert list(windows.shifts) == [-1, 0, 1] and windows.stored_rows(10) == 12 and not windows.is_direct
    assert windows.channel_size(10) == 3 * 12 * 12
    assert windows.offset(taps[5], 10) == (2 * 12 + 1) * 12  # the last shift, one row down
    assert Windows(10, 12, 10, 12, (1, 1), ((0, 0, 0),)).is_direct


@pytest.mark.parametrize("choose", [outer_tiling, inner_tiling])
@pytest.mark.parametrize("sizes", [(1, 1, 1), (6, 25, 49), (64, 196, 576), (7, 13, 9)])
def test_tiles_cover_everything_and_fit_the_registers(choose: Any, sizes: tuple[int, int, int]) -> None:
    for registers in (16, 32):
        tiling = choose(*sizes, Core(64, registers))
        assert tiling.rows * tiling.columns < registers
        for parts, count in ((tiling.row_parts, sizes[0]), (tiling.column_parts, sizes[1])):
            covered = [start + k * size + j for start, size, tiles in parts for k in range(tiles) for j in range(size)]
            assert covered == list(range(count))


def finished(shape: tuple[int, ...], weight: tuple[int, ...], attrs: Attrs, *, add: bool, relu: bool) -> Program:
    """A convolution with bias, normalisation by fixed numbers, and perhaps the sum with its own images, and relu."""
    program, builder = new_program("finished")
    x = program.add_feed("x", TensorType(dt.float32, (N, *shape[1:])))
    w = program.add_feed("w", TensorType(dt.float32, weight))
    mean, scale, bias = (program.add_feed(name, TensorType(dt.float32, weight[:1])) for name in ("m", "s", "b"))
    with builder.active():
        images = OPS["multiply"](x, x)
        y = OPS["conv2d"](images, w, **attrs)
        channels = [OPS["reshape"](v, (weight[0], 1, 1)) for v in (mean, scale, bias)]
        y = (y - channels[0]) * channels[1] + channels[2]
        y = OPS["add"](y, images) if add else y
        builder.return_([OPS["relu"](y) if relu else y])
    return program


@pytest.mark.parametrize("add, relu", [(False, False), (False, True), (True, True)])
@pytest.mark.parametrize("groups", [1, 2])
def test_what_follows_a_convolution_is_done_in_its_kernel(add: bool, relu: bool, groups: int) -> None:
    attrs = attrs_of((1, 1), ((1, 1), (1, 1)), (1, 1), groups)
    program = finished((1, 6, 7, 9), (6, 6 // groups, 3, 3), attrs, add=add, relu=relu)
    executable = check(program, (2,))
    first, second = (name for name, _ in executable.kernel_texts)
    assert first == "multiply" and second.startswith("conv2d_")


def test_pixels_over_are_finished_too() -> None:
    attrs = attrs_of((1, 1), ((1, 1), (1, 1)), (1, 1), 1)
    executable = check(finished((1, 33, 7, 7), (33, 33, 3, 3), attrs, add=True, relu=True), (2,), f32=1e-3)
    assert any("inner_f32" in text for name, text in executable.kernel_texts if name.startswith("conv2d_"))


ACTIVATIONS: dict[str, Callable[[Any], Any]] = {
    "hard_swish": lambda y: y * OPS["clip"](y + 3.0, 0.0, 6.0) / 6.0,
    "silu": lambda y: y * OPS["sigmoid"](y),
    "gelu": lambda y: 0.5 * y * (1.0 + OPS["erf"](y * 0.70710678)),
    "softplus": lambda y: OPS["softplus"](y),
    "both_kept": lambda y: OPS["tanh"](y) + y * y,
}


@pytest.mark.parametrize("name", ACTIVATIONS)
@pytest.mark.parametrize("window", [(3, 1, 1), (1, 1, 1), (5, 2, 1), (3, 2, 6), (7, 2, 1)])
def test_any_activation_is_part_of_a_convolution(name: str, window: tuple[int, int, int]) -> None:
    """Odd sizes: tiles, vectors and blocks of all kinds, with strides and groups."""
    kernel, stride, groups = window
    program, builder = new_program("activated")
    x = program.add_feed("x", TensorType(dt.float32, (N, 6, 15, 13)))
    w = program.add_feed("w", TensorType(dt.float32, (18, 6 // groups, kernel, kernel)))
    bias = program.add_feed("b", TensorType(dt.float32, (18,)))
    with builder.active():
        y = OPS["conv2d"](x, w, **attrs_of((stride, stride), ((kernel // 2,) * 2,) * 2, (1, 1), groups))
        builder.return_([ACTIVATIONS[name](y + OPS["reshape"](bias, (18, 1, 1))), y])
    executable = check(program, (1, 3), f32=1e-4)
    assert [text for text, _ in executable.kernel_texts if "conv2d" in text] == [executable.kernel_texts[0][0]]
    assert len(executable.kernel_texts) == 1


@pytest.mark.parametrize("stride", [1, 2, 3])
def test_a_mask_is_part_of_the_gradient_of_images(stride: int) -> None:
    """Of each phase of the stride, what follows is done at the phase's places."""
    program, builder = new_program("masked")
    size = ((13 + 2 - 3) // stride + 1, (11 + 2 - 3) // stride + 1)
    g = program.add_feed("g", TensorType(dt.float32, (N, 5, *size)))
    w = program.add_feed("w", TensorType(dt.float32, (5, 4, 3, 3)))
    x = program.add_feed("x", TensorType(dt.float32, (N, 4, 13, 11)))
    with builder.active():
        attrs = attrs_of((stride, stride), ((1, 1), (1, 1)), (1, 1), 1)
        made = OPS["conv2d_input_grad"](g, w, size=(13, 11), **attrs)
        builder.return_([OPS["where"](OPS["greater_than"](x, 0.0), made, 0.0)])
    executable = check(program, (1, 2), f32=1e-4)
    assert len(executable.kernel_texts) == 1


@pytest.mark.parametrize("shape", [(13, 1), (1, 11), (11,), (1, 4, 13, 1)])
def test_numbers_for_each_row_or_column_come_after_the_convolution(shape: tuple[int, ...]) -> None:
    program, builder = new_program("rows")
    x = program.add_feed("x", TensorType(dt.float32, (N, 3, 13, 11)))
    w = program.add_feed("w", TensorType(dt.float32, (4, 3, 3, 3)))
    other = program.add_feed("other", TensorType(dt.float32, shape))
    with builder.active():
        y = OPS["conv2d"](x, w, **attrs_of((1, 1), ((1, 1), (1, 1)), (1, 1), 1))
        builder.return_([OPS["tanh"](y * other)])
    executable = check(program, (2,), f32=1e-4)
    assert [name for name, _ in executable.kernel_texts] == ["conv2d", "multiply_tanh"]


@pytest.mark.parametrize("size", [(1, 12), (12, 1), (1, 1)])
def test_what_follows_images_of_one_row_or_column(size: tuple[int, int]) -> None:
    program, builder = new_program("line")
    x = program.add_feed("x", TensorType(dt.float32, (N, 3, *size)))
    w = program.add_feed("w", TensorType(dt.float32, (4, 3, 3, 3)))
    other = program.add_feed("other", TensorType(dt.float32, size))
    with builder.active():
        y = OPS["conv2d"](x, w, **attrs_of((1, 1), ((1, 1), (1, 1)), (1, 1), 1))
        builder.return_([OPS["sigmoid"](y - other)])
    executable = check(program, (1, 3), f32=1e-4)
    assert len(executable.kernel_texts) == 1


def test_a_residual_may_lie_where_the_result_goes() -> None:
    program, builder = new_program("in_place")
    x, other = (program.add_feed(n, TensorType(dt.float32, (2, 4, 6, 6))) for n in ("x", "other"))
    w = program.add_feed("w", TensorType(dt.float32, (4, 4, 3, 3)))
    window = attrs_of((1, 1), ((1, 1), (1, 1)), (1, 1), 1)
    with builder.active():
        y, added = OPS["conv2d"](x, w, **window), OPS["conv2d"](other, w, **window)  # the second has no other reader
        builder.return_([OPS["conv2d"](OPS["relu"](y + added), w, **window)])
    executable = check(program, (2,))
    steps = [s for s in executable.steps.steps if isinstance(s, KernelStep)]
    (kernel,) = [s.kernel for s in steps if s.kernel.name.startswith("conv2d_")]
    assert kernel is not None and [s.role for s in kernel.slots].count("inout") == 1


@pytest.mark.parametrize("shape", [(2, 3, 1, 1), (1, 3, 1, 1), (3, 1, 1), (2, 1, 1, 1)])
def test_what_a_gate_scales_is_its_own_image_and_channel(shape: tuple[int, ...]) -> None:
    """Squeeze and excitation: a factor for each channel of each image."""
    made, builder = new_program("gated")
    shapes = {"x": (2, 2, 5, 5), "w": (3, 2, 3, 3), "gate": shape}
    x, w, gate = (made.add_feed(name, TensorType(dt.float32, s)) for name, s in shapes.items())
    with builder.active():
        builder.return_([OPS["conv2d"](x, w, (1, 1), ((1, 1), (1, 1))) * gate])
    rng = np.random.default_rng(0)
    feeds = [rng.standard_normal(s).astype("float32") for s in shapes.values()]
    compare(compile_program(made), made, feeds, [])


def test_layers_that_differ_in_channels_share_a_kernel():
    def net(x, first, second):
        return (
            vt.nn.functional.relu(vt.nn.functional.conv2d(x, first)).sum()
            + vt.nn.functional.relu(vt.nn.functional.conv2d(x[:, :64], second)).sum()
        )

    x, first, second = vt.rand([1, 96, 14, 14]) - 0.5, vt.rand([32, 96, 1, 1]) - 0.5, vt.rand([32, 64, 1, 1]) - 0.5
    compiled = vt.to_static(net)
    assert float(compiled(x, first, second)) == pytest.approx(float(net(x, first, second)), rel=1e-4)
    texts = [str(kernel) for kernel in compiled.kernels.values() if "outer_f32" in str(kernel)]
    assert len(set(texts)) == 1
