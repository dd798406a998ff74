"""Operations of a block as one `group` operation, whose operands are what they read; and groups dissolved again."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ...ir.core import Block, Operation, Value
from ...ir.walk import clone_operation, holder_in, walk
from ...ops.control import group as group_row
from ...ops.control import yield_
from .fusion_facts import is_free


def outline(operations: Sequence[Operation], attrs: Mapping[str, Any], block: Block) -> Operation:
    """Move operations of `block` into the block of one `group` operation and return it (not yet placed)."""
    inside = set(operations)
    outputs = [r for o in operations for r in o.results if any(holder_in(block, u) not in inside for u, _ in r.uses)]
    body = Block()
    inputs: dict[Value, Value] = {}
    for operation in operations:
        for k, value in enumerate(operation.operands):
            if value.operation in inside:
                continue
            operation.set_operand(k, _bring_in(value, inputs, body))
    for operation in operations:
        body.append(operation)
    made = Operation(group_row, list(inputs), dict(attrs), [o.type for o in outputs], [body], operations[-1].loc)
    made.parent = block
    for result, output in zip(made.results, outputs, strict=True):
        for user, k in list(output.uses):
            if holder_in(block, user) not in inside and user.parent is not body:
                user.set_operand(k, result)
        result.hint = output.hint
    body.append(Operation(yield_, outputs, {}, [], [], made.loc))
    return made


def _bring_in(value: Value, inputs: dict[Value, Value], body: Block) -> Value:
    """A block argument for an outside value, or a copy of it where it is free."""
    if value in inputs:
        return inputs[value]
    operation = value.operation
    if operation is not None and is_free(operation) and not operation.operands:
        copies = body.operations
        for made in copies:
            if made.op is operation.op and made.attrs == operation.attrs and made.result.type == value.type:
                return made.result
        return body.append(clone_operation(operation, {})).result
    inputs[value] = body.add_arg(value.type, value.hint)
    return inputs[value]


def dissolve_groups(block: Block) -> bool:
    """Put the operations of each `group`, in a block and inside it, where the group stands; whether there was one."""
    found = [o for o in walk(block) if o.op is group_row]
    for operation in found:
        inner, outer = operation.blocks[0], operation.parent
        assert outer is not None
        for arg, value in zip(inner.args, operation.operands, strict=True):
            arg.replace_by(value)
        for result, value in zip(operation.results, inner.yields, strict=True):
            result.replace_by(value)
        made = inner.operations[:-1]
        inner.terminator.erase()
        for new in made:
            new.parent = outer
        place = outer.operations.index(operation)
        inner.operations = []
        outer.operations[place:place] = made
        operation.erase()
    return bool(found)
