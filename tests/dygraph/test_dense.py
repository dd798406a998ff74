"""Data of tensors as executors hand it out: sizes, elements, levels of detail."""

from __future__ import annotations

import numpy as np
import pytest

import vitrify as vt
from vitrify.base.core import CPUPlace, DenseTensor, Scope, from_dlpack


def test_data_of_its_own_takes_any_shape_and_dtype() -> None:
    data = DenseTensor()
    assert (data.shape(), data._is_initialized()) == ([], False)
    with pytest.raises(ValueError, match="holds no data yet"):
        np.array(data)
    for array in (np.arange(6.0).reshape(2, 3), np.ones((0, 1), np.int16), np.array(True)):
        data.set(array, CPUPlace())
        array_again = np.array(data)
        assert array_again.dtype == array.dtype and data._dtype() == vt.to_tensor(array).dtype
        np.testing.assert_array_equal(array_again, array)
    np.testing.assert_array_equal(vt.utils.dlpack.from_dlpack(vt.utils.dlpack.to_dlpack(data)).numpy(), array)
    assert type(from_dlpack(data._to_dlpack())) is DenseTensor
    vt.enable_static()
    try:
        np.testing.assert_array_equal(np.array(vt.utils.dlpack.from_dlpack(data._to_dlpack())), array)
    finally:
        vt.disable_static()
    with pytest.raises(ValueError, match="bools and numbers"):
        data.set(["a"], CPUPlace())
    data._clear()
    assert not data._is_initialized()


@pytest.mark.parametrize(("method", "dtype"), [("_alloc_float", "float32"), ("_alloc_int", "int32")])
@pytest.mark.parametrize("owner", ["own", "scope"])
def test_room_is_made_for_sizes_that_were_set(method: str, dtype: str, owner: str) -> None:
    data = DenseTensor() if owner == "own" else Scope().var("x").get_tensor()
    data._set_dims([2, 3])
    getattr(data, method)(CPUPlace())
    assert (np.array(data).shape, np.array(data).dtype) == ((2, 3), np.dtype(dtype))
    assert data._mutable_data(CPUPlace(), vt.float64) > 0 and data._ptr() > 0
    assert (data._dtype(), data.numel(), data._get_dims()) == (vt.float64, 6, [2, 3])


def test_sizes_of_data_that_is_there() -> None:
    data = DenseTensor()
    data.set(np.arange(6), CPUPlace())
    data._set_dims([3, 2])
    assert np.array(data).tolist() == [[0, 1], [2, 3], [4, 5]]


def test_pieces_are_copies() -> None:
    data, array = DenseTensor(), np.arange(27.0).reshape(3, 3, 3)
    data.set(array, CPUPlace())
    for piece in (np.s_[1], np.s_[2::-2], np.s_[0::1, 0::-1, 2:]):
        np.testing.assert_array_equal(np.array(data[piece]), array[piece])
    part = data._slice(0, 2)
    part._set_double_element(0, 7.5)
    assert (part._get_double_element(0), data._get_double_element(0)) == (7.5, 0.0)
    other = data._as_type(vt.int64)
    assert (other._dtype(), data._dtype()) == (vt.int64, vt.float64)
    data._copy_from(part)
    assert data.shape() == [2, 3, 3]


def test_complex_elements() -> None:
    data = DenseTensor()
    data.set(np.zeros(2, np.complex64), CPUPlace())
    data._set_complex64_element(1, 1 + 2j)
    assert data._get_complex64_element(1) == 1 + 2j


def test_levels_of_detail() -> None:
    data = DenseTensor()
    data.set_recursive_sequence_lengths([[2, 1], [1, 2, 2]])
    data.set(np.ones((5, 2)), CPUPlace())
    assert data.has_valid_recursive_sequence_lengths()
    assert (data.recursive_sequence_lengths(), data.lod()) == ([[2, 1], [1, 2, 2]], [[0, 2, 3], [0, 1, 3, 5]])
    data.set(np.ones((6, 2)), CPUPlace())
    assert not data.has_valid_recursive_sequence_lengths()
    for wrong in ([[2, 2]], [[], [1], [3]], [[1], [2, 4]], [[7, -1]]):
        with pytest.raises(ValueError, match="don't add up"):
            data.set_recursive_sequence_lengths(wrong)
    data.set_lod([[0, 4, 6]])
    assert data.recursive_sequence_lengths() == [[4, 2]]
    assert "lod=[[0, 4, 6]]" in repr(data)
    with pytest.raises(AssertionError, match="have the lengths"):
        vt.base.create_lod_tensor([[1, 2, 3], [3, 4]], [[2, 2]], CPUPlace())
    with pytest.raises(TypeError, match="an array, a list or a DenseTensor"):
        vt.base.create_lod_tensor(3, [[1]], CPUPlace())


def test_the_data_of_a_tensor_keeps_shape_and_dtype() -> None:
    x = vt.zeros([2])
    x.get_tensor().set(np.array([1, 2]), CPUPlace())
    assert (x.tolist(), x.dtype) == ([1, 2], vt.float32)
    with pytest.raises(ValueError, match=r"shape \[2\], not \[3\]"):
        x.get_tensor().set(np.ones(3), CPUPlace())
