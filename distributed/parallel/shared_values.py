"""Values of ranks that compute one loss together, each a part of it.

Gradients of the exchanges in `exchanges.py` are those of the sum of all ranks' losses. Here the ranks of a group have
one loss, which each of them holds: it counts once. So the sum of the ranks' parts hands its gradient on as it is, and
what all ranks share gets the sum of their gradients.
Source: Shoeybi et al., Megatron-LM, 2019 (the operators f and g).
"""

from __future__ import annotations

from typing import Any

from ...ops.create import zeros_like
from ...ops.op import OPS
from ...ops.shape import concat
from ..exchanges import all_gather_of, all_reduce_of
from ..group import Group, attrs_of


def shared(x: Any, group: Group) -> Any:
    """x, which is equal on all ranks of the group; its gradient is the sum of all ranks' gradients."""
    return x if group.nranks == 1 else OPS["shared"](x, **attrs_of(group))


def added(x: Any, group: Group) -> Any:
    """The sum of all ranks' x, which they share; each x gets the gradient of the sum."""
    if group.nranks == 1:
        return x
    return OPS["straight_through"](x, all_reduce_of(OPS["stop_gradient"](x), "sum", group))


def largest(x: Any, group: Group) -> Any:
    """The largest of all ranks' x, without a gradient."""
    constant = OPS["stop_gradient"](x)
    return constant if group.nranks == 1 else all_reduce_of(constant, "max", group)


def own_part(x: Any, axis: int, group: Group) -> Any:
    """This rank's part, along an axis, of an x that all ranks share."""
    return x if group.nranks == 1 else part_of(shared(x, group), axis, group.rank, group.nranks)


def part_of(x: Any, axis: int, place: int, count: int) -> Any:
    """Part `place` of `count` equal ones along an axis."""
    each = x.shape[axis] // count
    key: list[Any] = [slice(None)] * len(x.shape)
    key[axis] = slice(place * each, (place + 1) * each)
    return x[tuple(key)]


def whole_of(x: Any, axis: int, group: Group) -> Any:
    """The parts of all ranks joined along an axis; each part gets its part of the gradient."""
    if group.nranks == 1:
        return x
    gathered = all_gather_of(OPS["stop_gradient"](x), group)
    value = concat([gathered[k] for k in range(group.nranks)], axis)
    empty = zeros_like(OPS["stop_gradient"](x))
    placed = concat([x if k == group.rank else empty for k in range(group.nranks)], axis)
    return OPS["straight_through"](placed, value)
