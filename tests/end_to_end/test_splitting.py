"""Paths that end with values of different kinds: what follows is one program all the same."""

from __future__ import annotations

import contextlib
from collections import namedtuple
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import vitrify as vt

CALLS = [
    (np.array(pair, np.float32),)
    for pair in ([1.0, 2.0], [-1.0, -2.0], [3.0, 0.5], [-5.0, 2.0], [0.5, 1.2], [0.2, 0.3])
]
Pair = namedtuple("Pair", "a b")


def none_or(x):
    return x if x.sum() > 0 else None


def early(x):
    if x.sum() > 0:
        if x[0] > 1:
            return None
        return x
    return x * 2, x


def arity(x):
    if x.sum() > 0:
        return x, x + 1
    return x, x + 1, x + 2


def use_none(x):
    y = None
    if x.sum() > 0:
        y = x * 2
    if y is None:
        return x - 1
    return y + 1


def dtype(x):
    if x.sum() > 0:
        y = x
    else:
        y = x.astype("int64")
    return y + 1


def shape(x):
    y = x[:1] if x.sum() > 0 else x
    return (y * x).sum() * y.shape[0]


def dictkeys(x):
    d = {"a": x}
    if x.sum() > 0:
        d["b"] = x * 2
    if "b" in d:
        return d["b"] + d["a"]
    return d


def lists(x):
    xs = [x]
    if x.sum() > 0:
        xs.append(x * 2)
    s = x * 0
    for t in xs:
        s = s + t
    return s, len(xs)


def strs(x):
    mode = "up" if x.sum() > 0 else "down"
    if mode == "up":
        return x + 1
    return x - 1


def funcs(x):
    f = vt.exp if x.sum() > 0 else (lambda t: t * 3)
    return f(x)


def nt(x):
    if x.sum() > 0:
        r = Pair(x, None)
    else:
        r = (x,)
    return r


def catch(x):
    try:
        if x.sum() > 0:
            raise ValueError("pos")
        y = x + 1
    except ValueError:
        y = x * 10
    return y


def helper(x):
    if x.sum() > 0:
        raise KeyError("k")
    return x + 1


def catch2(x):
    try:
        y = helper(x)
    except KeyError:
        y = x * 10
    else:
        y = y * 3
    finally:
        z = x
    return y + z


def pyerr(x):
    d = {}
    if x.sum() > 0:
        y = d["missing"]
    else:
        y = x
    return y


