"""Convolutions by 3 x 3 filters take sixteen multiplications for four pixels instead of 36, where that saves time."""

from __future__ import annotations

from dataclasses import dataclass

from ...base.log import log
from ...ir.builder import insert_before
from ...ir.core import Block, Operation, Program, Value
from ...ir.walk import walk
from ...ops import conv_winograd
from ...ops.conv_winograd import NUMBERS, winograd_filters
from ..manager import Pass
from .conv_epilogue import has_fixed_sizes

ROWS = {
    "conv2d": conv_winograd.conv2d_winograd,
    "conv2d_input_grad": conv_winograd.conv2d_winograd,
    "conv2d_affine": conv_winograd.conv2d_winograd_affine,
    "conv2d_affine_add": conv_winograd.conv2d_winograd_affine_add,
}
VECTOR_BYTES = 64  # of the machine that the costs were measured on
TILES_IN, TILES_OUT = 60.0, 45.0  # cycles to transform a vector of tiles, of an image and of a result
FILTERS_IN = 10.0  # cycles to transform a filter
FILTERS_READ = 0.25  # cycles for each number of transformed filters that don't stay in the second-level cache
CACHED = 1 << 18  # such numbers that do
BLOCK = 64  # tiles for which filters are read
DEEP, DEEP_CHANNELS = 1.5, 256  # what matmuls cost more, if vectors of more channels leave the first-level cache
DIRECT, LOOPS = 1.1, 10.0  # a direct convolution's time by that of its multiplications; that of direct loops
SAVES = 0.9  # of the direct convolution's time is the most that is worth a second way to round
OPEN_BATCH, OPEN_SIZE = 8, 32  # images, and pixels along an axis, where only a call knows how many


@dataclass(frozen=True)
class Winograd(Pass):
    """Convolutions with stride 1 by 3 x 3 filters, and the gradients of their images, become matmuls of transformed
    tiles where an estimate of both says that it is faster. Sums are rounded otherwise: docs/numerics.md has how.
    """

    name = "winograd"

    def run(self, program: Program) -> bool:
        made: dict[tuple[Value, bool, Block], Value] = {}
        changed = False
        for operation in list(walk(program.body)):
            if operation.name in ROWS and _is_suitable(operation):
                cost = costs(operation)
                log("passes", f"{program.name}: winograd: {cost}")
                if cost.saves:
                    _replace(operation, made)
                    changed = True
        return changed


@dataclass(frozen=True)
class Costs:
    """Estimated cycles of a convolution done directly and by transformed tiles."""

    what: str
    direct: float
    tiles: float

    @property
    def saves(self) -> bool:
        """Whether transformed tiles are worth it."""
        return self.tiles <= SAVES * self.direct

    def __str__(self) -> str:
        verdict = "transformed tiles" if self.saves else "direct"
        return f"{self.what}: {verdict}; direct {self.direct:.3g} cycles, transformed tiles {self.tiles:.3g}"


def costs(operation: Operation) -> Costs:
    """What a suitable convolution costs either way, on one core with vectors of VECTOR_BYTES."""
    image, weight = (v.tensor_type for v in operation.operands[:2])
    result = operation.result.tensor_type
    channels, filters = int(image.shape[1]), int(result.shape[1])
    height, width = (n if isinstance(n, int) else OPEN_SIZE for n in result.shape[2:])
    batch = image.shape[0] if isinstance(image.shape[0], int) else OPEN_BATCH
    lanes = VECTOR_BYTES // result.dtype.itemsize
    tall, wide = -(-height // 2), -(-width // 2)
    pairs = channels * filters
    direct = (DIRECT if has_fixed_sizes(operation) else LOOPS) * batch * 9 * pairs * height * width / (2 * lanes)
    vectors = batch * tall * -(-wide // lanes)
    matmuls = NUMBERS * pairs * -(-batch * tall * wide // lanes) / 2
    matmuls *= DEEP if channels > DEEP_CHANNELS else 1.0
    numbers = NUMBERS * pairs
    read = FILTERS_READ * numbers * max(1.0, batch * tall * wide / BLOCK) if numbers > CACHED else 0.0
    tiles = vectors * (TILES_IN * channels + TILES_OUT * filters) + matmuls + FILTERS_IN * pairs + read
    return Costs(f"{operation.name} of {image} by {weight}", direct, tiles)


def _is_suitable(operation: Operation) -> bool:
    attrs = operation.attrs
    window = (attrs["stride"], attrs["dilation"], attrs["groups"]) == ((1, 1), (1, 1), 1)
    margins = [n for pair in attrs["padding"] for n in pair]
    weight, result = operation.operands[1].tensor_type.shape, operation.result.tensor_type
    filters = all(isinstance(n, int) and n > 0 for n in weight) and tuple(weight[2:]) == (3, 3)
    known = [n for n in (*operation.operands[0].tensor_type.shape[1:], *result.shape[1:]) if isinstance(n, int)]
    return (
        window
        and filters
        and 0 <= min(margins) <= max(margins) <= 2
        and min(known) > 0
        and (result.dtype.short in ("f32", "f64") and isinstance(result.shape[1], int))
    )


def _replace(operation: Operation, made: dict[tuple[Value, bool, Block], Value]) -> None:
    block = operation.parent
    assert block is not None
    image, weight, *others = operation.operands
    transposed = operation.name == "conv2d_input_grad"
    key = (weight, transposed, block)
    if key not in made:
        made[key] = insert_before(operation, winograd_filters, [weight], {"transposed": transposed})
    padding = operation.attrs["padding"]
    if transposed:
        padding = tuple((2 - first, 2 - last) for first, last in padding)
    count = operation.result.tensor_type.shape[1]
    attrs = {"count": count, "padding": padding, "relu": bool(operation.attrs.get("relu"))}
    result = insert_before(operation, ROWS[operation.name], [image, made[key], *others], attrs)
    result.hint = operation.result.hint
    operation.result.replace_by(result)
    operation.erase()
