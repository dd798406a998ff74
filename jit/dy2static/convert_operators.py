"""Paddle's names of what converted code calls for control flow, over ours."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any


def _runtime() -> Any:
    from ..runtime import RUNTIME  # loads the rewriting half

    return RUNTIME


def convert_logical_and(x: Callable[[], Any], y: Callable[[], Any]) -> Any:
    """`x() and y()`.

    >>> convert_logical_and(lambda: 1, lambda: 2)
    2
    """
    return _runtime().and_(x, y)


def convert_logical_or(x: Callable[[], Any], y: Callable[[], Any]) -> Any:
    """`x() or y()`.

    >>> convert_logical_or(lambda: 0, lambda: 2)
    2
    """
    return _runtime().or_(x, y)


def convert_logical_not(x: Any) -> Any:
    """`not x`.

    >>> convert_logical_not(0)
    True
    """
    return _runtime().not_(x)


def convert_len(x: Any) -> Any:
    """`len(x)`.

    >>> convert_len([1, 2])
    2
    """
    return _runtime().call(len, x)


def convert_assert(condition: Callable[[], Any], message: Callable[[], Any] = lambda: "") -> None:
    """`assert condition(), message()`.

    >>> convert_assert(lambda: True)
    """
    _runtime().assert_(condition, message)  # noqa: PT009 - ours, not unittest's


def convert_ifelse(
    test: Any, then: Callable[[], Any], other: Callable[[], Any], get_state: Callable[[], tuple[Any, ...]],
    set_state: Callable[[tuple[Any, ...]], None], names: tuple[str, ...] = (),
) -> None:  # fmt: skip
    """`if test: then() else: other()` over the variables behind `get_state` and `set_state`.

    >>> done = []
    >>> convert_ifelse(True, lambda: done.append(1), lambda: done.append(2), tuple, lambda values: None)
    >>> done
    [1]
    """
    _runtime().if_else(test, then, other, get_state, set_state, names, names)


def convert_while_loop(
    test: Callable[[], Any], body: Callable[[], Any], get_state: Callable[[], tuple[Any, ...]],
    set_state: Callable[[tuple[Any, ...]], None], names: tuple[str, ...] = (),
) -> None:  # fmt: skip
    """`while test(): body()` over the variables behind `get_state` and `set_state`.

    >>> left = [3]
    >>> convert_while_loop(lambda: left, left.pop, tuple, lambda values: None)
    >>> left
    []
    """
    _runtime().while_loop(test, body, get_state, set_state, names, names)
