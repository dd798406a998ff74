"""`x[:, i : i + 1]` in a loop over a range: its size is known where the slice is inside of the axis, whatever the range."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify.base.errors import ShapeError
from vitrify.ir.walk import walk


def masked_scores(x: Any) -> Any:
    b, t, _ = x.shape
    tags = (x.sum(-1) > 0).astype("int64")
    mask = x[:, :, 0] > -1
    total = vt.zeros([b])
    for i in range(1, t):
        total = total + mask[:, i].astype("float32") * vt.take_along_axis(x[:, i], tags[:, i : i + 1], 1).squeeze(1)
    return total


def pairs(x: Any) -> Any:
    total = x[:, 0] * 0.0
    for i in range(x.shape[1] - 1):
        two = x[:, i : i + 2]
        total = total + two.reshape([x.shape[0], 2, -1])[:, 1] - two[:, 0] * 2.0
    return total


def before(x: Any) -> Any:
    total = x[:, 0] * 0.0
    for i in range(1, x.shape[1]):
        total = total * 0.5 + x[:, i - 1 : i].squeeze(1)
    return total


def with_a_break(x: Any) -> Any:
    total = x[:, 0] * 0.0
    for i in range(x.shape[1]):
        if total.sum() > 4:
            break
        total = total + x[:, i : i + 1].squeeze(1)
    return total


def in_steps(x: Any) -> Any:
    total = x[:, 0] * 0.0
    for i in range(0, x.shape[1], 2):
        total = total + x[:, i : i + 1].sum(1)
    return total


def beyond_the_end(x: Any) -> Any:
    total = x[:, 0] * 0.0
    for i in range(x.shape[1]):
        total = total + x[:, i : i + 3].sum(1)
    return total


def before_the_start(x: Any) -> Any:
    total = x[:, 0] * 0.0
    for i in range(x.shape[1]):
        total = total + x[:, i - 1 : i + 1].sum(1)
    return total


FORMS = [masked_scores, pairs, before, with_a_break, in_steps, beyond_the_end, before_the_start]


@pytest.mark.parametrize("fn", FORMS, ids=lambda f: f.__name__)
def test_values_and_gradients_for_several_lengths(fn: Callable[..., Any]) -> None:
    compiled = vt.jit.to_static(fn)
    for b, t in ((2, 4), (3, 4), (2, 6), (2, 9), (1, 2), (2, 4)):
        found = []
        for each in (fn, compiled):
            x = (vt.arange(b * t * 3, dtype="float32").reshape([b, t, 3]) % 7 - 3.0).detach()
            x.stop_gradient = False
            y = each(x)
            (y * y).sum().backward()
            found.append((y.tolist(), x.grad.tolist()))
        assert vt.allclose(vt.to_tensor(found[0][0]), vt.to_tensor(found[1][0]), atol=1e-4)
        assert vt.allclose(vt.to_tensor(found[0][1]), vt.to_tensor(found[1][1]), atol=1e-4)


def test_a_range_longer_than_the_axis() -> None:
    def ahead(x: Any, n: Any) -> Any:
        total = x[0] * 0.0
        for i in range(n):
            total = total + x[i : i + 1].sum(0)
        return total

    compiled = vt.jit.to_static(ahead)
    for n in (2, 3, 5, 7):
        x = vt.arange(8.0).reshape([4, 2])
        assert compiled(x, n).tolist() == ahead(x, n).tolist()


ROUNDS = 40


def filtered(x: Any, u: Any, w: Any) -> Any:
    x = x.clone()
    for k in range(3, ROUNDS):
        x[k] = (x[k - 3 : k].clone() * w).sum() * 0.3 + u[k]
    return x


def added(x: Any, u: Any, w: Any) -> Any:
    x = x.clone()
    for k in range(ROUNDS - 2):
        x[k : k + 3] += u[k] * w
    return x


def blocks(x: Any, u: Any, w: Any) -> Any:
    x = x.clone()
    for k in range(ROUNDS // 2):
        x[2 * k : 2 * k + 2] = x[2 * k : 2 * k + 2].clone() * u[k] + 1.0
    return x


def backwards(x: Any, u: Any, w: Any) -> Any:
    x = x.clone()
    for k in range(ROUNDS - 1, 2, -1):
        x[k - 3 : k] += (u[k - 2 : k + 1] * w).max()
    return x


def from_the_end(x: Any, u: Any, w: Any) -> Any:
    total = u[0] * 0.0
    for k in range(ROUNDS - 2):
        total = total * 0.9 + (x[ROUNDS - 3 - k : ROUNDS - k] * w).sum()
    return total


def register(x: Any, u: Any, w: Any) -> Any:
    held, total = x[:8], u[0] * 0.0
    for k in range(ROUNDS):
        held = vt.concat([held[1:], u[k : k + 1]])
        total = total + held.max() * 0.1
    return held, total


def two_axes(x: Any, u: Any, w: Any) -> Any:
    x = (x.reshape([-1, 1]) * u.reshape([1, -1])).clone()
    for k in range(1, ROUNDS - 2):
        x[k : k + 2, k - 1 : k + 2] += w * u[k]
        x[k, k : k + 2] = x[k - 1, k - 1 : k + 1] * 0.5
    return x


def views(x: Any, u: Any, w: Any) -> Any:
    x = x.clone()
    for k in range(ROUNDS - 2):
        part = x[k : k + 3]
        part *= 0.5
        part[1] += u[k]
    return x


LONG = [filtered, added, blocks, backwards, from_the_end, register, two_axes, views]


def long_given() -> list[Any]:
    random = np.random.RandomState(4)
    return [vt.to_tensor(random.randn(n), stop_gradient=False) for n in (ROUNDS, ROUNDS, 3)]


@pytest.mark.parametrize("fn", LONG, ids=lambda f: f.__name__)
def test_long_loops_over_stretches_are_loops_of_the_program(fn: Callable[..., Any]) -> None:
    compiled = vt.jit.to_static(fn)
    found = []
    for each in (fn, compiled):
        given = long_given()
        made = each(*given)
        made = made if isinstance(made, tuple) else (made,)
        slopes = vt.grad([sum((v * v).sum() for v in made)], given, allow_unused=True)
        found.append([None if v is None else v.numpy() for v in (*made, *slopes)])
    for a, b in zip(*found, strict=True):
        if a is None or b is None:
            assert a is b
        else:
            np.testing.assert_allclose(a, b, rtol=1e-9, atol=1e-12)
    assert [o for o in walk(compiled.program.body) if o.name == "for"]


def beyond(x: Any, u: Any, w: Any) -> Any:
    x = x.clone()
    for k in range(ROUNDS):
        x[k : k + 3] += u[k]
    return x


def before_it(x: Any, u: Any, w: Any) -> Any:
    x = x.clone()
    for k in range(ROUNDS):
        x[k] = x[k - 2 : k].sum() * 0.1 + u[k]
    return x


@pytest.mark.parametrize("fn", [beyond, before_it], ids=lambda f: f.__name__)
def test_stretches_that_leave_the_axis_are_cut_as_in_python(fn: Callable[..., Any]) -> None:
    given = long_given()
    np.testing.assert_allclose(vt.jit.to_static(fn)(*given).numpy(), fn(*given).numpy(), rtol=1e-9)


def test_a_value_of_another_shape_is_refused_at_its_line() -> None:
    def wrong(x: Any, u: Any, w: Any) -> Any:
        x = x.clone()
        for k in range(ROUNDS - 2):
            x[k : k + 3] = w[:2]
        return x

    for each in (wrong, vt.jit.to_static(wrong)):
        with pytest.raises(ShapeError, match=r"\[2\] can't be put into elements of shape \[3\]") as caught:
            each(*long_given())
        assert "x[k : k + 3] = w[:2]" in str(caught.value)
