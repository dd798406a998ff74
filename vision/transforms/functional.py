"""Images as arrays h×w or h×w×c: resize, crop, flip, pad, colours. Each returns a new array; uint8 stays uint8.

Images as tensors are [c, h, w] and give tensors (tensor_images.py); images of Pillow give such.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...base.errors import ArgumentError, KindError
from ...dygraph.tensor import Tensor
from ...ops.op import OPS
from . import tensor_images as tensors
from .image import Image as Image
from .image import as_image as as_image
from .image import as_pil_gives, is_numpy_image, is_pil_image
from .image import image_size as image_size
from .image import is_tensor_image as is_tensor_image
from .resampling import WIDE, resampled
from .tensor_images import or_tensor
from .warps import affine as affine
from .warps import perspective as perspective
from .warps import rotate as rotate


def _whole(img: Any) -> Any:
    """How mixed colours become whole: Pillow, which mixes in float32, cuts what is behind the point."""
    return (lambda values: np.trunc(values.astype(np.float32))) if is_pil_image(img) else np.rint


LUMA = (0.299, 0.587, 0.114)
_is_pil_image, _is_tensor_image, _is_numpy_image = is_pil_image, is_tensor_image, is_numpy_image  # Paddle's names


def _like(values: Image, image: Image, whole: Any = np.rint) -> Image:
    if image.dtype == np.uint8:
        made: Image = np.clip(whole(values), 0, 255).astype(np.uint8)
        return made
    return values.astype(image.dtype, copy=False)


def to_tensor(pic: Any, data_format: str = "CHW") -> Tensor:
    """A tensor [c, h, w] (or [h, w, c]) of an image; uint8 is scaled to float32 of 0..1.

    Other numbers keep their dtype. A tensor [c, h, w] is given back as it is, or in the other layout.

    >>> to_tensor(np.full((2, 3), 255, np.uint8)).shape
    [1, 2, 3]
    """
    if data_format not in ("CHW", "HWC"):
        raise ArgumentError(f"to_tensor: data_format must be 'CHW' or 'HWC', not {data_format!r}")
    if isinstance(pic, Tensor):
        return pic if data_format == "CHW" else OPS["transpose"](pic, (1, 2, 0))
    image = as_image(pic)
    image = image[..., None] if image.ndim == 2 else image
    values = image.astype(np.float32) / np.float32(255) if image.dtype == np.uint8 else image
    values = values.astype(np.float32) if values.dtype == np.bool_ else values
    return Tensor(np.ascontiguousarray(values.transpose(2, 0, 1)) if data_format == "CHW" else values)


@as_pil_gives
def resize(img: Any, size: int | Sequence[int], interpolation: str = "bilinear") -> Any:
    """An image of another size: (h, w), or an int for its shorter side. interpolation: "nearest" or "bilinear"; for
    arrays also "bicubic", "lanczos" and "area".

    Pixel centres keep their relative places (half-pixel rule).

    >>> resize(np.arange(16.0).reshape(4, 4), (2, 2))
    array([[ 2.5,  4.5],
           [10.5, 12.5]])
    """
    if not isinstance(size, (int, np.integer, list, tuple)):
        raise KindError(f"resize: size is a number or two, not {size!r}")
    if min(size if isinstance(size, (list, tuple)) else [size]) <= 0:
        raise ArgumentError(f"resize: no image has the size {size!r}")
    if isinstance(size, (int, np.integer)):
        height, width = image_size(img)
        short = min(height, width)
        size = (max(1, size * height // short), max(1, size * width // short))
    if isinstance(img, Tensor):
        return tensors.resize(img, size, interpolation)
    image = as_image(img)
    height, width = image.shape[:2]
    if interpolation == "nearest":
        rows, columns = (
            np.minimum(np.arange(n) * old // n, old - 1) for n, old in zip(size, (height, width), strict=True)
        )
        nearest: Image = image[rows][:, columns]
        return nearest
    values = image.astype(np.float64)
    if interpolation in WIDE:
        return _like(resampled(values, size, interpolation), image)
    if interpolation != "bilinear":
        raise ArgumentError(f"resize: interpolation must be 'bilinear', 'nearest' or of {WIDE}, not {interpolation!r}")
    for axis, (new, old) in enumerate(zip(size, (height, width), strict=True)):
        place = np.clip((np.arange(new) + 0.5) * old / new - 0.5, 0, old - 1)
        low = np.floor(place).astype(np.int64)
        high = np.minimum(low + 1, old - 1)
        share = (place - low).reshape([-1 if k == axis else 1 for k in range(values.ndim)])
        values = np.take(values, low, axis) * (1 - share) + np.take(values, high, axis) * share
    return _like(values, image)


@as_pil_gives
def crop(img: Any, top: int, left: int, height: int, width: int) -> Any:
    """The part of `height`×`width` pixels whose corner is at (top, left). Errors: ArgumentError if it sticks out.

    >>> crop(np.arange(9).reshape(3, 3), 1, 1, 2, 2).tolist()
    [[4, 5], [7, 8]]
    """
    size = image_size(img)
    if min(top, left) < 0 or top + height > size[0] or left + width > size[1]:
        raise ArgumentError(f"crop: {height}×{width} at ({top}, {left}) sticks out of an image {size}")
    if isinstance(img, Tensor):
        return tensors.crop(img, top, left, height, width)
    image = as_image(img)
    return image[top : top + height, left : left + width].copy()


def center_crop(img: Any, output_size: int | Sequence[int]) -> Any:
    """The middle part of that size (an int: a square)."""
    rows, columns = image_size(img)
    height, width = (output_size, output_size) if isinstance(output_size, int) else output_size
    return crop(img, round((rows - height) / 2), round((columns - width) / 2), height, width)


@as_pil_gives
@or_tensor(tensors.hflip)
def hflip(img: Any) -> Any:
    """Left and right swapped."""
    return as_image(img)[:, ::-1].copy()


@as_pil_gives
@or_tensor(tensors.vflip)
def vflip(img: Any) -> Any:
    """Top and bottom swapped."""
    return as_image(img)[::-1].copy()


@as_pil_gives
def pad(img: Any, padding: int | Sequence[int], fill: float = 0, padding_mode: str = "constant") -> Any:
    """More pixels around. padding: all sides, (left and right, top and bottom), or (left, top, right, bottom).

    padding_mode: constant (`fill`), edge, reflect or symmetric. Errors: KindError; ArgumentError for another mode or
    another count of numbers.
    """
    kinds = {
        "padding": (padding, (int, list, tuple)),
        "fill": (fill, (int, float, list, tuple)),
        "padding_mode": (padding_mode, str),
    }
    for what, (value, kind) in kinds.items():
        if not isinstance(value, kind):  # type: ignore[arg-type]
            raise KindError(f"pad: {what} is of another kind than asked for: {value!r}")
    sides = [padding] * 4 if isinstance(padding, int) else list(padding) * (2 if len(padding) == 2 else 1)
    if len(sides) != 4 or padding_mode not in ("constant", "edge", "reflect", "symmetric"):
        raise ArgumentError(f"pad: padding {padding!r} with padding_mode {padding_mode!r} isn't possible")
    if isinstance(img, Tensor):
        return tensors.pad(img, sides, fill, padding_mode)
    image = as_image(img)
    left, top, right, bottom = sides
    widths = [(top, bottom), (left, right), (0, 0)][: image.ndim]
    if padding_mode == "constant":
        return np.pad(image, widths, constant_values=fill)
    return np.pad(image, widths, mode=padding_mode)  # type: ignore[call-overload]


def normalize(
    img: Any,
    mean: float | Sequence[float],
    std: float | Sequence[float],
    data_format: str = "CHW",
    to_rgb: bool = False,
) -> Any:
    """(img - mean) / std per channel, for an array or a Tensor in either layout; to_rgb reverses the channels first."""
    axis = -3 if data_format == "CHW" else -1
    shape = (-1, 1, 1) if data_format == "CHW" else (-1,)
    centre, scale = (np.asarray(v, np.float32).reshape(shape) for v in (mean, std))
    if isinstance(img, Tensor):
        return tensors.normalize(img, centre, scale, to_rgb, axis)
    values = np.asarray(img, np.float32)
    return ((np.flip(values, axis) if to_rgb else values) - centre) / scale


@as_pil_gives
@or_tensor(tensors.to_grayscale)
def to_grayscale(img: Any, num_output_channels: int = 1) -> Any:
    """The brightness of each pixel, in one channel or in three equal ones."""
    if num_output_channels not in (1, 3):
        raise ArgumentError(f"to_grayscale: there are one or three channels, not {num_output_channels!r}")
    image = as_image(img)
    grey = image if image.ndim == 2 else _like(image[..., :3].astype(np.float64) @ np.array(LUMA), image)
    return np.repeat(grey[..., None], num_output_channels, axis=2)


@as_pil_gives
@or_tensor(tensors.adjust_brightness)
def adjust_brightness(img: Any, brightness_factor: float) -> Any:
    """All pixels times the factor; whole ones are cut behind the point, as Paddle's are."""
    image = as_image(img)
    whole = _whole(img) if is_pil_image(img) else np.trunc
    return _like(image.astype(np.float64) * brightness_factor, image, whole)


