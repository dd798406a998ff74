"""Built-in functions, `math`, `functools` and `itertools` over tensors: compiled equals eager, forward and gradient."""

from __future__ import annotations

import collections
import functools
import itertools
import math
import operator

import numpy as np
import pytest

import vitrify as vt

from .constructs_support import DOWN, UP, Table

table = Table()


def steeper(v):
    if v > 0:
        return v * 2
    return v - 1


def larger(a, b):
    return a if a > b else b


@table.row()
def sorted_by_a_key(x):
    return sorted([x[0], x[1], x[2]], key=lambda v: -v), sorted([x[0], x[1]], reverse=True)


@table.row(UP, DOWN, np.array([2, 2, 2], np.float32))
def sorted_pairs_keep_their_order(x):
    return [n for _, n in sorted([(x[0], 0.0), (x[1], 1.0), (x[2], 2.0)], key=operator.itemgetter(0), reverse=True)]


@table.row(UP, DOWN, np.array([2, 2, 2], np.float32))
def extremes_with_a_key(x):
    best = max([(x[0], 0.0), (x[1], 1.0), (x[2], 2.0)], key=lambda pair: pair[0])
    return best[0], best[1], min(x[0], x[1], key=lambda v: v * v), max(x, key=abs), max([], default=x)


@table.row()
def plain_extremes(x):
    return max([3, 1, 2]), min("abc"), max(2, 1, key=lambda v: -v) * x, min([], default=4), sorted("cab")


@table.row()
def maps_call_converted_functions(x):
    return sum(map(steeper, x)), functools.reduce(larger, list(x)), list(itertools.accumulate(x, larger))


@table.row()
def quotients(x):
    return divmod(x, 2), divmod(7, x), round(x[0] / 3, 2), round(x[1]), pow(x, 2), abs(x)


@table.row()
def ranges_with_a_step(x):
    total = x.sum() * 0
    for k in range(0, 10, (x[0] + 2).astype("int64")):
        total = total + k
    for k in range(5, -5, (x[0] * 0 - 2).astype("int64")):
        total = total - 2 * k
    return total


@table.row(UP, np.zeros(3, np.float32))
def a_step_of_zero(x):
    for k in range(0, 3, x[0].astype("int64")):
        x = x + k
    return x


@table.row()
def math_functions(x):
    a, b = x[0] / 4, x[1] / 4
    return [
        math.sqrt(a * a), math.exp(a), math.expm1(a), math.sin(a), math.cos(a), math.tan(a), math.asin(a), math.acos(a),
        math.atan(a), math.atan2(a, b), math.sinh(a), math.cosh(a), math.tanh(a), math.asinh(a), math.acosh(a + 2),
        math.atanh(a), math.fabs(a), math.erf(a), math.log(b), math.log(b, 3), math.log2(b), math.log10(b),
        math.log1p(b), math.hypot(a, b), math.hypot(a, 0.0, b), math.degrees(a), math.radians(a), math.pow(b, a),
    ]  # fmt: skip


@table.row()
def math_of_whole_numbers(x):
    found = math.floor(x[0] / 2), math.ceil(x[1] / 3), math.trunc(x[2] / 2), math.isnan(x[0]), math.isfinite(x[0])
    return *found, math.sqrt(4), math.floor(2.5), math.pi


@table.row()
def math_under_a_tensors_test(x):
    return x * math.sqrt(x[0]) if x[0] > 0 else x / math.exp(x[0])


@table.row()
def square_roots_of_negative_numbers(x):
    return x * math.sqrt(x[0])


@table.row(UP, np.zeros(3, np.float32), DOWN)
def logarithms_of_zero(x):
    return x + math.log(x[2])


@table.row(UP, UP * 1000)
def exponentials_out_of_range(x):
    return x * math.exp(x[0])


@table.row(UP, DOWN, np.zeros(3, np.float32))
def powers(x):
    return x * math.pow(x[0], x[1] - 2.5)


@table.row()
def endless_counts(x):
    total = x.sum() * 0
    for k in itertools.count(2, 3):
        total = total + k * x[1]
        if total > 20:
            break
    return total


@table.row()
def tools_of_iteration(x):
    total = x.sum() * 0
    for a, b in itertools.product([x[0], x[1]], [1, 2]):
        total = total + steeper(a) * b
    for a in itertools.chain([x[0]], x):
        total = total + a
    for a, b in itertools.zip_longest([x[0]], [1, 2], fillvalue=x[2]):
        total = total + a * b
    for a in itertools.islice(itertools.cycle([x[0], x[1]]), 3):
        total = total - a
    return total, list(itertools.accumulate(x))


@functools.singledispatch
def shown(value):
    return 1


@shown.register
def _(value: vt.Tensor):
    return value if value.sum() > 0 else -value


@functools.lru_cache
def doubled(n):
    return n * 2


@functools.lru_cache
def remembered(value):
    return value if value.sum() > 0 else -value


@table.row()
def wrappers_of_functools(x):
    return shown(x), shown(3), x * doubled(4), remembered(x), functools.partial(larger, x[0])(x[1])


@table.row()
def collections_of_python(x):
    queue = collections.deque([x[0]])
    queue.append(x[1])
    groups = collections.defaultdict(list)
    groups["a"].append(x)
    return queue.popleft() * collections.Counter("aab")["a"] + groups["a"][0]


@table.row()
def slices_reversed_and_members(x):
    return x[slice(1, None)], [v * 2 for v in reversed(x)], 2 in x, x[0] in [1, 2], isinstance(x, vt.Tensor), len(x)


@table.row()
def quantifiers(x):
    if any(v > 2 for v in x) and not all(v < 0 for v in x):
        return x
    return -x


@table.names()
def test_compiled_equals_eager(name):
    table.check(name)


def test_an_endless_loop_with_no_turn_for_all_is_refused():
    def fn(x):
        for name in itertools.cycle(["a", "b"]):
            if x.sum() > len(name):
                break
            x = x + 1
        return x

    with pytest.raises(vt.errors.CaptureError, match="more than 4096 iterations"):
        vt.jit.to_static(fn)(vt.to_tensor(DOWN))


def test_a_cache_keeps_no_tensor_of_a_trace():
    remembered.cache_clear()
    vt.jit.to_static(remembered)(vt.to_tensor(UP))
    vt.jit.to_static(lambda x: remembered(x + 1))(vt.to_tensor(UP))
    assert remembered.cache_info().currsize == 0
