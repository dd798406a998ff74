"""Recomputation: values that wait long for their last uses are made again there instead of being kept.

What waits: a result of the body with a long gap between two uses, in which most memory is in use. The copies read their
operands through `after`, so that fusion can't move them back to the originals. Source of keeping every n-th value:
Griewank, Walther, Revolve, 2000; Chen, Xu, Zhang, Guestrin, Training Deep Nets with Sublinear Memory Cost, 2016.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import accumulate

from ...ir.core import Operation, Program, Value
from ...ir.dynamic_sizes import is_dynamic
from ...ir.walk import clone_operation, holder_in, read_by
from ...ops.control import after
from ...ops.dims import evaluate
from ...ops.effects import Effect
from ...ops.op import OPS
from ...ops.types import TensorType
from ..autodiff.prune import NOMINAL, is_cheap
from ..fusion.fusion_facts import is_free, is_reduce
from ..manager import Pass

NEAR = 4  # operations between two uses that are no gap worth a second computation


@dataclass(frozen=True)
class Recompute(Pass):
    """Make values of at least `least` bytes again where they are used late.

    everything: matmuls and convolutions too, not only elementwise operations and reductions. keep_every: of
    those dear ones each n-th is kept (0: none). each_time: for every late use anew, not once for all of them.
    sizes: what symbols count as; those without one as NOMINAL.
    """

    name = "recompute"
    everything: bool = False
    keep_every: int = 0
    each_time: bool = False
    least: int = 1024
    sizes: tuple[tuple[str, int], ...] = ()

    def run(self, program: Program) -> bool:
        return _Recomputation(self, program).run()


class _Recomputation:
    def __init__(self, options: Recompute, program: Program) -> None:
        self.options = options
        self.block = program.body
        self.sizes = dict(options.sizes)
        self.position = {o: k for k, o in enumerate(self.block.operations)}
        self.fullest = self._fullest()
        self.kept: set[Operation] = set()
        self.chosen: dict[Value, int] = {}  # value -> position of its first late use
        self.copies: dict[Value, Value] = {}
        self.inserted: dict[Operation, list[Operation]] = {}  # copies, by the operation that they stand before

    def run(self) -> bool:
        self._choose()
        uses = sorted(self._late_uses(), key=lambda use: (self.position[use[0]], use[2]))
        previous: Operation | None = None
        for outer, user, number, value in uses:
            if outer is not previous and self.options.everything:  # what is cheap isn't kept between two uses
                self.copies = {} if self.options.each_time else self._dear_copies()
            previous = outer
            moment = self._moment(outer, value)
            if moment is not None or value in self.copies:
                user.set_operand(number, self._copy(value, outer, moment))
        order: list[Operation] = []
        for operation in self.block.operations:
            order += [*self.inserted.get(operation, ()), operation]
        for made in order:
            made.parent = self.block
        self.block.operations = order
        return bool(self.inserted)

    def _dear_copies(self) -> dict[Value, Value]:
        return {v: c for v, c in self.copies.items() if v.operation is not None and not _is_light(v.operation)}

    # -- which -------------------------------------------------------------------------------------

    def _fullest(self) -> int:
        """The position at which the values that wait for a use take most memory, each stored on its own."""
        changes = [0] * (len(self.position) + 1)
        for operation in self.block.operations:
            for value in operation.results:
                if isinstance(value.type, TensorType) and not is_dynamic(operation):
                    last = max((self.position[self._outer(user)] for user, _ in value.uses), default=0)
                    changes[self.position[operation]] += self._bytes(value)
                    changes[max(last, self.position[operation])] -= self._bytes(value)
        live = list(accumulate(changes))
        return live.index(max(live))

    def _choose(self) -> None:
        dear = 0
        for operation in self.block.operations[:-1]:
            if not self._may_repeat(operation):
                continue
            if not _is_light(operation):
                dear += 1
                if self.options.keep_every and dear % self.options.keep_every == 0:
                    self.kept.add(operation)
                    continue
            for value in operation.results:
                late = self._first_late_use(value)
                if late is not None and self._bytes(value) >= self.options.least:
                    self.chosen[value] = late

    def _may_repeat(self, operation: Operation) -> bool:
        if operation.blocks or operation.op.effect is not Effect.PURE or is_free(operation) or not operation.operands:
            return False
        if operation.op is after or is_dynamic(operation):
            return False
        if not all(isinstance(v.type, TensorType) for v in (*operation.operands, *operation.results)):
            return False
        return _is_light(operation) or (self.options.everything and self._gives_as_much_as_it_takes(operation))

    def _gives_as_much_as_it_takes(self, operation: Operation) -> bool:
        """Whether keeping the results is no cheaper than keeping the operands for a second computation."""
        made = sum(map(self._bytes, operation.results))
        return 4 * made >= sum(self._bytes(v) for v in set(operation.operands) if v.operation is not None)

    def _first_late_use(self, value: Value) -> int | None:
        """The position of the use behind the gap in which the value waits while memory is fullest."""
        assert value.operation is not None
        places = sorted({self.position[self._outer(user)] for user, _ in value.uses})
        steps = [self.position[value.operation], *places]
        gaps = [(b - a, b) for a, b in zip(steps, places, strict=False)]
        waits = [late for length, late in gaps if length > NEAR and late - length <= self.fullest < late]
        return waits[0] if waits and waits[0] < len(self.block.operations) - 1 else None

    def _bytes(self, value: Value) -> int:
        size = value.tensor_type.size
        if not isinstance(size, int):
            size = evaluate(size, dict.fromkeys(size.symbols(), NOMINAL) | self.sizes)
        assert isinstance(size, int)
        return size * value.dtype.itemsize

    def _outer(self, operation: Operation) -> Operation:
        """The operation of the body that is or contains `operation`."""
        outer = holder_in(self.block, operation)
        assert outer is not None, operation
        return outer

    def _late_uses(self) -> Iterator[tuple[Operation, Operation, int, Value]]:
        for value, late in self.chosen.items():
            for user, number in list(value.uses):
                outer = self._outer(user)
                if self.position[outer] >= late and not outer.is_terminator and outer.name != "update":
                    yield outer, user, number, value

    # -- copies ------------------------------------------------------------------------------------

    def _moment(self, user: Operation, value: Value) -> Value | None:
        """The latest value that `user` reads besides: a copy waits for it. None where nothing late is read."""
        made = value.operation
        assert made is not None
        others = [v for v in read_by(user) if v.operation in self.position and v is not value]
        latest = max(others, key=lambda v: self.position[v.operation], default=None)  # type: ignore[index]
        if latest is None or latest in self.chosen or not isinstance(latest.type, TensorType):
            before = self.block.operations[self.position[user] - 1]
            latest = next((r for r in before.results if isinstance(r.type, TensorType)), None)
        if latest is None or latest.operation is None or is_free(latest.operation):
            return None
        return latest if self.position[latest.operation] > self.position[made] + NEAR else None

    def _copy(self, value: Value, before: Operation, moment: Value | None) -> Value:
        if value not in self.copies:
            assert moment is not None
            for operation in self._needed(value, self.position[before]):
                self._repeat(operation, before, moment)
        return self.copies[value]

    def _needed(self, value: Value, until: int) -> list[Operation]:
        """The operations to repeat for a copy, in order."""
        found: set[Operation] = set()
        stack = [value]
        while stack:
            operation = stack.pop().operation
            if operation is None or operation in found:
                continue
            found.add(operation)
            stack += [v for v in operation.operands if v not in self.copies and self._is_repeated(v, until)]
        return sorted(found, key=self.position.__getitem__)

    def _is_repeated(self, value: Value, until: int) -> bool:
        """Whether an operand is made again too: it is chosen, or would have to be kept for this copy alone."""
        operation = value.operation
        if operation is None or operation not in self.position or is_free(operation):
            return False
        if value in self.chosen:
            return True
        users = [user for user, _ in value.uses if user.parent is not None]  # copies aren't placed yet
        waits = any(self.position[self._outer(user)] >= until for user in users)
        return not waits and operation not in self.kept and self._may_repeat(operation)

    def _repeat(self, operation: Operation, before: Operation, moment: Value) -> None:
        place = self.inserted.setdefault(before, [])
        mapping: dict[Value, Value] = {}
        for value in operation.operands:
            if value in self.copies:
                mapping[value] = self.copies[value]
            elif value.operation is None or not is_free(value.operation):
                held = Operation(OPS["after"], [value, moment], {}, [value.type], [], operation.loc)
                place.append(held)
                mapping[value] = held.result
        made = clone_operation(operation, mapping)
        place.append(made)
        self.copies.update(zip(operation.results, made.results, strict=True))


def _is_light(operation: Operation) -> bool:
    return is_cheap(operation) or is_reduce(operation)
