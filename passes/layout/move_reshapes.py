"""Reshapes make way for elementwise operations and reductions, which then are one kernel.

`(x * y).reshape([n, -1]).sum(1)` is a sum over several axes of `x * y`: nothing is stored in between. What can't be
done in the shape before (sums over a part of an axis) is done in the shape behind, where the operands are arrays in
memory, whose reshapes cost nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from ...base.target import current_target
from ...ir.builder import ahead_of
from ...ir.core import Block, Operation, Program, Value
from ...ir.walk import walk
from ...ops.dims import DimLike, product, same_dim, same_shape
from ...ops.lowering import Scalar
from ...ops.op import OPS
from ...ops.types import Shape
from ..fusion.fusion_facts import changes_only_ones, cost, is_map, is_native, is_reduce, is_resident, without_ones
from ..manager import Pass

MOST = 32  # elementwise operations that take another shape for one reshape behind them


@dataclass(frozen=True)
class MoveReshapes(Pass):
    """Move reshapes behind what follows them, or before what comes before them, where a kernel ends at them."""

    name = "move_reshapes"

    def run(self, program: Program) -> bool:
        blocks = dict.fromkeys(o.parent for o in walk(program.body) if o.name == "reshape" and o.parent is not None)
        changed = False
        for block in blocks:
            for operation in list(block.operations):
                changed |= _move_behind(operation)
            for operation in reversed(list(block.operations)):
                changed |= _move_before(operation)
        return changed


@dataclass(frozen=True)
class Grouping:
    """Which neighbouring axes of one shape are which of another: (first, last + 1) in each, from the front on."""

    old: Shape
    new: Shape
    pairs: tuple[tuple[tuple[int, int], tuple[int, int]], ...]

    @staticmethod
    def of(old: Shape, new: Shape) -> Grouping | None:
        """The finest grouping; None where sizes don't tell.

        >>> Grouping.of((2, 3, 4), (6, 4)).pairs
        (((0, 2), (0, 1)), ((2, 3), (1, 2)))
        """
        pairs, i, j = [], 0, 0
        while i < len(old) or j < len(new):
            first, second = i, j
            i, j = min(i + 1, len(old)), min(j + 1, len(new))
            while not same_dim(product(old[first:i]), product(new[second:j])):
                grown = _next(old, new, (first, i), (second, j))
                if grown is None:
                    return None
                i, j = grown
            pairs.append(((first, i), (second, j)))
        return Grouping(old, new, tuple(pairs))

    def taken(self, shape: Shape) -> Shape | None:
        """The shape of an operand that broadcasts to the old shape, where it broadcasts to the new one; None where it
        has a part of a group.
        """
        padded = (*[1] * (len(self.old) - len(shape)), *shape)
        made: list[DimLike] = []
        for (first, last), (second, end) in self.pairs:
            sizes, whole = padded[first:last], self.old[first:last]
            if all(same_dim(a, b) for a, b in zip(sizes, whole, strict=True)):
                made += self.new[second:end]
            elif all(same_dim(a, 1) for a in sizes):
                made += [1] * (end - second)
            else:
                return None
        return tuple(made)

    def axes(self, chosen: Sequence[int]) -> tuple[int, ...] | None:
        """The axes of the new shape that some of the old one are; None where they are a part of a group."""
        made: list[int] = []
        for (first, last), (second, end) in self.pairs:
            parts = [k in chosen or same_dim(self.old[k], 1) for k in range(first, last)]
            some = any(k in chosen for k in range(first, last))
            if some and not all(parts):
                return None
            made += range(second, end) if some else ()
        return tuple(made)


def _next(old: Shape, new: Shape, a: tuple[int, int], b: tuple[int, int]) -> tuple[int, int] | None:
    """Where two groups of different size may end instead: the smaller one takes an axis more."""
    left, right = product(old[slice(*a)]), product(new[slice(*b)])
    if isinstance(left, int) and isinstance(right, int):
        if left < right:
            return (a[1] + 1, b[1]) if a[1] < len(old) else None
        return (a[1], b[1] + 1) if b[1] < len(new) else None
    # A symbol stands on one side only: the other takes axes until it has it, too.
    if len(old) - a[1] >= len(new) - b[1]:
        return (a[1] + 1, b[1]) if a[1] < len(old) else None
    return (a[1], b[1] + 1) if b[1] < len(new) else None


def _is_barrier(view: Operation) -> bool:
    """Whether a kernel ends at a reshape: what it takes is computed by one, in an order of its own."""
    return not changes_only_ones(view) and not is_resident(view.operands[0]) and is_native(view)


def _is_elementwise(operation: Operation | None) -> bool:
    """Whether an operation's shape is that of its operands; what has none (`arange`) says its own."""
    if operation is None or not operation.operands:
        return False
    return isinstance(operation.op.lowering, Scalar) and is_map(operation)


# ---- behind


def _move_behind(operation: Operation) -> bool:
    """Compute an elementwise operation or a reduction in the shape that an operand had before its reshape."""
    if not (_is_elementwise(operation) or is_reduce(operation)) or not is_native(operation):
        return False
    for value in operation.operands:
        view = value.operation
        if view is None or view.name != "reshape" or view.parent is not operation.parent or not _is_barrier(view):
            continue
        grouping = Grouping.of(value.tensor_type.shape, view.operands[0].tensor_type.shape)
        if grouping is None:
            continue
        done = _fold_before(operation, view, grouping) if is_reduce(operation) else _compute_before(operation, grouping)
        if done:
            return True
    return False


