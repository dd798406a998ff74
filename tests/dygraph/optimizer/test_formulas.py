"""Every optimiser against its formula in NumPy, over several steps; decay, groups, clipping."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from vitrify.dygraph.conversions import to_tensor
from vitrify.dygraph.optimizer import (
    ASGD,
    SGD,
    Adadelta,
    Adagrad,
    Adam,
    Adamax,
    AdamW,
    ClipGradByGlobalNorm,
    ClipGradByNorm,
    ClipGradByValue,
    L1Decay,
    L2Decay,
    Lamb,
    Momentum,
    NAdam,
    Optimizer,
    RAdam,
    RMSProp,
    Rprop,
)
from vitrify.dygraph.optimizer.lars import LarsMomentumOptimizer
from vitrify.dygraph.tensor import Parameter

START = np.array([[1.0, -2.0], [0.5, 3.0]])
GRADS = [np.random.default_rng(k).normal(size=(2, 2)) for k in range(6)]
State = dict[str, Any]
Rule = Callable[[Any, Any, State, int], Any]
RATE = 0.1


def train(make: Callable[[list[Any]], Optimizer], dtype: str = "float64", grads: list[Any] = GRADS) -> Any:
    p = Parameter(START, dtype)
    opt = make([p])
    for g in grads:
        p.grad = to_tensor(g.astype(dtype))
        opt.step()
        opt.clear_grad()
    return p.numpy()


def expect(rule: Rule, decay: float = 0.0) -> Any:
    p, state = START.copy(), State()
    for t, g in enumerate(GRADS, 1):
        p = rule(p, g + decay * p, state, t)
    return p


def momentum(nesterov: bool) -> Rule:
    def rule(p: Any, g: Any, s: State, t: int) -> Any:
        s["v"] = 0.9 * s.get("v", 0) + g
        return p - RATE * (g + 0.9 * s["v"] if nesterov else s["v"])

    return rule


def adam(p: Any, g: Any, s: State, t: int, *, amsgrad: bool = False) -> Any:
    s["m"] = 0.9 * s.get("m", 0) + 0.1 * g
    s["v"] = 0.999 * s.get("v", 0) + 0.001 * g * g
    v = s["top"] = np.maximum(s.get("top", 0), s["v"]) if amsgrad else s["v"]
    return p - RATE * (s["m"] / (1 - 0.9**t)) / (np.sqrt(v / (1 - 0.999**t)) + 1e-8)


def adamw(p: Any, g: Any, s: State, t: int) -> Any:
    return adam(p * (1 - RATE * 0.05), g, s, t)


def adamax(p: Any, g: Any, s: State, t: int) -> Any:
    s["m"] = 0.9 * s.get("m", 0) + 0.1 * g
    s["u"] = np.maximum(0.999 * s.get("u", 0) + 1e-8, abs(g))
    return p - RATE / (1 - 0.9**t) * s["m"] / s["u"]


def nadam(p: Any, g: Any, s: State, t: int) -> Any:
    s["m"] = 0.9 * s.get("m", 0) + 0.1 * g
    s["v"] = 0.999 * s.get("v", 0) + 0.001 * g * g
    mu, following = (0.9 * (1 - 0.5 * 0.96 ** (k * 0.004)) for k in (t, t + 1))
    s["product"] = s.get("product", 1) * mu
    under = np.sqrt(s["v"] / (1 - 0.999**t)) + 1e-8
    ahead = following / (1 - s["product"] * following) * s["m"]
    return p - RATE * ((1 - mu) / (1 - s["product"]) * g + ahead) / under


def radam(beta2: float) -> Rule:
    def rule(p: Any, g: Any, s: State, t: int) -> Any:
        s["m"] = 0.9 * s.get("m", 0) + 0.1 * g
        s["v"] = beta2 * s.get("v", 0) + (1 - beta2) * g * g
        limit = 2 / (1 - beta2) - 1
        length = limit - 2 * t * beta2**t / (1 - beta2**t)
        m = s["m"] / (1 - 0.9**t)
        if length <= 5:
            return p - RATE * m
        r = np.sqrt((length - 4) * (length - 2) * limit / ((limit - 4) * (limit - 2) * length))
        return p - RATE * m * r * np.sqrt(1 - beta2**t) / (np.sqrt(s["v"]) + 1e-8)

    return rule


def asgd(p: Any, g: Any, s: State, t: int) -> Any:
    s[f"{(t - 1) % 3}"] = g
    return p - RATE * sum(s.values()) / min(t, 3)


def rprop(p: Any, g: Any, s: State, t: int) -> Any:
    product = s.get("g", 0) * g
    factor = np.where(product > 0, 1.3, np.where(product < 0, 0.4, 1.0))
    s["rate"] = np.clip(s.get("rate", RATE) * factor, 0.05, 0.2)
    s["g"] = np.where(product < 0, 0, g)
    return p - np.sign(s["g"]) * s["rate"]


def adagrad(p: Any, g: Any, s: State, t: int) -> Any:
    s["a"] = s.get("a", 0.5) + g * g
    return p - RATE * g / (np.sqrt(s["a"]) + 1e-6)


def rmsprop(centered: bool) -> Rule:
    def rule(p: Any, g: Any, s: State, t: int) -> Any:
        s["s"] = 0.95 * s.get("s", 0) + 0.05 * g * g
        s["g"] = 0.95 * s.get("g", 0) + 0.05 * g
        under = s["s"] - s["g"] ** 2 if centered else s["s"]
        s["u"] = 0.5 * s.get("u", 0) + RATE * g / np.sqrt(under + 1e-6)
        return p - s["u"]

    return rule


def adadelta(p: Any, g: Any, s: State, t: int) -> Any:
    s["g"] = 0.95 * s.get("g", 0) + 0.05 * g * g
    step = g * np.sqrt((s.get("u", 0) + 1e-6) / (s["g"] + 1e-6))
    s["u"] = 0.95 * s.get("u", 0) + 0.05 * step * step
    return p - RATE * step


def lamb(p: Any, g: Any, s: State, t: int) -> Any:
    s["m"] = 0.9 * s.get("m", 0) + 0.1 * g
    s["v"] = 0.999 * s.get("v", 0) + 0.001 * g * g
    step = s["m"] / (1 - 0.9**t) / (np.sqrt(s["v"] / (1 - 0.999**t)) + 1e-6) + 0.01 * p
    return p - RATE * np.linalg.norm(p) / np.linalg.norm(step) * step


def lars(p: Any, g: Any, s: State, t: int) -> Any:
    g = 0.5 * g
    local = 0.3 * np.linalg.norm(p) / (np.linalg.norm(g) + 0.1 * np.linalg.norm(p) + 0.01)
    s["v"] = 0.9 * s.get("v", 0.0) + RATE * local * (g + 0.1 * p)
    return p - s["v"]


def sgd(p: Any, g: Any, s: State, t: int) -> Any:
    return p - RATE * g


CASES: dict[str, tuple[Callable[[list[Any]], Optimizer], Any]] = {
    "sgd": (lambda ps: SGD(RATE, ps), expect(sgd)),
    "sgd, decay": (lambda ps: SGD(RATE, ps, weight_decay=0.1), expect(sgd, 0.1)),
    "momentum": (lambda ps: Momentum(RATE, 0.9, ps), expect(momentum(False))),
    "momentum, decay": (lambda ps: Momentum(RATE, 0.9, ps, weight_decay=L2Decay(0.1)), expect(momentum(False), 0.1)),
    "nesterov": (lambda ps: Momentum(RATE, 0.9, ps, use_nesterov=True), expect(momentum(True))),
    "adam": (lambda ps: Adam(RATE, parameters=ps), expect(adam)),
    "adam, decay": (lambda ps: Adam(RATE, parameters=ps, weight_decay=0.1), expect(adam, 0.1)),
    "amsgrad": (
        lambda ps: Adam(RATE, parameters=ps, amsgrad=True),
        expect(lambda p, g, s, t: adam(p, g, s, t, amsgrad=True)),
    ),
    "adamw": (lambda ps: AdamW(RATE, parameters=ps, weight_decay=0.05), expect(adamw)),
    "adamw, none decays": (
        lambda ps: AdamW(RATE, parameters=ps, weight_decay=0.05, apply_decay_param_fun=lambda name: False),
        expect(adam),
    ),
    "adamw, lr_ratio": (
        lambda ps: AdamW(2 * RATE, parameters=ps, weight_decay=0.05, lr_ratio=lambda p: 0.5), expect(adamw)
    ),
    "adamax": (lambda ps: Adamax(RATE, parameters=ps), expect(adamax)),
    "adagrad": (lambda ps: Adagrad(RATE, parameters=ps, initial_accumulator_value=0.5), expect(adagrad)),
    "rmsprop": (lambda ps: RMSProp(RATE, momentum=0.5, parameters=ps), expect(rmsprop(False))),
    "rmsprop, centered": (
        lambda ps: RMSProp(RATE, momentum=0.5, centered=True, parameters=ps), expect(rmsprop(True))
    ),
    "adadelta": (lambda ps: Adadelta(RATE, parameters=ps), expect(adadelta)),
    "nadam": (lambda ps: NAdam(RATE, parameters=ps), expect(nadam)),
    "radam": (lambda ps: RAdam(RATE, parameters=ps), expect(radam(0.999))),
    "radam, beta2": (lambda ps: RAdam(RATE, beta2=0.8, parameters=ps, weight_decay=0.1), expect(radam(0.8), 0.1)),
    "asgd": (lambda ps: ASGD(RATE, 3, ps), expect(asgd)),
    "rprop": (lambda ps: Rprop(RATE, (0.05, 0.2), ps, etas=(0.4, 1.3)), expect(rprop)),
    "lamb": (lambda ps: Lamb(RATE, parameters=ps), expect(lamb)),
    "lars": (
        lambda ps: LarsMomentumOptimizer(RATE, 0.9, 0.3, 0.1, ps, epsilon=0.01, rescale_grad=0.5), expect(lars)
    ),
    "lars, nothing decays": (
        lambda ps: LarsMomentumOptimizer(RATE, 0.9, parameter_list=ps, exclude_from_weight_decay=[""]),
        expect(momentum(False)),
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", sorted(CASES))
def test_formula(name: str) -> None:
    make, wanted = CASES[name]
    np.testing.assert_allclose(train(make), wanted, rtol=1e-12)
    np.testing.assert_allclose(train(make, "float32"), wanted, rtol=2e-5, atol=2e-6)


@pytest.mark.parametrize("clip", [ClipGradByValue(0.5), ClipGradByValue(1.0, -0.2), ClipGradByNorm(0.7),
                                  ClipGradByGlobalNorm(0.7), ClipGradByNorm(100.0)], ids=repr)  # fmt: skip
def test_clipping(clip: Any) -> None:
    def rule(p: Any, g: Any, s: State, t: int) -> Any:
        if isinstance(clip, ClipGradByValue):
            return p - RATE * np.clip(g, clip.min, clip.max)
        return p - RATE * g * min(1.0, clip.clip_norm / np.linalg.norm(g))

    np.testing.assert_allclose(train(lambda ps: SGD(RATE, ps, grad_clip=clip)), expect(rule), rtol=1e-12)


def test_the_global_norm_is_over_all_parameters_that_want_it() -> None:
    a, b, c = Parameter([3.0]), Parameter([4.0, 0.0], "float64"), Parameter([1.0], need_clip=False)
    for p, g in ((a, [3.0]), (b, [0.0, 4.0]), (c, [7.0])):
        p.grad = to_tensor(np.array(g, p.dtype.numpy))
    SGD(1.0, [a, b, c], grad_clip=ClipGradByGlobalNorm(1.0)).step()
    np.testing.assert_allclose(a.numpy(), [3 - 0.6], rtol=1e-6)
    np.testing.assert_allclose(b.numpy(), [4, -0.8], rtol=1e-6)
    np.testing.assert_allclose(c.numpy(), [-6], rtol=1e-6)


def test_order_is_clip_then_decay() -> None:
    p = Parameter([10.0])
    p.grad = to_tensor([5.0])
    SGD(1.0, [p], weight_decay=0.1, grad_clip=ClipGradByValue(1.0)).step()
    np.testing.assert_allclose(p.numpy(), [10 - 1 - 1])


def test_l1_decay_and_a_regularizer_of_its_own() -> None:
    a, b = Parameter([2.0]), Parameter([-2.0], regularizer=L2Decay(0.5))
    for p in (a, b):
        p.grad = to_tensor([0.0])
    SGD(1.0, [a, b], weight_decay=L1Decay(0.25)).step()
    assert (a.item(), b.item()) == (1.75, -1.0)


def test_groups_and_factors() -> None:
    a, b, c = Parameter([1.0]), Parameter([1.0]), Parameter([1.0], optimize_attr={"learning_rate": 0.5})
    for p in (a, b, c):
        p.grad = to_tensor([1.0])
    groups = [{"params": [a]}, {"params": [b], "learning_rate": 0.1, "weight_decay": 1.0}, {"params": [c]}]
    opt = SGD(0.5, groups)
    opt.step()
    np.testing.assert_allclose([a.item(), b.item(), c.item()], [0.5, 1 - 0.05 * 2, 0.75], rtol=1e-6)
    x, y = Parameter([0.0]), Parameter([0.0])
    mixed = Momentum(1.0, 0.9, [{"params": x, "momentum": 0.0}, {"params": [y]}])
    for _ in range(2):
        x.grad, y.grad = to_tensor([1.0]), to_tensor([1.0])
        mixed.step()
    np.testing.assert_allclose([x.item(), y.item()], [-2.0, -2.9], rtol=1e-6)


@pytest.mark.parametrize("clip_norm", [-1.0, 0.0])
def test_a_global_norm_clips_to_any_number(clip_norm: float) -> None:
    """As in Paddle: the factor is clip_norm over the larger of the norm and it."""
    pairs = [(to_tensor([1.0, 1.0]), to_tensor([3.0, 4.0]))]
    ((_, clipped),) = ClipGradByGlobalNorm(clip_norm)(pairs)
    np.testing.assert_allclose(clipped.numpy(), np.array([3.0, 4.0]) * clip_norm / 5.0)
