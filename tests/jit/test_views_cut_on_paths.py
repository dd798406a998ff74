"""Views whose base is written before or on the paths of an `if`: each path, and what follows, cuts them anew."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import vitrify as vt


def other_cuts_of_a_view(m: Any, x: Any, v: Any) -> Any:
    m.tab[int(v) % 2] = 1.0
    w = m.v[1:3] if x[0] > 0 else m.v[0:2]
    return w * 2


def written_behind_the_if(m: Any, x: Any, v: Any) -> Any:
    m.tab[int(v) % 2] = 1.0
    if x[0] > 0:
        w = m.v[1:3]
    else:
        w = m.v[0:2]
    w += 1
    return w


def a_view_decides(m: Any, x: Any, v: Any) -> Any:
    m.tab[int(v) % 2] = 2.0
    if m.w.sum() > x.sum():
        return m.w
    if x[0] > 1:
        return None
    m.w[0] = -1.0
    return m.v


def written_where_it_is_returned(m: Any, x: Any, v: Any) -> Any:
    m.tab[int(v) % 2] = x
    if x[0] > 0:
        m.v[0] = 9.0
        return m.w
    m.v[1] = 7.0
    return m.v.sum()


def of_what_the_function_makes(m: Any, x: Any, v: Any) -> Any:
    y = m.tab * 2
    a = y[0]
    b = a[1:]
    if x[0] > 0:
        return "none"
    if x[1] > 0:
        y[:] = 3.0
        return b
    a[1] = 5.0
    return b.sum(), a


def replaced_on_one_path(m: Any, x: Any, v: Any) -> Any:
    m.tab[int(v) % 2] = 2.0
    q = m.v[1:]
    if q.sum() > x.sum():
        m.v = m.v * 2
        return q
    if x[0] > 1:
        return None
    m.tab = m.tab + 1
    q[0] = -1.0
    return m.v, q


@pytest.mark.parametrize(
    "function",
    [
        other_cuts_of_a_view, written_behind_the_if, a_view_decides, written_where_it_is_returned,
        of_what_the_function_makes, replaced_on_one_path,
    ],
)  # fmt: skip
def test_results_and_state_are_those_of_eager_mode(function: Callable[..., Any]) -> None:
    def made() -> Any:
        tab = vt.arange(8.0).reshape([2, 4])
        return SimpleNamespace(tab=tab, v=tab[1], w=tab[1][1:])

    eager, compiled, fn = made(), made(), vt.to_static(function)
    for k in range(8):
        x = vt.to_tensor(np.random.default_rng(k).normal(size=4).astype("float32") * 4)
        assert repr(fn(compiled, x, vt.to_tensor(float(k)))) == repr(function(eager, x, vt.to_tensor(float(k))))
        for name in ("tab", "v", "w"):
            assert getattr(compiled, name).tolist() == getattr(eager, name).tolist()
