"""The kernel of ctc_loss: sums over all alignments of a sequence, forward and backward along time.

Places are the labels with blanks between. The sums are logarithms in float64, as eager mode's; the places of one time
are computed as vectors, from three of the time before. Rows have two more places, -inf, so that no step needs a branch.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TypeAlias

from ....base.dtype import DType, float64, int64
from ....ir.core import Operation
from ....ops.dims import DimLike, same_dim
from ....ops.kernel_expressions import (
    ZERO,
    Expr,
    Load,
    Name,
    Operand,
    Pointer,
    all_of,
    call,
    differ,
    equal,
    larger,
    select,
    smaller,
)  # fmt: skip
from ....ops.types import TensorType
from ...kernel.kernel_call import Kernel
from ..element import literal
from ..nest import Nest, size_of
from ..registry import generates

_NOTHING = literal(-math.inf, float64)
_Array: TypeAlias = tuple[Pointer, tuple[DimLike, ...]]
_WORK = 120  # simple operations of a place at one time


def _log_of_sum(nest: Nest, parts: Sequence[Expr]) -> Name:
    """The logarithm of a sum of three numbers given by theirs."""
    first, second, third = (nest.let(f"part{k}", part) for k, part in enumerate(parts))
    top = nest.let("top", call("maximum_f64", call("maximum_f64", first, second), third))
    finite = call("abs_f64", top) < literal(math.inf, float64)
    safe = nest.let("safe", select(finite, top, literal(0.0, float64)))
    total = call("exp_f64", first - safe) + call("exp_f64", second - safe) + call("exp_f64", third - safe)
    return nest.let("log_sum", call("log_f64", total) + safe)


class _Alignment:
    """One sequence on its way through the kernel."""

    def __init__(self, operation: Operation) -> None:
        self.nest = nest = Nest(operation)
        logp, labels = (v.tensor_type for v in operation.operands[:2])
        self.times, self.count, self.classes = logp.shape
        self.length = labels.shape[1]
        self.places = 2 * self.length + 1
        self.alphas = self._scratch(self.times, self.places + 2)
        self.betas, self.sums, self.skips = (self._scratch(self.places + 2) for _ in range(3))
        self.paths = self._scratch(self.places, kind=int64)
        self.shares = self._scratch(self.classes)
        self.gradient = nest.parameters.pointer(operation.results[1], "out")
        self.blank = operation.attrs["blank"]
        self.b: Expr = ZERO

    def _scratch(self, *sizes: DimLike, kind: DType = float64) -> _Array:
        return self.nest.parameters.scratch(TensorType(kind, (self.count, *sizes))), sizes

    def at(self, array: _Array, *index: Operand) -> Load:
        """An element of this sequence's part of an array."""
        pointer, sizes = array
        place: Expr = self.b
        for size, k in zip(sizes, index, strict=True):
            place = place * self.nest.dim(size) + k
        return pointer[place]

    def emitted(self, t: Operand, s: Operand) -> Expr:
        """The log-probability of a place at a time."""
        return call("f64", self.nest.load(0, [t, self.b, self.at(self.paths, s)]))

    def fill(self, array: _Array, *index: Operand, value: Operand = _NOTHING) -> None:
        """A row of an array gets one value."""
        with self.nest.loop("s", 0, self.nest.dim(array[1][-1])) as s:
            self.nest.store(self.at(array, *index, s), value)

    def read_labels(self, stop: Expr) -> None:
        """The class of every place, and what a step over the blank before it costs: nothing, or -inf."""
        nest = self.nest
        self.fill(self.skips)
        with nest.loop("s", 0, stop) as s:
            nest.store(self.at(self.paths, s), self.blank)
            with nest.when(equal(s % 2, 1)):
                label = nest.checked(nest.load(1, [self.b, s // 2]), self.classes)
                nest.store(self.at(self.paths, s), label)
                with nest.when(s > 1):
                    past = nest.let("past", self.at(self.paths, s - 2))
                    with nest.when(all_of(differ(label, self.blank), differ(label, past))):
                        nest.store(self.at(self.skips, s), literal(0.0, float64))

    def forward(self, stop: Expr, last: Expr) -> None:
        """Sums over the alignments up to each time; place s stands at s + 2."""
        nest = self.nest
        with nest.loop("t", 0, last + 1) as t:
            self.fill(self.alphas, t)
            with nest.when(equal(t, 0)), nest.loop("s", 0, smaller(stop, 2)) as s:
                nest.store(self.at(self.alphas, 0, s + 2), self.emitted(0, s))
            with nest.when(t > 0):
                with nest.loop("s", 0, stop) as s:
                    before = [self.at(self.alphas, t - 1, s + k) for k in (2, 1, 0)]
                    made = _log_of_sum(nest, [*before[:2], before[2] + self.at(self.skips, s)])
                    nest.store(self.at(self.sums, s), made)
                with nest.loop("s", 0, stop) as s:
                    nest.store(self.at(self.alphas, t, s + 2), self.at(self.sums, s) + self.emitted(t, s))

    def backward(self, stop: Expr, last: Expr, total: Expr) -> None:
        """Sums over the alignments from each time on, and with them the gradient."""
        nest = self.nest
        self.fill(self.betas)
        with nest.loop("s", larger(stop - 2, 0), stop) as s:
            nest.store(self.at(self.betas, s), literal(0.0, float64))
        self.write_time(last, stop, total)
        with nest.loop("k", 0, last) as k:
            t = nest.let("t", last - 1 - k)
            self.fill(self.sums)
            with nest.loop("s", 0, stop) as s:
                nest.store(self.at(self.sums, s), self.at(self.betas, s) + self.emitted(t + 1, s))
            with nest.loop("s", 0, stop) as s:
                after = [self.at(self.sums, s + j) for j in (0, 1, 2)]
                made = _log_of_sum(nest, [*after[:2], after[2] + self.at(self.skips, s + 2)])
                nest.store(self.at(self.betas, s), made)
            self.write_time(t, stop, total)

    def write_time(self, t: Expr, stop: Expr, total: Expr) -> None:
        """The gradient of one time: minus the share of the alignments that pass each class."""
        nest = self.nest
        self.fill(self.shares, value=literal(0.0, float64))
        with nest.loop("s", 0, stop) as s:
            reached = self.at(self.alphas, t, s + 2) + self.at(self.betas, s)
            nest.store(self.at(self.sums, s), call("exp_f64", reached - total))
        with nest.loop("s", 0, stop) as s:
            target = self.at(self.shares, self.at(self.paths, s))
            nest.store(target, target - self.at(self.sums, s))
        self.put(t, lambda c: self.at(self.shares, c))

    def put(self, t: Expr, value: Callable[[Expr], Expr]) -> None:
        """The gradient of a time."""
        nest, short = self.nest, self.nest.result.dtype.short
        with nest.loop("c", 0, nest.dim(self.classes)) as c:
            place = self.nest.parameters.at(nest.operation.results[1], [t, self.b, c])
            nest.store(self.gradient[place], call(short, value(c)))


def _kernel(operation: Operation) -> Kernel:
    a = _Alignment(operation)
    nest, short = a.nest, a.nest.result.dtype.short
    with nest.range("b") as a.b:
        time = nest.let("time", nest.load(2, [a.b]) - 1)
        last = nest.let("last", nest.checked(time, a.times))
        end = nest.let("end", nest.load(3, [a.b]) * 2)
        place = nest.let("place", nest.checked(end, a.places))
        stop = nest.let("stop", smaller(larger(end + 1, 0), nest.dim(a.places)))
        a.read_labels(stop)
        a.forward(stop, last)
        inner = nest.let("inner", select(end > 0, a.at(a.alphas, last, larger(place, 1) + 1), _NOTHING))
        total = nest.let("total", _log_of_sum(nest, [a.at(a.alphas, last, place + 2), inner, _NOTHING]))
        nest.store(nest.out([a.b]), call(short, -total))
        reached = nest.let("reached", call("abs_f64", total) < literal(math.inf, float64))
        used = nest.let("used", select(all_of(reached, time + 1 > 0), last + 1, 0))
        with nest.loop("t", used, nest.dim(a.times)) as t:
            a.put(t, lambda c: literal(0.0, float64))
        with nest.when(used > 0):
            a.backward(stop, last, total)
    return nest.finish(a.count, size_of(operation.operands[1]) * a.times * _WORK)


def _is_one_batch(operation: Operation) -> bool:
    """Whether all operands are known to have as many sequences, some times and some classes."""
    logp, labels, inputs, targets = (v.tensor_type for v in operation.operands)
    known = all(d != 0 for d in logp.shape if isinstance(d, int))
    counts = (labels.shape[0], *inputs.shape, *targets.shape)
    return known and len(counts) == 3 and all(same_dim(n, logp.shape[1]) for n in counts)


generates("sequence.ctc_loss", when=_is_one_batch)(_kernel)
