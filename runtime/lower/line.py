"""Products of one row with a small matrix of known size, as kernels: they take less than the call of a library."""

from __future__ import annotations

from ...base import dtype as dt
from ...ir.core import Operation
from .kernel import Kernel, Parameters

MOST_WEIGHTS = 1 << 15  # elements of the matrix; from 256 x 256 on the library is as quick


def is_line(operation: Operation) -> bool:
    """Whether a product has one row, and so small a matrix, that a kernel of its own is quicker."""
    if operation.name != "matmul" or operation.attrs["transpose_x"]:
        return False
    x, y = (value.tensor_type for value in operation.operands)
    if x.rank != 2 or y.rank != 2 or x.dtype not in (dt.float32, dt.float64):
        return False
    sizes = [n for n in (*x.shape, *y.shape) if isinstance(n, int) and n > 0]
    return len(sizes) == 4 and sizes[0] == 1 and sizes[2] * sizes[3] <= MOST_WEIGHTS


def line_kernel(operation: Operation) -> Kernel:
    """The kernel of such a product."""
    x, y = operation.operands
    turned = operation.attrs["transpose_y"]
    columns, depth = y.tensor_type.shape if turned else y.tensor_type.shape[::-1]
    parameters = Parameters()
    a, b, out = parameters.pointer(x), parameters.pointer(y), parameters.pointer(operation.result, "out")
    call = f"{'dots' if turned else 'line'}_{x.dtype.short}({depth}, {columns}, {a}, 0, {b}, 0, {out}, 0, back)"
    source = parameters.source("matmul", f"    for r in range(lo, hi):\n        {call}\n")
    return Kernel(source, parameters.slots, parameters.dims, 1, depth * columns)
