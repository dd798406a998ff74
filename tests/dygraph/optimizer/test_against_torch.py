"""Every optimiser's trajectory over 50 steps, eager and compiled, equals torch's; schedules too. Skipped without torch."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from vitrify.dygraph import nn
from vitrify.dygraph import optimizer as vo
from vitrify.dygraph.conversions import to_tensor
from vitrify.dygraph.optimizer import lr
from vitrify.jit import to_static

torch = pytest.importorskip("torch")
to = torch.optim
STEPS = 50
RNG = np.random.default_rng(11)
X, Y = RNG.normal(size=(20, 4)), RNG.normal(size=(20, 2))
WEIGHTS = [RNG.normal(size=(4, 5)) * 0.5, RNG.normal(size=5) * 0.1, RNG.normal(size=(5, 2)) * 0.5]
PAIRS: dict[str, tuple[Callable[[Any], Any], Callable[[Any], Any]]] = {
    "SGD": (lambda ps: vo.SGD(0.05, ps), lambda ps: to.SGD(ps, 0.05)),
    "SGD, decay": (lambda ps: vo.SGD(0.05, ps, weight_decay=0.1), lambda ps: to.SGD(ps, 0.05, weight_decay=0.1)),
    "Momentum": (lambda ps: vo.Momentum(0.02, 0.9, ps), lambda ps: to.SGD(ps, 0.02, momentum=0.9)),
    "Nesterov": (
        lambda ps: vo.Momentum(0.02, 0.9, ps, use_nesterov=True, weight_decay=0.01),
        lambda ps: to.SGD(ps, 0.02, momentum=0.9, nesterov=True, weight_decay=0.01),
    ),
    "Adam": (lambda ps: vo.Adam(0.01, parameters=ps), lambda ps: to.Adam(ps, 0.01)),
    "AMSGrad": (
        lambda ps: vo.Adam(0.05, parameters=ps, amsgrad=True, weight_decay=0.05),
        lambda ps: to.Adam(ps, 0.05, amsgrad=True, weight_decay=0.05),
    ),
    "AdamW": (
        lambda ps: vo.AdamW(0.02, parameters=ps, weight_decay=0.1), lambda ps: to.AdamW(ps, 0.02, weight_decay=0.1)
    ),
    "Adamax": (lambda ps: vo.Adamax(0.02, epsilon=1e-15, parameters=ps), lambda ps: to.Adamax(ps, 0.02, eps=1e-15)),
    "Adagrad": (
        lambda ps: vo.Adagrad(0.05, epsilon=1e-10, parameters=ps, initial_accumulator_value=0.1),
        lambda ps: to.Adagrad(ps, 0.05, initial_accumulator_value=0.1),
    ),
    "Adadelta": (
        lambda ps: vo.Adadelta(0.5, 1e-6, 0.9, parameters=ps), lambda ps: to.Adadelta(ps, 0.5, rho=0.9, eps=1e-6)
    ),
    "RMSProp": (  # torch adds epsilon behind the root
        lambda ps: vo.RMSProp(0.01, 0.9, 1e-30, 0.5, parameters=ps),
        lambda ps: to.RMSprop(ps, 0.01, 0.9, 1e-15, momentum=0.5),
    ),
    "NAdam": (lambda ps: vo.NAdam(0.01, parameters=ps), lambda ps: to.NAdam(ps, 0.01)),
    "RAdam": (lambda ps: vo.RAdam(0.02, parameters=ps), lambda ps: to.RAdam(ps, 0.02)),
    "Rprop": (lambda ps: vo.Rprop(0.01, parameters=ps), lambda ps: to.Rprop(ps, 0.01, step_sizes=(1e-5, 50))),
    "clipped": (
        lambda ps: vo.SGD(0.05, ps, grad_clip=vo.ClipGradByGlobalNorm(0.3)), lambda ps: Clipped(ps)
    ),
}  # fmt: skip


class Clipped(to.SGD):  # type: ignore[misc, name-defined]
    """SGD behind clip_grad_norm_."""

    def __init__(self, params: Any) -> None:
        super().__init__(params, 0.05)

    def step(self, closure: Any = None) -> None:
        torch.nn.utils.clip_grad_norm_(self.param_groups[0]["params"], 0.3)
        super().step()


def loss_of(params: Any, x: Any, y: Any) -> Any:
    hidden = (x @ params[0] + params[1]).tanh()
    return ((hidden @ params[2] - y) ** 2).mean()


def ours(make: Callable[[Any], Any], *, compiled: bool) -> list[Any]:
    layer = nn.ParameterList([nn.Linear(1, 1).bias for _ in WEIGHTS])
    params = [layer.create_parameter(list(w.shape), dtype="float64") for w in WEIGHTS]
    for p, w in zip(params, WEIGHTS, strict=True):
        p.set_value(w)
    opt = make(params)

    def step(x: Any, y: Any) -> Any:
        loss = loss_of(params, x, y)
        loss.backward()
        opt.step()
        opt.clear_grad()
        return loss

    run = to_static(step) if compiled else step
    losses = [float(run(to_tensor(X), to_tensor(Y))) for _ in range(STEPS)]
    return [np.array(losses), *[p.numpy() for p in params]]


def theirs(make: Callable[[Any], Any]) -> list[Any]:
    params = [torch.tensor(w, requires_grad=True) for w in WEIGHTS]
    opt = make(params)
    losses = []
    for _ in range(STEPS):
        opt.zero_grad()
        loss = loss_of(params, torch.tensor(X), torch.tensor(Y))
        loss.backward()
        opt.step()
        losses.append(loss.item())
    return [np.array(losses), *[p.detach().numpy() for p in params]]


@pytest.mark.parametrize("compiled", [False, pytest.param(True, marks=pytest.mark.slow)])
@pytest.mark.parametrize("name", sorted(PAIRS))
def test_trajectory(name: str, compiled: bool) -> None:
    make, reference = PAIRS[name]
    for found, wanted in zip(ours(make, compiled=compiled), theirs(reference), strict=True):
        np.testing.assert_allclose(found, wanted, rtol=1e-5, atol=1e-7)


@pytest.mark.parametrize("search", [None, "strong_wolfe"])
def test_lbfgs(search: str | None) -> None:
    ps = [nn.Layer().create_parameter(list(w.shape), dtype="float64") for w in WEIGHTS]
    ts = [torch.tensor(w, requires_grad=True) for w in WEIGHTS]
    for p, w in zip(ps, WEIGHTS, strict=True):
        p.set_value(w)
    opt = vo.LBFGS(0.5, max_iter=5, parameters=ps, line_search_fn=search)
    ref = to.LBFGS(ts, 0.5, max_iter=5, line_search_fn=search)

    def closure() -> Any:
        opt.clear_grad()
        loss = loss_of(ps, to_tensor(X), to_tensor(Y))
        loss.backward()
        return loss

    def reference() -> Any:
        ref.zero_grad()
        loss = loss_of(ts, torch.tensor(X), torch.tensor(Y))
        loss.backward()
        return loss

    found, wanted = ([o.step(c).item() for _ in range(10)] for o, c in ((opt, closure), (ref, reference)))
    if search is None:
        np.testing.assert_allclose(found, wanted, rtol=1e-5)
    else:  # the searches interpolate differently; both end at the same minimum
        assert found == sorted(found, reverse=True)
        assert float(closure()) == pytest.approx(reference().item(), rel=2e-2)


@pytest.mark.parametrize(
    ("make", "reference"),
    [
        (lambda: lr.OneCycleLR(0.5, 20), lambda o: to.lr_scheduler.OneCycleLR(
            o, 0.5, 20, final_div_factor=0.5 / 25 / 1e-4, cycle_momentum=False)),
        (lambda: lr.OneCycleLR(0.5, 20, three_phase=True, anneal_strategy="linear"),
         lambda o: to.lr_scheduler.OneCycleLR(o, 0.5, 20, final_div_factor=0.5 / 25 / 1e-4, cycle_momentum=False,
                                              three_phase=True, anneal_strategy="linear")),
        (lambda: lr.CyclicLR(0.1, 0.5, 3, 5, "exp_range", 0.9), lambda o: to.lr_scheduler.CyclicLR(
            o, 0.1, 0.5, 3, 5, "exp_range", 0.9, cycle_momentum=False)),
        (lambda: lr.CosineAnnealingDecay(0.5, 6, 0.1), lambda o: to.lr_scheduler.CosineAnnealingLR(o, 6, 0.1)),
        (lambda: lr.LinearLR(0.5, 6, 0.2, 0.9), lambda o: to.lr_scheduler.LinearLR(o, 0.2, 0.9, 6)),
        (lambda: lr.MultiStepDecay(0.5, [3, 7], 0.4), lambda o: to.lr_scheduler.MultiStepLR(o, [3, 7], 0.4)),
    ],
)  # fmt: skip
def test_schedule(make: Any, reference: Any) -> None:
    opt = to.SGD([torch.zeros(1, requires_grad=True)], 0.5)
    schedule, other = make(), reference(opt)
    for _ in range(18):
        assert schedule() == pytest.approx(other.get_last_lr()[0], rel=1e-9)
        schedule.step()
        opt.step()
        other.step()
