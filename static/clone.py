"""Copies of recorded programs: whole, or as they are in testing."""

from __future__ import annotations

from ..ir.core import Block, Operation, Value
from ..ir.walk import clone_operation
from ..jit.trace.tracer import Lifted
from .recorder import Modes, Recorder, Write


def copy_recorder(source: Recorder, target: Recorder, *, for_test: bool) -> None:
    """Fill an empty recorder with the operations of another; `target.counterparts` maps its values to the copies."""
    source.note_writes()
    mapping: dict[Value, Value] = {}
    program, copy = source.program, target.program
    for name, value in zip(program.feeds, program.feed_values, strict=True):
        mapping[value] = copy.add_feed(name, value.tensor_type)
    for entry, value in zip(program.state, program.state_values, strict=True):
        mapping[value] = copy.add_state(entry.name, value.tensor_type, entry.kind)
    end = source.forward_end if for_test and source.forward_end is not None else len(program.body.operations)
    copies = _copy(program.body, copy.body, mapping, source.modes if for_test else [], end)
    target.first_values = {copies[o]: step for o, step in source.first_values.items() if o in copies}
    target.roles = {copies[o]: role for o, role in source.roles.items() if o in copies}
    target.stages = {copies[o]: stage for o, stage in source.stages.items() if o in copies}
    copy.constraints = list(program.constraints)
    target.callbacks = dict(source.callbacks)
    target.layers, target.tables = source.layers.copy(), dict(source.tables)
    target.initialised = dict(source.initialised)
    for key, lifted in source.lifted.items():
        target.lifted[key] = Lifted(mapping[lifted.value], lifted.cell, lifted.tensor, lifted.array)
    for write in source.writes:
        if (write.test or not for_test) and write.value in mapping:
            target.current[id(write.cell)] = mapping[write.value]
            target.writes.append(Write(write.cell, mapping[write.value], write.test))
    target.blocked = {mapping[v] for v in source.blocked if v in mapping}
    if not for_test:
        target.forward_end = source.forward_end
        for way in source.modes:
            if way.block is program.body and all(v in mapping for v in way.results):
                results = [mapping[v] for v in way.results]
                target.modes.append(Modes(way.first, copy.body, results, way.test_operations, way.test_results))
    target.counterparts = {
        **{old: mapping[new] for old, new in source.counterparts.items() if new in mapping},
        **mapping,
    }


def _copy(
    source: Block, target: Block, mapping: dict[Value, Value], modes: list[Modes], end: int
) -> dict[Operation, Operation]:
    copies = {}
    ways = [way for way in modes if way.block is source]
    for number, operation in enumerate(source.operations[:end]):
        for way in ways:
            if way.first == number:
                for other in way.test_operations:
                    target.append(clone_operation(other, mapping))
        copies[operation] = clone_operation(operation, mapping)
        target.append(copies[operation])
        for way in ways:
            for result, other_result in zip(way.results, way.test_results, strict=True):
                if result in operation.results:
                    mapping[result] = mapping[other_result]
    return copies
