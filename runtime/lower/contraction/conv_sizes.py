"""Fixed sizes of a convolution, and which elements its windows see."""

from __future__ import annotations

from dataclasses import dataclass

from ....ir.core import Operation
from ....ops.dims import DimLike
from ....ops.types import TensorType
from ....passes.fusion.contractions import has_fixed_sizes
from .panel import Tap


@dataclass(frozen=True)
class Sizes:
    """Fixed sizes of a convolution [n, channels, …] -> [n, filters, …], both counted per group, and its attributes."""

    batch: DimLike
    groups: int
    channels: int
    filters: int
    image: tuple[int, int]
    result: tuple[int, int]
    kernel: tuple[int, int]
    stride: tuple[int, int]
    dilation: tuple[int, int]
    top: int
    left: int

    @property
    def taps(self) -> int:
        return self.kernel[0] * self.kernel[1]

    @property
    def work(self) -> DimLike:
        """Multiplications in all."""
        pixels = self.result[0] * self.result[1]
        return self.batch * (self.groups * self.channels * self.filters * pixels * self.taps)

    def forward_taps(self) -> tuple[Tap, ...]:
        """The taps of a window over the images."""
        (kh, kw), (dh, dw) = self.kernel, self.dilation
        return tuple((y * dh - self.top, x * dw - self.left, y * kw + x) for y in range(kh) for x in range(kw))

    def phases(self) -> list[tuple[Tap, ...]]:
        """For each place of an image element within the stride: which results saw it, through which taps."""
        (kh, kw), (dh, dw), (sh, sw) = self.kernel, self.dilation, self.stride
        rows = [[(y, divmod(p + self.top - y * dh, sh)) for y in range(kh)] for p in range(sh)]
        columns = [[(x, divmod(p + self.left - x * dw, sw)) for x in range(kw)] for p in range(sw)]
        return [
            tuple((i, j, y * kw + x) for y, (i, a) in row if not a for x, (j, b) in column if not b)
            for row in rows
            for column in columns
        ]


def sizes_of(operation: Operation, image: TensorType, result: TensorType, kernel: tuple[DimLike, ...]) -> Sizes | None:
    """The sizes of one of the three convolutions; None when more than the batch is known only at a call."""
    attrs = operation.attrs
    numbers = (*image.shape[1:], *result.shape[1:], *kernel)
    if not has_fixed_sizes(operation):
        return None
    c, h, w, o, oh, ow, kh, kw = (int(n) for n in numbers)
    groups = attrs["groups"]
    (top, _), (left, _) = attrs["padding"]
    return Sizes(
        image.shape[0], groups, c // groups, o // groups, (h, w), (oh, ow), (kh, kw), attrs["stride"],
        attrs["dilation"], top, left,
    )  # fmt: skip
