"""Kernels of factors of small matrices: QR by reflections, LU by elimination. They have LAPACK's signs and pivots.

Source: Golub and Van Loan, Matrix Computations, 2013, 3.4 and 5.2.
"""

from __future__ import annotations

from ....ir.core import Operation
from ....ops.dims import DimLike
from ....ops.kernel_expressions import Expr, Name, all_of, call, differ, equal, select
from ...kernel.kernel_call import Kernel
from ..groups.axes import whole
from ..registry import generates
from .elimination_kernels import exchange_rows, largest_below
from .lapack_kernels import any_size, either, has_qr, lu_kernel, qr_kernel
from .stack import MatrixStack

_MOST_ROWS = 256  # of a matrix: its reflections, so many numbers each, stand on the stack, too
_MOST_ELEMENTS = 4096  # of each matrix on the stack


# ---- QR


def _reflector(stack: MatrixStack, a: Name, shape: tuple[int, int], v: Name, k: Expr) -> tuple[Name, Name]:
    """The vector v that reflects column k of `a` to a multiple of the axis, as LAPACK's larfg; (factor, multiple)."""
    nest, short, (m, n) = stack.nest, stack.short, shape
    scale = nest.let("scale", stack.number(0))
    with nest.loop("i", k + 1, m) as i:
        nest.let(scale, call(f"maximum_{short}", scale, call(f"abs_{short}", a[i * n + k])))
    head = nest.let("head", a[k * n + k])
    factor, multiple = nest.let("factor", stack.number(0)), nest.let("multiple", head)
    with nest.when(differ(scale, 0)):
        nest.let(scale, call(f"maximum_{short}", scale, call(f"abs_{short}", head)))
        total = nest.let("total", stack.number(0))
        with nest.loop("i", k, m) as i:
            part = nest.let("part", a[i * n + k] / scale)
            nest.let(total, call("fast_add", total, part * part))
        norm = nest.let("norm", scale * call(f"sqrt_{short}", total))
        nest.let(multiple, select(head < 0, norm, -norm))
        nest.let(factor, (multiple - head) / multiple)
        with nest.loop("i", k + 1, m) as i:
            nest.store(v[i], a[i * n + k] / (head - multiple))
    nest.store(v[k], stack.number(1))
    return factor, multiple


def _reflect(stack: MatrixStack, a: Name, shape: tuple[int, int], v: Name, factor: Expr, k: Expr, sums: Name) -> None:
    """The columns of `a` from k on, reflected."""
    nest, (rows, width) = stack.nest, shape
    with nest.loop("j", k, width) as j:
        nest.store(sums[j], stack.number(0))
    with nest.loop("i", k, rows) as i:
        x = nest.let("x", v[i])
        with nest.loop("j", k, width) as j:
            nest.store(sums[j], call("fast_add", sums[j], x * a[i * width + j]))
    with nest.loop("i", k, rows) as i:
        x = nest.let("x", factor * v[i])
        with nest.loop("j", k, width) as j:
            nest.store(a[i * width + j], a[i * width + j] - x * sums[j])


def _qr_kernel(operation: Operation) -> Kernel:
    *lead, m, n = operation.operands[0].tensor_type.shape
    m, n, stack = whole(m), whole(n), MatrixStack(operation, lead)
    nest, short = stack.nest, stack.short
    q, r = operation.results
    width, steps = q.tensor_type.shape[-1], min(m, n)
    assert isinstance(width, int)
    a = nest.local("a", short, m * n)
    if q.uses:
        made = nest.local("q", short, m * width)
    vectors = nest.local("vectors", short, steps * m)
    v, factors = nest.local("v", short, m), nest.local("factors", short, steps)
    sums = nest.local("sums", short, max(n, width))
    with stack.each():
        stack.load(a, m, n)
        with nest.loop("k", 0, steps) as k:
            factor, multiple = _reflector(stack, a, (m, n), v, k)
            nest.store(factors[k], factor)
            with nest.loop("i", k, m) as i:
                nest.store(vectors[k * m + i], v[i])
            with nest.when(differ(factor, 0)):
                _reflect(stack, a, (m, n), v, factor, k, sums)
            nest.store(a[k * n + k], multiple)
        if q.uses:
            with nest.loop("i", 0, m) as i, nest.loop("j", 0, width) as j:
                nest.store(made[i * width + j], select(equal(i, j), stack.number(1), stack.number(0)))
            with nest.loop("step", 0, steps) as step:
                k = nest.let("k", steps - 1 - step)
                with nest.loop("i", k, m) as i:
                    nest.store(v[i], vectors[k * m + i])
                _reflect(stack, made, (m, width), v, factors[k], k, sums)
            with nest.loop("i", 0, m) as i, nest.loop("j", 0, width) as j:
                stack.put(q, [i, j], made[i * width + j])
        with nest.loop("i", 0, width) as i, nest.loop("j", 0, n) as j:
            stack.put(r, [i, j], select(j < i, stack.number(0), a[i * n + j]))
    return stack.finish(m * n * steps)


# ---- LU


def _lu_kernel(operation: Operation) -> Kernel:
    """Elimination with the largest of a column first; info: 1 + the first zero pivot, or 0."""
    *lead, m, n = operation.operands[0].tensor_type.shape
    m, n, stack = whole(m), whole(n), MatrixStack(operation, lead)
    nest, steps = stack.nest, min(m, n)
    packed, pivots, infos = operation.results
    a, row = nest.local("a", stack.short, m * n), nest.local("row", stack.short, n)
    with stack.each():
        stack.load(a, m, n)
        info = nest.let("info", 0)
        with nest.loop("k", 0, steps) as k:
            _, place = largest_below(nest, stack.short, a, (m, n), (k, "place"))
            stack.put(pivots, [k], place + 1)
            with nest.when(differ(place, k)):
                exchange_rows(nest, a, n, (k, place))
            zero = nest.let("zero", equal(a[k * n + k], 0))
            nest.let(info, select(all_of(zero, equal(info, 0)), k + 1, info))
            head = nest.let("head", select(zero, stack.number(1), a[k * n + k]))
            with nest.loop("j", k, n) as j:
                nest.store(row[j], a[k * n + j])
            with nest.loop("i", k + 1, m) as i:
                factor = nest.let("factor", a[i * n + k] / head)
                nest.store(a[i * n + k], factor)
                with nest.loop("j", k + 1, n) as j:
                    nest.store(a[i * n + j], a[i * n + j] - factor * row[j])
        with nest.loop("i", 0, m) as i, nest.loop("j", 0, n) as j:
            stack.put(packed, [i, j], a[i * n + j])
        stack.put(infos, [], info)
    return stack.finish(m * n * steps)


def fits(operation: Operation) -> bool:
    """Whether a matrix of known size, and its factors, find room on the stack."""
    kind = operation.operands[0].tensor_type
    m, n = kind.shape[-2:]
    if kind.dtype.is_complex or not isinstance(m, int) or not isinstance(n, int) or not 0 < m <= _MOST_ROWS or not n:
        return False
    columns: list[DimLike] = [n, *(v.shape[-1] for v in operation.results[:1])]
    return all(isinstance(c, int) and m * c <= _MOST_ELEMENTS for c in columns) and kind.dtype.short in ("f32", "f64")


generates("matrix.qr", when=lambda operation: fits(operation) or has_qr(operation))(either(fits, _qr_kernel, qr_kernel))
generates("matrix.lu", when=any_size(fits))(either(fits, _lu_kernel, lu_kernel))
