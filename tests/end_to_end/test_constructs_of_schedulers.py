"""`scheduler.step()` inside a compiled step happens in each call, on the path taken."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import vitrify as vt

UP = np.array([1.0, 2.0, 3.0], np.float32)
DOWN = -UP

SCHEDULERS = {
    "steps": lambda: vt.optimizer.lr.StepDecay(0.1, step_size=2, gamma=0.5),
    "warm": lambda: vt.optimizer.lr.LinearWarmup(vt.optimizer.lr.ExponentialDecay(0.1, 0.9), 3, 0.0, 0.1),
    "plateau": lambda: vt.optimizer.lr.ReduceOnPlateau(0.1, patience=1, factor=0.5),
}


@pytest.mark.parametrize("under_a_test", [False, True], ids=["always", "on one path"])
@pytest.mark.parametrize("name", SCHEDULERS)
def test_a_scheduler_inside_of_the_compiled_step(name: str, under_a_test: bool) -> None:
    def train(compiles: bool) -> list[Any]:
        weight = vt.to_tensor(UP, stop_gradient=False)
        rate = SCHEDULERS[name]()
        opt = vt.optimizer.SGD(rate, parameters=[weight])
        other = vt.optimizer.SGD(0.5, parameters=[weight])

        def advance(loss):
            if name == "plateau":
                rate.step(loss)
            else:
                rate.step()

        def step(x):
            loss = ((weight * x) ** 2).sum()
            loss.backward()
            opt.step()
            opt.clear_grad()
            if under_a_test:
                if x.sum() > 0:
                    advance(loss)
            else:
                advance(loss)
            return loss.detach()

        fn = vt.to_static(step) if compiles else step
        found = []
        for k in range(8):
            if k == 4:
                other.set_lr_scheduler(rate)
            loss = fn(vt.to_tensor(UP * 0.5 if k % 3 else DOWN * 0.5))
            found.append((float(loss), rate.last_epoch, rate.last_lr, opt.get_lr(), float(other._lr_tensor)))
        if compiles:
            assert fn.get_traced_count() <= 2, fn.explain()
        return found

    for ours, theirs in zip(train(True), train(False), strict=True):
        assert ours == pytest.approx(theirs, rel=1e-5)
