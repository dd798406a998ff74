"""Boxes of several classes and images, of which the best of each crowd stay."""

from __future__ import annotations

from typing import Any

from ..base.errors import ShapeError
from ..ops.infer import show_shape
from ..ops.op import FUNCTIONS, OPS

__all__ = ["multiclass_nms"]


def multiclass_nms(
    bboxes: Any, scores: Any, score_threshold: float, nms_top_k: int, keep_top_k: int, nms_threshold: float = 0.3,
    normalized: bool = True, background_label: int = -1,
) -> tuple[Any, Any, Any]:  # fmt: skip
    """What a detector finds: (boxes f[count, 6], their places i64[count, 1], boxes by image i64[n]).

    bboxes f[n, m, 4] as (left, top, right, bottom), scores f[n, classes, m]. A box counts for each class that it
    scores above `score_threshold` in, but for `background_label`. Of each class and image the best `nms_top_k` compete;
    one that a better box of its class covers by more than `nms_threshold` is dropped. Then each image keeps its best
    `keep_top_k`. Either number may be -1: all. Results are (class, score, left, top, right, bottom), by image and
    class, best first; places count boxes through all images. normalized: coordinates are shares, not whole pixels.
    Errors: ShapeError for other shapes.

    >>> from vitrify import to_tensor
    >>> boxes = to_tensor([[[0.0, 0.0, 2.0, 2.0], [0.0, 0.0, 2.0, 1.9], [5.0, 5.0, 6.0, 6.0]]])
    >>> found, places, counts = multiclass_nms(boxes, to_tensor([[[0.5, 0.9, 0.8]]]), 0.1, -1, -1, 0.5)
    >>> places.tolist(), counts.tolist()
    ([[1], [2]], [2])
    """
    if bboxes.ndim != 3 or scores.ndim != 3 or bboxes.shape[2] != 4:
        told = f"{show_shape(bboxes.shape)} and {show_shape(scores.shape)}"
        raise ShapeError(f"multiclass_nms takes boxes [n, m, 4] and scores [n, classes, m], got {told}")
    images, classes, count = scores.shape
    gather, reshape = OPS["gather"], OPS["reshape"]
    found = FUNCTIONS["nonzero"](scores > score_threshold)
    image, label, place = (found[:, k] for k in range(3))
    if background_label >= 0:
        found = FUNCTIONS["masked_select"](FUNCTIONS["arange"](0, found.shape[0]), label != background_label)
        image, label, place = (gather(part, found, 0) for part in (image, label, place))

    score = gather(reshape(scores, (-1,)), (image * classes + label) * count + place, 0)
    crowd, where = image * classes + label, image * count + place
    order = _by(crowd, score)
    crowd, where, score = (gather(part, order, 0) for part in (crowd, where, score))
    if nms_top_k >= 0:
        crowd, where, score = _first(nms_top_k, crowd, crowd, where, score)
    box = gather(reshape(bboxes, (-1, 4)), where, 0)
    whole = box if normalized else OPS["concat"]([box[:, :2], box[:, 2:] + 1.0], 1)
    kept = OPS["nms_mask"](whole, crowd, iou_threshold=nms_threshold)
    crowd, where, score = _chosen(kept, crowd, where, score)
    if keep_top_k >= 0:
        image = crowd // classes
        order = _by(image, score)
        rank = _ranks(gather(image, order, 0))
        kept = OPS["gather"](rank, FUNCTIONS["argsort"](order), 0) < keep_top_k
        crowd, where, score = _chosen(kept, crowd, where, score)

    label = OPS["cast"](FUNCTIONS["unsqueeze"](crowd % classes, 1), bboxes.dtype)
    box = gather(reshape(bboxes, (-1, 4)), where, 0)
    rows = OPS["concat"]([label, FUNCTIONS["unsqueeze"](score, 1), box], 1)
    every = FUNCTIONS["unsqueeze"](FUNCTIONS["arange"](0, images, dtype="int64"), 1)
    counts = OPS["sum"](OPS["cast"](every == crowd // classes, "int64"), 1)
    return rows, FUNCTIONS["unsqueeze"](where, 1), counts


def _by(group: Any, score: Any) -> Any:
    """The order by group, and in each by score from the best on."""
    order = FUNCTIONS["argsort"](score, descending=True, stable=True)
    return OPS["gather"](order, FUNCTIONS["argsort"](OPS["gather"](group, order, 0), stable=True), 0)


def _ranks(group: Any) -> Any:
    """The place of each element among those of its group, which stand together in ascending order."""
    return FUNCTIONS["arange"](0, group.shape[0], dtype="int64") - FUNCTIONS["searchsorted"](group, group)


def _first(most: int, group: Any, *parts: Any) -> tuple[Any, ...]:
    return _chosen(_ranks(group) < most, *parts)


def _chosen(kept: Any, *parts: Any) -> tuple[Any, ...]:
    places = OPS["reshape"](FUNCTIONS["nonzero"](kept), (-1,))
    return tuple(OPS["gather"](part, places, 0) for part in parts)
