"""Python objects as text that ranks exchange: plain data alone, so that nothing is executed where it is read.

Numbers, texts, bytes, None, lists, tuples, dicts, sets, arrays of NumPy and its numbers, and tensors. Each rank gets
objects of its own, in the simulator, too.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from typing import Any

import numpy as np

from ..base.errors import KindError
from ..dygraph.conversions import to_tensor
from ..dygraph.tensor import Tensor

_PLAIN = (type(None), bool, int, float, str)
_SEQUENCES: dict[type, str] = {list: "list", tuple: "tuple", set: "set", frozenset: "frozenset"}
_MAKERS: dict[str, Callable[[list[Any]], Any]] = {"list": list, "tuple": tuple, "set": set, "frozenset": frozenset}


def text_of(value: Any, what: str) -> str:
    """An object as text. Errors: KindError for what isn't plain data."""
    return json.dumps(_written(value, what))


def object_of(text: str) -> Any:
    """The object that `text_of` wrote."""
    return _read(json.loads(text))


def _written(value: Any, what: str) -> Any:
    kind = type(value)
    if kind in _PLAIN:
        return value
    if kind in _SEQUENCES:
        return [_SEQUENCES[kind], [_written(item, what) for item in value]]
    if kind is dict:
        return ["dict", [[_written(key, what), _written(item, what)] for key, item in value.items()]]
    if kind is complex:
        return ["complex", [value.real, value.imag]]
    if kind is bytes:
        return ["bytes", base64.b64encode(value).decode()]
    if isinstance(value, Tensor):
        return ["tensor", [_written(value.numpy(), what), value.stop_gradient]]
    if isinstance(value, (np.ndarray, np.generic)) and not value.dtype.hasobject and value.dtype.names is None:
        name = "array" if isinstance(value, np.ndarray) else "number"
        return [name, [value.dtype.str, list(value.shape), base64.b64encode(value.tobytes()).decode()]]
    raise KindError(
        f"{what} can't send a {kind.__name__} to other ranks",
        remedy="send plain data: numbers, texts, bytes, lists, tuples, dicts, sets, arrays, tensors",
    )


def _read(found: Any) -> Any:
    if not isinstance(found, list):
        return found
    name, inner = found
    if name in _MAKERS:
        return _MAKERS[name]([_read(item) for item in inner])
    if name == "dict":
        return {_read(key): _read(item) for key, item in inner}
    if name == "complex":
        return complex(*inner)
    if name == "bytes":
        return base64.b64decode(inner)
    if name == "tensor":
        return to_tensor(_read(inner[0]), stop_gradient=inner[1])
    dtype, shape, data = inner
    array = np.frombuffer(base64.b64decode(data), np.dtype(dtype)).reshape(shape)
    return array.copy() if name == "array" else array[()]
