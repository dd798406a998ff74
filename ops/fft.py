"""Discrete Fourier transforms: three rows (complex to complex, real to complex, complex to real), NumPy behind them.

The factor of a transform is named as in NumPy: "backward" divides the inverse by n, "forward" the transform itself,
"ortho" each by the root of n. A transform's adjoint is the opposite one with the factor of the opposite name.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..base import dtype as dt
from ..base.dtype import COMPLEX, FLOATS, as_dtype, float64
from ..base.errors import ArgumentError, DTypeError, ShapeError
from ..base.flags import flags
from ..base.memory import too_large
from .dims import DimLike, maximum, same_dim
from .dispatch import current
from .families import real_dtype
from .infer import as_dim, axis_index, int_argument, require_dtype
from .matrices import complex_sample
from .op import OPS, Op, Sample, random_array, row
from .slices import piece
from .types import TensorType, require_possible

__all__ = [
    "fft", "fft2", "fftfreq", "fftn", "fftshift", "hfft", "hfft2", "hfftn", "ifft", "ifft2", "ifftn", "ifftshift",
    "ihfft", "ihfft2", "ihfftn", "irfft", "irfft2", "irfftn", "rfft", "rfft2", "rfftfreq", "rfftn",
]  # fmt: skip

Axes = tuple[int, ...]
_OPPOSITE: dict[str, Any] = {"backward": "forward", "forward": "backward", "ortho": "ortho"}


# Rows. `forward`: the exponent's sign is minus.


def _known_axes(x: TensorType, *, axes: Axes, **others: Any) -> Axes:
    """There are kernels for lines of known lengths (ops/fft_parts.py)."""
    return axes


def _c2c_eager(x: Any, *, axes: Axes, norm: Any, forward: bool) -> Any:
    return (np.fft.fftn if forward else np.fft.ifftn)(x, axes=axes, norm=norm).astype(x.dtype, copy=False)


def _infer_c2c(x: TensorType, *, axes: Axes, norm: str, forward: bool) -> TensorType:
    require_dtype("fft_c2c", x.dtype, COMPLEX)
    return x


_c2c: Op = row(
    "fft_c2c",
    "The transform of complex numbers over some axes.",
    "x",
    attrs={"axes": (-1,), "norm": "backward", "forward": True},
    infer=_infer_c2c,
    eager=_c2c_eager,
    vjp=lambda g, y, x, *, axes, norm, forward: (_c2c(g, axes=axes, norm=_OPPOSITE[norm], forward=not forward),),
    samples=lambda: [
        Sample((complex_sample(1, (3, 4)),), {"axes": (1,)}),
        Sample((complex_sample(2, (2, 3)),), {"axes": (0, 1), "norm": "ortho", "forward": False}),
    ],
    known_axes=_known_axes,
    method=False,
    public=False,
)


def _half(size: DimLike) -> DimLike:
    return size // 2 + 1


def _infer_r2c(x: TensorType, *, axes: Axes, norm: str, forward: bool) -> TensorType:
    require_dtype("fft_r2c", x.dtype, FLOATS)
    shape = list(x.shape)
    shape[axes[-1]] = _half(shape[axes[-1]])
    return TensorType(dt.complex128 if x.dtype is dt.float64 else dt.complex64, tuple(shape))


def _r2c_eager(x: Any, *, axes: Axes, norm: Any, forward: bool) -> Any:
    made = np.fft.rfftn(x, axes=axes, norm=norm if forward else _OPPOSITE[norm])
    return made if forward else np.conj(made)


def _weighted(half: Any, axis: int, size: DimLike, inner: float) -> Any:
    """The inner elements of a half times a number: they stand for their conjugates, too."""
    count = half.shape[axis]
    place = OPS["arange"](count, 0, 1, dt.int64)
    single = OPS["logical_or"](OPS["equal"](place, 0), OPS["equal"](place * 2, size))
    weights = OPS["cast"](OPS["where"](single, 1.0, inner), half.dtype)
    return half * OPS["reshape"](weights, [count if k == axis else 1 for k in range(half.ndim)])


def _r2c_vjp(g: Any, y: Any, x: Any, *, axes: Axes, norm: str, forward: bool) -> tuple[Any]:
    size = x.shape[axes[-1]]
    halved = _weighted(g, axes[-1], size, 0.5)
    return (_c2r(halved, axes=axes, norm=_OPPOSITE[norm], forward=not forward, size=size),)


_r2c: Op = row(
    "fft_r2c",
    "The transform of real numbers over some axes, of which the last keeps the half that isn't redundant.",
    "x",
    attrs={"axes": (-1,), "norm": "backward", "forward": True},
    infer=_infer_r2c,
    eager=_r2c_eager,
    vjp=_r2c_vjp,
    samples=lambda: [
        Sample((random_array(1, (3, 4)),), {"axes": (1,)}),
        Sample((random_array(2, (2, 5)),), {"axes": (0, 1), "norm": "ortho", "forward": False}),
        Sample((random_array(3, (6,), dtype="float32"),), {"axes": (0,), "norm": "forward"}),
    ],
    known_axes=_known_axes,
    method=False,
    public=False,
)


def _infer_c2r(x: TensorType, *, axes: Axes, norm: str, forward: bool, size: DimLike) -> TensorType:
    require_dtype("fft_c2r", x.dtype, COMPLEX)
    shape = list(x.shape)
    shape[axes[-1]] = size
    return TensorType(real_dtype(x.dtype), tuple(shape))


def _c2r_eager(x: Any, *, axes: Axes, norm: Any, forward: bool, size: int) -> Any:
    lengths = [*(x.shape[a] for a in axes[:-1]), size]
    given, factor = (np.conj(x), _OPPOSITE[norm]) if forward else (x, norm)
    return np.fft.irfftn(given, s=lengths, axes=axes, norm=factor).astype(x.real.dtype, copy=False)


def _c2r_vjp(g: Any, y: Any, x: Any, *, axes: Axes, norm: str, forward: bool, size: int) -> tuple[Any]:
    made = _r2c(g, axes=axes, norm=_OPPOSITE[norm], forward=not forward)
    last = axes[-1]
    return (_sized(_weighted(made, last, size, 2.0), last, x.shape[last]),)


_c2r: Op = row(
    "fft_c2r",
    "The real transform of the half of a Hermitian-symmetric spectrum over some axes; the last gets `size` elements.",
    "x",
    attrs={"axes": (-1,), "norm": "backward", "forward": False, "size": 1},
    infer=_infer_c2r,
    eager=_c2r_eager,
    vjp=_c2r_vjp,
    samples=lambda: [
        Sample((complex_sample(1, (3, 4)),), {"axes": (1,), "size": 6}),
        Sample((complex_sample(2, (2, 3)),), {"axes": (0, 1), "norm": "ortho", "forward": True, "size": 5}),
    ],
    known_axes=_known_axes,
    method=False,
    public=False,
)


# What they take


def _value(x: Any, name: str) -> Any:
    x = current().constant(x, None)
    if x.dtype in (dt.float16, dt.bfloat16):
        raise DTypeError(f"{name} doesn't take {x.dtype.name}", remedy="convert with astype('float32')")
    return x if x.dtype.is_floating or x.dtype.is_complex else OPS["cast"](x, flags.default_dtype)


def _complex_value(x: Any, name: str) -> Any:
    x = _value(x, name)
    return x if x.dtype.is_complex else OPS["cast"](x, dt.complex128 if x.dtype is dt.float64 else dt.complex64)


def _real_value(x: Any, name: str) -> Any:
    x = _value(x, name)
    if x.dtype.is_complex:
        raise DTypeError(f"{name} takes real numbers, not {x.dtype.name}", remedy="use fft, or real(x)")
    return x


def _factor(norm: str, name: str) -> str:
    if norm not in _OPPOSITE:
        raise ArgumentError(f'{name}: norm must be "backward", "ortho" or "forward", not {norm!r}')
    return norm


def _sized(x: Any, axis: int, size: DimLike) -> Any:
    """Cut or filled with zeros at the end of one axis."""
    have = x.shape[axis]
    if same_dim(have, size):
        return x
    if isinstance(have, int) and isinstance(size, int) and size < have:
        return piece(x, axis, 0, size)
    room = maximum(size, have)
    shape = [room - have if k == axis else d for k, d in enumerate(x.shape)]
    filled = OPS["concat"]([x, OPS["full"](shape, 0, x.dtype)], axis)
    return filled if same_dim(room, size) else piece(filled, axis, 0, size)


def _axes(name: str, x: Any, s: Any, axes: Any) -> tuple[Axes, list[Any]]:
    """The axes, and a size for each (None: as it is)."""
    sizes = None if s is None else [None if n is None or same_dim(n, -1) else as_dim(n) for n in s]
    if axes is None:
        found = tuple(range(x.ndim)) if sizes is None else tuple(range(x.ndim - len(sizes), x.ndim))
    else:
        found = tuple(axis_index(a, x.ndim, "axes") for a in axes)
    if len(set(found)) != len(found):
        raise ArgumentError(f"{name}: axes {list(axes)} names an axis twice")
    if sizes is not None and len(sizes) != len(found):
        raise ShapeError(f"{name}: {len(sizes)} sizes in s for {len(found)} axes")
    for n in sizes or []:
        if n is not None and n < 1:
            raise ArgumentError(f"{name}: a transform needs at least 1 element, not {n}")
    if not found or any(a < 0 for a in found):
        raise ShapeError(f"{name} needs at least one axis")
    return found, sizes or [None] * len(found)


def _all_sized(x: Any, axes: Axes, sizes: Sequence[Any]) -> Any:
    for axis, n in zip(axes, sizes, strict=True):
        x = x if n is None else _sized(x, axis, n)
    return x


def _forward_or_back(name: str, x: Any, s: Any, axes: Any, norm: str, forward: bool) -> Any:
    x = _complex_value(x, name)
    found, sizes = _axes(name, x, s, axes)
    return _c2c(_all_sized(x, found, sizes), axes=found, norm=_factor(norm, name), forward=forward)


def _from_real(name: str, x: Any, s: Any, axes: Any, norm: str, forward: bool) -> Any:
    x = _real_value(x, name)
    found, sizes = _axes(name, x, s, axes)
    return _r2c(_all_sized(x, found, sizes), axes=found, norm=_factor(norm, name), forward=forward)


def _to_real(name: str, x: Any, s: Any, axes: Any, norm: str, forward: bool) -> Any:
    x = _complex_value(x, name)
    found, sizes = _axes(name, x, s, axes)
    last = found[-1]
    size = 2 * (x.shape[last] - 1) if sizes[-1] is None else sizes[-1]
    x = _all_sized(x, found, [*sizes[:-1], _half(size)])
    return _c2r(x, axes=found, norm=_factor(norm, name), forward=forward, size=size)


def _one(n: Any) -> Any:
    """A size as `s`; there -1 would be the size as it is.

    Errors: ArgumentError.
    """
    if isinstance(n, int) and n < 1:
        raise ArgumentError(f"a transform needs at least 1 element, not {n}")
    return None if n is None else [n]


def _two(name: str, x: Any, s: Any, axes: Any) -> Any:
    """Two axes; None is kept: the last two where there are sizes, else all, as in NumPy.

    Errors: ShapeError.
    """
    if axes is None:
        if x.ndim < 2:
            raise ShapeError(f"{name} needs two axes, got {x.ndim}")
        if s is not None and len(s) != 2:
            raise ShapeError(f"{name} needs two sizes in s, got {len(s)}")
    elif isinstance(axes, int) or len(axes) != 2:
        raise ShapeError(f"{name} needs two axes, not {axes!r}")
    return axes


# One axis


def fft(x: Any, n: int | None = None, axis: int = -1, norm: str = "backward", name: str | None = None) -> Any:
    """The transform over one axis, cut or filled with zeros to n elements first. Complex, in the precision of x."""
    return _forward_or_back("fft", x, _one(n), [axis], norm, True)


def ifft(x: Any, n: int | None = None, axis: int = -1, norm: str = "backward", name: str | None = None) -> Any:
    """The inverse of `fft`."""
    return _forward_or_back("ifft", x, _one(n), [axis], norm, False)


def rfft(x: Any, n: int | None = None, axis: int = -1, norm: str = "backward", name: str | None = None) -> Any:
    """The transform of real numbers: the first n // 2 + 1 elements, of which the others are the conjugates."""
    return _from_real("rfft", x, _one(n), [axis], norm, True)


