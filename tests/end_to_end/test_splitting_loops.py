"""Loops of the program whose variables change their kind, and exceptions raised in them and caught around."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import vitrify as vt

CALLS = [
    (np.array(pair, np.float32),)
    for pair in ([1.0, 2.0], [-1.0, -2.0], [3.0, 0.5], [-5.0, 2.0], [0.5, 1.2], [0.2, 0.3])
]


class Box:
    def __init__(self):
        self.v = None


def best_none(x):
    best = None
    i = x.sum() * 0
    while i < 4:
        if x.sum() > i:
            best = x * i
        i = i + 1
    if best is None:
        return x - 100
    return best


def best_first(x):
    h = None
    i = x.sum() * 0
    while i < x.sum():
        h = x if h is None else h + x * i
        i = i + 1
    return h


def best_attr(x):
    b = Box()
    i = x.sum() * 0
    while i < 3:
        if x[0] > i:
            b.v = x * i
        i = i + 1
    return b.v


def dict_gain(x):
    d = {"a": x}
    i = x.sum() * 0
    while i < x.sum():
        if "b" in d:
            d["b"] = d["b"] + x
        else:
            d["b"] = x * 2
        i = i + 1
    return d


def dtype_first(x):
    s = x.astype("int64")
    i = x.sum() * 0
    while i < x.sum():
        s = s + x
        i = i + 1
    return s


def ret_in_while(x):
    i = x.sum() * 0
    while i < 5:
        if x.sum() * i > 3:
            return x, i
        if x[0] * i > 2:
            return None
        i = i + 1
    return "never"


def for_tensor(x):
    prev = None
    t = x.sum() * 0
    for v in x:
        if prev is not None:
            t = t + prev * v
        prev = v
    return t


def for_range(x):
    best, arg = None, None
    for i in range(2):
        if x[i] > 0:
            if best is None or x[i] > best:
                best, arg = x[i], i
    return best, arg


def for_range_t(x):
    n = (x.sum().abs()).astype("int64")
    best, arg = None, -1
    for i in range(n):
        if best is None or x.sum() * i > best:
            best, arg = x.sum() * i, i
    return best, arg


def try_in_loop(x):
    t = x * 0
    i = x.sum() * 0
    while i < 3:
        try:
            if x.sum() > i:
                raise ValueError("a")
            t = t + 1
        except ValueError:
            t = t + 10
        i = i + 1
    return t


def try_around_loop(x):
    t = x * 0
    i = x.sum() * 0
    try:
        while i < 3:
            if x.sum() > i + 1:
                raise ValueError("a")
            t = t + 1
            i = i + 1
    except ValueError:
        t = t - 10
    return t


def try_around_for(x):
    t = x * 0
    try:
        for i in range(3):
            if x.sum() > i + 1:
                raise ValueError("a")
            t = t + 1
    except ValueError:
        t = t - 10
    return t


def three(x):
    s = None
    i = x.sum() * 0
    while i < 4:
        if s is None:
            s = (x,)
        elif isinstance(s, tuple):
            s = {"k": s[0] * 2}
        else:
            s = s["k"] + 1
            s = (s,)
        i = i + 1
        if x.sum() < i:
            i = i + 10
    return s


def inner_loop(x):
    best = None
    i = x.sum() * 0
    while i < 2:
        j = x.sum() * 0
        while j < 2:
            if x[0] > j:
                best = x * j if best is None else best + 1
            j = j + 1
        i = i + 1
    return best


def inplace(x):
    a = x * 1
    b = x * 2
    y = a if x.sum() > 0 else b
    y[0] = 7.0
    return a, b, y


def swapin(x):
    a = x * 1
    y = a if x.sum() > 0 else x
    return y + 1


def strfmt(x):
    s = "pos" if x.sum() > 0 else "neg"
    return f"is {s}", x


def listarg(x):
    out = [x]
    if x.sum() > 0:
        out.append(x * 2)
    return out


def lam(x):
    return (lambda t: t if t.sum() > 0 else (t, None))(x)


def num_or_str(x):
    return 1 if x.sum() > 0 else "one"


def number_or_vec(x):
    v = 1.5 if x.sum() > 0 else x
    return v * x


def wh_else(x):
    i = x.sum() * 0
    r = None
    while i < 3:
        if x[0] > i + 1:
            r = x
            break
        i = i + 1
    else:
        r = "none"
    return r


def ng(x):
    y = None
    if x.sum() > 0:
        with vt.no_grad():
            y = x * 3
    return y if y is None else y + x


def rec(x):
    def go(t, n):
        if n == 0:
            return None
        if t.sum() > 3:
            return t
        return go(t * 2, n - 1)

    return go(x, 3)


CASES = [
    best_none,
    best_first,
    best_attr,
    dict_gain,
    dtype_first,
    ret_in_while,
    for_tensor,
    for_range,
    for_range_t,
    try_in_loop,
    try_around_loop,
    try_around_for,
    three,
    inner_loop,
    inplace,
    swapin,
    strfmt,
    lam,
    num_or_str,
    number_or_vec,
    wh_else,
    ng,
    rec,
]


@pytest.mark.parametrize("fn", CASES, ids=[f.__name__ for f in CASES])
def test_compiled_equals_eager(fn: Any, agree: Callable[..., None]) -> None:
    agree(lambda: fn, CALLS, True, True, 1)


def test_a_list_of_one_length_or_another(agree: Callable[..., None]) -> None:
    agree(lambda: listarg, CALLS, False)
