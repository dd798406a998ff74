"""The kernel of isin: which integers are among those of a line, by a table of their range or a hash table of them.

The table of the range has a byte for each number from the line's smallest to its largest one. Where that would be
longer than the arrays are, the line's numbers go into a hash table, at most half full, with linear probing.
Source of the hash: Knuth, The Art of Computer Programming 3, 6.4 (multiplicative hashing).
"""

from __future__ import annotations

from ....base.dtype import int64, uint8
from ....ir.core import Operation
from ....ops.dims import DimLike
from ....ops.kernel_expressions import ZERO, Expr, Literal, Name, all_of, any_of, call, differ, equal, select
from ....ops.types import TensorType
from ...kernel.kernel_call import Kernel
from ..nest import Nest, size_of
from ..registry import generates

_GOLDEN = -7046029254386353131  # 2**64 over the golden ratio, as an int64
_LEAST = 6  # bits of the number of a place in the hash table, at least: it has at least four places for each number


@generates("order.is_among")
def _among_kernel(operation: Operation) -> Kernel:
    nest = Nest(operation)
    x, line = operation.operands
    count, size = nest.dim(size_of(line)), nest.dim(size_of(x))
    asked, members = nest.parameters.pointer(x), nest.parameters.pointer(line)
    out = nest.parameters.pointer(nest.result, "out")
    span: DimLike = size_of(line) * 16 + size_of(x) + 1024
    flags = nest.parameters.scratch(TensorType(uint8, (span,)))
    table = nest.parameters.scratch(TensorType(int64, (size_of(line) * 4 + (1 << _LEAST),)))
    with nest.range():
        low, high = nest.let("low", ZERO), nest.let("high", Literal(-1))
        with nest.when(count > 0):
            nest.let(low, call("i64", members[ZERO]))
            nest.let(high, low)
        with nest.loop("j", 0, count) as j:
            nest.let(low, call("smallest_i64", low, call("i64", members[j])))
            nest.let(high, call("largest_i64", high, call("i64", members[j])))
        apart = nest.let("apart", call("wrapping_subtract", high, low))  # negative from 2**63 on
        with nest.when(any_of(equal(count, 0), all_of(apart >= 0, apart < nest.dim(span)))):
            with nest.loop("j", 0, apart + 1) as j:
                nest.store(flags[j], call("u8", 0))
            with nest.loop("j", 0, count) as j:
                nest.store(flags[call("i64", members[j]) - low], call("u8", 1))
            with nest.loop("j", 0, size) as j:
                place = nest.let("place", call("wrapping_subtract", call("i64", asked[j]), low))
                inside = nest.let("inside", all_of(place >= 0, place <= apart))
                nest.let(place, select(inside, place, 0))
                nest.store(out[j], call("u8", inside & differ(flags[place], call("u8", 0))))
        with nest.otherwise():
            _by_hash(nest, count, size, members, asked, out, table)
    return nest.finish(1, size_of(x) * 4 + size_of(line) * 8, splittable=False)


def _by_hash(nest: Nest, count: Expr, size: Expr, members: Expr, asked: Expr, out: Expr, table: Expr) -> None:
    """Places that hold the line's first number are empty: whether a number equals that one is seen without a look."""
    bits, first = nest.let("bits", _LEAST), nest.let("first", call("i64", members[ZERO]))
    with nest.repeat(call("shift_left_i64", Literal(1), bits) < count * 2):
        nest.let(bits, bits + 1)
    last = nest.let("last", call("shift_left_i64", Literal(1), bits) - 1)
    with nest.loop("j", 0, last + 1) as j:
        nest.store(table[j], first)

    def found(number: Expr) -> Name:
        """The place of a number, or the empty one at which it is missing."""
        scattered = call("wrapping_multiply", number, Literal(_GOLDEN))
        at = nest.let("at", call("shift_right_logical_i64", scattered, Literal(64) - bits))
        with nest.repeat(all_of(~equal(table[at], number), ~equal(table[at], first))):
            nest.let(at, (at + 1) & last)
        return at

    with nest.loop("j", 0, count) as j:
        number = nest.let("number", call("i64", members[j]))
        nest.store(table[found(number)], number)
    with nest.loop("j", 0, size) as j:
        number = nest.let("number", call("i64", asked[j]))
        nest.store(out[j], call("u8", equal(table[found(number)], number)))
