"""Exchanges between ranks that share a layer, with gradients, as programs call them between layers of their own."""

from __future__ import annotations

from typing import Any

from ..group import Group
from .shared_values import added, own_part, shared, whole_of
from .topology import model_group

__all__ = ["added_up", "concatenated", "own_slice", "passed_on"]


def passed_on(tensor: Any, group: Group | None = None, **_: Any) -> Any:
    """The tensor; its gradient is the sum of all ranks' gradients.

    >>> from vitrify import ones
    >>> passed_on(ones([2])).tolist()
    [1.0, 1.0]
    """
    return shared(tensor, model_group(group))


def added_up(tensor: Any, op: Any = None, group: Group | None = None, **_: Any) -> Any:
    """The sum over all ranks; its gradient goes to each rank as it is."""
    return added(tensor, model_group(group))


def concatenated(tensor: Any, group: Group | None = None) -> Any:
    """All ranks' tensors along the last axis; a rank gets its part of the gradient."""
    return whole_of(tensor, tensor.ndim - 1, model_group(group))


def own_slice(tensor: Any, group: Group | None = None) -> Any:
    """This rank's part along the last axis; the gradients of all parts are concatenated."""
    return own_part(tensor, tensor.ndim - 1, model_group(group))
