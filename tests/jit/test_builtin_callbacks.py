"""Built-in functions as callbacks: `map(print, xs)`, `ExitStack.callback(out.append, x)` act when captured code would."""

from __future__ import annotations

import contextlib
import functools
import itertools
import operator
from collections.abc import Callable
from typing import Any

import pytest

import vitrify as vt


def _map(x: Any, out: list[Any]) -> Any:
    if x.sum() > 1:
        list(map(print, ["big"]))
    for _ in map(print, ["loop"]):
        pass
    return x


def _map_tensors(x: Any, out: list[Any]) -> Any:
    list(map(print, [x.sum()]))
    return sum(map(int, [x.sum(), x.max()]))


def _key(x: Any, out: list[Any]) -> Any:
    return len(sorted(["k"], key=print))


def _append(x: Any, out: list[Any]) -> Any:
    if x.sum() > 1:
        list(map(out.append, [1, 2]))
    return len(out)


def _until(x: Any, out: list[Any]) -> Any:
    left = [1, 2, 3, 4]
    for v in iter(left.pop, 2):
        print(v)
    return len(left)


def _partial(x: Any, out: list[Any]) -> Any:
    with contextlib.ExitStack() as stack:
        stack.callback(functools.partial(print, "left"), x.max())
        print("inside")
    return x


def _exit(x: Any, out: list[Any]) -> Any:
    with contextlib.ExitStack() as stack:
        stack.callback(print, "done")
        stack.callback(out.append, x.sum())
        print("body")
        out.append(x.max())
    return len(out)


def _sort_at_exit(x: Any, out: list[Any]) -> Any:
    out.append(4)
    with contextlib.ExitStack() as stack:
        stack.callback(out.append, 7)
        stack.callback(out.sort)
        if x.sum() > 1:
            out.append(9)
        else:
            out.append(3)
    return out[-1]


def _closed_on_one_path(x: Any, out: list[Any]) -> Any:
    with contextlib.ExitStack() as stack:
        stack.callback(out.append, 7)
        if x.sum() > 1:
            stack.close()
        out.append(1)
    return len(out)


def _computing(x: Any, out: list[Any]) -> Any:
    total = functools.reduce(operator.add, [x, x * 2])
    products = list(itertools.accumulate([x.sum(), x.max()], operator.mul))
    return total.sum() + products[-1] + max([-3, 2], key=abs) + len(sorted(["b", "A"], key=str.lower))


CASES = (
    _map, _map_tensors, _key, _append, _until, _partial, _exit, _sort_at_exit, _closed_on_one_path, _computing,
)  # fmt: skip


@pytest.mark.parametrize("fn", CASES)
def test_a_builtin_callback_acts_at_each_call(fn: Callable[..., Any], capsys: pytest.CaptureFixture[str]) -> None:
    found = []
    for call in (fn, vt.jit.to_static(fn)):
        for n in (1.0, 2.0, 0.1):
            out: list[Any] = []
            made = call(vt.full([2], n), out)
            made = made.tolist() if isinstance(made, vt.Tensor) else int(made)
            found.append((made, [float(x) for x in out], capsys.readouterr().out))
    assert found[:3] == found[3:]


def test_the_index_of_a_range_with_a_changed_bound_is_an_int(capsys: pytest.CaptureFixture[str]) -> None:
    def shown(y: Any, k: int) -> Any:
        for t in range(k, len(y)):
            if y[t] > 1:
                print("clip", t, isinstance(t, int))
        for t in range(0, len(y), k):
            if y[t] > 1:
                print("step", t, type(t))
        return y

    found = []
    for call in (shown, vt.jit.to_static(shown)):
        for k, n in ((1, 3), (2, 4), (3, 6)):
            call(vt.arange(n).astype("float32"), k)
        found.append(capsys.readouterr().out)
    assert found[0] == found[1]
