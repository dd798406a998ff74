"""A profile: what was collected, as rows per kernel, line, layer, eager op, phase of compiling (shown: profile_views).

Times of a kernel's lines and layers are its own time, split by the work of the operations that it carries out.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from ...base.location import Loc
from ...base.shown import Shown
from ...ops.dims import DimLike, evaluate
from ..schedule.program_steps import ProgramStep
from .profile_views import as_dict, as_html, as_text, trace_text, write_text
from .step_work import CONTROL, PYTHON, StepFacts, dtype_of, facts_of, parts_of_step, unfused_bytes, work

OUTSIDE = "(outside layers)"


@dataclass(frozen=True, slots=True)
class ProfileEvent:
    """One thing that took time: its kind ("call", "python", "op", "compile", "range"), nanoseconds, thread."""

    kind: str
    name: str
    start: int
    end: int
    thread: int
    place: Loc | None = None
    owner: int = 0


@dataclass(slots=True)
class EagerSum:
    """Sums over the calls of one eager op at one line."""

    calls: int = 0
    nanoseconds: int = 0
    bytes: int = 0
    work: int | None = 0

    def add_work(self, more: DimLike | None) -> None:
        """Add a call's operations; unknown once means unknown."""
        self.work = None if more is None or self.work is None else self.work + int(more)


@dataclass(frozen=True, slots=True)
class ProgramNotes:
    """What ran of one binding of a program."""

    owner: int
    name: str
    sizes: Mapping[str, int]
    steps: list[ProgramStep]  # of each row of the VM's table
    sums: Any  # per row: nanoseconds, calls
    events: Any  # row, start, end
    dropped: int
    calls: int
    nanoseconds: int
    python: Mapping[int, list[int]]  # row -> nanoseconds and calls of Python code that the program called


@dataclass(slots=True)
class ProfileRow:
    """One line of a table. bytes and work are of all calls together; work is None where nobody knows it."""

    name: str
    kind: str
    calls: int = 0
    seconds: float = 0.0
    bytes: float = 0.0
    work: float | None = 0.0
    place: Loc | None = None
    layer: str = ""
    program: str = ""
    least: float = 0.0  # seconds that the machine needs at least for this work and these bytes

    @property
    def achieved(self) -> float | None:
        """The share of the machine's measured limit that was reached; None where there is nothing to compare.

        At most 1: what beats the measured limit shows that this was measured too low.
        """
        return min(1.0, self.least / self.seconds) if self.least and self.seconds else None

    def add(self, calls: int, seconds: float, bytes_: float, work_: float | None) -> None:
        """Count more calls in."""
        self.calls += calls
        self.seconds += seconds
        self.bytes += bytes_
        self.work = None if work_ is None or self.work is None else self.work + work_


