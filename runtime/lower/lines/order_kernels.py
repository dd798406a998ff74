"""Kernels of orders along an axis: short lines sorted by insertion, the first places of long ones, binary search."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ....ir.core import Operation
from ....ops.dims import product
from ....ops.kernel_expressions import ZERO, Expr, Literal, Name, Operand, all_of, call, differ, equal, select, smaller
from ...kernel.kernel_call import Kernel
from ...kernel.statements import LoopKind
from ..nest import Nest, size_of
from ..parameters import stored_as
from ..registry import generates
from .merge_sort import Line, Order, is_merged, merge_kernel
from .radix_sort import is_counted_by_digits, is_long, is_radix_sorted, mode_kernel, radix_kernel, values_kernel
from .sorting_network import is_networked, network_kernel

# Where a network doesn't sort them, lines up to here are sorted by insertion ...
_SHORT = {"order.sorted_values": 16, "order.argsort": 32}
_FEW = 64  # ... and so are arrays of so many elements: a call of NumPy costs more
_BLOCK = 64  # elements of which the extreme is compared with the last of the first places
_ABREAST = 256  # values that are searched at once


def _is_short(name: str) -> Callable[[Operation], bool]:
    def holds(operation: Operation) -> bool:
        kind = operation.operands[0].tensor_type
        line, count = kind.shape[operation.attrs["axis"]], kind.size
        return isinstance(line, int) and (line <= _SHORT[name] or (isinstance(count, int) and count <= _FEW))

    return holds


is_short = _is_short("order.argsort")


def _insert(nest: Nest, order: Order, x: Expr, place: Expr, filled: Expr, arrays: Sequence[Name]) -> None:
    """Put an element behind those in `arrays` (values, and perhaps places) that it doesn't stand before."""
    values, at = arrays[0], nest.let("t", filled)
    with nest.repeat(all_of(at > 0, order.before(x, values[at - 1]))):
        for array in arrays:
            nest.store(array[at], array[at - 1])
        nest.let(at, at - 1)
    for array, item in zip(arrays, (x, place), strict=False):
        nest.store(array[at], item)


