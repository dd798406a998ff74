"""Operations of a block as one `group` operation, whose operands are what they read; and groups dissolved again.

Which operations make the pieces of a few elements that a concat puts side by side: they become one unit of fusion.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ...ir.core import Block, Operation, Value
from ...ir.dynamic_sizes import is_dynamic
from ...ir.walk import attrs_key, clone_operation, holder_in, users_in, walk
from ...ops.control import group as group_row
from ...ops.control import yield_
from ...ops.dims import product, same_dim, same_shape
from .fusion_facts import is_free, is_native, without_ones

if TYPE_CHECKING:
    from .fuse import Fusion, Unit

MOST_PIECES = 4  # elements side by side that one kernel stores: of more, a copy of all pieces takes no longer


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
        key = attrs_key(operation.attrs)
        for made in body.operations:
            if made.op is operation.op and attrs_key(made.attrs) == key and made.result.type == value.type:
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


def join_pieces(fusion: Fusion, most_operations: int) -> None:
    """Make the pieces of each narrow concat one unit, with those operations over the same elements that only they read.

    So the parts of complex numbers are made by one kernel, which stores them side by side (fuse.py).
    """
    for operation in fusion.block.operations[:-1]:
        is_alone = operation.name == "concat" and len(fusion.unit[operation].operations) == 1
        if is_alone and is_native(operation) and not is_dynamic(operation) and _is_narrow(operation):
            unit = _joined(fusion, operation, most_operations)
            while unit is not None and _take_maker(fusion, unit, most_operations):
                pass


def _is_narrow(concat: Operation) -> bool:
    axis, shape = concat.attrs["axis"], concat.result.tensor_type.shape
    width = product(shape[axis:])
    first = concat.operands[0].tensor_type.shape
    same = all(same_shape(v.tensor_type.shape, first) for v in concat.operands)
    return same and isinstance(width, int) and width <= MOST_PIECES and not all(same_dim(d, 1) for d in shape[:axis])


def _joined(fusion: Fusion, concat: Operation, most_operations: int) -> Unit | None:
    """The unit of all pieces of a concat; None where they have none."""
    shape = concat.operands[0].tensor_type.shape
    units: dict[Unit, None] = {}
    for value in concat.operands:
        unit = fusion.unit.get(value.operation) if value.operation is not None else None
        if unit is None or not unit.fusible or unit.axes is not None or not same_shape(unit.domain, shape):
            return None
        units[unit] = None
    first, *others = units
    if sum(len(unit.operations) for unit in units) > most_operations:
        return None
    for unit in others:
        if fusion.reaches(unit, first, direct=True) or fusion.reaches(first, unit, direct=True):
            return None
        fusion.merge(unit, first, shape, None, "pieces of one array")
    return first


def _take_maker(fusion: Fusion, unit: Unit, most_operations: int) -> bool:
    """Have a unit take another one over the same elements of which only it reads anything."""
    for maker in list(unit.needs):
        readers = {
            fusion.unit.get(user)
            for o in maker.operations
            for value in o.results
            for user in users_in(fusion.block, value)
        } - {maker}
        if (
            readers == {unit}
            and maker.fusible
            and maker.axes is None
            and same_shape(without_ones(maker.domain), without_ones(unit.domain))
            and len(maker.operations) + len(unit.operations) <= most_operations
            and not fusion.reaches(maker, unit, direct=False)
            and not fusion.repeats(maker, unit)
        ):
            fusion.merge(maker, unit, unit.domain, None, "pieces of one array")
            return True
    return False
