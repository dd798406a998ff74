"""Python numbers in lists whose length only a run knows: they come back as Python numbers, of Python's width."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import vitrify as vt


def places(x: Any) -> Any:
    found = []
    for k in range(x.shape[0]):
        if x[k] > 0:
            found.append(k)
    return found, sum(found), len(found), [k + 1 for k in found], 2 in found


def history(x: Any) -> Any:
    found = []
    for v in x:
        if v > 0:
            found.append(v.item() * 0.1)
    return found, max(found) if found else -1.0


def pairs(x: Any) -> Any:
    found = [(0, 1.5)]
    for k, v in enumerate(x):
        if v > 0:
            found.append((k, float(v) * 2))
    return found, found[-1][0] + 1, found[-1][1] * x


def flags(x: Any) -> Any:
    found = []
    while x.sum() < 10:
        x = x + 1
        found.append(True)
        if x[0] > 3:
            found.append(False)
    return found


def replaced(x: Any) -> Any:
    found = []
    for k, v in enumerate(x):
        if v > 0:
            found.append(k)
    if len(found) > 1:
        found[0] = 100
    total = 0
    for k in found:
        total = total + k * 2
    return found, total


def added(x: Any) -> Any:
    found = []
    for v in x:
        if v > 0:
            found.append(0.1)  # not a float32 number
    return found, sum(found, 0.0)


def copied(x: Any) -> Any:
    step = int(x[0])
    return copy.copy(step), copy.deepcopy(step), copy.deepcopy([step, {"of": step * 0.5}])


def plain(value: Any) -> Any:
    """The types, too: 1, True and 1.0 are equal."""
    if isinstance(value, (list, tuple)):
        return type(value)(map(plain, value))
    return (value.dtype.name, value.tolist()) if isinstance(value, vt.Tensor) else repr(value)


@pytest.mark.parametrize("numbers", [[1.0, -1.0, 2.0, 3.0], [-1.0, -2.0, -3.0, -4.0], [0.3, 1.0, 1.0, 1.0]])
@pytest.mark.parametrize("fn", [places, history, pairs, flags, replaced, added, copied])
def test_numbers_stay_numbers(fn: Any, numbers: list[float]) -> None:
    x = vt.to_tensor(np.array(numbers, np.float32))
    compiled = vt.to_static(fn)
    assert plain(compiled(x)) == plain(fn(x))
    assert plain(compiled(x * 0 - 1)) == plain(fn(x * 0 - 1))


def test_an_item_that_a_number_of_the_call_chooses_is_a_number() -> None:
    @vt.to_static
    def chosen(x: Any, k: int) -> Any:
        return [1, 2, 5][k], (0.1, 0.2, 0.3)[k], x * [1.0, 2.0, 3.0][k]

    for k in range(3):
        whole, part, product = chosen(vt.ones([1]), k)
        assert plain([whole, part]) == plain([[1, 2, 5][k], [0.1, 0.2, 0.3][k]])
        assert product.tolist() == [1.0 + k]


def test_a_list_of_an_object_gets_numbers() -> None:
    class Trainer:
        steps = 0

        def __init__(self) -> None:
            self.logged: list[float] = []

        def step(self, x: Any) -> Any:
            self.steps += 1
            if self.steps % 2 == 0:
                self.logged.append(float(self.steps))
            return x * self.steps

    trainer = Trainer()
    step = vt.to_static(trainer.step)
    for _ in range(6):
        step(vt.ones([2]))
    assert plain(trainer.logged) == plain([2.0, 4.0, 6.0])


def beside_tensors(x: Any) -> Any:
    found = []
    for v in x:
        if v > 0:
            found.append(0.25)
        else:
            found.append(v)
    return vt.stack([vt.to_tensor(v) * 2 for v in found])


def put_beside(x: Any) -> Any:
    found = []
    for k in range(x.shape[0]):
        if x[k] > 0:
            found.append(0.5)
    if len(found) > 1:
        found[1] = x[0] * 3
    return found[-1] * x


@pytest.mark.parametrize("fn", [beside_tensors, put_beside])
def test_beside_tensors_they_are_tensors(fn: Any) -> None:
    compiled = vt.to_static(fn)
    for numbers in ([1.0, -1.0, 2.0], [3.0, 1.0, 1.0], [2.0, 2.0, -5.0]):
        x = vt.to_tensor(np.array(numbers, np.float32))
        got, wanted = compiled(x), fn(x)
        assert got.dtype == wanted.dtype
        np.testing.assert_array_equal(got.numpy(), wanted.numpy())


def test_saved_models_give_numbers(tmp_path: Path) -> None:
    vt.jit.save(vt.to_static(pairs), str(tmp_path / "model"), input_spec=[vt.static.InputSpec([None], "float32")])
    loaded = vt.jit.load(str(tmp_path / "model"))
    x = vt.to_tensor(np.array([1.0, -1.0, 2.0], np.float32))
    assert plain(loaded(x)) == plain(pairs(x))


def ahead_of_tensors(x: Any) -> Any:
    found = [1.5, 7]
    for v in x:
        if v > 0:
            found.append(v)
    return found, found[0]


def of_two_kinds(x: Any) -> Any:
    found, n = [0.5], 0
    for v in x:
        if v > 0:
            n = n + 1
        else:
            found.append(n)
    return {"found": found}


def inserted(x: Any) -> Any:
    found = [1.5]
    while x.sum() < 20:
        x = x * 2 + 1
        found.insert(1, x.sum())
    return found, found[0]


def _shown(value: Any) -> Any:
    if isinstance(value, (list, tuple)):
        return [_shown(v) for v in value]
    if isinstance(value, dict):
        return {k: _shown(v) for k, v in value.items()}
    return type(value).__name__, value.tolist() if isinstance(value, vt.Tensor) else value


@pytest.mark.parametrize("fn", [ahead_of_tensors, of_two_kinds, inserted])
def test_items_that_no_iteration_changes_keep_their_types(fn: Any, tmp_path: Path) -> None:
    compiled = vt.to_static(fn)
    for numbers in ([1.0, -1.0, 2.0], [3.0, 1.0, 1.0], [-2.0, -2.0, -5.0 if fn is not inserted else 9.0]):
        x = vt.to_tensor(np.array(numbers, np.float32))
        assert _shown(compiled(x)) == _shown(fn(x))
    vt.jit.save(vt.to_static(fn), str(tmp_path / "model"), input_spec=[vt.static.InputSpec([3], "float32")])
    assert _shown(vt.jit.load(str(tmp_path / "model"))(x)) == _shown(fn(x))
