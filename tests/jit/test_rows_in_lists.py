"""`list(t)` and `xs.extend(t)` of a tensor whose rows only a run counts; tuples ordered by tensors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import vitrify as vt


def listed(y: Any) -> Any:
    return list(y[y > 0])


def extended(y: Any) -> Any:
    out = [y[0]]
    out.extend(y[y > 0])
    return out


def extended_in_a_loop(y: Any) -> Any:
    out: list[Any] = []
    for _ in range(2):
        out.extend(y[int(y[0] > 0) :])
    return out


def counted(y: Any) -> Any:
    found = list(y[y > 0])
    return len(found), found + [y[1]]


@pytest.mark.parametrize("fn", [listed, extended, extended_in_a_loop, counted])
def test_rows_of_a_run_become_a_list(fn: Callable[..., Any]) -> None:
    compiled = vt.to_static(fn)
    for values in ([1.0, 2.0, -3.0], [-1.0, 2.0, -2.0], [-1.0, -1.0, -1.0]):
        assert str(compiled(vt.to_tensor(values))) == str(fn(vt.to_tensor(values)))


def smaller_pair(a: Any, b: Any, c: Any, d: Any) -> Any:
    return 1 if (a, b) < (c, d) else 0


def at_most(a: Any, b: Any, c: Any, d: Any) -> Any:
    if (a, 1, b) <= (c, 1, d):
        return a
    return b


def nested(a: Any, b: Any, c: Any, d: Any) -> Any:
    return 1 if [(a, b), "x"] > [(c, d), "w"] else 0


def longer(a: Any, b: Any, c: Any, d: Any) -> Any:
    return 1 if (a, b) < (c, d, 1) else 0


def chained(a: Any, b: Any, c: Any, d: Any) -> Any:
    return 1 if (a, b) < (c, d) < (d, d) else 0


def best(a: Any, b: Any, c: Any, d: Any) -> Any:
    found = (a, 0)
    for k, x in enumerate((b, c, d)):
        if (x, k) < found:
            found = (x, k)
    return found[0]


@pytest.mark.parametrize("fn", [smaller_pair, at_most, nested, longer, chained, best])
def test_tuples_are_ordered_as_python_does(fn: Callable[..., Any]) -> None:
    compiled = vt.to_static(fn)
    nan = float("nan")
    for values in (
        (1, 2, 1, 3),
        (2, 1, 1, 5),
        (0, 9, 1, 5),
        (1, 3, 1, 3),
        (nan, 1, 1, 2),
        (1, nan, 1, 2),
        (1, 2, 1, 2),
    ):
        args = [vt.to_tensor(float(v)) for v in values]
        assert str(compiled(*args)) == str(fn(*args))
