"""PyLayers and callbacks that go wrong, in branches, loops, training steps: whose error, which line, nothing lost."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify.errors import ArgumentError, CallbackError, ShapeError

from .bad_input_support import World, arange, fails, shown, user_lines


class Fault:
    """What the PyLayer below does wrong; out of reach for guards, as is a file or a clock."""

    __slots__ = ("now",)


fault = Fault()
fault.now = ""


def wrong(kind: str) -> bool:
    return fault.now == kind


class Twice(vt.autograd.PyLayer):
    """2x, unless something is wrong."""

    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        if wrong("forward raises"):
            raise KeyError("my forward")
        if wrong("forward is interrupted"):
            raise KeyboardInterrupt
        if wrong("forward: shape"):
            return x.sum()
        if wrong("forward: dtype"):
            return x.astype("float64")
        if wrong("forward: number"):
            return x * 2, x * 3
        if wrong("forward: None"):
            return None
        if wrong("forward: array"):
            return x.numpy()
        return x * 2

    @staticmethod
    def backward(ctx: Any, g: Any) -> Any:
        if wrong("backward raises"):
            raise KeyError("my backward")
        if wrong("backward is interrupted"):
            raise KeyboardInterrupt
        if wrong("backward: shape"):
            return g.sum()
        if wrong("backward: number"):
            return g, g
        if wrong("backward: array"):
            return g.numpy()
        return g * 2


RUN_TIME: dict[str, tuple[type[BaseException], str]] = {
    "forward raises": (KeyError, "my forward"),
    "forward is interrupted": (KeyboardInterrupt, ""),
    "forward: shape": (CallbackError, "Twice returned f32[] as its result, the program expects f32[5, 2]"),
    "forward: dtype": (CallbackError, "Twice returned f64[5, 2] as its result, the program expects f32[5, 2]"),
    "forward: number": (CallbackError, "forward returned 2 tensors"),
    "forward: None": (ArgumentError, "Twice.forward must return a Tensor or a tuple of them, not NoneType"),
    "forward: array": (ArgumentError, "Twice.forward must return a Tensor or a tuple of them, not ndarray"),
    "backward raises": (KeyError, "my backward"),
    "backward is interrupted": (KeyboardInterrupt, ""),
    "backward: shape": (ShapeError, "Twice.backward returned a gradient of shape [] for input 0 of shape [5, 2]"),
    "backward: number": (ArgumentError, "Twice.backward returned 2 gradients: expected 1, received 2"),
    "backward: array": (ArgumentError, "Twice.backward returned ndarray for input 0"),
}
EAGER = {k: v for k, v in RUN_TIME.items() if not k.startswith(("forward: s", "forward: d", "forward: nu"))}


def straight(world: Any) -> Callable[[Any], Any]:
    def step(x: Any) -> Any:
        h = Twice.apply(world.net(x))
        return world.step((h * h).mean())

    return step


def branch(world: Any) -> Callable[[Any], Any]:
    def step(x: Any) -> Any:
        h = world.net(x)
        if h.sum() > -1e9:
            h = Twice.apply(h)
        return world.step((h * h).mean())

    return step


def loop(world: Any) -> Callable[[Any], Any]:
    def step(x: Any) -> Any:
        h = world.net(x)
        n = vt.to_tensor(0)
        while n < 3:
            h = Twice.apply(h)
            n = n + 1
        return world.step((h * h).mean())

    return step


def after_the_update(world: Any) -> Callable[[Any], Any]:
    def step(x: Any) -> Any:
        h = Twice.apply(world.net(x))
        loss = world.step((h * h).mean())
        with vt.no_grad():
            h = Twice.apply(world.net(x))
        return loss + h.mean()

    return step


@pytest.fixture(autouse=True)
def _right() -> Any:
    fault.now = ""
    yield
    fault.now = ""


@pytest.mark.parametrize("make", [straight, branch, loop, after_the_update])
@pytest.mark.parametrize("what", RUN_TIME)
def test_at_run_time(what: str, make: Any) -> None:
    world = World()
    step = vt.to_static(make(world))
    x = arange(5, 3)
    step(x)
    step(x)
    kind, text = RUN_TIME[what]
    fault.now = what
    with world.unchanged():
        error = fails(lambda: step(x), kind, text, "" if kind is KeyboardInterrupt else "Twice.apply(")
    if "raises" in what:  # the user's own exception, with the user's own line
        assert user_lines(error)[-1] == f'raise KeyError("my {what.split()[0]}")'
        assert "Twice" in shown(error)
    fault.now = ""
    before = world.snapshot()
    step(x)
    assert world.snapshot() != before
    assert step.get_traced_count() == 1


@pytest.mark.parametrize("what", [what for what in RUN_TIME if what != "forward: dtype"])
def test_at_the_first_call(what: str) -> None:
    world = World()
    step = vt.to_static(branch(world))
    kind, text = RUN_TIME[what]
    other_kinds = {
        "forward: shape": (ShapeError, "gradient of shape [] for input 0"),
        "forward: number": (TypeError, ""),
    }
    kind, text = other_kinds.get(what, (kind, text))  # what follows is captured once per path
    fault.now = what
    with world.unchanged():
        fails(lambda: step(arange(5, 3)), kind, text)
    fault.now = ""
    if what.startswith("forward") and what not in other_kinds:  # nothing was kept of the failed capture
        assert step.get_traced_count() == 0
    step(arange(5, 3))


def test_another_dtype_at_the_first_call_is_as_in_eager_mode() -> None:
    fault.now = "forward: dtype"
    losses = [make(branch(World()))(arange(5, 3)) for make in (lambda f: f, vt.to_static)]
    assert losses[0].dtype == losses[1].dtype
    np.testing.assert_allclose(losses[0].numpy(), losses[1].numpy(), rtol=1e-6)


def test_another_rank_in_a_loop() -> None:
    """The layer's backward gives a gradient that fits no rank of its input: an error, as in eager mode."""
    world = World()
    step = vt.to_static(loop(world))
    fault.now = "forward: shape"
    with world.unchanged():
        fails(lambda: step(arange(5, 3)), ShapeError, "gradient of shape [] for input 0", "h = Twice.apply(h)")


