"""How operations become ONNX nodes: one row per op.

A row is a function `(writer, operation, *names of the operands) -> name of the result (or names)`. Elementwise ops
whose row in the op table names an ONNX operator need no row here.
"""

from __future__ import annotations

from ...ir.core import Operation
from ...ops.op import OPS, Op
from ...ops.types import TensorType
from . import detection, elements, images, indexing, linear, reductions, running, shapes, spectra
from .kinds import Emitter

# What ONNX computes otherwise than its name suggests, or for other dtypes, has a row in elements.py.
ROWS: dict[str, Emitter] = {
    **detection.ROWS,
    **elements.ROWS,
    **images.ROWS,
    **indexing.ROWS,
    **linear.ROWS,
    **reductions.ROWS,
    **running.ROWS,
    **shapes.ROWS,
}
CONTROL = frozenset({"if", "while", "for", "bind_size", "check", "update", "list_new", "list_push", "list_pop"})


def row_of(op: Op) -> Emitter | None:
    """The row for an op; None where ONNX has no way to say it. Control flow is written by control.py."""
    if op.name in ROWS:
        return ROWS[op.name]
    if op.family == "elementwise" and op.onnx is not None:
        return elements.direct(op.onnx)
    return None


def form_of(o: Operation) -> Emitter | None:
    """The row for an operation; None where ONNX has no way to say it. Complex numbers have rows of their own."""
    kinds = [v.type for v in (*o.operands, *o.results)]
    if any(isinstance(k, TensorType) and k.dtype.is_complex for k in kinds):
        return spectra.ROWS.get(o.name)
    return row_of(o.op)


def exported() -> list[str]:
    """Names of all ops that have an ONNX form."""
    return sorted(name for name, op in OPS.items() if name in CONTROL or row_of(op) is not None)
