"""Margins around tensors, in Paddle's order of sides."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..base.errors import ArgumentError, AssertedError, ShapeError
from ..base.suggest import one_of
from .arith import exact, is_run_time_number, is_value
from .dims import Dim, DimLike
from .dispatch import current
from .index import as_value
from .infer import (
    as_dims,
    has_as_many,
)
from .moves import pad as pad_row
from .op import FUNCTIONS, OPS, composite
from .slices import piece

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
    rank = x.ndim
    if isinstance(pad, (int, Dim)) or getattr(pad, "weak", False):
        pad = [pad] * (2 * (rank - 2))
    flat = as_dims(pad)
    flat += (0,) * (len(flat) % 2)
    known = [form for pair in _FORMATS.values() for form in pair]
    if data_format is not None and data_format not in known:
        raise AssertedError(f"pad has no data_format {data_format!r}", remedy=one_of(data_format, known))
    if len(flat) > 2 * rank:
        raise ArgumentError(f"pad of a tensor of rank {rank} takes up to {2 * rank} sizes in pairs, not {list(flat)}")
    given = [(flat[k], flat[k + 1]) for k in range(0, len(flat), 2)]
    pairs: list[tuple[DimLike, DimLike]] = [(0, 0)] * rank
    if len(given) == rank and mode == "constant":
        pairs = given if pad_from_left_axis else given[::-1]
    else:
        formats = _FORMATS.get(rank, ())
        if data_format is not None and formats and data_format not in formats:
            raise ArgumentError(f"pad: data_format of rank {rank} is {' or '.join(formats)}, not {data_format!r}")
        last = rank - 1 if data_format is not None and data_format.endswith("C") and len(data_format) > 1 else rank
        for k, pair in enumerate(given):
            pairs[last - 1 - k] = pair
    cuts = [tuple([-p if isinstance(p, int) and p < 0 else 0 for p in pair]) for pair in pairs]
    if any(map(any, cuts)):
        kept = [(a + before, b + after) for (a, b), (before, after) in zip(pairs, cuts, strict=True)]
        return _cut(_padded(x, kept, mode, value), cuts)
    return _padded(x, pairs, mode, value)


def _cut(x: Any, cuts: Sequence[tuple[int, ...]]) -> Any:
    """x without as many elements at the beginning and the end of each axis."""
    for axis, (before, after) in enumerate(cuts):
        size = x.shape[axis]
        if not has_as_many(size, before + after):
            raise ShapeError(f"pad cuts {before + after} of the {size} elements of axis {axis}")
        x = piece(x, axis, before, size - before - after) if before or after else x
    return x


def _padded(x: Any, pairs: list[tuple[DimLike, DimLike]], mode: str, value: Any) -> Any:
    for axis, pair in enumerate(pairs if mode == "circular" else ()):
        if _goes_round(x.shape[axis], pair):
            x, pairs[axis] = _rounds(x, axis, pair), (0, 0)
    if mode == "constant" and (is_value(value) or is_run_time_number(value)):
        inside = pad_row(OPS["full"](tuple(x.shape), True, "bool"), pairs, mode, False)
        margin = OPS["cast"](OPS["reshape"](as_value(current(), exact(value)), ()), x.dtype)
        return OPS["where"](inside, pad_row(x, pairs, mode, 0), margin)
    return pad_row(x, pairs, mode, value)


def _goes_round(size: DimLike, pair: tuple[DimLike, DimLike]) -> bool:
    """Whether circular margins are wider than an axis, which `pad`'s row doesn't take."""
    return isinstance(size, int) and size > 0 and all(isinstance(p, int) and p >= 0 for p in pair) and max(pair) > size


def _rounds(x: Any, axis: int, pair: tuple[Any, Any]) -> Any:
    """An axis repeated without end, from `pair[0]` places before it to `pair[1]` after it."""
    size = x.shape[axis]
    return FUNCTIONS["index_select"](x, np.arange(-pair[0], size + pair[1]) % size, axis)
