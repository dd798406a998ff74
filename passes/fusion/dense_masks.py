"""Work on the elements that a mask picks is done on all elements, if it ends in numbers or goes back to their places.

`x[m]` has a size that only the run knows, so it and what follows run on NumPy. `(f(x[m]) * 2).sum()` is the sum of
`where(m, f(x) * 2, 0)`, and a gradient that goes back to the places of a mask is `where(m, g, 0)`: known sizes.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from ...base.dtype import DType, float32, float64, int64
from ...ir.core import Block, Operation, Program, Value
from ...ir.dynamic_sizes import is_dynamic
from ...ir.walk import walk
from ...ops.dims import Dim, DimLike, same_dim, same_shape
from ...ops.effects import Effect
from ...ops.lowering import Reduce, Scalar
from ...ops.op import OPS
from ...ops.sizes import size_names
from ...ops.types import TensorType
from ..manager import Pass


@dataclass(frozen=True)
class DenseMasks(Pass):
    """Elementwise work between `masked_select`, reductions and `masked_scatter` of one mask is done on all elements.

    All that mentions the run-time size has to be of these kinds; the pass leaves it as it is otherwise. Values that the
    mask leaves out are computed and never read: sums and factors of them are replaced by the neutral number.
    """

    name = "dense_masks"

    def run(self, program: Program) -> bool:
        fixed = size_names([dim for _, dim in program.constraints])
        changed = False
        for mask, (names, operations) in _domains(program.body).items():
            if not names & fixed:
                changed |= _Domain(mask, names, operations).rewrite()
        return changed


def _domains(block: Block) -> dict[Value, tuple[set[str], list[Operation]]]:
    """For each mask the sizes of what it picks, and the operations that mention them if these stand in one block."""
    dynamic = [o for o in walk(block) if is_dynamic(o)]
    names: dict[Value, set[str]] = {}
    for operation in dynamic:
        for kind in _picked(operation):
            names.setdefault(operation.operands[1], set()).add(str(kind.shape[0]))
    found = {}
    for mask, own in names.items():
        others = {name for other, theirs in names.items() if other is not mask for name in theirs}
        operations = [o for o in dynamic if _names(o) & own]
        if not own & others and len({id(o.parent) for o in operations}) == 1:
            found[mask] = own, operations
    return found


def _picked(operation: Operation) -> Iterator[TensorType]:
    """The types of the elements that an operation takes from, or puts to, the places of a mask."""
    value = {"masked_select": operation.results, "masked_scatter": operation.operands[2:]}.get(operation.name, ())
    for one in value:
        if one.ndim == 1 and isinstance(one.shape[0], Dim):
            yield one.tensor_type


def _names(operation: Operation) -> set[str]:
    """The sizes in an operation's attributes and types."""
    values = (*operation.operands, *operation.results, *(a for b in operation.blocks for a in b.args))
    return size_names([*operation.attrs.values(), *(v.type for v in values)])


