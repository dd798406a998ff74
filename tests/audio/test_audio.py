"""Features of sounds against their formulas in NumPy and SciPy."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import fft as scipy_fft
from scipy import signal as scipy_signal

import vitrify as vt
from vitrify.audio import features, functional
from vitrify.errors import ArgumentError

WINDOWS = [
    "bartlett", "blackman", "bohman", "cosine", ("exponential", None, 2.0), ("gaussian", 3.0),
    ("general_gaussian", 1.5, 7.0), "hamming", "hann", ("kaiser", 14.0), "nuttall", ("taylor", 5, 35), "triang",
    "tukey", ("tukey", 0.3),
]  # fmt: skip


@pytest.mark.parametrize("window", WINDOWS, ids=str)
@pytest.mark.parametrize("periodic", [True, False])
def test_windows_are_those_of_scipy(window: object, periodic: bool) -> None:
    for length in (1, 2, 7, 64):
        expected = scipy_signal.get_window(window, length, periodic)
        np.testing.assert_allclose(functional.get_window(window, length, periodic).numpy(), expected, atol=1e-13)


def test_unknown_windows_and_missing_parameters_are_errors() -> None:
    with pytest.raises(ArgumentError, match="there is no window 'han'"):
        functional.get_window("han", 4)
    with pytest.raises(ArgumentError, match="needs parameters"):
        functional.get_window("kaiser", 4)
    with pytest.raises(ArgumentError, match="length of 0 or more, not -1"):
        functional.get_window("hann", -1)


@pytest.mark.parametrize("htk", [True, False])
def test_mels_and_frequencies_are_inverse_for_numbers_and_tensors(htk: bool) -> None:
    frequencies = [0.0, 10.0, 999.0, 1000.0, 1001.0, 5000.0]
    mels = [functional.hz_to_mel(f, htk) for f in frequencies]
    tensor = vt.to_tensor(np.array(frequencies))
    np.testing.assert_allclose(functional.hz_to_mel(tensor, htk).numpy(), mels, rtol=1e-12)
    np.testing.assert_allclose(
        functional.mel_to_hz(functional.hz_to_mel(tensor, htk), htk).numpy(), frequencies, atol=1e-9
    )
    np.testing.assert_allclose([functional.mel_to_hz(m, htk) for m in mels], frequencies, atol=1e-9)
    assert mels[3] == pytest.approx(2595 * np.log10(1 + 1000 / 700) if htk else 15.0)


def test_triangles_rise_and_fall_between_neighbouring_mels() -> None:
    made = functional.compute_fbank_matrix(8000, 64, 6, 100.0, norm=None, dtype="float64").numpy()
    edges = functional.mel_frequencies(8, 100.0, 4000.0, dtype="float64").numpy()
    places = functional.fft_frequencies(8000, 64, "float64").numpy()
    for row, corners in zip(made, np.lib.stride_tricks.sliding_window_view(edges, 3), strict=True):
        np.testing.assert_allclose(row, np.interp(places, corners, [0, 1, 0]), atol=1e-12)
    areas = functional.compute_fbank_matrix(8000, 64, 6, 100.0, dtype="float64").numpy()
    np.testing.assert_allclose(areas, made * (2 / (edges[2:] - edges[:-2]))[:, None], atol=1e-12)
    sums = functional.compute_fbank_matrix(8000, 64, 6, 100.0, norm=1.0, dtype="float64").numpy().sum(1)
    np.testing.assert_allclose(sums, 1.0)


def test_cosine_transform_is_scipys() -> None:
    x = np.random.default_rng(0).normal(size=(3, 20))
    made = x @ functional.create_dct(8, 20, dtype="float64").numpy()
    np.testing.assert_allclose(made, scipy_fft.dct(x, norm="ortho")[:, :8], atol=1e-12)
    plain = x @ functional.create_dct(8, 20, None, "float64").numpy()
    np.testing.assert_allclose(plain, scipy_fft.dct(x)[:, :8], atol=1e-12)


def test_decibels_are_cut_below_the_largest() -> None:
    power = vt.to_tensor([1e-12, 1.0, 1000.0])
    np.testing.assert_allclose(functional.power_to_db(power, top_db=40.0).numpy(), [-10.0, 0.0, 30.0], atol=1e-5)
    np.testing.assert_allclose(
        functional.power_to_db(power, 10.0, top_db=None).numpy(), [-110.0, -10.0, 20.0], rtol=1e-5
    )
    with pytest.raises(ArgumentError, match="above 0"):
        functional.power_to_db(power, amin=0.0)


def test_features_of_a_waveform_eager_and_captured() -> None:
    wave = np.random.default_rng(1).normal(size=(2, 400))
    padded = np.pad(wave, [(0, 0), (16, 16)], "reflect")
    frames = np.lib.stride_tricks.sliding_window_view(padded, 32, 1)[:, ::8] * scipy_signal.get_window("hann", 32)
    power = np.abs(np.fft.rfft(frames)).transpose(0, 2, 1) ** 2
    bands = functional.compute_fbank_matrix(8000, 32, 10, 50.0, 4000, dtype="float64").numpy() @ power
    decibels = 10 * np.log10(np.maximum(bands, 1e-10))
    expected = {
        features.Spectrogram(32, 8, power=2.0, dtype="float64"): power,
        features.MelSpectrogram(8000, 32, 8, n_mels=10, dtype="float64"): bands,
        features.LogMelSpectrogram(8000, 32, 8, n_mels=10, dtype="float64"): decibels,
        features.MFCC(8000, 5, 32, 8, n_mels=10, dtype="float64"): scipy_fft.dct(decibels, axis=1, norm="ortho")[:, :5],
    }
    x = vt.to_tensor(wave)
    for layer, values in expected.items():
        np.testing.assert_allclose(layer(x).numpy(), values, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(vt.to_static(layer)(x).numpy(), values, rtol=1e-9, atol=1e-9)
    assert list(layer.state_dict()) == [
        "dct_matrix",
        "_log_melspectrogram._melspectrogram.fbank_matrix",
        "_log_melspectrogram._melspectrogram._spectrogram.fft_window",
    ]
