"""Training that is stopped, saved and resumed goes on bit for bit: layer, optimiser, schedule, random numbers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify import nn, static

OPTIMISERS = {
    "momentum": lambda p, r: vt.optimizer.Momentum(r, 0.9, parameters=p, weight_decay=0.01),
    "adam": lambda p, r: vt.optimizer.Adam(r, parameters=p, grad_clip=nn.ClipGradByGlobalNorm(1.0)),
    "adamw": lambda p, r: vt.optimizer.AdamW(r, parameters=p),
    "rmsprop": lambda p, r: vt.optimizer.RMSProp(r, parameters=p, momentum=0.5, centered=True),
    "lamb": lambda p, r: vt.optimizer.Lamb(r, parameters=p),
}


class Session:
    """Everything that a training run consists of."""

    def __init__(self, optimiser: str, compiled: bool) -> None:
        self.net = nn.Sequential(nn.Linear(4, 8), nn.BatchNorm1D(8), nn.ReLU(), nn.Dropout(0.3), nn.Linear(8, 1))
        self.rate = vt.optimizer.lr.CosineAnnealingDecay(0.05, T_max=7)
        self.optimiser = OPTIMISERS[optimiser](self.net.parameters(), self.rate)
        self.step = vt.jit.to_static(self._step) if compiled else self._step

    def _step(self, x: Any, y: Any) -> Any:
        loss = ((self.net(x) - y) ** 2).mean()
        loss.backward()
        self.optimiser.step()
        self.optimiser.clear_grad()
        return loss

    def train(self, steps: int) -> list[float]:
        found = []
        for _ in range(steps):
            x = vt.randn([6, 4])
            found.append(float(self.step(x, x.sum(1, keepdim=True))))
            self.rate.step()
        return found

    def save(self, path: Path) -> None:
        vt.save(
            {
                "net": self.net.state_dict(), "optimiser": self.optimiser.state_dict(), "rate": self.rate.state_dict(),
                "random": vt.get_rng_state(),
            },
            path,
        )  # fmt: skip

    def load(self, path: Path) -> None:
        state = vt.load(path)
        self.net.set_state_dict(state["net"])
        self.optimiser.set_state_dict(state["optimiser"])
        self.rate.set_state_dict(state["rate"])
        vt.set_rng_state(state["random"])


@pytest.mark.parametrize(
    ("optimiser", "compiled"), [*((name, False) for name in OPTIMISERS), ("adam", True), ("momentum", True)]
)
def test_a_resumed_session_goes_on_as_if_never_stopped(tmp_path: Path, optimiser: str, compiled: bool) -> None:
    vt.seed(3)
    session = Session(optimiser, compiled)
    session.train(3)
    session.save(tmp_path / "checkpoint.pdparams")
    expected = session.train(4)
    vt.seed(99)
    resumed = Session(optimiser, compiled)
    resumed.train(1)  # it has a past of its own
    resumed.load(tmp_path / "checkpoint.pdparams")
    assert resumed.train(4) == expected
    for (name, a), b in zip(session.net.state_dict().items(), resumed.net.state_dict().values(), strict=True):
        np.testing.assert_array_equal(a.numpy(), b.numpy(), err_msg=name)


def test_a_resumed_program_goes_on_as_if_never_stopped(tmp_path: Path) -> None:
    vt.enable_static()
    try:
        vt.seed(3)
        main, startup = static.Program(), static.Program()
        with static.program_guard(main, startup):
            x = static.data("x", [None, 4])
            h = static.nn.batch_norm(static.nn.fc(x, 8, activation="relu"))
            loss = vt.mean((static.nn.fc(h, 1) - vt.sum(x, 1, keepdim=True)) ** 2)
            vt.optimizer.Adam(0.05).minimize(loss)
        executor = static.Executor()
        feeds = [np.random.default_rng(k).standard_normal((6, 4)).astype("float32") for k in range(8)]

        def train(batches: list[Any]) -> list[float]:
            return [float(executor.run(main, feed={"x": b}, fetch_list=[loss])[0]) for b in batches]

        with static.scope_guard(static.Scope()):
            executor.run(startup)
            train(feeds[:4])
            static.save(main, str(tmp_path / "model"))
            expected = train(feeds[4:])
        with static.scope_guard(static.Scope()):
            executor.run(startup)
            static.load(main, str(tmp_path / "model"), executor)
            assert train(feeds[4:]) == expected
        with static.scope_guard(static.Scope()):
            executor.run(startup)
            static.set_program_state(main, static.load_program_state(str(tmp_path / "model")))
            assert train(feeds[4:]) == expected
    finally:
        vt.disable_static()