def irfft(x: Any, n: int | None = None, axis: int = -1, norm: str = "backward", name: str | None = None) -> Any:
    """The inverse of `rfft`: n real numbers, by default 2 (m - 1) for m elements."""
    return _to_real("irfft", x, _one(n), [axis], norm, False)


def hfft(x: Any, n: int | None = None, axis: int = -1, norm: str = "backward", name: str | None = None) -> Any:
    """The real transform of a Hermitian-symmetric signal given by its half; n real numbers, by default 2 (m - 1)."""
    return _to_real("hfft", x, _one(n), [axis], norm, True)


def ihfft(x: Any, n: int | None = None, axis: int = -1, norm: str = "backward", name: str | None = None) -> Any:
    """The inverse of `hfft`: the first n // 2 + 1 elements."""
    return _from_real("ihfft", x, _one(n), [axis], norm, False)


# Two axes


def fft2(x: Any, s: Any = None, axes: Any = (-2, -1), norm: str = "backward", name: str | None = None) -> Any:
    """The transform over two axes, cut or filled to the sizes s first."""
    return _forward_or_back("fft2", x, s, _two("fft2", x, s, axes), norm, True)


def ifft2(x: Any, s: Any = None, axes: Any = (-2, -1), norm: str = "backward", name: str | None = None) -> Any:
    """The inverse of `fft2`."""
    return _forward_or_back("ifft2", x, s, _two("ifft2", x, s, axes), norm, False)


