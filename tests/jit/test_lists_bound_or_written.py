"""One path writes an item of a container, the other binds a new one, in unrolled loops: what follows is traced once."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import vitrify as vt


def simplex(x: Any, n: int) -> Any:
    s = [x, x + 1, x + 2]
    for _ in range(n):
        b, g, w = s
        if b.sum() < g.sum():
            s[2] = b
        else:
            s = [b, (b + g) / 2, (b + w) / 2]
    return s[0] + s[1] * 2 + s[2] * 3


def on_one_line(x: Any, n: int) -> Any:
    s = [x, x + 1]
    for k in range(n):
        # fmt: off
        if x.sum() > k: s[0] = s[0] + s[1]  # noqa: E701
        else: s = [s[1], x]  # noqa: E701
        # fmt: on
    return s[0] + s[1] * 2


def counted_by_while(x: Any, n: int) -> Any:
    s, k = {"a": x, "b": x + 1}, 0
    while k < n:
        if x.sum() > k:
            s["a"] = s["a"] + s["b"]
        else:
            s = {"a": s["b"], "b": x}
        k += 1
    return s["a"] + s["b"] * 2


def in_a_function(x: Any, n: int) -> Any:
    def step(s: Any, k: int) -> Any:
        if x.sum() > k:
            s[0] = s[0] + s[1]
            return s
        return [s[1], x]

    s = [x, x + 1]
    for k in range(n):
        s = step(s, k)
    return s[0] + s[1] * 2


def kept_under_another_name(x: Any, n: int) -> Any:
    s = [x, x + 1]
    t = s
    for k in range(n):
        if x.sum() > k:
            s[0] = s[0] + s[1]
        else:
            s = [s[1], x]
    return s[0] + s[1] * 2 + t[0] * 3 + t[1] * 4


def written_under_another_name(x: Any, n: int) -> Any:
    s = [x, x + 1]
    for k in range(n):
        t = s
        if x.sum() > k:
            s[0] = s[0] + s[1]
        else:
            s = [s[1], x]
        t[1] = t[1] * 2
    return s[0] + s[1] * 2 + t[0] * 3 + t[1] * 4


def kept_in_a_list(x: Any, n: int) -> Any:
    s = [x, x + 1]
    kept = [s]
    for k in range(n):
        if x.sum() > k:
            s[0] = s[0] + s[1]
        else:
            s = [s[1], x]
        kept.append(s)
        kept[0][1] = kept[0][1] + 1
    return sum(t[0] * 3**i + t[1] for i, t in enumerate(kept))


def lists_in_a_list(x: Any, n: int) -> Any:
    p = [[x, x + 1], [x * 2, x * 3]]
    for k in range(n):
        if x.sum() > k:
            p[0][0] = p[0][0] + p[1][1]
        else:
            p = [p[1], p[0]]
        p[0][1] = p[0][1] * 2
    return p[0][0] + p[0][1] * 2 + p[1][0] * 3 + p[1][1] * 4


def chosen_and_written_by_one_statement(x: Any, n: int) -> Any:
    zs, xs = [x], [x * 2]

    def add(a: Any, b: Any) -> Any:
        a.append(x * 5)
        return a

    for k in range(n):
        add(zs if x.sum() > k else xs, zs.append(x * 3))
    return sum(zs) + 10 * sum(xs) + len(zs)


CASES = [
    simplex, on_one_line, counted_by_while, in_a_function, kept_under_another_name, written_under_another_name,
    kept_in_a_list, lists_in_a_list, chosen_and_written_by_one_statement,
]  # fmt: skip


@pytest.mark.parametrize("fn", CASES)
@pytest.mark.parametrize("values", [[3.0, 4.0], [0.5, 0.7], [-1.0, -2.0], [1.0, 0.2]])
def test_a_compiled_function_does_as_eager_mode(fn: Callable[..., Any], values: list[float]) -> None:
    compiled = vt.to_static(fn)
    for scale in (1.0, -1.0, 0.5):
        results = []
        for call in (fn, compiled):
            x = vt.to_tensor(values, stop_gradient=False)
            y = call(x * scale, 2)
            y.sum().backward()
            results.append((y.tolist(), x.grad.tolist()))
        assert results[0] == results[1]


@pytest.mark.parametrize("fn", [simplex, on_one_line, counted_by_while, in_a_function])
def test_each_iteration_is_one_if(fn: Callable[..., Any]) -> None:
    compiled = vt.to_static(fn)
    assert compiled(vt.to_tensor([1.0, -3.0]), 12).tolist() == fn(vt.to_tensor([1.0, -3.0]), 12).tolist()
    text = str(compiled.program)
    assert text.count("if ") == 12
