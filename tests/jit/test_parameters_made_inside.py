"""Layers that a captured function makes have the first values that eager mode draws for them, in each call."""

from __future__ import annotations

import copy
import warnings
from typing import Any

import numpy as np
import pytest

import vitrify as vt
import vitrify.nn.functional as F
from vitrify.errors import CaptureError


def a_layer(x):
    return vt.nn.Linear(2, 3)(x)


def two_layers(x):
    return vt.nn.Linear(3, 1)(vt.nn.Linear(2, 3)(x))


def a_layer_then_numbers(x):
    y = vt.nn.Linear(2, 3)(x)
    return F.dropout(y, 0.5) + vt.rand([3])


def a_layer_on_one_path(x):
    if x.sum() > 3:
        return vt.nn.Linear(2, 3)(x)
    return vt.nn.Linear(2, 3, bias_attr=False)(x) * 2


def a_norm(x):
    norm = vt.nn.BatchNorm1D(2)
    return norm(x), norm._mean


def a_parameter(x):
    w = vt.create_parameter([2, 2], "float32")
    return x @ w


CASES = [a_layer, two_layers, a_layer_then_numbers, a_norm, a_parameter]


def results(fn: Any, rows: int) -> list[Any]:
    vt.seed(11)
    found = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", vt.jit.RecompileWarning)
        for k in range(4):
            found.append(fn(vt.ones([rows, 2]) * (k + 1)))
        found.append(vt.rand([2]))
    flat = [y for given in found for y in (given if isinstance(given, tuple) else (given,))]
    return [y.numpy() for y in flat]


@pytest.mark.parametrize("rows", [1, 4])
@pytest.mark.parametrize("fn", CASES)
def test_each_call_draws_anew(fn: Any, rows: int) -> None:
    for ours, theirs in zip(results(vt.to_static(fn), rows), results(fn, rows), strict=True):
        assert ours == pytest.approx(theirs, rel=1e-5, abs=1e-6)


def test_a_layer_that_is_made_late_is_kept() -> None:
    class Lazy(vt.nn.Layer):
        def __init__(self):
            super().__init__()
            self.inner = None

        def forward(self, x):
            if self.inner is None:
                self.inner = vt.nn.Linear(x.shape[-1], 2)
            return self.inner(x)

    def run(compiles: bool) -> list[Any]:
        vt.seed(5)
        net = Lazy()
        fn = vt.to_static(net) if compiles else net
        found = []
        for k in range(6):
            if k == 3:
                net.inner = None  # the next call makes another one
            found += fn(vt.ones([1, 3])).numpy().ravel().tolist()
        return found

    assert run(True) == pytest.approx(run(False), rel=1e-6)


def test_an_initializer_that_fills_what_it_is_given() -> None:
    class Ones(vt.nn.initializer.Initializer):
        def __call__(self, param, block=None):
            param.set_value(vt.ones(param.shape) * 3)

    made = vt.nn.Linear(2, 2, weight_attr=vt.ParamAttr(initializer=Ones()))
    assert made.weight.tolist() == [[3.0, 3.0], [3.0, 3.0]]
    assert not made.weight.stop_gradient

    class Nothing(vt.nn.initializer.Initializer):
        pass

    with pytest.raises(NotImplementedError, match=r"Nothing has neither `__call__\(self, param, block=None\)`"):
        vt.nn.Linear(2, 2, weight_attr=vt.ParamAttr(initializer=Nothing()))


