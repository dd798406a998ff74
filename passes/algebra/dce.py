"""Dead code: operations nobody needs, and unused results, carried values and arguments of operations with blocks."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from ...ir.core import Block, Operation, Program, Value
from ...ir.dynamic_sizes import definers, mentioned
from ...ops.effects import Effect
from ..manager import Pass

_KEPT = (Effect.CALLBACK, Effect.COLLECTIVE, Effect.STATE)


@dataclass(frozen=True)
class DeadCode(Pass):
    """Remove pure operations whose results are not used, unused results of `if`, and values that a loop carries for
    nobody but itself. Feeds, state and operations with effects stay.
    """

    name = "dce"
    idempotent = True

    def run(self, program: Program) -> bool:
        live = _Liveness(program.body)
        return _sweep(program.body, live)


def drop_dead(block: Block, effectless: Collection[Operation]) -> None:
    """Remove the dead code of a block. effectless: operations in it that have no effect, whatever their rows say."""
    _sweep(block, _Liveness(block, frozenset(effectless)))


class _Liveness:
    """Which operations and values are needed: marked backwards from effects and fetches, once per value."""

    def __init__(self, body: Block, effectless: frozenset[Operation] = frozenset()) -> None:
        self.effectless = effectless
        self.operations: set[Operation] = set()
        self.values: set[Value] = set()
        self.stack: list[Value] = []
        self.definers = definers(body)
        self.roots(body)
        self.need(body.terminator)
        while self.stack:
            value = self.stack.pop()
            maker = value.operation
            if maker is None or maker.blocks:
                self.spread(value)
            elif maker not in self.operations:
                self.need(maker)

    def roots(self, block: Block) -> bool:
        """Mark operations with effects and what encloses them; whether there are any."""
        found = False
        for operation in block.operations:
            effect = operation.op.effect in _KEPT and operation not in self.effectless
            for inner in operation.blocks:
                effect |= self.roots(inner)
            if effect:
                self.need(operation)
                found = True
        return found

    def mark(self, value: Value) -> None:
        if value not in self.values:
            self.values.add(value)
            self.stack.append(value)

    def need(self, operation: Operation) -> None:
        """The operation runs: what it takes to run it is needed, results and carried values only as they are read."""
        if operation in self.operations:
            return
        self.operations.add(operation)
        if self.definers:
            for name in mentioned(operation):  # a size is read as a value is
                for value in self.definers.get(name, ()):
                    self.mark(value)
        name = operation.op.name
        if name == "if" or name == "for":
            self.mark(operation.operands[0])
        elif name == "while":
            self.mark(operation.blocks[0].yields[0])
        else:
            for value in operation.operands:
                if value not in self.values:
                    self.values.add(value)
                    self.stack.append(value)
            for block in operation.blocks:
                self.need(block.terminator)

    def spread(self, value: Value) -> None:
        """A value is read: so is what it is made from."""
        operation = value.operation
        if operation is None:
            parent = value.block.parent
            if isinstance(parent, Operation):
                self.need(parent)
                self.spread_carried(parent, value.index - (parent.name == "for"))
            return
        self.need(operation)
        if operation.name == "if":
            for block in operation.blocks:
                self.mark(block.yields[value.index])
        else:
            self.spread_carried(operation, value.index)

    def spread_carried(self, operation: Operation, k: int) -> None:
        """A carried value is read somewhere: its start, its argument and its next value are."""
        if operation.name not in ("for", "while") or k < 0:
            return
        self.mark(operation.operands[k + (operation.name == "for")])
        self.mark(operation.blocks[-1].yields[k])
        self.mark(operation.blocks[-1].args[k + (operation.name == "for")])
        self.mark(operation.results[k])
        if operation.name == "while":
            self.mark(operation.blocks[0].args[k])


def _sweep(block: Block, live: _Liveness) -> bool:
    dead = [o for o in block.operations if o not in live.operations and not o.is_terminator]
    changed = bool(dead)
    kept = [o for o in block.operations if o in live.operations or o.is_terminator]
    for operation in kept:
        if operation.name == "if":
            changed |= _shrink_if(operation, live)
        elif operation.name in ("for", "while"):
            changed |= _shrink_loop(operation, live)
        for inner in operation.blocks:
            changed |= _sweep(inner, live)
    block.operations = kept
    for operation in reversed(dead):
        operation.parent = None
        operation.drop_operands()
        _forget_inside(operation)
    return changed


def _forget_inside(operation: Operation) -> None:
    for block in operation.blocks:
        for inner in block.operations:
            inner.drop_operands()
            _forget_inside(inner)


def _shrink_if(operation: Operation, live: _Liveness) -> bool:
    kept = [k for k, r in enumerate(operation.results) if r in live.values]
    if len(kept) == len(operation.results):
        return False
    for block in operation.blocks:
        block.terminator.set_operands([block.yields[k] for k in kept])
    operation.set_results([operation.results[k] for k in kept])
    return True


def _shrink_loop(operation: Operation, live: _Liveness) -> bool:
    skip = 1 if operation.name == "for" else 0
    kept = [k for k, r in enumerate(operation.results) if r in live.values]
    if len(kept) == len(operation.results):
        return False
    operation.set_operands([*operation.operands[:skip], *_pick(operation.operands[skip:], kept)])
    body = operation.blocks[-1]
    body.terminator.set_operands(_pick(body.yields, kept))
    operation.set_results(_pick(operation.results, kept))
    for block in operation.blocks:
        offset = skip if block is body else 0
        block.set_args([*block.args[:offset], *_pick(block.args[offset:], kept)])
    return True


def _pick(values: Sequence[Value], places: Sequence[int]) -> list[Value]:
    return [values[k] for k in places]
