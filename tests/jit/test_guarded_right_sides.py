"""The right side of `and` and `or`, behind a test of the left one, that would fail: an index, a division."""

from typing import Any

import pytest

import vitrify as vt

HEAP = vt.to_tensor([1.0, 2.0, 3.0, 9.0, 8.0])


def _index(h: Any, t: Any) -> Any:
    k = int(t)
    return 1 if k < 5 and h[k] > h[k - 4] else 0


def _index_behind_or(h: Any, t: Any) -> Any:
    k = int(t)
    return k >= 5 or h[k] > h[k - 4]


def _division(h: Any, t: Any) -> Any:
    k = int(t)
    return 1 if k != 0 and 10 // k > 2 else 0


def _chain(h: Any, t: Any) -> Any:
    k = int(t)
    return 1 if -1 < k < 5 and 2 < h[k] < 9 else 0


def _run_lengths(h: Any, t: Any) -> Any:
    start = int(t)
    end = start
    while end < 5 and h[end] >= h[start]:
        end += 1
    return end


def _sift(h: Any, t: Any) -> Any:
    k = int(t)
    while True:
        child = 2 * k + 1
        if child < 5 and h[child] > h[k]:
            k = child
        else:
            break
    return k


def _generated(h: Any, t: Any) -> Any:
    return any(k < 5 and h[k] > 8 for k in range(int(t)))


@pytest.mark.parametrize(
    "fn", [_index, _index_behind_or, _division, _chain, _run_lengths, _sift, _generated], ids=lambda fn: fn.__name__[1:]
)
def test_it_runs_only_where_the_left_side_does_not_decide(fn: Any) -> None:
    compiled = vt.to_static(fn)
    for k in (0, 2, 4, 5, 9) if fn is not _run_lengths else (0, 2, 4):
        expected, got = fn(HEAP, vt.to_tensor(k)), compiled(HEAP, vt.to_tensor(k))
        assert bool(got == expected), k


def test_it_fails_where_it_runs() -> None:
    compiled = vt.to_static(_index)
    compiled(HEAP, vt.to_tensor(2))
    with pytest.raises(vt.errors.AxisError, match="index -6 is outside"):
        compiled(HEAP, vt.to_tensor(-6))
