"""Variables that are one tensor or another: a later write in place reaches all that they may be, or is refused."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import vitrify as vt
from vitrify.base.errors import CaptureError


def tt(values: list[float]) -> Any:
    return vt.to_tensor(values, dtype="float32")


def a_write_to_the_source(a: Any, b: Any, c: Any) -> Any:
    y = b if c.sum() > 0 else a
    b.add_(1.0)
    return y + 0


def the_source_is_written_and_it_returned(a: Any, b: Any, c: Any) -> Any:
    y = b if c.sum() > 0 else a
    b.add_(1.0)
    return y


def a_write_through_the_variable(a: Any, b: Any, c: Any) -> Any:
    y = b if c.sum() > 0 else a
    y.add_(1.0)
    return a + b


def both(a: Any, b: Any, c: Any) -> Any:
    y = b if c.sum() > 0 else a
    y.add_(1.0)
    b.multiply_(3.0)
    a.subtract_(2.0)
    return (y * 1, a * 1)


def nested(a: Any, b: Any, c: Any) -> Any:
    y = a
    if c.sum() > -5:
        if c.sum() > 0:
            y = b
    b.add_(1.0)
    return y + 0


def nested_write(a: Any, b: Any, c: Any) -> Any:
    y = a
    if c.sum() > -5:
        if c.sum() > 0:
            y = b
    y.add_(1.0)
    return (y + 0, a + b)


def write_in_loop(a: Any, b: Any, c: Any) -> Any:
    y = b if c.sum() > 0 else a
    i = vt.zeros([1])
    s = y * 0
    while i.sum() < 3:
        s = s + y
        b.add_(1.0)
        i = i + 1
    return s


def write_in_branch(a: Any, b: Any, c: Any) -> Any:
    y = b if c.sum() > 0 else a
    if c.sum() > -3:
        b.add_(1.0)
    return y + 0


def an_element_of_the_source(a: Any, b: Any, c: Any) -> Any:
    y = b if c.sum() > 0 else a
    b[0] = 9.0
    return y[0] + y[1]


def in_list(a: Any, b: Any, c: Any) -> Any:
    ys = [b, a] if c.sum() > 0 else [a, b]
    b.add_(1.0)
    return ys[0] * 10 + ys[1]


def in_list_write(a: Any, b: Any, c: Any) -> Any:
    ys = [b, a] if c.sum() > 0 else [a, b]
    ys[0].add_(1.0)
    return (a + 0, b + 0)


def in_dict(a: Any, b: Any, c: Any) -> Any:
    d = {}
    if c.sum() > 0:
        d["k"] = b
    else:
        d["k"] = a
    b.add_(1.0)
    return d["k"] + 0


def in_dict_write(a: Any, b: Any, c: Any) -> Any:
    d = {}
    if c.sum() > 0:
        d["k"] = b
    else:
        d["k"] = a
    d["k"].add_(1.0)
    return d


def after_read(a: Any, b: Any, c: Any) -> Any:
    y = b if c.sum() > 0 else a
    z = y * 2
    b.add_(1.0)
    return z


def tensors_of_the_function(a: Any, b: Any, c: Any) -> Any:
    u = a + 0
    v = b + 0
    y = u if c.sum() > 0 else v
    v.add_(1.0)
    y.add_(10.0)
    return (u, v, y)


def only_if_new(a: Any, b: Any, c: Any) -> Any:
    y = a
    if c.sum() > 0:
        y = a * 2
    a.add_(1.0)
    return y + 0


def only_if_new_write(a: Any, b: Any, c: Any) -> Any:
    y = a
    if c.sum() > 0:
        y = a * 2
    y.add_(1.0)
    return y + 0


def detached(a: Any, b: Any, c: Any) -> Any:
    y = b.detach() if c.sum() > 0 else a
    b.add_(1.0)
    return y + 0


def a_detached_alias_of_the_source(a: Any, b: Any, c: Any) -> Any:
    y = b if c.sum() > 0 else a
    d = b.detach()
    d.add_(1.0)
    return y + 0


def a_detached_alias_of_the_variable(a: Any, b: Any, c: Any) -> Any:
    y = b if c.sum() > 0 else a
    d = y.detach()
    b.add_(1.0)
    return d + 0


def loop_alias2(a: Any, b: Any, c: Any) -> Any:
    x = b
    d = x.detach()
    i = vt.zeros([1])
    while i.sum() < 2:
        x = x * 2
        d.add_(1.0)
        i = i + 1
    return x + 0


def loop_alias3(a: Any, b: Any, c: Any) -> Any:
    x = b
    i = vt.zeros([1])
    while i.sum() < 2:
        x = x + b
        b.add_(1.0)
        i = i + 1
    return x + 0


def list_elem(a: Any, b: Any, c: Any) -> Any:
    d = [a]
    if c.sum() > 0:
        d.append(b)
    d[-1].add_(2.0)
    return (a + 0, b + 0)


def list_elem2(a: Any, b: Any, c: Any) -> Any:
    d = [a * 1]
    if c.sum() > 0:
        d.append(b * 1)
    d[-1].add_(2.0)
    return d[-1]


def list_elem_for(a: Any, b: Any, c: Any) -> Any:
    d = [a * 1]
    if c.sum() > 0:
        d.append(b * 1)
    for t in d:
        t.add_(1.0)
    return sum(d)


def list_source(a: Any, b: Any, c: Any) -> Any:
    d = [a]
    if c.sum() > 0:
        d.append(b)
    b.add_(2.0)
    return d[-1] + 0


def list_pop(a: Any, b: Any, c: Any) -> Any:
    d = [a]
    if c.sum() > 0:
        d.append(b)
    y = d.pop()
    y.add_(2.0)
    return (a + 0, b + 0)


def list_setitem(a: Any, b: Any, c: Any) -> Any:
    d = [a * 1]
    if c.sum() > 0:
        d.append(b * 1)
    d[-1][0] = 7.0
    return d[-1]


def item_number(a: Any, b: Any, c: Any) -> Any:
    s = vt.zeros([], dtype="float64") + c.sum()
    n = s.item()
    s.add_(vt.ones([], dtype="float64"))
    return (n, s)


def int_number(a: Any, b: Any, c: Any) -> Any:
    s = vt.cast(c.sum(), "int64")
    n = int(s)
    s.add_(vt.ones([], dtype="int64"))
    return (n, s)


def for_append(a: Any, b: Any, c: Any) -> Any:
    h = a * 1
    hs = []
    for _ in range(500):
        h = h + 1
        hs.append(h)
    h.add_(1.0)
    return hs[-1] + 0


def for_append_outer(a: Any, b: Any, c: Any) -> Any:
    h = a * 1
    hs = []
    for _ in range(500):
        h = h + 1
        hs.append(b)
    b.add_(1.0)
    return hs[-1] + h


def both_new(a: Any, b: Any, c: Any) -> Any:
    if c.sum() > 0:
        t = a * 2
        y = z = t
    else:
        y = a * 3
        z = b * 1
    y.add_(1.0)
    return z + 0


def both_new_list(a: Any, b: Any, c: Any) -> Any:
    d = [a * 1]
    if c.sum() > 0:
        y = a * 2
        d.append(y)
    else:
        y = b * 2
    y.add_(1.0)
    return d[-1] + 0


def written_then_alias(a: Any, b: Any, c: Any) -> Any:
    if c.sum() > 0:
        b.add_(1.0)
        y = b
    else:
        y = a
    b.add_(1.0)
    return y + 0


def ok_loop_local(a: Any, b: Any, c: Any) -> Any:
    h = vt.zeros([2])
    i = vt.zeros([1])
    while i.sum() < c.sum() + 2:
        h = h + a
        h[0] = 1.0
        i = i + 1
    h.add_(1.0)
    return h


def ok_loop_local2(a: Any, b: Any, c: Any) -> Any:
    h = vt.zeros([2])
    i = vt.zeros([1])
    while i.sum() < c.sum() + 2:
        h[0] = 1.0
        h = h + a
        i = i + 1
    h.add_(1.0)
    return h


def ok_for_arg(a: Any, b: Any, c: Any) -> Any:
    h = a
    for _ in range(3):
        h = h * 2
    h.add_(1.0)
    return (h, a)


def ok_for_arg_break(a: Any, b: Any, c: Any) -> Any:
    h = a
    for _ in range(3):
        h = h * 2
        if h.sum() > 10:
            break
    h.add_(1.0)
    return (h, a)


def ok_while_arg2(a: Any, b: Any, c: Any) -> Any:
    h = a
    i = vt.zeros([1])
    while i.sum() < c.sum() + 1:
        h = h * 2
        h.add_(1.0)
        i = i + 1
    return (h, a)


def read_before_write_branch(a: Any, b: Any, c: Any) -> Any:
    h = a
    i = vt.zeros([1])
    while i.sum() < c.sum() + 1:
        h = h * 2
        i = i + 1
    if c.sum() > 0:
        z = h + 1
        a.add_(1.0)
    else:
        z = h + 2
    return (z, a)


def attr(a: Any, b: Any, c: Any) -> Any:

    class S:
        pass

    s = S()
    s.t = a
    if c.sum() > 0:
        s.t = b
    b.add_(1.0)
    return s.t + 0


def tuple_swap(a: Any, b: Any, c: Any) -> Any:
    if c.sum() > 0:
        a, b = (b, a)
    a.add_(1.0)
    b.multiply_(tt([2.0, 2.0]))
    return (a + 0, b + 0)


def ternary_chain(a: Any, b: Any, c: Any) -> Any:
    y = a if c.sum() > 0 else b
    z = y if c.sum() > -3 else a
    a.add_(1.0)
    return (z + 0, y + 0)


def ternary_chain_w(a: Any, b: Any, c: Any) -> Any:
    y = a if c.sum() > 0 else b
    z = y if c.sum() > -3 else a
    z.add_(1.0)
    return y + 0


def closure(a: Any, b: Any, c: Any) -> Any:
    y = a

    def g():
        nonlocal y
        if c.sum() > 0:
            y = b

    g()
    b.add_(1.0)
    return y + 0


def return_early(a: Any, b: Any, c: Any) -> Any:

    def pick():
        if c.sum() > 0:
            return b
        return a

    y = pick()
    b.add_(1.0)
    return y + 0


def return_early_w(a: Any, b: Any, c: Any) -> Any:

    def pick():
        if c.sum() > 0:
            return b
        return a

    pick().add_(1.0)
    return a + 0


def in_try(a: Any, b: Any, c: Any) -> Any:
    try:
        if c.sum() > 0:
            raise ValueError
        y = a
    except ValueError:
        y = b
    b.add_(1.0)
    a.add_(2.0)
    return y + 0


def none_then(a: Any, b: Any, c: Any) -> Any:
    y = None
    if c.sum() > 0:
        y = b
    b.add_(1.0)
    if y is not None:
        return y + 0
    return a + 0


def best(a: Any, b: Any, c: Any) -> Any:
    best = a
    i = vt.zeros([1])
    x = b * 1
    while i.sum() < 3:
        x = x + c
        if x.sum() > best.sum():
            best = x
        i = i + 1
    return best


def in_loop(a: Any, b: Any, c: Any) -> Any:
    y = a
    i = vt.zeros([1])
    while i.sum() < 2:
        if c.sum() > 0:
            y = b
        i = i + 1
    b.add_(1.0)
    return y + 0


def in_loop_write(a: Any, b: Any, c: Any) -> Any:
    y = a
    i = vt.zeros([1])
    while i.sum() < 2:
        if c.sum() > 0:
            y = b
        i = i + 1
    y.add_(1.0)
    return y + 0


def loop_assign(a: Any, b: Any, c: Any) -> Any:
    y = a
    i = vt.zeros([1])
    while i.sum() < c.sum():
        y = b
        i = i + 1
    b.add_(1.0)
    return y + 0


def loop_assign_write(a: Any, b: Any, c: Any) -> Any:
    y = a
    i = vt.zeros([1])
    while i.sum() < c.sum():
        y = b
        i = i + 1
    y.add_(1.0)
    return y + 0


def loop_alias(a: Any, b: Any, c: Any) -> Any:
    d = b.detach()
    i = vt.zeros([1])
    x = b
    while i.sum() < 2:
        d.add_(1.0)
        x = x * 2
        i = i + 1
    return (x + 0, b + 0)


def loop_alias4(a: Any, b: Any, c: Any) -> Any:
    x = b
    i = vt.zeros([1])
    while i.sum() < 2:
        b.add_(1.0)
        x = x + b
        i = i + 1
    return x + 0


def loop_swap(a: Any, b: Any, c: Any) -> Any:
    i = vt.zeros([1])
    while i.sum() < 3:
        a, b = (b, a)
        i = i + 1
    a.add_(1.0)
    return (a + 0, b + 0)


def list_elem3(a: Any, b: Any, c: Any) -> Any:
    d = [a * 1]
    i = vt.zeros([1])
    while i.sum() < c.sum() + 1:
        d.append(b + i)
        i = i + 1
    d[-1].add_(2.0)
    return d[-1]


def list_elem_for_loop(a: Any, b: Any, c: Any) -> Any:
    d = [a * 1]
    i = vt.zeros([1])
    while i.sum() < c.sum() + 1:
        d.append(b + i)
        i = i + 1
    for t in d:
        t.add_(1.0)
    return sum(d)


def list_index_t(a: Any, b: Any, c: Any) -> Any:
    d = [a, b]
    k = vt.cast(c.sum() > 0, "int64")
    d[k].add_(2.0)
    return (a + 0, b + 0)


def append_then_write(a: Any, b: Any, c: Any) -> Any:
    h = a * 1
    hs = []
    i = vt.zeros([1])
    while i.sum() < c.sum() + 2:
        hs.append(h)
        h.add_(1.0)
        i = i + 1
    return hs[0] + 0


def append_then_write_after(a: Any, b: Any, c: Any) -> Any:
    h = a * 1
    hs = []
    i = vt.zeros([1])
    while i.sum() < c.sum() + 2:
        h = h * 2
        hs.append(h)
        i = i + 1
    h.add_(1.0)
    return hs[-1] + 0


def append_then_write_next(a: Any, b: Any, c: Any) -> Any:
    h = a * 1
    hs = []
    i = vt.zeros([1])
    while i.sum() < c.sum() + 2:
        h.add_(1.0)
        h = h * 2
        hs.append(h)
        i = i + 1
    return hs[0] + 0


def an_argument_if_there_is_no_iteration(a: Any, b: Any, c: Any) -> Any:
    h = a
    i = vt.zeros([1])
    while i.sum() < c.sum() + 1:
        h = h * 2
        i = i + 1
    h.add_(1.0)
    return (h, a)


def attr_loop(a: Any, b: Any, c: Any) -> Any:

    class S:
        pass

    s = S()
    s.t = a
    i = vt.zeros([1])
    while i.sum() < c.sum() + 1:
        s.t = b
        i = i + 1
    b.add_(1.0)
    return s.t + 0


def none_then_loop(a: Any, b: Any, c: Any) -> Any:
    y = None
    i = vt.zeros([1])
    while i.sum() < c.sum() + 1:
        y = b
        i = i + 1
    b.add_(1.0)
    if y is not None:
        return y + 0
    return a + 0


def none_then_loop_w(a: Any, b: Any, c: Any) -> Any:
    y = None
    i = vt.zeros([1])
    while i.sum() < c.sum() + 1:
        y = b
        i = i + 1
    if y is not None:
        y.add_(1.0)
    return b + 0


def best_inplace(a: Any, b: Any, c: Any) -> Any:
    best = a
    i = vt.zeros([1])
    x = b * 1
    while i.sum() < 3:
        x.add_(c)
        if x.sum() > best.sum():
            best = x
        i = i + 1
    return best


def while_flag(a: Any, b: Any, c: Any) -> Any:
    y = a
    done = False
    i = 0
    while not done:
        y = b if c.sum() > 0 else y
        b.add_(1.0)
        i += 1
        if b.sum() > 14:
            done = True
    return y + 0


SAME = (
    a_write_to_the_source,
    the_source_is_written_and_it_returned,
    a_write_through_the_variable,
    both,
    nested,
    nested_write,
    write_in_loop,
    write_in_branch,
    an_element_of_the_source,
    in_list,
    in_list_write,
    in_dict,
    in_dict_write,
    after_read,
    tensors_of_the_function,
    only_if_new,
    only_if_new_write,
    detached,
    a_detached_alias_of_the_source,
    a_detached_alias_of_the_variable,
    loop_alias2,
    loop_alias3,
    list_elem,
    list_elem2,
    list_elem_for,
    list_source,
    list_pop,
    list_setitem,
    item_number,
    int_number,
    for_append,
    for_append_outer,
    both_new,
    both_new_list,
    written_then_alias,
    ok_loop_local,
    ok_loop_local2,
    ok_for_arg,
    ok_for_arg_break,
    ok_while_arg2,
    read_before_write_branch,
    attr,
    tuple_swap,
    ternary_chain,
    ternary_chain_w,
    closure,
    return_early,
    return_early_w,
    in_try,
    none_then,
    best,
)
REFUSED = (
    in_loop,
    in_loop_write,
    loop_assign,
    loop_assign_write,
    loop_alias,
    loop_alias4,
    loop_swap,
    list_elem3,
    list_elem_for_loop,
    list_index_t,
    append_then_write,
    append_then_write_after,
    append_then_write_next,
    an_argument_if_there_is_no_iteration,
    attr_loop,
    none_then_loop,
    none_then_loop_w,
    best_inplace,
    while_flag,
)


def seen(fn: Callable[..., Any]) -> list[Any]:
    found = []
    for value in (1.0, -1.0, 1.0):
        a, b = tt([1.0, 2.0]), tt([5.0, 6.0])
        returned = fn(a, b, tt([value]))
        parts = returned if isinstance(returned, (list, tuple)) else [returned]
        parts = list(returned.values()) if isinstance(returned, dict) else parts
        found.append(([x if isinstance(x, (int, float)) else x.tolist() for x in parts], a.tolist(), b.tolist()))
    return found


@pytest.mark.parametrize("fn", SAME, ids=lambda fn: fn.__name__)
def test_a_write_in_place_reaches_all_that_a_variable_may_be(fn: Callable[..., Any]) -> None:
    assert seen(vt.jit.to_static(fn)) == seen(fn)


@pytest.mark.parametrize("fn", REFUSED, ids=lambda fn: fn.__name__)
def test_what_only_a_run_knows_is_refused_with_a_remedy(fn: Callable[..., Any]) -> None:
    a, b = tt([1.0, 2.0]), tt([5.0, 6.0])
    words = "this (reads|writes in place to) (a variable|an element) that is, in (some iterations|a list)"
    with pytest.raises(CaptureError, match=words) as caught:
        vt.jit.to_static(fn)(a, b, tt([1.0]))
    assert "clone()" in str(caught.value) and "test_joined_variables.py" in str(caught.value)
    assert (a.tolist(), b.tolist()) == ([1.0, 2.0], [5.0, 6.0])


def _one_of_two(x: Any, k: Any) -> Any:
    if k[0] > 1:
        y = x * 2
        v = y
        if k[1] > 1:
            v = x * 3
    else:
        y, v = x * 3, x * 5
    v[0] = 5.0
    return y, v


@pytest.mark.parametrize("k", [[2, 0], [2, 2], [0, 0]])
def test_a_variable_that_is_another_one_on_a_path_inside_of_a_path(k: list[int]) -> None:
    x = vt.to_tensor([1.0, 2.0])
    found, expected = (f(x, vt.to_tensor(k)) for f in (vt.to_static(_one_of_two), _one_of_two))
    assert [y.tolist() for y in found] == [y.tolist() for y in expected]


def test_what_a_loop_leaves_as_another_variable_or_none_is_not_written_alone() -> None:
    def last(x: Any, k: Any) -> Any:
        v, y = None, x * 2
        for j in range(k[0]):
            y = y + 1
            if k[1] > j:
                v = y
        if v is not None:
            v[0] = 5.0
        return y, v

    with pytest.raises(CaptureError, match=r"writes in place to a variable that is, .*, another tensor"):
        vt.to_static(last)(vt.to_tensor([1.0, 2.0]), vt.to_tensor([3, 3]))
