"""A recorded program made ready to run: its updates and fetches at the end, without what nobody needs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from ..ir.builder import Builder
from ..ir.core import Program as IrProgram
from ..ir.core import Value
from ..ir.walk import clone_program
from ..jit.trace.tracer import Lifted
from ..ops.dims import Dim
from ..passes.algebra.dce import DeadCode


@dataclass(slots=True)
class Built:
    """A program to compile, and where its arguments come from."""

    program: IrProgram
    feeds: list[str]
    state: list[Lifted]
    updated: set[int] = field(default_factory=set)  # cells


def finished(
    program: Any, fetches: Sequence[Value] = (), names: Sequence[str] = (), prune: bool = False, clean: bool = True
) -> Built:
    """A copy of the program that returns `fetches`. prune: leave out updates of state; clean: and what nobody needs."""
    recorder = program.recorder
    recorder.note_writes()
    mapping: dict[Value, Value] = {}
    made = clone_program(recorder.program, mapping)
    builder = Builder(made.body)
    updated: set[int] = set()
    entries = list(recorder.lifted.items())
    for key, entry in entries:
        now = recorder.current.get(key)
        if now is not None and now is not entry.value and not prune:
            builder.loc = now.operation.loc if now.operation is not None else builder.loc
            builder.update(mapping[entry.value], mapping[now])
            updated.add(key)
    ends = [v.operation.loc for v in fetches if v.operation is not None]
    builder.loc = ends[0] if ends else builder.loc
    builder.return_([mapping[v] for v in fetches])
    made.fetch_names = list(names)
    if not clean:
        return Built(made, list(made.feeds), [e for _, e in entries], updated)
    DeadCode().run(made)
    return Built(*_without_unused(made, [e for _, e in entries], mapping), updated)


def _without_unused(
    made: IrProgram, entries: list[Lifted], mapping: dict[Value, Value]
) -> tuple[IrProgram, list[str], list[Lifted]]:
    """Drop feeds and state that no operation reads; sizes that a kept value needs keep their feed."""
    by_value = {mapping[e.value]: e for e in entries}
    needed = _symbols_read(made)
    feeds, values, covered = [], [], set[str]()
    for name, value in zip(made.feeds, made.feed_values, strict=True):
        symbols = {s for d in value.shape if hasattr(d, "symbols") for s in d.symbols()}
        if value.uses or (symbols & needed) - covered:
            feeds.append(name)
            values.append(value)
            covered |= symbols
    states = [v for v in made.state_values if v.uses]
    kept = [s for s, v in zip(made.state, made.state_values, strict=True) if v.uses]
    made.body.set_args([*values, *states])
    made.feeds, made.state = feeds, kept
    known = set(made.symbols)
    made.constraints = [c for c in made.constraints if c[1].symbols() <= known]
    return made, feeds, [by_value[v] for v in states]


def _symbols_read(made: IrProgram) -> set[str]:
    from ..ir.walk import walk

    found: set[str] = set()
    for operation in walk(made.body):
        for value in (*operation.operands, *operation.results):
            found |= _symbols(getattr(value.type, "shape", ()))
        found |= _symbols(tuple(operation.attrs.values()))
    return found


def _symbols(value: Any) -> set[str]:
    """The names of all sizes in an attribute or shape."""
    if isinstance(value, (tuple, list)):
        return {name for item in value for name in _symbols(item)}
    return value.symbols() if isinstance(value, Dim) else set()
