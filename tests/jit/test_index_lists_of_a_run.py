"""Lists of Python ints that only a run knows, as subscripts: rows swapped by pivoting."""

from typing import Any

import numpy as np
import pytest

import vitrify as vt


def _swapped(a: Any, i: int) -> Any:
    pivot = int(a[i:, i].abs().argmax()) + i
    a = a.clone()
    a[[i, pivot]] = a[[pivot, i]]
    return a


def _read(a: Any, i: int) -> Any:
    pivot = int(a[i:, i].abs().argmax()) + i
    return a[[[i, pivot], [pivot, i]]], a[[pivot, i], [i, pivot]], a[:, [pivot, -1]], a[[a.shape[0] - 1, pivot]]


def _added(a: Any, i: int) -> Any:
    pivot = int(a[:, i].argmin())
    a = a.clone()
    a[[pivot, 0], :2] += 1.0
    a[:, [0, pivot]] = a[:, [pivot, 0]]
    return (a,)


@pytest.mark.parametrize("fn", [_swapped, _read, _added], ids=lambda fn: fn.__name__[1:])
def test_they_take_what_eager_mode_takes(fn: Any) -> None:
    a = vt.to_tensor(np.random.default_rng(3).normal(size=(4, 4)).astype("float32"))
    for i in (0, 1, 2):
        expected, got = fn(a, i), vt.to_static(fn)(a, i)
        pairs = [(expected, got)] if fn is _swapped else zip(expected, got, strict=True)
        for x, y in pairs:
            np.testing.assert_array_equal(x.numpy(), y.numpy())


def test_gradients_go_to_the_rows() -> None:
    def loss(a: Any) -> Any:
        pivot = int(a[:, 0].argmax())
        return (a[[pivot, 0]] * 2).sum()

    grads = []
    for fn in (loss, vt.to_static(loss)):
        a = vt.to_tensor([[1.0, 2.0], [3.0, 4.0]], stop_gradient=False)
        fn(a).backward()
        grads.append(a.grad.tolist())
    assert grads[0] == grads[1] == [[2.0, 2.0], [2.0, 2.0]]


@pytest.mark.parametrize("draw", [lambda n: vt.randint(0, n, [6]), lambda n: vt.randint(n - 9, n, [6]), vt.randperm])
def test_draws_below_a_number_of_a_run(draw: Any) -> None:
    def fn(t: Any) -> Any:
        return draw(int(t))

    compiled, found = vt.to_static(fn), []
    for each in (fn, compiled):
        vt.seed(5)
        found.append([each(vt.to_tensor(n)).tolist() for n in (4, 9, 100)])
    assert found[0] == found[1]


@pytest.mark.parametrize("draw", [lambda n: vt.randint(0, n, [6]), vt.randperm])
def test_draws_below_nothing_fail(draw: Any) -> None:
    compiled = vt.to_static(lambda t: draw(int(t)))
    compiled(vt.to_tensor(3))
    with pytest.raises(vt.errors.ArgumentError, match="needs"):
        compiled(vt.to_tensor(0))
