"""Containers of which an `if` or a loop makes one: a later write reaches the right one, or is refused."""

from __future__ import annotations

import dataclasses
import functools
from collections import OrderedDict, deque
from collections.abc import Callable
from typing import Any

import pytest

import vitrify as vt
from vitrify.base.errors import CaptureError

SAME: list[Callable[[Any], Any]] = []
REFUSED: list[tuple[Callable[[Any], Any], str]] = []


def same(fn: Callable[[Any], Any]) -> Callable[[Any], Any]:
    SAME.append(fn)
    return fn


def refused(line: str) -> Callable[[Callable[[Any], Any]], Callable[[Any], Any]]:
    """The function's error names this line."""

    def decorate(fn: Callable[[Any], Any]) -> Callable[[Any], Any]:
        REFUSED.append((fn, line))
        return fn

    return decorate


@dataclasses.dataclass
class State:
    h: Any
    c: Any


class Box:
    def __init__(self, v: Any) -> None:
        self.v = v
        self.name = v * 100 if isinstance(v, vt.Tensor) else None


def pick(t: Any, a: Any, b: Any) -> Any:
    if t:
        return a
    return b


def halved(c: Any, a: Any) -> Any:
    c.h = c.h / 2
    return a.h * 3


def shown(value: Any) -> Any:
    if isinstance(value, vt.Tensor):
        return value.numpy().tolist()
    if isinstance(value, (list, tuple, deque)):
        return [shown(x) for x in value]
    if isinstance(value, dict):
        return {k: shown(x) for k, x in value.items()}
    if isinstance(value, State):
        return shown([value.h, value.c])
    return value


def outcome(fn: Callable[..., Any], *args: Any) -> Any:
    """What a call gives, and what it leaves in its arguments."""
    try:
        return shown((fn(*args), args))
    except CaptureError:
        raise
    except Exception as error:
        return type(error)


@same
def if_exp_append(x: Any) -> Any:
    t = x.sum() > 0
    xs, ys = [x], [x + 1]
    zs = xs if t else ys
    zs.append(x * 2)
    return len(xs), len(ys), zs[0]


@same
def if_stmt_item(x: Any) -> Any:
    xs, ys = [x, x], [x + 1, x]
    if x.sum() > 0:
        zs = xs
    else:
        zs = ys
    zs[0] = x * 5
    return xs[0], ys[0], zs[0]


@same
def equal_lists(x: Any) -> Any:
    xs, ys = [], []
    zs = xs if x.sum() > 0 else ys
    zs.append(x)
    return len(xs), len(ys)


@same
def dict_item(x: Any) -> Any:
    a, b = {"k": x}, {"k": x + 1}
    c = a if x.sum() > 0 else b
    c["k"] = x * 3
    return a["k"], b["k"], c["k"]


@same
def dataclass_attr(x: Any) -> Any:
    a, b = State(x, x), State(x + 1, x)
    c = a if x.sum() > 0 else b
    c.h = x * 3
    return a.h, b.h, c.h


@same
def nested(x: Any) -> Any:
    a, b = [[x], [x]], [[x + 1], [x]]
    c = a if x.sum() > 0 else b
    c[0].append(x * 3)
    return len(a[0]), len(b[0]), c[0]


@same
def nested_dict(x: Any) -> Any:
    a, b = {"p": {"q": x}}, {"p": {"q": x * 2}}
    c = a if x.sum() > 0 else b
    c["p"]["q"] = x * 9
    return a, b


@same
def write_source(x: Any) -> Any:
    a, b = [x], [x + 1]
    c = a if x.sum() > 0 else b
    a[0] = x * 7
    return c[0] + 1


@same
def clear(x: Any) -> Any:
    a, b = [x], [x + 1]
    c = a if x.sum() > 0 else b
    c.clear()
    return len(a), len(b)


@same
def dele(x: Any) -> Any:
    a, b = [x, x], [x + 1, x]
    c = a if x.sum() > 0 else b
    del c[0]
    return len(a), len(b), c[0]