def _short_kernel(what: int) -> Callable[[Operation], Kernel]:
    """what: which array is the result, 0 the values, 1 their places."""

    def generate(operation: Operation) -> Kernel:
        nest = Nest(operation)
        line, order = Line(nest), Order(operation.operands[0].tensor_type, falling=operation.attrs["descending"])
        size = line.length
        assert isinstance(size, int)
        arrays = [nest.local("values", stored_as(line.kind.dtype.short), max(1, size))]
        arrays += [nest.local("places", "i64", max(1, size))] * what
        with nest.rows(line.others) as line.index:
            with nest.loop("j", 0, size) as j:
                _insert(nest, order, nest.let("x", line.element(j)), j, j, arrays)
            with nest.loop("k", 0, size) as k:
                nest.store(line.out(k), arrays[what][k])
        return nest.finish(product(line.others), size_of(operation.operands[0]) * max(1, size // 4))

    return generate


def _top_kernel(operation: Operation) -> Kernel:
    """A block of elements is looked at one by one only where its extreme comes before the last of the places so far."""
    nest, falling = Nest(operation), operation.attrs["largest"]
    line, order = Line(nest), Order(operation.operands[0].tensor_type, falling=falling)
    short, count = stored_as(line.kind.dtype.short), operation.attrs["k"]
    arrays = [nest.local("values", short, count + 1), nest.local("places", "i64", count + 1)]
    last = arrays[0][count - 1]
    size = line.length
    with nest.rows(line.others) as line.index:
        if not isinstance(size, int):
            nest.checked(Literal(count - 1), size)
        with nest.loop("j", 0, count if isinstance(size, int) else smaller(line.size, count)) as j:
            _insert(nest, order, nest.let("x", line.element(j)), j, j, arrays)
        with nest.loop("first", count, line.size, _BLOCK) as first:
            stop = nest.let("stop", smaller(first + _BLOCK, line.size))
            here = nest.let("here", line.element(first))
            with nest.loop("i", first, stop) as i:
                nest.let(here, call(f"{'largest' if falling else 'smallest'}_{short}", here, line.element(i)))
            chance = order.before(here, last)
            if order.floating and not falling:  # NaN hides what else is in the block
                chance = chance | differ(here, here)
            with nest.when(chance), nest.loop("j", first, stop) as j:
                x = nest.let("x", line.element(j))
                with nest.when(order.before(x, last)):
                    _insert(nest, order, x, j, nest.let("end", count - 1), arrays)
        with nest.loop("k", 0, count) as k:
            nest.store(line.out(k), arrays[1][k])
    return nest.finish(product(line.others), size_of(operation.operands[0]))


_MOST_COUNTED = 64  # elements of a line, each of which is compared with all others


def _mode_kernel(operation: Operation) -> Kernel:
    """Each element is counted; the last place of the most frequent one, of NaN the first."""
    nest = Nest(operation)
    line, order = Line(nest), Order(operation.operands[0].tensor_type, falling=False)
    with nest.rows(line.others) as line.index:
        most, best, place = nest.let("most", 0), nest.let("best", line.element(0)), nest.let("place", 0)
        with nest.loop("i", 0, line.size) as i:
            x, count = nest.let("x", line.element(i)), nest.let("count", 0)
            with nest.loop("j", 0, line.size) as j:
                other = nest.let("other", line.element(j))
                same = equal(other, x) | (differ(other, other) & differ(x, x)) if order.floating else equal(other, x)
                nest.let(count, count + call("i64", same))
            first = order.before(x, best) | equal(x, best)
            with nest.when((count > most) | (equal(count, most) & first)):
                for name, value in ((most, count), (best, x), (place, i)):
                    nest.let(name, value)
        nest.store(line.out(0), place)
    return nest.finish(product(line.others), size_of(operation.operands[0]) * _MOST_COUNTED // 4)


def _is_counted(operation: Operation) -> bool:
    size = operation.operands[0].tensor_type.shape[operation.attrs["axis"]]
    return isinstance(size, int) and 0 < size <= _MOST_COUNTED


def _search_kernel(operation: Operation) -> Kernel:
    """Binary search without branches, many values at once: each step halves what is left for all of them."""
    nest = Nest(operation)
    sequence, values = operation.operands
    lines = sequence.tensor_type.rank > 1
    kind = values.tensor_type
    table, source = nest.parameters.pointer(sequence), nest.parameters.pointer(values)
    out = nest.parameters.pointer(nest.result, "out")
    length = nest.dim(sequence.tensor_type.shape[-1])
    extent, width = (product(kind.shape[:-1]), kind.shape[-1]) if lines else (kind.size, 1)
    order = Order(kind, falling=False)
    low = nest.local("low", "i64", _ABREAST)

    def goes_on(element: Expr, value: Expr) -> Expr:
        """Whether the place lies behind an element."""
        return ~order.before(value, element) if operation.attrs["right"] else order.before(element, value)

    def search(first: Expr, stop: Expr, start: Operand) -> None:
        """The places of source[first:stop] in the sequence that starts at table[start]."""
        count = nest.let("count", stop - first)
        with nest.loop("c", 0, count) as c:
            nest.store(low[c], 0)
        left = nest.let("left", length)
        with nest.repeat(left > 1):
            half = nest.let("half", left // 2)
            with nest.loop("c", 0, count) as c:
                x = nest.let("x", source[first + c])
                passes = nest.let("passes", goes_on(table[start + low[c] + (half - 1)], x))
                nest.store(low[c], select(passes, low[c] + half, low[c]))
            nest.let(left, left - half)
        with nest.loop("c", 0, count) as c:
            x = nest.let("x", source[first + c])
            place = nest.let("place", low[c])
            with nest.when(left > 0):
                nest.let(place, place + call("i64", goes_on(table[start + low[c]], x)))
            nest.store(out[first + c], place)

    if lines:
        with nest.range() as r, nest.loop("b", 0, nest.dim(width), _ABREAST) as b:
            base = nest.let("base", r * nest.dim(width))
            first = nest.let("first", base + b)
            search(first, nest.let("stop", smaller(first + _ABREAST, base + nest.dim(width))), r * length)
        return nest.finish(extent, kind.size * 30)
    with nest.loop("first", "lo", "hi", _ABREAST, kind=LoopKind.PARALLEL) as first:
        search(first, nest.let("stop", smaller(first + _ABREAST, Name("hi"))), ZERO)
    return nest.finish(extent, kind.size * 30)


def _one_kind(operation: Operation) -> bool:
    """Whether the sequence and the values have one dtype: else NumPy compares them in a common one."""
    sequence, values = operation.operands
    return sequence.dtype is values.dtype


_has_short_values = _is_short("order.sorted_values")


def _is_sorted(operation: Operation) -> bool:
    """Whether a kernel of this package sorts the values of a line, not NumPy."""
    return _has_short_values(operation) or is_networked(operation) or is_long(operation)


def _sorted_kernel(operation: Operation) -> Kernel:
    if is_networked(operation):
        return network_kernel(operation)
    return (_short_kernel(0) if _has_short_values(operation) else values_kernel)(operation)


def _order_kernel(operation: Operation) -> Kernel:
    if is_networked(operation):
        return network_kernel(operation)
    if is_radix_sorted(operation):
        return radix_kernel(operation)
    return (_short_kernel(1) if is_short(operation) else merge_kernel)(operation)


def _most_frequent_kernel(operation: Operation) -> Kernel:
    return (_mode_kernel if _is_counted(operation) else mode_kernel)(operation)


generates("order.sorted_values", when=_is_sorted)(_sorted_kernel)
generates("order.argsort", when=lambda o: is_short(o) or is_merged(o) or is_radix_sorted(o))(_order_kernel)
generates("order.mode_place", when=lambda o: _is_counted(o) or is_counted_by_digits(o))(_most_frequent_kernel)
generates("order.top_places")(_top_kernel)
generates("order.searchsorted", when=_one_kind)(_search_kernel)