def rfft2(x: Any, s: Any = None, axes: Any = (-2, -1), norm: str = "backward", name: str | None = None) -> Any:
    """The transform of real numbers over two axes; the last keeps the half that isn't redundant."""
    return _from_real("rfft2", x, s, _two("rfft2", x, s, axes), norm, True)


def irfft2(x: Any, s: Any = None, axes: Any = (-2, -1), norm: str = "backward", name: str | None = None) -> Any:
    """The inverse of `rfft2`."""
    return _to_real("irfft2", x, s, _two("irfft2", x, s, axes), norm, False)


def hfft2(x: Any, s: Any = None, axes: Any = (-2, -1), norm: str = "backward", name: str | None = None) -> Any:
    """The real transform of a Hermitian-symmetric signal over two axes."""
    return _to_real("hfft2", x, s, _two("hfft2", x, s, axes), norm, True)


def ihfft2(x: Any, s: Any = None, axes: Any = (-2, -1), norm: str = "backward", name: str | None = None) -> Any:
    """The inverse of `hfft2`."""
    return _from_real("ihfft2", x, s, _two("ihfft2", x, s, axes), norm, False)


# Any number of axes


def fftn(x: Any, s: Any = None, axes: Any = None, norm: str = "backward", name: str | None = None) -> Any:
    """The transform over several axes (all; with s alone the last ones), cut or filled to the sizes s first."""
    return _forward_or_back("fftn", x, s, axes, norm, True)


