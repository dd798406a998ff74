"""Signals in frames: cutting, overlapping addition, the short-time Fourier transform and its inverse."""

from __future__ import annotations

from typing import Any

from ..base import dtype as dt
from ..base.errors import ArgumentError, ShapeError
from .arith import is_value
from .complex import real
from .dims import Dim, DimLike, floordiv
from .fft import fft, ifft, irfft, rfft
from .infer import has_as_many, int_argument, require, show_shape
from .op import OPS, composite
from .padding import require_room
from .rearrange import swapaxes
from .slices import piece

__all__ = ["frame", "istft", "overlap_add", "stft"]


def _first_axis(axis: int, name: str) -> bool:
    if axis not in (0, -1):
        raise ArgumentError(f"{name}: axis must be 0 or -1, not {axis}")
    return axis == 0


def _positive(name: str, **sizes: Any) -> list[int]:
    return [int_argument(f"{name}: {what}", value, 1) for what, value in sizes.items()]


def _lengths(n_fft: Any, hop_length: Any, win_length: Any) -> tuple[Any, Any]:
    """The steps between windows and their width, where they aren't given."""
    return n_fft // 4 if hop_length is None else hop_length, n_fft if win_length is None else win_length


def _places(length: int, count: DimLike, hop: int) -> Any:
    """Where element i of frame j lies in the signal: [length, count]."""
    inside = OPS["reshape"](OPS["arange"](length, 0, 1, dt.int64), (length, 1))
    return inside + OPS["reshape"](OPS["arange"](count, 0, 1, dt.int64) * hop, (1, count))


def frame(x: Any, frame_length: int, hop_length: int, axis: int = -1, name: str | None = None) -> Any:
    """Overlapping pieces of signals, each hop_length after the one before; what doesn't fill a frame is left out.

    Shapes: axis -1: [..., n] gives [..., frame_length, frames]; axis 0: [n, ...] gives [frames, frame_length, ...].
    """
    frame_length, hop_length = _positive("frame", frame_length=frame_length, hop_length=hop_length)
    at_start = _first_axis(axis, "frame")
    if not x.ndim:
        raise ShapeError("frame needs a signal, not a number")
    n = x.shape[0 if at_start else -1]
    if not isinstance(n, Dim) and n < frame_length:
        raise ArgumentError(f"frame: frames of {frame_length} don't fit into {n} elements")
    places = _places(frame_length, floordiv(n - frame_length, hop_length) + 1, hop_length)
    if at_start:
        return OPS["gather"](x, OPS["transpose"](places, (1, 0)), 0)
    return OPS["gather"](x, places, x.ndim - 1)


def overlap_add(x: Any, hop_length: int, axis: int = -1, name: str | None = None) -> Any:
    """The sum of frames, each hop_length after the one before: the adjoint of `frame`.

    Shapes: axis -1: [..., frame_length, frames] gives [..., n], n = (frames - 1) · hop_length + frame_length;
    axis 0: [frames, frame_length, ...] gives [n, ...].
    """
    (hop_length,) = _positive("overlap_add", hop_length=hop_length)
    if x.ndim < 2:
        raise ShapeError(f"overlap_add needs frames of at least two axes, got {show_shape(x.shape)}")
    if _first_axis(axis, "overlap_add"):
        order = [*range(2, x.ndim), 1, 0]
        made = overlap_add(OPS["transpose"](x, order), hop_length)
        return OPS["transpose"](made, [made.ndim - 1, *range(made.ndim - 1)])
    length, count = x.shape[-2:]
    n = (count - 1) * hop_length + length
    lead = list(x.shape[:-2])
    places = OPS["reshape"](_places(length, count, hop_length), (-1,))
    flat = OPS["reshape"](x, [*lead, length * count])
    return OPS["scatter_add"](OPS["full"]([*lead, n], 0, x.dtype), places, flat, len(lead))


def _window(name: str, window: Any, win_length: int, n_fft: int, dtype: Any) -> Any:
    """The window, ones by default, with zeros around it to n_fft elements."""
    if not win_length <= n_fft:
        raise ArgumentError(f"{name}: win_length {win_length} is larger than n_fft {n_fft}")
    if window is None:
        window = OPS["full"]((win_length,), 1.0, dtype)
    elif window.ndim != 1 or window.shape[0] != win_length:
        raise ShapeError(f"{name}: the window has shape {show_shape(window.shape)}, not [{win_length}]")
    before = (n_fft - win_length) // 2
    if n_fft == win_length:
        return window
    ends = [OPS["full"]((k,), 0, window.dtype) for k in (before, n_fft - win_length - before)]
    return OPS["concat"]([ends[0], window, ends[1]], 0)


