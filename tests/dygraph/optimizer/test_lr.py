"""Learning-rate schedules against their formulas; state; errors."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pytest

from vitrify.base.errors import ArgumentError, KindError
from vitrify.dygraph.conversions import to_tensor
from vitrify.dygraph.optimizer import lr


def rates(schedule: lr.LRScheduler, count: int) -> list[float]:
    found = []
    for _ in range(count):
        found.append(schedule())
        schedule.step()
    return found


def polynomial(t: int, *, cycle: bool) -> float:
    steps = 5 * max(math.ceil(t / 5), 1) if cycle else 5
    return (0.5 - 0.1) * (1 - min(t, steps) / steps) ** 2 + 0.1


def restarts(t: int) -> float:
    start, period = (0, 2) if t < 2 else (2, 4) if t < 6 else (6, 8)
    return 0.1 + 0.4 * (1 + math.cos(math.pi * (t - start) / period)) / 2


def cosine(first: float, last: float, share: float) -> float:
    return last + (first - last) * (1 + math.cos(math.pi * share)) / 2


CASES: list[tuple[Callable[[], lr.LRScheduler], Callable[[int], float]]] = [
    (lambda: lr.NoamDecay(64, 4, 2.0), lambda t: 2 / 8 * min(t**-0.5 if t else 1.0, t * 4**-1.5)),
    (lambda: lr.PiecewiseDecay([3, 6], [0.3, 0.2, 0.1]), lambda t: 0.3 if t < 3 else 0.2 if t < 6 else 0.1),
    (lambda: lr.ExponentialDecay(0.5, 0.9), lambda t: 0.5 * 0.9**t),
    (lambda: lr.NaturalExpDecay(0.5, 0.1), lambda t: 0.5 * math.exp(-0.1 * t)),
    (lambda: lr.InverseTimeDecay(0.5, 0.1), lambda t: 0.5 / (1 + 0.1 * t)),
    (lambda: lr.PolynomialDecay(0.5, 5, 0.1, 2.0), lambda t: polynomial(t, cycle=False)),
    (lambda: lr.PolynomialDecay(0.5, 5, 0.1, 2.0, cycle=True), lambda t: polynomial(t, cycle=True)),
    (lambda: lr.LinearWarmup(0.5, 4, 0.0, 0.4), lambda t: 0.4 * t / 4 if t < 4 else 0.5),
    (
        lambda: lr.LinearWarmup(lr.ExponentialDecay(0.5, 0.5), 4, 0.0, 0.5),
        lambda t: 0.5 * t / 4 if t < 4 else 0.5 * 0.5 ** (t - 4),
    ),
    (lambda: lr.StepDecay(0.5, 3, 0.1), lambda t: 0.5 * 0.1 ** (t // 3)),
    (lambda: lr.MultiStepDecay(0.5, [2, 5], 0.1), lambda t: 0.5 * 0.1 ** ((t >= 2) + (t >= 5))),
    (lambda: lr.LambdaDecay(0.5, lambda t: 1 / (t + 1)), lambda t: 0.5 / (t + 1)),
    (lambda: lr.MultiplicativeDecay(0.5, lambda t: 0.9), lambda t: 0.5 * 0.9**t),
    (lambda: lr.CosineAnnealingDecay(0.5, 4, 0.1), lambda t: 0.1 + 0.4 * (1 + math.cos(math.pi * t / 4)) / 2),
    (lambda: lr.CosineAnnealingWarmRestarts(0.5, 2, 2, 0.1), restarts),
    (lambda: lr.OneCycleLR(1.0, 12, 10.0, 0.01, 0.5, "linear"),
     lambda t: 0.1 + 0.9 * t / 5 if t <= 5 else 1.0 - 0.99 * (t - 5) / 6),
    (lambda: lr.OneCycleLR(1.0, 12, 10.0, 0.01, 0.25, "cos", three_phase=True),
     lambda t: cosine(0.1, 1.0, t / 2) if t <= 2 else cosine(1.0, 0.1, t / 2 - 1) if t <= 4
     else cosine(0.1, 0.01, (t - 4) / 7)),
    (lambda: lr.CyclicLR(0.1, 0.5, 2, 3, "triangular2"),
     lambda t: 0.1 + 0.4 * (t % 5 / 2 if t % 5 <= 2 else (5 - t % 5) / 3) / 2 ** (t // 5)),
    (lambda: lr.CyclicLR(0.1, 0.5, 2, mode="exp_range", exp_gamma=0.9),
     lambda t: 0.1 + 0.4 * (1 - abs(t % 4 - 2) / 2) * 0.9**t),
    (lambda: lr.CyclicLR(0.1, 0.5, 2, scale_fn=lambda c: 1 / c), lambda t: 0.1 + 0.4 * (1 - abs(t % 4 - 2) / 2) / (1 + t // 4)),
    (lambda: lr.LinearLR(0.6, 4), lambda t: 0.6 * (1 / 3 + 2 / 3 * min(t, 4) / 4)),
]  # fmt: skip


@pytest.mark.parametrize("number", range(len(CASES)))
def test_formula_and_state(number: int) -> None:
    make, formula = CASES[number]
    assert rates(make(), 12) == pytest.approx([formula(t) for t in range(12)])
    half, rest = make(), make()
    for _ in range(7):
        half.step()
    rest.set_state_dict(half.state_dict())
    assert rest() == half()
    assert rates(rest, 3) == pytest.approx([formula(t) for t in range(7, 10)])
    if not isinstance(half, lr.LinearLR):
        half.step(2)
        assert half() == pytest.approx(formula(2))


def test_linear_rates_are_made_from_the_one_before() -> None:
    schedule = lr.LinearLR(0.1, 5, 0.3, 1.0)
    assert rates(schedule, 12)[-1] == pytest.approx(0.1)
    schedule.step(3)
    assert schedule() == pytest.approx(0.1 * (1 + 0.7 / (5 * 0.3 + 2 * 0.7)))  # PaddlePaddle's


def test_every_schedule_is_tested() -> None:
    seen = {type(make()).__name__ for make, _ in CASES}
    assert seen | {"LRScheduler", "ReduceOnPlateau"} == set(lr.__all__)


def test_reduce_on_plateau() -> None:
    schedule = lr.ReduceOnPlateau(1.0, factor=0.5, patience=1, cooldown=1, min_lr=0.2)
    seen = []
    for metric in [3.0, 2.0, 2.0, to_tensor(2.0), 2.0, 2.0, 2.0, 1.0, 1.0, 1.0, 1.0]:
        schedule.step(metric)
        seen.append(schedule())
    assert seen == [1, 1, 1, 0.5, 0.5, 0.5, 0.25, 0.25, 0.25, 0.25, 0.2]
    rising = lr.ReduceOnPlateau(1.0, mode="max", patience=0, threshold=0.5, threshold_mode="abs")
    for metric in (1.0, 1.6, 2.0):
        rising.step(metric)
    assert rising() == pytest.approx(0.1)
    with pytest.raises(ArgumentError):
        lr.ReduceOnPlateau(1.0, mode="best")


def test_own_schedules_and_verbose(capsys: pytest.CaptureFixture[str]) -> None:
    class Half(lr.LRScheduler):
        def get_lr(self) -> float:
            return self.base_lr * 0.5

    assert Half(1.0, verbose=True)() == 0.5
    assert "Epoch 0: Half set learning rate to 0.5" in capsys.readouterr().out
    with pytest.raises(NotImplementedError, match="no get_lr"):
        lr.LRScheduler(0.1)


def test_errors() -> None:
    wrong: list[Any] = [
        lambda: lr.StepDecay(0.1, 0), lambda: lr.StepDecay(0.1, 2, 1.5), lambda: lr.MultiStepDecay(0.1, [3, 2]),
        lambda: lr.NoamDecay(0, 1), lambda: lr.PiecewiseDecay([1], [1.0]), lambda: lr.LinearWarmup(0.1, 0, 0, 1),
        lambda: lr.CosineAnnealingDecay(0.1, 0), lambda: lr.PolynomialDecay(0.1, 0), lambda: lr.LinearLR(0.1, 0),
        lambda: lr.CosineAnnealingWarmRestarts(0.1, 0), lambda: lr.ExponentialDecay(-1.0, 0.5),
    ]  # fmt: skip
    for make in wrong:
        with pytest.raises(ArgumentError):
            make()
    for make in (lambda: lr.LambdaDecay(0.1, 3), lambda: lr.StepDecay("x", 2)):  # type: ignore[arg-type]
        with pytest.raises(KindError):
            make()
    with pytest.raises(ArgumentError, match="lacks last_epoch"):
        lr.StepDecay(0.1, 2).set_state_dict({"last_lr": 1.0, "base_lr": 0.1, "gamma": 0.1, "step_size": 2})


def test_states_are_those_of_paddle(capsys: pytest.CaptureFixture[str]) -> None:
    plateau = lr.ReduceOnPlateau(1.0, patience=0)
    assert sorted(plateau.state_dict()) == ["best", "cooldown_counter", "last_epoch", "last_lr", "num_bad_epochs"]
    step = lr.StepDecay(0.5, 2, verbose=True)
    assert step.state_dict() == {"last_epoch": 0, "last_lr": 0.5}
    step.set_state_dict({"last_epoch": 3, "last_lr": 0.05})  # tells nothing: no step was taken
    assert capsys.readouterr().out == "Epoch 0: StepDecay set learning rate to 0.5.\n"
    assert step() == 0.05
