"""A `finally` or another `except` between an operation that data make fail and the clause that catches its error."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import vitrify as vt


def finally_between(x: Any) -> Any:
    y, n = x, 0
    try:
        try:
            y = x[x.sum().astype("int64")]
        finally:
            n = n + 1
    except IndexError:
        n = n + 10
    return y + n


def another_class_between(x: Any) -> Any:
    y, n = x, 0
    try:
        try:
            y = x[x.sum().astype("int64")]
        except KeyError:
            n = n + 1
    except IndexError:
        n = n + 10
    return y + n


def a_handler_that_fails(x: Any) -> Any:
    y, n = x, 0
    try:
        try:
            y = x[x.sum().astype("int64")]
        except IndexError:
            n = n + 1
            y = x[x.max().astype("int64")]
    except IndexError:
        n = n + 10
    return y + n


def raised_in_a_loop(x: Any) -> Any:
    n = 0
    try:
        for v in x:
            try:
                if v > 1:
                    raise KeyError("k")
                n = n + 1
            finally:
                n = n + 5
    except KeyError:
        n = n + 100
    return x + n


def an_operation_in_a_loop(x: Any) -> Any:
    y, n = x, 0
    try:
        for v in x:
            try:
                y = y + x[(v + 1).astype("int64")]
            finally:
                n = n + 1
    except IndexError:
        n = n + 10
    return y + n


def after_the_handlers(x: Any) -> Any:
    n = 0
    try:
        assert x.sum() > 0, "neg"
        y = x
    except AssertionError:
        if x.min() < -2:
            return -x
        y = x - 1
    else:
        n = 5
    finally:
        n = n + 1
    return y + n


@pytest.mark.parametrize(
    "fn",
    [
        finally_between, another_class_between, a_handler_that_fails, raised_in_a_loop, an_operation_in_a_loop,
        after_the_handlers,
    ],
)  # fmt: skip
def test_the_clause_further_out_catches(fn: Callable[[Any], Any]) -> None:
    compiled = vt.to_static(fn)
    for numbers in ([1.0, 2.0, 3.0], [-1.0, -2.0, -3.0], [0.0, 0.0, 0.0]):
        x = vt.to_tensor(numbers)
        assert compiled(x).tolist() == fn(x).tolist()
