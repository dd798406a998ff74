"""Slow weights, averages of parameters, and minima by BFGS, against figures of PaddlePaddle 3.3.1."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify.errors import ArgumentError, CaptureError, ShapeError, StateError
from vitrify.incubate import LookAhead, ModelAverage
from vitrify.incubate.optimizer.functional.bfgs import minimize_bfgs
from vitrify.incubate.optimizer.functional.lbfgs import minimize_lbfgs


def parameter() -> Any:
    p = vt.create_parameter([2], "float32")
    p.set_value(np.array([1.0, 2.0], "float32"))
    return p


def training(p: Any, *optimizers: Any) -> Any:
    def step() -> None:
        (p * p).sum().backward()
        for optimizer in optimizers:
            optimizer.step()
        optimizers[0].clear_grad()

    return step


@pytest.mark.parametrize("compiled", [False, True])
def test_slow_weights(compiled: bool) -> None:
    p = parameter()
    ahead = LookAhead(vt.optimizer.SGD(0.1, parameters=[p]), alpha=0.2, k=3)
    step = training(p, ahead)
    step = vt.to_static(step) if compiled else step
    for wanted in (0.8, 0.64, 0.7424001, 0.5939201, 0.475136, 0.6699418, 0.5359535):
        step()
        np.testing.assert_allclose(p.numpy(), [wanted, 2 * wanted], rtol=1e-5)
    state = ahead.state_dict()
    np.testing.assert_allclose(state[f"{p.name}_slow_0"].numpy(), [0.6699418, 1.3398837], rtol=1e-5)
    other = LookAhead(vt.optimizer.SGD(0.1, parameters=[p]), alpha=0.2, k=3)
    other.set_state_dict(state)
    again = training(p, other)
    again()
    again()
    np.testing.assert_allclose(p.numpy()[0], 0.5359535 * 0.64 * 0.2 + 0.6699418 * 0.8, rtol=1e-5)


def test_minimize_with_slow_weights() -> None:
    p = parameter()
    ahead = LookAhead(vt.optimizer.SGD(0.1, parameters=[p]), alpha=0.5, k=1)
    loss = (p * p).sum()
    loss.backward()
    operations, pairs = ahead.minimize(loss)
    assert operations == [] and pairs[0][0] is p
    np.testing.assert_allclose(p.numpy(), [0.8, 1.6], rtol=1e-6)
    sgd = vt.optimizer.SGD(0.1, parameters=[p])
    for wrong in (lambda: LookAhead(None), lambda: LookAhead(sgd, alpha=2.0), lambda: LookAhead(sgd, k=0)):
        with pytest.raises(ArgumentError):
            wrong()


AVERAGES = (0.8, 0.72, 0.6506667, 0.4608, 0.4164266, 0.377856, 0.266513, 0.2418278, 0.2203058)


@pytest.mark.parametrize("compiled", [False, True])
def test_averages_of_parameters(compiled: bool) -> None:
    p = parameter()
    average = ModelAverage(0.5, parameters=[p], min_average_window=2, max_average_window=4)
    step = training(p, vt.optimizer.SGD(0.1, parameters=[p]), average)
    step = vt.to_static(step) if compiled else step
    for k, wanted in enumerate(AVERAGES):
        step()
        trained = p.numpy().copy()
        np.testing.assert_allclose(trained[0], 0.8 ** (k + 1), rtol=1e-5)
        with average.apply():
            np.testing.assert_allclose(p.numpy(), [wanted, 2 * wanted], rtol=1e-5)
        np.testing.assert_array_equal(p.numpy(), trained)
    state = {name: value.tolist() for name, value in average.state_dict().items() if name != "parameter_names"}
    assert state[f"{p.name}_num_accumulates_0"] == [2] and state[f"{p.name}_old_num_accumulates_0"] == [3]
    assert state[f"{p.name}_num_updates_0"] == [9]
    with average.apply(need_restore=False):
        pass
    np.testing.assert_allclose(p.numpy()[0], AVERAGES[-1], rtol=1e-5)
    average.restore()
    np.testing.assert_array_equal(p.numpy(), trained)


def test_long_sums_go_on_in_another_tensor(monkeypatch: pytest.MonkeyPatch) -> None:
    import importlib

    monkeypatch.setattr(importlib.import_module("vitrify.dygraph.optimizer.averages"), "_SUMMED", 2)
    p = parameter()
    average = ModelAverage(1.0, parameters=[p])
    step = training(p, average)
    for _ in range(5):
        step()
    state = average.state_dict()
    assert state[f"{p.name}_sum_1_0"].tolist() == [1.0, 2.0] and state[f"{p.name}_sum_2_0"].tolist() == [4.0, 8.0]
    with average.apply():
        assert p.tolist() == [1.0, 2.0]


def test_no_lbfgs_of_a_loss() -> None:
    p = parameter()
    with pytest.raises(NotImplementedError, match="closure"):
        vt.optimizer.LBFGS(parameters=[p]).minimize((p * p).sum())


def test_averages_before_a_step() -> None:
    average = ModelAverage(0.15, parameters=[parameter()])
    with pytest.raises(StateError, match="no average yet"), average.apply():
        pass


def square(x: Any) -> Any:
    return (x * x * vt.to_tensor([1.0, 2.0, 3.0], dtype=x.dtype)).sum() - x.sum()


def valley(x: Any) -> Any:
    return (1 - x[0]) ** 2 + 100 * (x[1] - x[0] ** 2) ** 2


@pytest.mark.parametrize("minimize", [minimize_bfgs, minimize_lbfgs])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_minima_of_functions(minimize: Any, dtype: str) -> None:
    start = vt.to_tensor([1.0, 2.0, 3.0], dtype=dtype)
    converged, calls, place, value, gradient, *inverse = minimize(square, start, dtype=dtype)
    assert converged.shape == calls.shape == [1] and str(calls.dtype).endswith("int64")
    np.testing.assert_allclose(place.numpy(), [0.5, 0.25, 1 / 6], rtol=1e-4)
    np.testing.assert_allclose(float(value), -0.4583333, rtol=1e-6)
    assert place.dtype == gradient.dtype == dtype and abs(gradient.numpy()).max() < 1e-4
    found = minimize(valley, vt.to_tensor([-1.2, 1.0], dtype=dtype), dtype=dtype)
    np.testing.assert_allclose(found[2].numpy(), [1.0, 1.0], rtol=1e-2)
    if inverse and dtype == "float64":
        assert bool(converged) and inverse[0].shape == [3, 3]
        np.testing.assert_allclose(inverse[0].numpy(), inverse[0].numpy().T, atol=1e-12)


def test_settings_of_minima() -> None:
    start = vt.to_tensor([1.0, 2.0, 3.0])
    converged, calls, *_ = minimize_bfgs(square, start, max_iters=1, initial_inverse_hessian_estimate=vt.eye(3) * 0.5)
    assert not bool(converged) and int(calls) >= 2
    assert bool(minimize_lbfgs(square, vt.to_tensor([0.5, 0.25, 1 / 6]), tolerance_grad=1e-3)[0])
    for error, settings in (
        (ArgumentError, {"dtype": "int32"}),
        (ArgumentError, {"line_search_fn": "none"}),
        (ArgumentError, {"initial_inverse_hessian_estimate": vt.to_tensor([[1.0, 2.0, 0.0], [0, 1, 0], [0, 0, 1]])}),
        (ShapeError, {"initial_inverse_hessian_estimate": vt.eye(2)}),
    ):
        with pytest.raises(error):
            minimize_bfgs(square, start, **settings)
    with pytest.raises(ShapeError, match="one axis"):
        minimize_bfgs(square, start.reshape([1, 3]))
    with pytest.raises(CaptureError, match="minimised"):
        vt.to_static(lambda x: minimize_bfgs(square, x)[2])(start)
