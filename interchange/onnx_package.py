"""The `onnx` library, which is optional, and what both directions agree on: element types and versions."""

from __future__ import annotations

import importlib
from typing import Any

from ..base import dtype as dt
from ..base.errors import MissingDependencyError

LEAST_OPSET, DEFAULT_OPSET, MOST_OPSET = 13, 18, 22  # of what we write
IR_VERSION = 10  # the newest file format of opset 21 and before; readers of older opsets take it too

ASSUMED_KEY = "vitrify.assumed"  # and what they take for granted of sizes, as in `N-4 >= 0; M == 0`
BUFFERS_KEY = "vitrify.buffers"  # metadata of our models: names of initializers that training doesn't move
UNTRAINED_KEY = "vitrify.untrained"  # names of those among them that are parameters all the same

# Element types without a counterpart here, by ONNX's number: the dtype that carries their values.
CARRIERS = {
    4: dt.int32, 12: dt.int64, 13: dt.int64, 17: dt.float32, 18: dt.float32, 19: dt.float32, 20: dt.float32,
    21: dt.uint8, 22: dt.int8, 23: dt.float32, 25: dt.uint8, 26: dt.int8,
}  # fmt: skip
DTYPES = {dtype.onnx: dtype for dtype in (*dt.ALL, dt.bfloat16)}


def onnx_module(module: str = "onnx") -> Any:
    """The module `onnx`, or a module of it; MissingDependencyError where it isn't installed."""
    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise MissingDependencyError(
            f"reading and writing ONNX models needs the library onnx ({error})",
            remedy="pip install vitrify[onnx]",
        ) from error
