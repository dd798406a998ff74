"""Loops over arrays around one expression of kernels: what tests and tools try functions of kernels with."""

from __future__ import annotations

import ctypes
from functools import cache
from typing import Any

import numpy as np

from ..base.dtype import as_dtype
from ..runtime.kernel_cache import KernelSource, addresses


class ElementLoop:
    """A compiled loop; called with its arrays, the last one for results. source: its kernel."""

    def __init__(self, expression: str, result: str, arguments: tuple[str, ...], *, fast: bool) -> None:
        lines = [f"        {name} = p{k}[i]" for k, name in enumerate("ABCDEF"[: len(arguments)])]
        parameters = "".join(f"p{k}, " for k in range(len(arguments) + 1))
        store = f"        p{len(arguments)}[i] = {expression}"
        text = "\n".join([f"def body({parameters}lo, hi):", "    for i in range(lo, hi):", *lines, store, ""])
        self.kinds = [as_dtype(kind) for kind in (*arguments, result)]
        self.source = KernelSource("element_loop", text, tuple(kind.short for kind in self.kinds), 0, fast=fast)
        (address,) = addresses([self.source])
        self.enter = ctypes.CFUNCTYPE(None, *[ctypes.c_int64] * 4)(address)

    def __call__(self, *arrays: Any) -> None:
        for kind, array in zip(self.kinds, arrays, strict=True):
            assert array.dtype == kind.numpy
            assert array.flags.c_contiguous
            assert array.shape == arrays[-1].shape
        pointers = (ctypes.c_int64 * len(arrays))(*[a.ctypes.data for a in arrays])
        self.enter(ctypes.addressof(pointers), ctypes.addressof(ctypes.c_int64(0)), 0, int(np.size(arrays[-1])))


@cache
def element_loop(expression: str, result: str, *arguments: str, fast: bool = False) -> ElementLoop:
    """A function of arrays and a last one for results, all of one shape: out[i] = expression of A, B, ... and i.

    expression: in the language of kernels; `A` is the element of the first array. result, arguments: dtypes. fast: with
    LLVM's flags of fast arithmetic.

    >>> import numpy as np
    >>> x, out = np.array([1.0, 4.0]), np.zeros(2)
    >>> element_loop("sqrt_f64(A) + i", "float64", "float64")(x, out)
    >>> out.tolist()
    [1.0, 3.0]
    """
    return ElementLoop(expression, result, arguments, fast=fast)
