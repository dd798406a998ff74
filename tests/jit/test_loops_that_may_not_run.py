"""Errors of operations in the iterations of a loop that may have none: they are the run's, of the class of eager mode."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import vitrify as vt


def writes_at_an_index(x: Any, n: Any) -> Any:
    out = vt.zeros_like(x)
    for k in range(int(n)):
        out[k] = 1
    return out


def other_shapes(x: Any, n: Any) -> Any:
    i, y = 0, x
    while i < n:
        y = y + vt.ones([3])
        i += 1
    return y


def a_missing_key(x: Any, n: Any) -> Any:
    table: dict[str, Any] = {}
    for _ in range(int(n)):
        x = x + table["k"]
    return x


def caught_around(x: Any, n: Any) -> Any:
    try:
        for _ in range(int(n)):
            x = x + vt.ones([3])
    except ValueError:
        return x * 0
    return x


def over_rows_of_a_run(x: Any, n: Any) -> Any:
    total = x.sum()
    for row in x[x > 5]:
        total = total + row[3]
    return total


def nothing_has_it(x: Any, n: Any) -> Any:
    y = None
    for _ in range(int(n)):
        x = x + y.sum()  # type: ignore[attr-defined]
    return x


def always_raises(x: Any, n: Any) -> Any:
    while x.sum() > n:
        raise OSError("turn")
    return x


def raises_in_every_iteration(x: Any, n: Any) -> Any:
    for _ in range(n):
        raise LookupError("always")
    return x


@pytest.mark.parametrize(
    "fn",
    [
        always_raises,
        raises_in_every_iteration,
        writes_at_an_index,
        other_shapes,
        a_missing_key,
        caught_around,
        over_rows_of_a_run,
        nothing_has_it,
    ],
)
def test_the_loop_fails_only_where_it_runs(fn: Callable[..., Any]) -> None:
    def told(call: Callable[..., Any], x: list[float], n: int) -> Any:
        try:
            return call(vt.to_tensor(x), vt.to_tensor(n)).tolist()
        except Exception as error:
            return type(error)

    compiled = vt.to_static(fn)
    for x, n in (([], 0), ([1.0, 2.0], 0), ([1.0, 2.0], 2), ([1.0, 7.0], 1), ([], 1), ([1.0], 0)):
        assert told(compiled, x, n) == told(fn, x, n)  # type: ignore[arg-type]


def test_the_first_call_may_have_no_rows() -> None:
    def fn(x: Any) -> Any:
        outs = []
        for r in x:
            if r.sum() > 0:
                outs.append(r * 2)
        return vt.stack(outs) if outs else x

    for calls in ((0,), (0, 3, 0), (3, 0), (0, 2, 4)):
        compiled = vt.to_static(fn)
        for n in calls:
            found = []
            for call in (fn, compiled):
                x = vt.ones([n, 2])
                x.stop_gradient = False
                y = call(x)
                y.sum().backward()
                found.append((y.tolist(), x.grad.tolist()))
            assert found[0] == found[1]
