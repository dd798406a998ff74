"""Kernels for small matrices of known size: systems, inverses and determinants by elimination, Cholesky, triangles.

The factors stand in an array on the stack, so that a loop with such operations can be one kernel. LAPACK, which NumPy
calls, has the larger ones. Algorithms: Golub and Van Loan, Matrix Computations, 2013, 3.1, 3.4, 4.2.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import replace

from ....base.dtype import int32, int64
from ....base.target import current_target
from ....ir.core import Operation, Value
from ....ops.dims import DimLike, product
from ....ops.kernel_expressions import ZERO, Expr, Load, Name, Operand, call, differ, equal, invert, select
from ....ops.types import Shape
from ...kernel.kernel_call import Kernel
from ...kernel.statements import LoopKind
from ..element import broadcast_index
from ..nest import Nest, size_of
from ..registry import generates
from .lapack_kernels import (
    HELP,
    INDEFINITE,
    SINGULAR,
    any_size,
    cholesky_kernel,
    determinant_kernel,
    either,
    inverse_kernel,
    system_kernel,
    triangle_kernel,
)

MOST = 32  # rows of a matrix that is eliminated here
_MOST_COLUMNS = 64  # of a right side
_MOST_CHOLESKY = 64
_MOST_TRIANGULAR = 1 << 20  # multiplications ...
_MOST_ON_STACK = 1 << 14  # ... and elements of the right side
_MOST_PRODUCT = 16**3  # multiplications
_MOST_IN_STACK = 16  # rows and columns of matrices of a stack
_EXPANDED = 3  # rows of determinants that are written out
_Act = Callable[[Expr, Expr], None]


def _sizes(operation: Operation) -> tuple[DimLike, DimLike]:
    """Rows of the matrices, and columns of the right sides."""
    columns = operation.operands[-1].tensor_type.shape[-1]
    return operation.operands[0].tensor_type.shape[-1], columns


def _is_small(operation: Operation) -> bool:
    rows, columns = _sizes(operation)
    return isinstance(rows, int) and isinstance(columns, int) and 0 < rows <= MOST and 0 < columns <= _MOST_COLUMNS


class _Matrices:
    """A stack of matrices on its way through a kernel: one of each operand at a time."""

    def __init__(self, operation: Operation) -> None:
        self.nest = Nest(operation)
        self.short = self.nest.result.dtype.short
        rows, columns = _sizes(operation)
        assert isinstance(rows, int) and isinstance(columns, int)
        self.rows, self.columns = rows, columns
        self.lead: Sequence[Expr] = []

    def element(self, operand: int, i: Operand, j: Operand) -> Expr:
        """An element of an operand's matrix; the leading axes broadcast."""
        value = self.nest.operation.operands[operand]
        kind = value.tensor_type
        front = broadcast_index(replace(kind, shape=kind.shape[:-2]), list(self.lead))
        return self.nest.load(operand, [*front, i, j])

    def out(self, i: Operand, j: Operand) -> Expr:
        """An element of the result's matrix."""
        return self.nest.out([*self.lead, i, j])

    def fail(self) -> None:
        """Clear the status byte, for the error that the operation's row raises."""
        self.nest.store(self.nest.parameters.status()[0], call("u8", 0))

    def finish(self, lead: Sequence[DimLike], message: str) -> Kernel:
        """The finished kernel, which ends with an ArgumentError of this message where `fail` was called."""
        operation = self.nest.operation
        work = product(lead) * self.rows * self.rows * max(self.rows, self.columns)
        made = self.nest.finish(product(lead), work)
        return replace(made, failure=("ArgumentError", f"{operation.name}: {message}{HELP}"))


def _eliminate(m: _Matrices, a: Name, exchange: _Act, clear: _Act, singular: Callable[[], None]) -> None:
    """Make `a` upper triangular by rows, the largest of a column first.

    exchange(k, p) swaps rows of what `a` is eliminated with, clear(i, k) takes `factor` times row k from row i of it.
    """
    nest, n, short = m.nest, m.rows, m.short
    row = nest.builder.local("row", short, n)
    with nest.loop("k", 0, n) as k:
        best, place = nest.let("best", call(f"abs_{short}", a[k * n + k])), nest.let("p", k)
        with nest.loop("i", k + 1, n) as i:
            size = nest.let("size", call(f"abs_{short}", a[i * n + k]))
            with nest.when(size > best):
                nest.let(best, size)
                nest.let(place, i)
        with nest.when(equal(best, 0)):
            singular()
        with nest.when(differ(place, k)):
            with nest.loop("j", 0, n) as j:
                held = nest.let("held", a[k * n + j])
                nest.store(a[k * n + j], a[place * n + j])
                nest.store(a[place * n + j], held)
            exchange(k, place)
        with nest.loop("j", 0, n) as j:
            nest.store(row[j], a[k * n + j])
        with nest.loop("i", k + 1, n) as i:
            factor = nest.let("factor", a[i * n + k] / row[k])
            with nest.loop("j", k + 1, n) as j:
                nest.store(a[i * n + j], a[i * n + j] - factor * row[j])
            clear(i, k)


