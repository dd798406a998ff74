"""Products of matrices of bytes with sums of 32 bits, with what follows them.

The CPU multiplies four unsigned bytes by four signed ones and adds the products to a lane of 32 bits. So a strip of y
is rearranged: the numbers of four rows lie beside each other, column by column, with zeros behind the last rows. Signed
rows of x are made unsigned by adding 128; the sums of y's columns, times 128, are what they give too much. A row of x
that is 128 throughout gives just that, by the same tile.
"""

from __future__ import annotations

from dataclasses import replace

from ....base import dtype as dt
from ....ops.dims import product
from ....ops.kernel_expressions import ZERO, Expr, Name, call, expr, smaller
from ....passes.fusion.custom_gemm import CustomGemm, adds_bytes
from ...kernel.kernel_call import Kernel
from ..matrices.small_matrices import product_kernel
from ..registry import ContractionGroup, generates_contraction
from .matmul_kernel import GemmStrip, GemmWriter, Matrix, tiles_of

_AT_ONCE = 4  # bytes that a lane adds the products of
_FRONT = 1 << 15  # bytes of x that are held beside a strip


@generates_contraction("byte_matmul", "matmul.bytes")
def byte_kernel(group: ContractionGroup) -> Kernel:
    """The kernel of a product of bytes, alone or with its epilogue."""
    x, y = group.head.operands
    if not adds_bytes(x.tensor_type, y.tensor_type):
        return product_kernel(group.head)
    depth, columns = y.tensor_type.shape
    assert isinstance(depth, int)
    assert isinstance(columns, int)
    return _Writer(group, CustomGemm(x, y, product(x.tensor_type.shape[:-1]), depth, columns, False)).write()


class _Writer(GemmWriter):
    """Writes the kernel: a strip of y in fours, the rows of x that meet it, and tiles of both."""

    def __init__(self, group: ContractionGroup, sizes: CustomGemm) -> None:
        super().__init__(group, sizes)
        self.fours = -(-sizes.depth // _AT_ONCE)
        self.held = self.fours * _AT_ONCE  # bytes of a row of x
        self.is_signed = sizes.x.dtype is dt.int8
        made = tiles_of(sizes, 4)
        panel = max(made.rows, min(made.panel, _FRONT // self.held // made.rows * made.rows))
        self.tiles = replace(made, panel=panel, block=sizes.depth, copied=True)
        self.blocks = 1
        self.most_rows = panel + made.rows  # of x beside a strip: the last tile may begin before its panel

    def _locals(self) -> None:
        self.builder.local("strip", "i8", self.held * self.width)
        self.builder.local("front", "u8", (self.most_rows + 1) * self.held)  # the last row: 128 throughout
        self.builder.local("extra", "i32", self.width)
        if not self.is_plain:
            self.builder.local("sums", "i32", self.tiles.rows * self.width)
        with self.builder.loop("j", 0, self.width) as j:
            self.builder.store(Name("extra")[j], call("i32", 0))

    def _read(self, strip: GemmStrip) -> Matrix:
        """The strip of y in fours; also the rows of x, and what they give too much."""
        width = strip.vectors * self.lanes
        with self.builder.on_behalf_of(self.head):
            self._rearrange(strip.column, width)
            self._copy_rows(strip)
            if self.is_signed:
                self._measure_extra(strip)
        return Matrix(Name("strip"), ZERO, expr(width * _AT_ONCE))

    def _rearrange(self, column: Expr, width: int) -> None:
        builder, made = self.builder, Name("strip")
        whole, rest = divmod(self.sizes.depth, _AT_ONCE)
        with builder.loop("k", 0, whole) as k, builder.loop("j", 0, width) as j:
            for part in range(_AT_ONCE):
                read = self.b[(k * _AT_ONCE + part) * self.columns + column + j]
                builder.store(made[(k * width + j) * _AT_ONCE + part], read)
        if rest:
            with builder.loop("j", 0, width) as j:
                for part in range(_AT_ONCE):
                    read = self.b[(whole * _AT_ONCE + part) * self.columns + column + j]
                    builder.store(made[(whole * width + j) * _AT_ONCE + part], read if part < rest else call("i8", 0))

    def _copy_rows(self, strip: GemmStrip) -> None:
        builder, front = self.builder, Name("front")
        self.start = strip.first
        if self.overlaps:
            self.start = builder.let("f0", smaller(strip.first, self.rows - self.tiles.rows))
        with builder.loop("i", self.start, strip.last) as i:
            row = builder.let("at", (i - self.start) * self.held)
            with builder.loop("k", 0, self.depth) as k:
                number = self.a[i * self.depth + k]
                builder.store(front[row + k], number + 128 if self.is_signed else number)
            if self.held != self.sizes.depth:
                with builder.loop("k", self.depth, self.held) as k:
                    builder.store(front[row + k], call("u8", 0))

    def _measure_extra(self, strip: GemmStrip) -> None:
        builder, last = self.builder, self.most_rows * self.held
        with builder.loop("k", 0, self.held) as k:
            builder.store(Name("front")[last + k], call("u8", 128))
        zeros = Matrix(Name("extra"), ZERO, ZERO)
        with builder.loop("j", 0, self.width) as j:
            builder.store(Name("extra")[j], call("i32", 0))
        self._dots(1, strip, Matrix(Name("front"), expr(last), expr(self.held)), zeros)

    def _factor(self, strip: GemmStrip, row: Expr) -> Matrix:
        return Matrix(Name("front"), (row - self.start) * self.held, expr(self.held))

    def _tile(self, strip: GemmStrip, adds: int, depth: Expr, matrices: tuple[Matrix, Matrix, Matrix]) -> None:
        a, _, sums = matrices
        with self.builder.on_behalf_of(self.head):
            self._dots(self.tiles.rows, strip, a, sums)

    def _dots(self, rows: int, strip: GemmStrip, a: Matrix, sums: Matrix) -> None:
        width = strip.vectors * self.lanes * _AT_ONCE
        self.builder.do(
            "tile_bytes", rows, strip.vectors, self.lanes, expr(self.fours), *a, Name("strip"), expr(width),
            Name("extra"), *sums,
        )  # fmt: skip
