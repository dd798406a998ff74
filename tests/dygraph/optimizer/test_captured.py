"""A whole training step inside one captured function does what the eager step does, with the same numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from vitrify.dygraph import nn
from vitrify.dygraph.conversions import to_tensor
from vitrify.dygraph.optimizer import SGD, Adam, AdamW, ClipGradByGlobalNorm, Lamb, Momentum, RMSProp, lr
from vitrify.dygraph.random_generators import seed
from vitrify.jit import to_static

X = np.random.default_rng(0).normal(size=(16, 1, 6, 6)).astype("float32")
Y = np.arange(16) % 3
MAKERS: dict[str, Any] = {
    "sgd": lambda rate, ps: SGD(rate, ps, weight_decay=0.1),
    "nesterov": lambda rate, ps: Momentum(rate, 0.9, ps, use_nesterov=True),
    "adam": lambda rate, ps: Adam(rate, parameters=ps, grad_clip=ClipGradByGlobalNorm(0.5), amsgrad=True),
    "adamw": lambda rate, ps: AdamW(rate, parameters=ps),
    "rmsprop": lambda rate, ps: RMSProp(rate, parameters=ps, momentum=0.5, centered=True, epsilon=1e-3),
    "lamb": lambda rate, ps: Lamb(rate, parameters=ps),
}


def train(make: Any, *, captured: bool) -> tuple[list[float], dict[str, Any]]:
    seed(1)
    net = nn.Sequential(
        nn.Conv2D(1, 4, 3, bias_attr=False), nn.BatchNorm2D(4), nn.ReLU(), nn.MaxPool2D(2), nn.Flatten(),
        nn.Dropout(0.2), nn.Linear(16, 3),
    )  # fmt: skip
    schedule = lr.StepDecay(0.05, 2, 0.5)
    opt = make(schedule, net.parameters())
    loss_of = nn.CrossEntropyLoss()

    def step(x: Any, y: Any) -> Any:
        loss = loss_of(net(x), y)
        loss.backward()
        opt.step()
        opt.clear_grad()
        return loss

    run = to_static(step) if captured else step
    losses = []
    for _ in range(5):
        losses.append(float(run(to_tensor(X), to_tensor(Y))))
        schedule.step()
    state = {k: v.numpy() for k, v in net.state_dict().items()}
    moments = [v.numpy() for v in opt.state_dict().values() if hasattr(v, "numpy")]
    return losses, state | {f"moment {k}": v for k, v in enumerate(moments)}


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(MAKERS))
def test_the_captured_step_equals_the_eager_one(name: str) -> None:
    wanted_losses, wanted = train(MAKERS[name], captured=False)
    losses, state = train(MAKERS[name], captured=True)
    np.testing.assert_allclose(losses, wanted_losses, rtol=2e-4)
    assert state.keys() == wanted.keys()
    for key, value in wanted.items():
        np.testing.assert_allclose(state[key], value, rtol=2e-3, atol=2e-5, err_msg=key)