def _load_matrix(m: _Matrices, a: Name) -> None:
    with m.nest.loop("i", 0, m.rows) as i, m.nest.loop("j", 0, m.rows) as j:
        m.nest.store(a[i * m.rows + j], m.element(0, i, j))


def _system_kernel(operation: Operation) -> Kernel:
    """Solve for the columns of a right side; those of the identity give the inverse."""
    m = _Matrices(operation)
    nest, n, count = m.nest, m.rows, m.columns
    lead = nest.result.tensor_type.shape[:-2]
    a, b = nest.builder.local("a", m.short, n * n), nest.builder.local("b", m.short, n * count)
    pivot = nest.builder.local("pivot", m.short, count)

    def exchange(k: Expr, p: Expr) -> None:
        with nest.loop("c", 0, count) as c:
            held = nest.let("held", b[k * count + c])
            nest.store(b[k * count + c], b[p * count + c])
            nest.store(b[p * count + c], held)

    def clear(i: Expr, k: Expr) -> None:
        with nest.loop("c", 0, count) as c:
            nest.store(b[i * count + c], b[i * count + c] - Name("factor") * b[k * count + c])

    with nest.rows(lead) as m.lead:
        _load_matrix(m, a)
        with nest.loop("i", 0, n) as i, nest.loop("c", 0, count) as c:
            one = select(equal(i, c), call(m.short, 1), call(m.short, 0))
            nest.store(b[i * count + c], one if len(operation.operands) == 1 else m.element(1, i, c))
        _eliminate(m, a, exchange, clear, m.fail)
        with nest.loop("step", 0, n) as step:
            k = nest.let("k", n - 1 - step)
            with nest.loop("c", 0, count) as c:
                nest.store(pivot[c], b[k * count + c] / a[k * n + k])
                nest.store(m.out(k, c), pivot[c])
            with nest.loop("i", 0, k) as i:
                factor = nest.let("factor", a[i * n + k])
                with nest.loop("c", 0, count) as c:
                    nest.store(b[i * count + c], b[i * count + c] - factor * pivot[c])
    return m.finish(lead, SINGULAR)


def _expansion_kernel(operation: Operation) -> Kernel:
    """A determinant of at most three rows by its formula, which has no branches: many matrices go through vectors."""
    m = _Matrices(operation)
    nest, n = m.nest, m.rows
    lead = operation.operands[0].tensor_type.shape[:-2]
    with nest.rows(lead) as m.lead:
        a = [[nest.let(f"a{i}{j}", m.element(0, i, j)) for j in range(n)] for i in range(n)]

        def minor(i: int, j: int) -> Expr:
            return a[1][i] * a[2][j] - a[1][j] * a[2][i]

        made: Expr = a[0][0]
        if n == 2:
            made = a[0][0] * a[1][1] - a[0][1] * a[1][0]
        elif n == 3:
            made = a[0][0] * minor(1, 2) - a[0][1] * minor(0, 2) + a[0][2] * minor(0, 1)
        nest.store(nest.out(m.lead), made)
    return nest.finish(product(lead), size_of(operation.operands[0]) * n)


def _determinant_kernel(operation: Operation) -> Kernel:
    """The sign and the logarithm of the size from the pivots, as NumPy has them: no product overflows."""
    m = _Matrices(operation)
    nest, n, short = m.nest, m.rows, m.short
    if n <= _EXPANDED and len(operation.results) == 1:
        return _expansion_kernel(operation)
    a = nest.builder.local("a", short, n * n)
    lead = operation.operands[0].tensor_type.shape[:-2]

    def exchange(k: Expr, p: Expr) -> None:
        nest.let("sign", -Name("sign"))

    with nest.rows(lead) as m.lead:
        _load_matrix(m, a)
        sign, size = nest.let("sign", call(short, 1)), nest.let("total", call(short, 0))
        _eliminate(m, a, exchange, lambda i, k: None, lambda: None)
        with nest.loop("k", 0, n) as k:
            x = nest.let("x", a[k * n + k])
            nest.let(sign, select(x < 0, -sign, select(equal(x, 0), call(short, 0), sign)))
            nest.let(size, size + call(f"log_{short}", call(f"abs_{short}", x)))
        nothing = nest.let("nothing", equal(sign, 0))
        nest.let(size, select(nothing, call(short, -Name("inf")), size))
        if len(operation.results) == 1:
            nest.store(nest.out(m.lead), sign * call(f"exp_{short}", size))
        else:
            nest.store(nest.out(m.lead), sign)
            second = operation.results[1]
            nest.store(nest.parameters.pointer(second, "out")[nest.parameters.at(second, m.lead)], size)
    return nest.finish(product(lead), size_of(operation.operands[0]) * n)


