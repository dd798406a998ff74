"""Layers that turn waveforms [batch, n] into spectrograms, mel bands, decibels or cepstral coefficients."""

from __future__ import annotations

from typing import Any

from ..base.errors import ArgumentError
from ..base.suggest import tell_unknown_names as _tell_unknown_names
from ..dygraph.nn.layer import Layer
from ..ops.op import FUNCTIONS, OPS
from ..ops.signal import stft
from .functional import compute_fbank_matrix, create_dct, get_window, power_to_db

__all__ = ["MFCC", "LogMelSpectrogram", "MelSpectrogram", "Spectrogram"]
__path__: list[str] = []  # so that the modules of compat/file_table.py below it can be imported


class Spectrogram(Layer):
    """Sizes of the parts of a waveform's short-time Fourier transform, to the power `power`.

    Shapes: [batch, n] gives [batch, n_fft // 2 + 1, frames].
    """

    def __init__(
        self, n_fft: int = 512, hop_length: int | None = 512, win_length: int | None = None, window: Any = "hann",
        power: float = 1.0, center: bool = True, pad_mode: str = "reflect", dtype: str = "float32",
    ) -> None:  # fmt: skip
        super().__init__()
        if power <= 0:
            raise ArgumentError(f"Spectrogram: power must be above 0, not {power}")
        self.power, self.n_fft, self.hop_length = power, n_fft, hop_length
        self.win_length = n_fft if win_length is None else win_length
        self.center, self.pad_mode = center, pad_mode
        self.register_buffer("fft_window", get_window(window, self.win_length, True, dtype))

    def forward(self, x: Any) -> Any:
        """The spectrogram of waveforms [batch, n]."""
        parts = stft(
            x, self.n_fft, self.hop_length, self.win_length, self.fft_window, center=self.center, pad_mode=self.pad_mode
        )
        return FUNCTIONS["pow"](OPS["abs"](parts), self.power)


class MelSpectrogram(Layer):
    """A spectrogram in `n_mels` bands of the mel scale.

    Shapes: [batch, n] gives [batch, n_mels, frames].
    """

    def __init__(
        self, sr: int = 22050, n_fft: int = 2048, hop_length: int | None = 512, win_length: int | None = None,
        window: Any = "hann", power: float = 2.0, center: bool = True, pad_mode: str = "reflect", n_mels: int = 64,
        f_min: float = 50.0, f_max: float | None = None, htk: bool = False, norm: str | float = "slaney",
        dtype: str = "float32",
    ) -> None:  # fmt: skip
        super().__init__()
        self._spectrogram = Spectrogram(n_fft, hop_length, win_length, window, power, center, pad_mode, dtype)
        self.n_mels, self.f_min, self.f_max, self.htk, self.norm = n_mels, f_min, f_max, htk, norm
        top = sr // 2 if f_max is None else f_max
        self.register_buffer("fbank_matrix", compute_fbank_matrix(sr, n_fft, n_mels, f_min, top, htk, norm, dtype))

    def forward(self, x: Any) -> Any:
        """The mel bands of waveforms [batch, n]."""
        return OPS["matmul"](self.fbank_matrix, self._spectrogram(x))


class LogMelSpectrogram(Layer):
    """A mel spectrogram in decibels (`power_to_db`).

    Shapes: [batch, n] gives [batch, n_mels, frames].
    """

    def __init__(
        self, sr: int = 22050, n_fft: int = 512, hop_length: int | None = None, win_length: int | None = None,
        window: Any = "hann", power: float = 2.0, center: bool = True, pad_mode: str = "reflect", n_mels: int = 64,
        f_min: float = 50.0, f_max: float | None = None, htk: bool = False, norm: str | float = "slaney",
        ref_value: float = 1.0, amin: float = 1e-10, top_db: float | None = None, dtype: str = "float32",
    ) -> None:  # fmt: skip
        super().__init__()
        self._melspectrogram = MelSpectrogram(
            sr, n_fft, hop_length, win_length, window, power, center, pad_mode, n_mels, f_min, f_max, htk, norm, dtype
        )
        self.ref_value, self.amin, self.top_db = ref_value, amin, top_db

    def forward(self, x: Any) -> Any:
        """The mel bands of waveforms [batch, n] in decibels."""
        return power_to_db(self._melspectrogram(x), self.ref_value, self.amin, self.top_db)


class MFCC(Layer):
    """Mel frequency cepstral coefficients: the cosine transform of a mel spectrogram in decibels.

    Shapes: [batch, n] gives [batch, n_mfcc, frames].
    """

    def __init__(
        self, sr: int = 22050, n_mfcc: int = 40, n_fft: int = 512, hop_length: int | None = None,
        win_length: int | None = None, window: Any = "hann", power: float = 2.0, center: bool = True,
        pad_mode: str = "reflect", n_mels: int = 64, f_min: float = 50.0, f_max: float | None = None, htk: bool = False,
        norm: str | float = "slaney", ref_value: float = 1.0, amin: float = 1e-10, top_db: float | None = None,
        dtype: str = "float32",
    ) -> None:  # fmt: skip
        super().__init__()
        if n_mfcc > n_mels:
            raise ArgumentError(f"MFCC: n_mfcc {n_mfcc} is larger than n_mels {n_mels}")
        self._log_melspectrogram = LogMelSpectrogram(
            sr, n_fft, hop_length, win_length, window, power, center, pad_mode, n_mels, f_min, f_max, htk, norm,
            ref_value, amin, top_db, dtype,
        )  # fmt: skip
        self.register_buffer("dct_matrix", create_dct(n_mfcc, n_mels, dtype=dtype))

    def forward(self, x: Any) -> Any:
        """The coefficients of waveforms [batch, n]."""
        made = OPS["matmul"](OPS["transpose"](self._log_melspectrogram(x), (0, 2, 1)), self.dct_matrix)
        return OPS["transpose"](made, (0, 2, 1))


_tell_unknown_names(__name__)
