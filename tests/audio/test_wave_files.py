"""WAVE files and the windows that `vitrify` has at the top, against figures of PaddlePaddle 3.3.1."""

from __future__ import annotations

import io
import wave
from pathlib import Path

import numpy as np
import pytest

import vitrify as vt
from vitrify import audio
from vitrify.audio import backends
from vitrify.errors import ArgumentError, DataError, ShapeError

SOUND = [[0.5, -0.25, 0.1, -1.0], [0.0, 0.25, 0.5, 0.75]]
WINDOWS = {  # of 5 points: periodic, symmetric
    "bartlett": ([0.0, 0.4, 0.8, 0.8, 0.4], [0.0, 0.5, 1.0, 0.5, 0.0]),
    "blackman": ([0.0, 0.2007701, 0.8492298, 0.8492298, 0.2007701], [0.0, 0.34, 1.0, 0.34, 0.0]),
    "hamming": ([0.08, 0.3978522, 0.9121478, 0.9121478, 0.3978522], [0.08, 0.54, 1.0, 0.54, 0.08]),
    "hann": ([0.0, 0.3454915, 0.9045085, 0.9045085, 0.3454915], [0.0, 0.5, 1.0, 0.5, 0.0]),
    "kaiser": ([5.27734e-5, 0.1017197, 0.7929394, 0.7929394, 0.1017197], [5.27734e-5, 0.2156727, 1, 0.2156727, 5.27734e-5]),
}  # fmt: skip


@pytest.mark.parametrize("name", WINDOWS)
def test_windows_of_five_points(name: str) -> None:
    made = getattr(vt, f"{name}_window")
    for periodic, wanted in zip((True, False), WINDOWS[name], strict=True):
        found = made(5, periodic)
        assert found.dtype == vt.float32 and found.stop_gradient
        np.testing.assert_allclose(found.numpy(), wanted, atol=1e-6)
    wide = made(4, dtype="float64", requires_grad=True, device="cpu")
    assert wide.dtype == vt.float64 and not wide.stop_gradient
    assert made(1).tolist() == [1.0]
    with pytest.raises(ArgumentError, match="no setting 'size'"):
        made(4, size=3)
    with pytest.raises(ArgumentError, match="of floats"):
        made(4, dtype="int32")


def test_parameters_of_windows() -> None:
    np.testing.assert_allclose(vt.hamming_window(4, alpha=0.5, beta=0.5).numpy(), [0.0, 0.5, 1.0, 0.5], atol=1e-7)
    np.testing.assert_allclose(vt.kaiser_window(3, False, beta=0.0).numpy(), [1.0, 1.0, 1.0])


def test_what_is_written_is_read(tmp_path: Path) -> None:
    path = tmp_path / "sound.wav"
    audio.save(str(path), vt.to_tensor(SOUND), 8000)
    head = audio.info(path)
    assert (head.sample_rate, head.num_frames, head.num_channels, head.bits_per_sample) == (8000, 4, 2, 16)
    sound, rate = audio.load(path)
    assert rate == 8000
    wanted = [[0.5, -0.25, 0.09997559, -1.0], [0.0, 0.25, 0.5, 0.75]]
    np.testing.assert_allclose(sound.numpy(), wanted, atol=1e-7)
    raw, _ = audio.load(path, 1, 2, normalize=False, channels_first=False)
    assert raw.tolist() == [[-8192.0, 8192.0], [3276.0, 16384.0]]
    assert audio.load(path, frame_offset=3)[0].tolist() == [[-1.0], [0.75]]
    assert audio.info(io.BytesIO(path.read_bytes())).encoding == "PCM_S"


def test_samples_beyond_the_range_are_the_last_ones(tmp_path: Path) -> None:
    path = tmp_path / "loud.wav"
    audio.save(path, vt.to_tensor([[2.0], [-3.0]]), 8000, channels_first=False)
    assert audio.load(path, normalize=False)[0].tolist() == [[32767.0, -32768.0]]
    audio.save(path, vt.to_tensor([[7, -7]], dtype="int16"), 8000)
    assert audio.load(path, normalize=False)[0].tolist() == [[7.0, -7.0]]


def test_what_is_no_wave_file_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "sound.wav"
    sound = vt.to_tensor(SOUND)
    with pytest.raises(ShapeError, match="two axes"):
        audio.save(path, sound[0], 8000)
    with pytest.raises(ArgumentError, match="bits_per_sample"):
        audio.save(path, sound, 8000, bits_per_sample=24)
    with pytest.raises(ArgumentError, match="encoding"):
        audio.save(path, sound, 8000, encoding="ULAW")
    with pytest.raises(ArgumentError, match="floats or int16"):
        audio.save(path, sound.astype("int64"), 8000)
    path.write_bytes(b"RIFF and nothing else")
    with pytest.raises(DataError, match="isn't a WAVE file"):
        audio.load(path)
    with wave.open(str(path), "wb") as file:
        file.setparams((1, 1, 8000, 2, "NONE", ""))
        file.writeframes(b"\x80\x90")
    with pytest.raises(DataError, match="samples of 8 bits"):
        audio.load(path)


def test_backends() -> None:
    backends.set_backend("wave_backend")
    assert backends.get_current_backend() in backends.list_available_backends()
    with pytest.raises(ArgumentError, match="soundfile"):
        backends.set_backend("soundfile")