def _compute_before(operation: Operation, grouping: Grouping) -> bool:
    if not same_shape(operation.result.tensor_type.shape, grouping.old):
        return False
    operands = [_operand_in(v, grouping, operation) for v in operation.operands]
    found = [v for v in operands if v is not None]
    if len(found) != len(operands):
        return False
    _replace(operation, found, operation.attrs)
    return True


def _operand_in(value: Value, grouping: Grouping, user: Operation) -> Value | None:
    """A value as an operand of the same operation in another shape; None where a kernel would end at its reshape."""
    kind = value.tensor_type
    shape = grouping.taken(kind.shape)
    if shape is None:
        return None
    if same_shape(without_ones(shape), without_ones(kind.shape)):
        return value if not kind.rank or same_shape(shape, kind.shape) else _reshaped(value, shape, user)
    view = value.operation
    if view is not None and view.name == "reshape" and same_shape(view.operands[0].tensor_type.shape, shape):
        return view.operands[0]
    return _reshaped(value, shape, user) if is_resident(value) else None


def _reshaped(value: Value, shape: Shape, user: Operation) -> Value:
    made: Value = ahead_of(user).apply(OPS["reshape"], (value,), {"shape": shape})
    return made


def _fold_before(operation: Operation, view: Operation, grouping: Grouping) -> bool:
    axes = grouping.axes(operation.attrs["axis"])
    if axes is None or len(operation.operands) != 1:
        return False
    _replace(operation, [view.operands[0]], {**operation.attrs, "axis": axes})
    return True


def _replace(operation: Operation, operands: Sequence[Value], attrs: dict[str, object]) -> None:
    """The same operation of other operands, its result in the shape that it had."""
    kind = operation.result.tensor_type
    made = ahead_of(operation).apply(operation.op, tuple(operands), dict(attrs))
    assert isinstance(made, Value), operation
    shown = made if same_shape(made.tensor_type.shape, kind.shape) else _reshaped(made, kind.shape, operation)
    operation.result.replace_by(shown)
    operation.erase()


# ---- before


def _move_before(view: Operation) -> bool:
    """Compute what is reshaped in the shape that it gets, where all that it is computed from can be reshaped for
    nothing.
    """
    if view.name != "reshape" or view.parent is None or not _is_barrier(view) or not _gains(view.result):
        return False
    source, shape = view.operands[0], view.result.tensor_type.shape
    if not can_take(source, shape, view.parent):
        return False
    view.result.replace_by(taking(source, shape, view, {}))
    view.erase()
    return True


def can_take(value: Value, shape: Shape, block: Block, *, again: int = 0) -> bool:
    """Whether a value may be computed in another shape, or is in memory anyway. again: how much may be computed once
    more for each element, because something else reads it as it is.
    """
    grouping = Grouping.of(value.tensor_type.shape, shape)
    if grouping is None or is_resident(value):
        return grouping is not None
    chain: dict[Operation, None] = {}
    if not _can_move(value, grouping, block, chain):
        return False
    is_shared = any(len({user for user, _ in o.result.uses}) > 1 for o in chain)
    return not is_shared or sum(map(cost, chain)) <= again


Taken: TypeAlias = dict[tuple[Value, Shape], Value]


def taking(value: Value, shape: Shape, user: Operation, taken: Taken) -> Value:
    """The value in that shape, for an operation that follows. taken: what was computed in it ahead of that."""
    grouping = Grouping.of(value.tensor_type.shape, shape)
    assert grouping is not None
    return _moved(value, grouping, user, taken)


def _gains(value: Value) -> bool:
    """Whether kernels read it, and none folds rows of few elements, for which it better is in memory."""
    readers = [user for user, _ in value.uses if _is_elementwise(user) or is_reduce(user)]
    return bool(readers) and not any(is_reduce(user) and _folds_few(user) for user in readers)


def _folds_few(reduction: Operation) -> bool:
    shape, axes = reduction.operands[0].tensor_type.shape, reduction.attrs["axis"]
    last = next((k for k in reversed(range(len(shape))) if not same_dim(shape[k], 1)), None)
    size = 1 if last is None else shape[last]
    return last in axes and isinstance(size, int) and size < current_target().short_rows.elements


def _can_move(value: Value, grouping: Grouping, block: Block, chain: dict[Operation, None]) -> bool:
    """Whether a value that broadcasts to the shape before may be computed in the one behind, with what it is computed
    from (chain).
    """
    shape = grouping.taken(value.tensor_type.shape)
    if shape is None:
        return False
    if _is_given(value) or same_shape(without_ones(shape), without_ones(value.tensor_type.shape)):
        return True
    operation = value.operation
    assert operation is not None
    if operation.name == "reshape":
        return same_shape(operation.operands[0].tensor_type.shape, shape)
    if operation.parent is not block or not _is_elementwise(operation) or not is_native(operation):
        return False
    if not same_shape(value.tensor_type.shape, grouping.old):
        return False
    chain[operation] = None
    return len(chain) <= MOST and all(_can_move(v, grouping, block, chain) for v in operation.operands)


def _is_given(value: Value) -> bool:
    """Whether it is an argument or a constant in memory: `arange` and `full` say their own shape."""
    operation = value.operation
    return operation is None or (not operation.operands and is_resident(value))


def _moved(value: Value, grouping: Grouping, user: Operation, taken: Taken) -> Value:
    known = taken.get((value, grouping.new)) or _operand_in(value, grouping, user)
    if known is not None:
        return known
    operation = value.operation
    assert operation is not None
    operands = [_moved(v, grouping, user, taken) for v in operation.operands]
    builder = ahead_of(user)
    builder.loc = operation.loc
    result = builder.apply(operation.op, tuple(operands), dict(operation.attrs))
    assert isinstance(result, Value)
    taken[value, grouping.new] = result
    return result