@dataclass(slots=True)
class Profile:
    """What `profile()` gives; complete when its block has ended. Prints as tables, also in notebooks."""

    started: int = 0
    ended: int = 0
    programs: list[ProgramNotes] = field(default_factory=list)
    eager: dict[tuple[str, Loc, str], EagerSum] = field(default_factory=dict)
    events: list[ProfileEvent] = field(default_factory=list)
    dropped: int = 0

    @property
    def seconds(self) -> float:
        """The wall time of the block."""
        return max(0, self.ended - self.started) / 1e9

    @property
    def kernels(self) -> list[ProfileRow]:
        """What compiled programs ran: kernels, matmuls, copies, Python callbacks. The longest first."""
        from .machine_model import machine_model  # measures the machine: only where somebody looks

        rows: dict[Any, ProfileRow] = {}
        for program in self.programs:
            for step, seconds, calls in _times(program):
                facts = facts_of(step)
                place = step.operation.loc if step.operation is not None and facts.kind != CONTROL else None
                layer = place.layer if place is not None else ""
                key = (facts.kind, facts.name, program.name, place, layer)
                row = rows.setdefault(
                    key, ProfileRow(facts.name, facts.kind, 0, 0.0, 0.0, 0.0, place, layer, program.name)
                )
                moved, done = _number(facts.bytes, program), _number(facts.work, program)
                row.add(calls, seconds, (moved or 0.0) * calls, None if done is None else done * calls)
                if facts.kind not in (CONTROL, PYTHON):
                    costly = _number(facts.functions, program) or 0.0
                    least = machine_model().seconds(facts.kind, done or 0.0, moved or 0.0, costly, dtype_of(step))
                    row.least += least * calls
        return _sorted(rows.values())

    @property
    def steps(self) -> dict[ProgramStep, tuple[float, int]]:
        """Seconds and calls of each step of compiled programs that ran, by the step itself."""
        found: dict[ProgramStep, tuple[float, int]] = {}
        for program in self.programs:
            for step, seconds, calls in _times(program):
                before = found.get(step, (0.0, 0))
                found[step] = before[0] + seconds, before[1] + calls
        return found

    @property
    def ops(self) -> list[ProfileRow]:
        """Eager operations, per op and line. The longest first."""
        rows = [
            ProfileRow(name, "op", s.calls, s.nanoseconds / 1e9, float(s.bytes), s.work, place, layer)
            for (name, place, layer), s in self.eager.items()
        ]
        return _sorted(rows)

    @property
    def lines(self) -> list[ProfileRow]:
        """The user's lines, of compiled and eager code together. The longest first."""
        return self._by(lambda place: place.short(), lambda place: (place.file, place.line))

    @property
    def layers(self) -> list[ProfileRow]:
        """Layers by their paths, each with its own time, without that of the layers in it. The longest first."""
        return self._by(lambda place: place.layer or OUTSIDE, lambda place: place.layer or OUTSIDE)

    def _by(self, name: Callable[[Loc], str], key: Callable[[Loc], Any]) -> list[ProfileRow]:
        rows: dict[Any, ProfileRow] = {}

        def row_of(place: Loc) -> ProfileRow:
            return rows.setdefault(key(place), ProfileRow(name(place), "line", place=place, layer=place.layer))

        for program in self.programs:
            for step, seconds, calls in _times(program):
                for place, part, moved, done in _parts(step, facts_of(step), program):
                    row_of(place).add(calls, seconds * part, moved * calls, None if done is None else done * calls)
        for (_, place, layer), s in self.eager.items():
            where = Loc(place.file, place.line, 0, None, layer)
            row_of(where).add(s.calls, s.nanoseconds / 1e9, float(s.bytes), s.work)
        return _sorted(rows.values())

    @property
    def phases(self) -> list[ProfileRow]:
        """Compiling: capture, each pass, lowering, kernels compiled or loaded; each without what it contains."""
        rows: dict[str, ProfileRow] = {}
        for event, own in _own_times([e for e in self.events if e.kind == "compile"]):
            rows.setdefault(event.name, ProfileRow(event.name, "phase")).add(1, own / 1e9, 0.0, None)
        return _sorted(rows.values())

    @property
    def ranges(self) -> list[ProfileRow]:
        """What the user named (`RecordEvent`), by name. The longest first."""
        rows: dict[str, ProfileRow] = {}
        for event in self.events:
            if event.kind == "range":
                row = rows.setdefault(event.name, ProfileRow(event.name, "range"))
                row.add(1, (event.end - event.start) / 1e9, 0.0, None)
        return _sorted(rows.values())

    @property
    def summary(self) -> dict[str, float]:
        """Seconds: the whole block; of it compiled programs, Python that they call, eager ops, compiling, the rest."""
        python = sum(ns for p in self.programs for ns, _ in p.python.values()) / 1e9
        parts = {
            "programs": sum(p.nanoseconds for p in self.programs) / 1e9,
            "callbacks": python,
            "eager": sum(s.nanoseconds for s in self.eager.values()) / 1e9,
            "compiling": sum(row.seconds for row in self.phases),
        }
        return {"wall": self.seconds, **parts, "rest": max(0.0, self.seconds - sum(parts.values()))}

    # ---- shown and written

    def to_dict(self) -> dict[str, Any]:
        """All rows as plain data."""
        return as_dict(self)

    def to_json(self, path: str | os.PathLike[str] | None = None) -> str:
        """All rows as JSON; also written to a file, if one is named. ArgumentError for a file that can't be written."""
        return write_text(self.to_dict(), path)

    def export(self, path: str | os.PathLike[str]) -> Path:
        """Write a trace that Chrome (chrome://tracing) and Perfetto (ui.perfetto.dev) show; its path.

        Errors: ArgumentError for a file that can't be written.
        """
        return trace_text(self, path)

    def table(self, *, rows: int = 20) -> Shown:
        """The tables, at most so many rows of each."""
        return Shown(as_text(self, rows))

    def __str__(self) -> str:
        return as_text(self, 20)

    __repr__ = __str__

    def _repr_html_(self) -> str:
        return as_html(self, 20)


def _sorted(rows: Iterable[ProfileRow]) -> list[ProfileRow]:
    return sorted(rows, key=lambda row: -row.seconds)


def _times(program: ProgramNotes) -> Iterable[tuple[ProgramStep, float, int]]:
    """Each step that ran, with its seconds and calls; rows of one step together."""
    found: dict[ProgramStep, list[float]] = {}
    for row, step in enumerate(program.steps):
        nanoseconds, calls = (int(n) for n in program.sums[row])
        in_python, times = program.python.get(row, (0, 0))
        if calls or times:
            sums = found.setdefault(step, [0.0, 0.0])
            sums[0] += nanoseconds + in_python
            sums[1] = max(sums[1], calls + times)
    return [(step, ns / 1e9, int(calls)) for step, (ns, calls) in found.items()]


def _parts(
    step: ProgramStep, facts: StepFacts, program: ProgramNotes
) -> Iterable[tuple[Loc, float, float, float | None]]:
    """The places that a step comes from: share of its time, bytes, work."""
    parts = list(parts_of_step(step))
    if not parts:
        return
    weights = []
    for part in parts:
        done, moved = _number(work(part), program), _number(unfused_bytes(part), program)
        weights.append((done or 0.0) + (moved or 0.0) / 8)
    total = sum(weights)
    shares = [w / total for w in weights] if total else [1 / len(parts)] * len(parts)
    moved_in_all = _number(facts.bytes, program) or 0.0
    for part, share in zip(parts, shares, strict=True):
        yield part.loc, share, moved_in_all * share, _number(work(part), program)


def _number(dim: DimLike | None, program: ProgramNotes) -> float | None:
    """A polynomial at the program's sizes; None for unknown, and for sizes that only the run knew."""
    if dim is None or isinstance(dim, int):
        return None if dim is None else float(dim)
    value = evaluate(dim, program.sizes)
    return float(value) if isinstance(value, (int, np.integer)) else None


def _own_times(events: list[ProfileEvent]) -> Iterable[tuple[ProfileEvent, int]]:
    """Each event with its time without the events inside it, thread by thread."""
    own = [e.end - e.start for e in events]
    open_: dict[int, list[int]] = {}
    for k in sorted(range(len(events)), key=lambda k: (events[k].start, -events[k].end)):
        stack = open_.setdefault(events[k].thread, [])
        while stack and events[stack[-1]].end < events[k].end:
            stack.pop()
        if stack and events[stack[-1]].end >= events[k].end and events[stack[-1]].start <= events[k].start:
            own[stack[-1]] -= events[k].end - events[k].start
        stack.append(k)
    return [(e, max(0, t)) for e, t in zip(events, own, strict=True)]
