# Written by `make stubs`; edits here are lost.

"""Signals in frames and the short-time Fourier transform."""

from builtins import bool as _bool
from builtins import int as _int
from builtins import str as _str
from typing import Any as _Any
from vitrify._stub_types import TensorLike as _TensorLike
from vitrify.dygraph.tensor import Tensor as _Tensor

def frame(x: _TensorLike, frame_length: _int, hop_length: _int, axis: _int = -1, name: _str | None = None) -> _Tensor:
    """Overlapping pieces of signals, each hop_length after the one before; what doesn't fill a frame is left out.

    Shapes: axis -1: [..., n] gives [..., frame_length, frames]; axis 0: [n, ...] gives [frames, frame_length, ...]."""

def istft(x: _TensorLike, n_fft: _int, hop_length: _int | None = None, win_length: _int | None = None, window: _Any = None, center: _bool = True, normalized: _bool = False, onesided: _bool = True, length: _int | None = None, return_complex: _bool = False, name: _str | None = None) -> _Tensor:
    """The signals behind `stft` with the same arguments, by least squares; cut to `length`.

    Shapes: x [n_fft // 2 + 1 (onesided) or n_fft, frames], maybe after a batch axis; result [n] or [batch, n].
    Errors: ArgumentError (a ValueError) where the windows leave an element of the signal without weight."""

def overlap_add(x: _TensorLike, hop_length: _int, axis: _int = -1, name: _str | None = None) -> _Tensor:
    """The sum of frames, each hop_length after the one before: the adjoint of `frame`.

    Shapes: axis -1: [..., frame_length, frames] gives [..., n], n = (frames - 1) · hop_length + frame_length;
    axis 0: [frames, frame_length, ...] gives [n, ...]."""

def stft(x: _TensorLike, n_fft: _int, hop_length: _int | None = None, win_length: _int | None = None, window: _Any = None, center: _bool = True, pad_mode: _str = 'reflect', normalized: _bool = False, onesided: _bool = True, name: _str | None = None) -> _Tensor:
    """The transforms of overlapping windows of signals.

    Shapes: x [n] or [batch, n]; window [win_length]; result [..., n_fft // 2 + 1 (onesided) or n_fft, frames], complex.
    hop_length: n_fft // 4 by default. center: frame j is centred on element j · hop_length, after padding by pad_mode
    ("reflect" or "constant"). normalized: divided by the root of n_fft."""
