# Written by `make stubs`; edits here are lost.

"""Discrete Fourier transforms and their frequencies."""

from builtins import bool as _bool
from builtins import float as _float
from builtins import int as _int
from builtins import str as _str
from typing import Any as _Any
from typing import overload as _overload
from vitrify._stub_types import Axis as _Axis
from vitrify._stub_types import DTypeLike as _DTypeLike
from vitrify._stub_types import TensorLike as _TensorLike
from vitrify.dygraph.tensor import Tensor as _Tensor

@_overload
def fft(input: _TensorLike, n: _int | None = None, dim: _int = -1, norm: _str = 'backward', name: _str | None = None, *, out: _Any = None) -> _Tensor: ...
@_overload
def fft(x: _TensorLike, n: _int | None = None, axis: _int = -1, norm: _str = 'backward', name: _str | None = None, *, out: _Any = None) -> _Tensor:
    """The transform over one axis, cut or filled with zeros to n elements first. Complex, in the precision of x."""

@_overload
def fft2(input: _TensorLike, s: _Any = None, dim: _Axis = ..., norm: _str = 'backward', name: _str | None = None, *, out: _Any = None) -> _Tensor: ...
@_overload
def fft2(x: _TensorLike, s: _Any = None, axes: _Axis = ..., norm: _str = 'backward', name: _str | None = None, *, out: _Any = None) -> _Tensor:
    """The transform over two axes, cut or filled to the sizes s first."""

def fftfreq(n: _int, d: _float = 1.0, dtype: _DTypeLike | None = None, name: _str | None = None, *, out: _Any = None, requires_grad: _bool = False, device: _Any = None) -> _Tensor:
    """The frequencies of the n elements of `fft` for samples d apart: 0, 1, …, -2, -1, over n d."""

@_overload
def fftn(input: _TensorLike, s: _Any = None, dim: _Axis | None = None, norm: _str = 'backward', name: _str | None = None, *, out: _Any = None) -> _Tensor: ...
@_overload
def fftn(x: _TensorLike, s: _Any = None, axes: _Axis | None = None, norm: _str = 'backward', name: _str | None = None, *, out: _Any = None) -> _Tensor:
    """The transform over several axes (all; with s alone the last ones), cut or filled to the sizes s first."""

@_overload
def fftshift(input: _TensorLike, dim: _Axis | None = None, name: _str | None = None) -> _Tensor: ...
@_overload
def fftshift(x: _TensorLike, axes: _Axis | None = None, name: _str | None = None) -> _Tensor:
    """Frequency 0 moved to the middle of the axes (all by default)."""

@_overload
def hfft(input: _TensorLike, n: _int | None = None, dim: _int = -1, norm: _str = 'backward', name: _str | None = None, *, out: _Any = None) -> _Tensor: ...
@_overload
def hfft(x: _TensorLike, n: _int | None = None, axis: _int = -1, norm: _str = 'backward', name: _str | None = None, *, out: _Any = None) -> _Tensor:
    """The real transform of a Hermitian-symmetric signal given by its half; n real numbers, by default 2 (m - 1)."""

@_overload
def hfft2(input: _TensorLike, s: _Any = None, dim: _Axis = ..., norm: _str = 'backward', name: _str | None = None, *, out: _Any = None) -> _Tensor: ...
@_overload
def hfft2(x: _TensorLike, s: _Any = None, axes: _Axis = ..., norm: _str = 'backward', name: _str | None = None, *, out: _Any = None) -> _Tensor:
    """The real transform of a Hermitian-symmetric signal over two axes."""

@_overload
def hfftn(input: _TensorLike, s: _Any = None, dim: _Axis | None = None, norm: _str = 'backward', name: _str | None = None, *, out: _Any = None) -> _Tensor: ...
@_overload
def hfftn(x: _TensorLike, s: _Any = None, axes: _Axis | None = None, norm: _str = 'backward', name: _str | None = None, *, out: _Any = None) -> _Tensor:
    """The real transform of a Hermitian-symmetric signal over several axes."""

@_overload
def ifft(input: _TensorLike, n: _int | None = None, dim: _int = -1, norm: _str = 'backward', name: _str | None = None, *, out: _Any = None) -> _Tensor: ...
@_overload
def ifft(x: _TensorLike, n: _int | None = None, axis: _int = -1, norm: _str = 'backward', name: _str | None = None, *, out: _Any = None) -> _Tensor:
    """The inverse of `fft`."""

@_overload
def ifft2(input: _TensorLike, s: _Any = None, dim: _Axis = ..., norm: _str = 'backward', name: _str | None = None, *, out: _Any = None) -> _Tensor: ...
@_overload
def ifft2(x: _TensorLike, s: _Any = None, axes: _Axis = ..., norm: _str = 'backward', name: _str | None = None, *, out: _Any = None) -> _Tensor:
    """The inverse of `fft2`."""

