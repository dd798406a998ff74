"""`fn.forward_source()` and `fn.backward_source()`: the text runs, gives the same values and gradients, and is captured."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify import nn


class Square(vt.autograd.PyLayer):
    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        ctx.save_for_backward(x)
        return x * x

    @staticmethod
    def backward(ctx: Any, g: Any) -> Any:
        (x,) = ctx.saved_tensor()
        return g * 2 * x


def while_and_if(x: Any, n: Any) -> Any:
    i, s = vt.zeros([], "int64"), x
    while i < n:
        s = vt.sin(s) * x if s.sum() > 0 else vt.cos(s) + x
        i += 1
    return s


def append(x: Any, n: Any) -> Any:
    out = []
    for _ in range(n):
        x = vt.tanh(x) * 1.5
        out.append(x.sum(axis=0))
    return vt.stack(out), x


def loop_in_a_loop(x: Any, n: Any) -> Any:
    s = x.sum() * 0
    for i in range(n):
        h, j = x * 1.0, vt.zeros([], "int64")
        while j < i:
            h = vt.tanh(h) + x
            j = j + 1
        s = s + h.sum()
    return s


def leaves_early(x: Any, n: Any) -> Any:
    s = x
    for _ in range(n):
        s = s * 1.1
        if s.sum() > 100:
            break
        if s.max() < 0:
            continue
        s = s + vt.sin(s)
    return s.mean()


def masked(x: Any, n: Any) -> Any:
    y = x[x > 0]
    return (y * y).sum() + y.shape[0] * n


def softmax_of_product(x: Any, n: Any) -> Any:
    return vt.nn.functional.softmax(x @ x.t(), axis=-1).max(axis=1), n * 2


def calls_python(x: Any, n: Any) -> Any:
    return (Square.apply(x) * n).sum()


FUNCTIONS = [while_and_if, append, loop_in_a_loop, leaves_early, masked, softmax_of_product, calls_python]


def numbers(*shape: int) -> Any:
    array = np.random.default_rng(7).normal(size=shape).astype("float32")
    return vt.to_tensor(array, stop_gradient=False)


def listed(made: Any) -> list[Any]:
    return list(made) if isinstance(made, (tuple, list)) else [made]


def arguments_of(fn: Any, args: tuple[Any, ...]) -> tuple[list[Any], list[str]]:
    """All that the source takes: arguments and state, and their names."""
    program = fn.program
    state = [s.tensor for s in fn.concrete_trace().state]
    return [*args, *state], [*program.feeds, *(entry.name for entry in program.state)]


def check_gradients(fn: Any, *args: Any) -> str:
    """The text's results and gradients are those of the function; asked for twice, too."""
    results = listed(fn(*args))
    given, names = arguments_of(fn, args)
    source = fn.backward_source()
    made, backward = source.load()(*given)
    for a, b in zip(listed(made), results, strict=True):
        np.testing.assert_allclose(a.numpy(), b.numpy(), rtol=1e-5, atol=1e-6)
    seeds = [vt.full(y.shape, 0.5 + k, y.dtype) for k, y in enumerate(listed(made)) if y.dtype.is_floating]
    wanted = [y for y in results if y.dtype.is_floating]
    expected = vt.grad(wanted, [given[names.index(n)] for n in source.wrt], seeds)
    for _ in range(2):
        for name, a, b in zip(source.wrt, listed(backward(*seeds)), expected, strict=True):
            np.testing.assert_allclose(a.numpy(), b.numpy(), rtol=1e-4, atol=1e-5, err_msg=name)
    return str(source)


