"""Suppression of overlapping boxes."""

from __future__ import annotations

from ...base import dtype as dt
from ...ir.core import Operation
from ..writer import Writer
from .kinds import Emitter


def _nms_mask(w: Writer, o: Operation, boxes: str, categories: str) -> str:
    """ONNX suppresses within classes, each with a score for every box: that falls from box to box, and is below the
    threshold for boxes of another category.
    """
    float32 = w.element_type(dt.float32)
    count = w.size(o.operands[0].shape[0])
    if o.operands[0].dtype is not dt.float32:
        boxes = w.node("Cast", boxes, to=float32)
    kinds = w.node("Unsqueeze", w.node("Unique", categories, sorted=1), w.ints([1]))
    one, zero = w.constant(1, dt.int64), w.constant(0, dt.int64)
    length = w.node("Squeeze", count, w.ints([0]))
    ranks = w.node("Sub", length, w.node("Range", zero, length, one))  # the best box's is the highest
    scores = w.node("Where", w.node("Equal", kinds, categories), ranks, zero)
    kept = w.node(
        "NonMaxSuppression",
        w.node("Unsqueeze", boxes, w.ints([0])),
        w.node("Cast", w.node("Unsqueeze", scores, w.ints([0])), to=float32),
        count,
        w.constant([o.attrs["iou_threshold"]], dt.float32),
        w.constant([0.5], dt.float32),
        since=10,
    )
    places = w.node("Slice", kept, w.ints([2]), w.ints([3]), w.ints([1]))
    none = w.node("Expand", w.constant(False, dt.bool_), count)
    found = w.node(
        "Expand", w.constant(True, dt.bool_), w.node("Slice", w.node("Shape", places), w.ints([0]), w.ints([1]))
    )
    return w.node("ScatterND", none, places, found)


ROWS: dict[str, Emitter] = {"nms_mask": _nms_mask}
