"""Rotations, affine maps and perspectives of images: each pixel of the result reads its place in the source."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from ...base.errors import ArgumentError
from ...dygraph.tensor import Tensor
from . import tensor_images as tensors
from .image import Image, as_image, as_pil_gives, image_size

Matrix = npt.NDArray[np.float64]


def _has_half_centres(img: Any) -> bool:
    """PIL and tensors have pixels' centres at halves; arrays have them at whole numbers, as OpenCV has."""
    return isinstance(img, Tensor) or (hasattr(img, "getbands") and hasattr(img, "transform"))


def warp(img: Any, to_source: Matrix, interpolation: str, fill: Any, size: tuple[int, int] | None = None) -> Image:
    """The image whose pixel (x, y) is the source's at `to_source @ (x, y, 1)`, and `fill` outside."""
    if interpolation not in ("nearest", "bilinear"):
        raise ArgumentError(f"interpolation must be 'nearest' or 'bilinear', not {interpolation!r}")
    own = image_size(img)
    height, width = size or own
    if isinstance(img, Tensor):
        return tensors.warp(img, to_source, interpolation, fill, height, width, own)  # type: ignore[no-any-return]
    image = as_image(img)
    pil = _has_half_centres(img)
    half = 0.5 if pil else 0.0
    y, x = np.mgrid[:height, :width].astype(np.float64) + half
    px, py, scale = (row[0] * x + row[1] * y + row[2] for row in to_source)
    with np.errstate(divide="ignore", invalid="ignore"):
        px, py = px / scale - half, py / scale - half
    inside = np.isfinite(px) & np.isfinite(py)
    px, py = np.where(inside, px, -2.0), np.where(inside, py, -2.0)
    outside = np.broadcast_to(np.asarray(_fill(fill, image), image.dtype), image.shape[2:])
    if interpolation == "nearest":
        return _pixels(image, _whole(np.floor(py + 0.5)), _whole(np.floor(px + 0.5)), outside)
    bilinear: Image = _blend(image, px, py, outside, pil)
    return bilinear


def _blend(image: Image, px: Matrix, py: Matrix, outside: Image, pil: bool) -> Image:
    """Between four pixels. Beyond the edge lies `outside`; with PIL half a pixel further, the edge before that."""
    beyond = (px < -0.5) | (px >= image.shape[1] - 0.5) | (py < -0.5) | (py >= image.shape[0] - 0.5)
    if pil:
        px, py = np.clip(px, 0, image.shape[1] - 1), np.clip(py, 0, image.shape[0] - 1)
    left, top = np.floor(px), np.floor(py)
    total: Any = 0.0
    for dy, part in ((0, 1 - (py - top)), (1, py - top)):
        for dx, share in ((0, 1 - (px - left)), (1, px - left)):
            rows, columns = _whole(top) + dy, _whole(left) + dx
            if pil:
                rows, columns = np.minimum(rows, image.shape[0] - 1), np.minimum(columns, image.shape[1] - 1)
            each = _pixels(image, rows, columns, outside).astype(np.float64)
            total = total + each * (part * share).reshape(part.shape + (1,) * (image.ndim - 2))
    if image.dtype.kind in "iu":
        bounds = np.iinfo(image.dtype)
        total = np.clip(np.floor(total) if pil else np.rint(total), bounds.min, bounds.max)
    result: Image = total.astype(image.dtype)
    if pil:
        result[beyond] = outside
    return result


def _whole(places: Matrix) -> npt.NDArray[np.int64]:
    return np.clip(places, -(2.0**40), 2.0**40).astype(np.int64)


def _pixels(image: Image, rows: npt.NDArray[np.int64], columns: npt.NDArray[np.int64], outside: Image) -> Image:
    height, width = image.shape[:2]
    inside = (rows >= 0) & (rows < height) & (columns >= 0) & (columns < width)
    if not image.size:
        return np.broadcast_to(outside, rows.shape + outside.shape).copy()
    found: Image = image[np.clip(rows, 0, height - 1), np.clip(columns, 0, width - 1)]
    found[~inside] = outside
    return found


def _fill(fill: Any, image: Image) -> Any:
    if isinstance(fill, (int, float)):
        return fill
    values = np.asarray(fill)
    channels = image.shape[2] if image.ndim == 3 else 1
    if values.shape not in ((channels,), (1,)):
        raise ArgumentError(f"fill must be a number or one for each of {channels} channels, not {fill!r}")
    return values if image.ndim == 3 else values[0]


def _rotation(angle: float, scale: float, center: Sequence[float]) -> Matrix:
    """A counter-clockwise rotation about a centre, in an image's axes (y downwards)."""
    a, b = scale * math.cos(math.radians(angle)), scale * math.sin(math.radians(angle))
    x, y = center
    return np.array([[a, b, (1 - a) * x - b * y], [-b, a, b * x + (1 - a) * y], [0, 0, 1]], np.float64)


def _inverse(matrix: Matrix, of: str) -> Matrix:
    try:
        inverse: Matrix = np.linalg.inv(matrix).astype(np.float64)
        return inverse
    except np.linalg.LinAlgError:
        raise ArgumentError(
            f"{of}: the map is not invertible", remedy="give a scale above 0 and shears below 90"
        ) from None


