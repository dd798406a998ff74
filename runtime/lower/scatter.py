"""Scatter-like kernels and concatenation. The result starts as a copy of its base; only named elements are touched."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, nullcontext
from dataclasses import dataclass, replace
from typing import TypeAlias

from ...base.target import current_target
from ...ir.core import Operation, Value
from ...ops.dims import DimLike, product, same_dim
from ...ops.kernel_expressions import ZERO, Expr, Load, Operand, all_of, call, differ, select, smaller
from ..kernel.kernel_call import Kernel
from .element import broadcast_index
from .groups.axes import kind_of
from .nest import Nest, size_of
from .registry import generates


@dataclass(frozen=True)
class _Target:
    """Where updates go. axes: how many of their first axes say where; place: from the index along these, that of the
    base's first axes. The axes behind them are the same in both.
    """

    axes: Callable[[Operation], int]
    place: Callable[[Nest, list[Expr]], Sequence[Operand]]
    checks_empty: bool = True  # whether places of rows without elements must be within bounds, too


_Fold: TypeAlias = Callable[[Nest, Expr, Expr], Expr]


def piece_kernel(operation: Operation, operand: Value) -> Kernel:
    """Copies one operand of a concat row by row to its place in the result's rows (the buffer's offset)."""
    nest, axis = Nest(operation), operation.attrs["axis"]
    shape, piece = nest.result.tensor_type.shape, operand.tensor_type.shape
    out, source = nest.parameters.pointer(nest.result, "out"), nest.parameters.pointer(operand)
    width, size = nest.dim(product(shape[axis:])), nest.dim(product(piece[axis:]))
    with nest.range() as r, nest.loop("j", 0, size) as j:
        nest.store(out[r * width + j], source[r * size + j])
    return nest.finish(product(shape[:axis]), size_of(operand))


_MOST_INTERLEAVED = 16  # elements of a row of the result


def is_interleaved(operation: Operation) -> bool:
    """Whether the rows that a concat puts side by side are a few elements long, as those of `stack` along the last.

    Each part's width must be known: N and 4-N columns are 4 together.
    """
    axis, made = operation.attrs["axis"], operation.result.tensor_type.shape
    widths = [product(v.tensor_type.shape[axis:]) for v in operation.operands]
    width = sum(w for w in widths if isinstance(w, int))
    known = all(isinstance(w, int) for w in widths)
    return known and 1 < width <= _MOST_INTERLEAVED and not same_dim(product(made[:axis]), 1)


def interleave_kernel(operation: Operation) -> Kernel:
    """All operands of a concat of short rows in one sweep: a row of the result is written at once."""
    nest, axis = Nest(operation), operation.attrs["axis"]
    shape = nest.result.tensor_type.shape
    width, place = nest.dim(product(shape[axis:])), 0
    out = nest.parameters.pointer(nest.result, "out")
    with nest.range() as r:
        for operand in operation.operands:
            size = product(operand.tensor_type.shape[axis:])
            assert isinstance(size, int)
            for k in range(size):
                nest.store(out[r * width + place], nest.parameters.pointer(operand)[r * nest.dim(size) + k])
                place += 1
    return nest.finish(product(shape[:axis]), size_of(nest.result))


def _write(nest: Nest, target: Load, element: Expr, fold: _Fold | None) -> None:
    """Write an element, or what a fold makes of it and what is there; bools are stored as bytes."""
    value = call("u8", element) if nest.result.dtype.is_bool else element
    nest.store(target, value if fold is None else fold(nest, target, value))


def _added(nest: Nest, there: Expr, value: Expr) -> Expr:
    return there + value


def _combined(nest: Nest, there: Expr, value: Expr) -> Expr:
    """By what the attribute `reduce` says."""
    mode = nest.operation.attrs["reduce"]
    if mode == "mul":
        return there * value
    return call(f"{'maximum' if mode == 'amax' else 'minimum'}_{nest.result.dtype.short}", there, value)


def _select_kernel(fold: _Fold | None) -> Callable[[Operation], Kernel]:
    """base with one value written to, or folded into, the place along axis that an index without axes names."""

    def generate(operation: Operation) -> Kernel:
        nest, axis = Nest(operation), operation.attrs["axis"]
        base, value, _ = operation.operands
        shape = base.tensor_type.shape
        with nest.range():
            place = nest.index(2, shape[axis])
            with nest.loops(value.tensor_type.shape, "j") as index:
                target = nest.out([*index[:axis], place, *index[axis:]])
                _write(nest, target, nest.load(1, index), fold)
        return nest.finish(1, size_of(value), splittable=False, base=base)

    return generate


@generates("index.box_update")
@generates("index.slice_update")
def _box_kernel(operation: Operation) -> Kernel:
    """base with the elements of a box, in steps, written; along some axes at indices without axes of their own."""
    nest = Nest(operation)
    base, piece = operation.operands[:2]
    with nest.range():
        numbers = enumerate(operation.attrs.get("axes", ()), 2)
        given = {axis: nest.index(k, base.tensor_type.shape[axis]) for k, axis in numbers}
        with nest.loops(piece.tensor_type.shape, "j") as at:
            attrs = zip(operation.attrs["starts"], operation.attrs["strides"], at, strict=True)
            places = [given[k] if k in given else nest.dim(a) + j * by for k, (a, by, j) in enumerate(attrs)]
            _write(nest, nest.out(places), nest.load(1, at), None)
    return nest.finish(1, size_of(piece), splittable=False, base=base)


def _update_kernel(target: _Target, fold: _Fold | None) -> Callable[[Operation], Kernel]:
    """base with each of many updates written, or folded in, where the operand index says: a row of elements at once,
    behind the check of its place.
    """

    def generate(operation: Operation) -> Kernel:
        nest = Nest(operation)
        base, _, updates = operation.operands
        shape, lead = updates.tensor_type.shape, target.axes(operation)
        row = product(shape[lead:])
        sure = target.checks_empty or (isinstance(row, int) and row > 0)
        with nest.range(), nullcontext() if sure else nest.when(nest.dim(row) > 0), nest.loops(shape[:lead], "j") as at:
            places = target.place(nest, at)
            with _row(nest, shape[lead:]) as rest:
                _write(nest, nest.out([*places, *rest]), nest.load(2, [*at, *rest]), fold)
        return nest.finish(1, size_of(updates), splittable=False, base=base)

    return generate


_COUNTED_AT_ONCE = 4  # stretches: as many counts are under way, and none waits for the one before
_CHECKED = 1024  # places whose smallest and largest are looked at, in place of each
_FEW_COUNTS = 256  # for which there is a table for each stretch, ...
_WORTH_TABLES = 4096  # if so many places are counted


@generates("index.count_places")
def _count_kernel(operation: Operation) -> Kernel:
    """base with 1 added at places, of four stretches of a block in turn: neighbours often name one place, and each
    would wait until the number before it is stored. Few counts are kept once for each stretch, and added at the end.
    """
    nest = Nest(operation)
    base, index = operation.operands
    counts = base.tensor_type.shape[0]
    table = nest.local("table", "i64", _COUNTED_AT_ONCE * _FEW_COUNTS)

    def place(at: Operand) -> Expr:
        return call("i64", nest.load(1, [at]))

    def add(target: Expr) -> None:
        nest.store(target, target + 1)

    def blocks(counter: Callable[[int, Expr], Expr]) -> None:
        """Count all places; counter: the number of a place in one of the stretches."""
        with nest.loop("first", 0, size, _CHECKED) as first:
            stop = nest.let("stop", smaller(first + _CHECKED, size))
            low, high = (nest.let(name, place(first)) for name in ("low", "high"))
            with nest.loop("j", first, stop) as j:
                nest.let(low, call("smallest_i64", low, place(j)))
                nest.let(high, call("largest_i64", high, place(j)))
            with nest.when(all_of(low >= 0, high < nest.dim(counts))):
                stretch = nest.let("stretch", (stop - first) // _COUNTED_AT_ONCE)
                with nest.loop("j", first, first + stretch) as j:
                    for k in range(_COUNTED_AT_ONCE):
                        add(counter(k, place(j + stretch * k)))
                with nest.loop("j", first + stretch * _COUNTED_AT_ONCE, stop) as j:
                    add(counter(0, place(j)))
            with nest.otherwise(), nest.loop("j", first, stop) as j:
                add(nest.out([nest.checked(place(j), counts)]))

    with nest.range():
        size = nest.let("size", nest.dim(index.tensor_type.shape[0]))
        with nest.when(all_of(nest.dim(counts) <= _FEW_COUNTS, size >= _WORTH_TABLES)):
            with nest.loop("c", 0, _COUNTED_AT_ONCE * _FEW_COUNTS) as c:
                nest.store(table[c], 0)
            blocks(lambda k, at: table[at + k * _FEW_COUNTS])
            with nest.loop("c", 0, nest.dim(counts)) as c:
                parts = [table[c + k * _FEW_COUNTS] for k in range(_COUNTED_AT_ONCE)]
                nest.store(nest.out([c]), sum(parts, nest.out([c])))
        with nest.otherwise():
            blocks(lambda k, at: nest.out([at]))
    return nest.finish(1, size_of(index), splittable=False, base=base)


@contextmanager
def _row(nest: Nest, sizes: Sequence[DimLike]) -> Iterator[list[Expr]]:
    """One loop over elements that lie one behind the other, in the operands as in the result."""
    size = product(sizes)
    if same_dim(size, 1):
        yield [ZERO] * len(sizes)
        return
    last = max(k for k, size in enumerate(sizes) if not same_dim(size, 1))  # an axis of one element takes no index
    with nest.loop("e", 0, nest.dim(size), kind=kind_of(size, current_target().costs.row)) as e:
        yield [e if k == last else ZERO for k in range(len(sizes))]


def _slices(nest: Nest, at: list[Expr]) -> Sequence[Operand]:
    """updates [.., index shape .., ..] at index along axis."""
    base, index, _ = nest.operation.operands
    axis, rank = nest.operation.attrs["axis"], index.tensor_type.rank
    return [*at[:axis], nest.checked(nest.load(1, at[axis : axis + rank]), base.tensor_type.shape[axis])]


def _along_axis(nest: Nest, at: list[Expr]) -> Sequence[Operand]:
    """Values at the places that index (of the values' rank) names along axis."""
    base, index, _ = nest.operation.operands
    axis, rank = nest.operation.attrs["axis"], index.tensor_type.rank
    number = nest.load(1, broadcast_index(index.tensor_type, [*at, *[ZERO] * (rank - len(at))]))
    return [*at[:axis], nest.checked(number, base.tensor_type.shape[axis]), *at[axis + 1 :]]


def _told_apart(operation: Operation) -> int:
    """How many of the first axes tell the places along an axis apart: behind them one index is for a whole row."""
    axis, sizes = operation.attrs["axis"], operation.operands[1].tensor_type.shape
    return 1 + max(k for k, size in enumerate(sizes) if k == axis or not same_dim(size, 1))


def _points(nest: Nest, at: list[Expr]) -> Sequence[Operand]:
    """Updates at points: the last axis of index holds places in base's first axes."""
    base, index, _ = nest.operation.operands
    depth = index.tensor_type.shape[-1]
    assert isinstance(depth, int)
    return [nest.checked(nest.load(1, [*at, k]), base.tensor_type.shape[k]) for k in range(depth)]


_SLICES = _Target(lambda operation: operation.attrs["axis"] + operation.operands[1].tensor_type.rank, _slices)
_ALONG_AXIS = _Target(_told_apart, _along_axis, checks_empty=False)
_POINTS = _Target(lambda operation: operation.operands[1].tensor_type.rank - 1, _points)
for _name, _generator in {
    "select_update": _select_kernel(None), "select_add": _select_kernel(_added),
    "scatter_add": _update_kernel(_SLICES, _added),
    "put_along_axis": _update_kernel(_ALONG_AXIS, None), "put_along_axis_add": _update_kernel(_ALONG_AXIS, _added),
    "scatter_nd_update": _update_kernel(_POINTS, None), "scatter_nd_add": _update_kernel(_POINTS, _added),
}.items():  # fmt: skip
    generates(f"index.{_name}")(_generator)
generates("index.combine_along_axis", when=lambda operation: not operation.result.dtype.is_bool)(
    _update_kernel(_ALONG_AXIS, _combined)
)


def _may_have_values(operation: Operation) -> bool:
    count = size_of(operation.operands[2])
    return not (isinstance(count, int) and count == 0) and not operation.result.dtype.is_complex


def _masked_kernel(operation: Operation) -> Kernel:
    """One sweep without branches: how many elements were true so far is the place of the next value."""
    nest = Nest(operation)
    x, mask, values = (nest.parameters.pointer(operand) for operand in operation.operands)
    given, size = size_of(operation.operands[2]), nest.dim(size_of(nest.result))
    out, count = nest.parameters.pointer(nest.result, "out"), nest.dim(given)
    taken = nest.let("taken", 0)
    with ExitStack() as blocks:
        if not isinstance(given, int):  # where the mask is false a value is read, too
            with nest.when(count < 1), nest.loop("i", 0, size) as i:
                nest.store(out[i], x[i])
                nest.let(taken, taken + call("i64", differ(mask[i], 0)))
            blocks.enter_context(nest.when(count > 0))
        with nest.loop("i", 0, size) as i:
            chosen = nest.let("chosen", differ(mask[i], 0))
            value = nest.let("value", values[smaller(taken, count - 1)])
            nest.store(out[i], select(chosen, value, x[i]))
            nest.let(taken, taken + call("i64", chosen))
    with nest.when(taken > count):
        nest.fail()
    made = nest.finish(1, size_of(nest.result), splittable=False)
    return replace(made, failure=("ShapeError", "masked_scatter: fewer values than true elements of the mask"))


generates("index.masked_scatter", when=_may_have_values)(_masked_kernel)


_PICKED = 8  # elements of a mask that are looked at together
_PICKED_BY_VECTORS = 64  # and where lanes are packed: as many as a word has bits


class _Picked:
    """Elements are taken without a branch for each: how many were taken so far is the place of the next one, and where
    the mask is false its place is written again. Blocks without any are left out.

    Where the CPU packs those lanes of a vector that a mask picks, vectors are stored whole.
    """

    def __init__(self, operation: Operation) -> None:
        nest = self.nest = Nest(operation)
        self.mask, self.x = nest.parameters.pointer(operation.operands[-1]), None
        if len(operation.operands) > 1:
            self.x = nest.parameters.pointer(operation.operands[0])
        self.out, self.count = nest.parameters.pointer(nest.result, "out"), nest.dim(size_of(nest.result))
        self.short = nest.result.dtype.short
        target = current_target()
        vectors = target.packs_lanes and self.short in ("f32", "f64", "i32", "i64")
        self.lanes = target.lanes(nest.result.dtype.itemsize) if vectors else 0
        self.block = _PICKED_BY_VECTORS if vectors else _PICKED

    def build(self) -> Kernel:
        """The kernel, for one thread: where an element goes depends on all before it."""
        nest, mask, count = self.nest, self.mask, self.count
        extent = size_of(nest.operation.operands[-1])
        size = nest.dim(extent)
        taken, i = self.taken, self.i = nest.let("taken", 0), nest.let("i", 0)
        with nest.repeat(all_of(i + self.block <= size, taken < count)):
            some = nest.let("some", call("trues", self.block, mask, i) if self.lanes else call("i64", 0))
            for k in range(0 if self.lanes else self.block):
                nest.let(some, some | mask[i + k])
            with nest.when(differ(some, 0)):
                with nest.when(taken + (some + self.lanes if self.lanes else self.block) <= count):
                    self._take_block()
                with nest.otherwise():
                    self._take_rest(i + self.block)
            nest.let(i, i + self.block)
        self._take_rest(size)
        return nest.finish(1, extent, splittable=False)

    def _take(self, at: Expr) -> None:
        self.nest.store(self.out[self.taken], at if self.x is None else self.x[at])

    def _take_block(self) -> None:
        nest, taken, i = self.nest, self.taken, self.i
        if not self.lanes:
            for k in range(self.block):
                self._take(nest.let("at", i + k))
                nest.let(taken, taken + call("i64", differ(self.mask[i + k], 0)))
            return
        for part in range(0, self.block, self.lanes):
            many = nest.let("many", call("trues", self.lanes, self.mask, i + part))
            if self.x is None:
                nest.do("compress_places", self.lanes, self.mask, i + part, self.out, taken)
            else:
                nest.do(f"compress_{self.short}", self.lanes, self.x, i + part, self.mask, i + part, self.out, taken)
            nest.let(taken, taken + many)

    def _take_rest(self, stop: Operand) -> None:
        nest = self.nest
        with nest.loop("k", self.i, stop) as k:
            with nest.when(all_of(differ(self.mask[k], 0), self.taken < self.count)):
                self._take(k)
                nest.let(self.taken, self.taken + 1)


for _name in ("picked", "picked_places"):
    generates(f"index.{_name}")(lambda operation: _Picked(operation).build())
