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
