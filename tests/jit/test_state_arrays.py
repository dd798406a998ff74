"""The arrays that a call takes from outside: taken again whenever another one may be there, and only then."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace

import numpy as np
import pytest

import vitrify as vt
from vitrify.jit.call import state_arrays


def _stepping() -> tuple[vt.Tensor, Callable[[], None]]:
    """A parameter with a gradient, and a compiled step of SGD with rate 1 that reads it from outside."""
    weight = vt.to_tensor([10.0, 20.0], stop_gradient=False)
    (weight * vt.to_tensor([1.0, 2.0])).sum().backward()
    optimizer = vt.optimizer.SGD(1.0, parameters=[weight])

    @vt.to_static
    def step() -> None:
        optimizer.step()

    for _ in range(3):
        step()
    np.testing.assert_array_equal(weight.numpy(), [7.0, 14.0])
    return weight, step


def _new_gradient(weight: vt.Tensor) -> None:
    weight.grad = vt.to_tensor([5.0, 5.0])


def _written_gradient(weight: vt.Tensor) -> None:
    weight.grad.set_value(np.array([5.0, 5.0], np.float32))


def _twin_of_gradient(weight: vt.Tensor) -> None:
    twin = weight.grad.detach()
    twin[:] = 5.0


def _accumulated_gradient(weight: vt.Tensor) -> None:
    (weight * vt.to_tensor([4.0, 3.0])).sum().backward()


@pytest.mark.parametrize("change", [_new_gradient, _written_gradient, _twin_of_gradient, _accumulated_gradient])
def test_a_gradient_that_changed_between_calls_is_the_one_that_counts(change: Callable[[vt.Tensor], None]) -> None:
    weight, step = _stepping()
    change(weight)
    step()
    np.testing.assert_array_equal(weight.numpy(), [2.0, 9.0])
    step()
    np.testing.assert_array_equal(weight.numpy(), [-3.0, 4.0])


def test_a_gradient_that_went_away_leaves_the_parameter_alone() -> None:
    weight, step = _stepping()
    weight.clear_gradient(set_to_zero=False)
    step()
    np.testing.assert_array_equal(weight.numpy(), [7.0, 14.0])


def test_gradients_that_stay_are_not_taken_again(monkeypatch: pytest.MonkeyPatch) -> None:
    _, step = _stepping()
    taken = []
    original = state_arrays.StateArrays._take
    monkeypatch.setattr(
        state_arrays.StateArrays, "_take", lambda self, leaves: (taken.append(1), original(self, leaves))[1]
    )
    for _ in range(5):
        step()
    assert not taken


def test_a_snapshot_of_a_parameter_keeps_its_values_while_steps_write() -> None:
    weight, step = _stepping()
    before = weight.detach().clone()
    view = weight[0:1]
    step()
    np.testing.assert_array_equal(before.numpy(), [7.0, 14.0])
    np.testing.assert_array_equal(view.numpy(), [6.0])  # views follow
    np.testing.assert_array_equal(weight.numpy(), [6.0, 12.0])


def test_a_tensor_converted_in_place_is_read_in_its_new_dtype() -> None:
    values = vt.to_tensor([1.5, 2.5])

    @vt.to_static
    def doubled() -> vt.Tensor:
        return values * 2

    doubled()
    doubled()
    values.cast_("float64")
    made = doubled()
    assert made.dtype == vt.float64
    np.testing.assert_array_equal(made.numpy(), [3.0, 5.0])


def test_a_tensor_put_in_place_on_one_path_is_read_next() -> None:
    """The program itself put it there: the state knows the new tensor, but has to take its array."""
    box = SimpleNamespace(last=vt.zeros([2]))

    @vt.jit.to_static
    def step(x: vt.Tensor) -> vt.Tensor:
        if x.sum() > 0:
            box.last = x * 2.0
        return box.last + 1.0

    up, down = vt.to_tensor([1.0, 2.0]), vt.to_tensor([-1.0, -2.0])
    assert [step(x).tolist() for x in (up, up * 3.0, down, up, down)] == [
        [3.0, 5.0], [7.0, 13.0], [7.0, 13.0], [3.0, 5.0], [3.0, 5.0],
    ]  # fmt: skip
    assert box.last.tolist() == [2.0, 4.0]
