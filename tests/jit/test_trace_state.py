"""State under a trace: parameters, buffers, random numbers, attributes, training steps, PyLayers; nothing leaks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify.base.errors import CallbackError, CaptureError
from vitrify.dygraph import random_generators as streams
from vitrify.dygraph.modes import no_grad
from vitrify.dygraph.nn.layer import Layer
from vitrify.dygraph.nn.linear_layers import Linear
from vitrify.dygraph.nn.norm import BatchNorm1D
from vitrify.dygraph.pylayer import PyLayer
from vitrify.dygraph.tensor import Parameter, Tensor
from vitrify.jit.api import to_static
from vitrify.ops.dims import Dim

Agrees = Callable[..., Any]


def t(*values: Any, grad: bool = False) -> Any:
    return Tensor(np.array(values, "float32"), stop_gradient=not grad)


def n(value: int) -> Any:
    return Tensor(np.array(value))


class Net(Layer):
    def __init__(self) -> None:
        super().__init__()
        self.fc = Linear(3, 4)
        self.norm = BatchNorm1D(4)
        self.out = Linear(4, 2)
        self.register_buffer("count", Tensor(np.array(0)))
        self.scale = 2.0

    def forward(self, x: Any) -> Any:
        h = self.norm(self.fc(x))
        if h.sum() > 0:
            h = h * self.scale
            self.count += 1
        else:
            h = self.helper(h)
        return self.out(h)

    def helper(self, h: Any) -> Any:
        if self.training:
            return h - 1
        return h


def batch(seed: int = 0, rows: int = 5) -> Any:
    return Tensor(np.random.default_rng(seed).normal(size=(rows, 3)).astype("float32"))


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_a_layer(agrees: Agrees, seed: int) -> None:
    net = Net()
    made = agrees(net, batch(seed))
    names = {s.name: s.role for s in made.trace.state}
    assert names[net.norm._mean.name] == "parameter"
    assert {"parameter", "moment"} <= set(names.values())


def test_a_training_step(agrees: Agrees) -> None:
    net = Net()
    params = [p for p in net.parameters() if not p.stop_gradient]

    def step(x: Any) -> Any:
        loss = (net(x) ** 2).mean()
        loss.backward()
        with no_grad():
            for p in params:
                p.set_value(p - 0.1 * p.grad)
        net.clear_gradients()
        return loss

    for k in range(3):
        agrees(step, batch(k))


def test_gradients_stay(agrees: Agrees) -> None:
    net = Net()

    def step(x: Any) -> Any:
        loss = net(x).sum()
        loss.backward()
        return loss

    agrees(step, batch(0))
    made = agrees(step, batch(1))  # now there are gradients to add to
    assert any(s.slot == "grad" for s in made.trace.state)


def test_training_loop_inside(agrees: Agrees) -> None:
    w = Parameter(np.array([1.0, -1.0, 0.5], "float32"), name="w_loop")

    def train(x: Any, k: Any) -> Any:
        loss = x.sum() * 0
        for _ in range(k):
            loss = ((x * w).sum() - 1) ** 2
            loss.backward()
            with no_grad():
                w.set_value(w - 0.01 * w.grad)
            w.clear_grad()
        return loss

    agrees(train, t(1.0, 2.0, 3.0), n(4))


def test_random_numbers(agrees: Agrees) -> None:
    def noisy(x: Any, k: Any) -> Any:
        y = x + streams.rand([3])
        for _ in range(k):
            if y.sum() > 2:
                y = y * streams.uniform([3], min=0.0, max=1.0)
        return y + streams.randn([3])

    streams.seed(5)
    made = agrees(noisy, t(1.0, 2.0, 3.0), n(3))
    assert [s.role for s in made.trace.state] == ["rng"]


class Counter:
    def __init__(self) -> None:
        self.total = t(0.0, 0.0)
        self.calls = 0
        self.log: list[Any] = []


def test_attributes_are_written_back(traced: Any) -> None:
    box = Counter()

    def fn(x: Any) -> Any:
        if x.sum() > 0:
            box.total = box.total + x
        box.calls += 1
        box.log.append(x * 2)
        return x

    before = box.total
    made = traced(fn, t(1.0, 2.0))
    assert box.total is before
    assert box.calls == 0
    assert box.log == []
    names = {w.name for w in made.trace.attribute_writes}
    assert names == {"total", "calls", "log"}


def test_method_writes_in_a_loop(agrees: Agrees) -> None:
    class Acc:
        def __init__(self) -> None:
            self.value = t(0.0)

        def add(self, v: Any) -> None:
            self.value = self.value + v

    def fn(x: Any, k: Any) -> Any:
        acc = Acc()
        for i in range(k):
            acc.add(x[i])
        return acc.value

    agrees(fn, t(1.0, 2.0, 3.0), n(2))


def test_nothing_stays_after_a_failure(traced: Any) -> None:
    net = Net()
    before = {k: v.numpy() for k, v in net.state_dict().items()} if hasattr(net, "state_dict") else {}
    versions = [p.inplace_version for p in net.parameters()]

    def broken(x: Any) -> Any:
        loss = net(x).sum()
        loss.backward()
        with no_grad():
            for p in net.parameters():
                p.set_value(p if p.grad is None else p - p.grad)
        streams.rand([2])
        net.scale = 7.0
        raise ValueError("the user's own")

    state = streams.get_rng_state()[0].numpy()
    with pytest.raises(ValueError, match="the user's own"):
        traced(broken, batch())
    assert net.scale == 2.0
    assert all(p.grad is None for p in net.parameters())
    assert [p.inplace_version for p in net.parameters()] == versions
    for p in net.parameters():
        assert isinstance(p._storage.payload, np.ndarray)
    assert (streams.get_rng_state()[0].numpy() == state).all()
    for k, v in before.items():
        assert (net.state_dict()[k].numpy() == v).all()


class Square(PyLayer):
    @staticmethod
    def forward(ctx: Any, x: Any, k: float) -> Any:
        ctx.save_for_backward(x)
        ctx.k = k
        return x * x * k

    @staticmethod
    def backward(ctx: Any, g: Any) -> Any:
        (x,) = ctx.saved_tensor()
        return g * 2 * x * ctx.k


class Two(PyLayer):
    @staticmethod
    def forward(ctx: Any, x: Any, y: Any) -> Any:
        ctx.save_for_backward(x, y)
        big = (x > y).astype("int64")
        ctx.mark_non_differentiable(big)
        return x * y, big

    @staticmethod
    def backward(ctx: Any, g: Any, _: Any) -> Any:
        x, y = ctx.saved_tensor()
        return g * y, g * x


def squares(x: Any, k: Any) -> Any:
    h = x
    for _ in range(k):
        if h.sum() > 3:
            h = Square.apply(h, 0.1)
        else:
            h = h + Square.apply(h, 0.5)
    return h


def two(x: Any, k: Any) -> Any:
    a, big = Two.apply(x, x + k)
    b, _ = Two.apply(a, x.detach())
    return b, big


@pytest.mark.parametrize("fn", [squares, two])
@pytest.mark.parametrize("k", [0, 1, 4])
def test_pylayers(agrees: Agrees, fn: Any, k: int) -> None:
    agrees(fn, t(1.0, 0.5, -0.2), n(k))
    if fn is two:
        agrees(fn, t(1.0, 0.5, -0.2, grad=True), n(k), gradients=True)


def test_pylayer_inside_backward(agrees: Agrees) -> None:
    def fn(x: Any, k: Any) -> Any:
        loss = squares(x, k).sum()
        loss.backward()
        return loss

    agrees(fn, t(1.0, 0.5, -0.2, grad=True), n(3))


def test_pylayer_with_symbols(agrees: Agrees) -> None:
    def fn(x: Any) -> Any:
        return Square.apply(x, 2.0) + x

    rows = Dim.symbol("N")
    made = agrees(fn, batch(0, 6), sizes={"N": 6}, dims=[(rows, 3)])
    assert "f32[N, 3]" in str(made.program)


def test_sizes_become_guards(agrees: Agrees) -> None:
    def fn(x: Any) -> Any:
        if x.shape[0] > 4:
            return x.sum() / x.shape[0]
        return x.mean()

    rows = Dim.symbol("N")
    made = agrees(fn, batch(0, 6), sizes={"N": 6}, dims=[(rows, 3)])
    assert made.program.constraints


def test_a_loop_over_a_symbol(agrees: Agrees) -> None:
    def fn(x: Any) -> Any:
        s = x[0] * 0
        for i in range(x.shape[0]):
            s = s * 0.5 + x[i]
        for k, row in enumerate(x):
            s = s + row * k
        return s

    rows = Dim.symbol("N")
    made = agrees(fn, batch(0, 6), sizes={"N": 6}, dims=[(rows, 3)])
    assert str(made.program).count("= for ") == 2


def as_numpy(x: Any) -> Any:
    return x * np.cbrt(x.numpy())


def session() -> Any:
    yield 1


@pytest.mark.parametrize(
    ("fn", "error", "text"),
    [
        (as_numpy, CaptureError, "numpy"),
    ],
    ids=lambda v: getattr(v, "__name__", ""),
)
def test_errors(traced: Any, fn: Any, error: type, text: str) -> None:
    args = (t(1.0, 2.0), n(2)) if fn.__code__.co_argcount == 2 else (t(1.0, 2.0),)
    with pytest.raises(error) as caught:
        traced(fn, *args)
    assert text in str(caught.value)
    assert "test_trace_state.py" in str(caught.value)
    assert "help:" in str(caught.value)


def test_facts(traced: Any) -> None:
    net = Net()
    made = traced(net, batch())
    seen = {(type(f.owner).__name__, f.name) for f in made.trace.assumptions}
    assert ("Net", "scale") in seen
    assert ("Net", "training") in seen


class Odd(PyLayer):
    sizes = [3, 2]

    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        return x[: Odd.sizes[0]]

    @staticmethod
    def backward(ctx: Any, g: Any) -> Any:
        raise KeyError("mine")


def test_a_callback_that_returns_another_type(traced: Any) -> None:
    made = traced(Odd.apply, t(1.0, 2.0, 3.0))
    Odd.sizes[0] = 2
    try:
        with pytest.raises(CallbackError, match=r"Odd.*f32\[2\].*f32\[3\]"):
            made.run()
    finally:
        Odd.sizes[0] = 3


def test_a_callback_that_raises(traced: Any) -> None:
    def fn(x: Any) -> Any:
        Odd.apply(x).sum().backward()
        return x

    with pytest.raises(KeyError, match="mine"):
        traced(fn, t(1.0, 2.0, 3.0, grad=True)).run()


counter = 0


def test_globals_and_cells(traced: Any) -> None:
    seen = 5

    def fn(x: Any) -> Any:
        global counter
        nonlocal seen
        counter += 1
        seen += 2
        return x * seen

    made = traced(fn, t(1.0))
    assert (counter, seen) == (0, 5)
    assert {w.name for w in made.trace.attribute_writes} == {"counter", "cell_contents"}
    values = {f.name: f.value for f in made.trace.assumptions}
    assert values["counter"] == 0
    assert values["seen"] == 5


def test_a_spec_without_sizes(traced: Any) -> None:
    rows = Dim.symbol("N")

    def fine(x: Any) -> Any:
        return x[0] + x.mean(0)

    def asks(x: Any) -> Any:
        return x * 2 if x.shape[0] > 3 else x

    made = traced(fine, batch(0, 6), dims=[(rows, 3)])
    assert made.program.constraints
    made = traced(asks, batch(0, 6), dims=[(rows, 3)])
    assert not made.program.constraints
    assert "if %" in str(made.program)


def test_elements_read_in_python_are_facts(traced: Any) -> None:
    rate = Tensor(np.array(0.5, "float32"))

    def fn(x: Any) -> Any:
        return x * rate.item()

    made = traced(fn, t(1.0))
    assert any(f.kind == "call" and f.value == 0.5 for f in made.trace.assumptions)


def test_a_written_tensor_leaves_the_gradient_of_the_result() -> None:
    average = t(0.0, 0.0)

    @to_static
    def fn(x: Any) -> Any:
        y = x * x
        with no_grad():
            average.set_value(average * 0.5 + y)
        return y

    x = t(1.0, 2.0, grad=True)
    fn(x).sum().backward()
    assert x.grad.tolist() == [2.0, 4.0]
    assert average.tolist() == [1.0, 4.0]


def test_a_result_that_backward_has_used_up(traced: Any) -> None:
    def fn(x: Any) -> Any:
        loss = (x * x).sum()
        loss.backward()
        return loss, x * 3

    leaves = traced(fn, t(1.0, 2.0, grad=True)).trace.outputs.leaves
    assert [leaf.stop_gradient for leaf in leaves] == [True, False]


def test_a_number_divided_by_a_symbolic_size_is_a_value_of_the_program() -> None:
    def scaled(x):
        return x * (1 / x.shape[0]), x.shape[0] / 2 + x.sum()

    compiled = vt.to_static(scaled, input_spec=[vt.InputSpec([None, 3], "float32")])
    for rows in (2, 5):
        x = vt.to_tensor(np.ones((rows, 3), "float32"))
        for got, expected in zip(compiled(x), scaled(x), strict=True):
            np.testing.assert_allclose(got.numpy(), expected.numpy(), rtol=1e-6)
    assert compiled.get_traced_count() == 1


def test_a_state_that_becomes_another_s_tensor_and_leaves_it_again_is_seen() -> None:
    class Recurrent(Layer):
        def __init__(self) -> None:
            super().__init__()
            self.register_buffer("total", Tensor([5.0, 6.0]))
            self.h = Tensor([1.0, 2.0])

        def forward(self, x: Tensor) -> Tensor:
            self.total.add_(x)
            self.h = self.h * 0.5 + x
            return self.h * 10.0

    def run(compiled: bool) -> list[Any]:
        layer, found = Recurrent(), []
        step = to_static(layer.forward) if compiled else layer.forward
        for k in range(6):
            if k == 2:
                layer.h = layer.total
            found.append([step(Tensor([1.0, 1.0])).tolist(), layer.total.tolist(), layer.h.tolist()])
        return found

    assert run(True) == run(False)
