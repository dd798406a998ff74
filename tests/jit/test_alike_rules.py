"""Gradients of operations alike are traced once and copied: the program is the one without copies, to the last place."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import vitrify as vt
import vitrify.nn.functional as F
from vitrify import nn
from vitrify.ir.core import Operation
from vitrify.ir.walk import walk
from vitrify.jit.trace.gradients import alike_rules
from vitrify.jit.trace.tracer import Tracer
from vitrify.ops.interpreter import Interpreter

X = np.linspace(-1, 1, 24).reshape(2, 3, 4).astype("float32")


@pytest.fixture
def copies(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """What was copied: a line for each."""
    found: list[Any] = []
    copy = alike_rules._copy

    def counted(tracer: Any, known: Any, *rest: Any) -> Any:
        found.append([op.name for op, *_ in known.operations])
        return copy(tracer, known, *rest)

    # else its frame would be the user's line that makes the operations
    counted.__code__ = counted.__code__.replace(co_filename=copy.__code__.co_filename)
    monkeypatch.setattr(alike_rules, "_copy", counted)
    return found


def facts_of(operation: Operation) -> Any:
    loc, attrs = operation.loc, sorted(operation.attrs.items())
    return operation.name, loc, loc.layer, loc.purpose, str(attrs), [v.hint for v in operation.results]


def traced(make: Callable[[], Callable[[Any], Any]], spec: Any) -> Any:
    vt.seed(3)
    with vt.utils.unique_name.guard():
        return vt.to_static(make()).concrete_trace([spec])


def assert_one_program(
    monkeypatch: pytest.MonkeyPatch, make: Callable[[], Callable[[Any], Any]], spec: Any = None
) -> None:
    """`make` gives a function of one tensor."""
    spec = spec or vt.static.InputSpec(X.shape, "float32")
    traces = []
    for by_rule in (Tracer.by_rule, Interpreter.by_rule):
        monkeypatch.setattr(Tracer, "by_rule", by_rule)
        traces.append(traced(make, spec))
    found, plain = traces
    assert str(found.program) == str(plain.program)
    assert [facts_of(o) for o in walk(found.program.body)] == [facts_of(o) for o in walk(plain.program.body)]
    assert [s.name for s in found.program.state] == [s.name for s in plain.program.state]
    assert len(found.assumptions) == len(plain.assumptions)
    monkeypatch.undo()


class Block(nn.Layer):
    """A layer with a norm, an activation and a product, and a part of it beside."""

    def __init__(self) -> None:
        super().__init__()
        self.norm, self.wide, self.narrow = nn.LayerNorm(4), nn.Linear(4, 8), nn.Linear(8, 4)

    def forward(self, x: Any) -> Any:
        y = self.narrow(F.gelu(self.wide(self.norm(x))))
        scores = F.softmax(vt.matmul(y, y, transpose_y=True), -1)
        return x + vt.matmul(scores, y) * y


def training() -> Callable[[Any], Any]:
    net = nn.Sequential(*[Block() for _ in range(3)])
    optimizer = vt.optimizer.SGD(0.1, parameters=net.parameters())

    def step(x: Any) -> Any:
        loss = net(x).mean()
        loss.backward()
        optimizer.step()
        optimizer.clear_grad()
        return loss

    return step


def gradients_of(fn: Callable[[Any], Any]) -> Callable[[], Callable[[Any], Any]]:
    """A function of a tensor that gives the gradient of `fn` there."""

    def make() -> Callable[[Any], Any]:
        def run(x: Any) -> Any:
            x.stop_gradient = False
            fn(x).sum().backward()
            return x.grad

        return run

    return make


def test_layers_alike(copies: list[Any], monkeypatch: pytest.MonkeyPatch) -> None:
    assert_one_program(monkeypatch, training)


def test_most_of_a_second_layer_is_copied(copies: list[Any]) -> None:
    traced(training, vt.static.InputSpec(X.shape, "float32"))
    assert len(copies) > 30
    assert any("matmul" in names for names in copies)


def test_sizes_left_open(copies: list[Any], monkeypatch: pytest.MonkeyPatch) -> None:
    assert_one_program(monkeypatch, training, vt.static.InputSpec([None, 3, 4], "float32"))


def twice_the_same(x: Any) -> Any:
    y = x * 2
    return (y * y) * (x * y) + (x * x)


def other_attributes(x: Any) -> Any:
    return vt.scale(x, 0.0) + vt.scale(x, -0.0) + vt.scale(x, 2.0) + vt.scale(x, 3.0) + vt.scale(x, 3.0, bias=1.0)


def without_a_gradient(x: Any) -> Any:
    y = x * 3
    free, held = vt.ones([2, 3, 4]), y.detach()
    return x * free + x * held + y * held + held * x + y * x


def other_sizes(x: Any) -> Any:
    return (x + x[:, :1]).sum() + (x + x[:1]).sum() + (x * x[0, 0]).sum() + (x * x[1, 0]).sum()


def other_dtypes(x: Any) -> Any:
    wide = x.astype("float64")
    return (wide * wide).astype("float32") + x * x + (x * x) * (wide * wide).astype("float32")


def parts(x: Any) -> Any:
    a, b, c = vt.unbind(x, 1)
    d, e = vt.split(vt.concat([a, b, c, a], 1), 2, 1)
    return vt.stack([d, e]).sum(0) * vt.concat([b, a], 1)


@pytest.mark.parametrize("fn", [twice_the_same, other_attributes, without_a_gradient, other_sizes, other_dtypes, parts])
def test_what_differs_is_told_apart(
    fn: Callable[[Any], Any], copies: list[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    make = gradients_of(fn)
    assert_one_program(monkeypatch, make)


def test_a_run_of_copies_is_as_eager_mode() -> None:
    run = gradients_of(without_a_gradient)()
    np.testing.assert_allclose(vt.to_static(run)(vt.to_tensor(X)).numpy(), run(vt.to_tensor(X)).numpy(), rtol=1e-6)


def test_on_paths_and_in_handlers(monkeypatch: pytest.MonkeyPatch) -> None:
    def fn(x: Any) -> Any:
        try:
            y = vt.reshape(x * x, [4, 6])
            z = vt.reshape(x * x, [4, 6]) * y
        except ValueError:
            z = x
        return z * 2 if x.sum() > 1 else z * z * z

    make = gradients_of(fn)
    assert_one_program(monkeypatch, make)


def test_gradients_of_gradients(monkeypatch: pytest.MonkeyPatch) -> None:
    def make() -> Callable[[Any], Any]:
        def run(x: Any) -> Any:
            x.stop_gradient = False
            y = F.tanh(F.tanh(x) * x) * F.tanh(x)
            (g,) = vt.grad([y.sum()], [x], create_graph=True)
            ((g * g).sum() + F.tanh(g).sum()).backward()
            return x.grad

        return run

    assert_one_program(monkeypatch, make)


def test_the_default_dtype_of_the_moment(monkeypatch: pytest.MonkeyPatch) -> None:
    def make() -> Callable[[Any], Any]:
        def run(x: Any) -> Any:
            x.stop_gradient = False
            F.gelu(F.gelu(x)).sum().backward()
            first = x.grad
            x.clear_grad()
            (F.gelu(x) + vt.pow(x, 2) + vt.pow(x + 1, 2)).sum().backward()
            return first + x.grad

        return run

    assert_one_program(monkeypatch, make)
