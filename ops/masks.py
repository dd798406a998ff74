"""Masks in subscripts: whether they fit, and `x[mask] = value`."""

from __future__ import annotations

from collections.abc import Sequence
from types import EllipsisType
from typing import Any

from ..base.errors import AxisError
from .compare import where
from .data_sized import nonzero
from .dims import DimLike, same_dim
from .index import scatter_nd_update, spread
from .infer import broadcast_dims, show_shape
from .op import OPS
from .select import masked_scatter


def check_mask(mask: Sequence[DimLike], sizes: Sequence[DimLike]) -> None:
    """Errors: AxisError for a mask of another shape than the axes that it stands for."""
    if any(broadcast_dims(a, b) is None or same_dim(a, 1) != same_dim(b, 1) for a, b in zip(mask, sizes, strict=True)):
        raise AxisError(f"a mask of shape {show_shape(mask)} doesn't fit axes of sizes {show_shape(sizes)}")


def set_mask(x: Any, mask: Any, value: Any) -> Any:
    """x[mask] = value: a choice, unless there is one value per true element."""
    if mask.ndim > x.ndim:
        raise AxisError(f"a mask of rank {mask.ndim} for a tensor of rank {x.ndim}")
    check_mask(mask.shape, x.shape[: mask.ndim])
    rest = x.ndim - mask.ndim
    if value.ndim == rest + 1 and same_dim(value.shape[0], 1):
        value = OPS["reshape"](value, tuple(value.shape[1:]))
    if value.ndim <= rest:
        return where(OPS["reshape"](mask, (*mask.shape, *(1,) * rest)) if rest else mask, spread(value, x.shape), x)
    if rest == 0 and value.ndim == 1:
        return masked_scatter(x, mask, value)
    places = nonzero(mask)
    return scatter_nd_update(x, places, spread(value, (places.shape[0], *x.shape[mask.ndim :])))


def with_axis(parts: list[Any]) -> list[Any]:
    """Parts with one new axis in the place of the `True`s; as they are beside arrays and apart from numbers."""
    places = [k for k, p in enumerate(parts) if isinstance(p, int)]
    known = all(p is not False and (p is None or isinstance(p, (int, slice, EllipsisType))) for p in parts)
    if not known or places[-1] - places[0] != len(places) - 1:
        return parts
    first = next(k for k in places if parts[k] is True)
    return [None if k == first else p for k, p in enumerate(parts) if p is not True or k == first]
