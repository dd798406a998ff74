"""Weight decay as a part of the gradient: L1Decay and L2Decay."""

from __future__ import annotations

from typing import Any

from ...base.changes import Counted
from ...base.errors import ArgumentError, KindError
from ...ops.op import OPS
from .rate import is_any

__all__ = ["L1Decay", "L2Decay"]


class Decay(Counted):
    """Base: `coeff` times the gradient of a norm of the parameter is added to its gradient."""

    def __init__(self, coeff: float = 0.0) -> None:
        if isinstance(coeff, bool) or not isinstance(coeff, (int, float)):
            raise KindError(f"{type(self).__name__} needs a number, not a {type(coeff).__name__}")
        if coeff < 0:
            raise ArgumentError(f"{type(self).__name__} needs a coefficient of at least 0, not {coeff}")
        self.coeff = float(coeff)

    def add_to(self, grad: Any, param: Any) -> Any:
        """The gradient with decay."""
        raise NotImplementedError

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.coeff})"


class L2Decay(Decay):
    """Adds coeff * param to the gradient.

    >>> L2Decay(1e-4)
    L2Decay(0.0001)
    """

    def add_to(self, grad: Any, param: Any) -> Any:
        return grad + param * self.coeff if is_any(self.coeff) else grad


class L1Decay(Decay):
    """Adds coeff * sign(param) to the gradient."""

    def add_to(self, grad: Any, param: Any) -> Any:
        return grad + OPS["sign"](param) * self.coeff if is_any(self.coeff) else grad


def as_decay(decay: Any) -> Decay | None:
    """A Decay from None, a number (L2) or a Decay."""
    if decay is None or isinstance(decay, Decay):
        return decay
    if isinstance(decay, bool) or not isinstance(decay, (int, float)):
        raise KindError(f"weight_decay must be a number, L1Decay, L2Decay or None, not a {type(decay).__name__}")
    return L2Decay(decay)
