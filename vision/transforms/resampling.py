"""Weights of resizing along one axis, as OpenCV has them: matrices [new, old] whose rows sum to 1."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

Weights = npt.NDArray[np.float64]

WIDE = ("bicubic", "lanczos", "area")


def resampled(values: Weights, size: Sequence[int], interpolation: str) -> Weights:
    """Pixels [h, w, …] at another size; interpolation: one of `WIDE`. An axis that grows makes "area" be linear."""
    olds = values.shape[:2]
    grows = any(new > old for new, old in zip(size, olds, strict=True))
    for axis, (new, old) in enumerate(zip(size, olds, strict=True)):
        if interpolation == "area":
            weights = _between_cells(new, old) if grows else _shares(new, old)
        else:
            weights = _kernel(new, old, interpolation)
        values = np.moveaxis(np.tensordot(weights, values, (1, axis)), 0, axis)
    return values


def _kernel(new: int, old: int, interpolation: str) -> Weights:
    """Weights by distance: four pixels of a cubic with slope -0.75, or eight of Lanczos; the edge goes on."""
    reach = 2 if interpolation == "bicubic" else 4
    place = (np.arange(new) + 0.5) * old / new - 0.5
    taps = np.floor(place).astype(np.int64)[:, None] + np.arange(1 - reach, reach + 1)
    far = np.abs(place[:, None] - taps)
    if interpolation == "bicubic":
        inner, outer = (1.25 * far - 2.25) * far**2 + 1, -0.75 * (((far - 5) * far + 8) * far - 4)
        each = np.where(far <= 1, inner, outer)
    else:
        each = np.sinc(far) * np.sinc(far / 4)
    return _spread(taps, each / each.sum(1, keepdims=True), old)


def _between_cells(new: int, old: int) -> Weights:
    """Each new pixel lies in one old pixel, or between two where its cell does."""
    low = np.arange(new) * old // new
    share = (np.arange(new) + 1) - (low + 1) * (new / old)
    share = np.where(share <= 0, 0.0, share - np.floor(share))
    return _spread(np.stack([low, low + 1], 1), np.stack([1 - share, share], 1), old)


def _shares(new: int, old: int) -> Weights:
    """How much of each new pixel's cell lies in each old pixel."""
    edges, cells = np.arange(new + 1) * (old / new), np.arange(old)
    inside = np.minimum(edges[1:, None], cells + 1) - np.maximum(edges[:-1, None], cells)
    parts: Weights = np.maximum(inside, 0) * (new / old)
    return parts


def _spread(taps: npt.NDArray[np.int64], each: Weights, old: int) -> Weights:
    weights: Weights = np.zeros((len(taps), old))
    np.add.at(weights, (np.arange(len(taps))[:, None], np.clip(taps, 0, old - 1)), each)
    return weights
