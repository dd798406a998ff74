"""Arrays and numbers given to functions while a program is built.

Operands must be variables, as in Paddle: an array that the user passes where a tensor belongs would silently become a
constant of the program.
"""

from __future__ import annotations

import sys
from types import FrameType
from typing import Any

import numpy as np

from ..base.errors import KindError
from ..base.frame_marks import takes_tensors, wrapper
from ..base.location import caller_loc, is_library_file
from ..dygraph.dense import DenseTensor

TAKE_ARRAYS = {"assign", "method", "setitem"}  # methods stand for operators, too


def refuse_constant(data: Any) -> None:
    """Errors: KindError if `data` is an array that the user gave to a function, or a number as its only tensor."""
    if isinstance(data, DenseTensor):
        raise KindError("an op needs a Variable, not a bare DenseTensor", loc=caller_loc(), remedy="feed it")
    if not isinstance(data, (np.ndarray, int, float, str)):
        return
    frame, entered = sys._getframe(2), None
    while frame is not None and is_library_file(frame.f_code.co_filename):
        if frame.f_code not in wrapper:
            entered = frame
        frame = frame.f_back  # type: ignore[assignment]
    if frame is None or entered is None or not _is_argument(entered, data):
        return
    raise KindError(
        f"{_name(entered)} needs a Variable, not {_kind(data)}, while a program is built",
        loc=caller_loc(),
        remedy="give static.data, or to_tensor(array) for a constant",
    )


def _kind(data: Any) -> str:
    return "an array" if isinstance(data, np.ndarray) else f"a {type(data).__name__}"


def _name(frame: FrameType) -> str:
    held = frame.f_locals
    function = held.get("fn", held.get("self"))  # of a wrapper, or a row's __call__
    name = getattr(function, "name", None) or getattr(function, "__name__", None) or frame.f_code.co_name
    return str(name).rstrip("_")


def _is_argument(frame: FrameType, data: Any) -> bool:
    """Whether the public function, or row, that this is a call of got `data` itself; operators take arrays."""
    code, held = frame.f_code, frame.f_locals
    if code.co_name == "__call__" and hasattr(held.get("self"), "operands"):
        if not isinstance(data, np.ndarray):  # operators of two tensors take numbers
            return len(held["self"].operands) == 1
        return any(data is x for x in (*held.get("args", ()), *held.get("kwargs", {}).values()))
    if code.co_name.startswith("__") or code.co_name in TAKE_ARRAYS or frame not in takes_tensors:
        return False
    if not isinstance(data, np.ndarray):
        first = code.co_varnames[0] if code.co_argcount else ""
        return first in ("x", "input") and held.get(first) is data
    names = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]
    return any(held.get(n) is data for n in names)
