"""Sums, means, extremes, places of extremes, running sums."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...base.dtype import int32
from ...ir.core import Operation
from ..writer import Writer
from .kinds import Emitter


def reduced(w: Writer, kind: str, x: str, axes: Sequence[int], keepdim: bool) -> str:
    """A reduction; its axes became an input with opset 18 (ReduceSum: 13)."""
    if not axes:
        return w.node("Identity", x)
    if w.opset >= 18 or kind == "ReduceSum":
        return w.node(kind, x, w.ints(axes), keepdims=int(keepdim))
    return w.node(kind, x, axes=list(axes), keepdims=int(keepdim))


def _reduction(kind: str) -> Emitter:
    """The operand is first cast to the result's dtype: sums of bools and small integers are wide."""

    def emit(w: Writer, o: Operation, x: str) -> str:
        source, result = o.operands[0].dtype, o.result.dtype
        if source is not result:
            x = w.node("Cast", x, to=w.element_type(result))
        return reduced(w, kind, x, o.attrs["axis"], o.attrs["keepdim"])

    return emit


def _of_bools(kind: str) -> Emitter:
    def emit(w: Writer, o: Operation, x: str) -> str:
        number = w.node("Cast", x, to=int32.onnx)
        found = reduced(w, kind, number, o.attrs["axis"], o.attrs["keepdim"])
        return w.node("Cast", found, to=w.element_type(o.result.dtype))

    return emit


def _place(kind: str) -> Emitter:
    def emit(w: Writer, o: Operation, x: str) -> str:
        return w.node(kind, x, axis=o.attrs["axis"], keepdims=int(o.attrs["keepdim"]))

    return emit


def _cumsum(w: Writer, o: Operation, x: str) -> str:
    if o.operands[0].dtype is not o.result.dtype:
        x = w.node("Cast", x, to=w.element_type(o.result.dtype))
    return w.node("CumSum", x, w.constant(np.asarray(o.attrs["axis"], np.int64)), reverse=int(o.attrs["reverse"]))


ROWS: dict[str, Emitter] = {
    "all": _of_bools("ReduceMin"),
    "any": _of_bools("ReduceMax"),
    "argmax": _place("ArgMax"),
    "argmin": _place("ArgMin"),
    "cumsum": _cumsum,
    "max": _reduction("ReduceMax"),
    "mean": _reduction("ReduceMean"),
    "min": _reduction("ReduceMin"),
    "prod": _reduction("ReduceProd"),
    "sum": _reduction("ReduceSum"),
}
