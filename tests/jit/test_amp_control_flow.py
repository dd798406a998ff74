"""Control flow, state and lists of captured functions under `auto_cast`, opened inside the function or around its call."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify import nn


def branch(x: Any, w: Any, kept: Any) -> Any:
    y = x @ w
    if y.mean() > 0.2:
        y = y - 0.2
    return y


def loop(x: Any, w: Any, kept: Any) -> Any:
    count = 0
    while (x * x).sum() < 50.0:
        x = x @ w + x
        count += 1
    return x, count


def rows(x: Any, w: Any, kept: Any) -> Any:
    found = []
    for row in x:
        if row.sum() > 0:
            found.append(row @ w)
    return len(found), sum(v.sum() for v in found)


def state(x: Any, w: Any, kept: Any) -> Any:
    kept["n"] += 1
    if x.mean() > 0:
        kept["last"] = x @ w
    else:
        kept["last"] = x
    x[0] = 1.0
    return kept["last"] * kept["n"], x


class Net(nn.Layer):
    """A branch between products."""

    def __init__(self) -> None:
        super().__init__()
        self.first, self.second = nn.Linear(4, 4), nn.Linear(4, 1)

    def forward(self, x: Any) -> Any:
        h = self.first(x)
        if h.mean() > 0:
            h = nn.functional.relu(h)
        return self.second(h)


def plain(value: Any) -> Any:
    if isinstance(value, (list, tuple)):
        return [plain(v) for v in value]
    if isinstance(value, dict):
        return {k: plain(v) for k, v in value.items()}
    return (value.dtype.name, value.astype("float32").numpy().tolist()) if isinstance(value, vt.Tensor) else value


@pytest.mark.parametrize("inside", [True, False])
@pytest.mark.parametrize("fn", [branch, loop, rows, state])
def test_results_and_state_are_those_of_eager_mode(fn: Any, inside: bool) -> None:
    def within(x: Any, w: Any, kept: Any) -> Any:
        with vt.amp.auto_cast(dtype="bfloat16"):
            return fn(x, w, kept)

    told = []
    for compiled in (False, True):
        step = within if inside else fn
        step = vt.to_static(step) if compiled else step
        w, kept, seen = vt.eye(3) * 0.75, {"n": 0, "last": vt.zeros([1])}, []
        for numbers in (1.0, -1.0, 2.0):
            x = vt.to_tensor(np.full((2, 3), numbers, np.float32))
            with vt.amp.auto_cast(enable=not inside, dtype="bfloat16"):
                seen.append(plain([step(x, w, kept), x, kept]))
        told.append(seen)
    assert told[0] == told[1]


def test_a_training_step_with_a_scaler() -> None:
    found = []
    for compiled in (False, True):
        vt.seed(3)
        net = Net()
        optimizer = vt.optimizer.SGD(0.1, parameters=net.parameters())
        scaler = vt.amp.GradScaler(init_loss_scaling=8.0)

        def step(x: Any, net: Any = net, optimizer: Any = optimizer, scaler: Any = scaler) -> Any:
            with vt.amp.auto_cast(dtype="bfloat16"):
                loss = (net(x) ** 2).mean()
            scaler.scale(loss).backward()
            scaler.step(optimizer)
            scaler.update()
            optimizer.clear_grad()
            return loss

        run = vt.to_static(step) if compiled else step
        losses = [float(run(vt.to_tensor(np.full((2, 4), k, np.float32)))) for k in (1.0, -1.0, 0.5)]
        found.append((losses, net.first.weight.numpy(), net.second.weight.numpy()))
    for one, other in zip(*found, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-5, atol=1e-6)
