"""The layers of a program: how many parameters each reads, by the layer's path."""

from __future__ import annotations

from ...ir.core import Operation, Program, Value
from ...ir.walk import walk
from ...ops.types import TensorType
from ...runtime.observe.step_titles import FORWARD, role_of


def parameters_of(program: Program) -> dict[str, dict[str, int]]:
    """For each layer the parameters that its operations read, with their elements. The layer's path as places have it.

    A parameter belongs to the layer that reads it first.
    """
    entries = {
        value: entry.name
        for value, entry in zip(program.body.args[len(program.feeds) :], program.state, strict=True)
        if entry.kind == "parameter"
    }
    found: dict[str, dict[str, int]] = {}
    owned: set[Value] = set()
    for operation in walk(program.body):
        if operation.loc.layer and role_of(operation) == FORWARD:
            for value in _read(operation):
                if value in entries and value not in owned:
                    owned.add(value)
                    found.setdefault(operation.loc.layer, {})[entries[value]] = _elements(value)
    return found


def _read(operation: Operation) -> list[Value]:
    return [v for v in operation.operands if v.operation is None]


def _elements(value: Value) -> int:
    count = 1
    for dim in value.type.shape if isinstance(value.type, TensorType) else ():
        count *= dim if isinstance(dim, int) else 0
    return count
