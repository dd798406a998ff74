"""What calls of LAPACK mean in kernels: the same routines, called with the arrays of the reference (reference.py)."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

import numpy as np

from ...base.errors import KernelError
from ..vm import lapack

_SHORT = {np.dtype(np.float32): "f32", np.dtype(np.float64): "f64"}


def routine(name: str) -> Callable[..., int]:
    """A routine as the reference calls it: the element type, then what a kernel hands over; gives its `info`."""

    def run(kind: np.dtype[Any], *values: Any) -> int:
        symbol = lapack.symbol(name, _SHORT[kind])
        place = lapack.address(symbol)
        if place is None:
            raise KernelError(f"`{symbol}` is missing")
        rest = list(values)
        given: list[Any] = []
        for letter in lapack.ROUTINES[name]:
            value = rest.pop(0)
            if letter in "ap":
                start = (value.start + int(rest.pop(0))) * value.array.itemsize
                given.append(ctypes.c_void_p(value.array.ctypes.data + start))
            else:
                given.append(ctypes.byref(ctypes.c_char(int(value)) if letter == "c" else ctypes.c_int32(int(value))))
        info = ctypes.c_int32()
        lengths = [ctypes.c_size_t(1)] * lapack.ROUTINES[name].count("c")
        ctypes.CFUNCTYPE(None)(place)(*given, ctypes.byref(info), *lengths)
        return info.value

    return run
