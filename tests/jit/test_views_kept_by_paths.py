"""Views that a path of an `if` keeps in an attribute or returns: later writes in place reach them, or are refused."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

import vitrify as vt
from vitrify.errors import ArgumentError


def row_or_argument(st: Any, x: Any) -> None:
    if x.sum() > 0:
        st.c = st.w[0]
    else:
        st.c = x
    st.w.add_(vt.ones_like(st.w))


def one_row_or_another(st: Any, x: Any) -> None:
    if x.sum() > 0:
        st.c = st.w[0]
    else:
        st.c = st.w[1]
    st.c.add_(vt.ones_like(st.c) * 10)


def whole_or_row(st: Any, x: Any) -> None:
    if x.sum() > 0:
        st.c = st.w
    else:
        st.c = st.w[1]
    st.c.add_(vt.ones_like(st.c) * 10)


def beside_two_types(st: Any, x: Any) -> None:
    if x.sum() > 0:
        st.d = 5
    st.c = (st.w[0], 1)
    st.w.add_(vt.ones_like(st.w))


def in_a_list(st: Any, x: Any) -> None:
    if x.sum() > 0:
        st.d = 5
    st.c = [st.w[0]]
    st.w.add_(vt.ones_like(st.w))


def written_before_and_after(st: Any, x: Any) -> None:
    if x.sum() > 0:
        st.w.add_(vt.ones_like(st.w))
        st.c = st.w[0].reshape([2, 1])
    st.w.add_(vt.ones_like(st.w))


def behind_an_early_return(st: Any, x: Any) -> Any:
    if x.sum() > 0:
        return st.w[0] * 2
    st.c = st.w[0]
    st.w.add_(vt.ones_like(st.w))
    return 3


CALLERS = [
    row_or_argument, one_row_or_another, whole_or_row, beside_two_types, in_a_list, written_before_and_after,
    behind_an_early_return,
]  # fmt: skip


def view_of_what_the_path_made(st: Any, x: Any) -> Any:
    w, a = st.w, st.w
    if x.sum() > 0:
        w = w * 1.5
        a = w.T
    w[0] = x
    return a


def returned_or_a_number(st: Any, x: Any) -> Any:
    y, r = x * 2, 3
    if x.sum() > 0:
        r = y[0:1]
    y.add_(vt.ones_like(y))
    st.c = y
    return r


def kept_on_one_path(st: Any, x: Any) -> None:
    y = x * 2
    st.d = y
    if x.sum() > 0:
        st.c = y[0:1]
    y.add_(vt.ones_like(y))


MADE = [view_of_what_the_path_made, returned_or_a_number, kept_on_one_path]


def shown(x: Any) -> Any:
    return [shown(v) for v in x] if isinstance(x, (list, tuple)) else x.tolist() if isinstance(x, vt.Tensor) else x


def fresh() -> Any:
    return SimpleNamespace(w=vt.zeros([2, 2]), c=vt.zeros([2]), d=None)


@pytest.mark.parametrize("fn", CALLERS + MADE, ids=lambda fn: fn.__name__)
def test_a_kept_view_has_what_is_written_later_in_the_call(fn: Callable[..., Any]) -> None:
    def run(fn: Any) -> list[Any]:
        st, seen = fresh(), []
        for value in (1.0, -1.0, 2.0):
            r = fn(st, vt.full([2], value))
            seen.append(shown([st.w, st.c, st.d, r]))
        return seen

    assert run(vt.to_static(fn)) == run(fn)


@pytest.mark.parametrize("fn", CALLERS, ids=lambda fn: fn.__name__)
def test_a_kept_view_stays_one_of_what_it_is_cut_from(fn: Callable[..., Any]) -> None:
    def run(fn: Any, value: float) -> Any:
        st = fresh()
        fn(st, vt.full([2], value))
        st.w.multiply_(vt.full([2, 2], 3.0))
        kept = st.c if isinstance(st.c, vt.Tensor) else st.c[0]
        kept.add_(vt.ones_like(kept))
        return shown([st.w, st.c])

    compiled = vt.to_static(fn)
    assert [run(compiled, v) for v in (1.0, -1.0)] == [run(fn, v) for v in (1.0, -1.0)]


def test_beside_what_it_may_be_a_view_of_a_later_write_is_refused() -> None:
    compiled = vt.to_static(kept_on_one_path)
    st = fresh()
    compiled(st, vt.ones([2]))
    with pytest.raises(ArgumentError, match="on some paths a view of"):
        st.c.add_(vt.ones([1]))
    st.d.add_(vt.ones([2]))
    with pytest.raises(ArgumentError, match="on some paths a view of"):
        st.c.tolist()


@pytest.mark.parametrize("way", ["part", "whole", "handler", "variable"])
def test_a_view_has_the_gradient_of_what_is_written_behind_it(way: str) -> None:
    """Its tensor, which the function makes, had none before; what follows is traced once per path."""

    def fn(y: Any) -> Any:
        a = vt.zeros([3]) if way != "whole" else vt.zeros([2])
        v = a.reshape([2, 1]) if way == "whole" else a[1:]
        if way == "handler":
            try:
                a[int(y[0]) * 0 + 1] = y[1]
            except IndexError:
                pass
            return v
        if way == "whole":
            a.add_(y)
        else:
            a[1:] = y
        if way == "variable":
            r = v * 2 if y.sum() < 100 else None
            return v if r is None else r
        if y.sum() > 100:
            return None
        return v

    compiled = vt.to_static(fn)
    for values in ([1.0, 2.0], [3.0, -2.0]):
        told = []
        for call in (fn, compiled):
            y = vt.to_tensor(values, stop_gradient=False)
            found = call(y)
            found.sum().backward()
            told.append((found.tolist(), found.stop_gradient, y.grad.tolist()))
        assert told[0] == told[1]
