"""Loaded models inside captured functions: their program becomes part of the caller's, with sizes, gradients and state."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify.errors import DTypeError, ShapeError
from vitrify.static import InputSpec

ROWS = np.arange(12, dtype=np.float32).reshape(4, 3) / 6 - 0.7


class Branching(vt.nn.Layer):
    def __init__(self):
        super().__init__()
        self.first = vt.nn.Linear(3, 3)
        self.norm = vt.nn.BatchNorm1D(3)

    def forward(self, x):
        y = self.norm(self.first(x))
        if x.sum() > 0:
            y = y * 2
        k = x.sum() * 0
        while k < 2:
            y = y + x * k
            k = k + 1
        return y, x.shape[0] * 1.0


class Cubed(vt.autograd.PyLayer):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return x**3

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensor()
        return g * 3 * x**2


class WithPyLayer(vt.nn.Layer):
    def forward(self, x):
        return Cubed.apply(x) if x.sum() > 0 else x * 2


def saved(layer: Any, path: Path, **options: Any) -> Any:
    vt.seed(3)
    compiled = vt.jit.to_static(layer, input_spec=[InputSpec([None, 3], "float32", name="x")])
    vt.jit.save(compiled, str(path / "model"))
    return vt.jit.load(str(path / "model"), **options)


def outcome(fn: Any, layer: Any, rows: Any) -> list[Any]:
    x = vt.to_tensor(rows, stop_gradient=False)
    out = fn(x)
    out.sum().backward()
    found = [out.numpy(), x.grad.numpy(), *(p.grad.numpy() for p in layer.parameters() if not p.stop_gradient)]
    layer.clear_gradients(set_to_zero=False)
    return found


@pytest.mark.parametrize("training", [True, False], ids=["train", "eval"])
def test_inlined_equals_called(tmp_path: Path, training: bool) -> None:
    layer = Branching()
    if not training:
        layer.eval()
    loaded = saved(layer, tmp_path)

    def twice(x: Any) -> Any:
        y, _ = loaded(x)
        z, n = loaded(y * 0.5)
        return z * n if x[0, 0] > -1 else y

    compiled = vt.to_static(twice)
    for rows in (ROWS, -ROWS, ROWS[:2], ROWS[:3]):
        for ours, theirs in zip(outcome(compiled, loaded, rows), outcome(twice, loaded, rows), strict=True):
            np.testing.assert_allclose(ours, theirs, rtol=2e-4, atol=2e-5)
    assert compiled.get_traced_count() <= 2, compiled.explain()


def test_backward_inside_and_an_optimiser(tmp_path: Path) -> None:
    losses = []
    for compiles in (False, True):
        vt.seed(3)  # the same weights for both
        loaded = saved(Branching(), tmp_path)
        opt = vt.optimizer.SGD(0.1, parameters=loaded.parameters())

        def step(x: Any, loaded: Any = loaded, opt: Any = opt) -> Any:
            loss = (loaded(x)[0] ** 2).mean()
            loss.backward()
            opt.step()
            opt.clear_grad()
            return loss.detach()

        fn = vt.to_static(step) if compiles else step
        losses.append([float(fn(vt.to_tensor(ROWS))) for _ in range(4)])
    np.testing.assert_allclose(losses[1], losses[0], rtol=1e-4)


def test_calls_back_into_python(tmp_path: Path) -> None:
    loaded = saved(WithPyLayer(), tmp_path, callbacks={"Cubed": Cubed})
    compiled = vt.to_static(lambda x: loaded(x) + loaded(x * 2))
    for rows in (np.abs(ROWS), -np.abs(ROWS)):
        wanted = outcome(lambda x: loaded(x) + loaded(x * 2), loaded, rows)
        for ours, theirs in zip(outcome(compiled, loaded, rows), wanted, strict=True):
            np.testing.assert_allclose(ours, theirs, rtol=1e-4)


def test_arguments_that_do_not_fit(tmp_path: Path) -> None:
    loaded = saved(Branching(), tmp_path)
    fn = vt.to_static(lambda x: loaded(x)[0])
    with pytest.raises(ShapeError, match="x must be"):
        fn(vt.ones([2, 4]))
    with pytest.raises(DTypeError, match="x must be"):
        fn(vt.ones([2, 3], dtype="float64"))
