"""Reductions of transposed arrays become reductions of the arrays as they lie in memory.

`x.T.sum(1)` is `x.sum(0)`. A kernel that folds a row of a transposed array would read single elements far apart, or it
would need the transposed array in memory; one that folds an outer axis reads whole vectors.

Layout assignment, as compilers of array programs call it, of reductions and of what they are computed from.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ...base.target import current_target
from ...ir.builder import ahead_of
from ...ir.core import Block, Operation, Program, Value
from ...ir.dynamic_sizes import is_dynamic
from ...ir.walk import walk
from ...ops.dims import DimLike, product, same_dim, same_shape
from ...ops.effects import Effect
from ...ops.lowering import Scalar
from ...ops.op import OPS
from ...ops.types import Shape
from ..fusion.fusion_facts import is_native, is_reduce, moves_innermost
from ..manager import Pass


@dataclass(frozen=True)
class MemoryOrder(Pass):
    """Fold transposed arrays, and elementwise operations on them, in the order in which their elements are in memory.

    The results of the reductions, which are smaller, are transposed instead. An array that is transposed back, too, is
    computed as it lies in memory.
    """

    name = "memory_order"

    def run(self, program: Program) -> bool:
        blocks = dict.fromkeys(o.parent for o in walk(program.body) if o.name == "transpose" and o.parent is not None)
        changed = [_Orders(block).run() for block in blocks]
        return any(changed)


@dataclass(frozen=True)
class AxisOrder:
    """How an array is made of one in memory: its axes in another order, then neighbours joined.

    shape: in memory; counts: how many of the axes in their new order each axis of the array joins.
    """

    shape: Shape
    perm: tuple[int, ...]
    counts: tuple[int, ...]

    def members(self, axis: int) -> tuple[int, ...]:
        """The axes in memory of an axis of the array."""
        first = sum(self.counts[:axis])
        return self.perm[first : first + self.counts[axis]]

    def is_short(self, axes: Sequence[int]) -> bool:
        """Whether these axes are few elements: kernels that write them out read vectors of neighbours in memory."""
        folded = product(self.shape[k] for axis in axes for k in self.members(axis))
        return isinstance(folded, int) and folded <= current_target().short_rows.elements

    def spread(self, shape: Shape) -> tuple[DimLike, ...]:
        """An operand's shape, which may be broadcast, before the joining: along axes of size 1 there is nothing."""
        sizes = (*[1] * (len(self.counts) - len(shape)), *shape)
        return tuple(
            1 if same_dim(size, 1) else self.shape[member]
            for axis, size in enumerate(sizes)
            for member in self.members(axis)
        )


