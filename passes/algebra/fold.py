"""Folding: what is known before the program runs is computed now, with the rows' eager kernels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...ir.core import Block, Operation, Program, Value, is_list
from ...ir.known_numbers import evaluated
from ...ops.control import yield_
from ...ops.create import ArrayData, constant, full
from ...ops.dims import Dim
from ...ops.effects import Effect
from ...ops.op import OPS, Op
from ...ops.sizes import runtime_names
from ...ops.types import TensorType
from ..manager import Pass


@dataclass(frozen=True)
class ConstantFolding(Pass):
    """Operations on literals become literals, if they hold at most `limit` elements. An `if` on a literal becomes the
    branch taken; loops with a trip count of 0 or 1 become straight-line code; checks known to hold go.
    """

    name = "fold"
    limit: int = 1024

    def run(self, program: Program) -> bool:
        return _Folder(self.limit).block(program.body)


class _Folder:
    def __init__(self, limit: int) -> None:
        self.limit = limit

    def block(self, block: Block) -> bool:
        changed = False
        done: list[Operation] = []
        todo = block.operations[::-1]
        while todo:
            operation = todo.pop()
            inlined = self.straightened(operation)
            if inlined is not None:
                todo.extend(reversed(inlined))
                changed = True
                continue
            for inner in operation.blocks:
                changed |= self.block(inner)
            folded = self.folded(operation)
            changed |= folded is not operation
            if folded is not None:
                folded.parent = block
                done.append(folded)
        block.operations = done
        return changed

    def folded(self, operation: Operation) -> Operation | None:
        """The literal that replaces an operation on literals; None for a check that holds; else the operation."""
        if operation.name == "check" and _is_true(operation.operands[0]):
            _drop(operation)
            return None
        array = self.value_of(operation)
        if array is None:
            return operation
        made = Operation(*_literal(array, operation.result.tensor_type), [operation.result.type], (), operation.loc)
        operation.result.replace_by(made.result)
        made.result.hint = operation.result.hint
        _drop(operation)
        return made

    def value_of(self, operation: Operation) -> Any | None:
        if operation.op.effect is not Effect.PURE or operation.blocks or len(operation.results) != 1:
            return None
        kind = operation.result.type
        if not isinstance(kind, TensorType) or not isinstance(kind.size, int) or kind.size > self.limit:
            return None
        if not operation.operands:
            return _literal_size(operation)
        arrays = []
        for value in operation.operands:
            array = self.literal(value)
            if array is None:
                return None
            arrays.append(array)
        return None if _has_symbols(tuple(operation.attrs.values())) else evaluated(operation, arrays, kind)

    def literal(self, value: Value) -> Any | None:
        """The array a value is known to hold; None where it isn't known or large."""
        operation = value.operation
        if operation is None or is_list(value) or operation.op.family != "create" or operation.operands:
            return None
        kind = value.tensor_type
        if not isinstance(kind.size, int) or kind.size > self.limit or _has_symbols(tuple(operation.attrs.values())):
            return None
        return evaluated(operation, [], kind)

    # -- control flow

    def straightened(self, operation: Operation) -> list[Operation] | None:
        """The operations that replace one whose path is known; None to leave it."""
        if not operation.blocks or any(runtime_names(r.type) for r in operation.results):
            return None  # sizes that it defines are named by what follows
        if operation.name == "if":
            test = self.literal(operation.operands[0])
            return None if test is None else _inlined(operation, operation.blocks[0 if test.item() else 1], [])
        if operation.name == "for":
            return self.straight_for(operation)
        if operation.name == "while":
            return self.straight_while(operation)
        return None

    def straight_for(self, operation: Operation) -> list[Operation] | None:
        count = self.literal(operation.operands[0])
        if count is None or count.item() > 1:
            return None
        if count.item() <= 0:
            return _replaced(operation, operation.operands[1:], [])
        kind = operation.blocks[0].args[0].type
        iteration = Operation(constant, (), {"data": ArrayData(np.int64(0))}, [kind], (), operation.loc)
        return [iteration, *_inlined(operation, operation.blocks[0], [iteration.result, *operation.operands[1:]])]

    def straight_while(self, operation: Operation) -> list[Operation] | None:
        """A loop whose condition is false from the start."""
        condition = operation.blocks[0]
        known: dict[Value, Any] = {a: self.literal(v) for a, v in zip(condition.args, operation.operands, strict=True)}
        for inner in condition.operations[:-1]:
            if inner.blocks or inner.op.effect is not Effect.PURE or len(inner.results) != 1:
                return None
            arrays = [known[v] if v in known else self.literal(v) for v in inner.operands]
            unknown = any(a is None for a in arrays) or _has_symbols(tuple(inner.attrs.values()))
            known[inner.result] = None if unknown else evaluated(inner, arrays, inner.result.tensor_type)
        test = condition.yields[0]
        answer = known[test] if test in known else self.literal(test)
        return None if answer is None or answer.item() else _replaced(operation, operation.operands, [])


def _inlined(operation: Operation, block: Block, arguments: Sequence[Value]) -> list[Operation]:
    for arg, value in zip(block.args, arguments, strict=True):
        arg.replace_by(value)
    yields = list(block.yields)
    moved = block.operations[:-1]
    block.terminator.drop_operands()
    block.operations = [Operation(yield_, (), {}, ())]
    return _replaced(operation, yields, moved)


def _replaced(operation: Operation, values: Sequence[Value], moved: list[Operation]) -> list[Operation]:
    for result, value in zip(operation.results, values, strict=True):
        result.replace_by(value)
    _drop(operation)
    return moved


def _drop(operation: Operation) -> None:
    operation.parent = None
    operation.erase()


def _literal(array: Any, kind: TensorType) -> tuple[Op, tuple[Value, ...], dict[str, Any]]:
    """Row, operands and attributes of a literal: `full` where all elements are the same in bits."""
    first = array.reshape(-1)[:1]
    if array.size > 1 and array.tobytes() == first.tobytes() * array.size:
        return full, (), {"shape": kind.shape, "fill_value": first.item(), "dtype": kind.dtype}
    return constant, (), {"data": ArrayData(array)}


def _is_true(condition: Value) -> bool:
    operation = condition.operation
    return operation is not None and operation.name == "constant" and bool(operation.attrs["data"].array.all())


def _literal_size(operation: Operation) -> Any | None:
    """A size that turned out to be a number."""
    dim = operation.attrs.get("dim")
    return np.asarray(dim, np.int64) if operation.op is OPS["dim_value"] and isinstance(dim, int) else None


def _has_symbols(attr: Any) -> bool:
    if isinstance(attr, tuple):
        return any(_has_symbols(a) for a in attr)
    return isinstance(attr, Dim)
