"""Results that a later sweep over the same row needs are read where they were stored, so that they may replace an input."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify.runtime.schedule.program_steps import CopyStep, KernelStep


def _steps(function: Any) -> list[Any]:
    found: list[Any] = function._last.runner.executable.steps.steps
    return found


def _scaled_by_its_norm(state: vt.Tensor, x: vt.Tensor) -> vt.Tensor:
    state.set_value(state * 0.5 + x)
    return state / (state * state).sum(-1, keepdim=True)


def _centred(state: vt.Tensor, x: vt.Tensor) -> vt.Tensor:
    state.set_value(state + x)
    return x * 2.0 - state.mean(-1, keepdim=True) * state


@pytest.mark.parametrize("rows", [1, 5])
@pytest.mark.parametrize("function", [_scaled_by_its_norm, _centred], ids=lambda f: f.__name__.strip("_"))
def test_updated_state_that_a_reduction_reads_is_written_in_place(
    function: Callable[[vt.Tensor, vt.Tensor], vt.Tensor], rows: int
) -> None:
    rng = np.random.default_rng(0)
    start, x = (rng.normal(size=(rows, 200)).astype("float32") for _ in range(2))
    eager, compiled = vt.to_tensor(start), vt.to_tensor(start)
    step = vt.to_static(lambda x: function(compiled, x))
    for _ in range(3):
        wanted, made = function(eager, vt.to_tensor(x)), step(vt.to_tensor(x))
        np.testing.assert_allclose(made.numpy(), wanted.numpy(), rtol=2e-5, atol=1e-6)
        np.testing.assert_allclose(compiled.numpy(), eager.numpy(), rtol=2e-6, atol=1e-6)
    assert not [s for s in _steps(step) if isinstance(s, CopyStep)]


def test_lamb_copies_no_moments() -> None:
    rng = np.random.default_rng(1)
    values = [rng.normal(size=(16, 8)).astype("float32") for _ in range(4)]

    def train(compile_it: bool) -> tuple[Any, list[Any]]:
        params = [vt.create_parameter([16, 8], "float32") for _ in range(2)]
        for p, v, g in zip(params, values, values[2:], strict=False):
            p.set_value(v)
            p.grad = vt.to_tensor(g)
        opt = vt.optimizer.Lamb(0.01, parameters=params)
        step = vt.to_static(lambda: opt.step()) if compile_it else opt.step
        for _ in range(4):
            step()
        return step, [p.numpy() for p in params]

    _, wanted = train(False)
    step, made = train(True)
    for a, b in zip(made, wanted, strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-5, atol=1e-6)
    steps = _steps(step)
    assert not [s for s in steps if isinstance(s, CopyStep)]
    assert len([s for s in steps if isinstance(s, KernelStep)]) == 3


def test_a_result_does_not_replace_an_input_that_a_later_sweep_reads() -> None:
    def products(x: vt.Tensor, w: vt.Tensor) -> tuple[vt.Tensor, ...]:
        a = x @ w
        doubled, shifted = a * 2.0, a - a.max(1, keepdim=True)
        return doubled @ w, shifted @ w, vt.exp(shifted) / vt.exp(shifted).sum(1, keepdim=True)

    rng = np.random.default_rng(2)
    x, w = (vt.to_tensor(rng.standard_normal((64, 64)).astype("float32")) for _ in range(2))
    for found, wanted in zip(vt.to_static(products)(x, w), products(x, w), strict=True):
        np.testing.assert_allclose(found.numpy(), wanted.numpy(), rtol=2e-4, atol=2e-4)
