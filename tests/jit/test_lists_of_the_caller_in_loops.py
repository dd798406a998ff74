"""A loop's variable that becomes a list or dict of the caller's is that very object, as in eager mode."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

import vitrify as vt


def kept(st: Any, x: Any) -> None:
    while x.sum() < 4:
        x = x + 1
        st.z = st.xs


def by_a_variable(st: Any, x: Any) -> None:
    z = st.z
    while x.sum() < 4:
        x = x + 1
        z = st.xs
    st.z = z


def appended_to_inside(st: Any, x: Any) -> None:
    while x.sum() < 4:
        x = x + 1
        st.z = st.xs
        st.z.append(x)


def appended_to_behind(st: Any, x: Any) -> None:
    while x.sum() < 4:
        x = x + 1
        st.z = st.xs
    st.xs.append(1)


def appended_to_where_it_is(st: Any, x: Any) -> None:
    while x.sum() < 4:
        x = x + 1
        st.z = st.xs
    if st.z:
        st.z.append(1)


def one_of_two(st: Any, x: Any) -> None:
    while x.sum() < 4:
        x = x + 1
        if x.sum() > 2:
            st.z = st.xs
        else:
            st.z = st.ys


def item_replaced(st: Any, x: Any) -> None:
    while x.sum() < 4:
        x = x + 1
        st.z = st.xs
        st.xs[0] = x.sum()


def dict_written(st: Any, x: Any) -> None:
    while x.sum() < 4:
        x = x + 1
        st.z = st.d
        st.d["a"] = x


def other_lists_name(st: Any, x: Any) -> None:
    while x.sum() < 4:
        x = x + 1
        st.z = st.xs
        if x.sum() > 2:
            st.xs = st.ys


def asked_for(st: Any, x: Any) -> Any:
    z = None
    while x.sum() < 4:
        x = x + 1
        z = st.xs
    return x * 2 if z is st.xs else x


FORMS = [
    kept, by_a_variable, appended_to_inside, appended_to_behind, appended_to_where_it_is, one_of_two, item_replaced,
    dict_written, other_lists_name, asked_for,
]  # fmt: skip


def shown(x: Any) -> Any:
    if isinstance(x, dict):
        return {k: shown(v) for k, v in x.items()}
    return [shown(v) for v in x] if isinstance(x, (list, tuple)) else x.tolist() if isinstance(x, vt.Tensor) else x


@pytest.mark.parametrize("fn", FORMS, ids=lambda fn: fn.__name__)
def test_it_is_that_object(fn: Callable[..., Any]) -> None:
    def run(fn: Any) -> list[Any]:
        st, seen = SimpleNamespace(xs=[5, 2], ys=[7], z=False, d={}), []
        for value in (1.0, 9.0, 3.0, -1.0):
            r = fn(st, vt.to_tensor([value]))
            seen.append((st.z is st.xs, st.z is st.ys, st.z is st.d, shown([st.z, st.xs, st.ys, st.d, r])))
        return seen

    assert run(vt.to_static(fn)) == run(fn)
