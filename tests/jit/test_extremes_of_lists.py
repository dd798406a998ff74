"""`max` and `min` of a list whose length only a run knows, where it may be empty."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import vitrify as vt


def positive(x: Any) -> list[Any]:
    found = []
    for i in range(3):
        if x[i] > 0:
            found.append(x[i])
    return found


def greatest_or(x: Any) -> Any:
    return max(positive(x), default=vt.to_tensor(-1.0)) + 0


def least_or(x: Any) -> Any:
    return min(positive(x), default=vt.to_tensor(-1.0)) + 0


def greatest(x: Any) -> Any:
    return max(positive(x))


def least(x: Any) -> Any:
    return min(positive(x), key=lambda v: -v)


@pytest.mark.parametrize("fn", [greatest_or, least_or], ids=lambda fn: fn.__name__)
def test_an_empty_list_gives_the_default(fn: Callable[..., Any]) -> None:
    compiled = vt.jit.to_static(fn)
    for values in ([1.0, -1.0, 3.0], [-1.0, -1.0, -1.0], [-1.0, 2.0, -1.0]):
        assert compiled(vt.to_tensor(values)).tolist() == fn(vt.to_tensor(values)).tolist()


@pytest.mark.parametrize("fn", [greatest, least], ids=lambda fn: fn.__name__)
def test_an_empty_list_without_default_is_an_error(fn: Callable[..., Any]) -> None:
    compiled = vt.jit.to_static(fn)
    assert compiled(vt.to_tensor([1.0, -1.0, 3.0])).tolist() == fn(vt.to_tensor([1.0, -1.0, 3.0])).tolist()
    with pytest.raises(ValueError, match="is an empty sequence"):
        compiled(vt.to_tensor([-1.0, -1.0, -1.0]))