@dataclass
class _Domain:
    """All operations over what one mask picks."""

    mask: Value
    names: set[str]
    operations: list[Operation]
    bound: Value | None = None  # the size, where another program has picked the elements
    dense: dict[Value, Value] = field(
        default_factory=dict
    )  # for each value over the picked elements: over all elements

    def rewrite(self) -> bool:
        if not all(map(self._is_known, self.operations)) or not self._is_closed():
            return False
        for operation in self.operations:
            self._replace(operation)
        for operation in reversed(self.operations):
            operation.erase()
        return True

    # -- what may be rewritten ---------------------------------------------------------------------

    def _is_closed(self) -> bool:
        """Whether all values over the picked elements come from operations here, and go to such."""
        made = {v for o in self.operations for v in o.results if self._is_picked(v)}
        used = {v for o in self.operations for v in o.operands if self._is_picked(v)}
        return used <= made and all(user in self.operations for v in made for user, _ in v.uses)

    def _is_picked(self, value: Value) -> bool:
        return value.ndim == 1 and isinstance(value.shape[0], Dim) and str(value.shape[0]) in self.names

    def _is_known(self, operation: Operation) -> bool:
        match operation.name:
            case "masked_select":
                return operation.operands[1] is self.mask and same_shape(operation.operands[0].shape, self.mask.shape)
            case "masked_scatter":
                base, mask, values = operation.operands
                return mask is self.mask and same_shape(base.shape, mask.shape) and self._is_picked(values)
            case "bind_size":
                return operation is self.operations[0] and len(self.names) == 1
            case "dim_value":
                return str(operation.attrs["dim"]) in self.names
            case "broadcast_to" | "full":
                return self._is_picked(operation.result) and all(_is_number(v) for v in operation.operands)
            case "reshape":  # two names of one size
                return self._is_picked(operation.result) and self._is_picked(operation.operands[0])
        lowering = operation.op.lowering
        if operation.op.effect is not Effect.PURE or len(operation.results) != 1:
            return False
        if isinstance(lowering, Reduce):
            return self._is_picked(operation.operands[0]) and self._is_total(operation, lowering)
        whole = operation.result.dtype.is_integer and all(v.dtype.is_integer for v in operation.operands)
        if not isinstance(lowering, Scalar) or (whole and not (operation.op.is_sum or operation.op.is_difference)):
            return False  # powers and quotients of integers may refuse what the mask leaves out
        return self._is_picked(operation.result) and all(
            _is_number(v) or self._is_picked(v) for v in operation.operands
        )

    def _is_total(self, operation: Operation, lowering: Reduce) -> bool:
        if lowering.neutral is not None:
            return True
        return operation.name == "mean" and operation.result.dtype in (float32, float64)

    # -- what it becomes ---------------------------------------------------------------------------

    def _replace(self, operation: Operation) -> None:
        given = [self.dense.get(v, v) for v in operation.operands]
        match operation.name:
            case "masked_select":
                self.dense[operation.result] = given[0]
            case "bind_size":
                self.bound = given[0]
            case "dim_value":
                operation.result.replace_by(self._number_of(operation))
            case "broadcast_to" | "reshape":
                self.dense[operation.result] = given[0]
            case "full":
                self.dense[operation.result] = _put(operation, "full", [], {**operation.attrs, "shape": ()})
            case "masked_scatter":
                self._check_count(operation)
                operation.result.replace_by(_put(operation, "where", [self.mask, given[2], given[0]], {}))
            case _ if isinstance(operation.op.lowering, Reduce):
                operation.result.replace_by(self._reduced(operation, operation.op.lowering, given[0]))
            case _:
                self.dense[operation.result] = _put(operation, operation.name, given, dict(operation.attrs))

    def _counted(self, before: Operation) -> Value:
        """How many elements the mask picks."""
        axes = tuple(range(self.mask.ndim))
        ones = _put(before, "cast", [self.mask], {"dtype": int64})
        return _put(before, "sum", [ones], {"axis": axes, "keepdim": False})

    def _check_count(self, before: Operation) -> None:
        """Where the mask itself doesn't tell the size: the error of a masked_scatter with fewer values."""
        if self.bound is None:
            return
        fits = _put(before, "less_equal", [self._counted(before), self._number_of(before)], {})
        message = "masked_scatter: fewer values than true elements of the mask"
        attrs = {"message": message, "error": "ShapeError"}
        assert before.parent is not None
        place = before.parent.operations.index(before)
        before.parent.insert(place, Operation(OPS["check"], [fits], attrs, [], [], before.loc))

    def _number_of(self, before: Operation) -> Value:
        return self._counted(before) if self.bound is None else self.bound

    def _reduced(self, operation: Operation, lowering: Reduce, x: Value) -> Value:
        neutral = _number(operation, lowering.neutral or 0, x.dtype)
        kept = _put(operation, "where", [self.mask, x, neutral], {})
        attrs = {"axis": tuple(range(kept.ndim)), "keepdim": False}
        if lowering.neutral is not None:
            made = _put(operation, operation.name, [kept], attrs)
        else:
            count = _put(operation, "cast", [self._number_of(operation)], {"dtype": x.dtype})
            made = _put(operation, "divide", [_put(operation, "sum", [kept], attrs), count], {})
        shape = operation.result.shape
        return made if made.shape == shape else _put(operation, "reshape", [made], {"shape": tuple(shape)})


def _is_number(value: Value) -> bool:
    shape: tuple[DimLike, ...] = value.tensor_type.shape
    return len(shape) <= 1 and all(same_dim(d, 1) for d in shape)


def _number(before: Operation, number: float, dtype: DType) -> Value:
    kind = bool(number) if dtype.is_bool else int(number) if dtype.is_integer else float(number)
    return _put(before, "full", [], {"dtype": dtype, "fill_value": kind, "shape": ()})


def _put(before: Operation, name: str, operands: list[Value], attrs: dict[str, Any]) -> Value:
    """The result of a new operation in front of another one."""
    op, block = OPS[name], before.parent
    assert block is not None
    kind = op.infer(*(v.tensor_type for v in operands), **attrs)
    assert isinstance(kind, TensorType)
    made = Operation(op, operands, attrs, [kind], [], before.loc)
    return block.insert(block.operations.index(before), made).result
