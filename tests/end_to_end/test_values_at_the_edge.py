"""Values, sizes and places at which a transformation or a kernel could go wrong: compiled is eager, NumPy agrees."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import vitrify as vt
import vitrify.nn.functional as F


def agree(function: Any, *arrays: Any, rtol: float = 1e-6, grads: bool = False) -> Any:
    """The eager result, after comparing it, and gradients of it, with the compiled one."""
    found = []
    for run in (function, vt.to_static(function)):
        given = [vt.to_tensor(a, stop_gradient=not grads) if isinstance(a, np.ndarray) else a for a in arrays]
        result = run(*given)
        if grads:
            result.sum().backward()
        found.append((result.numpy(), [t.grad.numpy() for t in given if grads and t.grad is not None]))
    (expected, slopes), (got, compiled_slopes) = found
    assert expected.dtype == got.dtype
    np.testing.assert_allclose(got, expected, rtol=rtol, atol=1e-6)
    np.testing.assert_array_equal(np.signbit(got), np.signbit(expected))
    for one, other in zip(compiled_slopes, slopes, strict=True):
        np.testing.assert_allclose(one, other, rtol=rtol, atol=1e-6)
    return expected, slopes


# ---- transformations of programs


def test_integers_are_rounded_by_a_cast_to_float_and_back():
    ids = np.array([2**24 + 1, 3, -(2**24) - 3])
    assert agree(lambda x: x.astype("float32").astype("int64"), ids)[0].tolist() == [2**24, 3, -(2**24) - 4]


def test_a_literal_of_zeros_keeps_both_signs():
    one = np.ones(2, np.float32)
    expected, _ = agree(lambda x: x / (vt.to_tensor([0.0, 0.0]) * vt.to_tensor([1.0, -1.0])), one)
    assert expected.tolist() == [math.inf, -math.inf]


def test_all_factors_of_a_product_that_is_taken_from_a_weight_count():
    w = vt.to_tensor(np.ones((16, 16), np.float32))

    @vt.to_static
    def update(x, g):
        w.set_value(w - 0.5 * (0.25 * (x.T @ g)))

    x = vt.ones([8, 16])
    update(x, x)
    np.testing.assert_array_equal(w.numpy(), np.zeros((16, 16)))


@pytest.mark.parametrize("first", [0, 2])
def test_rows_of_products_lie_where_the_loop_writes_them(first):
    def rows(x, w, n):
        out = vt.zeros([7, 4])
        for t in range(n):
            out[t + first] = x[t] @ w
        return out

    random = np.random.default_rng(0)
    x, w = random.random((5, 3), np.float32), random.random((3, 4), np.float32)
    expected, _ = agree(rows, x, w, vt.to_tensor(5))
    np.testing.assert_allclose(expected[first : first + 5], x @ w, rtol=1e-5)


def test_a_mask_per_head_stays_with_its_head():
    random = np.random.default_rng(1)
    q, k, v = (random.random((3, 3, 8, 4), np.float32) for _ in range(3))
    mask = random.random((3, 8, 8), np.float32) * 4
    expected, _ = agree(
        lambda *a: F.softmax(a[0] @ a[1].transpose([0, 1, 3, 2]) / 2.0 + a[3], -1) @ a[2], q, k, v, mask, rtol=1e-4
    )
    scores = q @ k.transpose(0, 1, 3, 2) / 2 + mask
    weights = np.exp(scores) / np.exp(scores).sum(-1, keepdims=True)
    np.testing.assert_allclose(expected, weights @ v, rtol=1e-4)


def test_a_counter_that_starts_above_zero_counts_its_iterations_in_the_gradient():
    def power(x, w, n):
        i = vt.to_tensor(2)
        while i < n:
            x = x * w
            i = i + 1
        return x

    x, w = np.full(3, 2.0, np.float32), np.full(3, 3.0, np.float32)
    expected, slopes = agree(lambda a, b: power(a, b, vt.to_tensor(5)), x, w, grads=True)
    assert expected.tolist() == [54.0] * 3
    assert [s.tolist() for s in slopes] == [[27.0] * 3, [54.0] * 3]


def test_a_gradient_passes_a_chain_of_carried_values():
    def delayed(x, w, n):
        a, b, c, d = x, x, x, x
        for _ in range(n):
            a, b, c, d = a * w, a, b, c
        return d

    x, w = np.full(2, 2.0, np.float32), np.full(2, 3.0, np.float32)
    _, slopes = agree(lambda a, b: delayed(a, b, vt.to_tensor(5)), x, w, grads=True)
    assert [s.tolist() for s in slopes] == [[9.0] * 2, [12.0] * 2]


@pytest.mark.parametrize("size", [96, 100])
def test_a_product_that_is_read_again_after_its_sum_with_a_transpose(size):
    def run(a, b, c):
        t = a @ b
        return t * 2 + c.T

    def after_a_root(a, b, c):
        t = vt.sqrt(a) + b
        return vt.exp(t.sum() * 0.0) * t + c.T

    random = np.random.default_rng(2)
    agree(after_a_root, *(random.random((size, size), np.float32) for _ in range(3)))
    agree(run, *(random.random((size, size), np.float32) for _ in range(3)), rtol=1e-4)


def test_a_difference_with_a_row_of_itself():
    def run(a, b):
        t = a @ b
        return t - t[0]

    random = np.random.default_rng(3)
    agree(run, random.random((9, 7), np.float32), random.random((7, 5), np.float32), rtol=1e-4)


@pytest.mark.parametrize("rows", [4, 5])
def test_every_second_row_of_any_number_of_rows(rows):
    @vt.to_static(input_spec=[vt.InputSpec([None, 3])])
    def second(x):
        return x[::2], x[::-2]

    x = np.arange(rows * 3, dtype=np.float32).reshape(rows, 3)
    for got, expected in zip(second(vt.to_tensor(x)), (x[::2], x[::-2]), strict=True):
        np.testing.assert_array_equal(got.numpy(), expected)


# ---- kernels


def test_bits_are_shifted_by_counts_out_of_range_as_numpy_does():
    x, y = np.array([5, 5, 5, -5]), np.array([1, 64, 0, 63])
    assert agree(vt.bitwise_left_shift, x, y)[0].tolist() == np.left_shift(x, y).tolist()
    agree(vt.bitwise_left_shift, x, np.array([-1, -64, -65, 2]))


@pytest.mark.parametrize("largest", [False, True])
def test_the_first_of_many_with_a_nan_among_them(largest):
    x = np.random.default_rng(4).permutation(1000).astype(np.float32)
    x[int(x.argmin()) ^ 1] = np.nan
    expected, _ = agree(lambda a: vt.topk(a, 3, largest=largest)[0], x)
    kept = x[~np.isnan(x)]
    want = [np.nan, *np.sort(kept)[:-3:-1]] if largest else np.sort(kept)[:3]
    np.testing.assert_array_equal(expected, want)


@pytest.mark.parametrize("axis", [0, 1])
def test_the_first_nan_is_the_extreme(axis):
    x = np.random.default_rng(5).random((8, 8)).astype(np.float32)
    x[2, 3] = x[5, 3] = x[2, 6] = np.nan
    for name in ("argmax", "argmin"):
        expected, _ = agree(lambda a, name=name: getattr(vt, name)(a, axis=axis), x)
        np.testing.assert_array_equal(expected, getattr(np, name)(x, axis=axis))


@pytest.mark.parametrize("point", [[1, 5], [0, -4], [8, 0], [-9, 0]])
def test_each_place_of_a_point_is_checked_against_its_own_axis(point):
    compiled = vt.to_static(vt.scatter_nd_add)
    for run in (vt.scatter_nd_add, compiled):
        with pytest.raises(IndexError):
            run(vt.zeros([8, 3]), vt.to_tensor([point]), vt.ones([1]))


@pytest.mark.parametrize("place", [-6, -5, 4, 5])
def test_a_row_is_looked_up_within_the_array(place):
    def row(x, i):
        return x[i] * 2

    compiled, x = vt.to_static(row), np.arange(10.0).reshape(5, 2)
    if -5 <= place < 5:
        np.testing.assert_array_equal(compiled(vt.to_tensor(x), vt.to_tensor(place)).numpy(), x[place] * 2)
    else:
        with pytest.raises(IndexError):
            compiled(vt.to_tensor(x), vt.to_tensor(place))


def test_whole_powers_keep_the_sign_of_zero():
    x = np.array([-0.0, 0.0, -2.0])
    assert agree(lambda a: 1.0 / a**3, x)[0].tolist() == [-math.inf, math.inf, -0.125]
    agree(lambda a, b: 1.0 / a**b, x, np.array([3.0, 3.0, 3.0]))


# ---- operations and their gradients


def test_the_gradient_of_a_product_with_zeros():
    for x, expected in (([0.0, 2.0, 0.0], [0.0, 0.0, 0.0]), ([0.0, 2.0, 3.0], [6.0, 0.0, 0.0])):
        assert agree(vt.prod, np.array(x), grads=True)[1][0].tolist() == expected


def test_the_gradient_of_the_last_element_of_each_row():
    x, labels = np.arange(6.0).reshape(2, 3), np.array([[-1], [0]])
    for run in (vt.take_along_axis, vt.to_static(vt.take_along_axis)):
        given = vt.to_tensor(x, stop_gradient=False)
        run(given, vt.to_tensor(labels), 1).sum().backward()
        assert given.grad.numpy().tolist() == [[0.0, 0.0, 1.0], [1.0, 0.0, 0.0]]


def test_elements_on_the_bounds_of_clip_have_a_gradient():
    x = np.array([-1.0, 0.0, 3.0, 6.0, 7.0])
    assert agree(lambda a: vt.clip(a, 0.0, 6.0), x, grads=True)[1][0].tolist() == [0.0, 1.0, 1.0, 1.0, 0.0]


def test_complex_numbers_are_as_wide_as_the_wider_operand():
    z, x = np.array([1 + 2j], np.complex64), np.array([1 / 3])
    assert (vt.to_tensor(z) * vt.to_tensor(x)).numpy().dtype == (z * x).dtype == np.complex128
