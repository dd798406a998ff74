"""Calls run again: they stop where it went wrong, show the variables there, and step back through recorded values."""

from __future__ import annotations

from types import FrameType
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify.base.errors import ArgumentError, NonFiniteError
from vitrify.runtime.executable import Bound


def falling(x: Any, turns: Any) -> Any:
    i = vt.to_tensor(0)
    root = x
    while i < turns:
        root = vt.sqrt(x)
        x = x - 1.0
        i = i + 1
    return root + x


def test_a_replay_stops_in_turn_37_with_live_variables_and_steps_back() -> None:
    compiled = vt.jit.to_static(falling)
    x, turns = vt.to_tensor([36.5, 90.0]), vt.to_tensor(50)
    with vt.jit.recording(check_nan=True) as failed, pytest.raises(NonFiniteError, match="in iteration 37 of the loop"):
        compiled(x, turns)
    assert Bound.call is Bound.call_natively
    (recorded,) = failed
    assert isinstance(recorded.error, NonFiniteError)
    assert recorded.nbytes == 16
    frames: list[tuple[FrameType, Any]] = []
    again = vt.jit.replay(recorded, debugger=lambda frame, made: frames.append((frame, made)))
    assert isinstance(again.error, NonFiniteError)
    assert (again.here.op, again.here.turn) == ("sqrt", 37)
    assert again.here.loc.text() == "root = vt.sqrt(x)"
    assert again.here.where.startswith("iteration 37 of the loop at test_replay.py:")
    np.testing.assert_array_equal(again.here.read[0], [-0.5, 53.0])
    np.testing.assert_array_equal(again.locals["x"].numpy(), [-0.5, 53.0])
    assert int(again.locals["i"]) == 37
    ((frame, made),) = frames
    assert made is again
    assert frame.f_code is falling.__code__  # the user's frame, while it is alive
    step = again.back(4)
    assert (step.op, step.turn) == ("sqrt", 36)
    np.testing.assert_array_equal(step.made[0], np.sqrt(np.array([0.5, 54.0], "float32")))
    assert int(again.locals["i"]) == 36
    assert again.forward(100) is again.steps[-1]
    assert again.find(line=step.loc.line, turn=5) is again.here
    np.testing.assert_array_equal(again.here.read[0], [31.5, 85.0])
    assert "iteration 5 of the loop" in str(again)
    np.testing.assert_array_equal(x.numpy(), [36.5, 90.0])
    with pytest.raises(ArgumentError, match="no such step"):
        again.find(turn=50)


def test_a_replay_stops_where_it_is_told_to() -> None:
    line = falling.__code__.co_firstlineno + 5
    again = vt.jit.replay(falling, vt.to_tensor([60.0]), vt.to_tensor(50), line=line, turn=12)
    assert again.error is None
    assert (again.here.op, again.here.turn) == ("subtract", 12)
    np.testing.assert_array_equal(again.here.made[0], [47.0])


def test_an_exception_of_the_users_shows_the_variables_of_its_line() -> None:
    layer = vt.nn.Linear(2, 2)
    optimizer = vt.optimizer.SGD(0.5, parameters=layer.parameters())

    @vt.jit.to_static
    def step(x: Any, limit: float) -> Any:
        loss = layer(x).sum()
        loss.backward()
        optimizer.step()
        optimizer.clear_grad()
        if loss > limit:
            excess = loss - limit
            raise ValueError("too much", excess)
        return loss

    x = vt.to_tensor([[1.0, 2.0]])
    layer.weight.set_value(np.ones((2, 2), "float32"))
    step(x, 100.0)
    weight = layer.weight.numpy().copy()
    with vt.jit.recording() as failed, pytest.raises(ValueError, match="too much"):
        step(x, -1e9)
    layer.weight.set_value(np.zeros((2, 2), "float32"))  # the recording remembers what it was
    again = vt.jit.replay(failed[0])
    assert isinstance(again.error, ValueError)
    assert again.frame is not None
    assert set(again.locals) >= {"x", "limit", "loss", "excess"}
    np.testing.assert_allclose(again.find(op="matmul").read[1], weight)
    np.testing.assert_array_equal(layer.weight.numpy(), np.zeros((2, 2)))


def test_random_numbers_come_again() -> None:
    def noisy(x: Any) -> Any:
        return x + vt.rand([3])

    vt.seed(11)
    recorded = vt.jit.record(noisy, vt.zeros([3]))
    drawn = vt.jit.to_static(noisy)(vt.zeros([3])).numpy()
    vt.rand([100])
    again = vt.jit.replay(recorded)
    np.testing.assert_array_equal(again.here.made[0], drawn)
    assert again.error is None
    assert "went well" in str(again)


def test_compiled_functions_inside_are_stepped_through() -> None:
    inner = vt.jit.to_static(lambda x: vt.log(x))
    inner(vt.to_tensor([1.0]))
    again = vt.jit.replay(lambda x: inner(x) + 1.0, vt.to_tensor([0.0]))
    assert again.here.op == "log"
    assert isinstance(again.error, NonFiniteError)