@composite(function=False)
def stft(
    x: Any, n_fft: int, hop_length: int | None = None, win_length: int | None = None, window: Any = None,
    center: bool = True, pad_mode: str = "reflect", normalized: bool = False, onesided: bool = True,
    name: str | None = None,
) -> Any:  # fmt: skip
    """The transforms of overlapping windows of signals.

    Shapes: x [n] or [batch, n]; window [win_length]; result [..., n_fft // 2 + 1 (onesided) or n_fft, frames], complex.
    hop_length: n_fft // 4 by default. center: frame j is centred on element j · hop_length, after padding by pad_mode
    ("reflect" or "constant"). normalized: divided by the root of n_fft.
    """
    hop, width = _lengths(n_fft, hop_length, win_length)
    n_fft, hop, width = _positive("stft", n_fft=n_fft, hop_length=hop, win_length=width)
    if x.ndim not in (1, 2):
        raise ShapeError(f"stft needs a signal [n] or [batch, n], got {show_shape(x.shape)}")
    if not has_as_many(x.shape[-1], n_fft):
        raise ArgumentError(f"stft: n_fft {n_fft} is larger than the signal, which has {x.shape[-1]} elements")
    if pad_mode not in ("reflect", "constant"):
        raise ArgumentError(f'stft: pad_mode must be "reflect" or "constant", not {pad_mode!r}')
    if onesided and x.dtype.is_complex:
        raise ArgumentError("stft of a complex signal has no redundant half", remedy="use onesided=False")
    if center:
        if pad_mode == "reflect":
            require_room(x.ndim - 1, x.shape[-1], (n_fft // 2, n_fft // 2))
        x = OPS["pad"](x, [(0, 0)] * (x.ndim - 1) + [(n_fft // 2, n_fft // 2)], pad_mode)
    window = _window("stft", window, width, n_fft, x.dtype)
    frames = swapaxes(frame(x, n_fft, hop), -1, -2) * window
    norm = "ortho" if normalized else "backward"
    made = rfft(frames, norm=norm) if onesided else fft(frames, norm=norm)
    return swapaxes(made, -1, -2)


@composite(function=False)
def istft(
    x: Any, n_fft: int, hop_length: int | None = None, win_length: int | None = None, window: Any = None,
    center: bool = True, normalized: bool = False, onesided: bool = True, length: int | None = None,
    return_complex: bool = False, name: str | None = None,
) -> Any:  # fmt: skip
    """The signals behind `stft` with the same arguments, by least squares; cut to `length`.

    Shapes: x [n_fft // 2 + 1 (onesided) or n_fft, frames], maybe after a batch axis; result [n] or [batch, n].
    Errors: ArgumentError (a ValueError) where the windows leave an element of the signal without weight.
    """
    hop, width = _lengths(n_fft, hop_length, win_length)
    n_fft, hop, width = _positive("istft", n_fft=n_fft, hop_length=hop, win_length=width)
    if hop > width:
        raise ArgumentError(f"istft: hop_length {hop} leaves gaps between windows of {width}")
    if x.ndim not in (2, 3) or not x.dtype.is_complex:
        raise ShapeError(f"istft needs complex [..., frequencies, frames], got {x.dtype.name} {show_shape(x.shape)}")
    wanted = n_fft // 2 + 1 if onesided else n_fft
    if x.shape[-2] != wanted:
        raise ShapeError(f"istft: {x.shape[-2]} frequencies don't belong to n_fft {n_fft}: {wanted} are needed")
    if return_complex and onesided:
        raise ArgumentError("istft of a one-sided transform is real", remedy="use onesided=False")
    if not return_complex and is_value(window) and window.dtype.is_complex:
        raise ArgumentError("istft: a complex window has no real signals behind it", remedy="use return_complex=True")
    norm = "ortho" if normalized else "backward"
    spectra = swapaxes(x, -1, -2)
    pieces = irfft(spectra, n_fft, norm=norm) if onesided else ifft(spectra, norm=norm)
    pieces = pieces if onesided or return_complex else real(pieces)
    kind = dt.float64 if x.dtype is dt.complex128 else dt.float32
    window = _window("istft", window, width, n_fft, kind)
    signal = overlap_add(swapaxes(pieces * window, -1, -2), hop)
    frames = x.shape[-1]
    squares = OPS["broadcast_to"](OPS["reshape"](window * window, (n_fft, 1)), (n_fft, frames))
    weight = overlap_add(squares, hop)
    start, end = (n_fft // 2, signal.shape[-1] - n_fft // 2) if center else (0, signal.shape[-1])
    if length is not None:
        end = start + length if isinstance(end, Dim) else min(start + length, signal.shape[-1])
    signal = piece(signal, signal.ndim - 1, start, end - start)
    weight = piece(weight, 0, start, end - start)
    require(OPS["all"](OPS["abs"](weight) >= 1e-11), "istft: windows leave elements of the signal without weight")
    return signal / weight
