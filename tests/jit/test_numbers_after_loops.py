"""A variable that is a tensor with axes before a loop of the program and a Python number after an iteration."""

from __future__ import annotations

import types
from collections.abc import Callable
from typing import Any

import pytest

import vitrify as vt


class Box:
    b: Any


def _rows(x: Any) -> Any:
    y = x
    for _ in x:
        y = 1
    return y, x * y, isinstance(y, int)


def _while(x: Any) -> Any:
    y = x
    while x.sum() < 5:
        x = x + 1
        y = 3
    return y, y * x


def _under_a_condition(x: Any) -> Any:
    y = x
    for r in x:
        if r > 1:
            y = 2.5
    return vt.ones([1]) * y


def _counted(x: Any) -> Any:
    y = x
    for i in range(x.sum().astype("int64")):
        y = i
    return y


def _attribute(x: Any) -> Any:
    box = Box()
    box.b = x
    for _ in x:
        box.b = 1
    return box.b, x + box.b


def _items(x: Any) -> Any:
    xs, d = [x, 1], {"a": x}
    for _ in x:
        xs[0] = 7
        d["a"] = 4
    return xs, d, x + d["a"]


def _mask(x: Any) -> Any:
    mask = x > 0
    for _ in x:
        mask = False
    return x if mask else -x


def _sum(x: Any) -> Any:
    total, last = 0, 0.5
    for r in x:
        total = total + r * vt.ones([3])
        last = r * vt.ones([2])
    return total, last


@pytest.mark.parametrize(
    "fn", [_rows, _while, _under_a_condition, _counted, _attribute, _items, _mask, _sum], ids=lambda fn: fn.__name__
)
def test_it_is_a_number_behind_the_loop(fn: Callable[..., Any]) -> None:
    compiled = vt.to_static(fn)
    for values in ([1.0, 2.0], [7.0, 2.0], [0.0, 0.0], [0.5, 3.0]):
        x = vt.to_tensor(values)
        assert repr(compiled(x)) == repr(fn(x))


def test_gradients_that_a_loop_clears() -> None:
    def fn(w: Any, x: Any) -> Any:
        for r in x:
            (w * r).sum().backward()
            step = w.grad * 2
            w.clear_gradient()
        return step

    compiled = vt.to_static(fn)
    for values in ([1.0, 2.0], [3.0, 5.0]):
        ours, theirs = (vt.to_tensor([1.0, 2.0, 3.0], stop_gradient=False) for _ in range(2))
        assert compiled(ours, vt.to_tensor(values)).tolist() == fn(theirs, vt.to_tensor(values)).tolist()


def _gcd(a: Any, b: Any) -> Any:
    x0, x1 = 1, 0
    while b != 0:
        q = a // b
        a, b = b, a - q * b
        x0, x1 = x1, x0 - q * x1
    return x0, isinstance(x0, vt.Tensor), x0 / 2


def _fibonacci(a: Any, b: Any) -> Any:
    p, q, r = 1, 0, 0
    for k in vt.arange(a + b):
        p, q, r = q, r, p + k
    return p, q, r, [hasattr(x, "shape") for x in (p, q, r)], p / 4


def _as_attributes(a: Any, b: Any) -> Any:
    o = types.SimpleNamespace(p=1, q=0)
    while a > 0:
        o.p, o.q = o.q, o.p + b
        a = a - 1
    return o.p, isinstance(o.p, vt.Tensor), o.p / 2


def _of_numbers(a: Any, b: Any) -> Any:
    p, q = 1, 0
    while a > 0:
        p, q = q, p + 2
        a = a - b
    return p, isinstance(p, int), p / 2


@pytest.mark.parametrize("fn", [_gcd, _fibonacci, _as_attributes, _of_numbers], ids=lambda fn: fn.__name__)
def test_a_number_that_later_iterations_make_a_tensor(fn: Callable[..., Any]) -> None:
    compiled = vt.to_static(fn)
    for values in ((12, 18), (35, 64), (9, 4), (5, 3)):
        a, b = map(vt.to_tensor, values)
        assert repr(compiled(a, b)) == repr(fn(a, b))


def _last_row(x: Any) -> Any:
    y = 3
    for r in x:
        y = r
    return y, isinstance(y, int), x * y if isinstance(y, int) else y * 2


def _sum_of_rows(x: Any) -> Any:
    total = 0
    for r in x:
        total = total + r
    return total


def _until_a_row(x: Any) -> Any:
    y = 0.5
    for r in x:
        if r.sum() > 3:
            break
        y = r * 2
    return y, y + 1


def _rows_of_a_mask(x: Any) -> Any:
    y = True
    for r in x[x.sum(axis=1) > 3]:
        y = r > 1
    return y, vt.ones([1]) * y


def _while_less(x: Any) -> Any:
    y, z = 3, (1, 2)
    while x.sum() < 5 and len(x):
        x = x + 1
        y = x
        z = (x, z[1])
    return y, z


def _held(x: Any) -> Any:
    box, d, xs = Box(), {"a": 1}, [2, 3]
    box.b = 7
    for r in x[x.sum(axis=1) > 3]:
        box.b = d["a"] = xs[0] = r
    return box.b, d, xs, x + box.b


