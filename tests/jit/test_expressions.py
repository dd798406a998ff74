"""`and`, `or`, `not`, `a if c else b`, `a < b < c`, `assert`, walrus, comprehensions: lazy, and once each.

PYTEST_DONT_REWRITE: the messages of the assertions in the cases are compared.
"""

# ruff: noqa: RET504, B023
# The cases are Python as users write it, mistakes included.

from __future__ import annotations

import itertools

import pytest


class Log(list):
    def __call__(self, value):
        self.append(value)
        return value


def case_and_or(x, y):
    log = Log()
    return log(x) and log(y), log(y) or log(x) or log(0), not log(x), log


def case_and_or_mixed(x, y):
    log = Log()
    return (log(x) or log(y)) and (log(y - 1) or not log(x - 1)), log


def case_chain(x, y):
    log = Log()
    return log(0) < log(x) <= log(y) != log(3), log


def case_chain_is_in(x, y):
    return x is not None in [y, True], x in [1, 2] in [[1, 2]], 0 < x == y


def case_single_comparisons(x, y):
    return x < y, x is y, x in (1, 2), x not in [y], x is not None


def case_if_exp(x, y):
    log = Log()
    return log(x) if log(y) else log(-1), (1 if x > 2 else 2 if x > 1 else 3), log


def case_walrus_in_and(x, y):
    if (z := x) and (w := y) > 1:
        return z, w
    return z


def case_walrus_in_if_exp(x):
    y = (z := x + 1) if x > 1 else (z := 0)
    return y, z


def case_walrus_unbound(x):
    x and (y := 1)
    return y


def case_walrus_in_comprehension(x):
    ok = any((last := v) > x for v in range(4))
    return ok, last


def case_walrus_in_comprehension_in_thunk(x):
    found = x and [last := v for v in range(x)]
    return found, last if x > 0 else None


def case_walrus_in_plain_expression(x):
    return [y := x, y + 1, y := y + 2, y]


def case_comprehensions(n):
    a = [i if i % 2 else -i for i in range(n)]
    b = {i: j for i in a for j in a if i and 0 < j < 3}
    c = {i or "zero" for i in a}
    d = sum(i for i in a if not i)
    return a, b, c, d


def case_comprehension_of_same_name(x):
    x = [x for x in range(x) if x and x > 1]
    return x


def case_comprehension_reads_unbound(x):
    if x > 1:
        y = 1
    return [y for _ in range(2)]


def case_comprehension_in_branch(x):
    y = 2
    if x:
        z = [y * i for i in range(x)]
        y = 3
    else:
        z = None
    return y, z


def case_generator(x):
    y = 1
    g = (y + i for i in range(x))
    if x > 1:
        y = 10
    return list(g)


def case_lambda(x):
    f = lambda a, b=x or 7: (a and b) or (a if b else x)  # noqa: E731
    return f(x), f(0), f(1, 0)


def case_functions_of_a_comprehension(n):
    a = [lambda k: i * 10 + k for i in range(n)]
    b = {i: lambda: i for i in range(n)}
    c = [lambda: (i, j) for i, (j, *_) in zip(range(n), ["ab", "cd", "ef"], strict=False) if i or j for j in j + "x"]
    d = [lambda i=i: i for i in range(n)]
    e = [[lambda: (i, j) for j in range(2)] for i in range(n)]
    f = [(i * k for k in (1, 2)) for i in range(n)]
    now = [(lambda: i)() for i in range(n)]
    later = [g() for g in [*b.values(), *c, *d, *itertools.chain(*e)]]
    return [g(1) for g in a], later, [list(g) for g in f], now


def case_assert(x):
    assert x
    assert x > 1, f"{x} is small"
    assert x != 2, ("a", x)
    return x


def case_f_string(x):
    return f"{x if x else 'nothing'!r:>{x + 10}} {x and 1}"


def case_slices(n):
    values = list(range(5))
    return values[n if n > 0 else 0 : 4 and 3], values[-1 if n else 0]


def case_star(x):
    def f(*args, **kwargs):
        return args, kwargs

    return f(*[x or 1, 2], *(), k=x and 2, z=not x)


CASES = [value for name, value in list(globals().items()) if name.startswith("case_")]


@pytest.mark.parametrize("fn", CASES, ids=lambda fn: fn.__name__)
def test_converted_equals_original(fn, same):
    same(fn)