def ifftn(x: Any, s: Any = None, axes: Any = None, norm: str = "backward", name: str | None = None) -> Any:
    """The inverse of `fftn`."""
    return _forward_or_back("ifftn", x, s, axes, norm, False)


def rfftn(x: Any, s: Any = None, axes: Any = None, norm: str = "backward", name: str | None = None) -> Any:
    """The transform of real numbers over several axes; the last keeps the half that isn't redundant."""
    return _from_real("rfftn", x, s, axes, norm, True)


def irfftn(x: Any, s: Any = None, axes: Any = None, norm: str = "backward", name: str | None = None) -> Any:
    """The inverse of `rfftn`."""
    return _to_real("irfftn", x, s, axes, norm, False)


def hfftn(x: Any, s: Any = None, axes: Any = None, norm: str = "backward", name: str | None = None) -> Any:
    """The real transform of a Hermitian-symmetric signal over several axes."""
    return _to_real("hfftn", x, s, axes, norm, True)


def ihfftn(x: Any, s: Any = None, axes: Any = None, norm: str = "backward", name: str | None = None) -> Any:
    """The inverse of `hfftn`."""
    return _from_real("ihfftn", x, s, axes, norm, False)


# Frequencies


def fftfreq(n: int, d: float = 1.0, dtype: Any = None, name: str | None = None) -> Any:
    """The frequencies of the n elements of `fft` for samples d apart: 0, 1, …, -2, -1, over n d."""
    whole = _frequencies("fftfreq", np.fft.fftfreq, n, d)
    return current().constant(whole, flags.default_dtype if dtype is None else as_dtype(dtype))


def rfftfreq(n: int, d: float = 1.0, dtype: Any = None, name: str | None = None) -> Any:
    """The frequencies of the n // 2 + 1 elements of `rfft` for samples d apart."""
    whole = _frequencies("rfftfreq", np.fft.rfftfreq, n, d)
    return current().constant(whole, flags.default_dtype if dtype is None else as_dtype(dtype))


def _frequencies(name: str, fn: Callable[[int, float], Any], n: Any, d: Any) -> Any:
    count = int_argument(f"{name}: n", n, 1)
    require_possible(name, TensorType(float64, (count, 2)))  # NumPy makes one more array of this size
    try:
        return fn(count, float(d))
    except MemoryError:
        raise too_large(f"{name}: {count} frequencies", 8 * count) from None


def fftshift(x: Any, axes: Any = None, name: str | None = None) -> Any:
    """Frequency 0 moved to the middle of the axes (all by default)."""
    found = _shift_axes(x, axes)
    return OPS["roll"](x, [x.shape[a] // 2 for a in found], found)


def ifftshift(x: Any, axes: Any = None, name: str | None = None) -> Any:
    """The inverse of `fftshift`."""
    found = _shift_axes(x, axes)
    return OPS["roll"](x, [-(x.shape[a] // 2) for a in found], found)


def _shift_axes(x: Any, axes: Any) -> list[int]:
    if axes is None:
        return list(range(x.ndim))
    return [axis_index(a, x.ndim, "axes") for a in (axes if isinstance(axes, (list, tuple)) else [axes])]
