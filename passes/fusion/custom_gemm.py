"""Which matmuls get a microkernel of this library (custom GEMMs, also of few rows, and GEMVs); others call OpenBLAS.

OpenBLAS has none for integers: those of 32 and 64 bits get the custom one wherever it fits.

The bounds are where the kernel was measured to be at least as fast (docs/decisions/0021): matmuls of many rows with a
matrix of known size, and those of few rows, alone or in a batch, which read the other factor once, at the speed of
memory. OpenBLAS keeps matmuls along the rows of both factors, batches of many rows, and those of a few columns.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from ...base import dtype as dt
from ...base.target import current_target
from ...ir.core import Operation, Value
from ...ir.dynamic_sizes import is_dynamic
from ...ops.dims import DimLike, product, same_shape
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


@dataclass(frozen=True, slots=True)
class FewRows:
    """batch times x [rows, depth] times y [depth, columns], or times y [columns, depth] transposed.

    Besides the batch one size may be known to a call only.
    """

    x: Value
    y: Value
    batch: DimLike
    rows: DimLike
    depth: DimLike
    columns: DimLike
    transposed: bool

    @property
    def open_size(self) -> DimLike:
        """The size that only a call tells, or the number of rows."""
        return next((n for n in (self.rows, self.depth, self.columns) if not isinstance(n, int)), self.rows)

    @property
    def range(self) -> tuple[int, int | None]:
        """From which value on, and up to which one, of the open size the kernel is faster than OpenBLAS."""
        limits = current_target().gemm
        known = math.prod(n for n in (self.rows, self.depth, self.columns) if isinstance(n, int))
        least = -(-limits.few_work // max(known, 1))
        if not isinstance(self.rows, int):
            return max(2, least), current_target().most_few_rows(self.transposed)
        return max(least, 1 if isinstance(self.columns, int) else limits.open_span), None


def microkernel_of(operation: Operation) -> FewRows | CustomGemm | None:
    """The sizes of a matmul whose sums a microkernel computes, at least with an epilogue; None for others."""
    return few_rows_of(operation) or custom_gemm_of(operation)


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


def few_rows_of(operation: Operation) -> FewRows | None:
    """The sizes of a matmul of few rows that has a kernel which reads the other factor once; None for others."""
    if not operation.op.is_contraction or operation.attrs["transpose_x"]:
        return None
    x, y = operation.operands
    a, b = x.tensor_type.shape, y.tensor_type.shape
    if len(a) < 2 or len(b) < 2 or x.dtype not in (dt.float32, dt.float64) or is_dynamic(operation):
        return None
    if len(b) > 2 and not same_shape(a[:-2], b[:-2]):
        return None
    batch, rows = (product(b[:-2]), a[-2]) if len(b) > 2 else (1, product(a[:-1]))
    transposed = bool(operation.attrs["transpose_y"])
    depth, columns = reversed(b[-2:]) if transposed else b[-2:]
    made = FewRows(x, y, batch, rows, depth, columns, transposed)
    return made if _few_pay(made) and not _is_near(operation, made) else None


def _is_near(operation: Operation, sizes: FewRows) -> bool:
    """Whether there is a custom GEMM, and no more rows of the matrix than it reads well one below the other."""
    if not isinstance(sizes.rows, int) or not isinstance(sizes.depth, int):
        return False
    return sizes.depth <= current_target().gemm.deep and custom_gemm_of(operation) is not None


def _few_pay(sizes: FewRows) -> bool:
    target = current_target()
    limits = target.gemm
    known = [n for n in (sizes.rows, sizes.depth, sizes.columns) if isinstance(n, int)]
    if len(known) < 2 or not all((*known, sizes.batch)) or (sizes.transposed and not isinstance(sizes.depth, int)):
        return False
    if isinstance(sizes.columns, int) and sizes.columns < limits.columns:
        return False
    alone = isinstance(sizes.batch, int) and sizes.batch == 1
    if isinstance(sizes.rows, int) and not 2 <= sizes.rows <= target.most_few_rows(sizes.transposed, alone=alone):
        return False
    if len(known) == 2:
        least, most = sizes.range
        return most is None or 4 * least <= most
    return math.prod(known) >= limits.few_work


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
