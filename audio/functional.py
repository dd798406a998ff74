"""Scales, matrices and windows of audio features. Matrices and windows are computed in double precision."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..base.dtype import as_dtype
from ..base.errors import ArgumentError
from ..base.suggest import tell_unknown_names as _tell_unknown_names
from ..dygraph.conversions import to_tensor
from ..ops.op import FUNCTIONS, OPS
from .windows import window as _window

__all__ = [
    "compute_fbank_matrix", "create_dct", "fft_frequencies", "get_window", "hz_to_mel", "mel_frequencies", "mel_to_hz",
    "power_to_db",
]  # fmt: skip
__path__: list[str] = []  # so that the modules of compat/file_table.py below it can be imported

# Slaney's scale: linear to 1000 Hz, from there 27 mels for each factor of 6.4
_STEP, _KNEE, _LOG_STEP = 200.0 / 3, 1000.0, math.log(6.4) / 27.0
_MEL_KNEE = _KNEE / _STEP


def _is_array(x: Any) -> bool:
    return hasattr(x, "dtype") and hasattr(x, "ndim") and not isinstance(x, np.ndarray | np.generic)


def hz_to_mel(freq: Any, htk: bool = False) -> Any:
    """Frequencies on the mel scale: Slaney's, or HTK's formula. A number gives a number, a tensor a tensor.

    >>> round(hz_to_mel(1000.0), 2), round(hz_to_mel(1000.0, htk=True), 2)
    (15.0, 999.99)
    """
    if htk:
        return 2595.0 * (OPS["log10"](1.0 + freq / 700.0) if _is_array(freq) else np.log10(1.0 + freq / 700.0).item())
    if _is_array(freq):
        above = _MEL_KNEE + OPS["log"](FUNCTIONS["clip"](freq, _KNEE) / _KNEE) / _LOG_STEP
        return OPS["where"](freq > _KNEE, above, freq / _STEP)
    return _MEL_KNEE + math.log(freq / _KNEE) / _LOG_STEP if freq >= _KNEE else freq / _STEP


def mel_to_hz(mel: Any, htk: bool = False) -> Any:
    """The inverse of `hz_to_mel`.

    >>> round(mel_to_hz(15.0), 2)
    1000.0
    """
    if htk:
        return 700.0 * (10.0 ** (mel / 2595.0) - 1.0)
    if _is_array(mel):
        above = _KNEE * OPS["exp"](_LOG_STEP * (FUNCTIONS["clip"](mel, _MEL_KNEE) - _MEL_KNEE))
        return OPS["where"](mel > _MEL_KNEE, above, mel * _STEP)
    return _KNEE * math.exp(_LOG_STEP * (mel - _MEL_KNEE)) if mel >= _MEL_KNEE else _STEP * mel


def _mels(n_mels: int, f_min: float, f_max: float, htk: bool) -> np.ndarray:
    low, high = hz_to_mel(float(f_min), htk), hz_to_mel(float(f_max), htk)
    return np.array([mel_to_hz(float(mel), htk) for mel in np.linspace(low, high, n_mels)])


def _tensor(array: np.ndarray, dtype: Any) -> Any:
    return to_tensor(array.astype(as_dtype(dtype).numpy))


def mel_frequencies(
    n_mels: int = 64, f_min: float = 0.0, f_max: float = 11025.0, htk: bool = False, dtype: str = "float32"
) -> Any:
    """Frequencies in Hz at equal distances on the mel scale: [n_mels]."""
    return _tensor(_mels(n_mels, f_min, f_max, htk), dtype)


def fft_frequencies(sr: int, n_fft: int, dtype: str = "float32") -> Any:
    """Frequencies in Hz of the parts of a real transform: [n_fft // 2 + 1], from 0 to half of the rate."""
    return _tensor(np.linspace(0, sr / 2, 1 + n_fft // 2), dtype)


def compute_fbank_matrix(
    sr: int, n_fft: int, n_mels: int = 64, f_min: float = 0.0, f_max: float | None = None, htk: bool = False,
    norm: str | float = "slaney", dtype: str = "float32",
) -> Any:  # fmt: skip
    """Triangles on the mel scale that a spectrum is multiplied with: [n_mels, n_fft // 2 + 1].

    norm: "slaney" gives each triangle the area of 1 band; a number divides each row by its norm of that order.
    """
    edges = _mels(n_mels + 2, f_min, sr / 2 if f_max is None else f_max, htk)
    places = np.linspace(0, sr / 2, 1 + n_fft // 2)
    lower, middle, upper = edges[:-2, None], edges[1:-1, None], edges[2:, None]
    rows = np.maximum(0.0, np.minimum((places - lower) / (middle - lower), (upper - places) / (upper - middle)))
    if norm == "slaney":
        rows *= 2.0 / (upper - lower)
    elif isinstance(norm, int | float):
        sizes = np.sum(np.abs(rows) ** norm, axis=1, keepdims=True) ** (1.0 / norm)
        rows /= np.maximum(sizes, 1e-12)
    return _tensor(rows, dtype)


def create_dct(n_mfcc: int, n_mels: int, norm: str | None = "ortho", dtype: str = "float32") -> Any:
    """The matrix of the discrete cosine transform (type 2): [n_mels, n_mfcc]. norm "ortho": columns of length 1."""
    if norm not in (None, "ortho"):
        raise ArgumentError(f'create_dct: norm must be "ortho" or None, not {norm!r}')
    made = np.cos(math.pi / n_mels * np.multiply.outer(np.arange(n_mels) + 0.5, np.arange(n_mfcc)))
    if norm is None:
        made *= 2.0
    else:
        made[:, 0] *= math.sqrt(0.5)
        made *= math.sqrt(2.0 / n_mels)
    return _tensor(made, dtype)


def power_to_db(spect: Any, ref_value: float = 1.0, amin: float = 1e-10, top_db: float | None = 80.0) -> Any:
    """Power in decibels: 10 · log10(spect / ref_value), of `amin` at least, at most `top_db` below the largest.

    >>> from vitrify import to_tensor
    >>> power_to_db(to_tensor([0.1, 1.0])).tolist()
    [-10.0, 0.0]
    """
    if amin <= 0 or ref_value <= 0:
        raise ArgumentError(f"power_to_db: amin and ref_value must be above 0, got {amin} and {ref_value}")
    if top_db is not None and top_db < 0:
        raise ArgumentError(f"power_to_db: top_db must be 0 or more, not {top_db}")
    made = 10.0 * OPS["log10"](FUNCTIONS["clip"](spect, amin)) - 10.0 * math.log10(max(ref_value, amin))
    return made if top_db is None else OPS["maximum"](made, OPS["max"](made) - top_db)


def get_window(window: Any, win_length: int, fftbins: bool = True, dtype: str = "float64") -> Any:
    """A window by its name, or a tuple of name and parameters as ("kaiser", 14.0): [win_length].

    fftbins: periodic, for transforms; False: symmetric, for filters. Names: bartlett, blackman, bohman, cosine,
    exponential, gaussian, general_gaussian, hamming, hann, kaiser, nuttall, taylor, triang, tukey.

    >>> get_window("hann", 4).tolist()
    [0.0, 0.5, 1.0, 0.5]
    """
    return _tensor(_window(window, win_length, fftbins), dtype)


_tell_unknown_names(__name__)
