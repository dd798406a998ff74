"""The transforms of images that are tensors [c, h, w] or [n, c, h, w]: made of operations, so programs hold them, too.

As in PaddlePaddle, pixels' centres lie at halves, floats are colours from 0 to 1, and the result is a tensor.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any

import numpy as np
import numpy.typing as npt

from ...base.errors import ArgumentError
from ...dygraph.nn import functional as F
from ...dygraph.tensor import Tensor
from ...ops.op import FUNCTIONS, OPS

LUMA = (0.2989, 0.5870, 0.1140)
_PADDINGS = {"constant": "constant", "edge": "replicate", "reflect": "reflect"}


def or_tensor(of_tensors: Callable[..., Any]) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """A function of arrays that hands tensors to `of_tensors`."""

    def wrap(of_arrays: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(of_arrays)
        def either(img: Any, *args: Any, **kwargs: Any) -> Any:
            return (of_tensors if isinstance(img, Tensor) else of_arrays)(img, *args, **kwargs)

        return either

    return wrap


def _float(img: Any) -> Any:
    return img if img.dtype.is_floating else OPS["cast"](img, "float32")


def _like(values: Any, img: Any) -> Any:
    """Floats as the image's numbers: bytes are rounded."""
    if img.dtype.is_floating:
        return values if values.dtype is img.dtype else OPS["cast"](values, img.dtype)
    return OPS["cast"](OPS["round"](values), img.dtype)


def _clipped(values: Any, img: Any) -> Any:
    return _like(FUNCTIONS["clip"](values, 0.0, 1.0 if img.dtype.is_floating else 255.0), img)


def _on_batches(img: Any, work: Callable[[Any], Any]) -> Any:
    """`work` on a batch of floats; the result has the image's axes and dtype."""
    lead = [1] * (4 - img.ndim)
    done = work(OPS["reshape"](_float(img), (*lead, *img.shape)))
    return _like(OPS["reshape"](done, tuple(done.shape[len(lead) :])), img)


def resize(img: Any, size: Sequence[int], interpolation: str) -> Any:
    """An image of another size."""
    return _on_batches(img, lambda x: F.interpolate(x, size=list(size), mode=interpolation.lower()))


def crop(img: Any, top: int, left: int, height: int, width: int) -> Any:
    """A part of an image."""
    return img[..., top : top + height, left : left + width]


def hflip(img: Any) -> Any:
    """Left and right swapped."""
    return OPS["flip"](img, -1)


def vflip(img: Any) -> Any:
    """Top and bottom swapped."""
    return OPS["flip"](img, -2)


def pad(img: Any, sides: Sequence[int], fill: float, padding_mode: str) -> Any:
    """More pixels around: left, top, right, bottom."""
    if padding_mode not in _PADDINGS:
        raise ArgumentError(f"pad: padding_mode {padding_mode!r} is for arrays, not for tensors")
    left, top, right, bottom = sides
    mode = _PADDINGS[padding_mode]
    return _on_batches(img, lambda x: F.pad(x, [left, right, top, bottom], mode, fill, "NCHW"))


def normalize(img: Any, mean: Any, std: Any, reverse: bool, axis: int) -> Any:
    """(img - mean) / std, after the channels' order is reversed on request."""
    values = OPS["cast"](img, "float32") if img.dtype.name != "float32" else img
    return ((OPS["flip"](values, axis) if reverse else values) - mean) / std


