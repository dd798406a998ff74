# Written by `make stubs`; edits here are lost.

"""Layers that turn waveforms [batch, n] into spectrograms, mel bands, decibels or cepstral coefficients."""

from builtins import bool as _bool
from builtins import float as _float
from builtins import int as _int
from builtins import str as _str
from typing import Any as _Any
from vitrify.dygraph.nn.layer import Layer as _Layer
from vitrify.dygraph.tensor import Tensor as _Tensor

class LogMelSpectrogram(_Layer):
    """A mel spectrogram in decibels (`power_to_db`).

    Shapes: [batch, n] gives [batch, n_mels, frames]."""
    ref_value: _float
    amin: _float
    top_db: _float | None
    def __init__(self, sr: _int = 22050, n_fft: _int = 512, hop_length: _int | None = None, win_length: _int | None = None, window: _Any = 'hann', power: _float = 2.0, center: _bool = True, pad_mode: _str = 'reflect', n_mels: _int = 64, f_min: _float = 50.0, f_max: _float | None = None, htk: _bool = False, norm: _str | _float = 'slaney', ref_value: _float = 1.0, amin: _float = 1e-10, top_db: _float | None = None, dtype: _str = 'float32') -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def forward(self, x: _Any) -> _Tensor:
        """The mel bands of waveforms [batch, n] in decibels."""

class MFCC(_Layer):
    """Mel frequency cepstral coefficients: the cosine transform of a mel spectrogram in decibels.

    Shapes: [batch, n] gives [batch, n_mfcc, frames]."""
    def __init__(self, sr: _int = 22050, n_mfcc: _int = 40, n_fft: _int = 512, hop_length: _int | None = None, win_length: _int | None = None, window: _Any = 'hann', power: _float = 2.0, center: _bool = True, pad_mode: _str = 'reflect', n_mels: _int = 64, f_min: _float = 50.0, f_max: _float | None = None, htk: _bool = False, norm: _str | _float = 'slaney', ref_value: _float = 1.0, amin: _float = 1e-10, top_db: _float | None = None, dtype: _str = 'float32') -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def forward(self, x: _Any) -> _Tensor:
        """The coefficients of waveforms [batch, n]."""

class MelSpectrogram(_Layer):
    """A spectrogram in `n_mels` bands of the mel scale.

    Shapes: [batch, n] gives [batch, n_mels, frames]."""
    n_mels: _int
    f_min: _float
    f_max: _float | None
    htk: _bool
    norm: _str | _float
    def __init__(self, sr: _int = 22050, n_fft: _int = 2048, hop_length: _int | None = 512, win_length: _int | None = None, window: _Any = 'hann', power: _float = 2.0, center: _bool = True, pad_mode: _str = 'reflect', n_mels: _int = 64, f_min: _float = 50.0, f_max: _float | None = None, htk: _bool = False, norm: _str | _float = 'slaney', dtype: _str = 'float32') -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def forward(self, x: _Any) -> _Tensor:
        """The mel bands of waveforms [batch, n]."""

class Spectrogram(_Layer):
    """Sizes of the parts of a waveform's short-time Fourier transform, to the power `power`.

    Shapes: [batch, n] gives [batch, n_fft // 2 + 1, frames]."""
    power: _float
    n_fft: _int
    hop_length: _int | None
    win_length: _Any
    center: _bool
    pad_mode: _str
    def __init__(self, n_fft: _int = 512, hop_length: _int | None = 512, win_length: _int | None = None, window: _Any = 'hann', power: _float = 1.0, center: _bool = True, pad_mode: _str = 'reflect', dtype: _str = 'float32') -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def forward(self, x: _Any) -> _Tensor:
        """The spectrogram of waveforms [batch, n]."""
