"""Deques whose length only a run knows: they are read like lists of their elements, what would lose them is refused."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Any

import pytest

import vitrify as vt
from vitrify import nn
from vitrify.base.errors import CaptureError


def _grown(x: Any) -> tuple[deque[Any], Any]:
    q = deque([x.sum()])
    while x.sum() < 50:
        x = x * 2
        q.append(x.sum())
    return q, x


def _in_front(x: Any) -> Any:
    q: deque[Any] = deque()
    put = q.appendleft
    while x.sum() < 50:
        x = x * 2
        put(x.sum())
    return len(q), q[-1] + q[0] * 100


def _ends(x: Any) -> Any:
    q, x = _grown(x)
    first, last = q.popleft(), q.pop()
    return len(q), first + last * 100


def _drained(x: Any) -> Any:
    q, x = _grown(x)
    total = x.sum() * 0
    while q:
        total = total * 2 + q.popleft()
    return len(q), total


def _looped(x: Any) -> Any:
    q, x = _grown(x)
    total = x.sum() * 0
    for v in q:
        total = total * 2 + v
    for n, v in enumerate(q):
        total = total * 2 + n * v
    return (1 if q else 0), total + sum(q)


def _stacked(x: Any) -> Any:
    q, x = _grown(x)
    q.insert(0, x.max())
    return len(list(q)), vt.stack(list(reversed(q))) + max(q) + vt.stack([v * 2 for v in q])


@pytest.mark.parametrize("fn", [_in_front, _ends, _drained, _looped, _stacked])
def test_a_growing_deque_is_read_like_a_list(fn: Callable[[Any], Any]) -> None:
    compiled = vt.jit.to_static(fn)
    for n in (3, 4, 1):
        x = vt.ones([n, 2]) * (0.3 if n == 1 else 1)
        (number, value), (expected, wanted) = compiled(x), fn(x)
        assert int(number) == expected
        assert value.tolist() == wanted.tolist()


def _set(q: deque[Any]) -> Any:
    q[0] = q[1]
    return len(q)


def _delete(q: deque[Any]) -> Any:
    del q[0]
    return len(q)


def _rotate(q: deque[Any]) -> Any:
    q.rotate(1)
    return len(q)


@pytest.mark.parametrize("act", [_set, _delete, _rotate])
def test_what_only_a_list_can_do_is_refused(act: Callable[[deque[Any]], Any]) -> None:
    compiled = vt.jit.to_static(lambda x: act(_grown(x)[0]))
    with pytest.raises(CaptureError, match="deque"):
        compiled(vt.ones([3, 2]))


def test_a_growing_deque_comes_out() -> None:
    fn = vt.jit.to_static(lambda x: _grown(x)[0])
    for n in (3, 2):
        found, expected = fn(vt.ones([n, 2])), _grown(vt.ones([n, 2]))[0]
        assert type(found) is deque
        assert [v.tolist() for v in found] == [v.tolist() for v in expected]


def test_a_deque_of_a_layer_grows_at_each_call() -> None:
    class Net(nn.Layer):
        def __init__(self) -> None:
            super().__init__()
            self.seen: deque[Any] = deque()

        def forward(self, x: Any) -> Any:
            while x.sum() < 50:
                x = x * 2
                self.seen.append(x.sum())
            return x

    found = []
    for wrap in (lambda layer: layer, vt.jit.to_static):
        layer = Net()
        call = wrap(layer)
        for k in (1.0, 2.0):
            call(vt.full([2], k))
        found.append([float(v) for v in layer.seen])
    assert found[0] == found[1]
