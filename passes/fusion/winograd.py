"""Convolutions by 3 x 3 filters take sixteen multiplications for four pixels instead of 36, where that saves time."""

from __future__ import annotations

from dataclasses import dataclass

from ...base.log import log
from ...base.target import current_target
from ...ir.builder import insert_before
from ...ir.core import Block, Operation, Program, Value
from ...ir.walk import walk
from ...ops.conv_winograd import NUMBERS, conv2d_winograd, winograd_filters
from ..manager import Pass
from .contractions import has_fixed_sizes

SUITABLE = ("conv2d", "conv2d_input_grad")
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
            if operation.name in SUITABLE and _is_suitable(operation):
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
    """What a suitable convolution costs either way, on one core of the target."""
    image, weight = (v.tensor_type for v in operation.operands[:2])
    result = operation.result.tensor_type
    channels, filters = int(weight.shape[1]), int(weight.shape[0])  # an image may have an open number of channels
    height, width = (n if isinstance(n, int) else OPEN_SIZE for n in result.shape[2:])
    batch = image.shape[0] if isinstance(image.shape[0], int) else OPEN_BATCH
    target, unit = current_target(), current_target().winograd
    lanes, rate = target.lanes(result.dtype.itemsize), target.core.multiply_adds / target.core.passes
    tall, wide = -(-height // 2), -(-width // 2)
    pairs = channels * filters
    slowness = unit.direct if has_fixed_sizes(operation) else unit.loops
    direct = slowness * batch * 9 * pairs * height * width / (rate * lanes)
    filters_in = unit.filters_in
    if _is_transposed(operation) and 9 * pairs * result.dtype.itemsize > target.caches.second:
        filters_in += unit.filters_transposed
        direct += unit.filters_across * batch * pairs if height * width > 2 * lanes else 0.0
    vectors = batch * tall * -(-wide // lanes)
    matmuls = NUMBERS * pairs * -(-batch * tall * wide // lanes) / rate
    matmuls *= unit.deep if channels > unit.deep_channels else 1.0
    numbers = NUMBERS * pairs
    is_cached = numbers * 4 <= target.caches.second
    read = 0.0 if is_cached else unit.filters_read * numbers * max(1.0, batch * tall * wide / unit.block)
    tiles = vectors * (unit.tiles_in * channels + unit.tiles_out * filters) + matmuls + filters_in * pairs + read
    return Costs(f"{operation.name} of {image} by {weight}", direct, tiles)


def _is_transposed(operation: Operation) -> bool:
    """Whether it is the gradient of the images."""
    return operation.name == "conv2d_input_grad"


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
    image, weight = operation.operands
    transposed = _is_transposed(operation)
    key = (weight, transposed, block)
    if key not in made:
        made[key] = insert_before(operation, winograd_filters, [weight], {"transposed": transposed})
    padding = operation.attrs["padding"]
    if transposed:
        padding = tuple((2 - first, 2 - last) for first, last in padding)
    count = operation.result.tensor_type.shape[1]
    result = insert_before(operation, conv2d_winograd, [image, made[key]], {"count": count, "padding": padding})
    result.hint = operation.result.hint
    operation.result.replace_by(result)
    operation.erase()
