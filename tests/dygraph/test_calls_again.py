"""Eager calls like earlier ones skip preparation and checks, and nothing else."""

from __future__ import annotations

import numpy as np
import pytest

import vitrify as vt
from vitrify.base.errors import ShapeError, VitrifyError
from vitrify.dygraph.anomaly import detect_anomaly
from vitrify.dygraph.call_cache import EAGER, CachingInterpreter, CallCache

ROWS = [
    ("two tensors", lambda x, y: x + y),
    ("a number behind", lambda x, y: x * 2 - y / 3.0),
    ("a number in front", lambda x, y: 1.0 / (y + 3) + x),
    (
        "minus zero is no zero",
        lambda x, y: vt.copysign(x, vt.full([3, 4], -0.0)) + vt.copysign(x, vt.full([3, 4], 0.0)),
    ),
    ("a product", lambda x, y: vt.matmul(x, y, transpose_y=True)),
    ("sums of axes", lambda x, y: vt.sum(x, axis=[0, 1]) + vt.sum(y, axis=1, keepdim=True)),
    ("True is no 1", lambda x, y: vt.sum(x, 1, None, True) + vt.sum(y, 1, None, 1)),
    ("a list of tensors", lambda x, y: vt.concat([x, y, x], axis=0)),
    ("views", lambda x, y: vt.reshape(x, [4, 3]) + vt.transpose(y, [1, 0])),
]


@pytest.mark.parametrize(("name", "fn"), ROWS, ids=[r[0] for r in ROWS])
def test_later_calls_equal_the_first(name, fn):
    results = []
    for turn in range(3):
        rng = np.random.default_rng(5)
        x = vt.to_tensor(rng.normal(size=(3, 4)).astype("float32"), stop_gradient=False)
        y = vt.to_tensor(rng.normal(size=(3, 4)).astype("float32"), stop_gradient=False)
        if turn == 0:
            EAGER.calls.forget()
        made = fn(x, y)
        (made.sum() + x.sum() + y.sum()).backward()
        results.append([made.numpy(), x.grad.numpy(), y.grad.numpy()])
    for later in results[1:]:
        for a, b in zip(results[0], later, strict=True):
            np.testing.assert_array_equal(a, b)


def test_a_known_call_is_not_prepared_again(monkeypatch):
    x = vt.ones([2, 3])
    for _ in range(2):
        vt.sum(x, axis=-1)
    monkeypatch.setattr(CallCache, "entry", None)
    monkeypatch.setattr(CachingInterpreter, "apply", None)
    assert vt.sum(x, axis=-1).tolist() == [3.0, 3.0]


def test_other_types_are_other_calls():
    x = vt.ones([2, 3])
    assert (x + x).dtype == vt.float32
    assert (x.astype("float64") + x.astype("float64")).dtype == vt.float64
    assert (x + vt.ones([3])).shape == [2, 3]
    assert (vt.to_tensor([1, 2]) + vt.to_tensor([1.5, 2.5])).tolist() == [2.5, 4.5]


def test_errors_come_each_time():
    x = vt.ones([2, 3])
    for _ in range(3):
        with pytest.raises(ShapeError, match=r"\[2, 3\]"):
            vt.matmul(x, x)
        with pytest.raises(VitrifyError):
            vt.sum(x, axis=5)


def test_the_default_dtype_is_part_of_a_call():
    numbers = vt.to_tensor([1, 2])
    assert vt.exp(numbers).dtype == vt.float32
    vt.set_default_dtype("float64")
    try:
        assert vt.exp(numbers).dtype == vt.float64
    finally:
        vt.set_default_dtype("float32")


def test_checked_results_are_checked_in_known_calls():
    zero = vt.zeros([2])
    vt.log(zero)
    vt.log(zero)
    with detect_anomaly(), pytest.raises(VitrifyError, match="infinite"):
        vt.log(zero)


def test_results_are_no_aliases_of_operands():
    x = vt.ones([2])
    for _ in range(3):
        y = vt.tile(x, [1])
        y.add_(vt.ones([2]))
        assert x.tolist() == [1.0, 1.0] and y.tolist() == [2.0, 2.0]
        z = vt.ones([])
        (z + 0).add_(vt.ones([]))
        assert (z + 0).item() == 1.0


def test_numbers_by_name_are_taken_again() -> None:
    x = vt.to_tensor([1.0, 2.0])
    for _ in range(3):
        assert vt.add(x, y=2).tolist() == [3.0, 4.0]
        assert vt.abs(x=-3).tolist() == 3
    assert [vt.add(x, y=k).tolist() for k in (1, 2)] == [[2.0, 3.0], [3.0, 4.0]]
