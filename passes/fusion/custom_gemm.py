"""Which matmuls get a microkernel of this library (a custom GEMM, or a GEMV); the others are calls of OpenBLAS.

OpenBLAS has none for integers: those of 32 and 64 bits get the custom one wherever it fits.

The bounds are where the kernel was measured to be at least as fast (docs/decisions/0021): matmuls of many rows with a
matrix of known size. OpenBLAS keeps matmuls along the rows of both factors, batched matmuls, and those of a few rows or
columns.
"""

from __future__ import annotations

from dataclasses import dataclass

from ...base import dtype as dt
from ...base.target import current_target
from ...ir.core import Operation, Value
from ...ir.dynamic_sizes import is_dynamic
from ...ops.dims import DimLike, product
from ...ops.types import TensorType

_MOST_BYTES = 1 << 12  # of a column of a product of bytes: a strip of so many rows lies on the stack


@dataclass(frozen=True, slots=True)
class CustomGemm:
    """x [..., depth] times y [depth, columns], or times y [columns, depth] transposed; rows: all of x, if known."""

    x: Value
    y: Value
    rows: DimLike
    depth: int
    columns: int
    transposed: bool

    @property
    def pays_alone(self) -> bool:
        """Whether the kernel is faster by enough, too, without an epilogue."""
        most = current_target().gemm.most_rows
        return not isinstance(self.rows, int) or self.x.dtype is not dt.float32 or self.rows <= most

    @property
    def least_rows(self) -> int:
        """From how many rows on the kernel is faster than OpenBLAS."""
        limits = current_target().gemm
        least = limits.rows_transposed if self.transposed else limits.rows
        return max(least, -(-limits.work // (self.depth * self.columns)))


def custom_gemm_of(operation: Operation) -> CustomGemm | None:
    """The sizes of a matmul that has a custom kernel, at least with an epilogue; None for others."""
    if not operation.op.is_contraction or operation.attrs["transpose_x"]:
        return None
    x, y = operation.operands
    kinds = x.tensor_type, y.tensor_type
    if kinds[0].rank < 2 or kinds[1].rank != 2 or x.dtype not in dt.NUMBERS or is_dynamic(operation):
        return None
    transposed = bool(operation.attrs["transpose_y"])
    depth, columns = reversed(kinds[1].shape) if transposed else kinds[1].shape
    rows: DimLike = product(kinds[0].shape[:-1])
    if not isinstance(depth, int) or not isinstance(columns, int):
        return None
    if x.dtype.is_integer and not isinstance(rows, int):
        return None
    made = CustomGemm(x, y, rows, depth, columns, transposed)
    return made if _is_worthwhile(made) else None


def adds_bytes(x: TensorType, y: TensorType) -> bool:
    """Whether a product of bytes x [..., rows, depth] and y [depth, columns] has a kernel of tiles."""
    target = current_target()
    known = all(isinstance(n, int) and n > 0 for n in (*x.shape, *y.shape))
    return bool(target.adds_byte_products and known and y.shape[1] >= target.lanes(4) and y.shape[0] <= _MOST_BYTES)


def is_gemv(operation: Operation) -> bool:
    """Whether a matmul is a GEMV (one row) with so small a matrix that a custom kernel is faster."""
    if not operation.op.is_contraction or operation.attrs["transpose_x"]:
        return False
    x, y = (value.tensor_type for value in operation.operands)
    if x.rank != 2 or y.rank != 2 or x.dtype not in (dt.float32, dt.float64):
        return False
    sizes = [n for n in (*x.shape, *y.shape) if isinstance(n, int) and n > 0]
    return len(sizes) == 4 and sizes[0] == 1 and sizes[2] * sizes[3] <= current_target().gemm.weights


def _is_worthwhile(sizes: CustomGemm) -> bool:
    target = current_target()
    limits = target.gemm
    if not limits.depth <= sizes.depth <= limits.most_depth:
        return False
    if sizes.x.dtype.is_integer:
        return sizes.rows not in (0, 1) and sizes.columns >= target.lanes(sizes.x.dtype.itemsize)
    if sizes.columns < limits.columns or (sizes.depth < limits.full_depth and not _stays_near(sizes)):
        return False
    waste = _filled(sizes.columns, target.lanes(4))
    if isinstance(sizes.rows, int):
        if sizes.rows < sizes.least_rows:
            return False
        if sizes.transposed and sizes.x.dtype is dt.float32 and sizes.rows > limits.most_rows_transposed:
            return False
        waste *= _filled(sizes.rows, limits.rows)
    return waste <= limits.waste and sizes.least_rows <= limits.most_rows


def _stays_near(sizes: CustomGemm) -> bool:
    """Whether the result of a product of little depth is known to stay in the caches."""
    bytes_of_row = sizes.columns * sizes.x.dtype.itemsize
    return isinstance(sizes.rows, int) and sizes.rows * bytes_of_row <= current_target().gemm.shallow_bytes


def _filled(size: int, part: int) -> float:
    """By how much a size grows when it is rounded up to whole parts."""
    return -(-size // part) * part / size
