"""The functions whose reports the site shows."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

import vitrify as vt
from vitrify import nn


def control_flow() -> Any:
    """A branch and a loop that depend on tensors."""

    @vt.to_static
    def collapse(x: Any, limit: float) -> Any:
        if x.mean() < 0:
            x = -x
        steps = 0
        while x.sum() > limit:
            x = x * 0.5
            steps += 1
        return x, steps

    return collapse, (vt.to_tensor([3.0, 4.0, 5.0]), 1.0)


def lenet_step() -> Any:
    """A training step: forward pass, gradient and Adam's update in one program."""
    net = vt.vision.models.LeNet()
    optimizer = vt.optimizer.Adam(learning_rate=1e-3, parameters=net.parameters())

    @vt.to_static
    def step(x: Any, y: Any) -> Any:
        loss = nn.functional.cross_entropy(net(x), y)
        loss.backward()
        optimizer.step()
        optimizer.clear_grad()
        return loss

    rng = np.random.default_rng(0)
    images = rng.normal(size=(16, 1, 28, 28)).astype("float32")
    return step, (vt.to_tensor(images), vt.to_tensor(rng.integers(0, 10, [16])))


def lstm_step() -> Any:
    """A recurrent network's gradient: one loop kernel instead of many small ones."""
    net = nn.LSTM(16, 32)

    @vt.to_static
    def step(x: Any) -> Any:
        out, _ = net(x)
        loss = (out * out).mean()
        loss.backward()
        return loss

    return step, (vt.randn([4, 32, 16]),)


ROWS = (
    (control_flow, "Control flow", "an `if` and a `while` inside a program"),
    (lenet_step, "LeNet's training step", "kernels of a whole step, the gradient's too, with times"),
    (lstm_step, "LSTM's gradient", "a loop over 32 steps and its backward loop"),
)


def write(folder: Path) -> list[tuple[str, str, str]]:
    """Call each function under the profiler and write its report; rows of (name, title, text)."""
    folder.mkdir(parents=True, exist_ok=True)
    vt.seed(0)
    for make, _, _ in ROWS:
        function, arguments = make()
        function(*arguments)
        with vt.profiler.profile() as measured:
            for _ in range(5):
                function(*arguments)
        vt.report(function, folder / f"{make.__name__}.html", profile=measured)
    return [(make.__name__, title, text) for make, title, text in ROWS]
