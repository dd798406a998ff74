"""Kernels of Fourier transforms: every kind of length, axis and form, against NumPy in double precision."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify.ops.fft_plan import MOST, is_smooth, passes

Array = np.ndarray[Any, Any]
# one pass, several, odd ones, primes with a radix and without, halves that are prime, lines of a matrix
LENGTHS = [1, 2, 3, 6, 13, 16, 17, 24, 34, 45, 64, 100, 127, 210, 256, 1000]
LONG = [MOST * 2, 3 * 4099, 2 * 3**9]
TRANSFORMS = ["fft", "ifft", "rfft", "ihfft", "irfft", "hfft"]
NORMS = ["backward", "ortho", "forward"]


def _numbers(shape: tuple[int, ...], dtype: str, *, whole: bool) -> Array:
    rng = np.random.default_rng(sum(shape))
    made = rng.normal(size=shape).astype(dtype)
    return made + 1j * rng.normal(size=shape).astype(dtype) if whole else made


def _takes_complex(name: str) -> bool:
    return name not in ("rfft", "ihfft")


def _is_near(found: Array, wanted: Array, dtype: str) -> None:
    assert found.shape == wanted.shape
    assert found.dtype == np.result_type(dtype, "complex64" if np.iscomplexobj(wanted) else "float32")
    bound = (1e-6 if dtype == "float32" else 2e-15) * max(1.0, np.log2(wanted.size + 1) / 4)
    assert np.abs(found - wanted).max() <= bound * np.abs(wanted).max()


def _check(name: str, shape: tuple[int, ...], axis: int, dtype: str, **options: Any) -> None:
    x = _numbers(shape, dtype, whole=_takes_complex(name))
    compiled = vt.to_static(lambda t: getattr(vt.fft, name)(t, axis=axis, **options))
    wide = x.astype("complex128" if np.iscomplexobj(x) else "float64")
    wanted = getattr(np.fft, name)(wide, axis=axis, **options)
    for _ in range(2):
        _is_near(compiled(vt.to_tensor(x)).numpy(), wanted, dtype)
    assert any(k.startswith("fft_lines") for k in compiled.kernels), list(compiled.kernels)


@pytest.mark.parametrize(
    ("size", "dtype"),
    [
        (size, dtype)
        for k, size in enumerate(LENGTHS)
        for dtype in ("float32", "float64")
        if dtype == "float32" or k % 2
    ],
)
def test_lengths(size: int, dtype: str) -> None:
    """Each transform over lines that lie differently in memory: all ways for one size, one in turn for the others."""
    shapes = (((5, size), 1), ((2, size, 3), 1), ((size, 40), 0))
    for k, name in enumerate(TRANSFORMS):
        if name in ("irfft", "hfft") and size == 1:
            continue
        for shape, axis in shapes if size == 6 else [shapes[(k + (dtype == "float64")) % 3]]:
            _check(name, shape, axis, dtype, norm=NORMS[k % 3])


@pytest.mark.parametrize("name", TRANSFORMS)
@pytest.mark.parametrize("size", LONG)
def test_long_lines(size: int, name: str) -> None:
    _check(name, (2, size), 1, "float32")


@pytest.mark.parametrize("shape", [(37, 16), (1, 16), (3, 16, 33), (16, 1)])
def test_blocks_that_are_not_full(shape: tuple[int, ...]) -> None:
    axis = 0 if shape[0] == 16 else 1
    for name in TRANSFORMS:
        _check(name, shape, axis, "float32")


@pytest.mark.parametrize("name", TRANSFORMS)
def test_cut_and_filled(name: str) -> None:
    for n in (1, 5, 8, 20):
        _check(name, (3, 9), 1, "float64", n=n)


@pytest.mark.parametrize("norm", NORMS)
@pytest.mark.parametrize("name", ["fftn", "ifftn", "rfftn", "irfftn", "hfftn", "ihfftn"])
def test_several_axes_and_their_gradients(name: str, norm: str) -> None:
    x = _numbers((4, 6, 5), "float64", whole=name not in ("rfftn", "ihfftn"))

    def fn(t: Any) -> Any:
        made = getattr(vt.fft, name)(t, axes=[0, 2], norm=norm)
        return made, vt.grad((vt.abs(made) ** 2).sum(), [t])[0]

    t = vt.to_tensor(x, stop_gradient=False)
    compiled = vt.to_static(fn)
    for found, wanted in zip(compiled(t), fn(t), strict=True):
        np.testing.assert_allclose(found.numpy(), wanted.numpy(), rtol=1e-11, atol=1e-12)


@pytest.mark.parametrize("size", [1, 2, 7, 8, 127, 200])
@pytest.mark.parametrize("name", ["fft", "rfft", "irfft"])
def test_gradients(name: str, size: int) -> None:
    if name == "irfft" and size == 1:
        return
    x = _numbers((3, size), "float64", whole=name != "rfft")

    def fn(t: Any) -> Any:
        return vt.grad((vt.abs(getattr(vt.fft, name)(t)) ** 3).sum(), [t])[0]

    t = vt.to_tensor(x, stop_gradient=False)
    found, wanted = vt.to_static(fn)(t).numpy(), fn(t).numpy()
    np.testing.assert_allclose(found, wanted, rtol=1e-10, atol=1e-10 * np.abs(wanted).max())


def test_lines_that_are_not_finite_leave_the_others_alone() -> None:
    for size in (8, 100, 127):
        x = _numbers((40, size), "float32", whole=False)
        x[3, 1], x[17, 0], x[20, -1] = np.nan, np.inf, -np.inf
        with np.errstate(all="ignore"):
            wanted = np.fft.rfft(x.astype("float64"))
        found = vt.to_static(lambda t: vt.fft.rfft(t))(vt.to_tensor(x)).numpy()
        odd = [3, 17, 20]
        assert not np.isfinite(found[odd]).any()
        np.testing.assert_allclose(np.delete(found, odd, 0), np.delete(wanted, odd, 0), atol=2e-5)


def test_no_lines() -> None:
    for shape in ((0, 8), (3, 8, 0)):
        x = vt.zeros(list(shape))
        found = vt.to_static(lambda t: vt.fft.rfft(t, axis=1))(x)
        assert found.shape == [*shape[:1], 5, *shape[2:]]


def test_run_time_sizes() -> None:
    """Any number of lines is one kernel; a length that only a run knows is NumPy's."""
    lines = vt.to_static(lambda t: vt.fft.rfft(t), input_spec=[vt.InputSpec([None, 12], "float32")])
    columns = vt.to_static(lambda t: vt.fft.fft(t, axis=0), input_spec=[vt.InputSpec([12, None], "float32")])
    free = vt.to_static(lambda t: vt.fft.fft(t), input_spec=[vt.InputSpec([2, None], "float32")])
    assert "fft_lines_half" in lines.kernels and "fft_lines_complex" in columns.kernels
    assert not any(k.startswith("fft_lines") for k in free.kernels)
    for n in (1, 5, 70):
        x = _numbers((n, 12), "float32", whole=False)
        np.testing.assert_allclose(lines(vt.to_tensor(x)).numpy(), np.fft.rfft(x), atol=1e-5)
        y = np.ascontiguousarray(x.T)
        np.testing.assert_allclose(columns(vt.to_tensor(y)).numpy(), np.fft.fft(y, axis=0), atol=1e-5)
        z = _numbers((2, n), "float32", whole=False)
        np.testing.assert_allclose(free(vt.to_tensor(z)).numpy(), np.fft.fft(z), atol=1e-4)