def captured_again(source: Any, folder: Path) -> Any:
    """The function of a source, from a file, compiled."""
    file = folder / "again.py"
    file.write_text(source)
    spec = importlib.util.spec_from_file_location("again", file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    module.CONSTANTS, module.CALLBACKS = source.constants, source.callbacks
    return vt.to_static(getattr(module, source.name))


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
def test_the_gradient_as_text_is_the_gradient(function: Any) -> None:
    text = check_gradients(vt.to_static(function), numbers(3, 4), vt.to_tensor(4))
    assert "test_sources.py" in text
    assert "def backward(" in text


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
def test_a_program_as_text_runs_and_is_captured_again(function: Any, tmp_path: Path) -> None:
    fn, args = vt.to_static(function), (numbers(3, 4), vt.to_tensor(4))
    expected = listed(fn(*args))
    source = fn.forward_source()
    runs = [source.load()]
    if function is not calls_python:
        runs.append(captured_again(source, tmp_path))
    for run in runs:
        for a, b in zip(listed(run(*args)), expected, strict=True):
            np.testing.assert_allclose(a.numpy(), b.numpy(), rtol=1e-5, atol=1e-6)


def test_control_flow_is_pythons() -> None:
    fn = vt.to_static(while_and_if)
    fn(numbers(3, 4), vt.to_tensor(4))
    forward, _, backward = fn.backward_source().partition("def backward(")
    assert "while " in forward
    assert "if " in forward
    assert ".append(" in forward
    assert "for " in backward
    assert "if " in backward
    assert "# test_sources.py" in backward


def test_layers_with_parameters() -> None:
    net = nn.Sequential(nn.Linear(4, 8), nn.BatchNorm1D(8), nn.ReLU(), nn.Linear(8, 2))
    net.eval()
    text = check_gradients(vt.to_static(lambda x: net(x).mean()), numbers(5, 4))
    assert "gradient_linear" in text


def test_state_is_written_at_the_end_and_gradients_read_what_was_before() -> None:
    net = nn.BatchNorm1D(4)
    fn = vt.to_static(lambda x: (net(x) * x).sum() + (net._mean * x).sum(), input_spec=[vt.InputSpec([5, 4])])
    source, x = fn.backward_source(["x"]), numbers(5, 4)
    given = [x, *(s.tensor.clone() for s in fn.concrete_trace().state)]
    _, backward = source.load()(*given)
    found = backward(vt.ones([]))
    expected = vt.grad(fn(x), x)[0]
    np.testing.assert_allclose(found.numpy(), expected.numpy(), rtol=1e-4, atol=1e-5)
    for copy, entry in zip(given[1:], fn.concrete_trace().state, strict=True):
        np.testing.assert_allclose(copy.numpy(), entry.tensor.numpy(), rtol=1e-5, atol=1e-6, err_msg=source)


def test_a_whole_step_as_text() -> None:
    layer = nn.Linear(3, 1)
    twin = nn.Linear(3, 1)
    twin.set_state_dict(layer.state_dict())
    optimizer = vt.optimizer.Adam(0.1, parameters=layer.parameters())

    @vt.to_static
    def step(x: Any) -> Any:
        loss = (layer(x) ** 2).mean()
        loss.backward()
        optimizer.step()
        optimizer.clear_grad()
        return loss

    x = numbers(6, 3)
    x.stop_gradient = True
    step(x)
    source, state = step.forward_source(), [s.tensor for s in step.concrete_trace().state]
    copies = [t.clone() for t in state]
    expected = step(x)
    found = source.load()(x, *copies)
    np.testing.assert_allclose(listed(found)[0].numpy(), expected.numpy(), rtol=1e-5)
    for copy, tensor in zip(copies, state, strict=True):
        np.testing.assert_allclose(copy.numpy(), tensor.numpy(), rtol=1e-4, atol=1e-6)


def test_random_numbers_come_from_the_state() -> None:
    fn = vt.to_static(lambda x: vt.nn.functional.dropout(x, 0.5, training=True))
    x = vt.ones([64])
    fn(x)
    source, state = fn.forward_source(), [s.tensor.clone() for s in fn.concrete_trace().state]
    expected = fn(x)
    assert np.array_equal(listed(source.load()(x, *state))[0].numpy(), expected.numpy())


def test_large_constants_stand_beside_the_text() -> None:
    table = np.arange(1000, dtype="float32")
    fn = vt.to_static(lambda x: x * vt.to_tensor(table), input_spec=[vt.InputSpec([1000])])
    source = fn.forward_source()
    assert len(source) < 1500
    assert np.array_equal(source.load()(vt.ones([1000])).numpy(), table)


def test_what_has_no_gradient_is_an_error() -> None:
    fn = vt.to_static(lambda x: x > 0, input_spec=[vt.InputSpec([3], name="x")])
    with pytest.raises(ValueError, match="has a gradient"):
        fn.backward_source()
    with pytest.raises(ValueError, match="no argument 'y'"):
        fn.backward_source(["y"])
