"""A NumPy array from outside (an attribute, a closure) that is indexed by what only a run knows: a replay buffer."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import vitrify as vt

OBSERVATIONS = np.arange(12, dtype="float32").reshape(4, 3)


class Buffer:
    def __init__(self) -> None:
        self.observations = np.arange(12, dtype="float32").reshape(4, 3)
        self.actions = np.array([3, 1, 0, 2])
        self.rewards = np.array([0.5, 1.0, -1.0, 2.0])  # float64
        self.done = np.array([True, False, False, True])


def by_an_array(b: Buffer, idx: Any) -> Any:
    return vt.to_tensor(b.observations[idx])


def several(b: Buffer, idx: Any) -> Any:
    return vt.to_tensor(b.observations[idx]), vt.to_tensor(b.actions[idx]), vt.to_tensor(b.done[idx])


def beside_tensors(b: Buffer, idx: Any) -> Any:
    return vt.ones([2, 3]) * b.observations[idx] + vt.to_tensor(b.rewards[idx]).astype("float32").unsqueeze(1)


def float64s(b: Buffer, idx: Any) -> Any:
    return vt.to_tensor(b.rewards[idx])


def of_a_global(b: Buffer, idx: Any) -> Any:
    return vt.to_tensor(OBSERVATIONS[idx])


def a_copy_written(b: Buffer, idx: Any) -> Any:
    rows = b.observations[idx].copy()
    rows[0] = 7.0
    return vt.to_tensor(rows)


FORMS = [by_an_array, several, beside_tensors, float64s, of_a_global, a_copy_written]


def told(value: Any) -> Any:
    if isinstance(value, tuple):
        return [told(v) for v in value]
    return value.dtype.name, value.tolist()


@pytest.mark.parametrize("form", FORMS, ids=lambda f: f.__name__)
def test_the_elements_are_gathered(form: Callable[..., Any]) -> None:
    buffer = Buffer()
    compiled = vt.jit.to_static(lambda idx: form(buffer, idx))
    for idx in ([0, 2], [3, 3], [-1, 1], [2, 0]):
        assert told(compiled(np.array(idx))) == told(form(buffer, np.array(idx)))


def test_the_next_call_sees_new_elements() -> None:
    buffer = Buffer()
    compiled = vt.jit.to_static(lambda idx: by_an_array(buffer, idx))
    idx = np.array([1, 3])
    for k in range(3):
        buffer.observations[1] = k * 10.0
        assert told(compiled(idx)) == told(by_an_array(buffer, idx))
    buffer.observations = buffer.observations * 2
    assert told(compiled(idx)) == told(by_an_array(buffer, idx))


def test_by_a_tensors_number_and_by_a_mask() -> None:
    buffer = Buffer()

    def row(t: Any) -> Any:
        return vt.to_tensor(buffer.observations[int(t)]) + 1.0

    def masked(mask: Any) -> Any:
        return vt.to_tensor(buffer.observations[mask])

    for t in (0, 2, -1):
        assert told(vt.jit.to_static(row)(vt.to_tensor(t))) == told(row(vt.to_tensor(t)))
    for mask in ([True, False, True, False], [False] * 4):
        assert told(vt.jit.to_static(masked)(np.array(mask))) == told(masked(np.array(mask)))


def test_an_index_outside_is_an_index_error() -> None:
    buffer = Buffer()

    def guarded(idx: Any) -> Any:
        try:
            return by_an_array(buffer, idx)
        except IndexError:
            return vt.zeros([2, 3])

    for fn in (lambda idx: by_an_array(buffer, idx), guarded):
        compiled = vt.jit.to_static(fn)
        assert compiled(np.array([0, 1])).tolist() == by_an_array(buffer, np.array([0, 1])).tolist()
        if fn is guarded:
            assert compiled(np.array([0, 9])).tolist() == [[0.0] * 3] * 2
        else:
            with pytest.raises(IndexError):
                compiled(np.array([0, 9]))


def test_a_part_is_not_written() -> None:
    buffer = Buffer()

    def written(t: Any) -> Any:
        row = buffer.observations[int(t)]
        row += 1.0
        return vt.to_tensor(row)

    with pytest.raises(vt.errors.CaptureError, match="test_arrays_read_at_run_time"):
        vt.jit.to_static(written)(vt.to_tensor(1))
