"""Tensors that grow in a loop with jumps: eager results at the first call and at later ones with other data."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import vitrify as vt

CALLS = ((5, 30), (5, 1000), (8, 17), (1, 30), (4, 0))


def start() -> Any:
    return vt.full((2, 1), 2, dtype="int64")


def breaks(n: Any, most: Any) -> Any:
    s = start()
    for k in range(1, n):
        if s.sum() > most:
            break
        s = vt.concat([s, s[:, -1:] + k], axis=1)
    return s


def breaks_in_a_python_range(n: Any, most: Any) -> Any:
    s = start()
    for k in range(1, 5):
        if s.sum() > most:
            break
        s = vt.concat([s, s[:, -1:] + k], axis=1)
    return s


def continues(n: Any, most: Any) -> Any:
    s = start()
    for k in range(1, n):
        if s.sum() > most:
            continue
        s = vt.concat([s, s[:, -1:] + k], axis=1)
    return s


def returns(n: Any, most: Any) -> Any:
    s = start()
    for k in range(1, n):
        if s.sum() > most:
            return s
        s = vt.concat([s, s[:, -1:] + k], axis=1)
    return s * 2


def returns_in_a_python_range(n: Any, most: Any) -> Any:
    s = start()
    for k in range(1, 7):
        s = vt.concat([s, s[:, -1:] + k], axis=1)
        if s.sum() > most:
            return s
    return s


def breaks_an_endless_while(n: Any, most: Any) -> Any:
    s, k = start(), 0
    while True:
        if s.sum() > most:
            break
        k += 1
        s = vt.concat([s, s[:, -1:] + n], axis=1)
    return s + k


def grows_along_the_first_axis(n: Any, most: Any) -> Any:
    s = vt.full((1, 2), 2, dtype="int64")
    for k in range(1, n):
        if s.sum() > most:
            break
        s = vt.concat([s, s[-1:] + k], axis=0)
    return s


def grows_along_both_axes(n: Any, most: Any) -> Any:
    s = vt.ones((1, 1))
    for _ in range(n):
        if s.sum() > most:
            break
        s = vt.concat([s, s], axis=0)
        s = vt.concat([s, s[:, :1]], axis=1)
    return s


def two_grow(n: Any, most: Any) -> Any:
    s, p = start(), vt.full((2, 1), 0.5)
    for k in range(1, n):
        if s.sum() > most:
            break
        s = vt.concat([s, s[:, -1:] + k], axis=1)
        p = vt.concat([p, p[:, -1:] * 0.5, p[:, :1]], axis=1)
    return s.sum() + p.sum() + p.shape[1]


def grows_under_an_if(n: Any, most: Any) -> Any:
    s = start()
    for k in range(1, n):
        if s.sum() < most:
            s = vt.concat([s, s[:, -1:] + k], axis=1)
        else:
            s = s + 1
    return s


def greedy(n: Any, most: Any) -> Any:
    """As NRTR decodes."""
    x = vt.to_tensor([[0.3, 0.1, 0.9, 0.2], [0.5, 0.8, 0.1, 0.7]])
    tokens, scores = vt.full((2, 1), 2, dtype="int64"), vt.ones((2, 1))
    for step in range(1, n):
        seen = vt.nn.functional.one_hot(tokens % 4, 4).astype("float32").cumsum(axis=1)
        out = vt.nn.functional.softmax(seen[:, -1, :] * x, axis=-1)
        if vt.all(out.argmax(-1) == most):
            break
        tokens = vt.concat([tokens, out.argmax(-1).reshape([-1, 1]) + step], axis=1)
        scores = vt.concat([scores, out.max(-1).reshape([-1, 1])], axis=1)
    return vt.concat([tokens.astype("float32"), scores], axis=0)


CASES = [
    breaks, breaks_in_a_python_range, continues, returns, returns_in_a_python_range, breaks_an_endless_while,
    grows_along_the_first_axis, grows_along_both_axes, two_grow, grows_under_an_if, greedy,
]  # fmt: skip


@pytest.mark.parametrize("fn", CASES, ids=[f.__name__ for f in CASES])
def test_compiled_equals_eager(fn: Callable[..., Any]) -> None:
    compiled = vt.jit.to_static(fn)
    for n, most in CALLS:
        want = fn(vt.to_tensor(n), vt.to_tensor(most)).numpy()
        got = compiled(vt.to_tensor(n), vt.to_tensor(most)).numpy()
        assert got.shape == want.shape, (n, most)
        np.testing.assert_allclose(got, want, rtol=1e-5)


def weighted(x: Any, n: Any) -> Any:
    s = x * 1.0
    for k in range(1, n):
        if s.shape[0] > 5:
            break
        s = vt.concat([s, s[-1:] * k], axis=0)
    return (s * s).sum()


def test_gradients_reach_what_a_tensor_grew_from() -> None:
    compiled = vt.jit.to_static(weighted)
    for n in (2, 4, 9):
        grads = []
        for fn in (weighted, compiled):
            x = vt.to_tensor([0.5, -1.0], stop_gradient=False)
            fn(x, vt.to_tensor(n)).backward()
            grads.append(x.grad.numpy())
        np.testing.assert_allclose(grads[1], grads[0], rtol=1e-5)


def test_a_tensor_that_gets_another_rank_is_told_by_its_shapes() -> None:
    def ranks(n: Any) -> Any:
        h = vt.ones([2, 3])
        for _ in range(n):
            h = vt.stack([h, h])
        return h

    with pytest.raises(
        vt.errors.LoopStateError, match=r"`h` has shape \[2, 3\] before the loop but \[2, 2, 3\] after one iteration"
    ):
        vt.jit.to_static(ranks)(vt.to_tensor(3))


def test_a_variable_that_gets_another_rank_under_an_if_is_told_by_its_shapes() -> None:
    def ranks(n: Any) -> Any:
        h = vt.ones([2, 3])
        for k in range(n):
            if k > 1:
                h = vt.stack([h, h])
        return h

    with pytest.raises(vt.errors.LoopStateError) as caught:
        vt.jit.to_static(ranks)(vt.to_tensor(3))
    assert "Either" not in str(caught.value)
    assert "`h` has shape [2, 3] before the loop but [2, 2, 3] after one iteration" in str(caught.value)
