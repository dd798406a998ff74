"""`x[:, i : i + 1]` in a loop over a range: its size is known where the slice is inside of the axis, whatever the range."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import vitrify as vt


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
