"""Results in the memory of inputs: not where an input is read again at other places, by a product or through a view."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import vitrify as vt

Array = np.ndarray[Any, Any]
rng = np.random.default_rng(0)
A = rng.normal(size=(64, 64)).astype("float32")


def test_a_product_of_what_it_is_added_to() -> None:
    w = vt.to_tensor(A)

    @vt.to_static
    def step() -> None:
        w.set_value(w + 0.5 * vt.matmul(w, w))

    step()
    np.testing.assert_allclose(w.numpy(), A + 0.5 * (A @ A), rtol=1e-3, atol=1e-2)


def a_row_of_it(a: Any) -> Any:
    p = vt.matmul(a, a)
    row = p[0:1]
    return vt.matmul(p * 2.0 + row + vt.matmul(row, a), a)


def another_shape_of_it(a: Any) -> Any:
    p = vt.matmul(a, a)
    q = p.reshape([8, 512])
    return vt.matmul(p + (q * 1.0).reshape([64, 64])[::-1] + vt.matmul(q, vt.ones([512, 8])).sum(), a)


def rows_in_turn(a: Any) -> Any:
    n = vt.matmul(a, a)
    for k in range(3):
        row = n[k : k + 1]
        n = vt.matmul(n, a) if k == 1 else n + row * vt.matmul(row, a).sum()
    return vt.matmul(n, a)


@pytest.mark.parametrize("fn", [a_row_of_it, another_shape_of_it, rows_in_turn])
def test_an_input_and_a_view_of_it(fn: Callable[..., Any]) -> None:
    wanted = fn(vt.to_tensor(A)).numpy()
    found = vt.to_static(fn)(vt.to_tensor(A)).numpy()
    np.testing.assert_allclose(found, wanted, rtol=1e-3, atol=1e-3 * np.abs(wanted).max())


def written_on_either_side(a: Any, d: Any) -> Any:
    for k in range(1, 40):
        if a[k] > 0:
            d[k] = d[k - 1] + 1
        else:
            d[k] = d[k - 1] * 0.5
    return d * 1


def written_on_one_side(a: Any, d: Any) -> Any:
    for k in range(1, 40):
        if a[k] > 0:
            d[k] = d[k - 1] + a[k]
    return d * 1


def longest_common(a: Any, d: Any) -> Any:
    table = vt.zeros([41, 41], "int64")
    for i in range(1, 41):
        for j in range(1, 41):
            if a[i - 1] > d[j - 1]:
                table[i, j] = table[i - 1, j - 1] + 1
            else:
                table[i, j] = vt.maximum(table[i - 1, j], table[i, j - 1])
    return table


def a_part_from_before(a: Any, d: Any) -> Any:
    for k in range(2, 40):
        part = d[k - 2 : k]
        if a[k] > 0:
            d[k - 1] = a[k]
            d[k] = part.sum()
        elif a[k] > -0.5:
            d[k] = d.sum() - d[k - 1]
    return d * 1


def an_old_copy(a: Any, d: Any) -> Any:
    for k in range(1, 40):
        old = d.clone()
        if a[k] > 0:
            d[0] = a[k]
            d[k] = old[0] + old[k - 1]
        d += old * 0.125
    return d * 1


def two_that_change_places(a: Any, d: Any) -> Any:
    e = d * 2
    for k in range(1, 40):
        if a[k] > 0:
            d, e = e + 1, d * 0.5
        else:
            d = d + a[k]
    return d, e


def nested(a: Any, d: Any) -> Any:
    e = d * 2
    for k in range(1, 40):
        if a[k] > 0:
            if a[k] > 0.5:
                d[k] = e[k - 1]
            else:
                e[k] = d[0] + d[k - 1]
            d[0] = e[k]
        else:
            e[0] = d[k]
    return d * 1, e


CONDITIONAL = [
    written_on_either_side, written_on_one_side, longest_common, a_part_from_before, an_old_copy,
    two_that_change_places, nested,
]  # fmt: skip


@pytest.mark.parametrize("fn", CONDITIONAL)
def test_what_branches_of_a_loop_write(fn: Callable[..., Any]) -> None:
    a, d = (rng.normal(size=40) for _ in range(2))
    given, again = ([vt.to_tensor(a), vt.to_tensor(d)] for _ in range(2))
    expected, found = fn(*given), vt.to_static(fn)(*again)
    pairs = zip(found, expected, strict=True) if isinstance(expected, tuple) else [(found, expected)]
    for x, y in [*pairs, *zip(again, given, strict=True)]:
        np.testing.assert_allclose(x.numpy(), y.numpy(), rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("fn", [written_on_either_side, written_on_one_side, longest_common])
def test_a_condition_in_a_loop_copies_no_array(fn: Callable[..., Any]) -> None:
    compiled = vt.to_static(fn)
    compiled(vt.to_tensor(A[0, :40].copy()), vt.to_tensor(A[1, :40].copy()))
    copies = [line for line in compiled.dump("linearised").splitlines() if " copy %arena" in line]
    assert not [line for line in copies if line.endswith("= %a tensor written in place")]


class Held(vt.nn.Layer):
    """A buffer of one shape, and numbers that are picked by an index which may be wrong."""

    def __init__(self, shape: list[int]) -> None:
        super().__init__()
        self.register_buffer("w", vt.zeros(shape, "float64"))
        self.numbers = vt.to_tensor(np.arange(6.0))


def a_view_of_a_sum(net: Held, x: Any, i: Any) -> Any:
    y = x.cumsum(0)
    picked = net.numbers[i]
    net.w.set_value(y.reshape([3, 4]))
    return picked


def a_view_of_a_loop(net: Held, x: Any, i: Any) -> Any:
    h = net.w.reshape([12])
    for _ in range(200):
        h = h * 0.5 + x
    picked = net.numbers[i]
    net.w.set_value(h.reshape([3, 4]))
    return picked


def a_wrong_index_in_a_loop(net: Held, x: Any, i: Any) -> Any:
    h = net.w.reshape([12])
    for k in range(200):
        h = h * 0.5 + x
        h[i * (k // 150)] = 2.0
    net.w.set_value(h.reshape([3, 4]))
    return h.sum()


def pieces_of_a_concat(net: Held, x: Any, i: Any) -> Any:
    a = x.cumsum(0)
    picked = net.numbers[i]
    net.w.set_value(vt.concat([a[:4] * 1, x[:8] * 2]).reshape([3, 4]))
    return picked


def a_piece_that_a_loop_makes(net: Held, x: Any, i: Any) -> Any:
    h = x
    for _ in range(200):
        h = h * 0.5 + x
    picked = net.numbers[i]
    net.w.set_value(vt.concat([h.reshape([3, 4])[:2], x.reshape([3, 4])[:1]]))
    return picked


FAILING = [a_view_of_a_sum, a_view_of_a_loop, a_wrong_index_in_a_loop, pieces_of_a_concat, a_piece_that_a_loop_makes]


@pytest.mark.parametrize("fn", FAILING)
def test_a_failing_call_leaves_state_as_it_was(fn: Callable[..., Any]) -> None:
    net, x = Held([3, 4]), vt.to_tensor(np.arange(12.0))
    compiled = vt.to_static(lambda x, i: fn(net, x, i))
    compiled(x, vt.to_tensor(3))
    before = net.w.numpy().copy()
    assert before.any()
    with pytest.raises(IndexError):
        compiled(x + 5, vt.to_tensor(99))
    np.testing.assert_array_equal(net.w.numpy(), before)


def an_element_changes_afterwards(net: Held, x: Any, i: Any) -> Any:
    y = x.cumsum(0)
    net.w.set_value(y)
    z = y.clone()
    z[i] = 5.0
    return z


def a_box_changes_afterwards(net: Held, x: Any, i: Any) -> Any:
    y = net.w * 0.5 + x
    net.w.set_value(y)
    y[2:4] = 5.0
    y[i] = 7.0
    return y


def a_place_changes_afterwards(net: Held, x: Any, i: Any) -> Any:
    y = net.w.cumsum(0) + x
    net.w.set_value(vt.put_along_axis(y, i.reshape([1]), x[:1], 0))
    return vt.put_along_axis(y, i.reshape([1]) + 1, x[:1], 0), y


@pytest.mark.parametrize("fn", [an_element_changes_afterwards, a_box_changes_afterwards, a_place_changes_afterwards])
def test_what_state_takes_and_what_is_made_of_it(fn: Callable[..., Any]) -> None:
    found = []
    for compiles in (False, True):
        net = Held([12])

        def run(x: Any, i: Any, net: Any = net) -> Any:
            return fn(net, x, i)

        way, seen = vt.to_static(run) if compiles else run, []
        for k in range(3):
            made = way(vt.to_tensor(np.arange(12.0) + k), vt.to_tensor(2))
            seen.append([t.tolist() for t in (made if isinstance(made, tuple) else (made,))] + [net.w.tolist()])
        found.append(seen)
    assert found[1] == found[0]