@pytest.mark.parametrize("kind", ["parameter", "layer", "several", "missing"])
def test_the_first_call_makes_what_the_later_ones_use(kind: str) -> None:
    """Layers that learn their sizes from the first input."""

    class Late(vt.nn.Layer):
        def __init__(self) -> None:
            super().__init__()
            self.w: Any = None
            self.inner: Any = None
            self.is_built = False

        def build(self, size: int) -> None:
            self.fc = vt.nn.Linear(size, 2)
            self.add_parameter("scale", self.create_parameter([1]))
            self.register_buffer("shift", vt.ones([2]))
            self.is_built = True

        def forward(self, x: Any) -> Any:
            if kind == "parameter":
                if self.w is None:
                    self.w = self.create_parameter([x.shape[-1], 2])
                return x @ self.w
            if kind == "layer":
                if self.inner is None:
                    self.inner = vt.nn.Linear(x.shape[-1], 2)
                return self.inner(x)
            if kind == "several":
                if not self.is_built:
                    self.build(x.shape[-1])
                return self.scale * self.fc(x) + self.shift
            if not hasattr(self, "late"):
                self.late = vt.nn.Sequential(vt.nn.Linear(3, 4), vt.nn.ReLU(), vt.nn.Linear(4, 2))
            return self.late(x)

    def trained(wrap: Any) -> list[Any]:
        vt.seed(0)
        layer = Late()
        forward, found, optimizer = wrap(layer.forward), [], None
        for k in range(3):
            y = forward(vt.arange(6.0).reshape([2, 3]) + k)
            y.sum().backward()
            optimizer = optimizer or vt.optimizer.SGD(0.125, parameters=layer.parameters())
            optimizer.step()
            optimizer.clear_grad()
            found += [y.tolist(), [(name, p.tolist()) for name, p in layer.named_parameters()]]
        return found

    assert trained(vt.to_static) == trained(lambda fn: fn)


@pytest.mark.parametrize("kind", ["layer", "trainable", "bias", "used before"])
def test_what_the_first_call_freezes_gets_no_gradients(kind: str) -> None:
    class Teacher(vt.nn.Layer):
        def __init__(self) -> None:
            super().__init__()
            self.net = vt.nn.Linear(2, 2)
            self.t: Any = None

        def forward(self, x: Any) -> Any:
            extra = 0.0
            if self.t is None:
                self.t = vt.nn.Linear(2, 1)
                extra = self.t(x).sum() if kind == "used before" else 0.0
                for p in [self.t.bias] if kind == "bias" else self.t.parameters():
                    if kind == "trainable":
                        p.trainable = False
                    else:
                        p.stop_gradient = True
            return self.t(self.net(x)).sum() + extra

    def trained(wrap: Any) -> list[Any]:
        vt.seed(0)
        layer, found = Teacher(), []
        forward = wrap(layer.forward)
        for k in range(3):
            forward(vt.arange(4.0).reshape([2, 2]) + k).backward()
            for name, p in layer.named_parameters():
                found.append((name, p.stop_gradient, None if p.grad is None else p.grad.tolist()))
        return found

    assert trained(vt.to_static) == trained(lambda fn: fn)


def test_a_layer_that_is_copied_in_the_call_is_a_layer() -> None:
    def trained(wrap: Any) -> list[Any]:
        vt.seed(0)
        net = vt.nn.Sequential(vt.nn.Linear(2, 3), vt.nn.BatchNorm1D(3), vt.nn.Linear(3, 1))
        optimizer = vt.optimizer.SGD(0.125, parameters=net.parameters())
        kept: dict[str, Any] = {"calls": 0}

        def step(x: Any) -> Any:
            kept["calls"] += 1
            if kept["calls"] % 2 == 1:
                kept["target"] = copy.deepcopy(net)
                kept["target"].eval()
            loss = ((net(x) - kept["target"](x).detach() + 1) ** 2).mean()
            loss.backward()
            optimizer.step()
            optimizer.clear_grad()
            return loss

        fn, found = wrap(step), []
        for k in range(4):
            found.append(fn(vt.arange(8.0).reshape([4, 2]) + k).numpy())
            target = kept["target"]
            found += [x.numpy() for x in (*target.parameters(), *target.buffers(), target(vt.ones([1, 2])))]
            assert not {id(x) for x in target.parameters()} & {id(x) for x in net.parameters()}
        return found

    for eager, compiled in zip(trained(lambda fn: fn), trained(vt.to_static), strict=True):
        np.testing.assert_allclose(compiled, eager, rtol=1e-5, atol=1e-6)


def test_a_layer_that_was_written_is_not_copied() -> None:
    net, optimizer = vt.nn.Linear(2, 1), None

    def step(x: Any) -> Any:
        net(x).sum().backward()
        optimizer.step()
        return copy.deepcopy(net)

    optimizer = vt.optimizer.SGD(0.125, parameters=net.parameters())
    with pytest.raises(CaptureError, match="is deep-copied after the function has written"):
        vt.to_static(step)(vt.ones([1, 2]))
