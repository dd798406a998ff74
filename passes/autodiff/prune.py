"""Which values the backward pass keeps and which it computes again.

The rule. Values from outside the block, and what the caller calls free, cost nothing. A needed value is computed again
when three things hold: every operation on the way is cheap (pure, no blocks, elementwise or an index map); together
they cost at most a round trip to memory per element; and what must be kept instead takes fewer bytes than the value
itself, where a leaf that several needed values share counts once among them. Everything else is kept. Symbolic sizes
count as NOMINAL.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field

from ...base.target import current_target
from ...ir.core import Block, Operation, Value
from ...ir.dynamic_sizes import is_dynamic
from ...ops.dims import evaluate
from ...ops.effects import Effect
from ...ops.lowering import Point, Scalar
from ...ops.types import TensorType

NOMINAL = 64  # elements that an open size counts as
_RANDOM_COST = 16  # simple operations that a random number takes


@dataclass(slots=True)
class ResidualPlan:
    """`saved` must be handed to the backward pass; `recomputed` are operations to repeat there, in order."""

    saved: list[Value] = field(default_factory=list)
    recomputed: list[Operation] = field(default_factory=list)


def plan(block: Block, needs: Iterable[Value], free: Collection[Value] = ()) -> ResidualPlan:
    """Decide for the needed tensors made in `block`; `free` are values of the block that cost nothing to read."""
    return _Planner(block, list(needs), set(free)).run()


def is_cheap(operation: Operation) -> bool:
    """Pure, one tensor result, and each element made from few elements of the operands (or from none)."""
    if operation.blocks or operation.op.effect is not Effect.PURE or len(operation.results) != 1:
        return False
    if is_dynamic(operation):  # its sizes are told by values that only the forward pass has
        return False
    if not isinstance(operation.result.type, TensorType):
        return False
    lowering = operation.op.lowering
    return not operation.operands or isinstance(lowering, Scalar) or (isinstance(lowering, Point) and lowering.inline)


def cost_of(operation: Operation) -> int:
    """Cost per element in simple operations."""
    lowering = operation.op.lowering
    if isinstance(lowering, Scalar):
        return lowering.cost
    return _RANDOM_COST if operation.op.family == "random" else 1 if operation.operands else 0


def bytes_of(value: Value) -> int:
    """Size of a tensor in bytes, with NOMINAL for symbolic sizes."""
    size = value.tensor_type.size
    if not isinstance(size, int):
        size = evaluate(size, dict.fromkeys(size.symbols(), NOMINAL))
    assert isinstance(size, int)
    return size * value.dtype.numpy.itemsize


class _Planner:
    def __init__(self, block: Block, needs: list[Value], free: set[Value]) -> None:
        self.block = block
        self.needs = needs
        self.free = free
        self.saved: dict[Value, None] = {}
        self.recomputed: set[Operation] = set()

    def run(self) -> ResidualPlan:
        chains: dict[Value, tuple[list[Operation], set[Value]]] = {}
        for value in self.needs:
            if self.is_free(value):
                continue
            operation = value.operation
            if operation is None or not is_cheap(operation):
                self.saved[value] = None
            else:
                chains[value] = self.chain(value)
        shares = Counter(leaf for _, leaves in chains.values() for leaf in leaves)
        for value in chains:
            steps, leaves = self.chain(value)  # again: values saved or recomputed since then end chains earlier
            kept = sum(bytes_of(leaf) / max(1, shares[leaf]) for leaf in leaves)
            if sum(map(cost_of, steps)) <= current_target().costs.round_trip and (not leaves or kept < bytes_of(value)):
                self.recomputed.update(steps)
                self.saved.update(dict.fromkeys(leaves))
            else:
                self.saved[value] = None
        return ResidualPlan(list(self.saved), self.in_order())

    def in_order(self) -> list[Operation]:
        wanted = {o for o in self.recomputed if o.result not in self.saved}
        return [o for o in self.block.operations if o in wanted] if wanted else []

    def is_free(self, value: Value) -> bool:
        return value.block is not self.block or value in self.free

    def is_at_hand(self, value: Value) -> bool:
        return self.is_free(value) or value in self.saved or value.operation in self.recomputed

    def chain(self, value: Value) -> tuple[list[Operation], set[Value]]:
        """Cheap operations that lead to `value`, and the values they start from that are not at hand."""
        steps: dict[Operation, None] = {}
        leaves: set[Value] = set()
        stack = [value]
        total, most = 0, current_target().costs.round_trip
        while stack:
            current = stack.pop()
            operation = current.operation
            if self.is_at_hand(current) or operation in steps:
                continue
            too_long = operation is not None and current is not value and total + cost_of(operation) > most
            if operation is None or too_long or not is_cheap(operation):
                leaves.add(current)
                continue
            steps[operation] = None
            total += cost_of(operation)
            stack.extend(operation.operands)
        return list(steps), leaves
