"""A dtype is one row: what files, kernels and rules know of it comes from there."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from vitrify.base import dtype as dt
from vitrify.base.dtype import DType, as_dtype


def test_the_tables_come_from_the_rows() -> None:
    assert [d.name for d in dt.ALL] == [
        "bool", "uint8", "int8", "int16", "int32", "int64", "float16", "bfloat16", "float32", "float64", "complex64",
        "complex128",
    ]  # fmt: skip
    assert [d.short for d in dt.NATIVE] == ["bool", "u8", "i8", "i16", "i32", "i64", "f32", "f64"]
    assert (dt.float32, dt.float64) == dt.FLOATS
    assert (dt.complex64, dt.complex128) == dt.COMPLEX
    assert (dt.uint8, dt.int8, dt.int16) == dt.SHORT_INTEGERS
    assert set(dt.ARITHMETIC) == set(dt.INTEGERS) | set(dt.FLOATS)


@pytest.mark.parametrize("dtype", dt.ALL, ids=str)
def test_each_row_is_whole(dtype: DType) -> None:
    assert dtype.itemsize == dtype.numpy.itemsize
    assert as_dtype(dtype.name) is as_dtype(dtype.short) is as_dtype(dtype.numpy) is dtype
    accumulator = as_dtype(dtype.accumulator)
    assert accumulator.itemsize >= dtype.itemsize
    assert np.can_cast(dtype.numpy, accumulator.numpy) or dtype is dt.bfloat16
    assert len({d.onnx for d in dt.ALL}) == len({d.safetensors for d in dt.ALL}) == len(dt.ALL)


@pytest.mark.parametrize("dtype", dt.ALL, ids=str)
def test_the_numbers_of_onnx_are_its_own(dtype: DType) -> None:
    onnx = pytest.importorskip("onnx")
    name = {"float32": "FLOAT", "float64": "DOUBLE"}.get(dtype.name, dtype.name.upper())
    assert onnx.TensorProto.DataType.Value(name) == dtype.onnx


@pytest.mark.parametrize("dtype", dt.NATIVE, ids=str)
def test_kernels_hold_elements_as_the_row_says(dtype: DType) -> None:
    from vitrify.runtime.codegen.element_types import ELEMENT_TYPES, FLOAT_TYPES, INTEGER_TYPES

    held = ELEMENT_TYPES[dtype.short]
    assert str(held.llvm) == dtype.llvm
    assert held.itemsize == dtype.itemsize
    assert (dtype.short in FLOAT_TYPES) == dtype.is_floating
    assert (dtype.short in INTEGER_TYPES) == dtype.is_integer


@pytest.mark.parametrize("dtype", dt.INTEGERS, ids=str)
def test_unsigned_dtypes_start_at_zero(dtype: DType) -> None:
    assert dtype.is_unsigned == (np.iinfo(dtype.numpy).min == 0)


@pytest.mark.parametrize(
    ("spec", "name"),
    [
        (float, "float64"), (complex, "complex128"), ("float", "float64"), ("half", "float16"), ("short", "int16"),
        ("long", "int64"), ("int", "int64"), ("double", "float64"),
    ],
)  # fmt: skip
def test_names_of_python_and_c_mean_what_numpy_takes_them_for(spec: Any, name: str) -> None:
    assert as_dtype(spec).name == np.dtype(spec).name == name


def test_dtypes_have_paddles_numbers() -> None:
    assert [int(as_dtype(name)) for name in ("bool", "int64", "float32", "uint8", "bfloat16")] == [0, 3, 5, 20, 22]
