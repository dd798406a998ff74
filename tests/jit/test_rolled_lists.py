"""Lists that long loops fill with what an iteration makes or begins with: the elements are the tensors of variables."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify.base.pytree import flatten
from vitrify.ir.walk import walk

ITERATIONS = 70
RANDOM = np.random.default_rng(0)
X, U = RANDOM.standard_normal((4, 3)), RANDOM.standard_normal((ITERATIONS, 3))


def made(x, u):
    outs, h, prev = [], x[0] * 1.0, x[0] * 2.0
    for t in range(ITERATIONS):
        prev = h
        h = vt.sin(h) * 0.9 + u[t]
        outs.append(h)
    return outs, h, prev


def written_behind_and_held_by_a_variable(x, u):
    outs, h, prev = made(x, u)
    outs[-2][0] = 5.0
    return prev, h, vt.stack(outs)


def written_by_the_variable(x, u):
    outs, h, prev = made(x, u)
    prev[0] = 5.0
    return prev, h, vt.stack(outs)


def asked_whether_they_are_one(x, u):
    outs, h, prev = made(x, u)
    return prev is outs[-2], h is outs[-1], prev is outs[3]


def gradients_of_an_element(x, u):
    outs, h, _ = made(x, u)
    return vt.grad([h.sum() + vt.stack(outs).sum()], [outs[5]])[0]


def the_last_one_written(x, u):
    outs, h, _ = made(x, u)
    outs[-1][0] = 5.0
    return h, outs[-1]


def begun(x, u):
    outs, h, prev = [], x[0] * 1.0, x[0] * 2.0
    h0 = h
    for t in range(ITERATIONS):
        outs.append(h)
        prev = h
        h = vt.sin(h) * 0.9 + u[t]
    return outs, h, prev, h0


def the_first_one_written(x, u):
    outs, h, prev, h0 = begun(x, u)
    outs[0][0] = 5.0
    return h0, vt.stack(outs), prev, h


def the_last_of_the_begun_ones_written(x, u):
    outs, h, prev, h0 = begun(x, u)
    outs[-1][0] = 5.0
    return h0, vt.stack(outs), prev, h


def the_variable_of_the_begun_ones_written(x, u):
    outs, h, prev, h0 = begun(x, u)
    prev[0] = 5.0
    return h0, vt.stack(outs), prev, h


def the_start_written(x, u):
    outs, h, prev, h0 = begun(x, u)
    h0[0] = 5.0
    return h0, vt.stack(outs), prev, h


def asked_of_begun_ones(x, u):
    outs, h, prev, h0 = begun(x, u)
    return prev is outs[-1], outs[0] is h0, h is outs[-1], outs[1] is outs[0]


def gradients_of_a_begun_one(x, u):
    outs, h, *_ = begun(x, u)
    return vt.grad([h.sum()], [outs[5]])[0]


def gradients_through_begun_ones(x, u):
    outs, h, prev, h0 = begun(x, u)
    return vt.stack(outs), vt.grad([h.sum() + vt.stack(outs).sum()], [u])[0], h, prev, h0


def two_lists_one_written(x, u):
    outs, c, h = [], [], x[0] * 1.0
    for t in range(ITERATIONS):
        outs.append(h)
        h = vt.sin(h) * 0.9 + u[t]
        c.append(h)
    outs[3][0] = 5.0
    return vt.stack(outs), vt.stack(c)


def two_lists_asked(x, u):
    outs, c, h = [], [], x[0] * 1.0
    for t in range(ITERATIONS):
        outs.append(h)
        h = vt.sin(h) * 0.9 + u[t]
        c.append(h)
    return outs[3] is c[2], outs[0] is c[0], vt.stack(outs), vt.stack(c)


def written_in_the_iteration(x, u):
    outs, h = [], x[0] * 1.0
    for t in range(ITERATIONS):
        outs.append(h)
        h[0] = 2.0 + t
        h = vt.sin(h) * 0.9 + u[t]
    return vt.stack(outs), h


def exchanged(x, u):
    outs, h, q = [], x[0] * 1.0, x[1] * 1.0
    for t in range(ITERATIONS):
        outs.append(h)
        h, q = q, vt.sin(h) * 0.9 + u[t]
    outs[-1][0] = 3.0
    return vt.stack(outs), h, q


def begun_ones_behind_others(x, u):
    outs, h = [x[1] * 1.0, x[2]], x[0] * 1.0
    for t in range(ITERATIONS):
        outs.append(h)
        h = vt.sin(h) * 0.9 + u[t]
    return vt.stack(outs), h


def written_in_the_next_iteration(x, u):
    outs, h = [], x[0] * 1.0
    for t in range(ITERATIONS):
        h[1] += 1
        h = vt.sin(h) * 0.9 + u[t]
        outs.append(h)
    return vt.stack(outs), h


def written_two_iterations_later(x, u):
    outs, h, q = [], x[0] * 1.0, x[1] * 1.0
    for t in range(ITERATIONS):
        outs.append(h)
        q[0] += 1
        q = h
        h = vt.sin(h) * 0.9 + u[t]
    return vt.stack(outs), h, q


def two_lists_a_structure(x, u):
    outs, c, h = [], [], x[0] * 1.0
    for t in range(ITERATIONS):
        outs.append(h)
        h = vt.sin(h) * 0.9 + u[t]
        c.append((h, h * 2))
    outs[0] += 1.0
    return vt.stack(outs), h, c


def written_when_it_is_over(x, u):
    outs, h = [], x[0] * 1.0
    for t in range(ITERATIONS):
        outs.append(h)
        h = vt.sin(h) * 0.9 + u[t]
    h[0] += 1
    return vt.stack(outs), h


def one_that_is_written_in_every_iteration(x, u):
    outs, more, state = [], [], [x[0] * 1.0, x[1]]
    for t in range(ITERATIONS):
        more.append(state[0])
        outs.append(state[0])
        state[0][1] = vt.sin(state[0][1].clone()) * 0.5 + u[t].sum() + vt.cos(u[t]).sum()
    return vt.stack(outs), more[3], state


ROLLED = [
    the_last_one_written, gradients_through_begun_ones, two_lists_a_structure,
    begun_ones_behind_others,
]  # fmt: skip
UNROLLED = [
    written_in_the_iteration, one_that_is_written_in_every_iteration,
    written_behind_and_held_by_a_variable, written_by_the_variable, asked_whether_they_are_one,
    gradients_of_an_element, the_first_one_written, the_last_of_the_begun_ones_written,
    the_variable_of_the_begun_ones_written, the_start_written, asked_of_begun_ones, gradients_of_a_begun_one,
    two_lists_one_written, two_lists_asked, written_in_the_next_iteration, written_two_iterations_later,
    written_when_it_is_over, exchanged,
]  # fmt: skip


@pytest.mark.parametrize("function", [*ROLLED, *UNROLLED], ids=lambda f: f.__name__)
def test_elements_are_the_tensors_that_variables_hold(function: Callable[..., Any]) -> None:
    compiled, found = vt.jit.to_static(function), []
    for code in (function, compiled):
        results = code(vt.to_tensor(X), vt.to_tensor(U, stop_gradient=False))
        leaves = flatten(results, lambda v: isinstance(v, (vt.Tensor, bool)))[0]
        found.append([v if isinstance(v, bool) else v.numpy() for v in leaves])
    for a, b in zip(*found, strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-9, atol=1e-12)
    if function in ROLLED:
        assert [o for o in walk(compiled.program.body) if o.name == "for"]
