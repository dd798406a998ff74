"""Runs pieces of a program over sizes that only a run knows: natively where there is enough work, else by NumPy.

The sizes alone decide, so equal calls give equal bits.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from ....base.errors import GuardError
from ....ir.concrete import check_concrete
from ....ir.core import Program
from ....ir.interpret import bind_sizes
from ....ops.dims import Dim, deciding, evaluate
from ....ops.sizes import size_names
from ..host import Place, run_step
from ..program_steps import PieceStep

LEAST_WORK = 4096  # elements: NumPy does less in the time that a call, and its tables for new sizes, take
MOST_SHAPES = 1024  # of which it is known whether they fit


Shapes = tuple[tuple[int, ...], ...]


class Runs(Protocol):
    """A compiled program."""

    def key_of(self, arrays: Any) -> tuple[int, ...]:
        """The sizes of its symbols, from arrays that fit."""

    def run_fitting(self, feeds: Any, key: tuple[int, ...]) -> list[Any]:
        """One call with arrays that fit, and their sizes."""


class NativePieces:
    """The pieces of one program, each compiled when it is first worth it."""

    def __init__(self, compiled: Callable[[Program], Runs]) -> None:
        self._compiled = compiled
        self._made: dict[PieceStep, Runs] = {}
        self._proven: dict[PieceStep, bool] = {}  # whether they fit whatever the sizes are
        self._facts: dict[PieceStep, _Facts] = {}

    def run(self, step: PieceStep, place: Place, callbacks: Mapping[str, Callable[..., Any]]) -> None:
        """Run the members of a piece."""
        facts = self._facts.get(step)
        if facts is None:
            facts = self._facts[step] = _Facts(step)
        given = place.read(step)
        known = tuple([a.shape for a in given]), tuple([place.sizes.get(name) for name in facts.names])
        if known not in facts.ways:
            if len(facts.ways) >= MOST_SHAPES:
                facts.ways.clear()
            facts.ways[known] = self._way(step, facts, given, place)
        way = facts.ways[known]
        if way is None:
            for member in step.members:  # NumPy says what is wrong, too, where sizes don't fit
                run_step(member, place, callbacks)
            return
        feeds = [np.asarray(given[k], order="C") for k in facts.read]
        place.write(step.kept, self._made[step].run_fitting([*feeds, *way.untold], way.key))
        place.tell(step)

    def _way(self, step: PieceStep, facts: _Facts, given: list[Any], place: Place) -> _Way | None:
        """How a piece's program is run on arrays of these shapes; None where it isn't worth it, or the sizes don't fit
        together.
        """
        try:
            work, *untold = [evaluate(dim, place.sizes) for dim in (step.work, *step.untold)]
        except ZeroDivisionError:  # a size of 0 in a reshape: the members say so
            return None
        if not isinstance(work, int) or work < LEAST_WORK or not all(isinstance(n, int) for n in untold):
            return None
        made = [np.empty((n, 0), np.bool_) for n in untold]
        feeds = [*(given[k] for k in facts.read), *made]
        if not self._fit(step, feeds):
            return None
        if step not in self._made:
            self._made[step] = self._compiled(step.program)
        return _Way(self._made[step].key_of(feeds), made)

    def _fit(self, step: PieceStep, feeds: list[Any]) -> bool:
        """Whether arrays of these shapes are what the operations took for granted: sizes of two names may be equal."""
        sizes = bind_sizes(step.program, feeds)
        if step not in self._proven:
            self._proven[step] = _holds(step.program, {})
        return self._proven[step] or _holds(step.program, sizes)


class _Facts:
    """What a run finds out about a piece for the next ones."""

    def __init__(self, step: PieceStep) -> None:
        inputs = [v for v, _ in step.inputs]
        self.read = [k for k, v in enumerate(inputs) if v.operation is None or v.operation.name != "constant"]
        self.names = sorted(size_names((step.work, *step.untold)))
        self.ways: dict[tuple[Shapes, tuple[int | None, ...]], _Way | None] = {}


@dataclass(frozen=True, slots=True)
class _Way:
    """key: the sizes of its program's symbols; untold: empty arrays that tell those which no argument does."""

    key: tuple[int, ...]
    untold: list[Any]


def _holds(program: Program, sizes: Mapping[str, int]) -> bool:
    """Whether every operation makes what it is said to make, for these sizes, or for any."""
    try:
        with deciding(_undecided):
            check_concrete(program, sizes)
    except GuardError:
        return False
    return True


def _undecided(relation: str, dim: Dim) -> bool:
    raise GuardError(f"whether {dim} {relation} 0 depends on the sizes")
