"""Traversal, cloning and structural equality of programs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from ..ops.dims import Dim, DimLike, evaluate
from ..ops.op import Op
from ..ops.types import ListType, TensorType, ValueType
from .core import Block, Operation, Program, StateEntry, Value


def walk(block: Block) -> Iterator[Operation]:
    """All operations in a block and its nested blocks, outer before inner, in order."""
    for operation in list(block.operations):
        yield operation
        for inner in operation.blocks:
            yield from walk(inner)


def walk_from(operation: Operation) -> Iterator[Operation]:
    """An operation, and all operations in its blocks."""
    yield operation
    for block in operation.blocks:
        yield from walk(block)


def read_by(operation: Operation) -> Iterator[Value]:
    """What an operation, and those in its blocks, read."""
    for one in walk_from(operation):
        yield from one.operands


def operations_of(block: Block, op: Op) -> list[Operation]:
    """The operations of one op among those that `walk` gives."""
    found = []
    for operation in block.operations:
        if operation.op is op:
            found.append(operation)
        for inner in operation.blocks:
            found += operations_of(inner, op)
    return found


def walk_together(first: Operation, second: Operation) -> Iterator[tuple[Operation, Operation]]:
    """Two operations of equal structure, and those in their blocks: what corresponds."""
    yield first, second
    for one, other in zip(first.blocks, second.blocks, strict=True):
        yield from zip(walk(one), walk(other), strict=True)


def holder_in(block: Block, operation: Operation) -> Operation | None:
    """The operation of `block` that is this one or holds it in its blocks; None where it stands outside."""
    outer: Operation | None = operation
    while outer is not None and outer.parent is not block:
        outer = outer.holder
    return outer


def users_in(block: Block, value: Value) -> list[Operation]:
    """The operations of `block` that read a value, themselves or in their blocks."""
    return [outer for user, _ in value.uses if (outer := holder_in(block, user)) is not None]


def last_reads(block: Block) -> dict[Operation, list[Value]]:
    """For operations of a block, the values that it makes and nothing reads behind them."""
    kept = {*block.terminator.operands, *block.args}
    last: dict[Value, Operation] = {}
    for operation in block.operations[:-1]:
        inner = [value for each in operation.blocks for value in free_values(each)]
        last.update(dict.fromkeys((*operation.operands, *operation.results, *inner), operation))
    found: dict[Operation, list[Value]] = {}
    for value, reader in last.items():
        if value not in kept and value.block is block:
            found.setdefault(reader, []).append(value)
    return found


def free_values(block: Block) -> list[Value]:
    """Values read inside `block` (or nested) that are made outside it, in order of first use."""
    found: dict[Value, None] = {}
    for operation in walk(block):
        for value in operation.operands:
            if not block.encloses(value.block):
                found[value] = None
    return list(found)


def map_attrs(attrs: Any, sizes: dict[str, Any]) -> Any:
    """Attributes with sizes put in for symbolic dims, also inside tuples and types."""
    if isinstance(attrs, Dim):
        return evaluate(attrs, sizes)
    if isinstance(attrs, tuple):
        return tuple(map_attrs(a, sizes) for a in attrs)
    if isinstance(attrs, dict):
        return {k: map_attrs(a, sizes) for k, a in attrs.items()}
    if isinstance(attrs, (TensorType, ListType)):
        return map_type(attrs, sizes)
    return attrs


def map_type(kind: ValueType, sizes: dict[str, Any]) -> ValueType:
    """A type with sizes put in for symbols."""
    if isinstance(kind, ListType):
        element = map_type(kind.element, sizes)
        assert isinstance(element, TensorType)
        return ListType(element)
    shape: tuple[DimLike, ...] = tuple(evaluate(d, sizes) for d in kind.shape)
    return TensorType(kind.dtype, shape)


def put_sizes(program: Program, sizes: Mapping[str, DimLike]) -> None:
    """Put other sizes for some that run-time values have, in the whole program."""
    known = dict(sizes)
    for operation in walk(program.body):
        operation.attrs = map_attrs(operation.attrs, known)
        for value in (*operation.results, *(a for block in operation.blocks for a in block.args)):
            value.type = map_type(value.type, known)


def clone_operation(
    operation: Operation, mapping: dict[Value, Value], sizes: dict[str, Any] | None = None
) -> Operation:
    """A copy whose operands go through `mapping` (values not in it stay); `mapping` learns the results.

    sizes: what is put in for symbolic dims, in types and attributes.
    """
    attrs, types = dict(operation.attrs), [r.type for r in operation.results]
    if sizes:
        attrs, types = map_attrs(attrs, sizes), [map_type(kind, sizes) for kind in types]
    made = Operation(operation.op, [mapping.get(v, v) for v in operation.operands], attrs, types, (), operation.loc)
    for old, new in zip(operation.results, made.results, strict=True):
        new.hint = old.hint
        mapping[old] = new
    for block in operation.blocks:
        made.add_block(clone_block(block, mapping, sizes))
    return made


def clone_block(block: Block, mapping: dict[Value, Value], sizes: dict[str, Any] | None = None) -> Block:
    """A copy of a block with fresh arguments; `mapping` learns all values made inside. sizes: as above."""
    made = Block()
    for arg in block.args:
        mapping[arg] = made.add_arg(map_type(arg.type, sizes) if sizes else arg.type, arg.hint)
    for operation in block.operations:
        made.append(clone_operation(operation, mapping, sizes))
    return made


def clone_program(program: Program, mapping: dict[Value, Value] | None = None) -> Program:
    """A deep copy of a program; `mapping`, if given, learns old value -> new value."""
    body = clone_block(program.body, {} if mapping is None else mapping)
    return Program(
        program.name, body, list(program.feeds), [StateEntry(s.name, s.kind) for s in program.state],
        list(program.fetch_names), list(program.constraints), program.foreign,
    )  # fmt: skip


def equal_programs(a: Program, b: Program) -> bool:
    """Whether two programs are the same but for value names and Locs."""
    same = a.name == b.name and a.feeds == b.feeds and a.state == b.state and a.constraints == b.constraints
    same = same and a.fetch_names == b.fetch_names
    return same and equal_blocks(a.body, b.body, {})


def equal_blocks(a: Block, b: Block, mapping: dict[Value, Value]) -> bool:
    """Structural equality of two blocks, given pairs of corresponding outer values."""
    if len(a.args) != len(b.args) or len(a.operations) != len(b.operations):
        return False
    mapping.update(zip(a.args, b.args, strict=True))
    if any(x.type != y.type for x, y in zip(a.args, b.args, strict=True)):
        return False
    return all(_equal_operations(x, y, mapping) for x, y in zip(a.operations, b.operations, strict=True))


def attrs_key(attrs: dict[str, Any]) -> tuple[Any, ...]:
    """A hashable form of attributes, equal only where the values are the same in type and bits.

    >>> attrs_key({"a": 1}) == attrs_key({"a": True}), attrs_key({"a": float("nan")}) == attrs_key({"a": float("nan")})
    (False, True)
    """
    return tuple([(name, _attr_key(attrs[name])) for name in sorted(attrs)]) if attrs else ()


def _attr_key(value: Any) -> Any:
    if isinstance(value, (tuple, list)):
        return tuple(_attr_key(v) for v in value)
    if isinstance(value, (float, complex)):
        return type(value), repr(value)  # NaN equals NaN, 0.0 differs from -0.0
    if isinstance(value, (bool, int)):
        return isinstance(value, bool), value
    return value


def _equal_operations(a: Operation, b: Operation, mapping: dict[Value, Value]) -> bool:
    if (
        a.op is not b.op
        or attrs_key(a.attrs) != attrs_key(b.attrs)
        or [r.type for r in a.results] != [r.type for r in b.results]
    ):
        return False
    if len(a.operands) != len(b.operands) or len(a.blocks) != len(b.blocks):
        return False
    if any(mapping.get(x, x) is not y for x, y in zip(a.operands, b.operands, strict=True)):
        return False
    mapping.update(zip(a.results, b.results, strict=True))
    return all(equal_blocks(x, y, mapping) for x, y in zip(a.blocks, b.blocks, strict=True))


def operations_after(block: Block, last: Operation | None) -> list[Operation]:
    """The operations of a block behind one of them, all where that is None. Unlike a position, it stays what it was
    when something is put before it, as what a loop keeps for its gradient is.
    """
    return block.operations[0 if last is None else block.operations.index(last) + 1 :]
