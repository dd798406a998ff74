"""Rows whose kernels must know a size get a program for each, up to a limit; later sizes share one that is open."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify.jit.call.known_sizes import MOST

LENGTHS = [12, 20, 9, 7, 16, 32, 5, 10, 11, 13, 12, 15]


@pytest.fixture(autouse=True)
def no_warning() -> Iterator[None]:
    before = vt.jit.set_recompile_limit(None)
    yield
    vt.jit.set_recompile_limit(before)


def lines(n: int, rows: int = 3, seed: int = 0) -> Any:
    return vt.to_tensor(np.random.default_rng(seed + n).normal(size=(rows, n)))


def spectrum(x: Any) -> Any:
    return vt.abs(vt.fft.rfft(x)).sum(-1)


def there_and_back(x: Any) -> Any:
    return vt.fft.irfft(vt.fft.rfft(x) * 2, n=x.shape[-1])


def longer(x: Any) -> Any:
    return vt.fft.rfft(x, n=2 * x.shape[1]).imag()


def planes(x: Any) -> Any:
    return vt.fft.fft2(x).real()


def open_lengths(compiled: Any) -> set[int]:
    """The lengths of calls that programs with an open size ran."""
    found = [e for e in compiled._entries() if not isinstance(e.trace.inputs.leaves[0].type.shape[1], int)]
    return {shapes[0][1] for entry in found for shapes in entry.runner.free}


@pytest.mark.parametrize("fn", [spectrum, there_and_back, longer, planes])
def test_each_length_has_a_program_until_there_are_too_many(fn: Callable[[Any], Any]) -> None:
    compiled = vt.to_static(fn)
    for k, n in enumerate(LENGTHS):
        x = lines(n)
        np.testing.assert_allclose(compiled(x).numpy(), fn(x).numpy(), rtol=1e-9, atol=1e-9)
        assert compiled.get_traced_count() == min(k, MOST) + 1, n
    made = compiled.get_traced_count()
    for n in LENGTHS + [17, 19, 21]:
        x = lines(n, seed=5)
        np.testing.assert_allclose(compiled(x).numpy(), fn(x).numpy(), rtol=1e-9, atol=1e-9)
    assert open_lengths(compiled) == {11, 13, 15, 17, 19, 21}
    assert compiled.get_traced_count() == made


def test_programs_that_know_a_length_are_made_of_kernels() -> None:
    compiled = vt.to_static(spectrum)
    for n in (256, 300, 512):
        compiled(lines(n))
        assert any("fft_lines" in name for name in compiled.kernels), n


def test_explain_names_the_row() -> None:
    compiled = vt.to_static(spectrum)
    for n in (8, 9, 10):
        compiled(lines(n))
    assert "axis 1 of x is 10 now: fft_r2c has a program for each size" in compiled.explain()


def test_other_axes_become_symbols() -> None:
    compiled = vt.to_static(spectrum)
    for rows, n in ((2, 8), (3, 8), (4, 8), (5, 8), (3, 12), (4, 12), (9, 12), (9, 8)):
        x = lines(n, rows)
        np.testing.assert_allclose(compiled(x).numpy(), spectrum(x).numpy())
    assert compiled.get_traced_count() == 3


def test_gradients_of_each_length() -> None:
    compiled = vt.to_static(spectrum)
    for n in (8, 9, 12, 9, 8):
        found = []
        for fn in (compiled, spectrum):
            x = lines(n)
            x.stop_gradient = False
            fn(x).sum().backward()
            found.append(x.grad.numpy())
        np.testing.assert_allclose(found[0], found[1], rtol=1e-9, atol=1e-9)


def test_sizes_that_the_user_leaves_open_stay_open() -> None:
    compiled = vt.to_static(spectrum, input_spec=[vt.InputSpec([3, None], "float64")])
    for n in (8, 9, 10):
        x = lines(n)
        np.testing.assert_allclose(compiled(x).numpy(), spectrum(x).numpy())
    assert compiled.get_traced_count() == 1


def test_a_saved_program_takes_every_length(tmp_path: Path) -> None:
    compiled = vt.to_static(spectrum)
    for n in (8, 9):
        compiled(lines(n))
    vt.jit.save(compiled, str(tmp_path / "m"), input_spec=[vt.InputSpec([None, None], "float64")])
    loaded = vt.jit.load(str(tmp_path / "m"))
    for n in (8, 30):
        np.testing.assert_allclose(loaded(lines(n)).numpy(), spectrum(lines(n)).numpy())


def test_functions_without_such_rows_have_one_program_for_all_sizes() -> None:
    compiled = vt.to_static(lambda x: (x * 2).sum(-1))
    for n in LENGTHS:
        compiled(lines(n))
    assert compiled.get_traced_count() == 2


def test_state_that_a_first_trace_made_is_made_once() -> None:
    class Net(vt.nn.Layer):  # type: ignore[misc]
        def forward(self, x: Any) -> Any:
            if not hasattr(self, "scale"):
                self.scale = vt.ones([1], "float64")
            return spectrum(x) * self.scale

    net = Net()
    compiled = vt.to_static(net)
    for n in (8, 9, 10, 8):
        np.testing.assert_allclose(compiled(lines(n)).numpy(), spectrum(lines(n)).numpy())
    assert net.scale.numpy().tolist() == [1.0]
