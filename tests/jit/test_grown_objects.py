"""What a layer gains between two calls, and settings that a schedule changes: a compiled function sees them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify import nn
from vitrify.dygraph.tensor import Parameter

from .test_settings_of_objects import t


def parameter(number: float = 1.0) -> Any:
    return Parameter(np.array([number], "float32"))


WALKS: dict[str, Callable[[Any], Any]] = {
    "parameters": lambda net: len(net.parameters()),
    "named_parameters": lambda net: len(list(net.named_parameters())),
    "buffers": lambda net: len(net.buffers()),
    "state_dict": lambda net: len(net.state_dict()),
    "sublayers": lambda net: len(net.sublayers()),
    "a loop over tables": lambda net: sum(len(part._parameters) + len(part._buffers) for part in net.sublayers()),
}
GROWTH: dict[str, Callable[[Any], Any]] = {
    "a parameter": lambda net: setattr(net, "p", parameter()),
    "a parameter below": lambda net: net[0].add_parameter("p", parameter()),
    "a buffer": lambda net: net.register_buffer("b", vt.ones([1])),
    "a buffer below": lambda net: net[0].register_buffer("b", vt.ones([1])),
    "a layer": lambda net: net.add_sublayer("l", nn.Linear(1, 1)),
    "a layer two levels down": lambda net: setattr(net[0].sub, "l", nn.Linear(1, 1)),
    "one parameter less": lambda net: delattr(net[1], "bias"),
}


@pytest.mark.parametrize("growth", GROWTH)
@pytest.mark.parametrize("walk", WALKS)
def test_what_a_layer_gains_is_seen_by_walks(walk: str, growth: str) -> None:
    net = nn.Sequential(nn.Linear(1, 1), nn.Linear(1, 1))
    net[0].add_sublayer("sub", nn.Identity())

    def count(x: Any) -> Any:
        return x + WALKS[walk](net)

    compiled = vt.jit.to_static(count, numerics="reference")
    assert compiled(t(0.0)).tolist() == count(t(0.0)).tolist()
    GROWTH[growth](net)
    assert compiled(t(0.0)).tolist() == count(t(0.0)).tolist()


@pytest.mark.parametrize("grow", [
    lambda ps: ps.append(parameter(2.0)), lambda ps: ps.__setitem__(0, parameter(5.0)),
])  # fmt: skip
def test_a_list_of_parameters_grows(grow: Callable[[Any], Any]) -> None:
    ps = nn.ParameterList([parameter()])

    def total(x: Any) -> Any:
        return sum((p for p in ps), x) * len(ps)

    compiled = vt.jit.to_static(total, numerics="reference")
    assert compiled(t(0.0)).tolist() == total(t(0.0)).tolist()
    grow(ps)
    assert compiled(t(0.0)).tolist() == total(t(0.0)).tolist()


def test_a_dict_of_parameters_grows() -> None:
    ps = nn.ParameterDict({"a": parameter()})

    def total(x: Any) -> Any:
        for _, p in ps.items():  # noqa: PERF102 (that is asked)
            x = x + p
        return x

    compiled = vt.jit.to_static(total, numerics="reference")
    assert compiled(t(0.0)).tolist() == [1.0]
    ps["b"] = parameter(2.0)
    assert compiled(t(0.0)).tolist() == [3.0]


def scheduled(change: Callable[[Any, Any, float], None]) -> tuple[list[float], list[float], int]:
    """What a parameter is after each of five steps, eagerly and compiled, and the number of programs."""
    found: list[list[float]] = []
    programs = 0
    for compiles in (False, True):
        p = parameter()
        optimizer = vt.optimizer.Momentum(
            0.1, parameters=[p], grad_clip=nn.ClipGradByGlobalNorm(0.5), weight_decay=0.1
        )  # fmt: skip

        def step(x: Any, p: Any = p, optimizer: Any = optimizer) -> None:
            (p * x).sum().backward()
            optimizer.step()
            optimizer.clear_grad()

        run = vt.jit.to_static(step, numerics="reference") if compiles else step
        found.append([])
        for k in range(5):
            change(p, optimizer, 0.5 - k / 20)
            run(t(1.0))
            found[-1].append(float(p))
        programs = run.get_traced_count() if compiles else 0
    return found[0], found[1], programs


@pytest.mark.parametrize("change", [
    lambda p, o, v: setattr(o._grad_clip, "clip_norm", v),
    lambda p, o, v: setattr(o.regularization, "coeff", v),
    lambda p, o, v: p.optimize_attr.update(learning_rate=v),
    lambda p, o, v: o._groups[0].options.update(momentum=v),
    lambda p, o, v: setattr(o._groups[0], "scale", v),
])  # fmt: skip
def test_a_number_that_a_schedule_changes_has_one_more_program(change: Any) -> None:
    eager, compiled, programs = scheduled(change)
    np.testing.assert_allclose(compiled, eager, 1e-6)
    assert programs <= 3  # the first, one after the first step has made state, one that takes the number at each call


def test_a_learning_rate_that_is_set_has_no_further_program() -> None:
    eager, compiled, programs = scheduled(lambda p, o, v: o.set_lr(v))
    np.testing.assert_allclose(compiled, eager, 1e-6)
    assert programs <= 2


def test_a_clip_and_a_decay_that_are_set_count() -> None:
    """As in PaddlePaddle, also eagerly."""

    def change(p: Any, o: Any, v: float) -> None:
        if v < 0.4:
            o._grad_clip, o.regularization = nn.ClipGradByValue(v), vt.regularizer.L1Decay(v)

    eager, compiled, _ = scheduled(change)
    np.testing.assert_allclose(compiled, eager, 1e-6)
    usual, _, _ = scheduled(lambda p, o, v: None)
    assert eager[:2] == usual[:2]
    assert eager[3] != usual[3]


def test_groups_keep_a_clip_of_their_own() -> None:
    p, q = parameter(), parameter()
    own = nn.ClipGradByValue(0.2)
    optimizer = vt.optimizer.SGD(1.0, parameters=[{"params": [p], "grad_clip": own}, {"params": [q]}])
    optimizer._grad_clip = nn.ClipGradByValue(0.1)
    (p + q).sum().backward()
    optimizer.step()
    np.testing.assert_allclose([float(p), float(q)], [0.8, 0.9], 1e-6)


def test_an_attribute_of_a_tensor_is_seen() -> None:
    p = parameter()
    p.weight_of_penalty = 2.0

    def penalty(x: Any) -> Any:
        return x + p * p.weight_of_penalty

    compiled = vt.jit.to_static(penalty, numerics="reference")
    for weight in (2.0, 3.0, 4.0):
        p.weight_of_penalty = weight
        assert compiled(t(0.0)).tolist() == [weight]
    assert compiled.get_traced_count() == 2


def test_a_list_that_stands_in_place_of_an_equal_one_is_seen_when_it_changes() -> None:
    class Scale(nn.Layer):
        def __init__(self) -> None:
            super().__init__()
            self.factors = [2.0]

        def forward(self, x: Any) -> Any:
            return x * self.factors[0]

    net = Scale()
    compiled = vt.jit.to_static(lambda x: net(x), numerics="reference")
    assert compiled(t(1.0)).tolist() == [2.0]
    net.factors = [2.0]
    assert compiled(t(1.0)).tolist() == [2.0]
    net.factors[0] = 5.0
    assert compiled(t(1.0)).tolist() == [5.0]


def test_a_number_that_an_initializer_takes_is_seen() -> None:
    class Settings:
        value = 0.0

    settings, p = Settings(), parameter()

    def fill(x: Any) -> Any:
        nn.initializer.Constant(settings.value)(p)
        return p + x

    compiled = vt.jit.to_static(fill, numerics="reference")
    for value in (1.0, 2.0, 3.0):
        settings.value = value
        assert compiled(t(0.0)).tolist() == [value]


def test_how_a_metric_is_set_is_seen() -> None:
    metric = vt.metric.Accuracy(topk=(1,))
    scores, labels = vt.to_tensor([[0.1, 0.5, 0.4], [0.1, 0.2, 0.7]]), vt.to_tensor([[2], [1]])
    compiled = vt.jit.to_static(lambda x, y: metric.compute(x, y), numerics="reference")
    assert compiled(scores, labels).tolist() == metric.compute(scores, labels).tolist()
    metric.maxk, metric.topk = 2, (1, 2)
    assert compiled(scores, labels).tolist() == metric.compute(scores, labels).tolist()


def test_a_list_of_a_layers_own_is_seen_when_it_changes_after_an_equal_one() -> None:
    layer, image = nn.ZeroPad2D([1, 0, 2, 1]), vt.ones([1, 1, 2, 2])
    compiled = vt.jit.to_static(lambda x: layer(x), numerics="reference")
    first = layer.padding
    for change in (
        lambda: None, lambda: setattr(layer, "padding", [2, 0, 2, 1]), lambda: setattr(layer, "padding", first),
        lambda: first.__setitem__(0, 2), lambda: first.__setitem__(0, 1),
    ):  # fmt: skip
        change()
        assert compiled(image).tolist() == layer(image).tolist()
