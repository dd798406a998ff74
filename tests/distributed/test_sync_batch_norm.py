"""SyncBatchNorm on n ranks gives what one rank gets from the whole batch: results, gradients, running statistics."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify import distributed as dist

DATA = np.random.default_rng(3).standard_normal((12, 3, 4, 2)).astype("float32") * 3 + 50
PARTS = {1: [12], 2: [6, 6], 3: [5, 1, 6], 4: [3, 3, 3, 3]}


def trained(sizes: list[int], compiled: bool, kind: str, form: str) -> tuple[Any, ...]:
    """On this rank: its result, the gradient of its part, and the layer after two steps."""
    rank = dist.get_rank()
    start = sum(sizes[:rank])
    part = DATA[start : start + sizes[rank]].astype(kind)
    part = part if form == "NCHW" else np.ascontiguousarray(part.transpose(0, 2, 3, 1))
    layer = vt.nn.SyncBatchNorm(3, momentum=0.8, data_format=form)
    layer.weight.set_value(np.array([0.5, 1.0, -2.0], "float32"))
    layer.to(dtype=kind)

    def step(x: Any) -> Any:
        y = layer(x)
        (y * y * y + y.sin()).sum().backward()
        return y

    call = vt.to_static(step) if compiled else step
    for _ in range(2):
        x = vt.to_tensor(part, stop_gradient=False)
        layer.clear_gradients()
        y = call(x)
    for p in (layer.weight, layer.bias):
        dist.all_reduce(p.grad)
    return tuple(t.numpy() for t in (y, x.grad, layer.weight.grad, layer.bias.grad, layer._mean, layer._variance))


@pytest.mark.parametrize("compiled", [False, True], ids=["eager", "compiled"])
@pytest.mark.parametrize("ranks", [2, 3, 4])
@pytest.mark.parametrize("form", ["NCHW", "NHWC"])
def test_ranks_together_are_one(ranks: int, compiled: bool, form: str) -> None:
    (whole,) = dist.run_ranks(trained, PARTS[1], compiled, "float64", form, ranks=1)
    found = dist.run_ranks(trained, PARTS[ranks], compiled, "float64", form, ranks=ranks)
    for k in range(2):
        np.testing.assert_allclose(np.concatenate([f[k] for f in found]), whole[k], rtol=1e-9, atol=1e-9)
    for k in range(2, 6):
        for f in found:
            np.testing.assert_allclose(f[k], whole[k], rtol=1e-9, atol=1e-9)
            np.testing.assert_array_equal(f[k], found[0][k])


def test_short_floats_are_normalised_in_float32() -> None:
    def run() -> Any:
        layer = vt.nn.SyncBatchNorm(3)
        return layer(vt.to_tensor(DATA.astype("float16"))).numpy()

    one, _ = dist.run_ranks(run, ranks=2)
    assert one.dtype == np.float16
    np.testing.assert_allclose(one.astype("float32").mean((0, 2, 3)), 0, atol=2e-3)
    np.testing.assert_allclose(one.astype("float32").std((0, 2, 3)), 1, atol=2e-3)


def test_evaluation_exchanges_nothing() -> None:
    def run() -> Any:
        layer = vt.nn.SyncBatchNorm(3)
        layer.eval()
        return layer(vt.to_tensor(DATA)).numpy() if dist.get_rank() == 0 else None

    one, _ = dist.run_ranks(run, ranks=2)
    np.testing.assert_allclose(one, DATA / np.sqrt(1 + 1e-5), rtol=1e-6)


def test_a_rank_that_leaves_it_out_is_named() -> None:
    def run() -> Any:
        if dist.get_rank() == 0:
            vt.nn.SyncBatchNorm(3)(vt.to_tensor(DATA))

    with pytest.raises(vt.errors.ExchangeError, match="has ended"):
        dist.run_ranks(run, ranks=2)