@same
def inplace_aug(x: Any) -> Any:
    a, b = [x, x], [x + 1, x]
    c = a if x.sum() > 0 else b
    c += [x]
    return len(a), len(b), c[0]


@same
def reads_only(x: Any) -> Any:
    a, b = [x, x], [x + 1, x]
    c = a if x.sum() > 0 else b
    return c[0] + a[0] + b[1]


@same
def early_return(x: Any) -> Any:
    a, b = [x, x], [x + 1, x]
    c = pick(x.sum() > 0, a, b)
    c[1] = x * 5
    return a[1], b[1]


@same
def and_or(x: Any) -> Any:
    a, b = [x], [x + 1]
    c = (x.sum() > 0 and a) or b
    c.append(x)
    return len(a), len(b)


@refused("zs[0] = zs[0] + 1")
def while_alias(x: Any) -> Any:
    xs, zs = [x, x], [x + 1, x]
    i = x.sum() * 0
    while i < 3:
        zs[0] = zs[0] + 1
        zs = xs
        i = i + 1
    return xs[0], zs[0]


@refused("zs.append(x)")
def while_append(x: Any) -> Any:
    xs, zs = [x], [x + 1]
    i = x.sum() * 0
    while i < 3:
        zs.append(x)
        zs = xs
        i = i + 1
    return len(xs), len(zs)


@refused("zs.append(x)")
def while_after(x: Any) -> Any:
    xs, zs = [x], [x + 1]
    i = x.sum() * 0
    while i < 3:
        zs = xs
        i = i + 1
    zs.append(x)
    return len(xs), len(zs)


@refused("zs.append(x)")
def while_none(x: Any) -> Any:
    xs, zs = [x], None
    i = x.sum() * 0
    while i < 3:
        zs = xs
        i = i + 1
    zs.append(x)
    return len(xs)


@refused("zs[0] = zs[0] + 1")
def while_none_in(x: Any) -> Any:
    xs, zs = [x, x], None
    i = x.sum() * 0
    while i < 3:
        if zs is not None:
            zs[0] = zs[0] + 1
        zs = xs
        i = i + 1
    return xs[0]


@refused("a[0] = a[0] + b[0]")
def while_two_names(x: Any) -> Any:
    a = b = [x]
    i = x.sum() * 0
    while i < 3:
        a[0] = a[0] + b[0]
        a = b = [a[0] * 2]
        i = i + 1
    a[0] = x
    return b[0]


@refused('d["k"] = d["k"] * 2')
def while_dict(x: Any) -> Any:
    a, d = {"k": x}, {"k": x + 1}
    i = x.sum() * 0
    while i < 3:
        d["k"] = d["k"] * 2
        d = a
        i = i + 1
    return a["k"], d["k"]


@refused("d.h = d.h * 2")
def while_data(x: Any) -> Any:
    a, d = State(x, x), State(x + 1, x)
    i = x.sum() * 0
    while i < 3:
        d.h = d.h * 2
        d = a
        i = i + 1
    return a.h, d.h


@same
def while_rebuilt_exclusive(x: Any) -> Any:
    st = {"h": x}
    i = x.sum() * 0
    while i < 3:
        st["h"] = st["h"] * 2
        st = {"h": st["h"] + 1}
        i = i + 1
    st["h"] = st["h"] * 3
    return st["h"]


@same
def while_if(x: Any) -> Any:
    a, b, z = [x], [x + 1], [x + 2]
    i = x.sum() * 0
    while i < 3:
        z = a if i > 1 else b
        z[0] = z[0] + 1
        i = i + 1
    return a[0], b[0], z[0]


@same
def for_python(x: Any) -> Any:
    a, b = [x], [x + 1]
    for _ in range(4):
        b[0] = b[0] + 1
        b = a
    return a[0], b[0]


