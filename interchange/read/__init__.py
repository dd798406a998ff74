"""ONNX operators as operations of ours: one row per operator, for every version of it from opset 7 on."""

from __future__ import annotations

from . import (
    attention,
    control,
    detection,
    elements,
    images,
    indexing,
    linear,
    norms,
    quantized,
    recurrent,
    reductions,
    sequences,
    shapes,
    windows,
)
from .node import Importer

# operator -> how it is read. Operators of ONNX's own domain only; what isn't here is refused by name.
ROWS: dict[str, Importer] = {
    **attention.ROWS,
    **control.ROWS,
    **detection.ROWS,
    **elements.ROWS,
    **images.ROWS,
    **indexing.ROWS,
    **linear.ROWS,
    **norms.ROWS,
    **quantized.ROWS,
    **recurrent.ROWS,
    **reductions.ROWS,
    **sequences.ROWS,
    **shapes.ROWS,
    **windows.ROWS,
}
