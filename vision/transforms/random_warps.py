"""Random rotations, affine maps and perspectives as objects."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from ...base.drawing import drawing
from ...base.errors import ArgumentError
from . import warps
from .classes import BaseTransform
from .image import image_size


def _range(value: float | Sequence[float], name: str, counts: tuple[int, ...] = (2,)) -> tuple[float, ...]:
    """A range that a number n means (-n, n) of. Errors: ArgumentError."""
    if isinstance(value, (int, float)):
        if value < 0:
            raise ArgumentError(f"{name} must not be negative if it is one number, not {value}")
        return (-value, value)
    if len(value) not in counts:
        raise ArgumentError(f"{name} must have {' or '.join(map(str, counts))} numbers, not {len(value)}")
    return tuple(value)


def _drawn(bounds: Sequence[float]) -> float:
    low, high = bounds
    return float(drawing(np.random).uniform(low, high))


class RandomRotation(BaseTransform):
    """Rotate by an angle drawn from `degrees`: (low, high), or n for (-n, n). See `functional.rotate`."""

    def __init__(
        self,
        degrees: float | Sequence[float],
        interpolation: str = "nearest",
        expand: bool = False,
        center: tuple[float, float] | None = None,
        fill: Any = 0,
        keys: Sequence[str] | None = None,
    ) -> None:
        super().__init__(keys)
        self.degrees = _range(degrees, "degrees")
        self.interpolation, self.expand, self.center, self.fill = interpolation, expand, center, fill

    def _get_params(self, inputs: Any) -> float:
        return _drawn(self.degrees)

    def _apply_image(self, image: Any) -> Any:
        return warps.rotate(image, self.params, self.interpolation, self.expand, self.center, self.fill)


class RandomAffine(BaseTransform):
    """Rotate, move, scale and shear at random. See `functional.affine`.

    translate: the largest shares of width and height; scale: (low, high); shear: degrees (low, high) along x, with two
    more numbers along y, or n for (-n, n).
    """

    def __init__(
        self,
        degrees: float | Sequence[float],
        translate: Sequence[float] | None = None,
        scale: Sequence[float] | None = None,
        shear: float | Sequence[float] | None = None,
        interpolation: str = "nearest",
        fill: Any = 0,
        center: Sequence[float] | None = None,
        keys: Sequence[str] | None = None,
    ) -> None:
        super().__init__(keys)
        self.degrees = _range(degrees, "degrees")
        if translate is not None and (len(translate) != 2 or not all(0 <= share <= 1 for share in translate)):
            raise ArgumentError(f"translate must be two shares of the sides, from 0 to 1, not {translate!r}")
        if scale is not None and (len(scale) != 2 or not all(each > 0 for each in scale)):
            raise ArgumentError(f"scale must be two numbers above 0, not {scale!r}")
        if center is not None and len(center) != 2:
            raise ArgumentError(f"center must be two numbers, not {center!r}")
        self.translate, self.scale = translate, scale
        self.shear = None if shear is None else _range(shear, "shear", (2, 4))
        self.interpolation, self.fill, self.center = interpolation, fill, center

    def _get_params(self, inputs: Any) -> tuple[float, tuple[int, int], float, tuple[float, float]]:
        height, width = image_size(inputs[self.keys.index("image") if "image" in self.keys else 0])
        angle = _drawn(self.degrees)
        x, y = (
            int(drawing(np.random).uniform(-share * side, share * side))
            for share, side in zip(self.translate or (0, 0), (width, height), strict=True)
        )
        scale = _drawn(self.scale) if self.scale is not None else 1.0
        shear = self.shear or (0.0, 0.0)
        lean = _drawn(shear[:2]), _drawn(shear[2:]) if len(shear) == 4 else 0.0
        return angle, (x, y), scale, lean

    def _apply_image(self, image: Any) -> Any:
        angle, move, scale, lean = self.params
        return warps.affine(image, angle, move, scale, lean, self.interpolation, self.fill, self.center)


_MOST_DRAWS = 64


def _on_a_line(a: list[int], b: list[int], c: list[int]) -> bool:
    return (b[0] - a[0]) * (c[1] - a[1]) == (b[1] - a[1]) * (c[0] - a[0])


class RandomPerspective(BaseTransform):
    """With probability `prob` move the corners inwards by up to `distortion_scale` of half the sides."""

    def __init__(
        self,
        prob: float = 0.5,
        distortion_scale: float = 0.5,
        interpolation: str = "nearest",
        fill: Any = 0,
        keys: Sequence[str] | None = None,
    ) -> None:
        super().__init__(keys)
        for name, value in (("prob", prob), ("distortion_scale", distortion_scale)):
            if not 0 <= value <= 1 or math.isnan(value):
                raise ArgumentError(f"{name} must be from 0 to 1, not {value}")
        self.prob, self.distortion_scale, self.interpolation, self.fill = prob, distortion_scale, interpolation, fill

    def _get_params(self, inputs: Any) -> Any:
        if drawing(np.random).uniform() >= self.prob:
            return None
        height, width = image_size(inputs[self.keys.index("image") if "image" in self.keys else 0])
        for _ in range(_MOST_DRAWS):
            start, end = self.get_params(width, height, self.distortion_scale)
            if not any(_on_a_line(*three) for three in itertools.combinations(end, 3)):
                return start, end
        return None  # the image is a line

    def get_params(self, width: int, height: int, distortion_scale: float) -> tuple[list[list[int]], list[list[int]]]:
        """Corners of an image, and where each is moved to: top left, top right, bottom right, bottom left."""
        x, y = int(distortion_scale * (width // 2)) + 1, int(distortion_scale * (height // 2)) + 1
        start = [[0, 0], [width - 1, 0], [width - 1, height - 1], [0, height - 1]]
        moved = [[drawing(np.random).randint(x), drawing(np.random).randint(y)] for _ in range(4)]
        signs = [(1, 1), (-1, 1), (-1, -1), (1, -1)]
        end = [[int(a + s * dx), int(b + t * dy)] for (a, b), (s, t), (dx, dy) in zip(start, signs, moved, strict=True)]
        return start, end

    def _apply_image(self, image: Any) -> Any:
        if self.params is None:
            return image
        start, end = self.params
        return warps.perspective(image, start, end, self.interpolation, self.fill)