@same
def for_rows(x: Any) -> Any:
    a, b = [x], [x + 1]
    for r in x:
        b[0] = b[0] + r
        b = a
    return a[0], b[0]


@same
def if_one_side(x: Any) -> Any:
    a = [x]
    b = a
    if x.sum() > 0:
        a = [x + 1]
    a.append(x)
    return len(b), len(a)


@same
def if_one_side_exclusive(x: Any) -> Any:
    a = [x]
    if x.sum() > 0:
        a = [x + 1]
    a.append(x)
    return len(a), a[0]


@same
def same_two_names(x: Any) -> Any:
    if x.sum() > 0:
        a = [x + 1]
        b = a
    else:
        a = [x]
        b = [x * 3]
    a.append(x)
    return len(b)


@same
def maybe_two_names(x: Any) -> Any:
    t = x.sum() > 0
    if t:
        a = [x + 1]
        b = a
    n = 0
    if t:
        a[0] = x * 5
        n = b[0]
    return n


@same
def match_stmt(x: Any) -> Any:
    a, b = [x], [x + 1]
    match x.sum() > 0:
        case True:
            c = a
        case _:
            c = b
    c.append(x)
    return len(a), len(b)


@same
def gradient(x: Any) -> Any:
    x = x.detach()
    x.stop_gradient = False
    a, b = [x * 2], [x * 3]
    c = a if x.sum() > 0 else b
    c[0] = c[0] * c[0]
    (a[0] + b[0]).sum().backward()
    return x.grad


@same
def comp(x: Any) -> Any:
    a, b = [x], [x + 1]
    rows = [(a if r > 0 else b) for r in x]
    rows[0].append(x)
    return len(a), len(b)


@same
def identity(x: Any) -> Any:
    a, b = [x], [x + 1]
    c = a if x.sum() > 0 else b
    return x * 2 if c is a else x * 3


@same
def in_container(x: Any) -> Any:
    d = {}
    a, b = [x], [x + 1]
    if x.sum() > 0:
        d["k"] = a
    else:
        d["k"] = b
    d["k"].append(x)
    return len(a), len(b)


@same
def held_by_object(x: Any) -> Any:
    a, b = [x], [x + 1]

    o = Box(a)
    if x.sum() > 0:
        c = a
    else:
        c = b
    del a, b
    c.append(x)
    return len(o.v)


@same
def arg_list(x: Any) -> Any:
    def f(a, b, t):
        c = a if t else b
        c.append(x)
        return c[0]

    a, b = [x], [x + 1]
    y = f(a, b, x.sum() > 0)
    return y, len(a), len(b)


@refused('d["k"] = d["k"] * 2')
def raw_then_call(x: Any) -> Any:
    a, d = {"k": x}, {"k": x + 1}
    i = x.sum() * 0
    while i < 3:
        d["k"] = d["k"] * 2
        x = x + 1
        d = a
        i = i + 1
    return a["k"], d["k"]


@refused("d += [x]")
def aug_loop(x: Any) -> Any:
    a, d = [x, x], [x + 1, x]
    i = x.sum() * 0
    while i < 3:
        d = a
        i = i + 1
    d += [x]
    return len(a), len(d)


@same
def both_read(x: Any) -> Any:
    a, d = [x], [x + 1]
    i = x.sum() * 0
    while i < 3:
        d = a
        i = i + 1
    return a[0] + d[0]


@same
def swap(x: Any) -> Any:
    a, b = [x], [x + 1]
    i = x.sum() * 0
    while i < 3:
        a, b = b, a
        i = i + 1
    return a[0], b[0]


@refused("a[0] = a[0] + 1")
def swap_write(x: Any) -> Any:
    a, b = [x], [x + 1]
    i = x.sum() * 0
    while i < 3:
        a[0] = a[0] + 1
        a, b = b, a
        i = i + 1
    return a[0], b[0]


