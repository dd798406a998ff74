"""`next` of lists whose length only a run knows, of generator expressions, with and without a default; deques in tests."""

from collections import deque
from typing import Any

import pytest

import vitrify as vt


def _kept(x: Any, n: Any) -> list[Any]:
    found = []
    for i in range(int(n)):
        if x[i] > 0:
            found.append(int(x[i]))
    return found


def _two(x: Any, n: Any) -> Any:
    found = []
    for i in range(int(n)):
        if x[i] > 0:
            found.append(int(x[i]))
    items = iter(found)
    return next(items, -1), next(items, -5)


def _is_none(x: Any, n: Any) -> Any:
    return next(iter([v for v in x if v > 0]), None) is None


def _stops(x: Any, n: Any) -> Any:
    found = _kept(x, n)
    try:
        return next(iter(found))
    except StopIteration:
        return -9


def _first_match(x: Any, n: Any) -> Any:
    return next((int(v) for v in x if v > 3), -1), next((i for i, v in enumerate(x) if v < 0), None) is None


def _match_or_error(x: Any, n: Any) -> Any:
    try:
        return int(next(v for v in x if v > 3)) * 2
    except StopIteration:
        return -9


def _of_known_length(x: Any, n: Any) -> Any:
    return next((k for k in [1, 2, 3] if k > 1), 0) + next(iter([5])) + int(x[0])


def _largest_of_windows(x: Any, n: Any) -> Any:
    """A queue of places whose values fall."""
    queue: deque[Any] = deque()
    out = []
    for i, v in enumerate(x):
        while queue and x[queue[-1]] <= v:
            queue.pop()
        queue.append(i)
        if queue[0] <= i - 2:
            queue.popleft()
        out.append(int(x[queue[0]]))
    return out


def _in_a_deque(x: Any, n: Any) -> Any:
    found: deque[Any] = deque()
    for i in range(int(n)):
        if x[i] > 0:
            found.append(int(x[i]))
    return 3 in found, 7 not in found, bool(found or False)


@pytest.mark.parametrize(
    "fn",
    [_two, _is_none, _stops, _first_match, _match_or_error, _of_known_length, _largest_of_windows, _in_a_deque],
    ids=lambda fn: fn.__name__[1:],
)
def test_it_is_what_python_gives(fn: Any) -> None:
    compiled = vt.to_static(fn)
    for values in ([1, 3, -1, 5], [-1, -1, -1, -1], [-1, 2, -1, -1], [5, 4, 3, 9]):
        x = vt.to_tensor(values)
        assert compiled(x, vt.to_tensor(4)) == fn(x, vt.to_tensor(4))


def test_a_generator_with_a_name_goes_on() -> None:
    def fn(x: Any) -> Any:
        doubled = (v * 2 for v in x)
        return next(doubled), next(doubled)

    x = vt.to_tensor([1.0, 2.0, 3.0])
    assert [float(v) for v in vt.to_static(fn)(x)] == [2.0, 4.0]