@as_pil_gives
@or_tensor(tensors.adjust_contrast)
def adjust_contrast(img: Any, contrast_factor: float) -> Any:
    """Pixels' distances from the image's mean brightness times the factor."""
    image = as_image(img)
    mean = np.rint(to_grayscale(image).astype(np.float64).mean())
    return _like(mean + (image.astype(np.float64) - mean) * contrast_factor, image, _whole(img))


@as_pil_gives
@or_tensor(tensors.adjust_saturation)
def adjust_saturation(img: Any, saturation_factor: float) -> Any:
    """Pixels' distances from their own brightness times the factor: 0 is grey, 1 the image."""
    image = as_image(img)
    grey = to_grayscale(image, 3).astype(np.float64)
    return _like(grey + (image.astype(np.float64) - grey) * saturation_factor, image, _whole(img))


@as_pil_gives
def adjust_hue(img: Any, hue_factor: float) -> Any:
    """Hues shifted by a part of the circle, from -0.5 to 0.5; saturation and value stay."""
    if not -0.5 <= hue_factor <= 0.5:
        raise ArgumentError(f"hue_factor must be from -0.5 to 0.5, got {hue_factor}")
    if isinstance(img, Tensor):
        return tensors.adjust_hue(img, hue_factor)
    image = as_image(img)
    if image.ndim != 3 or image.shape[2] != 3:
        raise ArgumentError(f"adjust_hue needs an image with three channels, got shape {image.shape}")
    colours = image.astype(np.float64)
    value, least = colours.max(-1, keepdims=True), colours.min(-1, keepdims=True)
    spread = value - least
    red, green, blue = np.split(colours, 3, -1)
    by = np.where(spread == 0, 1.0, spread)
    sector = np.where(
        value == red, (green - blue) / by, np.where(value == green, 2 + (blue - red) / by, 4 + (red - green) / by)
    )
    sector = sector + 6 * hue_factor
    near = (np.array([5.0, 3.0, 1.0]) + sector) % 6  # of red, green and blue
    return _like(value - spread * np.clip(np.minimum(near, 4 - near), 0, 1), image)


@or_tensor(tensors.erase)
def erase(img: Any, i: int, j: int, h: int, w: int, v: Any, inplace: bool = False) -> Any:
    """`v` in the h×w pixels from (i, j) on; Tensors are [c, h, w], arrays [h, w, c]."""
    image = as_image(img) if inplace else as_image(img).copy()
    image[i : i + h, j : j + w] = v
    return image
