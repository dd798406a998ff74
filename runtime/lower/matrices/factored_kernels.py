"""Kernels that factorise matrices, and those that take the factors of others: see ops/factored.py.

LAPACK's factors of a row-major matrix are those of its transpose, which nobody copies then.
"""

from __future__ import annotations

from ....ir.core import Operation
from ....ops.kernel_expressions import equal
from ...kernel.kernel_call import Kernel
from ..registry import generates
from .lapack_kernels import BLOCK, PLAIN, TRANSPOSED, LapackCalls, determinant_of, has_lapack, square_of
from .stack import SINGULAR


def _factors_kernel(operation: Operation) -> Kernel:
    """In the result's place."""
    lead, n = square_of(operation)
    packed, exchanges = operation.results
    calls = LapackCalls(operation, lead)
    with calls.each():
        out, size = calls.matrix(packed, "out"), calls.size(n)
        calls.copy(calls.matrix(operation.operands[0]), out, n * n)
        calls.run("getrf", size, size, out, calls.leading(n), calls.matrix(exchanges, "out", axes=1))
    return calls.finish(n * n * n)


def _solve_kernel(operation: Operation) -> Kernel:
    """Right sides are columns, and so are solutions."""
    packed, exchanges, y = operation.operands
    *lead, n, count = operation.result.tensor_type.shape
    calls = LapackCalls(operation, lead)
    nest = calls.nest
    with calls.each():
        factors, b = calls.matrix(packed), calls.area("sides", n * count)
        size, sides, step = calls.size(n), calls.size(count), calls.leading(n)
        with nest.loop("k", 0, size) as k, nest.when(equal(factors[k * size + k], 0)):
            nest.fail()
        calls.transpose(calls.matrix(y), b, n, count)
        form = PLAIN if operation.attrs["transposed"] else TRANSPOSED
        pivots = calls.exchanges(exchanges, n)
        calls.run("getrs", form, size, sides, factors, step, pivots, b, step)
        calls.transpose(b, calls.matrix(operation.result, "out"), count, n)
    return calls.finish(2 * n * n * count, SINGULAR, "solve")


def _inverse_kernel(operation: Operation) -> Kernel:
    """In the result's place."""
    packed, exchanges = operation.operands
    lead, n = square_of(operation)
    calls = LapackCalls(operation, lead)
    with calls.each():
        work = calls.area("work", n * BLOCK)
        out, size, step = calls.matrix(operation.result, "out"), calls.size(n), calls.leading(n)
        calls.copy(calls.matrix(packed), out, n * n)
        pivots = calls.exchanges(exchanges, n)
        calls.refuse(calls.run("getri", size, out, step, pivots, work, step * BLOCK))
    return calls.finish(2 * n * n * n, SINGULAR, "inv")


def _determinant_kernel(operation: Operation) -> Kernel:
    """The two results of `slogdet`."""
    packed, exchanges = operation.operands
    lead, n = square_of(operation)
    calls = LapackCalls(operation, lead)
    with calls.each():
        factors, pivots = calls.matrix(packed), calls.matrix(exchanges, axes=1)
        numbers = determinant_of(calls, factors, pivots, n, calls.kind, calls.short)
        for result, number in zip(operation.results, numbers, strict=True):
            calls.put(result, [], number)
    return calls.finish(n)


generates("matrix.lu_transposed", when=has_lapack)(_factors_kernel)
generates("matrix.factored_solve", when=has_lapack)(_solve_kernel)
generates("matrix.factored_inv", when=has_lapack)(_inverse_kernel)
generates("matrix.factored_slogdet", when=has_lapack)(_determinant_kernel)
