"""Fourier transforms and signals: values are NumPy's, SciPy's and torch's; gradients are slopes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import scipy.fft
import scipy.signal

import vitrify as vt
from vitrify.base.errors import ArgumentError, DTypeError, ShapeError

RNG = np.random.default_rng(3)
X = RNG.normal(size=(3, 4, 5))
Z = X + 1j * RNG.normal(size=X.shape)
NORMS = ["backward", "ortho", "forward"]

CASES: list[tuple[str, Any, dict[str, Any]]] = [
    ("fft", Z, {}), ("fft", X, {"n": 7}), ("fft", Z, {"n": 3, "axis": 0}), ("ifft", Z, {"axis": 1}), ("rfft", X, {}),
    ("rfft", X, {"n": 8, "axis": 1}), ("irfft", Z, {}), ("irfft", Z, {"n": 7, "axis": 0}), ("irfft", Z, {"n": 4}), ("hfft", Z, {}),
    ("hfft", Z, {"n": 5}), ("ihfft", X, {}), ("ihfft", X, {"n": 6, "axis": 0}), ("fft2", Z, {}), ("ifft2", Z, {"s": [2, 6], "axes": [0, 2]}),
    ("rfft2", X, {}), ("irfft2", Z, {}), ("fftn", Z, {}), ("ifftn", Z, {"axes": [0, 2]}), ("rfftn", X, {"s": [3, 4]}),
    ("irfftn", Z, {}), ("irfftn", Z, {"s": [4, 7], "axes": [0, 1]}), ("hfft2", Z, {}), ("ihfft2", X, {}), ("hfftn", Z, {}),
    ("ihfftn", X, {}), ("fft2", Z, {"axes": None}), ("irfft2", Z, {"axes": None, "s": [2, 6]}), ("rfft2", X, {"axes": None, "s": [2, 3]}),
]  # fmt: skip
IDS = [f"{name}-{options}" for name, _, options in CASES]


def parts(y: Any) -> Any:
    return vt.as_real(y) if y.is_complex() else y


@pytest.mark.parametrize("norm", NORMS)
@pytest.mark.parametrize(("name", "x", "options"), CASES, ids=IDS)
def test_values_are_scipys(name: str, x: Any, options: dict[str, Any], norm: str) -> None:
    expected = getattr(scipy.fft, name)(x, norm=norm, **options)
    made = getattr(vt.fft, name)(vt.to_tensor(x), norm=norm, **options)
    assert made.dtype == expected.dtype
    np.testing.assert_allclose(made.numpy(), expected, rtol=1e-10, atol=1e-12)


@pytest.mark.parametrize("norm", NORMS[:2])
@pytest.mark.parametrize(("name", "x", "options"), CASES, ids=IDS)
def test_gradients_are_slopes(name: str, x: Any, options: dict[str, Any], norm: str) -> None:
    """The transforms are linear over the reals, so a slope is exact, and of the gradient's gradient the same again."""
    fn = getattr(vt.fft, name)
    t = vt.to_tensor(x, stop_gradient=False)
    y = parts(fn(t, norm=norm, **options))
    weights = vt.to_tensor(np.random.default_rng(0).normal(size=y.shape), stop_gradient=False)
    (g,) = vt.grad((y * weights).sum(), t, create_graph=True)
    way = np.random.default_rng(1).normal(size=x.shape) + (
        1j * np.random.default_rng(2).normal(size=x.shape) if x.dtype.kind == "c" else 0
    )
    change = parts(fn(vt.to_tensor(way), norm=norm, **options)).numpy()
    assert np.sum((np.conj(g.numpy()) * way).real) == pytest.approx(np.sum(change * weights.numpy()), rel=1e-9)
    slope = vt.real(vt.conj(g) * vt.to_tensor(way)).sum()
    np.testing.assert_allclose(vt.grad(slope, weights)[0].numpy(), change, rtol=1e-9, atol=1e-9)


def test_single_precision_stays_single() -> None:
    x = vt.to_tensor(X.astype("float32"))
    assert vt.fft.fft(x).dtype is vt.complex64
    assert vt.fft.irfft(vt.fft.rfft(x)).dtype is vt.float32
    assert vt.fft.fft(vt.to_tensor([1, 2])).dtype is vt.complex64


def test_compiled_transforms_are_the_eager_ones() -> None:
    def low_pass(x: Any) -> Any:
        y = vt.fft.irfft(vt.fft.rfft(x)[..., :2], x.shape[-1])
        return y, vt.grad((y * y).sum(), x)[0]

    x = vt.to_tensor(X, stop_gradient=False)
    for a, b in zip(vt.to_static(low_pass)(x), low_pass(x), strict=True):
        np.testing.assert_allclose(a.numpy(), b.numpy(), rtol=1e-10, atol=1e-12)


@pytest.mark.parametrize("n", [1, 4, 5])
def test_frequencies_are_numpys(n: int) -> None:
    np.testing.assert_allclose(vt.fft.fftfreq(n, 0.5).numpy(), np.fft.fftfreq(n, 0.5))
    np.testing.assert_allclose(vt.fft.rfftfreq(n, 0.5, "float64").numpy(), np.fft.rfftfreq(n, 0.5))
    x = np.arange(n * 3.0).reshape(n, 3)
    np.testing.assert_array_equal(vt.fft.fftshift(vt.to_tensor(x)).numpy(), np.fft.fftshift(x))
    np.testing.assert_array_equal(vt.fft.ifftshift(vt.to_tensor(x), 0).numpy(), np.fft.ifftshift(x, 0))


S = RNG.normal(size=(2, 60))


