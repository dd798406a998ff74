"""`while`: converted equals original."""

# The cases are Python as users write it, mistakes included.

from __future__ import annotations

import pytest


def case_count(n):
    total = 0
    while n > 0:
        total += n
        n -= 1
    return total


def case_else(n):
    while n > 0:
        n -= 1
    else:
        n = 100
    return n


def case_break_else(n, m):
    while n > 0:
        n -= 1
        if n == m:
            break
    else:
        return "whole"
    return "broken", n


def case_break_else_and_rest(n, m):
    out = []
    while n > 0:
        n -= 1
        if n == m:
            break
        out.append(n)
    else:
        out.append("else")
    out.append("end")
    return out


def case_true(n):
    while True:
        n += 1
        if n > 3:
            break
        m = n
    return n, m


def case_true_return(n):
    while True:
        n += 1
        if n > 3:
            return n


def case_true_continue(n):
    k = 0
    while True:
        k += 1
        if k < n:
            continue
        if k % 3 == 0:
            return k


def case_nested(n, m):
    total = 0
    i = 0
    while i < n:
        j = 0
        while j < m:
            if j > i:
                break
            j += 1
            if (i + j) % 2:
                continue
            total += i * j
        i += 1
    return total, i


def case_walrus(n):
    out = []
    while (n := n - 1) > 0:
        out.append(n)
    return out, n


def case_walrus_in_and(n):
    values = list(range(n)) if n > 0 else []
    out = []
    while values and (last := values.pop()) != 1:
        out.append(last)
    return out, values


def case_unbound(n):
    while n > 0:
        y = n
        n -= 1
    return y


def case_swap(n):
    a, b = 0, 1
    while a < n:
        a, b = b, a + b
    return a, b


def case_break_in_else_branch(n):
    while n > 0:
        if n % 2:
            n -= 1
        else:
            break
    return n


def case_inner_break_in_orelse(n, m):
    out = []
    while n > 0:
        n -= 1
        k = m
        while k > 0:
            k -= 1
            if k == 2:
                break
        else:
            break
        out.append((n, k))
    return out


def case_inner_continue_in_orelse(n, m):
    out = []
    while n > 0:
        n -= 1
        for k in range(m):
            if k == 2:
                break
        else:
            continue
        out.append((n, k))
    return out


def case_test_not_asked_after_break(n):
    asked = []

    def ask():
        asked.append(n)
        return len(asked) < 4

    while ask():
        if len(asked) == n:
            break
    return asked


CASES = [value for name, value in list(globals().items()) if name.startswith("case_")]


@pytest.mark.parametrize("fn", CASES, ids=lambda fn: fn.__name__)
def test_converted_equals_original(fn, same):
    same(fn)
