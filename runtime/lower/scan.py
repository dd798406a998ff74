"""Kernels that walk one axis in order: cumulative sums and products, positions of extremes."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import TypeAlias

from ...ir.core import Operation
from ...ops.dims import product
from ...ops.kernel_expressions import ZERO, Expr, Operand, all_of, any_of, call, differ, equal
from .element import wrapping
from .kernel import Kernel
from .nest import Nest, size_of
from .registry import generates

_Pair: TypeAlias = Callable[[Expr, Expr], Expr]


def _along(row: Sequence[Expr], axis: int, place: Operand) -> list[Operand]:
    """The index of a place along an axis; `row`: that of all other axes."""
    return [*row[:axis], place, *row[axis:]]


def _scan_kernel(start: int, combine: _Pair) -> Callable[[Operation], Kernel]:
    def generate(operation: Operation) -> Kernel:
        nest, axis = Nest(operation), operation.attrs["axis"]
        shape = nest.result.tensor_type.shape
        size, short = nest.dim(shape[axis]), nest.result.dtype.short
        others = [d for k, d in enumerate(shape) if k != axis]
        with nest.rows(others) as row:
            total = nest.let("a", call(short, start))
            with nest.loop("j", 0, size) as j:
                place = nest.let("k", size - 1 - j if operation.attrs["reverse"] else j)
                index = _along(row, axis, place)
                made = combine(total, nest.load(0, index))
                nest.let(total, call(short, wrapping(made) if short == "i64" else made))
                nest.store(nest.out(index), total)
        return nest.finish(product(others), size_of(nest.result))

    return generate


def _position_kernel(better: _Pair) -> Callable[[Operation], Kernel]:
    def wins(x: Expr, best: Expr, *, floating: bool) -> Expr:
        """Whether an element takes the best one's place: the first NaN does, and stays."""
        if not floating:
            return better(x, best)
        return all_of(equal(best, best), any_of(better(x, best), all_of(differ(x, x), equal(best, best))))

    def generate(operation: Operation) -> Kernel:
        nest, axis, keep = Nest(operation), operation.attrs["axis"], operation.attrs["keepdim"]
        source = operation.operands[0].tensor_type
        others = [d for k, d in enumerate(source.shape) if k != axis]
        with nest.rows(others) as row:
            best = nest.let("best", nest.load(0, _along(row, axis, ZERO)))
            at = nest.let("at", 0)
            with nest.loop("j", 1, nest.dim(source.shape[axis])) as j:
                x = nest.let("x", nest.load(0, _along(row, axis, j)))
                with nest.when(wins(x, best, floating=source.dtype.is_floating)):
                    nest.let(best, x)
                    nest.let(at, j)
            nest.store(nest.out(_along(row, axis, ZERO) if keep else row), at)
        return nest.finish(product(others), size_of(operation.operands[0]))

    return generate


generates("scan.cumsum")(_scan_kernel(0, operator.add))
generates("scan.cumprod")(_scan_kernel(1, operator.mul))
generates("reduce.argmax")(_position_kernel(operator.gt))
generates("reduce.argmin")(_position_kernel(operator.lt))
