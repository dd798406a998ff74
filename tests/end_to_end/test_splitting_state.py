"""Paths that end with values of different kinds: objects, helpers, closures, nested `try`, what Python does with them."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import vitrify as vt

CALLS = [
    (np.array(pair, np.float32),)
    for pair in ([1.0, 2.0], [-1.0, -2.0], [3.0, 0.5], [-5.0, 2.0], [0.5, 1.2], [0.2, 0.3])
]


@dataclasses.dataclass
class Parts:
    a: object
    b: object = None


def dc(x):
    return Parts(x) if x.sum() > 0 else Parts(x, x)


def dc2(x):
    d = Parts(x)
    if x.sum() > 0:
        d.b = x * 2
    return d.a if d.b is None else d.a + d.b


class Model:
    def helper(self, x):
        if x.sum() > 0:
            return None, x
        return x

    def run(self, x):
        r = self.helper(x)
        if isinstance(r, tuple):
            return r[1] * 2
        return r


MODEL = Model()


def method(x):
    return MODEL.run(x)


def nested_try(x):
    try:
        try:
            if x.sum() > 0:
                if x[0] > 1:
                    raise KeyError("k")
                raise ValueError("v")
            r = x
        except KeyError:
            r = x * 2
    except ValueError as e:
        r = x * len(str(e))
    return r


def reraise(x):
    try:
        if x.sum() > 0:
            raise KeyError("k")
        return x
    except KeyError:
        raise ValueError("other") from None


def fin(x):
    log = []
    try:
        if x.sum() > 0:
            raise KeyError("k")
        log.append(1)
    except KeyError:
        log.append(2)
    finally:
        log.append(3)
    return log, x


def idx(x):
    xs = [x]
    if x.sum() > 0:
        return xs[3]
    return xs[0]


def typeerr(x):
    y = None
    if x.sum() > 0:
        return y + 1
    return x


def attrerr(x):
    y = None
    if x.sum() > 0:
        return y.foo
    return x


def caughtkey(x):
    d = {}
    if x.sum() > 0:
        d["a"] = x
    try:
        return d["a"]
    except KeyError:
        return x - 1


def loop_ret_try(x):
    i = x.sum() * 0
    while i < 3:
        try:
            if x.sum() > i:
                raise ValueError("x")
            i = i + 1
        except ValueError:
            return x, i
    return None


def fort_try(x):
    n = x.sum().abs().astype("int64")
    t = x * 0
    try:
        for i in range(n):
            t = t + 1
            if x.sum() > i + 2:
                raise ValueError("x")
    except ValueError:
        t = t + 100
    return t


def comp(x):
    ys = [t if t > 0 else None for t in x]
    return [y for y in ys if y is not None]


def walrus(x):
    if (y := (x if x.sum() > 0 else None)) is not None:
        return y * 2
    return x


def tern2(x):
    return (x, 1) if x.sum() > 0 else (x, "a") if x[0] < -2 else None


def elifs(x):
    if x.sum() > 3:
        r = "big"
    elif x.sum() > 0:
        r = 1
    elif x.sum() > -2:
        r = None
    else:
        r = x
    return r


def clos(x):
    out = None

    def set_(v):
        nonlocal out
        out = v

    if x.sum() > 0:
        set_(x * 2)
    return x if out is None else out


SHARED = None


def glob(x):
    global SHARED
    SHARED = None
    if x.sum() > 0:
        SHARED = x * 2
    r = SHARED
    SHARED = None
    return r


def deleted(x):
    y = x
    if x.sum() > 0:
        del y
        return x
    return y + 1


def aug(x):
    acc = None
    for i in range(3):
        if x[0] > i:
            acc = x if acc is None else acc + x * i
    return acc


def nestwhile(x):
    i = x.sum() * 0
    out = None
    while i < 2:
        j = x.sum() * 0
        while j < 2:
            if x[0] + j > 1.2:
                out = ("hit", x * j)
                break
            j = j + 1
        if out is not None:
            break
        i = i + 1
    return out


def opt_arg(x):
    def h(a, b=None):
        return a if b is None else a + b

    b = x if x.sum() > 0 else None
    return h(x, b)


def kw(x):
    k = {"axis": 0} if x.sum() > 0 else {}
    return vt.sum(x, **k) * 2


def unpack(x):
    p = (x, x * 2) if x.sum() > 0 else (x, x, x)
    a, *r = p
    return a, r


def ret_in_with(x):
    with vt.no_grad():
        if x.sum() > 0:
            return None
    return x


def andnone(x):
    y = None
    if x.sum() > 0:
        y = x
    return y is not None and y.sum() > 2


def cmpstr(x):
    s = {"m": "up"} if x.sum() > 0 else {"m": "down"}
    return x * (2 if s["m"] == "up" else 3)


def sw(x):
    a, b = x, None
    i = x.sum() * 0
    while i < 3:
        a, b = b, a
        if x[0] > i:
            break
        i = i + 1
    return a, b


def inpl(x):
    y = x * 1
    z = None
    if x.sum() > 0:
        y[0] = 5.0
        z = y
    return y, z


def bare(x):
    y = None
    if x.sum() > 0:
        y = x * 2
    try:
        r = x if y is None else y
    except:  # noqa: E722 (what swallows every exception)
        r = x * 100
    return r


class Swallows:
    def __enter__(self):
        return self

    def __exit__(self, *details):
        return True


def eaten(x):
    y = None
    if x.sum() > 0:
        y = x * 2
    r = x * 50
    with Swallows():
        r = x if y is None else y
    return r + 1


def addl(x):
    y = x[:1] if x.sum() > 0 else 2
    return x * y + x


def setit(x):
    y = x[0] if x.sum() > 0 else 2
    s = x[:1] if x.sum() > 0 else x[1:]
    z = x * 1
    z[0] = y
    return z + s


def stk(x):
    y = x if x.sum() > 0 else [x, x]
    q = [x, y] if isinstance(y, vt.Tensor) else [x, *y]
    return vt.stack(q)


def attrput(x):
    b = Parts(None)
    b.a = x if x.sum() > 0 else None
    return b


def instr(x):
    s = "abc" if x.sum() > 0 else "xyz"
    return x if "a" in s else x * 2


def keyp(x):
    k = "a" if x.sum() > 0 else "b"
    return {"a": x, "b": x * 3}[k], {k: x}


def fmt(x):
    k = "a" if x.sum() > 0 else None
    return f"{k}!", str(k), x


CASES = [
    dc,
    dc2,
    method,
    nested_try,
    reraise,
    fin,
    idx,
    typeerr,
    attrerr,
    caughtkey,
    loop_ret_try,
    fort_try,
    comp,
    walrus,
    tern2,
    elifs,
    clos,
    glob,
    deleted,
    aug,
    nestwhile,
    opt_arg,
    kw,
    unpack,
    ret_in_with,
    andnone,
    cmpstr,
    sw,
    inpl,
    bare,
    eaten,
    addl,
    setit,
    stk,
    attrput,
    instr,
    keyp,
    fmt,
]


@pytest.mark.parametrize("fn", CASES, ids=[f.__name__ for f in CASES])
def test_compiled_equals_eager(fn: Any, agree: Callable[..., None]) -> None:
    agree(lambda: fn, CALLS, True, True, 1)
