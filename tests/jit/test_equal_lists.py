"""Lists that other code replaces by equal ones: what a program writes, gives out or compares is in the new ones."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify import nn

from .appended_lists_support import plain


def t(*values: float) -> Any:
    return vt.to_tensor(np.array(values, "float32"))


class Holder:
    """An object of the user's."""

    def __init__(self) -> None:
        self.xs = [t(1, 1), t(2, 2)]
        self.same: Any = self.xs
        self.rows = [[t(1, 1)], [t(2, 2)]]
        self.table = {"xs": self.xs, "z": 1}
        self.pair = ([t(1, 1)], 2)
        self.net: Any = nn.Linear(2, 2)
        self.net.xs = [t(1, 1)]
        self.counts = [1, 2]
        self.other: Any = None

    def everything(self) -> Any:
        return plain([self.xs, self.same, self.rows, self.table, self.pair, self.net.xs, self.counts, self.other])


def written(o: Holder, x: Any) -> Any:
    o.xs[0] = x
    return o.xs[0] + o.xs[1]


def in_rows(o: Holder, x: Any) -> Any:
    o.rows[0][0] = x
    return o.rows[1][0]


def in_tuple(o: Holder, x: Any) -> Any:
    o.pair[0][0] = x
    return x


def in_dict(o: Holder, x: Any) -> Any:
    o.table["xs"][0] = x
    return x


def of_layer(o: Holder, x: Any) -> Any:
    o.net.xs[0] = x
    return x


def counted(o: Holder, x: Any) -> Any:
    o.counts[0] += 1
    return x


def returned(o: Holder, x: Any) -> Any:
    return o.xs


def compared(o: Holder, x: Any) -> Any:
    return o.xs is o.same


def stored(o: Holder, x: Any) -> Any:
    o.other = o.xs
    return x


def in_result(o: Holder, x: Any) -> Any:
    return {"rows": o.rows, "counts": o.counts}


def replace(o: Holder, k: int) -> None:
    if k % 3 == 2:
        o.xs, o.counts, o.net.xs = list(o.xs), list(o.counts), list(o.net.xs)
        o.rows[0], o.pair, o.table["xs"] = list(o.rows[0]), (list(o.pair[0]), 2), list(o.table["xs"])
    if k == 6:
        o.rows, o.same = [list(row) for row in o.rows], o.xs


def _run(step: Callable[[Holder, Any], Any], is_compiled: bool) -> list[Any]:
    o = Holder()
    fn = vt.to_static(lambda x: step(o, x)) if is_compiled else lambda x: step(o, x)
    seen = []
    for k in range(9):
        r = fn(t(k, k))
        is_one = [r is o.xs, o.other is o.xs, o.xs is o.same]
        is_one += [r["rows"] is o.rows, r["counts"] is o.counts] if isinstance(r, dict) else []
        seen.append((plain(r), is_one, o.everything()))
        replace(o, k)
    return seen


@pytest.mark.parametrize(
    "step",
    [written, in_rows, in_tuple, in_dict, of_layer, counted, returned, compared, stored, in_result],
)
def test_the_new_list_is_the_one(step: Callable[[Holder, Any], Any]) -> None:
    assert _run(step, True) == _run(step, False)