class _Orders:
    """The arrays of a block that are others in another order."""

    def __init__(self, block: Block) -> None:
        self.block = block
        self.orders: dict[Value, AxisOrder] = {}
        self.in_memory: dict[Value, Value] = {}  # arrays, and what is computed for them as it lies in memory
        self.small: dict[tuple[Value, AxisOrder], Value] = {}  # the same of what is broadcast

    def run(self) -> bool:
        found = {o for o in self.block.operations if self._learn(o)}
        needed = {o.operands[0] for o in found}
        for operation in reversed(self.block.operations):
            if not needed.isdisjoint(operation.results):
                needed.update(v for v in operation.operands if v in self.orders)
        for operation in list(self.block.operations):
            if operation in found:
                made = self._reduce(operation) if is_reduce(operation) else self.in_memory[operation.operands[0]]
                operation.result.replace_by(made)
                operation.erase()
            elif not needed.isdisjoint(operation.results):
                self.in_memory[operation.result] = self._here(operation)
        return bool(found)

    def _learn(self, operation: Operation) -> bool:
        """Note the order of an operation's result; whether the operation is one that should be done in memory order."""
        if len(operation.results) != 1 or not operation.operands or not is_native(operation):
            return False
        order = self.orders.get(operation.operands[0])
        is_back = operation.name == "transpose" and order is not None and _is_back(order, operation.attrs["perm"])
        if is_reduce(operation) or is_back:
            return order is not None and not (is_reduce(operation) and order.is_short(operation.attrs["axis"]))
        made = self._order_of(operation, order)
        if made is not None:
            self.orders[operation.result] = made
        return False

    def _order_of(self, operation: Operation, order: AxisOrder | None) -> AxisOrder | None:
        (result,) = operation.results
        if operation.name == "transpose" and not is_dynamic(operation):
            shape, perm = operation.operands[0].tensor_type.shape, tuple(operation.attrs["perm"])
            return AxisOrder(shape, perm, (1,) * len(perm)) if moves_innermost(operation) else None
        if operation.name == "reshape" and order is not None and max(order.counts) == 1 and not is_dynamic(operation):
            counts = _joined([order.shape[k] for k in order.perm], result.tensor_type.shape)
            return None if counts is None else AxisOrder(order.shape, order.perm, counts)
        if not isinstance(operation.op.lowering, Scalar) or operation.op.effect is not Effect.PURE:
            return None
        shape = result.tensor_type.shape
        whole = [v for v in operation.operands if same_shape(v.tensor_type.shape, shape)]
        orders = {self.orders.get(v) for v in whole if not _is_one_number(v)}
        return orders.pop() if len(orders) == 1 else None

    def _here(self, operation: Operation) -> Value:
        """The result of an operation as it lies in memory."""
        if operation.name == "transpose":
            return operation.operands[0]
        if operation.name == "reshape":
            return self.in_memory[operation.operands[0]]
        order = self.orders[operation.result]
        operands = [
            self.in_memory[v] if self.orders.get(v) == order else self._small(v, order, operation)
            for v in operation.operands
        ]
        made: Value = ahead_of(operation).apply(operation.op, tuple(operands), dict(operation.attrs))
        return made

    def _reduce(self, operation: Operation) -> Value:
        """The result of a reduction, folded in memory order."""
        source, attrs = operation.operands[0], operation.attrs
        order = self.orders[source]
        axes = sorted(k for axis in attrs["axis"] for k in order.members(axis))
        with ahead_of(operation).active() as builder:
            whole = {**attrs, "axis": tuple(axes), "keepdim": True}
            folded: Value = builder.apply(operation.op, (self.in_memory[source],), whole)
            made = _reshaped(_transposed(folded, order.perm), operation.result.tensor_type.shape)
        if attrs["keepdim"]:
            self.small[made, order] = folded
        return made

    def _small(self, value: Value, order: AxisOrder, reader: Operation) -> Value:
        """An operand that is broadcast, as its reader wants it in memory order."""
        if (value, order) not in self.small:
            with ahead_of(reader).active():
                self.small[value, order] = _back(value, order)
        return self.small[value, order]


def _back(value: Value, order: AxisOrder) -> Value:
    if _is_one_number(value):
        return value if value.tensor_type.rank <= len(order.shape) else _reshaped(value, ())
    perm = [order.perm.index(k) for k in range(len(order.perm))]
    return _transposed(_reshaped(value, order.spread(value.tensor_type.shape)), perm)


def _transposed(value: Value, perm: Sequence[int]) -> Value:
    """A transpose, or a reshape where only axes of size 1 change their places."""
    shape = value.tensor_type.shape
    wide = [k for k in perm if not same_dim(shape[k], 1)]
    if wide == sorted(wide):
        return _reshaped(value, tuple(shape[k] for k in perm))
    made: Value = OPS["transpose"](value, tuple(perm))
    return made


def _reshaped(value: Value, shape: Shape) -> Value:
    while (operation := value.operation) is not None and operation.name == "reshape":
        value = operation.operands[0]
    if same_shape(value.tensor_type.shape, shape):
        return value
    made: Value = OPS["reshape"](value, shape)
    return made


def _is_one_number(value: Value) -> bool:
    return same_dim(product(value.tensor_type.shape), 1)


def _is_back(order: AxisOrder, perm: Sequence[int]) -> bool:
    """Whether this transpose undoes the other."""
    return set(order.counts) == {1} and [order.perm[k] for k in perm] == list(range(len(perm)))


def _joined(sizes: Sequence[DimLike], shape: Shape) -> tuple[int, ...] | None:
    """How many neighbours of these sizes each axis of a shape joins; None where the shape isn't made of them so.

    >>> _joined([4, 2, 3, 5], (8, 15)), _joined([4, 6], (2, 12)), _joined([4, 6], (4, 1, 6))
    ((2, 2), None, (1, 0, 1))
    """
    queue, counts = list(sizes), []
    for size in shape:
        joined: list[DimLike] = []
        while not same_dim(product(joined), size):
            if not queue:
                return None
            joined.append(queue.pop(0))
        counts.append(len(joined))
    while queue and same_dim(queue[0], 1) and counts:
        queue.pop(0)
        counts[-1] += 1
    return None if queue else tuple(counts)
