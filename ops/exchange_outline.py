"""The exchanges of a captured program in their order, and where those of different ranks part.

A rank's *outline* goes with the first exchange of a program's run. Ranks may run different programs, as the stages of a
pipeline do. So only the exchanges of the group that exchanges count, and sends and receives don't. A rank that runs
eager mode, or a program that it has run before, has no outline, and isn't compared.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, TypeAlias
from weakref import WeakSet

from ..base.errors import ExchangeError
from ..base.location import Loc

NUMBER_BITS = 30
Group: TypeAlias = tuple[int, ...]
Size: TypeAlias = int | str  # of an axis; a text where only a run knows it
_REMEDY = (
    "all ranks of a group capture the same exchanges in the same order; what depends on the rank stays outside of the "
    "captured function, or has no exchange in it"
)


@dataclass(frozen=True)
class Exchanged:
    """An exchange of a program. more: its reduction and its root, as the user reads them."""

    name: str
    dtype: str
    sizes: tuple[Size, ...]
    more: str
    file: str
    line: int

    def may_equal(self, other: Exchanged) -> bool:
        """Whether both may be one exchange: sizes that only a run knows may be any."""
        if (self.name, self.dtype, self.more) != (other.name, other.dtype, other.more):
            return False
        pairs = zip(self.sizes, other.sizes, strict=False)
        return len(self.sizes) == len(other.sizes) and all(a == b or str in (type(a), type(b)) for a, b in pairs)

    def __str__(self) -> str:
        parts = [f"{self.dtype}[{', '.join(map(str, self.sizes))}]"] if self.dtype else []
        return f"{self.name}({', '.join([*parts, *([self.more] if self.more else [])])})"


@dataclass(frozen=True)
class Nested:
    """The exchanges of a loop, or of the ways of a branch, one tuple for each block."""

    name: str
    blocks: tuple[tuple[Step, ...], ...]


Step: TypeAlias = Exchanged | Nested


@dataclass(frozen=True, eq=False)
class Outline:
    """What a program exchanges in one group. program: its name."""

    program: str
    steps: tuple[Step, ...]

    @cached_property
    def number(self) -> int:
        """A checksum of the exchanges, of NUMBER_BITS and above 0; lines don't count."""
        return (zlib.crc32(repr([_plain(step) for step in self.steps]).encode()) >> 2) | 1

    @property
    def text(self) -> str:
        """All of it, for another process."""
        return json.dumps([self.program, [_packed(step) for step in self.steps]])

    @classmethod
    def parse(cls, text: str) -> Outline:
        """The outline whose `text` another process has sent."""
        program, steps = json.loads(text)
        return cls(program, tuple(_unpacked(step) for step in steps))


class Announced:
    """The outlines that go with the next exchanges of a rank: of the program that runs, where it hasn't run before."""

    def __init__(self) -> None:
        self._next: dict[Group, Outline] = {}
        self._known: WeakSet[Outline] = WeakSet()

    def begin(self, outlines: Mapping[Group, Outline], everyone: Group) -> None:
        """A program begins to run. everyone: all ranks, for which an empty group stands."""
        for group, outline in outlines.items():
            if outline not in self._known:
                self._known.add(outline)
                self._next[group or everyone] = outline

    def end(self) -> None:
        """It has run: exchanges that it didn't come to have no outline."""
        self._next.clear()

    def take(self, group: Group) -> Outline | None:
        """What goes with the exchange of a group that begins now."""
        return self._next.pop(group, None) if self._next else None

    def __contains__(self, group: Group) -> bool:
        return group in self._next


def _plain(step: Step) -> Any:
    if isinstance(step, Exchanged):
        return step.name, step.dtype, step.sizes, step.more
    return step.name, [[_plain(inner) for inner in block] for block in step.blocks]


def _packed(step: Step) -> Any:
    if isinstance(step, Exchanged):
        return [step.name, step.dtype, step.sizes, step.more, step.file, step.line]
    return [step.name, [[_packed(inner) for inner in block] for block in step.blocks]]


def _unpacked(step: Any) -> Step:
    if len(step) > 2:
        name, dtype, sizes, more, file, line = step
        return Exchanged(name, dtype, tuple(sizes), more, file, line)
    return Nested(step[0], tuple(tuple(_unpacked(inner) for inner in block) for block in step[1]))


def parting(a: Sequence[Step], b: Sequence[Step]) -> tuple[list[int], Exchanged | None, Exchanged | None] | None:
    """Where two programs surely exchange something else: the way there, and both exchanges (None: no further one).

    None: nowhere. After a loop or a branch that only one of them has nothing is sure.
    """
    for k in range(max(len(a), len(b))):
        one, two = (steps[k] if k < len(steps) else None for steps in (a, b))
        if isinstance(one, Nested) and isinstance(two, Nested):
            if one.name != two.name or len(one.blocks) != len(two.blocks):
                return None
            for block, other in zip(one.blocks, two.blocks, strict=True):
                found = parting(block, other)
                if found is not None:
                    return [k, *found[0]], *found[1:]
        elif isinstance(one, Nested) or isinstance(two, Nested):
            return None
        elif one is None or two is None or not one.may_equal(two):
            return [k], one, two
    return None


def compared(group: Group, outlines: Sequence[Outline | None]) -> ExchangeError | None:
    """The error of ranks whose programs exchange different things in their group; None where they don't."""
    known = [(rank, outline) for rank, outline in zip(group, outlines, strict=True) if outline is not None]
    if len({outline.number for _, outline in known}) < 2:
        return None
    first = known[0][1]
    for _, other in known[1:]:
        found = parting(first.steps, other.steps)
        if found is not None:
            return _error(group, known, found[0])
    return None


def _error(group: Group, known: Sequence[tuple[int, Outline]], way: Sequence[int]) -> ExchangeError:
    lines = []
    for rank, outline in known:
        step = _step_at(outline.steps, way)
        loc = Loc(step.file, step.line) if step is not None else Loc()
        shown = f"  rank {rank}, `{outline.program}`: {step or 'no further exchange'}"
        lines.append(shown + (f"   {loc.short()}  {loc.text()}".rstrip() if loc.file else ""))
    place = f"exchange {way[0] + 1}" if len(way) == 1 else f"a loop or branch, step {way[0] + 1} of their exchanges"
    return ExchangeError(f"the programs of the ranks differ at {place}:\n" + "\n".join(lines), remedy=_REMEDY)


def _step_at(steps: Sequence[Step], way: Sequence[int]) -> Exchanged | None:
    """The exchange at a place, or what is there in a loop of another rank; None: the program has ended before."""
    step = steps[way[0]] if way[0] < len(steps) else None
    if isinstance(step, Nested):
        inner = [_step_at(block, way[1:] or [0]) for block in step.blocks]
        return next((found for found in inner if found is not None), None)
    return step
