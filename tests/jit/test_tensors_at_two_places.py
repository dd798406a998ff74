"""A tensor that an attribute holds and that stands elsewhere, too, in a tuple: a later call puts another one there."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

import vitrify as vt

FIRST = vt.to_tensor([4.5])
IN_A_TUPLE = ((FIRST, 1),)


def history(st: Any, x: Any) -> None:
    for k in range(3):
        x = x + k
        if x.sum() > 2:
            st.n = x
        else:
            st.hist.append(("x", st.n, x.sum()))


def kept_in_a_tuple(st: Any, x: Any) -> None:
    if x.sum() > 2:
        st.n = x + 0
    else:
        st.kept = (st.n,)


def kept_deeper(st: Any, x: Any) -> None:
    if x.sum() > 2:
        st.n = x + 0
    else:
        st.kept = ("n", (st.n, st.kept))


def in_the_global_tuple(st: Any, x: Any) -> None:
    if x.sum() > 2:
        st.n = x + 0
    else:
        st.kept = st.n * 10 + IN_A_TUPLE[0][0]


def in_the_default(st: Any, x: Any, known: Any = ((FIRST,),)) -> None:
    if x.sum() > 2:
        st.n = x + 0
    else:
        st.kept = st.n * 10 + known[0][0]


def shown(x: Any) -> Any:
    return [shown(v) for v in x] if isinstance(x, (list, tuple)) else x.tolist() if isinstance(x, vt.Tensor) else x


@pytest.mark.parametrize(
    "fn", [history, kept_in_a_tuple, kept_deeper, in_the_global_tuple, in_the_default], ids=lambda fn: fn.__name__
)
def test_what_left_an_earlier_call_stays_what_it_is(fn: Callable[..., Any]) -> None:
    def run(fn: Any) -> list[Any]:
        st, seen = SimpleNamespace(n=FIRST, kept=None, hist=[]), []
        for value in (1.5, -2.0, 4.0, -2.0, 4.0, 5.0, -1.0):
            fn(st, vt.to_tensor([value]))
            seen.append((shown(st.n), shown(st.kept), shown(st.hist)))
        return seen

    assert run(vt.to_static(fn)) == run(fn)


def in_a_dict_and_a_list(st: Any, x: Any) -> None:
    x = x + 1
    if x.sum() > 2:
        st.n = FIRST
    else:
        st.kept["a"] = x
    st.hist = [x]


def test_one_tensor_of_two_paths_in_a_dict_and_a_list() -> None:
    def run(fn: Any) -> list[Any]:
        st, seen = SimpleNamespace(n=FIRST, kept={}, hist=[]), []
        for value in (-2.0, 4.0, -3.0):
            fn(st, vt.to_tensor([value]))
            st.hist[0].add_(vt.to_tensor([10.0]))
            seen.append((st.kept["a"] is st.hist[0], shown([st.kept["a"], st.hist])))
        return seen

    assert run(vt.to_static(in_a_dict_and_a_list)) == run(in_a_dict_and_a_list)