@same
def exclusive_loop(x: Any) -> Any:
    st = [x, x]
    i = x.sum() * 0
    while i < 3:
        st[1] = st[0] * 2
        st = [st[1] + 1, x]
        i = i + 1
    st[0] = st[0] * 3
    return st


@same
def write_before_join(x: Any) -> Any:
    a, b = [x], [x + 1]
    a[0] = x * 5
    if x.sum() > 0:
        c = a
    else:
        c = b
    return c[0]


@same
def branch_writes(x: Any) -> Any:
    a, b = [x], [x + 1]
    if x.sum() > 0:
        a.append(x)
        c = a
    else:
        b[0] = x * 9
        c = b
    return len(a), b[0], c[0]


@same
def nested_if(x: Any) -> Any:
    a, b, d = [x], [x + 1], [x * 3]
    if x[0] > 0:
        c = a if x.sum() > 4 else b
    else:
        c = d
    c.append(x)
    return len(a), len(b), len(d)


@same
def write_in_branch(x: Any) -> Any:
    a, b = [x], [x + 1]
    c = a if x[0] > 0 else b
    if x.sum() > 4:
        c[0] = x * 10
    return a[0], b[0], c[0]


@same
def loop_writes_joined(x: Any) -> Any:
    a, b = [x], [x + 1]
    c = a if x[0] > 0 else b
    i = x.sum() * 0
    while i < 3:
        c[0] = c[0] * 2
        i = i + 1
    return a[0], b[0], c[0]


@same
def plain_object(x: Any) -> Any:
    a, b = Box(x), Box(x + 1)
    c = a if x[0] > 0 else b
    c.v = x * 3
    return a.v, b.v


@same
def object_with_list(x: Any) -> Any:
    a, b = Box([x]), Box([x + 1])
    c = a.v if x[0] > 0 else b.v
    c[0] = x * 3
    return a.v[0], b.v[0]


@same
def object_attr(x: Any) -> Any:
    o = Box([x])
    keep = o.v
    if x[0] > 0:
        o.v = [x + 1]
    o.v[0] = x * 7
    return keep[0], o.v[0]


@same
def closure(x: Any) -> Any:
    a, b = [x], [x + 1]

    def add(v):
        c.append(v)

    c = a if x[0] > 0 else b
    add(x)
    return len(a), len(b), len(c)


@same
def nonlocal_closure(x: Any) -> Any:
    a, b = [x], [x + 1]
    c = b

    def choose():
        nonlocal c
        if x[0] > 0:
            c = a

    choose()
    c.append(x)
    return len(a), len(b)


@same
def grow_two(x: Any) -> Any:
    c = d = [x]
    if x[0] > 0:
        c = [x + 1]
        d = c
    c.append(x)
    return len(d), d[0]


@same
def stack_temp(x: Any) -> Any:
    a, b = [x], [x + 1]

    def f(p, q):
        return p[0]

    return f(a if x[0] > 0 else b, a.__setitem__(0, x * 5))


@same
def while_best(x: Any) -> Any:
    best, cur = [x], [x]
    i = x.sum() * 0
    while i < 4:
        cur = [cur[0] * 1.5 - i]
        if cur[0].sum() > best[0].sum():
            best = cur
        i = i + 1
    return best[0], cur[0]


@same
def for_comp(x: Any) -> Any:
    rows = [[x] for _ in range(3)]
    k = rows[0]
    for r in rows:
        if r[0].sum() > 0:
            k = r
        k.append(x)
    return [len(r) for r in rows]


@refused("row[0] = x * 8")
def list_in_list_loop(x: Any) -> Any:
    rows = [[x], [x + 1]]
    row = rows[0]
    i = x.sum() * 0
    while i < 3:
        row = rows[1]
        i = i + 1
    row[0] = x * 8
    return rows


@same
def sort_alias(x: Any) -> Any:
    a, b = [2.0, 1.0], [4.0, 3.0]
    c = a if x[0] > 0 else b
    c.sort()
    return a, b


