"""Updates in place on NumPy arrays, for eager mode: the formulas of SGD, Momentum and Adam without a temporary tensor.

Large arrays are gone through in pieces that stay in the processor's cache. What a captured step holds are the same
formulas over ops (sgd.py, adam.py); tests hold both to one reference.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from ...base.dtype import float32, float64
from ...ops.dispatch import bottom, current
from .. import storage as cells
from ..places import user_place

PIECE = 65536


def is_eager(*tensors: Any) -> bool:
    """Whether all tensors hold arrays of one shape and of one of the usual dtypes, and no program is captured."""
    first = tensors[0]
    if (
        current() is not bottom()
        or first._dtype not in (float32, float64)
        or any(cells.is_view(t._storage) for t in tensors)
    ):
        return False
    shape = first._storage.payload.shape
    return all(
        t._dtype is first._dtype and type(t._storage.payload) is np.ndarray and t._storage.payload.shape == shape
        for t in tensors
    )


def writable(tensor: Any) -> Any:
    """The elements of a tensor as one line of memory that may be written, counted as a write of the tensor."""
    if cells.on_write is not None:
        cells.on_write(tensor)
    cell = tensor._storage
    array = cell.own()
    cell.version += 1
    cell.place = user_place()
    return array.reshape(-1)


def readable(tensor: Any) -> Any:
    """The elements of a tensor as one line."""
    return tensor._storage.payload.reshape(-1)


def _pieces(*arrays: Any) -> Iterator[tuple[Any, ...]]:
    size = arrays[0].size
    if size <= PIECE:
        yield arrays
        return
    for start in range(0, size, PIECE):
        yield tuple([a[start : start + PIECE] for a in arrays])


def _scratch(like: Any) -> Any:
    return np.empty(min(like.size, PIECE), like.dtype)


def sgd(param: Any, grad: Any, rate: float) -> None:
    """param -= rate * grad."""
    if param.size <= PIECE:
        param -= grad * rate
        return
    room = _scratch(param)
    for p, g in _pieces(param, grad):
        t = room[: p.size]
        np.multiply(g, rate, out=t)
        p -= t


def momentum(param: Any, grad: Any, velocity: Any, rate: float, factor: float, nesterov: bool) -> None:
    """velocity = factor * velocity + grad; param -= rate * velocity (nesterov: grad + factor * velocity)."""
    room = _scratch(param)
    for p, g, v in _pieces(param, grad, velocity):
        t = room[: p.size]
        v *= factor
        v += g
        if nesterov:
            np.multiply(v, factor, out=t)
            t += g
            t *= rate
        else:
            np.multiply(v, rate, out=t)
        p -= t


class Moments(NamedTuple):
    """Adam's running means; largest: the largest squares so far, which are divided by instead of `square`, or None."""

    moment: Any
    square: Any
    largest: Any


def adam(
    param: Any, grad: Any, moments: Moments, step: float, scale: float, betas: tuple[float, float], epsilon: float,
    shrink: float,
) -> None:  # fmt: skip
    """Adam's update: param *= shrink; param -= step * moment / (scale * √square + epsilon), the moments moved first."""
    room, (first, second) = _scratch(param), betas
    moment, square, largest = moments
    top = square if largest is None else largest
    for p, g, m, v, w in _pieces(param, grad, moment, square, top):
        t = room[: p.size]
        np.multiply(g, 1.0 - first, out=t)
        m *= first
        m += t
        np.multiply(g, g, out=t)
        t *= 1.0 - second
        v *= second
        v += t
        if largest is not None:
            np.maximum(w, v, out=w)
        np.sqrt(w, out=t)
        t *= scale
        t += epsilon
        np.divide(m, t, out=t)
        t *= step
        if shrink != 1.0:
            p *= shrink
        p -= t