@pytest.mark.parametrize("what", EAGER)
def test_in_eager_mode(what: str) -> None:
    kind, text = EAGER[what]
    x = arange(5, 2)
    x.stop_gradient = False
    fault.now = what

    def run() -> None:
        Twice.apply(x).sum().backward()

    fails(run, kind, text, "" if issubclass(kind, (KeyError, KeyboardInterrupt)) else "Twice.apply(x).sum().backward()")
    assert x.grad is None
    fault.now = ""
    run()
    assert x.grad is not None
    assert x.grad.tolist() == np.full((5, 2), 2).tolist()


def test_the_gradient_of_a_compiled_function() -> None:
    @vt.to_static
    def f(x: Any) -> Any:
        return (Twice.apply(x) * 3).sum()

    x = arange(4)
    x.stop_gradient = False
    y = f(x)
    fault.now = "backward raises"
    error = fails(lambda: y.backward(), KeyError, "my backward", "Twice.apply(x)")
    assert user_lines(error)[-1] == 'raise KeyError("my backward")'
    assert x.grad is None
    fault.now = ""
    f(x).backward()
    assert x.grad is not None
    assert x.grad.tolist() == [6, 6, 6, 6]


class Loaded:
    """A saved function with one callback."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / "model"
        vt.jit.save(vt.to_static(lambda x: Twice.apply(x) + 1), self.path, input_spec=[vt.InputSpec([3])])


@pytest.mark.parametrize(
    ("given", "text"),
    [
        (None, "calls Python functions that were not given: "),
        ({}, "load it with callbacks={"),
        ({"Other": Twice}, "Twice"),
        ({"Twice": 3}, "can't be called: it is a int"),
    ],
)
def test_missing_callbacks(tmp_path: Path, given: Any, text: str) -> None:
    path = Loaded(tmp_path).path
    fails(lambda: vt.jit.load(path, callbacks=given), CallbackError, text, "vt.jit.load(path")
    assert vt.jit.load(path, callbacks={"Twice": Twice})(arange(3)).tolist() == [1, 3, 5]


@pytest.mark.parametrize(
    ("fn", "kind", "text"),
    [
        (lambda x: x[:1], CallbackError, "returned f32[1] as its result, the program expects f32[3]"),
        (lambda x: x.astype("float64"), CallbackError, "returned f64[3] as its result, the program expects f32[3]"),
        (lambda x: None, CallbackError, "returned NoneType as its result"),
        (lambda x: (x, x), CallbackError, "returned 2 results, the program expects 1"),
        (lambda x: 1 // len(x[:0]), ZeroDivisionError, "while the program called "),
    ],
)
def test_a_wrong_callback_of_a_loaded_program(tmp_path: Path, fn: Any, kind: type[Exception], text: str) -> None:
    model = vt.jit.load(Loaded(tmp_path).path, callbacks={"Twice": fn})
    fails(lambda: model(arange(3)), kind, text)
