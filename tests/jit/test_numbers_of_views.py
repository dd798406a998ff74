"""Numbers read of a tensor's parts stay what they were when the tensor is written afterwards."""

from typing import Any

import pytest

import vitrify as vt


def _swap(n: Any, i: Any) -> Any:
    n = n.clone()
    kept = int(n[i])
    n[i] = n[0]
    n[0] = kept
    return n


def _swap_items(n: Any, i: Any) -> Any:
    n = n.clone()
    kept = n[i].item()
    n[i] = n[0].item()
    n[0] = kept
    return n, kept


def _through_views(n: Any, i: Any) -> Any:
    n = n.clone()
    flat = n[1:].reshape([-1])
    first, second = int(flat[0]), n[i].item()
    n += 10
    return first, second, int(flat[0]), n


def _of_other_kinds(n: Any, i: Any) -> Any:
    flags, floats = n > 5, n.astype("float64")
    flag, number = bool(flags[i]), float(floats[i])
    flags[i] = False
    floats[i] = 2.5
    return flag, number, flags, floats


def _in_a_loop(n: Any, i: Any) -> Any:
    n, total, k = n.clone(), 0, int(i)
    while k >= 0:
        kept = int(n[k])
        n[k] = total
        total += kept
        k -= 1
    return total, n


def _reversed_list(n: Any, i: Any) -> Any:
    """A linked list in an array, turned round: `n[k]` is the node behind k."""
    following = vt.to_tensor([1, 2, -1]) + n * 0
    before, k = -1, 0
    while k != -1:
        behind = int(following[k])
        following[k] = before
        before = k
        k = behind
    return following, before


def _on_one_path(n: Any, i: Any) -> Any:
    n = n.clone()
    kept = int(n[i])
    if n[0] > 3:
        n[i] = 9
    return kept, n


def _told(value: Any) -> Any:
    return (
        [_told(v) for v in value] if isinstance(value, tuple) else value.tolist() if hasattr(value, "tolist") else value
    )


@pytest.mark.parametrize(
    "fn",
    [_swap, _swap_items, _through_views, _of_other_kinds, _in_a_loop, _reversed_list, _on_one_path],
    ids=lambda fn: fn.__name__[1:],
)
def test_a_number_is_what_was_read(fn: Any) -> None:
    compiled = vt.to_static(fn)
    for i in (1, 2):
        given = vt.to_tensor([5, 6, 8])
        assert _told(compiled(given, vt.to_tensor(i))) == _told(fn(given, vt.to_tensor(i)))
        assert given.tolist() == [5, 6, 8]
