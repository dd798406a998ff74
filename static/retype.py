"""A program for feeds of another rank or size than declared: what its user lets pass unchecked (`need_check_feed`).

Every operation's result is inferred anew. Programs with control flow keep their types: their loops and branches were
built for the declared ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import Any

from ..base.errors import VitrifyError
from ..ir.builder import Builder
from ..ir.core import Operation, StateEntry, Value
from ..ir.core import Program as IrProgram
from ..ir.walk import map_attrs
from ..ops.dims import Dim
from ..ops.lowering import Scalar
from ..ops.op import OPS
from ..ops.types import TensorType

RESHAPE = OPS["reshape"]


def retyped(program: IrProgram, kinds: Sequence[TensorType], *, same_elements: bool = False) -> IrProgram | None:
    """A copy of a finished program whose feeds have these types; None where its operations don't take them.

    same_elements: None also where a result has another number of elements than in the program.
    """
    if any(operation.blocks for operation in program.body.operations):
        return None
    made = IrProgram(program.name)
    mapping: dict[Value, Value] = {}
    sizes: dict[str, Any] = {}
    for name, value, kind in zip(program.feeds, program.feed_values, kinds, strict=True):
        mapping[value] = made.add_feed(name, kind)
        if len(kind.shape) == len(value.shape):
            sizes.update((str(d), n) for d, n in zip(value.shape, kind.shape, strict=True) if isinstance(d, Dim))
        else:
            sizes.update(_by_elements(value.shape, kind.shape))
    for entry, value in zip(program.state, program.state_values, strict=True):
        mapping[value] = made.add_state(entry.name, value.tensor_type, entry.kind)
    made.state = [StateEntry(s.name, s.kind) for s in program.state]
    builder = Builder(made.body)
    try:
        for operation in program.body.operations:
            builder.loc = operation.loc
            operands = tuple(mapping[v] for v in operation.operands)
            if not operation.results:
                builder.emit(operation.op, list(operands), dict(operation.attrs), [])
                continue
            attrs = _moved(operation, operands, map_attrs(dict(operation.attrs), sizes))
            if attrs is None or (same_elements and _is_about_one_axis(operation, attrs)):
                return None
            made_here = builder.apply(operation.op, operands, attrs)
            results = made_here if isinstance(made_here, tuple) else (made_here,)
            if same_elements and any(_count(a) != _count(b) for a, b in zip(operation.results, results, strict=True)):
                return None
            mapping.update(zip(operation.results, results, strict=True))
    except (VitrifyError, KeyError, TypeError):
        return None
    made.fetch_names = list(program.fetch_names)
    return made


def _count(value: Value) -> Any:
    return prod(value.tensor_type.shape)


def _by_elements(declared: Sequence[Any], fed: Sequence[Any]) -> dict[str, int]:
    """The one open size of a feed of another rank: what makes up as many elements. None where it doesn't."""
    open_ones = [d for d in declared if isinstance(d, Dim)]
    rest = prod(d for d in declared if not isinstance(d, Dim))
    return {str(open_ones[0]): prod(fed) // rest} if len(open_ones) == 1 and rest and prod(fed) % rest == 0 else {}


def _is_about_one_axis(operation: Operation, attrs: dict[str, Any]) -> bool:
    """Whether the axes, which became all axes, may have been named: the operand had one."""
    return operation.attrs.get("axis") == (0,) != attrs.get("axis")


def _moved(operation: Operation, operands: Sequence[Value], attrs: dict[str, Any]) -> dict[str, Any] | None:
    """The attributes where ranks have changed: all axes stay all axes, and any other number would be about the rank."""
    before = [len(v.tensor_type.shape) for v in operation.operands]
    after = [len(v.tensor_type.shape) for v in operands]
    if before == after or isinstance(operation.op.lowering, Scalar):
        return attrs
    if operation.op is RESHAPE:
        sizes = [*attrs["shape"], *operands[0].tensor_type.shape]
        same = not any(isinstance(d, Dim) for d in sizes) and prod(attrs["shape"]) == prod(
            operands[0].tensor_type.shape
        )
        return attrs if same else None
    if attrs.get("axis") == tuple(range(before[0])):
        attrs["axis"] = tuple(range(after[0]))
        return attrs
    return None if any(isinstance(v, (int, tuple)) and not isinstance(v, bool) for v in attrs.values()) else attrs
