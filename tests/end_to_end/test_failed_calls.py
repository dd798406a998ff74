"""Training steps that end half way, by an error in a callback, ctrl-C, too little memory or a signal: all is as before.

All: parameters, buffers, gradients, moments, schedules and the random state. And the steps after it are the steps that
would have been without it, bit for bit.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify.autograd import PyLayer

from ..runtime.alarms import Alarm, alarm
from .bad_input_support import World, arange


class Boom(Exception):
    """An error of the user's own."""


ERRORS = [Boom("no"), KeyboardInterrupt(), MemoryError(), SystemExit(3), RecursionError(), FloatingPointError()]


class Switch(PyLayer):
    """The identity; raises what it is told to, on the way there or back."""

    forward_error: BaseException | None = None
    backward_error: BaseException | None = None

    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        if Switch.forward_error is not None:
            raise Switch.forward_error
        return x * 1.0

    @staticmethod
    def backward(ctx: Any, dy: Any) -> Any:
        if Switch.backward_error is not None:
            raise Switch.backward_error
        return dy * 1.0


@pytest.fixture(autouse=True)
def _off() -> Iterator[None]:
    yield
    Switch.forward_error = Switch.backward_error = None


def training() -> tuple[World, Any]:
    world = World()

    @vt.to_static
    def step(x: Any, n: Any) -> Any:
        i = vt.zeros([], "int64")
        while i < n:
            i = i + 1
        return world.step((Switch.apply(world.net(x)) ** 2).mean() + 0.0 * i.astype("float32"))

    return world, step


@pytest.mark.parametrize("where", ["forward", "backward"])
@pytest.mark.parametrize("error", ERRORS, ids=lambda e: type(e).__name__)
def test_an_error_in_a_callback(error: BaseException, where: str) -> None:
    expected, _ = session(None, where)
    found, _ = session(error, where)
    assert found == expected


def session(error: BaseException | None, where: str) -> tuple[list[bytes], World]:
    """Four steps, with failing ones in their midst, and everything that is there at the end."""
    world, step = training()
    x, n = arange(5, 3), vt.to_tensor(2)
    losses = []
    for number in range(4):
        losses.append(step(x, n).numpy().tobytes())
        if number == 1 and error is not None:
            for _ in range(2):  # an error after an error, too
                setattr(Switch, f"{where}_error", error)
                with world.unchanged(), pytest.raises(type(error)):
                    step(x, n)
                setattr(Switch, f"{where}_error", None)
    state = [x.numpy().tobytes() for _, x in world.tensors()]
    return [*losses, *state], world


def test_a_signal_in_a_loop() -> None:
    world, step = training()
    x = arange(5, 3)
    step(x, vt.to_tensor(2))

    with world.unchanged(), pytest.raises(Alarm), alarm():
        step(x, vt.to_tensor(1 << 60))
    assert np.isfinite(step(x, vt.to_tensor(2)).numpy())