def _cholesky_kernel(operation: Operation) -> Kernel:
    m = _Matrices(operation)
    nest, n, short, upper = m.nest, m.rows, m.short, operation.attrs["upper"]
    low = nest.builder.local("low", short, n * n)
    lead = nest.result.tensor_type.shape[:-2]
    with nest.rows(lead) as m.lead:
        with nest.loop("i", 0, n) as i:
            with nest.loop("j", 0, i + 1) as j:
                total = nest.let("total", call(short, 0))
                with nest.loop("k", 0, j) as k:
                    nest.let(total, call("fast_add", total, low[i * n + k] * low[j * n + k]))
                rest = nest.let("rest", m.element(0, *((j, i) if upper else (i, j))) - total)
                with nest.when(differ(i, j)):
                    nest.store(low[i * n + j], rest / low[j * n + j])
                with nest.when(equal(i, j)):
                    with nest.when(invert(rest > 0)):
                        m.fail()
                    nest.store(low[i * n + i], call(f"sqrt_{short}", rest))
        with nest.loop("i", 0, n) as i, nest.loop("j", 0, n) as j:
            row, column = (j, i) if upper else (i, j)
            inside = call("select", column < row + 1, low[row * n + column], call(short, 0))
            nest.store(m.out(i, j), inside)
    return m.finish(lead, INDEFINITE)


def _is_small_cholesky(operation: Operation) -> bool:
    rows, _ = _sizes(operation)
    return isinstance(rows, int) and 0 < rows <= _MOST_CHOLESKY


def _is_small_triangle(operation: Operation) -> bool:
    rows, columns = _sizes(operation)
    if not isinstance(rows, int) or not isinstance(columns, int):
        return False
    return columns > 0 and rows > 0 and rows * rows * columns <= _MOST_TRIANGULAR and rows * columns <= _MOST_ON_STACK


def _triangular_kernel(operation: Operation) -> Kernel:
    """Substitution, row by row; the columns of the right side side by side, or each a sum of products."""
    m = _Matrices(operation)
    nest, n, count, attrs = m.nest, m.rows, m.columns, operation.attrs
    lead = nest.result.tensor_type.shape[:-2]
    forward = attrs["upper"] == attrs["transpose"]

    def factor(i: Expr, j: Expr) -> Expr:
        return m.element(0, *((j, i) if attrs["transpose"] else (i, j)))

    x, made = nest.builder.local("x", m.short, n * count), nest.builder.local("made", m.short, count)
    with nest.rows(lead) as m.lead, nest.loop("step", 0, n) as step:
        i = nest.let("i", step if forward else n - 1 - step)
        first, stop = (ZERO, i) if forward else (i + 1, n)
        if not attrs["unitriangular"]:
            diagonal = nest.let("diagonal", factor(i, i))
            with nest.when(equal(diagonal, 0)):
                m.fail()
        with nest.loop("c", 0, count) as c:
            nest.store(made[c], call(m.short, 0))
        with nest.loop("j", first, stop) as j:
            f = nest.let("f", factor(i, j))
            with nest.loop("c", 0, count) as c:
                nest.store(made[c], call("fast_add", made[c], f * x[j * count + c]))
        with nest.loop("c", 0, count) as c:
            rest = m.element(1, i, c) - made[c]
            nest.store(x[i * count + c], rest if attrs["unitriangular"] else rest / diagonal)
            nest.store(m.out(i, c), x[i * count + c])
    return m.finish(lead, SINGULAR)


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
    return _is_in_loop(operation) and max(known) <= MOST and math.prod(known) <= _MOST_PRODUCT


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
    owner = operation.parent.parent if operation.parent is not None else None
    return isinstance(owner, Operation) and (owner.name in ("for", "while") or _is_in_loop(owner))


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
        nest.builder.local(local.name, short, columns)

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

        with nest.builder.loop("j", 0, nest.dim(columns), kind=kind) as j:
            nest.store(total(j), call(short, 0))
        with nest.loop("k", 0, nest.dim(inner)) as k:
            a = nest.let("a", _factor_element(nest, x, index[: len(lead)], (i, k), bool(attrs.get("transpose_x"))))
            with nest.builder.loop("j", 0, nest.dim(columns), kind=kind) as j:
                b = _factor_element(nest, y, index[: len(lead)], (k, j), bool(attrs.get("transpose_y")))
                more = call("wrapping_multiply", a, b) if whole_numbers else a * b
                nest.store(total(j), call(add, total(j), more))
        if local is not None:
            with nest.builder.loop("j", 0, nest.dim(columns), kind=kind) as j:
                made: Expr = local[j]
                if base:
                    first = nest.parameters.load(base[0], place(j))
                    made = call(short, attrs["beta"]) * first + call(short, attrs["alpha"]) * made
                nest.store(nest.out(place(j)), made)
    return nest.finish(product(lead if whole else [*lead, rows]), size_of(nest.result) * inner)


generates("matrix.solve", when=any_size(_is_small))(either(_is_small, _system_kernel, system_kernel))
generates("matrix.inv", when=any_size(_is_small))(either(_is_small, _system_kernel, inverse_kernel))
generates("matrix.det", when=any_size(_is_small))(either(_is_small, _determinant_kernel, determinant_kernel))
generates("matrix.cholesky", when=any_size(_is_small_cholesky))(
    either(_is_small_cholesky, _cholesky_kernel, cholesky_kernel)
)
generates("matrix.triangular_solve", when=any_size(_is_small_triangle))(
    either(_is_small_triangle, _triangular_kernel, triangle_kernel)
)
