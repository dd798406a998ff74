"""Which operations of a static program belong to which stage of a pipeline, and what travels between the stages."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from ...base.errors import ArgumentError
from ...dygraph.tensor import Parameter
from ...ir.core import Operation, Value
from ...ir.walk import free_values
from ...passes.autodiff.reverse import passes_gradient
from ...static.recorder import Recorder

Border = tuple[Value, int]  # what an earlier stage makes, and a later stage that reads it


def reads(operation: Operation) -> Iterator[Value]:
    """What an operation reads, in its blocks, too."""
    yield from operation.operands
    for block in operation.blocks:
        yield from free_values(block)


@dataclass(slots=True)
class Stages:
    """The operations of a program's forward part, and their stages.

    Constants, random numbers, counters, and what no `device_guard` stands around and depends on feeds alone, belong to
    no stage: each one that needs them computes them. `common`: those of them that are equal for all parts of a batch.
    """

    operations: list[Operation]
    places: dict[Operation, int]
    common: set[Operation]

    def of(self, value: Value) -> int | None:
        """The stage that makes a value; None for feeds, state, and what belongs to no stage."""
        return None if value.operation is None else self.places.get(value.operation)

    @property
    def count(self) -> int:
        """How many stages there are."""
        return max(self.places.values(), default=0) + 1

    def needed(self, stage: int, also: Sequence[Value]) -> list[Operation]:
        """What a stage runs, in order: its own operations, and those of no stage that lead to these or to `also`."""
        wanted = set(also)
        found = []
        for operation in reversed(self.operations):
            place = self.places.get(operation)
            if place == stage or (place is None and not wanted.isdisjoint(operation.results)):
                wanted.update(reads(operation))
                found.append(operation)
        return found[::-1]

    def borders(self) -> list[Border]:
        """What a later stage reads, once for each stage that does, in the order in which it is made."""
        readers: dict[Value, set[int]] = {r: set() for operation in self.operations for r in operation.results}
        for operation, stage in self.places.items():
            for value in reads(operation):
                if self.of(value) not in (None, stage):
                    readers[value].add(stage)
        return [(value, stage) for value, stages in readers.items() for stage in sorted(stages)]


def stages_of(recorder: Recorder, together: bool) -> Stages:
    """The stages of a program without gradients. together: all in one.

    An operation that no `device_guard` stands around belongs to the latest stage that it reads from.
    Errors: ArgumentError for an operation that reads from a later stage, and for state that two stages share and write.
    """
    operations = list(recorder.program.body.operations)
    everywhere, common = _of_no_stage(recorder, operations)
    found = Stages(operations, {}, common)
    for operation in operations:
        if operation in everywhere:
            continue
        latest = max((found.of(value) or 0 for value in reads(operation)), default=0)
        stage = 0 if together else recorder.stages.get(operation, latest)
        if stage < latest:
            raise ArgumentError(
                f"{operation.name} of stage {stage} reads what stage {latest} makes", loc=operation.loc,
                remedy="let the numbers of device_guard grow along the program",
            )  # fmt: skip
        found.places[operation] = stage
    _check_state(recorder, found)
    return found


def _of_no_stage(recorder: Recorder, operations: Sequence[Operation]) -> tuple[set[Operation], set[Operation]]:
    """Operations that each stage can compute for itself, and those of them that are equal for all parts of a batch."""
    written = {id(write.cell): write.value for write in recorder.writes}
    lifted = {k: e for k, e in recorder.lifted.items() if not isinstance(e.tensor, Parameter)}
    state = {entry.value: written.get(key) for key, entry in lifted.items()}
    feeds = set(recorder.program.feed_values)
    found, _ = _known(operations, state, feeds, lambda operation: operation not in recorder.stages)
    drawn = {value for value in state if any(user.op.family == "random" for user, _ in value.uses)}
    _, common = _known(operations, {v: now for v, now in state.items() if v not in drawn}, set(), lambda _: False)
    return found | common, common


def _known(
    operations: Sequence[Operation], state: dict[Value, Value | None], feeds: set[Value],
    reads_feeds: Callable[[Operation], bool],
) -> tuple[set[Operation], set[Operation]]:  # fmt: skip
    """The operations that read state, and what is computed of it, alone, or feeds, too, where they may; without feeds.

    State is left out that other operations write: it maps to the values written.
    """
    left = dict(state)
    while True:
        known = {*left}
        without = _closed(operations, known, lambda _: True)
        known |= feeds
        found = without | _closed(operations, known, reads_feeds)
        wrong = [value for value, now in left.items() if now is not None and now not in known]
        if not wrong:
            return found, without
        for value in wrong:
            del left[value]


def _closed(operations: Sequence[Operation], known: set[Value], allowed: Callable[[Operation], bool]) -> set[Operation]:
    """The allowed operations without effects that read known values only; `known` learns their results."""
    found = set()
    for operation in operations:
        if operation.is_pure and known.issuperset(reads(operation)) and allowed(operation):
            known.update(operation.results)
            found.add(operation)
    return found


def _check_state(recorder: Recorder, found: Stages) -> None:
    """Errors: ArgumentError for state that one stage writes and another one reads, as it was before."""
    writers = {id(write.cell): found.of(write.value) for write in recorder.writes}
    entries = {e.value: (writers.get(key), e.tensor.name) for key, e in recorder.lifted.items()}
    for operation, stage in found.places.items():
        for value in reads(operation):
            writer, name = entries.get(value, (None, ""))
            if writer not in (None, stage):
                raise ArgumentError(f"stage {stage} reads {name}, which stage {writer} writes", loc=operation.loc,
                                    remedy="read and write it in the same stage")  # fmt: skip


def leading_from(operations: Sequence[Operation], sources: Iterable[Value]) -> set[Value]:
    """The values to whose sources gradients go back, if they get one, and the sources."""
    found = set(sources)
    for operation in operations:
        if passes_gradient(operation) and not found.isdisjoint(reads(operation)):
            found.update(operation.results)
    return found


def state_read(operations: Sequence[Operation], known: dict[Value, Any]) -> list[Any]:
    """What operations read of the state, in the order of `known`, which maps values to variables."""
    read = {value for operation in operations for value in reads(operation)}
    return [x for value, x in known.items() if value in read]