@same
def dict_update(x: Any) -> Any:
    a, b = {"p": x}, {"p": x + 1}
    c = a if x[0] > 0 else b
    c.update(p=x * 4)
    return a, b


@same
def dict_new_key(x: Any) -> Any:
    a, b = {"p": x}, {"p": x + 1}
    c = a if x[0] > 0 else b
    c["q"] = x * 4
    return a, b


@same
def try_(x: Any) -> Any:
    a, b = [x], [x + 1]
    try:
        c = a if x[0] > 0 else b
        c.append(x)
    finally:
        b.append(x)
    return len(a), len(b), len(c)


@refused("return x * 2 if c is a else x * 3")
def identity2(x: Any) -> Any:
    a, b = [x], [x + 1]
    c = b
    i = x.sum() * 0
    while i < 3:
        c = a
        i = i + 1
    return x * 2 if c is a else x * 3


@same
def tuple_of(x: Any) -> Any:
    a, b = [x], [x + 1]
    p, q = (a, b) if x[0] > 0 else (b, a)
    p[0] = x * 3
    return a[0], b[0], q[0]


@same
def many(x: Any) -> Any:
    a, b = [x], [x + 1]
    for k in range(8):
        c = a if x[0] > k else b
        c[0] = c[0] + 1
    return a[0], b[0]


@same
def returned_pair(x: Any) -> Any:
    a, b = [x], [x + 1]
    c = a if x[0] > 0 else b
    return (c, a, b)


@same
def loops_grow(x: Any) -> Any:
    best = None
    hist = []
    i = x.sum() * 0
    while i < 3:
        row = [x * i]
        if best is None or row[0].sum() > best[0].sum():
            best = row
        hist.append(row[0])
        i = i + 1
    return best[0]


@same
def dyn_rows(x: Any) -> Any:
    acc = {"s": x[0]}
    for r in x:
        acc = {"s": acc["s"] + r}
        acc["t"] = r
    acc["s"] = acc["s"] * 2
    return acc["s"]


@same
def state_machine(x: Any) -> Any:
    st = State(x, x)
    i = x.sum() * 0
    while i < 3:
        st.h = st.h + 1
        if st.h.sum() > 4:
            st = State(st.h * 0, st.c + 1)
        i = i + 1
    st.c = st.c * 2
    return st.h, st.c


@same
def list_of_states(x: Any) -> Any:
    xs = [State(x, x), State(x + 1, x)]
    s = xs[0]
    for _ in range(3):
        if s.h.sum() > 3:
            s = xs[1]
        else:
            s = xs[0]
        s.h = s.h - 1
    return [p.h for p in xs]


@same
def default_arg(x: Any) -> Any:
    a = [x]

    def put(v, into=a):
        into.append(v)

    c = a if x[0] > 0 else [x + 1]
    put(x)
    return len(a), len(c)


@same
def kept_in_tuple(x: Any) -> Any:
    a, b = [x], [x + 1]
    pair = (a, b)
    c = pair[0] if x[0] > 0 else pair[1]
    del a, b
    c[0] = x * 6
    return pair[0][0], pair[1][0]


@same
def setdefault(x: Any) -> Any:
    d = {}
    k = [x]
    if x[0] > 0:
        d["p"] = k
    d.setdefault("p", [x + 1]).append(x)
    return len(k), len(d["p"])


@same
def chained(x: Any) -> Any:
    a, b = [x], [x + 1]
    c = a if x[0] > 0 else b
    d = c if x[1] > 3 else a
    d.append(x)
    return len(a), len(b), len(c), len(d)


@same
def partial_(x: Any) -> Any:

    a, b = [x], [x + 1]
    add = functools.partial(list.append, a)
    c = a if x[0] > 0 else b
    add(x)
    return len(c)


@same
def for_range_tensor(x: Any) -> Any:
    a, b = [x, x], [x + 1, x]
    n = (x[1] * 3).astype("int64")
    for _ in range(n):
        b = a
    return b[0], a[1]


