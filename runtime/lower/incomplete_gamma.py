"""Kernels of the incomplete gamma functions: the power series below x = a + 1, a continued fraction above it.

A block of elements is split into these two kinds; each goes through its iterations as vectors until its slowest
element has converged. Sources: Abramowitz and Stegun, 1964, 6.5.29 and 6.5.31; Lentz, Applied Optics 15, 1976.
"""

from __future__ import annotations

import math

from ...base.dtype import float64
from ...ir.core import Operation
from ...ops.kernel_expressions import Expr, Name, all_of, any_of, call, differ, equal, invert, select, smaller
from ..kernel.kernel_call import Kernel
from ..kernel.statements import LoopKind
from .element import broadcast_index, literal
from .nest import Nest, size_of
from .registry import Generator, generates

_BLOCK = 64  # elements that are split at once
_MOST_STEPS = 10_000
_CLOSE = {"f32": 1e-10, "f64": 4e-16}  # what a last step may change, relatively
_TINY = 1e-300
_ARRAYS = ["orders", "bounds", "fronts", "totals"]


def _f64(number: float) -> Expr:
    return call("f64", number)


class _Block:
    """The elements of one kind, side by side in arrays on the stack."""

    def __init__(self, nest: Nest, kind: str) -> None:
        self.nest, self.count = nest, Name(f"{kind}_count")
        self.order, self.bound, self.front, self.total = (
            nest.local(f"{kind}_{name}", "f64", _BLOCK) for name in _ARRAYS
        )
        self.places = nest.local(f"{kind}_places", "i64", _BLOCK)
        self.work = [nest.local(f"{kind}_{name}", "f64", _BLOCK) for name in ("p", "q", "r")]

    def clear(self) -> None:
        """No elements."""
        self.nest.let(self.count, 0)

    def add(self, place: Expr, order: Expr, bound: Expr) -> None:
        """One more element."""
        for array, value in ((self.places, place), (self.order, order), (self.bound, bound)):
            self.nest.store(array[self.count], value)
        self.nest.let(self.count, self.count + 1)

    def factors(self) -> None:
        """x**a * exp(-x) / gamma(a) of all elements."""
        with self.nest.loop("c", 0, self.count) as c:
            a, x = self.nest.let("a", self.order[c]), self.nest.let("x", self.bound[c])
            power = a * call("log_f64", x) - x - call("lgamma_f64", a)
            self.nest.store(self.front[c], call("exp_f64", power))


def _repeated(nest: Nest, count: Expr) -> tuple[Name, Name]:
    """The names of the greatest change of a step and of the step's number, ready for `while change > 0`."""
    return nest.let("change", call("f64", count)), nest.let("step", 0)


def _series(nest: Nest, block: _Block, close: float) -> None:
    """The lower function, divided by the front factor: the sum of x**k / (a (a + 1) … (a + k))."""
    term, divisor, _ = block.work
    with nest.loop("c", 0, block.count) as c:
        nest.store(divisor[c], block.order[c])
        nest.store(term[c], _f64(1) / block.order[c])
        nest.store(block.total[c], term[c])
    change, step = _repeated(nest, block.count)
    with nest.repeat(all_of(change > 0, step < _MOST_STEPS)):
        nest.let(step, step + 1)
        nest.let(change, _f64(0))
        with nest.loop("c", 0, block.count) as c:
            k = nest.let("k", divisor[c] + _f64(1))
            t = nest.let("t", term[c] * (block.bound[c] / k))
            total = nest.let("total", block.total[c] + t)
            for array, value in ((divisor, k), (term, t), (block.total, total)):
                nest.store(array[c], value)
            nest.let(change, call("largest_f64", change, t - total * _f64(close)))


def _nonzero(value: Expr) -> Expr:
    return select(equal(value, _f64(0)), _f64(_TINY), value)


