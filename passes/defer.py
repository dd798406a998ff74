"""Sums over the turns of a loop that its turns don't read are made behind it: the gradient of a weight is one product.

A loop's gradient adds x_t^T @ g_t to the gradient of a weight in every turn: a thin product, and an addition as large
as the weight. Behind the loop it is one product of all rows x and all rows g, which adds in registers. Most of these
rows lie in arrays already: what the forward loop kept, and the gradients of inputs; what doesn't gets an array.
"""

from __future__ import annotations

from dataclasses import dataclass

from ..ir.builder import Builder
from ..ir.core import Block, Operation, Program, Value
from ..ir.sizes import is_dynamic
from ..ir.walk import walk
from ..ops.dims import DimLike, product, same_dim, same_shape
from ..ops.op import OPS
from ..ops.types import TensorType
from .manager import Pass
from .turns import Place, place_of, turns_of

MOST_BYTES = 64 << 20  # of an array that is made for it


@dataclass(frozen=True)
class Defer(Pass):
    """A carried sum `s + x^T @ y`, or `s + sum(y, 0)`, that is read only behind a `for` becomes one product, or one
    sum, of the rows of all turns. Reassociates it (stated bounds: docs/limitations.md).
    """

    name = "defer"

    def run(self, program: Program) -> bool:
        changed = False
        for operation in list(walk(program.body)):
            if operation.name == "for":
                for k in range(len(operation.results)):
                    changed |= _defer(operation, k)
        return changed


def _defer(loop: Operation, k: int) -> bool:
    """Take one carried sum out of a loop."""
    body, turns = loop.blocks[0], turns_of(loop)
    term = None if turns is None else _term(body, k)
    if turns is None or term is None or is_dynamic(term) or (isinstance(turns, int) and turns < 1):
        return False
    known = [_find(loop, value) for value in term.operands]
    order = next((rows.place for rows in known if rows is not None), Place(0, turns - 1, 1, loop))
    missing = [v for v, rows in zip(term.operands, known, strict=True) if rows is None or not rows.goes_with(order)]
    if not all(_is_small(value, turns) for value in missing):
        return False
    found = [
        rows if rows is not None and rows.goes_with(order) else _keep(loop, value, turns, order)
        for value, rows in zip(term.operands, known, strict=True)
    ]
    total, parent = loop.results[k], loop.parent
    assert parent is not None
    behind = Builder(parent, before=parent.operations[parent.operations.index(loop) + 1])
    behind.loc = term.loc
    factors = [rows.joined(behind, turns) for rows in found]
    attrs = {"axis": (0,), "keepdim": False} if term.name == "sum" else dict(term.attrs)
    made = behind.apply(term.op, tuple(factors), attrs)
    start = loop.operands[k + 1]
    if start.operation is None or start.operation.name != "full" or start.operation.attrs["fill_value"] != 0:
        made = behind.apply(OPS["add"], (start, made), {})
    total.replace_by(made)
    body.terminator.set_operand(k, body.args[k + 1])
    return True


def _term(body: Block, k: int) -> Operation | None:
    """What each turn adds to a carried sum that it doesn't read: a flat product, or a sum over the first axes."""
    total, array = body.yields[k], body.args[k + 1]
    made = total.operation
    if made is None or made.name != "add" or made.parent is not body or len(total.uses) != 1 or len(array.uses) != 1:
        return None
    if array not in made.operands or made.operands[0] is made.operands[1]:
        return None
    value = made.operands[1 if made.operands[0] is array else 0]
    term = value.operation
    if term is None or term.parent is not body or len(value.uses) != 1 or not value.dtype.is_floating:
        return None
    if not same_shape(value.tensor_type.shape, array.tensor_type.shape):
        return None
    return term if _is_product(term) or _is_sum(term) else None


def _is_product(term: Operation) -> bool:
    if term.name != "matmul" or not term.attrs["transpose_x"] or term.attrs["transpose_y"]:
        return False
    return all(v.ndim == 2 for v in term.operands)


def _is_sum(term: Operation) -> bool:
    """A sum over all axes but the last."""
    if term.name != "sum" or term.operands[0].dtype is not term.result.dtype:
        return False
    rank = term.operands[0].ndim
    return rank > 1 and not term.attrs["keepdim"] and tuple(term.attrs["axis"]) == tuple(range(rank - 1))


@dataclass(frozen=True, slots=True)
class _Rows:
    """Where the values of all turns lie: in rows of an array, of which each turn has the one at `place`."""

    array: Value
    place: Place

    def goes_with(self, other: Place) -> bool:
        """Whether the rows come in the order of other rows."""
        return self.place.slope == other.slope

    def joined(self, builder: Builder, turns: DimLike) -> Value:
        """The rows of all turns one below another, as a matrix."""
        shape = self.array.tensor_type.shape
        rows = self.array
        if not same_dim(shape[0], turns):
            attrs = {"starts": (self.place.low, *(0 for _ in shape[1:])), "sizes": (turns, *shape[1:])}
            rows = builder.apply(OPS["slice"], (rows,), {**attrs, "strides": (1,) * len(shape)})
        made: Value = builder.apply(OPS["reshape"], (rows,), {"shape": (turns * product(shape[1:-1]), shape[-1])})
        return made


def _find(loop: Operation, value: Value) -> _Rows | None:
    """Rows that hold what `value` is in each turn: it comes from an array outside, or goes to a carried one."""
    body, made = loop.blocks[0], value.operation
    if made is not None and made.name == "select" and not made.attrs["axis"]:
        array, place = made.operands[0], place_of(made.operands[1])
        if array.block is not body and not body.encloses(array.block) and _is_row(place, loop, array):
            assert place is not None
            return _Rows(array, place)
    for user, number in value.uses:
        if user.name != "select_update" or number != 1 or user.parent is not body or user.attrs["axis"]:
            continue
        array, place = user.operands[0], place_of(user.operands[2])
        kept = user.result.uses
        if array not in body.args or not same_shape(value.tensor_type.shape, array.tensor_type.shape[1:]):
            continue
        if len(array.uses) != 1 or list(kept) != [(body.terminator, array.index - 1)]:
            continue
        if _is_row(place, loop, array):
            assert place is not None
            return _Rows(loop.results[array.index - 1], place)
    return None


def _is_row(place: Place | None, loop: Operation, array: Value) -> bool:
    return place is not None and place.loop is loop and place.lies_in(array.tensor_type.shape[0])


def _is_small(value: Value, turns: DimLike) -> bool:
    """Whether an array of what a value is in all turns may be made."""
    size = value.tensor_type.size * turns
    return isinstance(size, int) and size * value.dtype.itemsize <= MOST_BYTES


def _keep(loop: Operation, value: Value, turns: DimLike, order: Place) -> _Rows:
    """A new carried array that gets the value in each turn."""
    body, parent = loop.blocks[0], loop.parent
    assert parent is not None
    ahead, inside = Builder(parent, before=loop), Builder(body, before=body.terminator)
    ahead.loc = inside.loc = loop.loc
    kind = TensorType(value.dtype, (turns, *value.tensor_type.shape))
    attrs = {"shape": kind.shape, "fill_value": 0.0, "dtype": value.dtype}
    loop.add_operand(ahead.apply(OPS["full"], (), attrs))
    array, index = body.add_arg(kind), body.args[0]
    if order.slope < 0:
        index = inside.apply(OPS["subtract"], (inside.constant(turns - 1), index), {})
    changed = inside.apply(OPS["select_update"], (array, value, index), {"axis": 0})
    body.terminator.add_operand(changed)
    return _Rows(loop.add_result(kind), Place(0, turns - 1, order.slope, loop))
