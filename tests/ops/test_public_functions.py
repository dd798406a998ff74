"""What Python's own tools see in the public functions, and arguments under Paddle's names."""

from __future__ import annotations

import copy
import inspect
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify.ops.op import Op


@pytest.mark.parametrize("name", ["abs", "add", "max", "einsum", "concat"])
def test_functions_are_functions_for_whoever_asks(name: str) -> None:
    function = getattr(vt, name)
    assert inspect.isfunction(function) and not inspect.isclass(function)
    assert copy.deepcopy(function) is function
    assert function.__qualname__ and inspect.signature(function).parameters
    assert not hasattr(function, "no_such_thing")


def test_a_row_says_its_signature() -> None:
    assert str(inspect.signature(vt.max)) == "(x, axis=None, keepdim=False, *, name=None)"
    assert isinstance(vt.max, Op) and type(vt.max) is Op


def test_rows_are_compiled_and_passed_on_as_before() -> None:
    x = vt.to_tensor([-1.0, 2.0])
    assert vt.jit.to_static(vt.abs)(x).tolist() == [1.0, 2.0]
    assert vt.jit.to_static(lambda fn, x: fn(x))(vt.abs, x).tolist() == [1.0, 2.0]


def test_take_along_axis_broadcasts() -> None:
    x = vt.arange(12).reshape([3, 4])
    assert vt.take_along_axis(arr=x, indices=vt.to_tensor([[2]]), axis=1).tolist() == [[2], [6], [10]]
    assert vt.take_along_axis(x, vt.to_tensor([[2]]), 1, broadcast=False).tolist() == [[2]]
    assert x.take_along_axis(vt.to_tensor([[0, 1, 2, 0]]), 0).tolist() == [[0, 5, 10, 3]]


def test_axes_as_a_tensor() -> None:
    x = vt.ones([2, 3, 4])
    assert vt.sum(x, axis=vt.to_tensor([0, 2])).tolist() == [8.0] * 3
    assert vt.mean(x, axis=np.array([1, 2])).shape == [2]


@pytest.mark.parametrize("sides", [(5, 9, 0, 1), (4, 4, 3, 3), (1, 2, 7, 0)])
def test_circular_margins_go_round_as_often_as_wanted(sides: tuple[int, ...]) -> None:
    x = vt.to_tensor(np.arange(12.0).reshape(1, 1, 3, 4), stop_gradient=False)
    found = vt.nn.functional.pad(x, list(sides), "circular")
    left, right, top, bottom = sides
    expected = np.pad(x.numpy(), [(0, 0), (0, 0), (top, bottom), (left, right)], mode="wrap")
    assert np.array_equal(found, expected)
    found.sum().backward()
    for value in range(12):
        assert x.grad.numpy().ravel()[value] == (expected == value).sum()


def test_stack_takes_a_list() -> None:
    with pytest.raises(TypeError, match="not one tensor"):
        vt.stack(vt.ones([2, 3]))
    assert vt.stack([vt.ones([2, 3])]).shape == [1, 2, 3]


def test_reduce_as_with_sizes_that_a_run_decides() -> None:
    spec = [vt.InputSpec([None, None, 4]), vt.InputSpec([None, 4])]
    reduce = vt.to_static(vt.reduce_as, input_spec=spec)
    for rows in (2, 3):
        x, target = vt.randn([5, rows, 4]), vt.zeros([rows, 4])
        np.testing.assert_allclose(reduce(x, target), x.numpy().sum(0), rtol=1e-6)
    assert vt.reduce_as(vt.ones([5, 2, 4]), vt.zeros([1, 4])).tolist() == [[10.0] * 4]
    with pytest.raises(ValueError, match="doesn't reduce"):
        vt.reduce_as(vt.ones([5, 2, 4]), vt.zeros([3, 4]))
    with pytest.raises(ValueError):
        reduce(vt.ones([5, 2, 4]), vt.zeros([3, 4]))


@pytest.mark.parametrize("captured", [False, True])
def test_an_empty_list_names_no_axis_to_turn_round_and_every_axis_to_drop(captured: bool) -> None:
    def step(x: Any) -> Any:
        return vt.flip(x, []), x.flip(()), vt.squeeze(x, []), vt.squeeze(x, ()), np.squeeze(x, ()), vt.sum(x, [])

    x = vt.arange(4.0).reshape([1, 2, 1, 2])
    made = (vt.to_static(step) if captured else step)(x)
    assert [m.shape for m in made] == [[1, 2, 1, 2], [1, 2, 1, 2], [2, 2], [2, 2], [1, 2, 1, 2], []]
    assert made[0].tolist() == made[1].tolist() == x.tolist() and float(made[-1]) == 6.0
    leaf = vt.ones([2, 2])
    leaf.stop_gradient = False
    (vt.flip(leaf, []) * vt.arange(4.0).reshape([2, 2])).sum().backward()
    assert leaf.grad.tolist() == [[0.0, 1.0], [2.0, 3.0]]