def test_any_number_of_threads_gives_the_same_bits() -> None:
    x = vt.to_tensor(_numbers((300, 400), "float32", whole=False))
    compiled, before = vt.to_static(lambda t: vt.fft.rfft(t)), vt.get_num_threads()
    try:
        found = []
        for threads in (1, 2, 3):
            vt.set_num_threads(threads)
            found.append(compiled(x).numpy())
    finally:
        vt.set_num_threads(before)
    np.testing.assert_array_equal(found[0], found[1])
    np.testing.assert_array_equal(found[0], found[2])


def test_a_spectrogram_is_not_numpys() -> None:
    def fn(sound: Any, window: Any) -> Any:
        return vt.log(vt.abs(vt.signal.stft(sound, 64, 16, window=window)) ** 2 + 1e-6)

    sound, window = vt.randn([2, 500]), vt.to_tensor(np.hanning(64).astype("float32"))
    compiled = vt.to_static(fn)
    np.testing.assert_allclose(compiled(sound, window).numpy(), fn(sound, window).numpy(), rtol=1e-3, atol=1e-3)
    assert "fft_lines_half" in compiled.kernels


def test_in_a_loop() -> None:
    """Steps of a wave by its spectrum: the loop's body has kernels only."""

    def fn(x: Any, count: Any) -> Any:
        for _ in range(count):
            x = vt.fft.irfft(vt.fft.rfft(x) * 0.9, 16)
        return x

    x = vt.randn([4, 16])
    compiled = vt.to_static(fn)
    for n in (0, 1, 5):
        np.testing.assert_allclose(compiled(x, vt.to_tensor(n)).numpy(), 0.9**n * x.numpy(), atol=1e-5)


def test_plans() -> None:
    for n in range(1, 600):
        if is_smooth(n):
            radices = [radix for radix, _, _ in passes(n)]
            assert int(np.prod(radices)) == n
            assert max(radices) <= 16