@same
def gen_alias(x: Any) -> Any:
    a, b = [x], [x + 1]

    def gen() -> Any:
        for r in (a, b):
            yield r[:]

    c = a if x[0] > 0 else b
    c.append(x)
    return [len(r) for r in gen()]


@same
def lambda_alias(x: Any) -> Any:
    a, b = [x], [x + 1]
    f = lambda: a[0]  # noqa: E731
    if x[0] > 0:
        c = a
    else:
        c = b
    c[0] = x * 4
    return f()


@same
def slices(x: Any) -> Any:
    a, b = [x, x], [x + 1, x]
    c = a if x[0] > 0 else b
    c[:1] = [x * 8, x]
    return len(a), len(b), c[0]


@same
def del_slice(x: Any) -> Any:
    a, b = {"p": x, "q": x}, {"p": x + 1, "q": x}
    c = a if x[0] > 0 else b
    del c["p"]
    return sorted(a), sorted(b)


@same
def grads_through(x: Any) -> Any:
    x = x.detach()
    x.stop_gradient = False
    a, b = State(x * 2, x), State(x * 3, x)
    c = a if x[0] > 0 else b
    c.h = c.h * c.c
    (a.h + b.h).sum().backward()
    return x.grad


@same
def inner_branch_rebinds(x: Any) -> Any:
    a, b = [x], [x + 1]
    c = a if x[0] > 0 else b
    if x[1] > 0:
        a = [x * 9]
        c.append(x)
    return len(a), len(b), len(c)


@same
def name_attr(x: Any) -> Any:
    a, b = Box(x), Box(x + 1)
    c = a if x[0] > 0 else b
    return c.name


@same
def name_set(x: Any) -> Any:
    a, b = Box(x), Box(x + 1)
    c = a if x[0] > 0 else b
    c.name = x
    del c.v
    return a.name, hasattr(a, "v"), hasattr(b, "v")


@same
def callee(x: Any) -> Any:
    a, b = State(x, x), State(x + 1, x)
    c = a if x.sum() > 0 else b
    return halved(c, a)


@same
def deques(x: Any) -> Any:
    a, b = deque([x]), deque([x + 1])
    c = a if x[0] > 0 else b
    c.append(x)
    return len(a), len(b)


@pytest.mark.parametrize("fn", SAME, ids=lambda fn: fn.__name__)
def test_compiled_is_eager(fn: Callable[[Any], Any]) -> None:
    compiled = vt.jit.to_static(fn)
    for first in (2.0, -2.0, 3.5):
        x = vt.to_tensor([first, 1.0])
        assert outcome(compiled, x) == outcome(fn, x), first


@pytest.mark.parametrize(("fn", "line"), REFUSED, ids=lambda x: getattr(x, "__name__", ""))
def test_a_loop_refuses_by_the_line_that_writes(fn: Callable[[Any], Any], line: str) -> None:
    with pytest.raises(CaptureError) as caught:
        vt.jit.to_static(fn)(vt.to_tensor([2.0, 1.0]))
    assert caught.value.loc.text() == line
    assert "in some iterations of a loop and" in str(caught.value)
    assert "copy it where the variable is bound" in str(caught.value)


def test_the_error_names_both_and_the_remedy() -> None:
    with pytest.raises(CaptureError) as caught:
        vt.jit.to_static(while_dict)(vt.to_tensor([2.0, 1.0]))
    assert "`d` is `a` in some iterations of a loop and another dict in others, and this writes to one of these" in str(
        caught.value
    )
    assert "`d = dict(a)`" in str(caught.value)


def test_a_copy_is_taken() -> None:
    def fn(x: Any) -> Any:
        a, d = {"k": x}, {"k": x + 1}
        i = x.sum() * 0
        while i < 3:
            d["k"] = d["k"] * 2
            d = dict(a)
            i = i + 1
        return a["k"], d["k"]

    x = vt.to_tensor([2.0, 1.0])
    assert outcome(vt.jit.to_static(fn), x) == outcome(fn, x)


