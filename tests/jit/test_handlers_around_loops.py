"""An iteration of a loop of the program always raises, and code around the loop handles that: it sees what has changed."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

import vitrify as vt

log: list[Any] = []


def _index(x: Any) -> Any:
    try:
        for _ in x:
            x = x * 1.5
            x = x + [1, 2, 3][3]
    except IndexError:
        log.append("index")
    return x


def _behind_two_types(x: Any) -> Any:
    k, n = None, 0
    if x.sum() > 1:
        k = 1
    try:
        for _ in x:
            n += 1
            x = x * 1.5
            x = x + {0: 1}[3]
    except KeyError:
        n += 100
    finally:
        n += 1000
    return x, k, n


def _objects(x: Any) -> Any:
    held = {"n": 0}
    try:
        for r in x:
            held["n"] += 1
            log.append(held["n"])
            x = x + 1
            if r > 100:
                x = x * 2
            x = x + vt.ones([3])
    except ValueError:
        x = x - 1
    return x, held


def _by_a_library(x: Any) -> Any:
    try:
        for r in x:
            x = x * 2 + r
            json.loads("no")
    except ValueError:
        pass
    return x


def _second_iteration(x: Any) -> Any:
    left = [1.0]
    try:
        for r in x:
            x = x * 2 + r
            x = x + left.pop()
    except IndexError:
        x = -x
    return x, left


def _finally(x: Any) -> Any:
    y = x
    try:
        try:
            for r in x:
                y = y + r
                y = y + 1 / 0
        finally:
            log.append("finally")
            y = y * 2
    except ZeroDivisionError:
        pass
    return y


def _in_another_loop(x: Any) -> Any:
    c = 0
    for r in x:
        try:
            for e in vt.ones([2]):
                c += 1
                r = r + e
                r = r + [1][2]
        except IndexError:
            x = x + r
    return x, c


@pytest.mark.parametrize(
    "fn",
    [_index, _behind_two_types, _objects, _by_a_library, _second_iteration, _finally, _in_another_loop],
    ids=lambda fn: fn.__name__,
)
def test_what_the_iteration_changed_stays(fn: Callable[..., Any]) -> None:
    compiled = vt.to_static(fn)
    for values in ([1.0, 2.0], [0.0, 0.5], [-1.0, -1.0], [3.0, 1.0, 2.0]):
        told = []
        for call in (fn, compiled):
            log.clear()
            told.append((repr(call(vt.to_tensor(values))), list(log)))
        assert told[0] == told[1]


def test_an_index_that_changes_between_calls() -> None:
    def fn(x: Any, n: int) -> Any:
        out = []
        try:
            if x.sum() > 1:
                raise ValueError
        except ValueError:
            out.append(0)
        try:
            for _ in x:
                x = x * 1.5
                x = x + [1, 2, 3][n]
        except IndexError:
            pass
        return x, out

    compiled = vt.to_static(fn)
    for values, n in (([1.0, 2.0], 1), ([0.0, 0.0], 0), ([0.5, -1.0], 2), ([0.0, 0.5], 3), ([2.0, 1.0], 3)):
        assert repr(compiled(vt.to_tensor(values), n)) == repr(fn(vt.to_tensor(values), n))
