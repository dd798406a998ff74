# Written by `make stubs`; edits here are lost.

"""Scales, matrices and windows of audio features. Matrices and windows are computed in double precision."""

from builtins import bool as _bool
from builtins import float as _float
from builtins import int as _int
from builtins import str as _str
from typing import Any as _Any

def compute_fbank_matrix(sr: _int, n_fft: _int, n_mels: _int = 64, f_min: _float = 0.0, f_max: _float | None = None, htk: _bool = False, norm: _str | _float = 'slaney', dtype: _str = 'float32') -> _Any:
    """Triangles on the mel scale that a spectrum is multiplied with: [n_mels, n_fft // 2 + 1].

    norm: "slaney" gives each triangle the area of 1 band; a number divides each row by its norm of that order."""

def create_dct(n_mfcc: _int, n_mels: _int, norm: _str | None = 'ortho', dtype: _str = 'float32') -> _Any:
    """The matrix of the discrete cosine transform (type 2): [n_mels, n_mfcc]. norm "ortho": columns of length 1."""

def fft_frequencies(sr: _int, n_fft: _int, dtype: _str = 'float32') -> _Any:
    """Frequencies in Hz of the parts of a real transform: [n_fft // 2 + 1], from 0 to half of the rate."""

def get_window(window: _Any, win_length: _int, fftbins: _bool = True, dtype: _str = 'float64') -> _Any:
    """A window by its name, or a tuple of name and parameters as ("kaiser", 14.0): [win_length].

    fftbins: periodic, for transforms; False: symmetric, for filters. Names: bartlett, blackman, bohman, cosine,
    exponential, gaussian, general_gaussian, hamming, hann, kaiser, nuttall, taylor, triang, tukey.

    >>> get_window("hann", 4).tolist()
    [0.0, 0.5, 1.0, 0.5]"""

def hz_to_mel(freq: _Any, htk: _bool = False) -> _Any:
    """Frequencies on the mel scale: Slaney's, or HTK's formula. A number gives a number, a tensor a tensor.

    >>> round(hz_to_mel(1000.0), 2), round(hz_to_mel(1000.0, htk=True), 2)
    (15.0, 999.99)"""

def mel_frequencies(n_mels: _int = 64, f_min: _float = 0.0, f_max: _float = 11025.0, htk: _bool = False, dtype: _str = 'float32') -> _Any:
    """Frequencies in Hz at equal distances on the mel scale: [n_mels]."""

def mel_to_hz(mel: _Any, htk: _bool = False) -> _Any:
    """The inverse of `hz_to_mel`.

    >>> round(mel_to_hz(15.0), 2)
    1000.0"""

def power_to_db(spect: _Any, ref_value: _float = 1.0, amin: _float = 1e-10, top_db: _float | None = 80.0) -> _Any:
    """Power in decibels: 10 · log10(spect / ref_value), of `amin` at least, at most `top_db` below the largest.

    >>> from vitrify import to_tensor
    >>> power_to_db(to_tensor([0.1, 1.0])).tolist()
    [-10.0, 0.0]"""