# ---- of the caller


def an_if(x: Any, a: Any, b: Any) -> Any:
    c = a if x[0] > 0 else b
    c.append(x)
    return c[0]


def a_read_after_a_loop(x: Any, a: Any, b: Any) -> Any:
    c = b
    i = x.sum() * 0
    while i < 3:
        c = a
        i = i + 1
    return c[0]


def an_if_in_a_loop(x: Any, a: Any, b: Any) -> Any:
    i = x.sum() * 0
    while i < 3:
        c = a if i > 1 else b
        c[0] = c[0] + 1
        i = i + 1
    return x


def a_swap(x: Any, a: Any, b: Any) -> Any:
    if x[0] > 0:
        a, b = b, a
    a.append(x)
    a.append(x)
    b.append(x)
    return len(a)


def a_write_after_a_loop(x: Any, a: Any, b: Any) -> Any:
    c = b
    i = x.sum() * 0
    while i < 3:
        c = a
        i = i + 1
    c.append(x)
    return c[0]


@pytest.mark.parametrize("fn", [an_if, a_read_after_a_loop, an_if_in_a_loop, a_swap, a_write_after_a_loop])
def test_arguments(fn: Callable[..., Any]) -> None:
    compiled = vt.jit.to_static(fn)
    for first in (2.0, -2.0):
        x = vt.to_tensor([first, 1.0])
        assert outcome(compiled, x, [x], [x + 1]) == outcome(fn, x, [x], [x + 1])


class Net(vt.nn.Layer):
    def __init__(self) -> None:
        super().__init__()
        self.log: list[Any] = []
        self.tables: list[list[Any]] = [[], []]

    def forward(self, x: Any) -> Any:
        table = self.tables[0] if x[0] > 0 else self.tables[1]
        table.append(x * 2)
        kept = [x]
        if x[1] > 0:
            self.log = kept
        else:
            self.log = [x + 1]
        kept.append(x * 9)
        return x


def test_attributes_of_self() -> None:
    plain, other = Net(), Net()
    compiled = vt.jit.to_static(other)
    for values in ([2.0, 1.0], [-2.0, 1.0], [1.0, -1.0]):
        x = vt.to_tensor(values)
        plain(x)
        compiled(x)
        assert shown([other.log, other.tables]) == shown([plain.log, plain.tables])


def test_reading_parts_no_paths() -> None:
    def fn(x: Any) -> Any:
        a, b = [x, x], [x + 1, x]
        c = a if x[0] > 0 else b
        return vt.exp(c[0] + a[0] + b[1])

    compiled = vt.jit.to_static(fn)
    compiled(vt.to_tensor([2.0, 1.0]))
    assert str(compiled.program_cache[0].trace.program).count(" exp ") == 1


@dataclasses.dataclass
class Output(OrderedDict):
    """As model packages write results: a field is an item too, and items aren't changed from outside."""

    first: Any
    second: Any = None

    def __post_init__(self):
        for field in dataclasses.fields(self):
            if getattr(self, field.name) is not None:
                OrderedDict.__setitem__(self, field.name, getattr(self, field.name))

    def update(self, *args, **kwargs):
        raise RuntimeError("refused")

    def __setitem__(self, key, value):
        raise RuntimeError("refused")


def test_a_mapping_whose_own_methods_refuse_changes_is_a_result():
    @vt.jit.to_static
    def f(x):
        made = Output(x * 2)
        made.note, made.extra = "kept", x + 1
        return made

    y = f(vt.ones([2]))
    assert type(y) is Output
    assert list(y) == ["first"]
    assert y.first is y["first"]
    assert (y.first.tolist(), y.extra.tolist(), y.note, y.second) == ([2.0, 2.0], [2.0, 2.0], "kept", None)
