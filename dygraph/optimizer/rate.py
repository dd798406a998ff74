"""Learning rates: checked, written into the tensor that compiled steps read, asked for in captured functions."""

from __future__ import annotations

from typing import Any

from ...base.errors import ArgumentError, CaptureError, KindError
from ...ops.dispatch import bottom, current, is_captured, using


def number(what: str, value: Any) -> float:
    """A float from a number; ArgumentError for None, KindError otherwise."""
    if value is None:
        raise ArgumentError(f"{what} is not set")
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise KindError(f"{what} must be a number, not a {type(value).__name__}")
    return float(value)


def write_rate(tensor: Any, value: float) -> None:
    """Write a learning rate into its tensor. Errors: CaptureError inside a captured function."""
    require_eager("the learning rate was changed")
    with using(bottom()):
        tensor.set_value(value)


def require_eager(what: str) -> None:
    """CaptureError inside a captured function: the change would happen once, while capturing, and never again."""
    if is_captured() and not current().is_static:  # static programs run long after they are built
        raise CaptureError(
            f"{what} inside a captured function, where it would happen only while capturing",
            remedy="call it outside: the compiled step reads the learning rate anew on every call",
        )
