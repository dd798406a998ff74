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


def _of_numbers(t: Any) -> deque[Any]:
    q = deque([1.5])
    while t < 4:
        t = t + 1
        q.append(float(t))
    return q


def _of_tensors(t: Any) -> deque[Any]:
    q = deque([t])
    while t < 4:
        t = t + 1
        q.append(t * 1)
    return q


COPIES: dict[str, Callable[[deque[Any]], Any]] = {
    "copy": lambda q: q.copy(), "sum": lambda q: q + q, "product": lambda q: q * 2, "popped": lambda q: (q.popleft(), q),
}  # fmt: skip


@pytest.mark.parametrize("make", [_of_numbers, _of_tensors])
@pytest.mark.parametrize("name", COPIES)
def test_what_is_made_of_a_growing_deque_comes_out(make: Callable[[Any], deque[Any]], name: str) -> None:
    act = COPIES[name]
    compiled = vt.jit.to_static(lambda t: act(make(t)))
    for start in (1.0, 5.0, 2.0):
        found, expected = compiled(vt.to_tensor(start)), act(make(vt.to_tensor(start)))
        assert str(found) == str(expected)


@pytest.mark.parametrize("asks", [lambda a, b: a == b, lambda a, b: a != b])
def test_a_growing_deque_or_list_is_not_compared_by_a_length_that_is_not_there(asks: Callable[[Any, Any], Any]) -> None:
    compiled = vt.jit.to_static(lambda t: asks(_of_numbers(t), deque([1.5])))
    with pytest.raises(CaptureError, match="it is compared"):
        compiled(vt.to_tensor(5.0))
    as_lists = vt.jit.to_static(lambda t: asks([*_of_numbers(t)], [1.5]))
    with pytest.raises(CaptureError, match="length"):
        as_lists(vt.to_tensor(5.0))
    assert vt.jit.to_static(lambda t: _of_numbers(t) is None)(vt.to_tensor(1.0)) is False
