"""An optimizer that only some runs of a compiled function step: its accumulators are there once one has stepped it."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import vitrify as vt

Make = Callable[[list[Any]], Any]


def leaf(*numbers: float, name: str = "w") -> Any:
    made = vt.to_tensor(np.array(numbers, "float32"), stop_gradient=False)
    made.name = name
    return made


OPTIMIZERS: dict[str, Make] = {
    "momentum": lambda ps: vt.optimizer.Momentum(0.1, parameters=ps),
    "adam": lambda ps: vt.optimizer.Adam(0.1, parameters=ps),
    "adamw": lambda ps: vt.optimizer.AdamW(0.1, parameters=ps),
    "rmsprop": lambda ps: vt.optimizer.RMSProp(0.1, parameters=ps),
    "lookahead": lambda ps: vt.incubate.LookAhead(vt.optimizer.SGD(0.1, parameters=ps)),
}


def state_of(optimizer: Any) -> dict[str, Any]:
    return {k: x.tolist() for k, x in sorted(optimizer.state_dict().items()) if hasattr(x, "tolist")}


def run_both(program: Callable[[Callable[..., Any]], Any]) -> Any:
    """What a program gives in eager mode and with its functions compiled, which is the same."""
    eager, compiled = program(lambda fn: fn), program(vt.to_static)
    assert _rounded(compiled) == _rounded(eager)
    return eager


def _rounded(found: Any) -> Any:
    if isinstance(found, dict):
        return {k: _rounded(v) for k, v in found.items()}
    if isinstance(found, (list, tuple)):
        return [_rounded(v) for v in found]
    return round(found, 5) if isinstance(found, float) else found


@pytest.mark.parametrize("kind", OPTIMIZERS)
def test_there_are_none_before_a_run_has_stepped(kind: str) -> None:
    def program(wrap: Any) -> Any:
        w = leaf(1, 2)
        optimizer = OPTIMIZERS[kind]([w])

        @wrap
        def step(x: Any) -> None:
            (w * x).sum().backward()
            if x.sum() > 0:
                optimizer.step()
            optimizer.clear_grad()

        found = []
        for x in ([-1.0, -2.0], [-1.0, -1.0], [1.0, 2.0], [-3.0, 1.0]):
            step(vt.to_tensor(x))
            found.append((state_of(optimizer), sorted(optimizer.get_opti_var_name_list()), w.tolist()))
        return found

    first, second, third, _ = run_both(program)
    assert first[:2] == second[:2] == ({}, [])
    assert third[0]


def test_a_velocity_of_zeros_is_one() -> None:
    def program(wrap: Any) -> Any:
        w = leaf(1, 2)
        optimizer = vt.optimizer.Momentum(0.1, parameters=[w])

        @wrap
        def step(x: Any, t: Any) -> None:
            (w * x).sum().backward()
            if t:
                optimizer.step()

        found = []
        for t in (False, True):
            step(vt.zeros([2]), vt.to_tensor(t))
            found.append(state_of(optimizer))
        return found

    assert run_both(program) == [{}, {"w_velocity_0": [0.0, 0.0]}]


def test_two_optimizers_on_two_paths() -> None:
    def program(wrap: Any) -> Any:
        a, b = leaf(1, 2, name="a"), leaf(3, 4, name="b")
        first, second = vt.optimizer.Momentum(0.1, parameters=[a]), vt.optimizer.Momentum(0.1, parameters=[b])

        @wrap
        def step(t: Any) -> None:
            (a * b).sum().backward()
            if t > 0:
                first.step()
            else:
                second.step()

        found = []
        for t in (1.0, 1.0, -1.0):
            step(vt.to_tensor(t))
            found.append((state_of(first), state_of(second)))
        return found

    found = run_both(program)
    assert [bool(s) for s, _ in found] == [True, True, True]
    assert [bool(s) for _, s in found] == [False, False, True]


def test_only_what_a_step_has_updated_is_there() -> None:
    def program(wrap: Any) -> Any:
        a, b = leaf(1, 2, name="a"), leaf(3, 4, name="b")
        optimizer = vt.optimizer.Momentum(0.1, parameters=[a, b])

        @wrap
        def both(t: Any) -> None:
            (a * b).sum().backward()
            if t > 0:
                optimizer.step()
            optimizer.clear_grad(set_to_zero=False)

        @wrap
        def one(t: Any) -> None:
            (a * t).sum().backward()
            optimizer.step()
            optimizer.clear_grad(set_to_zero=False)

        found = []
        for fn, t in ((both, -1.0), (one, 2.0), (both, -1.0), (both, 1.0)):
            fn(vt.to_tensor(t))
            found.append(state_of(optimizer))
        return found

    assert [sorted(s) for s in run_both(program)] == [
        [], ["a_velocity_0"], ["a_velocity_0"], ["a_velocity_0", "b_velocity_0"],
    ]  # fmt: skip


def test_a_parameter_with_a_gradient_on_one_path() -> None:
    def program(wrap: Any) -> Any:
        a, b = leaf(1, 2, name="a"), leaf(3, 4, name="b")
        optimizer = vt.optimizer.Momentum(0.1, parameters=[a, b])

        @wrap
        def step(t: Any) -> None:
            s = (a * a).sum()
            if t > 0:
                s = s + (a * b).sum()
            s.backward()
            optimizer.step()
            optimizer.clear_grad(set_to_zero=False)

        found = []
        for t in (-1.0, 1.0, -1.0):
            step(vt.to_tensor(t))
            found.append(state_of(optimizer))
        return found

    assert sorted(run_both(program)[0]) == ["a_velocity_0"]


@pytest.mark.parametrize("times", [0, 3])
def test_steps_in_a_loop_that_may_not_run(times: int) -> None:
    def program(wrap: Any) -> Any:
        w = leaf(1, 2)
        optimizer = vt.optimizer.Momentum(0.1, parameters=[w])

        @wrap
        def train(n: Any) -> None:
            k = vt.zeros([], "int64")
            while k < n:
                (w * w).sum().backward()
                optimizer.step()
                optimizer.clear_grad()
                k = k + 1

        train(vt.to_tensor(times))
        return state_of(optimizer), w.tolist()

    assert bool(run_both(program)[0]) is (times > 0)


def test_a_step_left_out_by_a_scaler_makes_none() -> None:
    def program(wrap: Any) -> Any:
        w = leaf(1, 2)
        optimizer = vt.optimizer.Adam(0.1, parameters=[w])
        scaler = vt.amp.GradScaler(init_loss_scaling=8.0)

        @wrap
        def step(x: Any) -> None:
            scaler.scale((w * x).sum()).backward()
            scaler.step(optimizer)
            scaler.update()
            optimizer.clear_grad()

        found = []
        for x in ([float("inf"), 1.0], [1.0, 2.0], [float("inf"), 1.0]):
            step(vt.to_tensor(x))
            found.append((state_of(optimizer), w.tolist()))
        return found

    assert [len(s) for s, _ in run_both(program)] == [0, 4, 4]


def test_eager_steps_and_loaded_states_settle_it() -> None:
    def stepped(wrap: Any) -> tuple[Any, Any]:
        w = leaf(1, 2)
        optimizer = vt.optimizer.Momentum(0.1, parameters=[w])

        @wrap
        def step(x: Any) -> None:
            (w * x).sum().backward()
            if x.sum() > 0:
                optimizer.step()

        step(vt.to_tensor([-1.0, -2.0]))
        return w, optimizer

    def program(wrap: Any) -> Any:
        _, by_step = stepped(wrap)
        by_step.step()
        _, loaded = stepped(wrap)
        loaded.set_state_dict(by_step.state_dict())
        _, copied = stepped(wrap)
        twin = copy.deepcopy(copied)
        before = state_of(twin)
        twin.step()
        return state_of(by_step), state_of(loaded), before, list(state_of(twin).values()), state_of(copied)

    assert run_both(program)[2] == {}


def test_a_step_of_every_run_has_no_flag() -> None:
    w = leaf(1, 2)
    optimizer = vt.optimizer.Adam(0.1, parameters=[w])

    @vt.to_static
    def step(x: Any) -> None:
        (w * x).sum().backward()
        optimizer.step()

    step(vt.to_tensor([1.0, 2.0]))
    assert optimizer._updated == {}
    assert len(state_of(optimizer)) == 4
