"""Margins around tensors, in Paddle's order of sides."""

from __future__ import annotations

from typing import Any, TypeAlias

import numpy as np

from ..base.errors import ArgumentError, AssertedError, ShapeError
from ..base.suggest import one_of
from .arith import exact, is_run_time_number, is_value
from .dims import Dim, DimLike, at_least, decider, is_open, maximum, never_negative, same_dim
from .dispatch import current
from .index import as_value
from .infer import as_dim, as_dims
from .moves import pad as pad_row
from .op import FUNCTIONS, OPS, composite
from .shape import open_sizes, size_value
from .sizes import runtime_names
from .slices import piece

_Pair: TypeAlias = tuple[Any, Any]  # of sizes, or of numbers that only a run knows
_FORMATS = {3: ("NCL", "NLC"), 4: ("NCHW", "NHWC"), 5: ("NCDHW", "NDHWC")}  # of a batch of lines, images and volumes


@composite(method=False)
def pad(
    x: Any, pad: Any, mode: str = "constant", value: float = 0.0, data_format: str | None = None,
    pad_from_left_axis: bool = True, name: str | None = None,
) -> Any:  # fmt: skip
    """Margins around `x`, constant, reflected, replicated or circular (as wide as wanted).

    `pad` has a pair (before, after) for each axis from the first, or pairs for the image axes only, from the last one
    (left, right, top, bottom, …), placed by `data_format`. A single int is the margin on every side of the image axes.
    Sizes below 0 cut. `value` is a number, or a tensor with one element.
    Errors: ArgumentError for pads that don't fit, and for a `data_format` that isn't one of a tensor of this rank.
    """
    rank, sizes = x.ndim, tuple(x.shape)
    if isinstance(pad, (int, Dim)) or getattr(pad, "weak", False):
        pad = [pad] * (2 * (rank - 2))
    flat = _sides(pad)
    flat += [0] * (len(flat) % 2)
    known = [form for pair in _FORMATS.values() for form in pair]
    if data_format is not None and data_format not in known:
        raise AssertedError(f"pad has no data_format {data_format!r}", remedy=one_of(data_format, known))
    if len(flat) > 2 * rank:
        raise ArgumentError(f"pad of a tensor of rank {rank} takes up to {2 * rank} sizes in pairs, not {flat}")
    given = [(flat[k], flat[k + 1]) for k in range(0, len(flat), 2)]
    pairs: list[_Pair] = [(0, 0)] * rank
    if len(given) == rank and mode == "constant":
        pairs = given if pad_from_left_axis else given[::-1]
    else:
        formats = _FORMATS.get(rank, ())
        if data_format is not None and formats and data_format not in formats:
            raise ArgumentError(f"pad: data_format of rank {rank} is {' or '.join(formats)}, not {data_format!r}")
        last = rank - 1 if data_format is not None and data_format.endswith("C") and len(data_format) > 1 else rank
        for k, pair in enumerate(given):
            pairs[last - 1 - k] = pair
    margins = [(_margin(before), _margin(after)) for before, after in pairs]
    x = _padded(x, [(before[0], after[0]) for before, after in margins], mode, value)
    for axis, (before, after) in enumerate(margins):
        if not (same_dim(before[1], 0) and same_dim(after[1], 0)):
            x = piece(x, axis, before[1], _left(axis, size=sizes[axis], pair=pairs[axis]))
    return x


def _sides(pad: Any) -> list[Any]:
    """The sizes of margins; those that only a run knows, and that may be below 0, as the numbers that they are."""
    parts, asked = open_sizes(pad)
    return [p if k in asked else as_dim(p) for k, p in enumerate(parts)] if asked else list(as_dims(pad))


