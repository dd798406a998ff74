"""Parts of arrays: the elements in order, cut evenly, one part for each rank."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from ...ops.op import OPS
from ...ops.shape import concat


def part_size(size: int, ranks: int) -> int:
    """How many elements of `size` each rank has; the last part is filled up with zeros."""
    return -(-size // ranks)


def cut(x: Any, ranks: int) -> Any:
    """The elements of x in order, as [ranks, part_size], filled up with zeros."""
    size = math.prod(x.shape)
    each = part_size(size, ranks)
    flat = OPS["reshape"](x, (size,))
    if each * ranks > size:
        flat = concat([flat, OPS["full"]((each * ranks - size,), 0, x.dtype)])
    return OPS["reshape"](flat, (ranks, each))


def joined(parts: Any, shape: Sequence[int]) -> Any:
    """What was cut, whole again."""
    size = math.prod(shape)
    flat = OPS["reshape"](parts, (math.prod(parts.shape),))
    if math.prod(parts.shape) > size:
        flat = OPS["slice"](flat, (0,), (size,))
    return OPS["reshape"](flat, tuple(shape))


def whole_shape(p: Any) -> tuple[int, ...]:
    """The shape of a parameter, also where this rank holds a part of it (`ShardedParameters`)."""
    return tuple(getattr(p, "whole_shape", p.shape))
