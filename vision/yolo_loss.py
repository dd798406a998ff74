"""The loss of YOLOv3's output against the boxes of the images.

Source: Redmon, Farhadi, YOLOv3: An Incremental Improvement, 2018. Values are those of PaddlePaddle's CPU kernel.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..base.errors import ArgumentError, ShapeError
from ..dygraph.conversions import to_tensor
from ..ops.infer import show_shape
from ..ops.op import FUNCTIONS, OPS

__all__ = ["yolo_loss"]
_SMALLEST = 1e-6  # sides of a box that is there


def yolo_loss(
    x: Any, gt_box: Any, gt_label: Any, anchors: Sequence[int], anchor_mask: Sequence[int], class_num: int,
    ignore_thresh: float, downsample_ratio: int, gt_score: Any = None, use_label_smooth: bool = True,
    name: str | None = None, scale_x_y: float = 1.0,
) -> Any:  # fmt: skip
    """The sum of the losses of places, sizes, classes and of whether there is a box, for each image: f[n].

    A true box belongs to the anchor of the most alike shape, at the cell of its centre; the others learn that there is
    none, unless their box overlaps a true one by more than `ignore_thresh`.
    Shapes: x f[n, masks·(5 + classes), h, h]; gt_box f[n, b, 4] as (centre, sides) of 1; gt_label i[n, b]; gt_score
    f[n, b]. anchors: widths and heights in pixels; anchor_mask: which of them x predicts.
    Errors: ShapeError, ArgumentError for anchors that don't fit.

    >>> from vitrify import zeros
    >>> truth = to_tensor([[[0.5, 0.5, 0.2, 0.2]]])
    >>> loss = yolo_loss(zeros([1, 6, 2, 2]), truth, zeros([1, 1], "int32"), [10, 13], [0], 1, 0.7, 32)
    >>> loss.numpy().round(3)
    array([6.697], dtype=float32)
    """
    count, masks = len(anchors) // 2, len(anchor_mask)
    if any(not 0 <= k < count for k in anchor_mask):
        raise ArgumentError(f"yolo_loss: anchor_mask {list(anchor_mask)} names others than the {count} anchors")
    if x.ndim != 4 or x.shape[1] != masks * (5 + class_num) or gt_box.ndim != 3 or gt_label.ndim != 2:
        told = ", ".join(show_shape(each.shape) for each in (x, gt_box, gt_label))
        raise ShapeError(f"yolo_loss takes x [n, {masks * (5 + class_num)}, h, h], boxes, labels; got {told}")
    n, _, rows, columns = x.shape
    size = downsample_ratio * rows
    sides = np.array(anchors, x.dtype.numpy).reshape(-1, 2) / size
    cells = OPS["reshape"](x, (n, masks, 5 + class_num, rows * columns))
    cells = OPS["reshape"](OPS["transpose"](cells, (0, 1, 3, 2)), (n, masks * rows * columns, 5 + class_num))
    there = OPS["logical_and"](gt_box[:, :, 2] > _SMALLEST, gt_box[:, :, 3] > _SMALLEST)
    scores = FUNCTIONS["ones_like"](gt_box[:, :, 0]) if gt_score is None else gt_score
    kind, mask = _anchors_of(gt_box, sides, anchor_mask)
    own = OPS["logical_and"](there, mask >= 0)
    column, row = (OPS["cast"](gt_box[:, :, k] * float(end), "int64") for k, end in ((0, columns), (1, rows)))
    cell = FUNCTIONS["where"](own, (mask * rows + row) * columns + column, FUNCTIONS["zeros_like"](mask))
    weight = FUNCTIONS["where"](own, scores, FUNCTIONS["zeros_like"](scores))
    found = FUNCTIONS["take_along_axis"](cells, FUNCTIONS["unsqueeze"](cell, 2), 1)
    shapes = OPS["gather"](to_tensor(sides), OPS["reshape"](kind, (-1,)), 0)
    shapes = OPS["reshape"](shapes, (*kind.shape, 2))
    places = _places(found, gt_box, there, column, row, shapes, rows)
    classes = _classes(found[:, :, 5:], gt_label, class_num, use_label_smooth)
    taught = OPS["sum"]((places + classes) * weight, 1)
    predicted = _boxes(cells, sides[list(anchor_mask)], rows, columns, scale_x_y)
    return taught + _presence(cells[:, :, 4], predicted, gt_box, there, own, cell, scores, ignore_thresh)


def _cross_entropy(x: Any, label: Any) -> Any:
    return OPS["relu"](x) - x * label + OPS["log1p"](OPS["exp"](-OPS["abs"](x)))


def _anchors_of(boxes: Any, sides: Any, anchor_mask: Sequence[int]) -> tuple[Any, Any]:
    """i64[n, b] each: the anchor whose shape is most alike, and its place in `anchor_mask` or -1."""
    shape = FUNCTIONS["unsqueeze"](boxes[:, :, 2:], 2)
    shared = OPS["prod"](OPS["minimum"](shape, to_tensor(sides)), -1)
    both = OPS["prod"](shape, -1) + to_tensor(sides.prod(-1)) - shared
    kind = FUNCTIONS["argmax"](shared / both, -1)
    listed = [list(anchor_mask).index(k) if k in anchor_mask else -1 for k in range(len(sides))]
    mask = OPS["gather"](to_tensor(np.array(listed, "int64")), OPS["reshape"](kind, (-1,)), 0)
    return kind, OPS["reshape"](mask, kind.shape)


def _places(found: Any, boxes: Any, there: Any, column: Any, row: Any, shapes: Any, rows: Any) -> Any:
    """f[n, b]: the loss of centres and sides, more for small boxes."""
    dtype = found.dtype
    center = [boxes[:, :, k] * float(rows) - OPS["cast"](at, dtype) for k, at in ((0, column), (1, row))]
    sides = FUNCTIONS["where"](FUNCTIONS["unsqueeze"](there, 2), boxes[:, :, 2:], FUNCTIONS["ones_like"](shapes))
    wanted = OPS["log"](sides / shapes)
    loss = _cross_entropy(found[:, :, 0], center[0]) + _cross_entropy(found[:, :, 1], center[1])
    loss = loss + OPS["sum"](OPS["abs"](found[:, :, 2:4] - wanted), -1)
    return loss * (2.0 - boxes[:, :, 2] * boxes[:, :, 3])


def _classes(found: Any, labels: Any, class_num: int, smooth: bool) -> Any:
    """f[n, b]: the loss of all classes."""
    off = min(1.0 / class_num, 1.0 / 40.0) if smooth else 0.0
    hits = OPS["equal"](FUNCTIONS["unsqueeze"](labels, 2), FUNCTIONS["arange"](0, class_num, dtype=labels.dtype))
    return OPS["sum"](_cross_entropy(found, OPS["cast"](hits, found.dtype) * (1.0 - 2.0 * off) + off), -1)


def _boxes(cells: Any, sides: Any, rows: Any, columns: Any, scale: float) -> Any:
    """f[n, cells, 4]: the predicted boxes, as centre and sides; no gradient passes."""
    cells = cells.detach()
    grid = np.stack(np.meshgrid(np.arange(columns), np.arange(rows)), -1).reshape(-1, 2)
    grid = np.tile(grid, (len(sides), 1)).astype(cells.dtype.numpy)
    shapes = np.repeat(sides, rows * columns, 0).astype(cells.dtype.numpy)
    center = (OPS["sigmoid"](cells[:, :, :2]) * scale - 0.5 * (scale - 1.0) + to_tensor(grid)) / float(rows)
    return OPS["concat"]([center, OPS["exp"](cells[:, :, 2:4]) * to_tensor(shapes)], -1)


def _presence(
    x: Any, predicted: Any, boxes: Any, there: Any, own: Any, cell: Any, scores: Any, ignore_thresh: float
) -> Any:
    """f[n]: the loss of whether there is a box. Of true boxes in one cell the last one counts."""
    a, b = FUNCTIONS["unsqueeze"](predicted, 2), FUNCTIONS["unsqueeze"](boxes, 1)
    far = OPS["minimum"](a[..., :2] + a[..., 2:] * 0.5, b[..., :2] + b[..., 2:] * 0.5)
    shared = far - OPS["maximum"](a[..., :2] - a[..., 2:] * 0.5, b[..., :2] - b[..., 2:] * 0.5)
    shared = OPS["prod"](FUNCTIONS["clip"](shared, 0.0), -1)
    overlap = shared / (OPS["prod"](a[..., 2:], -1) + OPS["prod"](b[..., 2:], -1) - shared)
    overlap = FUNCTIONS["where"](FUNCTIONS["unsqueeze"](there, 1), overlap, FUNCTIONS["zeros_like"](overlap))
    ignored = OPS["max"](overlap, -1) > ignore_thresh
    numbers = FUNCTIONS["arange"](0, x.shape[1], dtype="int64")
    hits = OPS["equal"](FUNCTIONS["unsqueeze"](cell, 1), FUNCTIONS["unsqueeze"](numbers, 1))
    hits = OPS["logical_and"](hits, FUNCTIONS["unsqueeze"](own, 1))  # [n, cells, b]
    order = OPS["cast"](hits, "int64") * FUNCTIONS["arange"](1, boxes.shape[1] + 1, dtype="int64")
    last = OPS["max"](order, -1)
    taken = last > 0
    score = FUNCTIONS["take_along_axis"](scores, FUNCTIONS["clip"](last - 1, 0), 1)
    score = FUNCTIONS["where"](taken, score, FUNCTIONS["zeros_like"](score))
    positive = score > 1e-5
    negative = FUNCTIONS["where"](taken, score > -0.5, OPS["logical_not"](ignored))
    negative = OPS["logical_and"](negative, OPS["logical_not"](positive))
    zero = FUNCTIONS["zeros_like"](x)
    loss = FUNCTIONS["where"](positive, _cross_entropy(x, 1.0) * score, zero)
    return OPS["sum"](loss + FUNCTIONS["where"](negative, _cross_entropy(x, 0.0), zero), 1)
