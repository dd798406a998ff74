"""State round trips of the later optimisers, inside captured steps too; LBFGS without torch; errors."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from vitrify.base.errors import CaptureError, VitrifyError
from vitrify.dygraph.conversions import to_tensor
from vitrify.dygraph.optimizer import ASGD, LBFGS, SGD, Adamax, L1Decay, L2Decay, Lamb, NAdam, RAdam, Rprop, lr
from vitrify.dygraph.tensor import Parameter
from vitrify.jit import to_static

MAKERS: dict[str, Any] = {
    "asgd": lambda rate, p: ASGD(rate, 2, [p]),
    "adamax": lambda rate, p: Adamax(rate, parameters=[p]),
    "nadam": lambda rate, p: NAdam(rate, parameters=[p]),
    "radam": lambda rate, p: RAdam(rate, beta2=0.7, parameters=[p]),
    "rprop": lambda rate, p: Rprop(rate, parameters=[p]),
    "lamb": lambda rate, p: Lamb(rate, 0.0, parameters=[p], always_adapt=True),
}
TARGET = to_tensor(np.array([1.0, -1.0, 0.5], "float32"))


def step_of(p: Any, opt: Any) -> Any:
    def step(target: Any) -> Any:
        loss = ((p - target) ** 4).sum()
        loss.backward()
        opt.step()
        opt.clear_grad()
        return loss

    return step


@pytest.mark.parametrize("name", sorted(MAKERS))
def test_state_goes_on_where_it_was_taken(name: str) -> None:
    p = Parameter([2.0, 0.5, 1.5], name="w")
    schedule = lr.StepDecay(0.1, 2, 0.5)
    opt = MAKERS[name](schedule, p)
    step = step_of(p, opt)
    for _ in range(3):
        step(TARGET)
        schedule.step()
    q = Parameter(p.numpy(), name="w")
    other = MAKERS[name](lr.StepDecay(0.1, 2, 0.5), q)
    saved = {k: v.numpy() if hasattr(v, "numpy") else v for k, v in opt.state_dict().items()}
    other.set_state_dict(saved)
    compiled = to_static(step_of(q, other))
    for _ in range(3):
        np.testing.assert_allclose(float(compiled(TARGET)), float(step(TARGET)), rtol=1e-5)
    np.testing.assert_allclose(q.numpy(), p.numpy(), rtol=1e-5)
    assert other.get_lr() == opt.get_lr()


@pytest.mark.parametrize("search", [None, "strong_wolfe"])
def test_lbfgs_finds_the_minimum(search: str | None) -> None:
    p = Parameter(np.array([-1.2, 1.0]), "float64")
    opt = LBFGS(1.0 if search else 0.01, max_iter=60 if search else 400, line_search_fn=search, parameters=[p])
    calls = 0

    def rosenbrock() -> Any:
        nonlocal calls
        calls += 1
        opt.clear_grad()
        loss = ((1.0 - p[0]) ** 2 + 100.0 * (p[1] - p[0] ** 2) ** 2).sum()
        loss.backward()
        return loss

    first = opt.step(rosenbrock)
    assert float(first) == pytest.approx(24.2)
    assert calls == opt.state_dict()["state"]["func_evals"]
    if search:
        np.testing.assert_allclose(p.numpy(), [1.0, 1.0], rtol=1e-4)
        q = Parameter(p.numpy(), "float64")
        other = LBFGS(1.0, parameters=[q])
        other.set_state_dict(opt.state_dict())
        assert other.state_dict()["state"]["n_iter"] == opt.state_dict()["state"]["n_iter"]
    else:
        assert float(rosenbrock()) < 5.0


def test_lbfgs_decays_and_clips() -> None:
    p = Parameter(np.array([3.0]), "float64")
    opt = LBFGS(1.0, max_iter=1, parameters=[p], weight_decay=L2Decay(2.0))

    def closure() -> Any:
        opt.clear_grad()
        loss = (p * 0.0).sum()
        loss.backward()
        return loss

    opt.step(closure)
    np.testing.assert_allclose(p.numpy(), [2.0])  # the first step is 1 / |g| long: the gradient is 6


def test_lbfgs_refuses() -> None:
    p = Parameter([1.0])
    opt = LBFGS(parameters=[p])
    with pytest.raises(TypeError, match="closure"):
        opt.step()
    with pytest.raises(CaptureError, match=r"LBFGS.step\(\)"):
        to_static(lambda x: opt.step(lambda: x))(TARGET)
    for wrong in (
        lambda: LBFGS(parameters=[p], line_search_fn="armijo"), lambda: ASGD(0.1, 0, [p]),
        lambda: Rprop(0.1, parameters=[p], etas=(1.2, 0.5)), lambda: Rprop(99.0, parameters=[p]),
        lambda: lr.OneCycleLR(0.1, 0), lambda: lr.OneCycleLR(0.1, 9, phase_pct=0.6, three_phase=True),
        lambda: lr.OneCycleLR(0.1, 9, anneal_strategy="sin"), lambda: lr.CyclicLR(0.1, 0.2, 0),
        lambda: lr.CyclicLR(0.1, 0.2, 2, mode="square"), lambda: lr.CyclicLR(0.1, 0.2, 2, scale_mode="steps"),
    ):  # fmt: skip
        with pytest.raises(VitrifyError):
            wrong()


def test_regularization_of_pairs() -> None:
    p, q = Parameter([2.0]), Parameter([-2.0], regularizer=L2Decay(0.5))
    opt = SGD(0.1, [p, q])
    pairs = opt.append_regularization_ops([(p, to_tensor([0.0])), (q, to_tensor([0.0]))], L1Decay(0.25))
    assert [g.item() for _, g in pairs] == [0.25, -1.0]


def test_kinds_of_settings() -> None:
    p = Parameter([1.0])
    for wrong in (
        lambda: lr.StepDecay(0.1, "3"), lambda: lr.MultiStepDecay(0.1, "12"), lambda: lr.LinearWarmup("x", 2, 0.0, 1.0),
        lambda: lr.CosineAnnealingDecay(0.1, "9"), lambda: lr.CosineAnnealingDecay(0.1, 9, "0"),
        lambda: lr.ReduceOnPlateau(0.1).step("low"), lambda: lr.OneCycleLR("1", 9), lambda: lr.OneCycleLR(1.0, 9.0),
        lambda: lr.CyclicLR("1", 2.0, 3), lambda: Adamax(to_tensor(0.1), parameters=[p]),
    ):  # fmt: skip
        with pytest.raises(TypeError):
            wrong()
    for wrong in (
        lambda: SGD(None, [p]), lambda: NAdam(0.1, epsilon=-1.0, parameters=[p]),
        lambda: RAdam(0.1, beta1=None, parameters=[p]), lambda: Adamax(0.1, beta2=1.5, parameters=[p]),
        lambda: lr.ReduceOnPlateau(0.1).step(to_tensor([1.0, 2.0])),
    ):  # fmt: skip
        with pytest.raises(ValueError, match=r"not|needs"):
            wrong()
    assert Lamb(0.1, beta1=to_tensor([0.5]), parameters=[p])._options["beta1"] == 0.5


def test_states_of_schedules() -> None:
    class Own(lr.LRScheduler):
        def __init__(self) -> None:
            self.table = [0.5, 0.25, 0.125]
            super().__init__(1.0)

        def get_lr(self) -> float:
            return self.table[self.last_epoch]

        def state_keys(self) -> None:
            self.keys = ["last_epoch", "last_lr", "table"]

    assert Own().state_dict()["table"] == [0.5, 0.25, 0.125]
    warm, other = (lr.LinearWarmup(lr.ExponentialDecay(0.5, 0.5), 2, 0.0, 0.5) for _ in range(2))
    for _ in range(4):
        warm.step()
    other.set_state_dict(warm.state_dict())
    assert other.learning_rate.last_lr == warm.learning_rate.last_lr  # type: ignore[union-attr]
    assert "LinearWarmup_LR" in warm.state_dict()


@pytest.mark.parametrize("kind", [NAdam, RAdam])
def test_a_negative_rate_is_refused(kind: Any) -> None:
    with pytest.raises(ValueError, match="learning_rate must be at least 0, not -1"):
        kind(learning_rate=-1, parameters=[Parameter([1.0])])


@pytest.mark.parametrize(
    ("setting", "text"),
    [
        ({"beta1": -1}, "beta1"),
        ({"beta2": 1.0}, "beta2"),
        ({"epsilon": -1}, "epsilon"),
        ({"momentum_decay": -1}, "dec"),
    ],
)
def test_settings_of_nadam(setting: dict[str, float], text: str) -> None:
    with pytest.raises(ValueError, match=text):
        NAdam(0.1, parameters=[Parameter([1.0])], **setting)


def test_an_optimiser_knows_the_dtype_of_its_parameters() -> None:
    weight = Parameter(np.ones(2))
    assert SGD(parameters=[weight])._dtype == "float64"
