"""Marks on functions and tensors that capture obeys (Paddle's `jit.marker`)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from ..base.errors import AxisError, KindError
from .switches import not_to_static

F = TypeVar("F", bound=Callable[..., Any])


def unified(fn: Any = None, *, for_sot: bool = True, for_ast: bool = True) -> Any:
    """Mark a function that is right in both modes as it stands: it isn't rewritten, as with `not_to_static`.

    >>> @unified
    ... def helper(x):
    ...     return x
    >>> helper(1)
    1
    """
    if fn is None:
        return lambda function: unified(function, for_sot=for_sot, for_ast=for_ast)
    return not_to_static(fn) if for_ast else fn


def force_dynamic(fn: Any) -> Any:
    """Mark a function or a class of layers whose control flow stays Python's while capturing.

    >>> force_dynamic(len.__class__) is len.__class__
    Traceback (most recent call last):
    vitrify.errors.KindError: force_dynamic takes a function written in Python or a class of layers
      help: mark the function that calls it
    """
    target = fn.forward if isinstance(fn, type) and hasattr(fn, "forward") else fn
    if not hasattr(target, "__code__"):
        raise KindError(
            "force_dynamic takes a function written in Python or a class of layers",
            remedy="mark the function that calls it",
        )
    not_to_static(target)
    return fn


def capture_control_flow(fn: F) -> F:
    """Mark a function whose control flow is to be part of the program: it is always so here.

    >>> capture_control_flow(print) is print
    True
    """
    return fn


def dynamic_dims(tensor: Any, dims: int | Sequence[int]) -> Any:
    """Mark axes of a tensor whose sizes vary: a compiled function called with it makes them symbols at once.

    Returns the tensor. Errors: AxisError for an axis that the tensor doesn't have.

    >>> import vitrify as vt
    >>> fn = vt.to_static(lambda x: x * 2)
    >>> y = fn(dynamic_dims(vt.ones([2, 3]), 0)), fn(vt.ones([5, 3]))
    >>> fn.get_traced_count()
    1
    """
    axes = [dims] if isinstance(dims, int) else list(dims)
    for axis in axes:
        if not -tensor.ndim <= axis < tensor.ndim:
            raise AxisError(f"axis {axis} of a tensor with {tensor.ndim} axes can't vary", remedy="count from 0")
    tensor.dynamic_dims = tuple(sorted({axis % tensor.ndim for axis in axes}))
    return tensor


__all__ = ["capture_control_flow", "dynamic_dims", "force_dynamic", "unified"]
