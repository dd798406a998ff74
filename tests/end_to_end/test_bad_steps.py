"""Training steps, gradients and in-place writes that fail: typed errors, the user's line, and everything as it was."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import vitrify as vt
from vitrify import nn
from vitrify.errors import (
    ArgumentError,
    AxisError,
    DTypeError,
    GradientError,
    KernelError,
    KindError,
    LoopStateError,
    ShapeError,
)

from .bad_input_support import World, arange, fails, user_lines

F = nn.functional

# ---- training steps: everything stays as it was, and the next call works

PLACES = ("first call", "later call")


def check_step(world: Any, step: Any, good: Any, bad: Callable[[], Any], later: bool, *expected: Any) -> BaseException:
    if later:
        for _ in range(2):
            step(*good)
    with world.unchanged():
        error = fails(bad, *expected)
    before = world.snapshot()
    step(*good)
    assert world.snapshot() != before
    return error  # type: ignore[no-any-return]


@pytest.mark.parametrize("later", [False, True], ids=PLACES)
def test_an_assertion_in_a_training_step(later: bool) -> None:
    world = World()

    @vt.to_static
    def step(x: Any) -> Any:
        loss = world.step((world.net(x) ** 2).mean())
        assert x.sum() < 1000, "x is too big"
        return loss

    big = arange(5, 3) + 1000
    check_step(world, step, [arange(5, 3)], lambda: step(big), later, AssertionError, "x is too big", "assert x.sum()")


@pytest.mark.parametrize("later", [False, True], ids=PLACES)
def test_a_label_out_of_range_in_a_training_step(later: bool) -> None:
    world = World()

    @vt.to_static
    def step(x: Any, y: Any) -> Any:
        return world.step(F.cross_entropy(world.net(x), y))

    good, bad = vt.to_tensor([0, 1, 0]), vt.to_tensor([0, 1, 2])
    x, line = arange(3, 3), "F.cross_entropy(world.net(x), y)"
    check_step(world, step, [x, good], lambda: step(x, bad), later, AxisError, "index 2 is outside an axis of 2", line)


@pytest.mark.parametrize("later", [False, True], ids=PLACES)
def test_a_wrong_shape_in_a_training_step(later: bool) -> None:
    world = World()
    step = vt.to_static(lambda x: world.step((world.net(x) ** 2).mean()))
    good, bad = arange(5, 3), arange(5, 2)
    check_step(world, step, [good], lambda: step(bad), later, ShapeError, "must be 3", "step = vt.to_static(lambda x")


@pytest.mark.parametrize("later", [False, True], ids=PLACES)
def test_an_error_of_the_users_own_while_capturing(later: bool) -> None:
    world = World()

    @vt.to_static
    def step(x: Any) -> Any:
        loss = world.step((world.net(x) ** 2).mean())
        if x.shape[0] == 7:
            raise ValueError("seven rows")
        return loss

    seven = arange(7, 3)
    error = check_step(world, step, [arange(5, 3)], lambda: step(seven), later, ValueError, "seven rows", "")
    assert user_lines(error)[-1] == 'raise ValueError("seven rows")'


@pytest.mark.parametrize("later", [False, True], ids=PLACES)
def test_a_construct_that_fails_after_the_update(later: bool) -> None:
    world = World()

    @vt.to_static
    def step(x: Any) -> Any:
        loss = world.step((world.net(x) ** 2).mean())
        if x.shape[0] == 7:
            while loss > 0:
                x = x.unsqueeze(0)
        return loss

    seven = arange(7, 3)
    check_step(
        world, step, [arange(5, 3)], lambda: step(seven), later, LoopStateError, "`x` has shape", "while loss > 0:"
    )


@pytest.mark.parametrize(
    "stage", ["vitrify.runtime.compiler.compile_program", "vitrify.jit.call.caller.gradient_arguments"]
)
def test_a_compile_failure_changes_nothing(stage: str, monkeypatch: pytest.MonkeyPatch) -> None:
    world = World()
    step = vt.to_static(lambda x: world.step((world.net(x) ** 2).mean()))

    def broken(*_: Any, **__: Any) -> Any:
        raise KernelError("the kernel doesn't compile")

    with monkeypatch.context() as patch, world.unchanged():
        patch.setattr(stage, broken)
        fails(lambda: step(arange(5, 3)), KernelError, "doesn't compile")
    step(arange(5, 3))


# ---- gradients and in-place writes


def leaf() -> Any:
    x = arange(2)
    x.stop_gradient = False
    return x


def overwritten() -> Any:
    x = leaf()
    y = x * 2
    z = y * y
    y.add_(vt.ones([2]))
    z.sum().backward()


def twice() -> Any:
    z = (leaf() * 2).sum()
    z.backward()
    z.backward()


@pytest.mark.parametrize(
    ("call", "kind", "text", "line"),
    [
        (overwritten, GradientError, "received tensor_version:1 != wrapper_version_snapshot:0", "y.add_(vt.ones([2]))"),
        (twice, GradientError, "called twice", "z.backward()"),
        (lambda: leaf().add_(leaf()), ArgumentError, "can't be written in place", "leaf().add_(leaf())"),
        (lambda: vt.grad(leaf().sum(), [leaf()]), ArgumentError, "allow_unused=True", "vt.grad(leaf().sum()"),
        (lambda: (leaf() * 2).backward(arange(3)), ShapeError, "has shape [3], the tensor [2]", "backward(arange(3))"),
        (lambda: leaf().set_value(arange(3)), ShapeError, "set_value got shape [3]", "set_value(arange(3))"),
        (lambda: vt.to_tensor([[1, 2], [3]]), ArgumentError, "rows of different lengths", "[[1, 2], [3]]"),
        (lambda: vt.to_tensor([1], dtype="foo"), DTypeError, "'foo' is not a dtype", 'dtype="foo"'),
        (lambda: bool(arange(3)), ArgumentError, "isn't one number", "bool(arange(3))"),
        (lambda: vt.to_static(3), KindError, "takes a function, a method or a layer, not int", "vt.to_static(3)"),
        (lambda: vt.to_static(twice, backend="x"), ArgumentError, "unknown backend 'x'", 'backend="x"'),
        (lambda: vt.to_static(twice, input_spec=3), KindError, "must be a list or tuple", "input_spec=3"),
        (lambda: vt.InputSpec(3), KindError, "must be a list or tuple, not int", "vt.InputSpec(3)"),
        (lambda: vt.jit.enable_to_static(3), KindError, "True or False, not int", "enable_to_static(3)"),
        (lambda: vt.set_num_threads(0), ArgumentError, "number of threads", "vt.set_num_threads(0)"),
    ],
)  # fmt: skip
def test_misuse(call: Any, kind: type[Exception], text: str, line: str) -> None:
    fails(call, kind, text, line)