def pyerr2(x):
    n = 0
    if x.sum() > 0:
        y = x * (1 // n)
    else:
        y = x
    return y


def bothraise(x):
    if x.sum() > 0:
        raise ValueError("a")
    else:
        raise KeyError("b")


def asserted(x):
    try:
        assert x.sum() > 0, "no"
        return x
    except AssertionError:
        return None


def loopsplit(x):
    t = x * 0
    for i in range(3):
        y = None
        if x.sum() > i:
            y = x * i
        if y is not None:
            t = t + y
        else:
            t = t - 1
    return t


def whilesplit(x):
    i = x.sum() * 0
    t = x * 0
    while i < 3:
        y = None
        if x.sum() > i:
            y = x * i
        if y is not None:
            t = t + y
        else:
            t = t - 1
        i = i + 1
    return t


def matchf(x):
    if x.sum() > 0:
        v = (x, 1)
    else:
        v = {"k": x}
    match v:
        case (a, b):
            return a + b
        case {"k": c}:
            return c * 2


def onepath(x):
    if x.sum() > 0:
        q = (x, "s")
    if x.sum() > 0:
        return q[0]
    return x - 5


def unused(x):
    if x.sum() > 0:
        q = None
    else:
        q = x
    del q
    return x + 1


def suppress(x):
    y = x
    with contextlib.suppress(ValueError):
        if x.sum() > 0:
            raise ValueError("x")
        y = x + 100
    return y


def addp(x):
    y = x[:1] if x.sum() > 0 else [x, x]
    return x + y if isinstance(y, vt.Tensor) else y[0] + x


def andor(x):
    y = None
    if x.sum() > 0 and x[0] > 1:
        y = x
    return y if y is not None else x * 7


def deep(x):
    a = b = c = None
    if x.sum() > 0:
        a = x
    if x[0] > 1:
        b = x * 2
    if x[1] > 1:
        c = x * 3
    return a, b, c


def retloop(x):
    for i in range(4):
        if x.sum() > i:
            return None if x[0] > 1 else (x, i)
    return x


CASES = [
    none_or,
    early,
    arity,
    use_none,
    dtype,
    shape,
    dictkeys,
    lists,
    strs,
    funcs,
    nt,
    catch,
    catch2,
    pyerr,
    pyerr2,
    bothraise,
    asserted,
    loopsplit,
    whilesplit,
    matchf,
    onepath,
    unused,
    suppress,
    addp,
    andor,
    deep,
    retloop,
]


# ---- with an argument that decides

UP = np.array([1.0, 2.0, 3.0], np.float32)


def appends_on_one_path(x, n):
    out = [x]
    if n > 3:
        out.append(x * 2)
    return out[-1]


def key_on_one_path(x, n):
    table = {"a": x}
    if n > 3:
        table["b"] = x
    return table


def shapes_differ(x, n):
    if n > 3:
        y = x
    else:
        y = x[:2]
    return y


def dtypes_differ(x, n):
    y = x
    if n > 3:
        y = x.astype("int64")
    return y * 2


def tensor_or_none(x, n):
    y = None
    if n > 3:
        y = x
    return y


def one_text_or_another(x, n):
    if n > 3:
        name = "a"
    else:
        name = "b"
    return {name: x}


def none_or_tensor_asked(x, n):
    if n > 3:
        y = x
    else:
        y = None
    if y is None:
        return x * 3
    return x * 2


def class_asked(x, n):
    if n > 3:
        y = x
    else:
        y = None
    return x * 3 if isinstance(y, vt.Tensor) else x


def text_compared(x, n):
    if n > 3:
        name = "a"
    else:
        name = "b"
    return x if name == "a" else x * 2


def other_arity(x, n):
    if n > 3:
        return x, x
    return x


def caught_here(x, n):
    try:
        if n > 3:
            raise ValueError("large")
    except ValueError:
        return x
    return x * 2


def written_as_one_of_two(x, n):
    a, b = x * 1, x * 2
    y = a if n > 3 else b
    y.add_(x)
    return a, b


def written_argument_or_new(x, n):
    y = x
    if n > 3:
        y = x * 2
    y.add_(vt.ones([3]))
    return y


def grows_in_a_loop(x, n):
    h = x
    for _ in range(n):
        h = vt.concat([h, x])
    return h


DECIDED = [
    grows_in_a_loop,
    appends_on_one_path,
    key_on_one_path,
    shapes_differ,
    dtypes_differ,
    tensor_or_none,
    one_text_or_another,
    none_or_tensor_asked,
    class_asked,
    text_compared,
    other_arity,
    caught_here,
    written_as_one_of_two,
]


@pytest.mark.parametrize("fn", CASES, ids=[f.__name__ for f in CASES])
def test_compiled_equals_eager(fn: Any, agree: Callable[..., None]) -> None:
    agree(lambda: fn, CALLS, True, True, 1)


@pytest.mark.parametrize("fn", DECIDED, ids=[f.__name__ for f in DECIDED])
def test_by_an_argument(fn: Any, agree: Callable[..., None]) -> None:
    agree(lambda: fn, [(UP, np.array(2)), (UP, np.array(5))], True, True, 1)


def test_an_argument_written_on_one_path(agree: Callable[..., None]) -> None:
    agree(lambda: written_argument_or_new, [(UP, np.array(2)), (UP, np.array(5))], False)
