"""Matrix products, determinants, Fourier transforms and their windows, random numbers."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ...base import dtype as dt
from ...ops import fft
from ...ops.dims import product
from .node import Importer, Node, op, rows


def _gemm(n: Node) -> Any:
    made = op.matmul(n[0], n[1], bool(n.attribute("transA", 0)), bool(n.attribute("transB", 0)))
    alpha, beta = float(n.attribute("alpha", 1.0)), float(n.attribute("beta", 1.0))
    made = made if alpha == 1.0 else _scaled(made, alpha)
    if not n.has(2):
        return made
    return made + (n[2] if beta == 1.0 else _scaled(n[2], beta))


def _scaled(x: Any, factor: float) -> Any:
    return x * factor if x.dtype.is_floating else op.cast(op.cast(x, dt.float64) * factor, x.dtype)


def matmul(x: Any, y: Any) -> Any:
    """A product of matrices; of integers in int64."""
    if x.dtype.is_integer:
        return op.cast(op.matmul(op.cast(x, dt.int64), op.cast(y, dt.int64)), x.dtype)
    return op.matmul(x, y)


def _matmul(n: Node) -> Any:
    return matmul(n[0], n[1])


def _einsum(n: Node) -> Any:
    return op.einsum(n.required("equation").decode(), *n.given)


def _det(n: Node) -> Any:
    return rows.det(n[0])


# ---- Fourier transforms


def _dft(n: Node) -> Any:
    """The last axis holds real and imaginary parts, or the real part alone."""
    x = n[0]
    if n.version >= 20:
        axis = int(n.number(2, "axis")) if n.has(2) else -2
    else:
        axis = int(n.attribute("axis", 1))
    axis = axis + x.ndim if axis < 0 else axis
    length: Any = n.sizes(1)[0] if n.has(1) else None
    inverse, half = bool(n.attribute("inverse", 0)), bool(n.attribute("onesided", 0))
    last: Any = x.shape[-1]
    if last not in (1, 2):
        raise n.refuse(f"a last axis of {last}")
    parts = [op.reshape(rows.slice(x, [0] * (x.ndim - 1) + [k], [*x.shape[:-1], 1]), x.shape[:-1]) for k in range(last)]
    value = rows.complex(parts[0], parts[1] if last == 2 else op.zeros_like(parts[0]))
    if half and inverse:
        made = fft.irfft(value, length, axis)
        return op.reshape(made, (*made.shape, 1))
    if half:
        made = fft.rfft(parts[0], length, axis)
    else:
        made = (fft.ifft if inverse else fft.fft)(value, length, axis)
    return op.stack([op.real(made), op.imag(made)], axis=-1)


def _stft(n: Node) -> Any:
    """Windows of the signal, each transformed."""
    signal, step = n[0], int(n.number(1, "frame_step"))
    window = n.get(2)
    length = int(n.number(3, "frame_length")) if n.has(3) else int(str(window.shape[0])) if window is not None else None
    count = signal.shape[1]
    if length is None or not isinstance(count, int) or (signal.ndim == 3 and signal.shape[2] != 1):
        raise n.refuse("a complex signal, or one whose length is known at run time only")
    frames = (count - length) // step + 1
    flat = op.reshape(signal, (signal.shape[0], count))
    places = np.arange(frames)[:, None] * step + np.arange(length)[None]
    cut = rows.gather(flat, n.graph.constant(places), axis=1)
    cut = cut if window is None else cut * window
    made = (
        fft.rfft(cut, None, 2)
        if n.attribute("onesided", 1)
        else fft.fft(rows.complex(cut, op.zeros_like(cut)), None, 2)
    )
    return op.stack([op.real(made), op.imag(made)], axis=-1)


def _window(*weights: float) -> Importer:
    """A sum of cosines: weights[0] - weights[1] cos(2 pi k / N) + weights[2] cos(4 pi k / N)."""

    def read(n: Node) -> Any:
        (size,) = n.sizes(0)
        dtype = n.dtype("output_datatype", dt.float32)
        steps = size if n.attribute("periodic", 1) else size - 1
        angles = op.cast(op.arange(size), dt.float64) / op.cast(n.graph.builder.constant(steps, dt.int64), dt.float64)
        total: Any = weights[0]
        for k, weight in enumerate(weights[1:], 1):
            total = op.cos(angles * (2 * math.pi * k)) * ((-1) ** k * weight) + total
        return op.cast(total, dtype)

    return read


def _mel(n: Node) -> Any:
    bins, length, rate = (int(n.number(k, "sizes")) for k in range(3))
    low, high = float(n.number(3, "lower_edge_hertz")), float(n.number(4, "upper_edge_hertz"))
    spectrum = length // 2 + 1
    edges = 2595.0 * np.log10(1 + np.array([low, high]) / 700.0)
    step = (edges[1] - edges[0]) / (bins + 2)
    hertz = 700.0 * (10 ** ((np.arange(bins + 2) * step + edges[0]) / 2595.0) - 1)
    places = ((length + 1) * hertz // rate).astype(int)
    made = np.zeros((spectrum, bins))
    for k in range(bins):
        left, middle, right = places[k : k + 3]
        if middle == left:
            made[middle, k] = 1
        else:
            made[left : middle + 1, k] = np.arange(middle - left + 1) / (middle - left)
        if right > middle:
            made[middle:right, k] = (right - np.arange(middle, right)) / (right - middle)
    return n.graph.constant(made.astype(n.dtype("output_datatype", dt.float32).numpy))


# ---- random numbers


def _draw(name: str, low: tuple[str, float], high: tuple[str, float]) -> Any:
    def draw(n: Node, shape: Any, dtype: Any) -> Any:
        numbers = float(n.attribute(*low)), float(n.attribute(*high))
        return getattr(rows, name)(n.graph.model.random(n, product(shape)), shape, dtype, *numbers)

    return draw


_normal = _draw("normal", ("mean", 0.0), ("scale", 1.0))
_uniform = _draw("uniform", ("low", 0.0), ("high", 1.0))


def _shaped(draw: Any) -> Importer:
    return lambda n: draw(n, list(n.required("shape")), n.dtype("dtype", dt.float32))


def _like(draw: Any) -> Importer:
    return lambda n: draw(n, n[0].shape, n.dtype("dtype", n[0].dtype))


def _bernoulli(n: Node) -> Any:
    x = n[0]
    drawn = rows.uniform(n.graph.model.random(n, product(x.shape)), x.shape, x.dtype, 0.0, 1.0)
    return op.cast(drawn < x, n.dtype("dtype", x.dtype))


def _multinomial(n: Node) -> Any:
    """The largest of logits plus Gumbel noise."""
    x, count = n[0], int(n.attribute("sample_size", 1))
    shape = (x.shape[0], count, x.shape[1])
    drawn = rows.uniform(n.graph.model.random(n, product(shape)), shape, x.dtype, 1e-12, 1.0)
    noisy = op.reshape(x, (x.shape[0], 1, x.shape[1])) - op.log(-op.log(drawn))
    return op.cast(op.argmax(noisy, 2), n.dtype("dtype", dt.int32))


ROWS: dict[str, Importer] = {
    "Bernoulli": _bernoulli,
    "BlackmanWindow": _window(0.42, 0.5, 0.08),
    "DFT": _dft,
    "Det": _det,
    "Einsum": _einsum,
    "Gemm": _gemm,
    "HammingWindow": _window(25 / 46, 21 / 46),
    "HannWindow": _window(0.5, 0.5),
    "MatMul": _matmul,
    "MelWeightMatrix": _mel,
    "Multinomial": _multinomial,
    "RandomNormal": _shaped(_normal),
    "RandomNormalLike": _like(_normal),
    "RandomUniform": _shaped(_uniform),
    "RandomUniformLike": _like(_uniform),
    "STFT": _stft,
}
