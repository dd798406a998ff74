"""Sets of numbers that a distribution's values lie in, as tests of values."""

from __future__ import annotations

from typing import Any

from ...base.changes import Counted
from ...ops.op import OPS

__all__ = ["Constraint", "Positive", "Range", "Real", "Simplex", "positive", "real", "simplex"]


class Constraint(Counted):
    """A set of numbers; called with a value it says which elements lie in it."""

    def __call__(self, value: Any) -> Any:
        raise NotImplementedError(f"{type(self).__name__} doesn't say what lies in it")


class Real(Constraint):
    """All numbers but NaN."""

    def __call__(self, value: Any) -> Any:
        return value == value


class Range(Constraint):
    """Numbers from `lower` to `upper`, both included."""

    def __init__(self, lower: float, upper: float) -> None:
        self._lower, self._upper = lower, upper

    def __call__(self, value: Any) -> Any:
        return OPS["logical_and"](value >= self._lower, value <= self._upper)


class Positive(Constraint):
    """Numbers of at least 0."""

    def __call__(self, value: Any) -> Any:
        return value >= 0.0


class Simplex(Constraint):
    """Vectors of shares: none below 0, with the sum 1."""

    def __call__(self, value: Any) -> Any:
        total = OPS["abs"](OPS["sum"](value, -1) - 1.0)
        return OPS["logical_and"](OPS["all"](value >= 0.0, -1), total < 1e-6)


real = Real()
positive = Positive()
simplex = Simplex()
