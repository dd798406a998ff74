"""What the old signatures have in common: activations by name, results of shape [1], operands set to an axis."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...base.errors import ArgumentError
from ...dygraph.nn import functional
from ...ops import functions


def op(name: str) -> Callable[..., Any]:
    """The op or function of today with that name."""
    return functions()[name]


def activated(x: Any, act: str | None) -> Any:
    """`act`, the name of an activation, of x. Errors: ArgumentError (a ValueError) for other names."""
    if act is None:
        return x
    found = getattr(functional, act, None) or functions().get(act)
    if found is None:
        raise ArgumentError(f"there is no activation {act!r}")
    return found(x)


def as_one(x: Any) -> Any:
    """A single number as a tensor of shape [1], which is what full reductions gave."""
    return op("reshape")(x, [1]) if not x.shape else x


def aligned(x: Any, y: Any, axis: int) -> Any:
    """y with axes of one behind its own, so that its first axis meets the axis `axis` of x (-1: the last axes meet)."""
    rank = len(getattr(y, "shape", ()))
    behind = len(x.shape) - axis - rank
    if axis == -1 or behind <= 0 or not rank:
        return y
    return op("unsqueeze")(y, list(range(rank, rank + behind)))
