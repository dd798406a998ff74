"""Items and attributes that one path of a branch replaces: a later in-place write reaches the tensor that is there."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import vitrify as vt
from vitrify.base.errors import CaptureError


def t(*values: float) -> Any:
    return vt.to_tensor(list(values), dtype="float32")


class Holder:
    def __init__(self) -> None:
        self.c = t(9)


def by_write(d: Any, x: Any) -> Any:
    if x.sum() > 0:
        d["c"] = x
    d["c"].add_(2.0)
    return d["c"] + 0


def by_new_tensor(d: Any, x: Any) -> Any:
    if x.sum() > 0:
        d["c"] = x * 3
    d["c"].multiply_(2.0)
    return d["c"] + 0


def on_the_other_path(d: Any, x: Any) -> Any:
    if x.sum() > 0:
        d["c"] = x
    else:
        d["c"].add_(2.0)
    return d["c"] + 0


def in_both_paths(d: Any, x: Any) -> Any:
    if x.sum() > 0:
        d["c"] = x
        x.add_(1.0)
    else:
        d["c"].add_(2.0)
    d["c"].add_(1.0)
    return d["c"] + 0


def before_a_return(d: Any, x: Any) -> Any:
    if x.sum() > 0:
        d["c"] = x
        return x + 1
    d["c"].add_(2.0)
    return x + 0


def in_a_branch(d: Any, x: Any) -> Any:
    if x.sum() > -5:
        if x.sum() > 0:
            d["c"] = x
        d["c"].add_(2.0)
    return d["c"] + 0


def twice(d: Any, x: Any) -> Any:
    if x.sum() > 0:
        d["c"] = x
    if x.sum() > 2:
        d["c"] = x + 1
    d["c"].add_(2.0)
    d["c"].multiply_(2.0)
    return x + 0


def before_a_loop(d: Any, x: Any) -> Any:
    if x.sum() > 0:
        d["c"] = x
    i = vt.zeros([1])
    while i.sum() < 3:
        d["c"].add_(1.0)
        i = i + 1
    return d["c"] + 0


def through_a_variable(d: Any, x: Any) -> Any:
    if x.sum() > 0:
        d["c"] = x
    y = d["c"]
    y[0] = x[0] + 1
    return y + 0


CASES = (
    by_write, by_new_tensor, on_the_other_path, in_both_paths, before_a_return, in_a_branch, twice, before_a_loop,
    through_a_variable,
)  # fmt: skip


def seen(fn: Callable[..., Any]) -> list[Any]:
    d, found = {"c": t(9)}, []
    first = d["c"]
    for value in (-1.0, -1.0, 2.0, -1.0, 3.0, -2.0):
        x = t(value)
        y = fn(d, x)
        found.append((y.tolist(), d["c"].tolist(), first.tolist(), x.tolist(), d["c"] is first, d["c"] is x))
    return found


@pytest.mark.parametrize("fn", CASES, ids=lambda fn: fn.__name__)
def test_the_tensor_that_is_there_is_written_and_stays_itself(fn: Callable[..., Any]) -> None:
    assert seen(vt.jit.to_static(fn)) == seen(fn)


def test_an_attribute_of_an_object_from_outside_is_written_where_it_is() -> None:
    def observed(wrap: Callable[..., Any]) -> list[Any]:
        holder = Holder()

        def f(x: Any) -> Any:
            if x.sum() > 0:
                holder.c = x
            holder.c.add_(2.0)
            return holder.c + 0

        compiled, first, found = wrap(f), holder.c, []
        for value in (-1.0, -1.0, 2.0, -1.0):
            x = t(value)
            found.append((compiled(x).tolist(), holder.c.tolist(), first.tolist(), holder.c is first, holder.c is x))
        return found

    assert observed(vt.jit.to_static) == observed(lambda fn: fn)


def test_what_stays_after_keys_are_deleted_through_a_list_is_written_where_it_is() -> None:
    def f(d: Any, least: float) -> Any:
        dead = [k for k, v in d.items() if v.sum() < least]
        for k in dead:
            del d[k]
        for v in d.values():
            v.multiply_(2.0)
        return len(dead)

    def observed(fn: Callable[..., Any]) -> list[Any]:
        d, found = {"a": t(1), "c": t(9)}, []
        c = d["c"]
        for least in (0.0, 3.0, 3.0):
            found.append((fn(d, least), {k: v.tolist() for k, v in d.items()}, c.tolist(), d["c"] is c))
        return found

    assert observed(vt.jit.to_static(f)) == observed(f)


def test_in_a_loop_the_write_is_refused_with_its_line_and_a_remedy() -> None:
    @vt.jit.to_static
    def f(d: Any, x: Any) -> Any:
        i = vt.zeros([1])
        while i.sum() < 3:
            if (x.sum() + i.sum()) > 2:
                d["c"] = x
            d["c"].add_(1.0)  # the line
            i = i + 1
        return d["c"] + 0

    with pytest.raises(CaptureError, match="is replaced on one path of a branch; on the other") as caught:
        f({"c": t(9)}, t(1))
    assert "# the line" in str(caught.value)
    assert "make a new tensor on both paths" in str(caught.value)


def test_a_tensor_in_a_tuple_of_a_history_stays_when_its_attribute_gets_another() -> None:
    class Held:
        def __init__(self) -> None:
            self.n: Any = 3
            self.history: list[Any] = []

    def step(st: Any, x: Any) -> None:
        for k in range(3):
            x = x + k
            if x.sum() > 2:
                st.n = x
            else:
                st.history.append(("x", (st.n, x.sum())))

    told = []
    for run in (step, vt.to_static(step)):
        st, log = Held(), []
        for value in (1.5, -2.0, 4.0, 4.0):
            run(st, vt.to_tensor([value]))
            log.append((repr(st.history), st.n.tolist(), [h[1][0] is st.n for h in st.history]))
        told.append(log)
    assert told[0] == told[1]
