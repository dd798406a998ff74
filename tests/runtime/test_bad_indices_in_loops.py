"""The index that an error names is the one that was out of range, also where kernels write over what they read."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import vitrify as vt


def searched(a: Any, item: Any) -> Any:
    pos = 0
    while a[pos] == item:
        pos += 1
    return pos


def from_the_end(a: Any, item: Any) -> Any:
    pos = vt.to_tensor(-1)
    while a[pos] == item:
        pos = pos - 2
    return pos


def with_more_to_do(a: Any, item: Any) -> Any:
    pos, total = vt.to_tensor(0), vt.zeros([4])
    while a[pos] == item:
        total = total * 0.5 + vt.ones([4])
        pos = pos + total.sum().astype("int64")
    return pos


def places(a: Any, item: Any) -> Any:
    at = vt.arange(3)
    while a[at].sum() == 3 * item:
        at = at + 1
    return at


@pytest.mark.parametrize("count", [5, 11])
@pytest.mark.parametrize("function", [searched, from_the_end, with_more_to_do, places])
def test_the_index_is_that_of_eager_mode(function: Callable[..., Any], count: int) -> None:
    messages = []
    compiled = vt.to_static(function)
    found = compiled(vt.to_tensor([1] * count + [2]), vt.to_tensor(2))
    expected = function(vt.to_tensor([1] * count + [2]), vt.to_tensor(2))
    assert bool((vt.to_tensor(found) == vt.to_tensor(expected)).all())
    for way in (function, compiled):
        with pytest.raises(IndexError) as caught:
            way(vt.to_tensor([1] * count), vt.to_tensor(1))
        messages.append(str(caught.value).splitlines()[0].rpartition(": ")[2])
    assert messages[0] == messages[1]
    assert f"outside an axis of {count} elements" in messages[0]
