"""`+`, `*`, maximum and minimum of bools are "or" and "and", as in NumPy, PyTorch and PaddlePaddle."""

import numpy as np
import pytest

import vitrify as vt

A, B = np.array([True, True, False, False]), np.array([True, False, True, False])


def operations(a, b):
    return a + b, a * b, vt.maximum(a, b), vt.minimum(a, b), vt.add(a, b), vt.multiply(a, b)


def with_numbers(a, b):
    return a + True, True * a, a + 1, a * 2, (a * b).sum(), sum([a, b, a]), a + 0.5, a - 1


@pytest.mark.parametrize("run", [lambda f: f, vt.to_static], ids=["eager", "compiled"])
def test_two_bools(run):
    made = run(operations)(vt.to_tensor(A), vt.to_tensor(B))
    wanted = A + B, A * B, np.maximum(A, B), np.minimum(A, B), A + B, A * B
    for got, want in zip(made, wanted, strict=True):
        assert got.dtype == vt.bool and got.numpy().tolist() == want.tolist()


@pytest.mark.parametrize("run", [lambda f: f, vt.to_static], ids=["eager", "compiled"])
def test_a_bool_and_a_number(run):
    made = run(with_numbers)(vt.to_tensor(A), vt.to_tensor(B))
    wanted = A + True, True * A, A + 1, A * 2, (A * B).sum(), sum([A, B, A]), (A + 0.5).astype("float32"), A - 1
    for got, want in zip(made, wanted, strict=True):
        assert got.dtype.name == want.dtype.name and got.numpy().tolist() == want.tolist()


@pytest.mark.parametrize("run", [lambda f: f, vt.to_static], ids=["eager", "compiled"])
def test_a_product_of_conditions_is_a_mask(run):
    x = np.array([0.5, -1.0, 2.0, 1.0], np.float32)
    made = run(lambda x: x[(x > 0) * (x < 1.5)])(vt.to_tensor(x))
    assert made.numpy().tolist() == [0.5, 1.0]


def test_in_place():
    a = vt.to_tensor(A)
    a += vt.to_tensor(B)
    assert a.numpy().tolist() == (A | B).tolist()
    a *= vt.to_tensor(B)
    assert a.numpy().tolist() == ((A | B) & B).tolist()


def number_of_flags(x):
    flag = bool(x.sum() > 0)
    return flag + flag


def test_bools_of_python_are_numbers():
    x = vt.ones([2])
    assert number_of_flags(x) == 2
    made = vt.to_static(number_of_flags)(x)
    assert int(made) == 2
