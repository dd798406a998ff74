"""Runs pieces of a program over sizes that only a run knows: natively where there is enough work, else by NumPy.

The sizes alone decide, so equal calls give equal bits.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol

import numpy as np

from ....base.errors import GuardError
from ....ir.concrete import check_concrete
from ....ir.core import Program
from ....ir.interpret import bind_sizes
from ....ops.dims import Dim, deciding, evaluate
from ..host import Place, run_step
from ..program_steps import PieceStep

LEAST_WORK = 4096  # elements: NumPy does less in the time that a call, and its tables for new sizes, take
MOST_SHAPES = 1024  # of which it is known whether they fit


class Runs(Protocol):
    """A compiled program."""

    def run(self, feeds: Any) -> list[Any]:
        """One call."""


class NativePieces:
    """The pieces of one program, each compiled when it is first worth it."""

    def __init__(self, compiled: Callable[[Program], Runs]) -> None:
        self._compiled = compiled
        self._made: dict[PieceStep, Runs] = {}
        self._proven: dict[PieceStep, bool] = {}  # whether they fit whatever the sizes are
        self._fits: dict[tuple[PieceStep, tuple[tuple[int, ...], ...]], bool] = {}

    def run(self, step: PieceStep, place: Place, callbacks: Mapping[str, Callable[..., Any]]) -> None:
        """Run the members of a piece."""
        feeds = self._feeds(step, place)
        if feeds is None:
            for member in step.members:  # NumPy says what is wrong, too, where sizes don't fit
                run_step(member, place, callbacks)
            return
        if step not in self._made:
            assert step.program is not None
            self._made[step] = self._compiled(step.program)
        place.write(step.kept, self._made[step].run(feeds))
        place.tell(step)

    def _feeds(self, step: PieceStep, place: Place) -> list[Any] | None:
        """The arguments of a piece's program; None where it isn't worth it, or the sizes don't fit together."""
        given = place.read(step)
        try:
            work, *untold = [evaluate(dim, place.sizes) for dim in (step.work, *step.untold)]
        except ZeroDivisionError:  # a size of 0 in a reshape: the members say so
            return None
        if not isinstance(work, int) or work < LEAST_WORK or not all(isinstance(n, int) for n in untold):
            return None
        pairs = zip(step.inputs, given, strict=True)
        feeds = [a for (v, _), a in pairs if v.operation is None or v.operation.name != "constant"]
        feeds += [np.empty((n, 0), np.bool_) for n in untold]
        return feeds if self._fit(step, feeds) else None

    def _fit(self, step: PieceStep, feeds: list[Any]) -> bool:
        """Whether arrays of these shapes are what the operations took for granted: sizes of two names may be equal."""
        assert step.program is not None
        if step not in self._proven:
            self._proven[step] = _holds(step.program, {})
        key = step, tuple([a.shape for a in feeds])
        if not self._proven[step] and key not in self._fits:
            if len(self._fits) >= MOST_SHAPES:
                self._fits.clear()
            self._fits[key] = _holds(step.program, bind_sizes(step.program, feeds))
        return self._proven[step] or self._fits[key]


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
