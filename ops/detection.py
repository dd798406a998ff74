"""Which boxes stay when overlapping ones are suppressed: the part of detectors that elements can't say."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..base import dtype as dt
from .infer import require_shape
from .op import NONDIFFERENTIABLE, REQUIRED, Op, Sample, row
from .types import TensorType


def _infer(boxes: TensorType, categories: TensorType, *, iou_threshold: float) -> TensorType:
    require_shape("nms_mask", "boxes", boxes.shape, (*boxes.shape[:1], 4))
    require_shape("nms_mask", "categories", categories.shape, boxes.shape[:1])
    return TensorType(dt.bool_, (boxes.shape[0],))


def _eager(boxes: Any, categories: Any, *, iou_threshold: float) -> Any:
    """Each box that is still there drops the later ones of its category that it overlaps by more than the bound."""
    x1, y1, x2, y2 = boxes.T
    areas = (x2 - x1) * (y2 - y1)
    kept = np.ones(len(boxes), bool)
    for k in range(len(boxes)):
        if kept[k]:
            rest = slice(k + 1, None)
            wide = np.maximum(np.minimum(x2[k], x2[rest]) - np.maximum(x1[k], x1[rest]), 0)
            high = np.maximum(np.minimum(y2[k], y2[rest]) - np.maximum(y1[k], y1[rest]), 0)
            common = wide * high
            joined = areas[k] + areas[rest] - common
            covered = common > iou_threshold * joined
            kept[rest] &= ~(covered & (categories[rest] == categories[k]))
    return kept


def _samples() -> list[Sample]:
    boxes = np.array([[0, 0, 2, 2], [0, 0, 2, 1.5], [1, 1, 3, 3], [0, 0, 2, 1.9]])
    return [Sample((boxes, np.array([0, 0, 0, 1])), {"iou_threshold": 0.5}, smooth=False)]


nms_mask: Op = row(
    "nms_mask",
    "Which boxes [n, 4], best first, no better box of their category covers by more than a share: bool[n].",
    "boxes categories",
    attrs={"iou_threshold": REQUIRED},
    infer=_infer,
    eager=_eager,
    vjp=NONDIFFERENTIABLE,
    samples=_samples,
    method=False,
    public=False,
)