def test_frames_are_slices() -> None:
    made = vt.signal.frame(vt.to_tensor(S), 8, 3).numpy()
    assert made.shape == (2, 8, 18)
    np.testing.assert_array_equal(made[:, :, 4], S[:, 12:20])
    np.testing.assert_array_equal(vt.signal.frame(vt.to_tensor(S[0]), 8, 3, axis=0).numpy(), made[0].T)


@pytest.mark.parametrize("axis", [-1, 0])
def test_adding_frames_undoes_cutting_where_they_do_not_overlap(axis: int) -> None:
    x = vt.to_tensor(S if axis == -1 else S.T.copy())
    np.testing.assert_array_equal(vt.signal.overlap_add(vt.signal.frame(x, 6, 6, axis), 6, axis).numpy(), x.numpy())


def test_overlaps_add_up() -> None:
    frames = RNG.normal(size=(2, 4, 3))
    expected = np.zeros((2, 8))
    for k in range(3):
        expected[:, 2 * k : 2 * k + 4] += frames[:, :, k]
    np.testing.assert_allclose(vt.signal.overlap_add(vt.to_tensor(frames), 2).numpy(), expected)


@pytest.mark.parametrize(
    ("center", "normalized", "onesided"), [(True, False, True), (False, True, True), (True, True, False)]
)
def test_short_time_transforms_are_torchs(center: bool, normalized: bool, onesided: bool) -> None:
    torch = pytest.importorskip("torch")
    window = scipy.signal.get_window("hann", 12)
    options = {"hop_length": 4, "win_length": 12, "center": center, "normalized": normalized, "onesided": onesided}
    t = torch.tensor(S, requires_grad=True)
    expected = torch.stft(t, 16, window=torch.tensor(window), pad_mode="reflect", return_complex=True, **options)
    x = vt.to_tensor(S, stop_gradient=False)
    made = vt.signal.stft(x, 16, window=vt.to_tensor(window), **options)
    np.testing.assert_allclose(made.numpy(), expected.detach().numpy(), rtol=1e-9, atol=1e-10)
    expected.abs().square().sum().backward()
    vt.abs(made).square().sum().backward()
    np.testing.assert_allclose(x.grad.numpy(), t.grad.numpy(), rtol=1e-8, atol=1e-9)  # type: ignore[union-attr]


@pytest.mark.parametrize("length", [None, 50])
@pytest.mark.parametrize("onesided", [True, False])
def test_the_inverse_gives_the_signal_back(length: int | None, onesided: bool) -> None:
    window = vt.to_tensor(scipy.signal.get_window("hann", 16))

    def there_and_back(x: Any) -> Any:
        spectrum = vt.signal.stft(x, 16, 4, window=window, onesided=onesided)
        return vt.signal.istft(spectrum, 16, 4, window=window, onesided=onesided, length=length)

    made = there_and_back(vt.to_tensor(S)).numpy()
    np.testing.assert_allclose(made, S[:, : made.shape[1]], atol=1e-12)
    assert made.shape[1] == (length or 60)
    np.testing.assert_allclose(vt.to_static(there_and_back)(vt.to_tensor(S)).numpy(), made, atol=1e-12)


def test_windows_that_leave_elements_out() -> None:
    spectrum = vt.signal.stft(vt.to_tensor(S), 16, 4)
    silent = vt.zeros([16], "float64")

    def back(window: Any) -> Any:
        return vt.signal.istft(spectrum, 16, 4, window=window)

    for way in (back, vt.to_static(back)):
        with pytest.raises(ValueError, match="without weight"):
            way(silent).numpy()


@pytest.mark.parametrize(
    ("call", "error", "said"),
    [
        (lambda: vt.fft.fft(vt.ones([3]), norm="half"), ArgumentError, "norm must be"),
        (lambda: vt.fft.fft(vt.ones([3]), n=0), ArgumentError, "at least 1"),
        (lambda: vt.fft.rfft(vt.to_tensor([1j])), DTypeError, "real numbers"),
        (lambda: vt.fft.fft(vt.ones([3], "float16")), DTypeError, "float16"),
        (lambda: vt.fft.fft2(vt.ones([3])), IndexError, "outside"), (lambda: vt.fft.fftn(vt.ones([3, 3]), axes=[0, 0]), ArgumentError, "twice"),
        (lambda: vt.fft.fftn(vt.ones([3, 3]), s=[2], axes=[0, 1]), ShapeError, "1 sizes"),
        (lambda: vt.fft.fft2(vt.ones([3]), axes=None), ShapeError, "two axes"), (lambda: vt.fft.rfft2(vt.ones([3, 3]), [2], None), ShapeError, "two sizes"),
        (lambda: vt.fft.fft2(vt.ones([3, 3]), axes=[0]), ShapeError, "two axes, not"),
        (lambda: vt.fft.fftfreq(0), ArgumentError, "at least 1"), (lambda: vt.signal.frame(vt.ones([3]), 4, 1), ArgumentError, "don't fit"),
        (lambda: vt.signal.frame(vt.ones([3]), 2, 0), ArgumentError, "hop_length"),
        (lambda: vt.signal.frame(vt.ones([3]), 2, 1, axis=1), ArgumentError, "0 or -1"),
        (lambda: vt.signal.stft(vt.ones([9]), 4, window=vt.ones([3])), ShapeError, "window"),
        (lambda: vt.signal.stft(vt.ones([9]), 4, pad_mode="wrap"), ArgumentError, "pad_mode"),
        (lambda: vt.signal.istft(vt.ones([9, 3]), 4), ShapeError, "complex"),
    ],
)  # fmt: skip
def test_mistakes_are_named(call: Any, error: type[Exception], said: str) -> None:
    with pytest.raises(error, match=said):
        call()
