"""Searches over edges that a tensor ends or an exception, called in a `try`: the loop is captured once per path around."""

from __future__ import annotations

from typing import Any

import pytest

import vitrify as vt


class NegativeCycle(ValueError):
    """No path is the shortest."""


def flat(w: Any, n: int) -> Any:
    a, b = vt.to_tensor(0.0), vt.to_tensor(1e6)
    for it in range(n):
        r = False
        if a + w[0] < b:
            if it == n - 1:
                raise NegativeCycle("b")
            b = a + w[0]
            r = True
        if b + w[1] < a:
            if it == n - 1:
                raise NegativeCycle("a")
            a = b + w[1]
            r = True
        if not r:
            break
    return vt.stack([a, b])


EDGES = [(0, 1), (1, 2), (2, 0)]


def shortest(w: Any, n: int) -> Any:
    """Bellman and Ford's."""
    d = [vt.to_tensor(1e6)] * n
    d[0] = vt.to_tensor(0.0)
    for it in range(n):
        relaxed = False
        for (u, v), c in zip(EDGES, w, strict=True):
            if d[u] + c < d[v]:
                if it == n - 1:
                    raise NegativeCycle(v)
                d[v] = d[u] + c
                relaxed = True
        if not relaxed:
            break
    return vt.stack(d)


@pytest.mark.parametrize(
    ("search", "weights"),
    [(flat, ([1.0, 1.0], [1.0, -5.0], [-1.0, 2.0])), (shortest, ([1.0, 2.0, 3.0], [1.0, -5.0, 1.0], [4.0, -1.0, 0.5]))],
    ids=["flat", "shortest"],
)
def test_in_a_try(search: Any, weights: Any) -> None:
    def fn(w: Any) -> Any:
        try:
            return search(w, 3)
        except NegativeCycle:
            return -w

    compiled = vt.to_static(fn)
    for row in weights:
        assert compiled(vt.to_tensor(row)).tolist() == fn(vt.to_tensor(row)).tolist()
