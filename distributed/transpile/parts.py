"""Parts of arrays: the elements in order, cut evenly, one part for each rank."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from ...ops.op import OPS
from ...ops.shape import concat
from ..exchanges import all_gather_of
from ..group import Group


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


def gathered(part: Any, shape: Sequence[int], group: Group) -> Any:
    """All ranks' parts, whole. `write_back(array)` of the result sets this rank's part: loading fills both."""
    made = joined(all_gather_of(part.detach(), group), shape)
    made.write_back = lambda array: part.set_value(own_part(array, group))
    return made


def own_part(array: Any, group: Group) -> Any:
    """This rank's part of an array, [part_size], filled up with zeros; memory of its own."""
    each = part_size(array.size, group.nranks)
    mine = np.zeros(each, array.dtype)
    found = array.reshape(-1)[group.rank * each : (group.rank + 1) * each]
    mine[: found.size] = found
    return mine


def whole_shape(p: Any) -> tuple[int, ...]:
    """The shape of a parameter, also where this rank holds a part of it (`ShardedParameters`)."""
    return tuple(getattr(p, "whole_shape", p.shape))
