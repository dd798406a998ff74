"""Learning rates: checked, written into the tensor that compiled steps read, asked for in captured functions."""

from __future__ import annotations

import math
from typing import Any

from ...base.dtype import float64
from ...base.errors import ArgumentError, CaptureError, KindError
from ...ops.dispatch import bottom, current, is_captured, using
from ..number import Number
from ..tensor import Tensor


class ReadByRuns:
    """Base of schedulers: captured code reads their numbers when the program gets there, as a run may have moved on."""

    def __getattribute__(self, name: str) -> Any:
        value = object.__getattribute__(self, name)
        if name == "get_lr":
            return current().rate_function(value)
        if name.startswith("__") or not isinstance(value, (int, float, Tensor)):
            return value
        return current().read_scheduler(self, name, value)


def number(what: str, value: Any) -> float:
    """A float from a number; ArgumentError for None, KindError otherwise."""
    if value is None:
        raise ArgumentError(f"{what} is not set")
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise KindError(f"{what} must be a number, not a {type(value).__name__}")
    return float(value)


def number_here(what: str, value: Any) -> Any:
    """As `number`; in a captured function also a number that its runs read."""
    return value if type(value) is Number and value.kind is not bool else number(what, value)


def as_factor(value: Any) -> Any:
    """A float; in a captured function also a number that its runs read."""
    return value if type(value) is Number else float(value)


def is_any(factor: Any) -> bool:
    """Whether a factor isn't 0; of a number that runs read only that is guarded, not what it is."""
    if type(factor) is Number:
        return factor.is_inside(0.0, math.inf) or factor.is_inside(-math.inf, 0.0)
    return bool(factor)


def write_rate(tensor: Any, value: float) -> None:
    """Write a learning rate into its tensor. Errors: CaptureError inside a captured function."""
    require_eager("the learning rate was changed")
    with using(bottom()):
        tensor.set_value(value)


def fit_rate(tensor: Any, parameters: Any) -> None:
    """Make a learning rate float32 that was made before its parameters were known, unless one of these is float64."""
    if tensor.dtype is float64 and not any(p.dtype is float64 for p in parameters):
        with using(bottom()):
            narrow = current().constant(tensor.numpy().astype("float32"), None)
        tensor._storage, tensor._dtype = narrow._storage, narrow.dtype


_OUTSIDE = "call it outside: the compiled step reads the rate anew on every call; step() of a scheduler can be captured"


def require_eager(what: str, remedy: str = _OUTSIDE) -> None:
    """CaptureError inside a captured function: the change would happen once, while capturing, and never again."""
    if is_captured() and not current().is_static:  # static programs run long after they are built
        raise CaptureError(
            f"{what} inside a captured function, where it would happen only while capturing",
            remedy=remedy,
        )