@_overload
def ifftn(input: _TensorLike, s: _Any = None, dim: _Axis | None = None, norm: _str = 'backward', name: _str | None = None, *, out: _Any = None) -> _Tensor: ...
@_overload
def ifftn(x: _TensorLike, s: _Any = None, axes: _Axis | None = None, norm: _str = 'backward', name: _str | None = None, *, out: _Any = None) -> _Tensor:
    """The inverse of `fftn`."""

@_overload
def ifftshift(input: _TensorLike, dim: _Axis | None = None, name: _str | None = None) -> _Tensor: ...
@_overload
def ifftshift(x: _TensorLike, axes: _Axis | None = None, name: _str | None = None) -> _Tensor:
    """The inverse of `fftshift`."""

@_overload
def ihfft(input: _TensorLike, n: _int | None = None, dim: _int = -1, norm: _str = 'backward', name: _str | None = None, *, out: _Any = None) -> _Tensor: ...
@_overload
def ihfft(x: _TensorLike, n: _int | None = None, axis: _int = -1, norm: _str = 'backward', name: _str | None = None, *, out: _Any = None) -> _Tensor:
    """The inverse of `hfft`: the first n // 2 + 1 elements."""

@_overload
def ihfft2(input: _TensorLike, s: _Any = None, dim: _Axis = ..., norm: _str = 'backward', name: _str | None = None, *, out: _Any = None) -> _Tensor: ...
@_overload
def ihfft2(x: _TensorLike, s: _Any = None, axes: _Axis = ..., norm: _str = 'backward', name: _str | None = None, *, out: _Any = None) -> _Tensor:
    """The inverse of `hfft2`."""

@_overload
def ihfftn(input: _TensorLike, s: _Any = None, dim: _Axis | None = None, norm: _str = 'backward', name: _str | None = None, *, out: _Any = None) -> _Tensor: ...
@_overload
def ihfftn(x: _TensorLike, s: _Any = None, axes: _Axis | None = None, norm: _str = 'backward', name: _str | None = None, *, out: _Any = None) -> _Tensor:
    """The inverse of `hfftn`."""

@_overload
def irfft(input: _TensorLike, n: _int | None = None, dim: _int = -1, norm: _str = 'backward', name: _str | None = None, *, out: _Any = None) -> _Tensor: ...
@_overload
def irfft(x: _TensorLike, n: _int | None = None, axis: _int = -1, norm: _str = 'backward', name: _str | None = None, *, out: _Any = None) -> _Tensor:
    """The inverse of `rfft`: n real numbers, by default 2 (m - 1) for m elements."""

@_overload
def irfft2(input: _TensorLike, s: _Any = None, dim: _Axis = ..., norm: _str = 'backward', name: _str | None = None, *, out: _Any = None) -> _Tensor: ...
@_overload
def irfft2(x: _TensorLike, s: _Any = None, axes: _Axis = ..., norm: _str = 'backward', name: _str | None = None, *, out: _Any = None) -> _Tensor:
    """The inverse of `rfft2`."""

@_overload
def irfftn(input: _TensorLike, s: _Any = None, dim: _Axis | None = None, norm: _str = 'backward', name: _str | None = None, *, out: _Any = None) -> _Tensor: ...
@_overload
def irfftn(x: _TensorLike, s: _Any = None, axes: _Axis | None = None, norm: _str = 'backward', name: _str | None = None, *, out: _Any = None) -> _Tensor:
    """The inverse of `rfftn`."""

@_overload
def rfft(input: _TensorLike, n: _int | None = None, dim: _int = -1, norm: _str = 'backward', name: _str | None = None, *, out: _Any = None) -> _Tensor: ...
@_overload
def rfft(x: _TensorLike, n: _int | None = None, axis: _int = -1, norm: _str = 'backward', name: _str | None = None, *, out: _Any = None) -> _Tensor:
    """The transform of real numbers: the first n // 2 + 1 elements, of which the others are the conjugates."""

@_overload
def rfft2(input: _TensorLike, s: _Any = None, dim: _Axis = ..., norm: _str = 'backward', name: _str | None = None, *, out: _Any = None) -> _Tensor: ...
@_overload
def rfft2(x: _TensorLike, s: _Any = None, axes: _Axis = ..., norm: _str = 'backward', name: _str | None = None, *, out: _Any = None) -> _Tensor:
    """The transform of real numbers over two axes; the last keeps the half that isn't redundant."""

def rfftfreq(n: _int, d: _float = 1.0, dtype: _DTypeLike | None = None, name: _str | None = None, *, out: _Any = None, requires_grad: _bool = False, device: _Any = None) -> _Tensor:
    """The frequencies of the n // 2 + 1 elements of `rfft` for samples d apart."""

@_overload
def rfftn(input: _TensorLike, s: _Any = None, dim: _Axis | None = None, norm: _str = 'backward', name: _str | None = None, *, out: _Any = None) -> _Tensor: ...
@_overload
def rfftn(x: _TensorLike, s: _Any = None, axes: _Axis | None = None, norm: _str = 'backward', name: _str | None = None, *, out: _Any = None) -> _Tensor:
    """The transform of real numbers over several axes; the last keeps the half that isn't redundant."""
