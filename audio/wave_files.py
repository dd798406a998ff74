"""WAVE files of 16-bit samples, read and written with Python's own `wave`."""

from __future__ import annotations

import io
import wave
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np

from ..base.dtype import int16
from ..base.errors import ArgumentError, DataError, ShapeError
from ..base.suggest import one_of
from ..dygraph.conversions import to_tensor

__all__ = ["AudioInfo", "get_current_backend", "info", "list_available_backends", "load", "save", "set_backend"]

_BACKEND = "wave_backend"
_SAMPLES = 2**15  # what a sample of 1.0 is in 16 bits


@dataclass
class AudioInfo:
    """What the head of a sound file says."""

    sample_rate: int
    num_frames: int
    num_channels: int
    bits_per_sample: int
    encoding: str


def info(filepath: str | PathLike[str] | BinaryIO) -> AudioInfo:
    """The head of a WAVE file, given by its path or opened.

    Errors: DataError (a ValueError) for another format.
    """
    return _read(filepath)[0]


def load(
    filepath: str | PathLike[str] | BinaryIO,
    frame_offset: int = 0,
    num_frames: int = -1,
    normalize: bool = True,
    channels_first: bool = True,
) -> tuple[Any, int]:
    """A WAVE file of 16-bit samples: (f32[channels, frames], its sampling rate).

    frame_offset, num_frames: the first frame, and how many (-1: all that follow). normalize: from -1 to 1, else the
    samples' numbers. channels_first=False: f32[frames, channels].
    Errors: DataError for another format, or samples of another width.
    """
    head, data = _read(filepath)
    if head.bits_per_sample != 16:
        raise DataError(f"{filepath} has samples of {head.bits_per_sample} bits; only those of 16 are read")
    samples = np.frombuffer(data, "<i2").astype(np.float32).reshape(-1, head.num_channels)
    samples = samples[frame_offset:] if num_frames == -1 else samples[frame_offset : frame_offset + num_frames]
    samples = samples / np.float32(_SAMPLES) if normalize else samples
    return to_tensor(np.ascontiguousarray(samples.T) if channels_first else samples), head.sample_rate


def save(
    filepath: str | PathLike[str],
    src: Any,
    sample_rate: int,
    channels_first: bool = True,
    encoding: str | None = None,
    bits_per_sample: int | None = 16,
) -> None:
    """Write a sound [channels, frames] as a WAVE file of 16-bit samples.

    Floats are from -1 to 1; what is beyond becomes the largest or smallest sample. i16 is written as it is.
    channels_first=False: the sound is [frames, channels].
    Errors: ShapeError unless it has two axes; ArgumentError for other bits, another encoding or dtype.
    """
    if src.ndim != 2:
        raise ShapeError(f"a sound has two axes, channels and frames; got the shape {list(src.shape)}")
    if bits_per_sample not in (None, 16):
        raise ArgumentError(f"bits_per_sample must be 16, not {bits_per_sample}")
    if encoding not in (None, "PCM_S", "PCM_16"):
        raise ArgumentError(f'the encoding must be "PCM_S", not {encoding!r}')
    if not (src.dtype.is_floating or src.dtype is int16):
        raise ArgumentError(f"a sound is of floats or int16, not {src.dtype.name}")
    samples = src.numpy().T if channels_first else src.numpy()
    if src.dtype.is_floating:
        samples = np.clip(samples.astype(np.float64) * _SAMPLES, -_SAMPLES, _SAMPLES - 1)
    with wave.open(str(filepath), "wb") as file:
        file.setnchannels(samples.shape[1])
        file.setsampwidth(2)
        file.setframerate(int(sample_rate))
        file.writeframes(samples.astype("<i2").tobytes())


def _read(source: Any) -> tuple[AudioInfo, bytes]:
    if hasattr(source, "read"):
        data = source.read()
    else:
        data = Path(source).read_bytes()
    try:
        with wave.open(io.BytesIO(data)) as sound:
            count = sound.getnframes()
            head = AudioInfo(
                sound.getframerate(), count, sound.getnchannels(), sound.getsampwidth() * 8, encoding="PCM_S"
            )
            return head, sound.readframes(count)
    except (wave.Error, EOFError) as error:
        remedy = "convert it to 16-bit PCM"
        raise DataError(f"{source} isn't a WAVE file of PCM samples: {error}", remedy=remedy) from error


# ---- which library reads


def list_available_backends() -> list[str]:
    """The libraries that read sound files: Python's `wave` alone.

    >>> list_available_backends(), get_current_backend()
    (['wave_backend'], 'wave_backend')
    """
    return [_BACKEND]


def get_current_backend() -> str:
    """The library that reads sound files."""
    return _BACKEND


def set_backend(backend_name: str) -> None:
    """Choose the library that reads sound files. Errors: ArgumentError for one that isn't there."""
    if backend_name != _BACKEND:
        raise ArgumentError(f"there is no backend {backend_name!r}", remedy=one_of(backend_name, [_BACKEND]))
