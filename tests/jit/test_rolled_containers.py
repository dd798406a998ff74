"""Long loops whose state is handed on in tuples, lists or dicts and written in place: loops of the program."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pytest

import vitrify as vt
from vitrify.base.errors import CaptureError
from vitrify.base.pytree import flatten
from vitrify.ir.walk import walk

ITERATIONS = 40
RANDOM = np.random.RandomState(3)
X, Y, U = (RANDOM.randn(ITERATIONS + 2) for _ in range(3))


def one(k, y, u):
    y[k + 1] = 0.5 * y[k] + u[k]
    return (y,)


def two(k, y, z, u):
    y[k + 1] = 0.5 * y[k] + u[k]
    z[k] += y[k] * 0.1
    return y, z


def with_a_star(x, y, u):
    state = (x.clone(),)
    for k in range(ITERATIONS):
        state = one(k, *state, u)
    return state


def as_it_is(x, y, u):
    def step(k, state):
        return two(k, state[0], state[1], u)

    state = (x.clone(), y.clone())
    for k in range(ITERATIONS):
        state = step(k, state)
    return state


def lists(x, y, u):
    state = [x.clone(), y.clone()]
    first = state[0]
    for k in range(ITERATIONS):
        state = list(two(k, *state, u))
    return state, first


def dicts(x, y, u):
    state = {"y": x.clone(), "z": y.clone()}
    first = state
    for k in range(ITERATIONS):
        made = two(k, state["y"], state["z"], u)
        state = {"y": made[0], "z": made[1]}
    return state, first


class State(NamedTuple):
    y: Any
    z: Any
    total: Any


def some_written_and_some_new(x, y, u):
    state = State(x.clone(), y.clone(), u[0])
    first = state
    for k in range(ITERATIONS):
        state.y[k + 1] = 0.5 * state.y[k] + state.z[k]
        state = State(state.y, state.z * 0.9, state.total + state.y[k])
    return state, first


def nested(x, y, u):
    state = (x.clone(), [y.clone(), u[0]])
    held = state[1][0]
    for k in range(ITERATIONS):
        a, (b, total) = state
        two(k, a, b, u)
        state = (a, [b, total + b[k]])
    return state, held


def the_argument_itself(x, y, u):
    state = [x, y]
    for k in range(ITERATIONS):
        state = list(two(k, *state, u))
    return state


def new_under_a_condition(x, y, u):
    state = (x.clone(), y.clone())
    first = state[0]
    for k in range(ITERATIONS):
        state[0][k] = state[1][k] * 0.5 + u[k]
        if u[k] > 0:
            state = (state[0], state[1] + 0.5)
    return state, first


def exchanged(x, y, u):
    a, b = x.clone(), y.clone()
    state = (a, b)
    for k in range(ITERATIONS):
        state[0][k] += u[k]
        state = (state[1], state[0])
    return state, a, b


def replaced_under_a_condition(x, y, u):
    state = [x.clone(), y.clone()]
    first = state[0]
    for k in range(ITERATIONS):
        state = [state[0], state[1]]
        state[0][k] += u[k]
        if k == 20:
            state = [state[0] * 2, state[1]]
    return state, first


ROLLED = [
    with_a_star, as_it_is, lists, dicts, some_written_and_some_new, nested, the_argument_itself, new_under_a_condition,
]  # fmt: skip
UNROLLED = [exchanged, replaced_under_a_condition]


def leaves(value: Any) -> list[Any]:
    return flatten(value, lambda v: isinstance(v, vt.Tensor))[0]


@pytest.mark.parametrize(
    ("function", "gradients"),
    [*((f, False) for f in (*ROLLED, *UNROLLED)), *((f, True) for f in ROLLED if f is not the_argument_itself)],
    ids=lambda v: v.__name__ if callable(v) else "gradient" if v else "forward",
)
def test_the_state_of_a_long_loop_is_written_in_place(function: Callable[..., Any], gradients: bool) -> None:
    compiled = vt.jit.to_static(function)
    found = []
    for code in (function, compiled):
        given = [vt.to_tensor(v) for v in (X, Y, U)]
        given[2].stop_gradient = not gradients
        results = leaves(code(*given))
        slopes = vt.grad([sum((v * v).sum() for v in results)], [given[2]], allow_unused=True) if gradients else []
        found.append([None if v is None else v.numpy() for v in (*results, *given, *slopes)])
    for a, b in zip(*found, strict=True):
        if a is None or b is None:
            assert a is b
        else:
            np.testing.assert_allclose(a, b, rtol=1e-9, atol=1e-12)
    assert bool([o for o in walk(compiled.program.body) if o.name == "for"]) is (function in ROLLED)


def test_what_a_try_that_was_given_up_left_is_not_looked_at() -> None:
    def function(x, y, u):
        a, b, c = x.clone(), y * 1.0, u * 1.0
        for k in range(20, 0, -1):
            if b[0] > -0.2:
                b *= 0.9
            else:
                c[k] = c[k - 1] * 0.5 + u[k]
            a[k] += 0.5
            a, b, c = b, c, a
            a[k] = c[k - 1] * 0.5 + u[k]
        return a, b, c

    x, y, u = (vt.to_tensor(v) for v in (X, Y, U))
    u.stop_gradient = False
    with pytest.raises(CaptureError, match="on one path of a branch"):
        vt.jit.to_static(function)(x, y, u)
