"""Sizes of arguments that kernels must know (rows with `known_axes`): a program for each, up to a limit.

Calls with further sizes share one program in which these are open, so that their number bounds nobody's memory.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from ...ops.dims import Dim
from ...ops.types import TensorType
from .recompiles import Change

MOST = 8  # programs of a family for sizes that differ
Shapes = tuple[tuple[int, ...], ...]
Place = tuple[int, int]  # an argument, an axis


@dataclass(slots=True, eq=False)
class KnownSizes:
    """The places of such sizes among a family's arguments, and the calls for which there are programs."""

    places: dict[Place, str] = field(default_factory=dict)  # the row that asks
    served: list[Shapes] = field(default_factory=list)

    def _of(self, shapes: Shapes) -> tuple[int, ...]:
        return tuple(shapes[k][axis] for k, axis in self.places)

    def take(self, shapes: Shapes) -> bool:
        """Whether the program for such a call knows these sizes."""
        served = {self._of(s) for s in self.served}
        return bool(self.places) and (self._of(shapes) in served or len(served) < MOST)

    def learn(self, asked: Mapping[str, str], types: Sequence[TensorType], declared: Container[Place]) -> bool:
        """Take in the symbols that a trace with these types of its arguments asked for; whether there are new places.

        declared: places that the user left open, which stay open.
        """
        before = len(self.places)
        for k, kind in enumerate(types):
            for axis, size in enumerate(kind.shape):
                if isinstance(size, Dim) and str(size) in asked and (k, axis) not in declared:
                    self.places[k, axis] = asked[str(size)]
        return len(self.places) > before

    def serve(self, shapes: Shapes) -> None:
        """Note that such calls have a program which knows their sizes, as the first one has in any case."""
        if not self.served or (self.places and self._of(shapes) not in map(self._of, self.served)):
            self.served.append(shapes)

    def changes(self, shapes: Shapes, names: Sequence[str]) -> Iterator[Change]:
        """Why a call needs another program: what sizes of it are new."""
        for (k, axis), row in self.places.items():
            size = shapes[k][axis]
            if size not in [s[k][axis] for s in self.served]:
                most = f"a program for each size, up to {MOST}"
                text = most if self.take(shapes) else f"{most}, and one for all others"
                yield Change(names[k], "known", f"axis {axis} of {names[k]} is {size} now: {row} has {text}")