def warp(
    img: Any, to_source: npt.NDArray[np.float64], interpolation: str, fill: Any, height: int, width: int, size: Any
) -> Any:
    """The image of height×width whose pixel (x, y) is the source's, of `size`, at `to_source @ (x, y, 1)`."""
    y, x = np.mgrid[:height, :width].astype(np.float64) + 0.5
    px, py, scale = (row[0] * x + row[1] * y + row[2] for row in to_source)
    with np.errstate(divide="ignore", invalid="ignore"):  # at the horizon, which is outside
        grid = np.stack([px / scale * (2 / size[1]) - 1, py / scale * (2 / size[0]) - 1], -1)[None]
    outside = np.asarray(fill, np.float64).reshape(-1, 1, 1)

    def sampled(batch: Any) -> Any:
        places = OPS["broadcast_to"](_constant(grid, batch), (batch.shape[0], *grid.shape[1:]))
        inside = _constant(np.ones((1, 1, *size)), batch)
        found, share = (
            F.grid_sample(v, p, interpolation, "zeros", False)
            for v, p in ((batch, places), (inside, _constant(grid, batch)))
        )
        if interpolation == "nearest":
            share = OPS["cast"](share >= 0.5, batch.dtype)
        return found * share + (1.0 - share) * _constant(outside, batch)

    return _on_batches(img, sampled)


def _constant(array: npt.NDArray[Any], like: Any) -> Any:
    return FUNCTIONS["full_like"](like[:1, :1, :1, :1], 1.0) * array.astype(like.dtype.numpy)


def to_grayscale(img: Any, num_output_channels: int = 1) -> Any:
    """Brightness in one channel or three equal ones."""
    if num_output_channels not in (1, 3):
        raise ArgumentError(f"to_grayscale: there are one or three channels, not {num_output_channels!r}")
    grey = _like(_grey(img), img)
    return OPS["broadcast_to"](grey, (*img.shape[:-3], num_output_channels, *img.shape[-2:]))


def _grey(img: Any) -> Any:
    if img.shape[-3] not in (1, 3):
        raise ArgumentError(f"an image has one or three channels, not {img.shape[-3]}")
    if img.shape[-3] == 1:
        return _float(img)
    red, green, blue = (img[..., k : k + 1, :, :] for k in range(3))
    return _float(red) * LUMA[0] + _float(green) * LUMA[1] + _float(blue) * LUMA[2]


def adjust_brightness(img: Any, brightness_factor: float) -> Any:
    """All pixels times the factor."""
    return _clipped(_float(img) * brightness_factor, img)


def adjust_contrast(img: Any, contrast_factor: float) -> Any:
    """Distances from the mean brightness times the factor."""
    mean = OPS["mean"](_grey(img), (-3, -2, -1), True)
    return _clipped(mean + (_float(img) - mean) * contrast_factor, img)


def adjust_saturation(img: Any, saturation_factor: float) -> Any:
    """Distances from each pixel's brightness times the factor."""
    grey = _grey(img)
    return _clipped(grey + (_float(img) - grey) * saturation_factor, img)


def adjust_hue(img: Any, hue_factor: float) -> Any:
    """Hues shifted by a part of the circle; an image of one channel stays."""
    if img.shape[-3] == 1:
        return img
    if img.shape[-3] != 3:
        raise ArgumentError(f"an image has one or three channels, not {img.shape[-3]}")
    where = OPS["where"]
    red, green, blue = (_float(img[..., k : k + 1, :, :]) for k in range(3))
    value = OPS["maximum"](OPS["maximum"](red, green), blue)
    spread = value - OPS["minimum"](OPS["minimum"](red, green), blue)
    by = where(spread == 0, 1.0, spread)
    sector = where(
        value == red, (green - blue) / by, where(value == green, 2 + (blue - red) / by, 4 + (red - green) / by)
    )
    near = [(start + sector + 6 * hue_factor) % 6 for start in (5.0, 3.0, 1.0)]
    parts = [value - spread * FUNCTIONS["clip"](OPS["minimum"](n, 4 - n), 0.0, 1.0) for n in near]
    return _like(OPS["concat"](parts, -3), img)


def erase(img: Any, i: int, j: int, h: int, w: int, v: Any, inplace: bool = False) -> Any:
    """`v` in the h×w pixels from (i, j) on."""
    made = OPS["assign"](img)
    made[..., i : i + h, j : j + w] = np.asarray(v, img.dtype.numpy) if isinstance(v, np.ndarray) else v
    if not inplace:
        return made
    img.set_value(made)
    return img
