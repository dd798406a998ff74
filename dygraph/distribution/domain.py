"""Kinds of random variables: what a transformation takes and gives."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...base.changes import Counted
from ...base.errors import ArgumentError
from ...ops.infer import show_shape
from ...ops.op import OPS
from ...ops.rearrange import stack, unbind
from . import constraint as sets

__all__ = ["Independent", "Positive", "Real", "Stack", "Variable", "positive", "real"]


class Variable(Counted):
    """A random variable: discrete or not, of events with `event_rank` axes, in the set that a constraint names."""

    def __init__(
        self, is_discrete: bool = False, event_rank: int = 0, constraint: sets.Constraint | None = None
    ) -> None:
        self._is_discrete, self._event_rank = is_discrete, event_rank
        self._constraint = constraint if constraint is not None else sets.Constraint()

    @property
    def is_discrete(self) -> bool:
        """Whether its values are whole numbers."""
        return self._is_discrete

    @property
    def event_rank(self) -> int:
        """How many axes one value has."""
        return self._event_rank

    def constraint(self, value: Any) -> Any:
        """Which elements of `value` it can take."""
        return self._constraint(value)


class Real(Variable):
    """Any real numbers."""

    def __init__(self, event_rank: int = 0) -> None:
        super().__init__(False, event_rank, sets.real)


class Positive(Variable):
    """Real numbers of at least 0."""

    def __init__(self, event_rank: int = 0) -> None:
        super().__init__(False, event_rank, sets.positive)


class Independent(Variable):
    """Another kind whose last batch axes count as axes of one event."""

    def __init__(self, base: Variable, reinterpreted_batch_rank: int) -> None:
        self._base, self._rank = base, reinterpreted_batch_rank
        super().__init__(base.is_discrete, base.event_rank + reinterpreted_batch_rank)

    def constraint(self, value: Any) -> Any:
        made = self._base.constraint(value)
        if made.ndim < self._rank:
            raise ArgumentError(f"the value needs at least {self._rank} axes, not {made.ndim}")
        return OPS["all"](made, list(range(-self._rank, 0))) if self._rank else made


class Stack(Variable):
    """Several kinds, one for each place along an axis."""

    def __init__(self, vars: Sequence[Variable], axis: int = 0) -> None:
        self._vars, self._axis = list(vars), axis
        super().__init__(any(v.is_discrete for v in self._vars), _stacked_rank(self._vars, axis))

    def constraint(self, value: Any) -> Any:
        if not -value.ndim <= self._axis < value.ndim or value.shape[self._axis] != len(self._vars):
            raise ArgumentError(
                f"the value needs {len(self._vars)} places along axis {self._axis}: {show_shape(value.shape)}"
            )
        parts = zip(self._vars, unbind(value, self._axis), strict=True)
        return stack([v.constraint(part) for v, part in parts], self._axis)


def _stacked_rank(kinds: Sequence[Variable], axis: int) -> int:
    rank = max((kind.event_rank for kind in kinds), default=0)
    return rank + 1 if rank + axis < 0 else rank


real = Real()
positive = Positive()
