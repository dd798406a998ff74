"""Arguments that say how often something is done: ints of any size, and the sizes of captured functions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify.errors import ArgumentError, CaptureError, KindError, MemoryLimitError, ShapeError

F = vt.nn.functional
HUGE = 1 << 70
VALUES = {
    "line": [4],
    "signals": [1, 2, 8],
    "images": [1, 2, 8, 8],
    "volumes": [1, 2, 4, 4, 4],
    "nothing": [2, 0],
    "square": [3, 3],
}
Call = Callable[[Any], Any]
REFUSED: dict[str, tuple[str, Call, type[Exception], str]] = {
    "adaptive_avg_pool1d": ("signals", lambda x: F.adaptive_avg_pool1d(x, HUGE), ArgumentError, "at most 65536"),
    "adaptive_avg_pool2d": ("images", lambda x: F.adaptive_avg_pool2d(x, 1 << 40), ArgumentError, "at most 65536"),
    "adaptive_avg_pool3d": ("volumes", lambda x: F.adaptive_avg_pool3d(x, HUGE), ArgumentError, "at most 65536"),
    "adaptive_max_pool1d": ("signals", lambda x: F.adaptive_max_pool1d(x, HUGE), ArgumentError, "at most 65536"),
    "adaptive_max_pool2d": ("images", lambda x: F.adaptive_max_pool2d(x, [HUGE, 2]), ArgumentError, "at most 65536"),
    "adaptive_max_pool3d": ("volumes", lambda x: F.adaptive_max_pool3d(x, HUGE), ArgumentError, "at most 65536"),
    "fftfreq": ("line", lambda x: vt.fft.fftfreq(HUGE), ArgumentError, f"at most {2**63 - 1}"),
    "fftfreq without memory": ("line", lambda x: vt.fft.fftfreq(1 << 50), MemoryLimitError, "8.0 PiB"),
    "rfftfreq": ("line", lambda x: vt.fft.rfftfreq(1 << 62), MemoryLimitError, "more bytes than can be addressed"),
    "polygamma": ("line", lambda x: vt.polygamma(x, HUGE), ArgumentError, "n must be at most 170"),
    "polygamma of 171": ("line", lambda x: vt.polygamma(x, 171), ArgumentError, "n must be at most 170"),
    "polygamma of a float": ("line", lambda x: vt.polygamma(x, 1.5), KindError, "n must be an int, not 1.5"),
    "round": ("line", lambda x: vt.round(x, 400), ArgumentError, "decimals must be at most 308"),
    "round down": ("line", lambda x: vt.round(x, -HUGE), ArgumentError, "decimals must be at least -308"),
    "combinations": ("line", lambda x: vt.combinations(x, HUGE), ArgumentError, "r must be at most"),
    "combinations of too many": ("line", lambda x: vt.combinations(x, 1 << 62), ShapeError, "beside the 0"),
    "combinations that come again": (
        "line", lambda x: vt.combinations(x, 1 << 40, True), MemoryLimitError, "more bytes than can be addressed",
    ),
    "hsplit": ("line", lambda x: vt.hsplit(x, HUGE), ArgumentError, "parts must be at most 65536"),
    "tensor_split": ("nothing", lambda x: vt.tensor_split(x, 10**9, 1), ArgumentError, "parts must be at most 65536"),
    "split": ("nothing", lambda x: vt.split(x, 10**8, axis=1), ArgumentError, "parts must be at most 65536"),
    "chunk": ("nothing", lambda x: vt.chunk(x, 10**8, axis=1), ArgumentError, "parts must be at most 65536"),
    "vander": ("line", lambda x: vt.vander(x, 10**9), ArgumentError, "n must be at most 65536"),
    "diag": ("square", lambda x: vt.diag(x, 2.5), KindError, "diag: offset must be an int, not 2.5"),
    "diagflat": ("line", lambda x: vt.diagflat(x, 2.5), KindError, "diag: offset must be an int, not 2.5"),
    "diag_embed": ("line", lambda x: vt.diag_embed(x, 2.5), KindError, "diag_embed: offset must be an int, not 2.5"),
    "trace": ("square", lambda x: vt.trace(x, 2.5), KindError, "diagonal: offset must be an int, not 2.5"),
    "diagonal_scatter": (
        "square", lambda x: vt.diagonal_scatter(x, x[0], 2.5), KindError, "offset must be an int, not 2.5",
    ),
    "triu": ("square", lambda x: vt.triu(x, 2.5), KindError, "diagonal of a triangle must be an int, not 2.5"),
    "multigammaln": ("line", lambda x: vt.multigammaln(x, 10**9), ArgumentError, "p must be at most 65536"),
}  # fmt: skip


@pytest.mark.parametrize("mode", ["eager", "compiled"])
@pytest.mark.parametrize("name", REFUSED)
def test_numbers_beyond_reason_are_refused_alike(name: str, mode: str) -> None:
    operand, call, error, says = REFUSED[name]
    fn = vt.to_static(call) if mode == "compiled" else call
    with pytest.raises(error, match=says):
        fn(vt.ones(VALUES[operand]))


def test_as_many_parts_as_there_are_elements() -> None:
    count = 70_000
    assert len(vt.split(vt.zeros([count]), count)) == count
    assert [p.shape for p in vt.tensor_split(vt.ones([2]), 4)] == [[1], [1], [0], [0]]
    assert vt.combinations(vt.ones([2]), 3).shape == [0, 3]
    assert np.isfinite(vt.polygamma(vt.to_tensor([200.0], dtype="float64"), 170).numpy()).all()


SIZED: dict[str, Call] = {
    "matrix_power": lambda x: vt.linalg.matrix_power(x @ x.T * 0.01, x.shape[0]),
    "frame": lambda x: vt.signal.frame(x[0], x.shape[0], 1),
    "hop": lambda x: vt.signal.frame(x[0], 2, x.shape[0]),
    "pixel_shuffle": lambda x: F.pixel_shuffle(vt.ones([1, 36, 1, 2]), x.shape[0]),
    "channel_shuffle": lambda x: F.channel_shuffle(vt.ones([1, 6, 1, 2]), x.shape[0]),
    "polygamma": lambda x: vt.polygamma(x, x.shape[0]),
    "multigammaln": lambda x: vt.multigammaln(x + 9.0, x.shape[0]),
    "combinations": lambda x: vt.combinations(x[0], x.shape[0]),
    "combinations of rows": lambda x: vt.combinations(x[:, 0], 2),
    "vander": lambda x: vt.vander(x[:, 0]),
    "tensor_split": lambda x: vt.concat(vt.tensor_split(x, 2)[::-1]),
    "unbind": lambda x: sum(vt.unbind(x, 0)),
    "chunk": lambda x: vt.concat(vt.chunk(x, x.shape[0], axis=0)[::-1]),
    "kthvalue": lambda x: vt.kthvalue(x, x.shape[0])[0],
    "unfold": lambda x: x.unfold(1, x.shape[0], 1),
}


@pytest.mark.parametrize("name", SIZED)
def test_a_size_that_must_be_a_number(name: str) -> None:
    call = SIZED[name]
    fn = vt.to_static(call, input_spec=[vt.InputSpec([None, 6])])
    for rows in (2, 3, 2):
        x = vt.arange(rows * 6, dtype="float32").reshape([rows, 6]) + 1.0
        np.testing.assert_allclose(fn(x).numpy(), call(x).numpy(), rtol=1e-5)


@pytest.mark.parametrize("name", SIZED)
def test_a_size_without_a_number(name: str) -> None:
    fn = vt.to_static(SIZED[name], input_spec=[vt.InputSpec([None, 6])])
    with pytest.raises(CaptureError, match=r"declare the size as a number in the InputSpec"):
        fn.concrete_program
