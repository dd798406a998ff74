"""Converted text, kept in cases/: reviewed as a diff, refreshed by `pytest --update-golden`."""

# ruff: noqa: RET504
# The cases are Python as users write it, mistakes included.

from __future__ import annotations

import inspect
import textwrap
from pathlib import Path

import pytest

CASES = Path(__file__).parent / "cases"


def if_else(x):
    if x > 0:
        y = x
    else:
        y = -x
    return y


def early_return(x):
    if x < 0:
        return -x
    y = x + 1
    return y


def break_else(n):
    for i in range(n):
        if i * i > n:
            break
        i += 1
    else:
        i = -1
    return i


def while_continue(n):
    total = 0
    while n > 0:
        n -= 1
        if n % 2:
            continue
        total += n
    return total


def return_in_loop(xs):
    for x in xs:
        if x:
            return x
    return None


def expressions(a, b):
    c = (a and not b) or (y := a)
    d = a if b else c
    assert 0 < d <= a, f"{d}"
    return [f(d) for f in (abs, int) if f is not None], y


def attributes(self, x):
    if x:
        self.h = x
        self.cell.c += 1
    return self.h


def closure(n):
    count = 0

    def add():
        nonlocal count
        count += 1

    while count < n:
        add()
    return count


def match_mode(mode):
    match mode:
        case "mean" | "avg":
            return 1
        case _:
            return 2


FUNCTIONS = [
    if_else,
    early_return,
    break_else,
    while_continue,
    return_in_loop,
    expressions,
    attributes,
    closure,
    match_mode,
]


@pytest.mark.parametrize("fn", FUNCTIONS, ids=lambda fn: fn.__name__)
def test_converted_text(fn, code_of, golden):
    before = textwrap.dedent(inspect.getsource(fn))
    golden(CASES / f"{fn.__name__}.py", f"{before}\n\n# --- converted\n\n\n{code_of(fn)}\n")
