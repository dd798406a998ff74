"""Reshapes between elementwise operations and reductions: no kernel ends at them, values are those of eager mode."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import vitrify as vt
import vitrify.nn.functional as F
from vitrify.passes.layout.move_reshapes import Grouping

SHAPE = (4, 6, 10, 14)


def _standardised(x: Any) -> Any:
    z = vt.flatten(x, 2)
    return (z - z.mean(-1, keepdim=True)) / vt.sqrt(z.var(-1, keepdim=True) + 1e-5)


def _loop(x: Any, y: Any) -> Any:
    total = vt.zeros([x.shape[0]], x.dtype)
    for _ in range(3):
        total = total + vt.flatten(x * y, 1).sum(1)
    return total


PROGRAMS: dict[str, Callable[[Any, Any, Any], Any]] = {
    "elementwise": lambda x, y, b: vt.exp(vt.reshape(x * y, [x.shape[0], 6, 140])) + 1.0,
    "sum of a row": lambda x, y, b: vt.flatten(x * y + b, 1).sum(1),
    "sum of all": lambda x, y, b: vt.reshape(vt.square(x - y), [-1]).mean(),
    "softmax": lambda x, y, b: F.softmax(vt.flatten(x * y + b, 2), -1),
    "logsumexp": lambda x, y, b: vt.logsumexp(vt.flatten(x * y, 1), 1),
    "standardised": lambda x, y, b: _standardised(x * y),
    "there and back": lambda x, y, b: vt.reshape(vt.exp(vt.reshape(x * y, [x.shape[0], -1])), list(x.shape)) * b,
    "groups": lambda x, y, b: vt.reshape(x * b + y, [x.shape[0], 2, 3, 10, 14]).mean([2, 3, 4]),
    "groups and rows": lambda x, y, b: vt.reshape(vt.tanh(x) * y, [x.shape[0], 2, 3, 140]).max(2),
    "a part of a broadcast axis": lambda x, y, b: vt.reshape(x * b, [x.shape[0], 2, 3, 140]).sum(3),
    "read twice": lambda x, y, b: (lambda z: vt.flatten(z, 2).sum(-1) + z.max([2, 3]))(x * y),
    "axes of one": lambda x, y, b: vt.reshape(vt.unsqueeze(x * y, 1), [x.shape[0], 6, 1, 140]).sum([1, 3]),
    "joined and parted": lambda x, y, b: vt.exp(vt.reshape(x * y, [x.shape[0], 12, 5, 14])).sum(1),
    "numbers in order": lambda x, y, b: x * vt.arange(x.shape[0] * 6, dtype=x.dtype).reshape([x.shape[0], 6, 1, 1]),
    "numbers of elements": lambda x, y, b: (
        vt.exp(x * 0.1) + vt.reshape(vt.arange(x.numel(), dtype=x.dtype), list(x.shape))
    ),
    "ones": lambda x, y, b: vt.reshape(vt.ones([x.shape[0] * 6], x.dtype) * 2.0, [x.shape[0], 6, 1, 1]) * x,
    "in a loop": lambda x, y, b: _loop(x, y),
}


def _given(batch: int, dtype: str) -> list[Any]:
    rng = np.random.default_rng(batch)
    shape = (batch, *SHAPE[1:])
    return [vt.to_tensor(rng.standard_normal(s).astype(dtype)) for s in (shape, shape, (6, 1, 1))]


@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize("name", PROGRAMS)
def test_values_and_gradients_are_those_of_eager_mode(name: str, dtype: str) -> None:
    """Batches of other sizes, too: from the second on their size is a symbol."""
    program, compiled = PROGRAMS[name], vt.to_static(PROGRAMS[name])
    tolerance = 2e-5 if dtype == "float32" else 1e-12
    for batch in (4, 3, 7):
        found = []
        for function in (program, compiled):
            given = _given(batch, dtype)
            for x in given:
                x.stop_gradient = False
            made = function(*given)
            (made * vt.tanh(made.detach() * 0.01)).sum().backward()
            found.append([made, *(x.grad for x in given)])
        for expected, got in zip(*found, strict=True):
            if expected is None:
                assert got is None
                continue
            np.testing.assert_allclose(got.numpy(), expected.numpy(), rtol=tolerance, atol=tolerance * 50)


@pytest.mark.parametrize(
    "name",
    [
        "elementwise",
        "sum of a row",
        "softmax",
        "standardised",
        "there and back",
        "groups",
        "groups and rows",
        "axes of one",
    ],
)
def test_no_kernel_ends_at_a_reshape(name: str) -> None:
    compiled = vt.to_static(PROGRAMS[name])
    compiled(*_given(4, "float32"))
    assert len(compiled.kernels) == 1


def test_what_ends_a_kernel_anyway_stays() -> None:
    """A convolution takes in what follows it in its own shape, and rows of few elements are read from memory."""
    x, w = vt.to_tensor(np.ones((2, 3, 8, 8), "float32")), vt.to_tensor(np.ones((4, 3, 3, 3), "float32"))
    layer = vt.to_static(lambda x, w: vt.reshape(F.relu(F.conv2d(x, w)), [2, 2, 2, 36]).sum(2))
    layer(x, w)
    assert "relu" in next(iter(layer.kernels)) or any("conv2d" in k and "relu" in k for k in layer.kernels)
    pooled = vt.to_static(lambda x: vt.reshape(F.relu(x + 1.0), [2, 3, 4, 2, 4, 2]).max([3, 5]))
    pooled(x)
    assert len(pooled.kernels) == 2


def test_axes_are_grouped_as_finely_as_sizes_tell() -> None:
    found = Grouping.of((4, 6, 10, 14), (4, 2, 3, 140))
    assert found is not None
    assert found.pairs == (((0, 1), (0, 1)), ((1, 2), (1, 3)), ((2, 4), (3, 4)))
    assert found.taken((6, 1, 1)) == (1, 2, 3, 1)
    assert found.taken((10, 14)) == (1, 1, 1, 140)
    assert found.taken((14,)) is None
    assert found.axes([2, 3]) == (3,)
    assert found.axes([3]) is None
    back = Grouping.of((4, 2, 3, 140), (4, 6, 10, 14))
    assert back is not None
    assert back.axes([1]) is None
    assert back.axes([1, 2]) == (1,)
    assert Grouping.of((0, 3), (0, 5)) is None


@pytest.mark.parametrize("shape", [(65536, 16), (300_000,), (1000, 8, 50), (7, 50_000)])
@pytest.mark.parametrize("threads", [1, 2])
def test_sums_of_large_arrays_are_shared_whatever_their_rows(shape: tuple[int, ...], threads: int) -> None:
    rng = np.random.default_rng(3)
    x, b = rng.standard_normal(shape), rng.standard_normal(shape[-1:])
    before = vt.get_num_threads()
    vt.set_num_threads(threads)
    try:
        compiled = vt.to_static(lambda x, b: (vt.square(x - b).sum(), vt.max(x), vt.mean(x, keepdim=True)))
        squares, most, mean = compiled(vt.to_tensor(x), vt.to_tensor(b))
    finally:
        vt.set_num_threads(before)
    np.testing.assert_allclose(squares.numpy(), ((x - b) ** 2).sum(), rtol=1e-12)
    assert most.numpy() == x.max()
    assert list(mean.shape) == [1] * len(shape)
    np.testing.assert_allclose(mean.numpy().item(), x.mean(), rtol=1e-9)
    assert sum("max" in name for name in compiled.kernels) == 2
