"""The `onnx` library, which is optional, and what both directions agree on: element types and versions."""

from __future__ import annotations

import importlib
from typing import Any

from ..base import dtype as dt
from ..base.dtype import DType
from ..base.errors import MissingDependencyError

LEAST_OPSET, DEFAULT_OPSET, MOST_OPSET = 13, 18, 22  # of what we write
IR_VERSION = 10  # the newest file format of opset 21 and before; readers of older opsets take it too

BUFFERS_KEY = "vitrify.buffers"  # metadata of our models: names of initializers that training doesn't move

ELEMENT_TYPES: dict[DType, int] = {  # TensorProto.DataType
    dt.float32: 1, dt.uint8: 2, dt.int8: 3, dt.int16: 5, dt.int32: 6, dt.int64: 7, dt.bool_: 9, dt.float16: 10,
    dt.float64: 11, dt.complex64: 14, dt.complex128: 15, dt.bfloat16: 16,
}  # fmt: skip
DTYPES = {number: dtype for dtype, number in ELEMENT_TYPES.items()}


def onnx_module(module: str = "onnx") -> Any:
    """The module `onnx`, or a module of it; MissingDependencyError where it isn't installed."""
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise MissingDependencyError(
            f"reading and writing ONNX models needs the library onnx ({error})",
            remedy="pip install vitrify[onnx]",
        ) from error
