"""One operation as a program of its own, on the arrays that it read in a run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ...base import dtype as dt
from ...ir.builder import new_program
from ...ir.core import Block, Operation, Program, Value, is_list
from ...ir.walk import clone_operation, map_attrs, map_type
from ...ops.dims import Dim
from ...ops.effects import Effect
from ...ops.types import TensorType
from ...passes.autodiff.reverse import inputs_of

Array = np.ndarray[Any, Any]


def can_isolate(operation: Operation) -> bool:
    """Whether it can run alone: its values are tensors, and it isn't the program's own (updates, terminators)."""
    touched = [*inputs_of(operation), *operation.results]
    return bool(operation.results) and operation.op.effect is Effect.PURE and not any(
        map(is_list, touched)
    )  # fmt: skip


ReadOperation = tuple[Operation, Sequence[Any]]  # an operation, and the arrays that it read (what `inputs_of` names)


def isolated(steps: Sequence[ReadOperation], sizes: Mapping[str, int]) -> tuple[Program, list[Array]]:
    """A program of these operations alone, in order, of the sizes of these arrays, and its feeds; the last one's
    results are fetched. Literals stay literals.
    """
    last = steps[-1][0]
    program, builder = new_program(last.name)
    mapping: dict[Value, Value] = {}
    feeds: list[Array] = []
    for operation, read in steps:
        for value, array in zip(inputs_of(operation), read, strict=True):
            made = value.operation
            if value in mapping:
                continue
            if made is not None and made.name in ("constant", "full") and not made.operands:
                program.body.append(clone_operation(made, mapping))
                continue
            mapping[value] = program.add_feed(f"x{len(feeds)}", TensorType(dt.of_array(array), array.shape))
            feeds.append(np.array(array, order="C"))
        program.body.append(clone_operation(operation, mapping))
    builder.return_([mapping[r] for r in last.results])
    fix_sizes(program.body, dict(sizes))
    return program, feeds


def fix_sizes(block: Block, sizes: dict[str, Any]) -> None:
    """Put sizes in for the symbols of all types and attributes, in place."""
    for value in block.args:
        value.type = map_type(value.type, sizes)
    for operation in block.operations:
        operation.attrs = {
            k: v if k == "dim" and isinstance(v, int | Dim) else map_attrs(v, sizes) for k, v in operation.attrs.items()
        }
        for value in operation.results:
            value.type = map_type(value.type, sizes)
        for inner in operation.blocks:
            fix_sizes(inner, sizes)
