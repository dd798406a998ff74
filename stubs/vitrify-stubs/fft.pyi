# Written by `make stubs`; edits here are lost.

"""Discrete Fourier transforms and their frequencies."""

from builtins import float as _float
from builtins import int as _int
from builtins import str as _str
from typing import Any as _Any
from vitrify._stub_types import Axis as _Axis
from vitrify._stub_types import DTypeLike as _DTypeLike
from vitrify._stub_types import TensorLike as _TensorLike
from vitrify.dygraph.tensor import Tensor as _Tensor

def fft(x: _TensorLike, n: _int | None = None, axis: _int = -1, norm: _str = 'backward', name: _str | None = None) -> _Tensor:
    """The transform over one axis, cut or filled with zeros to n elements first. Complex, in the precision of x."""

def fft2(x: _TensorLike, s: _Any = None, axes: _Axis = ..., norm: _str = 'backward', name: _str | None = None) -> _Tensor:
    """The transform over two axes, cut or filled to the sizes s first."""

def fftfreq(n: _int, d: _float = 1.0, dtype: _DTypeLike | None = None, name: _str | None = None) -> _Tensor:
    """The frequencies of the n elements of `fft` for samples d apart: 0, 1, …, -2, -1, over n d."""

def fftn(x: _TensorLike, s: _Any = None, axes: _Axis | None = None, norm: _str = 'backward', name: _str | None = None) -> _Tensor:
    """The transform over several axes (all; with s alone the last ones), cut or filled to the sizes s first."""

def fftshift(x: _TensorLike, axes: _Axis | None = None, name: _str | None = None) -> _Tensor:
    """Frequency 0 moved to the middle of the axes (all by default)."""

def hfft(x: _TensorLike, n: _int | None = None, axis: _int = -1, norm: _str = 'backward', name: _str | None = None) -> _Tensor:
    """The real transform of a Hermitian-symmetric signal given by its half; n real numbers, by default 2 (m - 1)."""

def hfft2(x: _TensorLike, s: _Any = None, axes: _Axis = ..., norm: _str = 'backward', name: _str | None = None) -> _Tensor:
    """The real transform of a Hermitian-symmetric signal over two axes."""

def hfftn(x: _TensorLike, s: _Any = None, axes: _Axis | None = None, norm: _str = 'backward', name: _str | None = None) -> _Tensor:
    """The real transform of a Hermitian-symmetric signal over several axes."""

def ifft(x: _TensorLike, n: _int | None = None, axis: _int = -1, norm: _str = 'backward', name: _str | None = None) -> _Tensor:
    """The inverse of `fft`."""

def ifft2(x: _TensorLike, s: _Any = None, axes: _Axis = ..., norm: _str = 'backward', name: _str | None = None) -> _Tensor:
    """The inverse of `fft2`."""

def ifftn(x: _TensorLike, s: _Any = None, axes: _Axis | None = None, norm: _str = 'backward', name: _str | None = None) -> _Tensor:
    """The inverse of `fftn`."""

def ifftshift(x: _TensorLike, axes: _Axis | None = None, name: _str | None = None) -> _Tensor:
    """The inverse of `fftshift`."""

def ihfft(x: _TensorLike, n: _int | None = None, axis: _int = -1, norm: _str = 'backward', name: _str | None = None) -> _Tensor:
    """The inverse of `hfft`: the first n // 2 + 1 elements."""

def ihfft2(x: _TensorLike, s: _Any = None, axes: _Axis = ..., norm: _str = 'backward', name: _str | None = None) -> _Tensor:
    """The inverse of `hfft2`."""

def ihfftn(x: _TensorLike, s: _Any = None, axes: _Axis | None = None, norm: _str = 'backward', name: _str | None = None) -> _Tensor:
    """The inverse of `hfftn`."""

def irfft(x: _TensorLike, n: _int | None = None, axis: _int = -1, norm: _str = 'backward', name: _str | None = None) -> _Tensor:
    """The inverse of `rfft`: n real numbers, by default 2 (m - 1) for m elements."""

def irfft2(x: _TensorLike, s: _Any = None, axes: _Axis = ..., norm: _str = 'backward', name: _str | None = None) -> _Tensor:
    """The inverse of `rfft2`."""

def irfftn(x: _TensorLike, s: _Any = None, axes: _Axis | None = None, norm: _str = 'backward', name: _str | None = None) -> _Tensor:
    """The inverse of `rfftn`."""

def rfft(x: _TensorLike, n: _int | None = None, axis: _int = -1, norm: _str = 'backward', name: _str | None = None) -> _Tensor:
    """The transform of real numbers: the first n // 2 + 1 elements, of which the others are the conjugates."""

def rfft2(x: _TensorLike, s: _Any = None, axes: _Axis = ..., norm: _str = 'backward', name: _str | None = None) -> _Tensor:
    """The transform of real numbers over two axes; the last keeps the half that isn't redundant."""

def rfftfreq(n: _int, d: _float = 1.0, dtype: _DTypeLike | None = None, name: _str | None = None) -> _Tensor:
    """The frequencies of the n // 2 + 1 elements of `rfft` for samples d apart."""

def rfftn(x: _TensorLike, s: _Any = None, axes: _Axis | None = None, norm: _str = 'backward', name: _str | None = None) -> _Tensor:
    """The transform of real numbers over several axes; the last keeps the half that isn't redundant."""
