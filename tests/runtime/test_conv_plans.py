"""Convolutions for which the way of computing is chosen by size: small images side by side, filters that are packed,
and gradients of filters by columns. Values against the interpreter, on one thread and on two; and what was chosen.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from vitrify.base import dtype as dt
from vitrify.base.target import current_target
from vitrify.ir.builder import new_program
from vitrify.ops.op import OPS
from vitrify.ops.types import TensorType
from vitrify.passes.fusion import winograd
from vitrify.runtime.compiler import compile_program
from vitrify.runtime.lower.contraction import conv_filter_plan, conv_tiled
from vitrify.runtime.lower.contraction.conv_filter_plan import FilterPlan
from vitrify.runtime.lower.contraction.conv_plan import ConvPlan
from vitrify.runtime.lower.contraction.conv_sizes import Sizes
from vitrify.runtime.lower.contraction.panel import Windows
from vitrify.runtime.lower.registry import ContractionGroup
from vitrify.runtime.vm import team

from .checks import compare
from .test_lower_conv import N, attrs_of, check, programs

NONE, ONE = ((0, 0), (0, 0)), ((1, 1), (1, 1))


@pytest.fixture(autouse=True)
def _threads(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(winograd, "SAVES", 0.0)
    before = team.get_num_threads()
    yield
    team.set_num_threads(before)


def sizes(batch: int, channels: int, image: int, filters: int, kernel: int, stride: int, groups: int = 1) -> Sizes:
    result = (image + 2 * (kernel // 2) - kernel) // stride + 1
    return Sizes(
        batch, groups, channels // groups, filters // groups, (image, image), (result, result), (kernel, kernel),
        (stride, stride), (1, 1), kernel // 2, kernel // 2,
    )  # fmt: skip


# ---- small images -------------------------------------------------------------------------------------------------

SMALL: dict[str, tuple[Any, ...]] = {
    "3 x 3": (5, (20, 3, 3), (18, 20, 3, 3), (1, 1), ONE, 1),
    "strided, the last block has fewer": (7, (6, 6, 6), (9, 6, 3, 3), (2, 2), ONE, 1),
    "one by one, strided": (4, (6, 6, 6), (9, 6, 1, 1), (2, 2), NONE, 1),
    "groups, margins that differ": (3, (8, 4, 5), (6, 4, 2, 3), (1, 1), ((1, 0), (0, 2)), 2),
    "a line": (6, (5, 1, 7), (4, 5, 1, 3), (1, 1), ((0, 0), (1, 1)), 1),
    "wide filters": (3, (2, 5, 13), (3, 2, 1, 11), (1, 1), ((0, 0), (5, 5)), 1),
    "many taps along a row": (4, (2, 1, 24), (3, 2, 1, 18), (1, 1), ((0, 0), (3, 3)), 1),
}


@pytest.mark.parametrize("name", SMALL)
@pytest.mark.parametrize("dtype", [dt.float32, dt.float64], ids=str)
def test_small_images_lie_side_by_side(name: str, dtype: dt.DType) -> None:
    batch, image, weight, stride, padding, groups = SMALL[name]
    program = programs((1, *image), weight, attrs_of(stride, padding, (1, 1), groups), dtype, batch=batch)
    executable = check(program, (batch,))
    texts = [text for kernel, text in executable.kernel_texts if kernel in ("conv2d", "conv2d_input_grad")]
    assert len(texts) == 2
    if name == "3 x 3" and current_target().lanes(dtype.itemsize) > 8:
        assert all("for m in range" in text for text in texts)


def test_as_many_small_images_as_fill_vectors() -> None:
    lanes = current_target().lanes(4)
    few = ConvPlan.forward(sizes(8, 32, 3, 32, 3, 1), 4)
    assert few.images > 1 and few.pixels % lanes in (0, few.rest, *range(lanes // 2, lanes))
    assert ConvPlan.forward(sizes(8, 32, 28, 32, 3, 1), 4).images == 1
    assert ConvPlan.forward(sizes(1, 32, 3, 32, 3, 1), 4).images == 1


def test_what_follows_small_images_is_in_their_kernel() -> None:
    """A bias, a residual with other numbers for each image, and an activation."""
    program, builder = new_program("small")
    x, other = (program.add_feed(n, TensorType(dt.float32, (5, 6, 3, 3))) for n in ("x", "other"))
    w, bias = (program.add_feed(n, TensorType(dt.float32, s)) for n, s in (("w", (6, 6, 3, 3)), ("b", (6, 1, 1))))
    with builder.active():
        y = OPS["conv2d"](x, w, **attrs_of((1, 1), ONE, (1, 1), 1))
        builder.return_([OPS["relu"](y + bias + other)])
    executable = compile_program(program)
    rng = np.random.default_rng(0)
    feeds = [rng.standard_normal([int(n) for n in v.tensor_type.shape]).astype("float32") for v in program.feed_values]
    compare(executable, program, feeds, [], f32=1e-4)
    assert len(executable.kernel_texts) == 1 and "for m in range" in executable.kernel_texts[0][1]


# ---- channels that follow each other in a panel ---------------------------------------------------------------------------

PARTS: dict[str, tuple[Any, ...]] = {
    "same": ((1, 160, 14, 14), (24, 160, 3, 3), (1, 1), ONE, (1, 1), 1),
    "strided": ((1, 300, 14, 14), (20, 300, 3, 3), (2, 2), ONE, (1, 1), 1),
    "groups": ((1, 320, 14, 13), (20, 160, 3, 3), (1, 1), ONE, (1, 1), 2),
    "many filters": ((1, 128, 14, 14), (200, 128, 5, 5), (1, 1), ((2, 2), (2, 2)), (1, 1), 1),
}


def _panel_of(part: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a part of the usual panel fit, and let panels of few rows cost more than they do."""
    cost = ConvPlan._cost
    monkeypatch.setattr(ConvPlan, "_cost", lambda p, block: cost(p, block) * (1 if p.channel_parts > 1 else 9))
    monkeypatch.setattr(type(current_target()), "panel_bytes", property(lambda t: int(part * t.caches.second)))


