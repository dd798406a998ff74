"""Kernels for small matrices of known size: triangles by substitution, and products.

What they compute stands in arrays on the stack, so that a loop with such operations can be one kernel. LAPACK and BLAS
have the larger ones. Systems and factors: `elimination_kernels.py`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import replace

from ....base.dtype import int32, int64
from ....base.target import current_target
from ....ir.core import Operation, Value
from ....ops.dims import DimLike, product
from ....ops.elimination import MOST_ROWS
from ....ops.kernel_expressions import ZERO, Expr, Load, Name, call, equal
from ....ops.types import Shape
from ...kernel.kernel_call import Kernel
from ...kernel.statements import LoopKind
from ..element import broadcast_index
from ..nest import Nest, size_of
from ..registry import generates
from .elimination_kernels import CHOLESKY, DETERMINANT, SYSTEM, SmallMatrices, eliminated, is_small, sizes_of
from .lapack_kernels import (
    any_size,
    cholesky_kernel,
    determinant_kernel,
    either,
    inverse_kernel,
    system_kernel,
    triangle_kernel,
)
from .stack import SINGULAR

_MOST_TRIANGULAR = 1 << 20  # multiplications ...
_MOST_ON_STACK = 1 << 14  # ... and elements of the right side
_MOST_PRODUCT = 16**3  # multiplications
_MOST_IN_STACK = 16  # rows and columns of matrices of a stack


def _is_small_triangle(operation: Operation) -> bool:
    rows, columns = sizes_of(operation)
    if not isinstance(rows, int) or not isinstance(columns, int):
        return False
    return columns > 0 and rows > 0 and rows * rows * columns <= _MOST_TRIANGULAR and rows * columns <= _MOST_ON_STACK


def _triangular_kernel(operation: Operation) -> Kernel:
    """Substitution, row by row; the columns of the right side side by side, or each a sum of products."""
    m = SmallMatrices(operation, operation.result.tensor_type.shape[:-2])
    nest, n, count, attrs = m.nest, m.n, m.count, operation.attrs
    forward = attrs["upper"] == attrs["transpose"]

    def factor(i: Expr, j: Expr) -> Expr:
        return m.element(0, *((j, i) if attrs["transpose"] else (i, j)))

    x, made = m.room("x", m.rows, m.columns), m.room("made", m.columns)
    with m.each(), nest.loop("step", 0, n) as step:
        i = nest.let("i", step if forward else n - 1 - step)
        first, stop = (ZERO, i) if forward else (i + 1, n)
        if not attrs["unitriangular"]:
            diagonal = nest.let("diagonal", factor(i, i))
            with nest.when(equal(diagonal, 0)):
                nest.fail()
        with nest.loop("c", 0, count) as c:
            nest.store(made[c], m.number(0))
        with nest.loop("j", first, stop) as j:
            f = nest.let("f", factor(i, j))
            with nest.loop("c", 0, count) as c:
                nest.store(made[c], call("fast_add", made[c], f * x[j * count + c]))
        with nest.loop("c", 0, count) as c:
            rest = m.element(1, i, c) - made[c]
            nest.store(x[i * count + c], rest if attrs["unitriangular"] else rest / diagonal)
            m.put(nest.result, (i, c), x[i * count + c])
    return m.finish(m.work, SINGULAR)


def is_small_product(operation: Operation) -> bool:
    """Whether a kernel computes a matmul: all of integers, and small ones in a loop, which may become a kernel then.

    So does one of the very small matrices of a stack: for each, a call of BLAS takes longer than its sums. Elsewhere a
    call of BLAS is nearly as fast, and needs no kernel to be compiled.
    """
    x, y = (v.tensor_type for v in operation.operands[-2:])
    if x.dtype is y.dtype and x.dtype in (int32, int64):
        return True
    _, rows, columns, inner = _product_sizes(operation)
    known = [d for d in (rows, columns, inner) if isinstance(d, int)]
    if len(known) < 3 or min(known) <= 0:
        return False
    if x.rank > 2 and y.rank > 2 and max(known) <= _MOST_IN_STACK:
        return _fills_vectors(operation.result, columns) or math.prod(known) <= current_target().costs.scalars
    return _is_in_loop(operation) and max(known) <= MOST_ROWS and math.prod(known) <= _MOST_PRODUCT


def _fills_vectors(result: Value, columns: DimLike) -> bool:
    """Whether rows of the result are vectors."""
    lanes = current_target().lanes(result.dtype.itemsize)
    return result.dtype.is_floating and columns in (4, 8, 16) and columns <= lanes


def _product_sizes(operation: Operation) -> tuple[Shape, DimLike, DimLike, DimLike]:
    """The leading axes of a matmul's result, its rows and columns (1 of a vector), and how many products they add."""
    x, y = (v.tensor_type for v in operation.operands[-2:])
    shape = operation.result.tensor_type.shape
    inner = x.shape[-2] if operation.attrs.get("transpose_x") and x.rank > 1 else x.shape[-1]
    columns = 1 if y.rank == 1 else shape[-1]
    rows = 1 if x.rank == 1 else shape[-1 if y.rank == 1 else -2]
    return shape[: len(shape) - (x.rank > 1) - (y.rank > 1)], rows, columns, inner