def _while_held(x: Any) -> Any:
    box = Box()
    box.b = 7
    while x.sum() < 5 and len(x):
        x = x + 1
        box.b = x
    return box.b, isinstance(box.b, int)


@pytest.mark.parametrize(
    "fn",
    [_last_row, _sum_of_rows, _until_a_row, _rows_of_a_mask, _while_less, _held, _while_held],
    ids=lambda fn: fn.__name__,
)
def test_it_stays_a_number_where_there_is_no_iteration(fn: Callable[..., Any]) -> None:
    compiled = vt.to_static(fn)
    for rows in ([[1.0, 2.0]], [[0.0, 1.0], [0.5, 0.25]], [], [[9.0, 2.0], [3.0, 4.0]], [[0.0, 0.0]] * 3):
        x = vt.to_tensor(rows, dtype="float32").reshape([len(rows), 2])
        assert repr(compiled(x)) == repr(fn(x))


def test_gradients_of_a_sum_over_no_iterations() -> None:
    def fn(w: Any, x: Any) -> Any:
        total = 0.0
        while x.sum() < 5:
            x = x + 1
            total = total + w * x
        return (w * total).sum()

    compiled = vt.to_static(fn)
    for values in ([1.0, 1.0], [7.0, 1.0], [0.0, -3.0]):
        ours, theirs = (vt.to_tensor([1.0, 2.0], stop_gradient=False) for _ in range(2))
        results = compiled(ours, vt.to_tensor(values)), fn(theirs, vt.to_tensor(values))
        for result in results:
            result.backward()
        assert results[0].tolist() == results[1].tolist()
        assert ours.grad.tolist() == theirs.grad.tolist()


def test_many_numbers_handed_on() -> None:
    def fn(x: Any) -> Any:
        a = b = c = d = e = f = g = h = i = j = k = m = n = p = q = 0
        for r in vt.arange(x):
            a, b, c, d, e, f, g, h, i, j, k, m, n, p, q = b, c, d, e, f, g, h, i, j, k, m, n, p, q, a + r + 1
        return a, b, c, d, e, f, g, h, i, j, k, m, n, p, q

    compiled = vt.to_static(fn)
    for x in (20, 31):
        assert repr(compiled(vt.to_tensor(x))) == repr(fn(vt.to_tensor(x)))


@pytest.mark.parametrize("count", [0, 1, 2, 3, 4, 5])
def test_numbers_handed_on_for_a_known_number_of_iterations(count: int) -> None:
    def fn(x: Any) -> Any:
        a, b, c = 1, 2, 3
        for r in x:
            a, b, c = b, c, a + r
        return a, b, c, [isinstance(v, int) for v in (a, b, c)]

    x = vt.arange(count)
    assert repr(vt.to_static(fn)(x)) == repr(fn(x))


def _two_back(x: Any) -> Any:
    before = last = 0
    for r in x[x.sum(axis=1) > 3]:
        before, last = last, r
    return before, last, isinstance(before, int)


def _sums_and_their_last(x: Any) -> Any:
    s = last = 0.5
    while x.sum() < 20 and len(x):
        s, last = s + x[0], s
        x = x + 3
    return s, last


def _in_a_tuple(x: Any) -> Any:
    z = (1, 2)
    for r in x[x.sum(axis=1) > 3]:
        z = (r, z[0])
    return z


def _in_a_list(x: Any) -> Any:
    xs = [1, 2]
    for r in x[x.sum(axis=1) > 3]:
        xs = [r, xs[0]]
    return xs


@pytest.mark.parametrize("fn", [_two_back, _sums_and_their_last, _in_a_tuple, _in_a_list], ids=lambda fn: fn.__name__)
def test_numbers_handed_on_that_become_tensors_with_axes(fn: Callable[..., Any]) -> None:
    compiled = vt.to_static(fn)
    for rows in ([[1.0, 2.0]], [[5.0, 1.0]], [], [[9.0, 2.0], [3.0, 4.0]], [[0.0, 6.0]] * 3, [[1.0, 1.0]] * 2):
        x = vt.to_tensor(rows, dtype="float32").reshape([len(rows), 2])
        assert repr(compiled(x)) == repr(fn(x))


def test_a_list_that_hands_on_numbers() -> None:
    def fn(x: Any) -> Any:
        xs = [0, 0]
        for r in x[x.sum(axis=1) > 3]:
            xs = [r, xs[0]]
        return xs

    compiled = vt.to_static(fn)
    for rows in ([3, 3, 3], [3, 0, 0], [0, 0, 0], [0, 3, 4]):
        x = vt.to_tensor([[float(k)] * 2 for k in rows])
        assert repr(compiled(x)) == repr(fn(x))


def test_a_number_that_becomes_a_selection() -> None:
    def fn(x: Any, z: Any) -> Any:
        k = 0
        for _ in z:
            k = x[x > 0]
        return k

    compiled = vt.to_static(fn)
    for n in (2, 1, 0, 3):
        x, z = vt.to_tensor([1.0, -1.0, 2.0]), vt.ones([n])
        assert repr(compiled(x, z)) == repr(fn(x, z))
