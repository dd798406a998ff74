"""What runs on the host: operations that touch a size which only a run knows, and lists that such operations touch.

Their values live in a table of the call (`Bound.table`), as arrays that NumPy makes; loops and branches that carry such
values are run whole by the reference interpreter, as one step. Everything else stays native, also around such steps.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import numpy as np

from ...ir.core import Block, Operation, Program, Value, is_list
from ...ir.dynamic_sizes import is_dynamic
from ...ir.interpret import Run
from ...ir.walk import walk
from ...ops.sizes import any_issued, runtime_names
from ...passes.autodiff.reverse import inputs_of
from ..failures import placed
from .program_steps import Buffer, InterpretedStep

Array = np.ndarray[Any, Any]


class HostPlacement:
    """Which operations and values of a program are the host's, and why."""

    def __init__(self, program: Program) -> None:
        self.values: set[Value] = set()
        self.operations: dict[Operation, str] = {}  # with the reason, for reports
        if any_issued() or any(o.name == "function" for o in walk(program.body)):
            self._classify(program)

    def has(self, value: Value) -> bool:
        """Whether a value lives in the table of the call."""
        return value in self.values

    def holds_one(self, operation: Operation) -> bool:
        """Whether an operation, or one inside it, runs on the host."""
        return operation in self.operations or any(
            o in self.operations for block in operation.blocks for o in walk(block)
        )

    def _classify(self, program: Program) -> None:
        operations = [o for o in walk(program.body) if not o.is_terminator and not _in_group(o)]
        for value in _values(program.body):
            if runtime_names(value.type):
                self.values.add(value)
        lists = _Lists(program.body)
        changed = True
        while changed:
            changed = False
            for operation in operations:
                if operation in self.operations:
                    continue
                reason = self._reason(operation)
                if reason is None:
                    continue
                self.operations[operation] = reason
                changed = True
                touched = [*inputs_of(operation), *operation.results]
                for value in [v for v in touched if is_list(v)]:
                    self.values.update(lists.group(value))

    def _reason(self, operation: Operation) -> str | None:
        if operation.name == "function":
            return self._reason_of_function(operation)
        touched = [*operation.operands, *operation.results]
        for block in operation.blocks:
            touched += block.args
        on_host = next((v for v in touched if v in self.values), None)
        if operation.blocks and operation.name != "group":
            return None if on_host is None else f"it carries {on_host.type}"
        if operation.name == "group":
            inside = any(is_dynamic(o) for o in walk(operation.blocks[0]))
            return "a size in it is known only to the run" if inside or on_host is not None else None
        if on_host is not None:
            return (
                f"{on_host.type} has a size that only the run knows"
                if not is_list(on_host)
                else "its list is on the host"
            )
        return "a size in it is known only to the run" if is_dynamic(operation) else None

    def _reason_of_function(self, operation: Operation) -> str | None:
        """A function runs whole: each call has values, and lists, of its own."""
        for inner in walk(operation.blocks[0]):
            if inner in self.operations:
                return self.operations[inner]
            if any(map(is_list, inner.results)):
                return "each call of the function has lists of its own"
        return None


class _Lists:
    """List values that are one list at different times: what one operation makes of another."""

    def __init__(self, body: Block) -> None:
        self.parent: dict[Value, Value] = {}
        for operation in walk(body):
            if operation.name in ("for", "while"):
                skip = int(operation.name == "for")
                for k, result in enumerate(operation.results):
                    if is_list(result):
                        block = operation.blocks[-1]
                        self._join(operation.operands[k + skip], block.args[k + skip], block.yields[k], result)
                        if operation.name == "while":
                            self._join(operation.blocks[0].args[k], result)
            elif operation.name == "if":
                for k, result in enumerate(operation.results):
                    if is_list(result):
                        self._join(result, *(block.yields[k] for block in operation.blocks))
            elif operation.results and is_list(operation.results[0]):
                self._join(operation.results[0], *filter(is_list, operation.operands))

    def group(self, value: Value) -> list[Value]:
        """All values that are the same list as this one."""
        root = self._root(value)
        return [value, *(v for v in self.parent if self._root(v) is root)]

    def _join(self, first: Value, *others: Value) -> None:
        for other in others:
            self.parent[self._root(other)] = self._root(first)
        self.parent.setdefault(first, first)

    def _root(self, value: Value) -> Value:
        while self.parent.setdefault(value, value) is not value:
            value = self.parent[value]
        return value


def _values(block: Block) -> Iterator[Value]:
    yield from block.args
    for operation in block.operations:
        yield from operation.results
        for inner in operation.blocks:
            yield from _values(inner)


def _in_group(operation: Operation) -> bool:
    owner = operation.parent.parent if operation.parent is not None else None
    return isinstance(owner, Operation) and owner.name == "group"


def run_step(
    step: InterpretedStep, table: dict[Value, Any], sizes: dict[str, int], callbacks: Mapping[str, Callable[..., Any]],
    view: Callable[[Buffer], Array],
) -> None:  # fmt: skip
    """Run one operation: operands from the table or from native memory, results into them. Learns sizes as it goes."""
    operation = step.operation
    assert operation is not None
    run = Run(sizes, callbacks)
    run.env = {value: table[value] if buffer is None else view(buffer) for value, buffer in step.inputs}
    with np.errstate(all="ignore"), placed(operation):
        run.operation(operation)
    for value, buffer in step.outputs:
        made = run.env[value]
        if buffer is None:
            table[value] = tuple([_own(x) for x in made]) if is_list(value) else _own(made)
        else:
            np.copyto(view(buffer), made)


def _own(array: Array) -> Array:
    """The array in memory of its own: what it may be a view of is used again by later operations."""
    return array if array.base is None else array.copy()