def _margin(side: Any) -> tuple[DimLike, DimLike]:
    """How many elements a side gets, and how many of its elements are cut."""
    if isinstance(side, int):
        return max(side, 0), max(-side, 0)
    if not isinstance(side, Dim):
        zero, number = size_value(0), size_value(side)
        return as_dim(OPS["maximum"](number, zero)), as_dim(OPS["maximum"](OPS["neg"](number), zero))
    if never_negative(side) or decider() is None or is_open(side):
        return side, 0
    if runtime_names(side):
        return maximum(side, 0), maximum(-side, 0)
    return (side, 0) if at_least(side, 0) else (0, -side)


def _left(axis: int, size: DimLike, pair: _Pair) -> DimLike:
    """How long an axis of that size is with margins of which one cuts."""
    message = f"pad cuts more elements than axis {axis} has"
    if all(isinstance(side, (int, Dim)) for side in pair):
        left: DimLike = size + pair[0] + pair[1]
        if never_negative(left) or (isinstance(left, Dim) and (decider() is None or is_open(left))):
            return left
        if not (isinstance(left, Dim) and runtime_names(left)):
            if isinstance(left, Dim) and at_least(left, 0):
                return left
            raise ShapeError(f"{message}: {size}, with margins of {pair[0]} and {pair[1]}")
    number = size_value(size) + size_value(pair[0]) + size_value(pair[1])
    current().require(OPS["greater_equal"](number, size_value(0)), message, "ShapeError")
    return as_dim(number)


def _padded(x: Any, pairs: list[tuple[DimLike, DimLike]], mode: str, value: Any) -> Any:
    for axis, pair in enumerate(pairs if mode in ("circular", "reflect") else ()):
        if mode == "reflect":
            require_room(axis, x.shape[axis], pair)
        elif _goes_round(x.shape[axis], pair):
            x, pairs[axis] = _rounds(x, axis, pair), (0, 0)
    if mode == "constant" and (is_value(value) or is_run_time_number(value)):
        inside = pad_row(OPS["full"](tuple(x.shape), True, "bool"), pairs, mode, False)
        margin = OPS["cast"](OPS["reshape"](as_value(current(), exact(value)), ()), x.dtype)
        return OPS["where"](inside, pad_row(x, pairs, mode, 0), margin)
    return pad_row(x, pairs, mode, value)


def _goes_round(size: DimLike, pair: tuple[DimLike, DimLike]) -> bool:
    """Whether circular margins are wider than an axis, or may be in a run: `pad`'s row doesn't take these."""
    if isinstance(size, int) and size < 1:
        return False
    return any(_fits(size, side) is not True for side in pair)


def _fits(room: DimLike, side: DimLike) -> bool | None:
    """Whether a margin needs no more elements than there are; None where only a run knows."""
    left = room - side
    if isinstance(left, int) or never_negative(left):
        return not isinstance(left, int) or left >= 0
    if runtime_names(left) and decider() is not None:
        return None
    return decider() is None or is_open(left) or at_least(left, 0)


def require_room(axis: int, size: DimLike, pair: tuple[DimLike, DimLike]) -> None:
    """Errors: ShapeError where a margin reflects more elements than an axis has; the run's, where that knows."""
    message = f"reflect padding of {pair} is too wide for size {size} on axis {axis}"
    for side in pair:
        fits = True if same_dim(side, 0) else _fits(size - 1, side)
        if fits is False:
            raise ShapeError(message)
        if fits is None:
            enough = OPS["greater_than"](size_value(size), size_value(side))
            current().require(enough, f"reflect padding is too wide for axis {axis}", "ShapeError")


def _rounds(x: Any, axis: int, pair: tuple[Any, Any]) -> Any:
    """An axis repeated without end, from `pair[0]` places before it to `pair[1]` after it."""
    (before, after), size = pair, x.shape[axis]
    if all(isinstance(v, int) for v in (before, after, size)):
        return FUNCTIONS["index_select"](x, np.arange(-before, size + after) % size, axis)
    places = FUNCTIONS["arange"](size + before + after) - size_value(before)
    return FUNCTIONS["index_select"](x, OPS["remainder"](places, size_value(size)), axis)