@pytest.mark.parametrize("name", PARTS)
@pytest.mark.parametrize("batch", [N, 2], ids=str)
def test_channels_follow_each_other_in_a_panel(name: str, batch: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    _panel_of(0.2, monkeypatch)
    x, weight, *attrs = PARTS[name]
    executable = check(programs(x, weight, attrs_of(*attrs), dt.float32, batch=batch), (2,), 5e-3)
    assert "for channels in range" in dict(executable.kernel_texts)["conv2d"]


def test_channels_of_small_images_follow_each_other_too(monkeypatch: pytest.MonkeyPatch) -> None:
    _panel_of(0.03, monkeypatch)
    program = programs((1, 64, 5, 5), (48, 64, 3, 3), attrs_of((1, 1), ONE, (1, 1), 1), dt.float32, batch=7)
    check(program, (7,), 5e-3)
    if current_target().lanes(4) > 4:
        assert ConvPlan.forward(sizes(7, 64, 5, 48, 3, 1), 4).channel_parts > 1


def test_what_follows_channels_that_follow_each_other(monkeypatch: pytest.MonkeyPatch) -> None:
    _panel_of(0.2, monkeypatch)
    program, builder = new_program("parts")
    shapes = {"x": (2, 160, 14, 14), "w": (40, 160, 3, 3), "b": (40, 1, 1), "other": (2, 40, 14, 14)}
    x, w, bias, other = (program.add_feed(n, TensorType(dt.float32, s)) for n, s in shapes.items())
    with builder.active():
        y = OPS["conv2d"](x, w, **attrs_of((1, 1), ONE, (1, 1), 1))
        builder.return_([OPS["sigmoid"](y + bias) * other])
    executable = check(program, (2,), 5e-3)
    assert len(executable.kernel_texts) == 1 and "for channels in range" in executable.kernel_texts[0][1]


# ---- filters that are read across ---------------------------------------------------------------------------------

ACROSS: dict[str, tuple[Any, ...]] = {
    "one by one": ((1, 256, 7, 7), (320, 256, 1, 1), (1, 1), NONE, (1, 1), 1),
    "tiles that don't divide the channels": ((1, 264, 5, 9), (320, 264, 1, 1), (1, 1), NONE, (1, 1), 1),
    "strided": ((1, 256, 6, 6), (320, 256, 1, 1), (2, 2), NONE, (1, 1), 1),
    "longer steps": ((1, 256, 11, 8), (320, 256, 1, 1), (3, 2), ((1, 0), (2, 1)), (1, 1), 1),
    "groups": ((1, 512, 6, 7), (640, 256, 1, 1), (1, 1), NONE, (1, 1), 2),
    "two taps, dilated": ((1, 264, 4, 9), (288, 264, 2, 1), (1, 1), ((1, 1), (0, 0)), (2, 2), 1),
}


@pytest.mark.parametrize("name", ACROSS)
@pytest.mark.parametrize("batch", [N, 1, 3], ids=str)
def test_filters_that_gradients_read_across_are_packed(name: str, batch: Any) -> None:
    x, weight, *attrs = ACROSS[name]
    executable = check(
        programs(x, weight, attrs_of(*attrs), dt.float32, batch=batch), (3 if batch is N else batch,), 1e-3
    )
    if batch != 3:  # of three, whose number is known, some are one block
        assert ("packed_at" in dict(executable.kernel_texts)["conv2d_input_grad"]) == (batch is N)


def test_packed_filters_of_phases_whose_channels_follow_each_other(monkeypatch: pytest.MonkeyPatch) -> None:
    """Filters of several taps, which are read where they lie else."""
    _panel_of(0.1, monkeypatch)
    monkeypatch.setattr(type(current_target()), "addressed_rows", property(lambda t: 1))
    program = programs((1, 64, 13, 12), (320, 64, 3, 3), attrs_of((2, 2), ONE, (1, 1), 1), dt.float32)
    text = dict(check(program, (3,), 5e-3).kernel_texts)["conv2d_input_grad"]
    assert "packed_at" in text and "for channels in range" in text and "for phase in range" in text


def test_filters_that_stay_in_the_cache_are_read_where_they_lie() -> None:
    assert not ConvPlan.backward(sizes(4, 128, 14, 128, 1, 1), 4).packed_parts
    assert not ConvPlan.backward(sizes(1, 512, 14, 512, 1, 1), 4).packed_parts
    assert not ConvPlan.forward(sizes(4, 512, 14, 512, 1, 1), 4).packed_parts
    assert ConvPlan.backward(sizes(4, 512, 14, 512, 1, 1), 4).packed_parts == current_target().threads.pieces


def test_a_mask_follows_a_gradient_by_packed_filters() -> None:
    program, builder = new_program("masked")
    g = program.add_feed("g", TensorType(dt.float32, (N, 320, 4, 3)))
    w = program.add_feed("w", TensorType(dt.float32, (320, 256, 1, 1)))
    x = program.add_feed("x", TensorType(dt.float32, (N, 256, 7, 6)))
    with builder.active():
        made = OPS["conv2d_input_grad"](g, w, size=(7, 6), **attrs_of((2, 2), NONE, (1, 1), 1))
        builder.return_([OPS["where"](OPS["greater_than"](x, 0.0), made, 0.0)])
    executable = check(program, (1, 2), f32=5e-3)
    assert len(executable.kernel_texts) == 1 and "packed_at" in executable.kernel_texts[0][1]


# ---- ways that don't go together ----------------------------------------------------------------------------------


def test_parts_of_the_channels_have_a_panel() -> None:
    plan = ConvPlan.forward(sizes(4, 64, 14, 64, 1, 1), 4)
    assert plan.windows.is_direct
    with pytest.raises(AssertionError, match="a panel"):
        replace(plan, channel_parts=2)


def test_single_pixels_read_no_packed_filters() -> None:
    lanes = current_target().lanes(4)
    program = programs(
        (1, 16 * lanes, 1, lanes + 1), (8, 16 * lanes, 1, 1), attrs_of((1, 1), NONE, (1, 1), 1), dt.float32, 1
    )
    group = ContractionGroup.alone(next(o for o in program.body.operations if o.name == "conv2d"))
    given = Sizes(1, 1, 16 * lanes, 8, (1, lanes + 1), (1, lanes + 1), (1, 1), (1, 1), (1, 1), 0, 0)
    plan = ConvPlan.forward(given, 4)
    assert plan.rest and not plan.packed_parts
    plan.__dict__["packed_parts"] = 2
    with pytest.raises(AssertionError, match="packed"):
        conv_tiled._Outer(group, plan)


# ---- gradients of filters -----------------------------------------------------------------------------------------

FILTERS: dict[str, tuple[Any, ...]] = {
    "few pixels": ((1, 20, 7, 7), (40, 20, 3, 3), (1, 1), ONE, (1, 1), 1),
    "nine pixels": ((1, 12, 3, 3), (33, 12, 3, 3), (1, 1), ONE, (1, 1), 1),
    "strided": ((1, 10, 14, 13), (48, 10, 3, 3), (2, 2), ONE, (1, 1), 1),
    "one by one": ((1, 50, 9, 11), (35, 50, 1, 1), (1, 1), NONE, (1, 1), 1),
    "groups": ((1, 24, 9, 8), (96, 8, 3, 3), (2, 1), ONE, (1, 1), 3),
    "blocks of rows": ((1, 3, 60, 44), (40, 3, 5, 5), (1, 1), ((2, 2), (2, 2)), (1, 1), 1),
    "first layer": ((1, 3, 40, 40), (32, 3, 7, 7), (2, 2), ((3, 3), (3, 3)), (1, 1), 1),
    "long filters": ((1, 2, 1, 300), (40, 2, 1, 150), (1, 2), ((0, 0), (25, 30)), (1, 1), 1),
}


@pytest.mark.parametrize("name", FILTERS)
@pytest.mark.parametrize("dtype", [dt.float32, dt.float64], ids=str)
def test_gradients_of_filters_by_columns(name: str, dtype: dt.DType, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where lanes would be added."""
    monkeypatch.setattr(conv_filter_plan, "_by_pixels", lambda *sizes: conv_filter_plan._by_columns(*sizes))
    x, weight, *attrs = FILTERS[name]
    executable = check(programs(x, weight, attrs_of(*attrs), dtype), (3, 1), 5e-3)
    assert "transposed" in dict(executable.kernel_texts)["conv2d_weight_grad"]


def test_lanes_are_added_at_the_end_where_filters_are_few() -> None:
    assert not FilterPlan.cheapest(sizes(8, 192, 28, 192, 3, 2, groups=192), 4).by_columns
    assert not FilterPlan.cheapest(sizes(8, 16, 112, 4, 3, 1), 4).by_columns
    plan = FilterPlan.cheapest(sizes(8, 256, 14, 512, 3, 2), 4)
    assert plan.by_columns and plan.strip_elements >= plan.padded * plan.pixels
    covered = [s.first + k * s.step + j for s in plan.column_strips for k in range(s.count) for j in range(s.size)]
    assert covered == list(range(plan.padded // plan.lanes))


# ---- work for two threads -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("channels, filters", [(32, 130), (130, 32)])
def test_ranges_of_channels_that_whole_tiles_do_not_fill(channels: int, filters: int) -> None:
    """One image: its channels are shared out, whatever number of them a tile has."""
    for plan in (
        ConvPlan.forward(sizes(1, channels, 28, filters, 1, 1), 4),
        ConvPlan.backward(sizes(1, channels, 28, filters, 1, 1), 4),
    ):
        rows = [s.first + k * s.step + j for s in plan.row_strips for k in range(s.count) for j in range(s.size)]
        assert sorted(rows) == list(range(plan.out_channels // plan.row_split))
        assert plan.row_blocks * plan.row_split >= 2
    program = programs(
        (1, channels, 28, 28), (filters, channels, 1, 1), attrs_of((1, 1), NONE, (1, 1), 1), dt.float32, 1
    )
    check(program, (1, 1), 2e-3)


@pytest.mark.parametrize(
    "given", [(1, 64, 56, 256, 1, 1), (1, 3, 224, 32, 3, 2), (1, 3, 224, 64, 7, 2), (8, 64, 56, 128, 1, 2)]
)
def test_gradients_of_filters_have_work_for_two_threads(given: tuple[int, ...]) -> None:
    plan = FilterPlan.cheapest(sizes(*given), 4)
    assert plan.units >= 2 and plan.units % 2 == 0


def test_small_gradients_of_filters_take_the_cheapest_plan() -> None:
    given = sizes(1, 3, 9, 8, 3, 1)
    plans = [
        *conv_filter_plan._by_pixels(given, _windows(given), 4),
        *conv_filter_plan._by_columns(given, _windows(given), 4),
    ]
    assert FilterPlan.cheapest(given, 4).cost <= 1.1 * min(plan.cost for plan in plans)


def _windows(given: Sizes) -> Windows:
    return Windows(*given.image, *given.result, given.stride, given.forward_taps())


def test_filters_in_parts_where_lanes_are_added(monkeypatch: pytest.MonkeyPatch) -> None:
    def chosen(given: Sizes, itemsize: int) -> FilterPlan:
        plan, *_ = conv_filter_plan._by_pixels(given, _windows(given), itemsize)
        return replace(plan, filter_parts=2)

    monkeypatch.setattr(FilterPlan, "cheapest", staticmethod(chosen))
    program = programs((1, 3, 64, 64), (32, 3, 3, 3), attrs_of((2, 2), ONE, (1, 1), 1), dt.float32)
    executable = check(program, (3, 1), 5e-3)
    assert "transposed" not in dict(executable.kernel_texts)["conv2d_weight_grad"]