def _fraction(nest: Nest, block: _Block, close: float) -> None:
    """The upper function, divided by the front factor: 1 / (x + 1 - a - 1 (1 - a) / (x + 3 - a - …))."""
    b, c_array, d_array = block.work
    with nest.loop("c", 0, block.count) as c:
        first = nest.let("first_b", block.bound[c] + _f64(1) - block.order[c])
        nest.store(b[c], first)
        nest.store(c_array[c], _f64(1 / _TINY))
        nest.store(d_array[c], _f64(1) / _nonzero(first))
        nest.store(block.total[c], d_array[c])
    change, step = _repeated(nest, block.count)
    with nest.repeat(all_of(change > 0, step < _MOST_STEPS)):
        nest.let(step, step + 1)
        number = nest.let("number", call("f64", step))
        nest.let(change, _f64(0))
        with nest.loop("c", 0, block.count) as c:
            part = nest.let("part", number * (block.order[c] - number))
            base = nest.let("base", b[c] + _f64(2))
            d = nest.let("d", _f64(1) / _nonzero(part * d_array[c] + base))
            ratio = nest.let("ratio", _nonzero(base + part / c_array[c]))
            by = nest.let("by", ratio * d)
            for array, value in ((b, base), (c_array, ratio), (d_array, d), (block.total, block.total[c] * by)):
                nest.store(array[c], value)
            nest.let(change, call("largest_f64", change, call("abs_f64", by - _f64(1)) - _f64(close)))


def _element(nest: Nest, operand: int, place: Expr) -> Expr:
    """An operand's element for an element of the result."""
    value, shape = nest.operation.operands[operand], nest.result.tensor_type.shape
    if value.tensor_type.shape == shape:
        return call("f64", nest.parameters.pointer(value)[place])
    index: list[Expr] = []
    for size in reversed(shape):
        index.insert(0, place % nest.dim(size))
        place = place // nest.dim(size)
    return call("f64", nest.load(operand, broadcast_index(value.tensor_type, index)))


def _limit(a: Expr, x: Expr, upper: bool) -> tuple[Expr, Expr]:
    """The value at the ends of both ranges, NaN beyond them, and whether an element lies between the ends."""
    infinite, zero = literal(math.inf, float64), _f64(0)
    bad = any_of(differ(a, a), differ(x, x), a < 0, x < 0, all_of(equal(a, zero), equal(x, zero)))
    full, empty = any_of(equal(x, infinite), equal(a, zero)), any_of(equal(x, zero), equal(a, infinite))
    value = select(bad, literal(math.nan, float64), select(full, _f64(1 - upper), _f64(int(upper))))
    return value, invert(any_of(bad, full, empty))


def _kernel(*, upper: bool) -> Generator:
    def generate(operation: Operation) -> Kernel:
        nest = Nest(operation)
        short, out = nest.result.dtype.short, nest.parameters.pointer(nest.result, "out")
        low, high = _Block(nest, "low"), _Block(nest, "high")
        with nest.loop("first", "lo", "hi", _BLOCK, kind=LoopKind.PARALLEL) as first:
            low.clear()
            high.clear()
            with nest.loop("e", first, smaller(first + _BLOCK, Name("hi"))) as e:
                a, x = nest.let("a", _element(nest, 0, e)), nest.let("x", _element(nest, 1, e))
                value, between = _limit(a, x, upper)
                nest.store(out[e], call(short, value))
                with nest.when(between):
                    with nest.when(x < a + _f64(1)):
                        low.add(e, a, x)
                    with nest.otherwise():
                        high.add(e, a, x)
            for block, advance in ((low, _series), (high, _fraction)):
                block.factors()
                advance(nest, block, _CLOSE[short])
                with nest.loop("c", 0, block.count) as c:
                    made = nest.let("made", block.front[c] * block.total[c])
                    nest.store(out[block.places[c]], call(short, _f64(1) - made if upper == (block is low) else made))
        return nest.finish(size_of(nest.result), size_of(nest.result) * 200)

    return generate


generates("special.gammainc")(_kernel(upper=False))
generates("special.gammaincc")(_kernel(upper=True))
