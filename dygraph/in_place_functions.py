"""Functions that write their result into their first operand: the names that end in `_`."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from ..base.dtype import Retyping, never
from ..base.errors import KindError
from ..ops.dispatch import current
from . import storage as cells
from .modes import is_recording
from .places import loc_of, user_place
from .tensor import Tensor


def written(
    x: Any,
    fn: Callable[..., Any],
    args: tuple[Any, ...] = (),
    kwargs: dict[str, Any] | None = None,
    *,
    reshapes: bool = False,
    retypes: Retyping = never,
) -> Any:
    """`fn(x, ...)` written into x, which is returned. While a program is built by hand nothing is written: as in
    Paddle, the result is a new variable, with a warning.

    Errors: KindError if x isn't a tensor; else as `fn`, and ArgumentError for a leaf that needs a gradient.
    """
    name = getattr(fn, "name", getattr(fn, "__name__", "op")).rstrip("_")
    if not isinstance(x, Tensor):
        raise KindError(f"{name}_ writes into a tensor, not into {type(x).__name__}")
    if not current().is_static:
        return x._update(fn, args, kwargs or {}, reshapes=reshapes, retypes=retypes)
    place = loc_of(user_place())
    text = f"{name}_ writes nothing in place while a program is built: it is {name} there"
    warnings.warn_explicit(text, UserWarning, place.file, place.line)
    return fn(x, *args, **(kwargs or {}))


def array_to_overwrite(x: Any) -> np.ndarray[Any, Any] | None:
    """The contiguous array of a tensor that eager mode may write to as it is; None where a write has more to it."""
    if not isinstance(x, Tensor) or x._node is not None or cells.on_write is not None:
        return None
    cell = x._storage
    if cell.__class__ is not cells.Storage or cell.shared or (not x._stop and is_recording()):
        return None
    array = cell.payload
    return array if type(array) is np.ndarray and array.flags.c_contiguous else None


def overwrite(x: Tensor, made: Any) -> None:
    """Put an array's elements into a tensor that has an `array_to_overwrite`."""
    cell = x._storage
    np.copyto(cell.payload, made)
    cell.version += 1
    cell.place = user_place()


def fill_(x: Tensor, value: Any) -> Tensor:
    """Set every element to `value`: a number, or a tensor that broadcasts. Errors: KindError for a list."""
    if isinstance(value, (list, tuple)):
        raise KindError(f"fill_ takes a number, not a {type(value).__name__}")
    return x.copy_(current().constant(value, x._dtype))


def zero_(x: Tensor) -> Tensor:
    """Set every element to zero."""
    return fill_(x, 0)
