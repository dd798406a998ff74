"""Kernels that walk one axis in order: cumulative sums and products, positions of extremes."""

from __future__ import annotations

from collections.abc import Callable

from ...ir.core import Operation
from ...ops.dims import product
from .kernel import Kernel
from .nest import Nest, size_of
from .registry import generates
from .wrapping import wrapped


def _scan_kernel(start: str, combine: str) -> Callable[[Operation], Kernel]:
    def generate(operation: Operation) -> Kernel:
        nest, axis = Nest(operation), operation.attrs["axis"]
        shape = nest.result.tensor_type.shape
        size, short = nest.dim(shape[axis]), nest.result.dtype.short
        others = [d for k, d in enumerate(shape) if k != axis]
        with nest.rows(others) as row:
            nest.line(f"a = {short}({start})")
            with nest.block(f"for j in range({size})"):
                place = f"{size} - 1 - j" if operation.attrs["reverse"] else "j"
                nest.line(f"k = {place}")
                index = [*row[:axis], "k", *row[axis:]]
                text = combine.format(a="a", x=nest.load(0, index))
                nest.line(f"a = {short}({wrapped(text) if short == 'i64' else text})")
                nest.line(f"{nest.out(index)} = a")
        return nest.finish(product(others), size_of(nest.result))

    return generate


def _position_kernel(better: str) -> Callable[[Operation], Kernel]:
    def generate(operation: Operation) -> Kernel:
        nest, axis, keep = Nest(operation), operation.attrs["axis"], operation.attrs["keepdim"]
        source = operation.operands[0].tensor_type
        others = [d for k, d in enumerate(source.shape) if k != axis]
        floating = source.dtype.is_floating
        with nest.rows(others) as row:
            nest.line(f"best = {nest.load(0, [*row[:axis], '0', *row[axis:]])}")
            nest.line("at = 0")
            with nest.block(f"for j in range(1, {nest.dim(source.shape[axis])})"):
                nest.line(f"x = {nest.load(0, [*row[:axis], 'j', *row[axis:]])}")
                nan = " or (x != x and best == best)" if floating else ""
                guard = "best == best and " if floating else ""
                with nest.block(f"if {guard}(x {better} best{nan})"):
                    nest.line("best = x")
                    nest.line("at = j")
            nest.line(f"{nest.out([*row[:axis], *(['0'] if keep else []), *row[axis:]])} = at")
        return nest.finish(product(others), size_of(operation.operands[0]))

    return generate


generates("scan.cumsum")(_scan_kernel("0", "{a} + {x}"))
generates("scan.cumprod")(_scan_kernel("1", "{a} * {x}"))
generates("reduce.argmax")(_position_kernel(">"))
generates("reduce.argmin")(_position_kernel("<"))
