"""Aligned arrays: where they begin, and that views of them keep them."""

from __future__ import annotations

import sys

import numpy as np
import pytest

import vitrify as vt
from vitrify.base.memory import WORTH_IT, aligned_copy, aligned_empty


@pytest.mark.parametrize("dtype", ["float32", "float64", "bool", "int16"])
@pytest.mark.parametrize("shape", [(), (0, 3), (7,), (300, 301)])
def test_arrays_begin_at_a_line(shape: tuple[int, ...], dtype: str) -> None:
    made = aligned_empty(shape, np.dtype(dtype))
    assert made.shape == shape
    assert made.dtype == dtype
    assert made.flags.c_contiguous
    assert made.flags.writeable
    assert type(made) is np.ndarray
    assert made.ctypes.data % 64 == 0


def test_views_refer_to_the_array() -> None:
    """Pools count references: a view's must be to the array, not to the memory behind it."""
    made = aligned_empty((300, 300), np.dtype("float32"))
    before = sys.getrefcount(made)
    view = made[3:].reshape(-1)[5:]
    assert view.base is made
    assert sys.getrefcount(made) == before + 1


def test_copies_in_any_order_of_memory() -> None:
    x = np.random.default_rng(0).standard_normal((200, 300))
    for array in (x, x.T, x[::2, ::3], x[:3], np.float64(2) * np.ones(())):
        made = aligned_copy(array)
        assert np.array_equal(made, array)
        assert made.flags.c_contiguous
        assert not np.may_share_memory(made, array)
        assert array.nbytes < WORTH_IT or made.ctypes.data % 64 == 0


def test_results_and_tensors_of_arrays_are_aligned() -> None:
    add = vt.to_static(_add_one)
    x = vt.to_tensor(np.zeros((200, 200), np.float32))
    first = add(x)
    view = first.numpy()[5:]
    del first
    second = add(x * 3 + 2)
    assert (view == 1).all()  # the pool didn't hand its memory out again
    for made in (x, second):
        assert made.__array__(copy=False).ctypes.data % 64 == 0


def _add_one(x: vt.Tensor) -> vt.Tensor:
    return x + 1