@as_pil_gives
def rotate(
    img: Any,
    angle: float,
    interpolation: str = "nearest",
    expand: bool = False,
    center: Sequence[float] | None = None,
    fill: Any = 0,
) -> Image:
    """The image rotated counter-clockwise by `angle` degrees about `center` (x, y); None: its middle.

    expand: the result is large enough for all of it. interpolation: "nearest" or "bilinear"; fill: what lies outside.

    >>> rotate(np.arange(9).reshape(3, 3), 90, center=(1, 1)).tolist()
    [[2, 5, 8], [1, 4, 7], [0, 3, 6]]
    """
    height, width = image_size(img)
    middle = center if center is not None else (width / 2, height / 2)
    matrix = _rotation(angle, 1.0, middle)
    size = (height, width)
    if expand:
        # PaddlePaddle rotates the corners the other way, which matters for centres beside the middle
        corners = _rotation(-angle, 1.0, middle)[:2] @ np.array(
            [[0, width, width, 0], [0, 0, height, height], [1, 1, 1, 1]]
        )
        if isinstance(img, Tensor):
            corners = corners - [[width / 2], [height / 2]]
        corners = np.round(corners, 12)
        columns, rows = (math.ceil(max(c)) - math.floor(min(c)) for c in corners)
        matrix[0, 2] += (columns - width) * 0.5
        matrix[1, 2] += (rows - height) * 0.5
        size = (rows, columns)
    return warp(img, _inverse(matrix, "rotate"), interpolation, fill, size)


@as_pil_gives
def affine(
    img: Any,
    angle: float,
    translate: Sequence[float],
    scale: float,
    shear: Sequence[float],
    interpolation: str = "nearest",
    fill: Any = 0,
    center: Sequence[float] | None = None,
) -> Image:
    """The image rotated by `angle` degrees, scaled, sheared by degrees (x, y) and moved by `translate` (x, y) pixels.

    As in PaddlePaddle, arrays are rotated counter-clockwise about their corner, whatever `center` says, PIL images and
    tensors clockwise about `center` (None: the middle).

    >>> affine(np.arange(9).reshape(3, 3), 0, (1, 0), 1.0, (0, 0)).tolist()
    [[0, 0, 1], [0, 3, 4], [0, 6, 7]]
    """
    if len(translate) != 2 or len(shear) != 2:
        raise ArgumentError(f"affine: translate and shear have two numbers each, not {translate!r} and {shear!r}")
    height, width = image_size(img)
    x, y = center if center is not None else (width / 2, height / 2)
    sx, sy = (math.tan(math.radians(each)) for each in shear)
    if not _has_half_centres(img):
        rotated = _rotation(angle, scale, (x, y))
        matrix = np.eye(3)
        matrix[0], matrix[1] = rotated[0] + sy * rotated[1], rotated[1] + sx * rotated[0]
        matrix[:2, 2] = translate
    else:
        radians, lean = math.radians(angle), math.radians(shear[1])
        a = math.cos(radians - lean) / math.cos(lean)
        b = -a * sx - math.sin(radians)
        c = math.sin(radians - lean) / math.cos(lean)
        d = -c * sx + math.cos(radians)
        linear = scale * np.array([[a, b], [c, d]])
        matrix = np.eye(3)
        matrix[:2, :2] = linear
        matrix[:2, 2] = np.array([x, y]) + np.asarray(translate) - linear @ np.array([x, y])
    return warp(img, _inverse(matrix, "affine"), interpolation, fill)


@as_pil_gives
def perspective(
    img: Any,
    startpoints: Sequence[Sequence[float]],
    endpoints: Sequence[Sequence[float]],
    interpolation: str = "nearest",
    fill: Any = 0,
) -> Image:
    """The image in which `startpoints` (four places (x, y)) have moved to `endpoints`.

    >>> square = [(0, 0), (2, 0), (2, 2), (0, 2)]
    >>> perspective(np.arange(9).reshape(3, 3), square, [(2, 0), (0, 0), (0, 2), (2, 2)]).tolist()
    [[2, 1, 0], [5, 4, 3], [8, 7, 6]]
    """
    if len(startpoints) != 4 or len(endpoints) != 4:
        raise ArgumentError(f"perspective: four points each, not {len(startpoints)} and {len(endpoints)}")
    rows, values = [], []
    for (x, y), (u, v) in zip(endpoints, startpoints, strict=True):
        rows += [[x, y, 1, 0, 0, 0, -u * x, -u * y], [0, 0, 0, x, y, 1, -v * x, -v * y]]
        values += [u, v]
    try:
        found = np.append(np.linalg.solve(np.array(rows, np.float64), np.array(values, np.float64)), 1.0)
    except np.linalg.LinAlgError:  # the corner (0, 0) has no source, and the map's last number is 0
        _, sizes, maps = np.linalg.svd(np.column_stack([rows, np.negative(values)]))
        if sizes[-1] < 1e-9 * sizes[0]:
            raise ArgumentError("perspective: three of the endpoints lie on a line") from None
        found = maps[-1]
    return warp(img, found.reshape(3, 3), interpolation, fill)