def _is_in_loop(operation: Operation) -> bool:
    holder = operation.holder
    return holder is not None and (holder.name in ("for", "while") or _is_in_loop(holder))


def _factor_element(nest: Nest, value: Value, front: Sequence[Expr], at: Sequence[Expr], transposed: bool) -> Expr:
    """An element of a product's factor: of the matrix at `front` the one `at` a place, of a vector the one at `k`."""
    kind = value.tensor_type
    if kind.rank == 1:
        return nest.parameters.load(value, [Name("k")])
    lead = broadcast_index(replace(kind, shape=kind.shape[:-2]), list(front))
    return nest.parameters.load(value, [*lead, *(reversed(at) if transposed else at)])


def product_kernel(operation: Operation) -> Kernel:
    """Rows of the result, each a sum of rows of the second matrix: `matmul`, one of bytes, and `matmul_add`."""
    nest, attrs = Nest(operation), operation.attrs
    *base, x, y = operation.operands
    lead, rows, columns, inner = _product_sizes(operation)
    tall, wide = x.tensor_type.rank > 1, y.tensor_type.rank > 1
    short = nest.result.dtype.short
    whole_numbers = nest.result.dtype.is_integer
    add, local = ("wrapping_add", None) if whole_numbers else ("fast_add", Name("row"))
    if local is not None:
        assert isinstance(columns, int)
        nest.local(local.name, short, columns)

    whole = tall and wide and len(lead) > 0 and isinstance(rows, int) and rows <= _MOST_IN_STACK
    kind = LoopKind.BLOCK if whole and _fills_vectors(nest.result, columns) else LoopKind.SERIAL
    with ExitStack() as opened:
        index = opened.enter_context(nest.rows(lead if whole else [*lead, rows]))
        if whole:
            index = [*index, opened.enter_context(nest.loop("i", 0, nest.dim(rows)))]
        i = index[-1]

        def place(j: Expr) -> list[Expr]:
            return [*index[: len(lead)], *([i] if tall else []), *([j] if wide else [])]

        def total(j: Expr) -> Load:
            return nest.out(place(j)) if local is None else local[j]

        with nest.loop("j", 0, nest.dim(columns), kind=kind) as j:
            nest.store(total(j), call(short, 0))
        with nest.loop("k", 0, nest.dim(inner)) as k:
            a = nest.let("a", _factor_element(nest, x, index[: len(lead)], (i, k), bool(attrs.get("transpose_x"))))
            with nest.loop("j", 0, nest.dim(columns), kind=kind) as j:
                b = _factor_element(nest, y, index[: len(lead)], (k, j), bool(attrs.get("transpose_y")))
                more = call("wrapping_multiply", a, b) if whole_numbers else a * b
                nest.store(total(j), call(add, total(j), more))
        if local is not None:
            with nest.loop("j", 0, nest.dim(columns), kind=kind) as j:
                made: Expr = local[j]
                if base:
                    first = nest.parameters.load(base[0], place(j))
                    made = call(short, attrs["beta"]) * first + call(short, attrs["alpha"]) * made
                nest.store(nest.out(place(j)), made)
    return nest.finish(product(lead if whole else [*lead, rows]), size_of(nest.result) * inner)


generates("matrix.solve", when=any_size(is_small))(eliminated(SYSTEM, system_kernel))
generates("matrix.inv", when=any_size(is_small))(eliminated(SYSTEM, inverse_kernel))
generates("matrix.det", when=any_size(is_small))(eliminated(DETERMINANT, determinant_kernel))
generates("matrix.cholesky", when=any_size(is_small))(eliminated(CHOLESKY, cholesky_kernel))
generates("matrix.triangular_solve", when=any_size(_is_small_triangle))(
    either(_is_small_triangle, _triangular_kernel, triangle_kernel)
)
