"""`next(f(…))` of a generator that nothing else holds: Python closes it at once, so its `finally` and `with` end."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from typing import Any

import pytest

import vitrify as vt

log: list[str] = []


def _numbers(n: int) -> Iterator[Any]:
    try:
        for k in range(n):
            log.append(f"gives {k}")
            yield k
    finally:
        log.append("closed")


def _guarded(x: Any) -> Iterator[Any]:
    try:
        yield x + 1
        yield x + 2
    except ValueError:
        log.append("never")
    finally:
        log.append("closed")


@contextlib.contextmanager
def _open(name: str) -> Iterator[str]:
    log.append(f"opens {name}")
    try:
        yield name
    finally:
        log.append(f"closes {name}")


def _in_a_manager(x: Any) -> Iterator[Any]:
    with _open("file"):
        yield x * 2
        yield x * 3


class Holder:
    it: Any

    def held(self, n: int) -> Any:
        self.it = _numbers(n)
        return self.it


def _first_number(x: Any) -> Any:
    found = next(_numbers(2), None)
    log.append("end")
    return x + found


def _none(x: Any) -> Any:
    found = next(_numbers(0), 5)
    log.append("end")
    return x + found


def _of_handlers(x: Any) -> Any:
    found = next(_guarded(x))
    log.append("end")
    return found


def _of_managers(x: Any) -> Any:
    found = next(_in_a_manager(x))
    log.append("end")
    return found


def _of_iter(x: Any) -> Any:
    found = next(iter(_numbers(2)))
    log.append("end")
    return x + found


def _kept(x: Any) -> Any:
    holder = Holder()
    first = next(holder.held(3))
    log.append("between")
    second = next(holder.it)
    log.append("end")
    third = next(holder.it)
    return x + first + 10 * second + 100 * third + next(holder.it, 7)


def _under_a_condition(x: Any) -> Any:
    if x.sum() > 2:
        x = x + next(_numbers(2))
    log.append("end")
    return x


@pytest.mark.parametrize(
    "fn",
    [_first_number, _none, _of_handlers, _of_managers, _of_iter, _kept, _under_a_condition],
    ids=lambda fn: fn.__name__,
)
def test_it_ends_behind_its_first_value(fn: Callable[..., Any]) -> None:
    compiled = vt.to_static(fn)
    for values in ([1.0, 2.0], [0.0, 1.0], [4.0, 1.0]):
        told = []
        for call in (fn, compiled):
            log.clear()
            told.append((call(vt.to_tensor(values)).tolist(), list(log)))
        assert told[0] == told[1]
