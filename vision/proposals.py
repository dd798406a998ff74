"""Proposals of a detector: regions likely to hold an object, and regions handed to the levels of a feature pyramid.

No gradient goes through them: the heads behind don't move what proposed their regions.

Sources: Ren et al., Faster R-CNN, 2015; Lin et al., Feature Pyramid Networks for Object Detection, 2017.
"""

from __future__ import annotations

import math
from typing import Any

from ..base.errors import ArgumentError, ShapeError
from ..dygraph.modes import no_grad
from ..ops.infer import show_shape
from ..ops.op import FUNCTIONS, OPS
from .regions import images_of

__all__ = ["distribute_fpn_proposals", "generate_proposals"]
_LARGEST = math.log(1000.0 / 16.0)  # of a predicted logarithm of a side


@no_grad
def generate_proposals(
    scores: Any, bbox_deltas: Any, img_size: Any, anchors: Any, variances: Any, pre_nms_top_n: int = 6000,
    post_nms_top_n: int = 1000, nms_thresh: float = 0.5, min_size: float = 0.1, eta: float = 1.0,
    pixel_offset: bool = False, return_rois_num: bool = False, name: str | None = None,
) -> tuple[Any, Any, Any]:  # fmt: skip
    """Boxes likely to hold an object, best first: (boxes of all images, their scores, counts by image or None).

    Of each image the `pre_nms_top_n` best anchors are moved by their deltas, cut to the image, left out below
    `min_size` (at least 1), and suppressed where a better one overlaps by more than `nms_thresh`; `post_nms_top_n`
    stay. An image without any gives a box of zeros. pixel_offset: a box from 0 to 1 is two pixels wide.
    Shapes: scores f[n, a, h, w]; bbox_deltas f[n, 4·a, h, w]; img_size f[n, 2], heights and widths; anchors, variances
    f[h, w, a, 4]; results f[m, 4], f[m, 1], i32[n].
    Errors: ArgumentError for an `eta` other than 1: the threshold doesn't change.

    >>> from vitrify import full, to_tensor
    >>> anchors = to_tensor([[[[0.0, 0.0, 9.0, 9.0]]]])
    >>> sizes = to_tensor([[6.0, 20.0]])
    >>> scores, deltas = full([1, 1, 1, 1], 0.9), full([1, 4, 1, 1], 0.0)
    >>> generate_proposals(scores, deltas, sizes, anchors, anchors * 0 + 1)[0].tolist()
    [[0.0, 0.0, 9.0, 6.0]]
    """
    if eta != 1.0:
        raise ArgumentError(
            f"generate_proposals: eta={eta} would change the threshold from box to box, which isn't built"
        )
    if scores.ndim != 4 or bbox_deltas.ndim != 4:
        told = f"{show_shape(scores.shape)}, {show_shape(bbox_deltas.shape)}"
        raise ShapeError(f"generate_proposals takes scores [n, a, h, w] and deltas [n, 4 a, h, w], got {told}")
    images = scores.shape[0]
    flat = OPS["reshape"](OPS["transpose"](scores, (0, 2, 3, 1)), (images, -1))
    deltas = OPS["reshape"](OPS["transpose"](bbox_deltas, (0, 2, 3, 1)), (images, -1, 4))
    anchors, variances = OPS["reshape"](anchors, (-1, 4)), OPS["reshape"](variances, (-1, 4))
    offset = 1.0 if pixel_offset else 0.0
    boxes, kept, held_of = [], [], []
    for k in range(images):
        order = FUNCTIONS["argsort"](flat[k], descending=True, stable=True)
        order = order if pre_nms_top_n <= 0 else order[:pre_nms_top_n]
        moves, places, scales = (OPS["gather"](each, order, 0) for each in (deltas[k], anchors, variances))
        found = _moved(moves, places, scales, img_size[k], offset)
        large = _large(found, img_size[k], max(min_size, 1.0), offset)
        found, score = found[large], OPS["gather"](flat[k], order, 0)[large]
        areas = OPS["concat"]([found[:, :2], found[:, 2:] + offset], 1)
        best = OPS["nms_mask"](areas, FUNCTIONS["zeros"]([found.shape[0]], "int64"), iou_threshold=nms_thresh)
        found, score = found[best], score[best]
        held = OPS["sum"](OPS["cast"](best, "int64"))
        if post_nms_top_n > 0:
            found, score = found[:post_nms_top_n], score[:post_nms_top_n]
            held = FUNCTIONS["clip"](held, 0, post_nms_top_n)
        boxes.append(_or_zeros(found, held))
        kept.append(_or_zeros(FUNCTIONS["unsqueeze"](score, 1), held))
        held_of.append(FUNCTIONS["clip"](held, 1))
    counts = OPS["cast"](FUNCTIONS["stack"](held_of), "int32")
    return OPS["concat"](boxes, 0), OPS["concat"](kept, 0), counts if return_rois_num else None


def _moved(deltas: Any, anchors: Any, variances: Any, img_size: Any, offset: float) -> Any:
    """f[m, 4]: anchors moved by their deltas and cut to the image."""
    sides = anchors[:, 2:] - anchors[:, :2] + offset
    center = variances[:, :2] * deltas[:, :2] * sides + anchors[:, :2] + sides * 0.5
    sides = OPS["exp"](OPS["minimum"](variances[:, 2:] * deltas[:, 2:], _LARGEST)) * sides
    most = OPS["concat"]([img_size[1:2], img_size[:1]], 0) - offset
    corners = [center - sides * 0.5, center + sides * 0.5 - offset]
    return OPS["concat"]([OPS["maximum"](OPS["minimum"](corner, most), 0.0) for corner in corners], 1)


def _large(boxes: Any, img_size: Any, least: float, offset: float) -> Any:
    """bool[m]: boxes that aren't too small; with `offset`, whose centre is in the image."""
    sides = boxes[:, 2:] - boxes[:, :2] + offset
    enough = OPS["all"](sides >= least, 1)
    if not offset:
        return enough
    inside = boxes[:, :2] + sides * 0.5 <= OPS["concat"]([img_size[1:2], img_size[:1]], 0)
    return OPS["logical_and"](enough, OPS["all"](inside, 1))


def _or_zeros(rows: Any, count: Any) -> Any:
    """The `count` rows, or one of zeros where there are none."""
    more = OPS["concat"]([rows, FUNCTIONS["zeros"]([1, rows.shape[1]], rows.dtype)], 0)
    return more[FUNCTIONS["arange"](0, more.shape[0], dtype="int64") < FUNCTIONS["clip"](count, 1)]


@no_grad
def distribute_fpn_proposals(
    fpn_rois: Any, min_level: int, max_level: int, refer_level: int, refer_scale: float, pixel_offset: bool = False,
    rois_num: Any = None, name: str | None = None,
) -> tuple[list[Any], Any, list[Any] | None]:  # fmt: skip
    """Regions by level: (those of each level, the place of each region among them all, counts by level and image).

    A region whose sides have the geometric mean `refer_scale` belongs to `refer_level`, one of twice that size to the
    next level, within `min_level` and `max_level`. pixel_offset: a box from 0 to 1 is two pixels wide.
    Shapes: fpn_rois f[m, 4]; rois_num i[images]; results f[m_k, 4], i32[m, 1], i32[images] for each level or None.
    Errors: ArgumentError for levels that aren't at least 1 and in order, ShapeError for other shapes.

    >>> from vitrify import to_tensor
    >>> boxes = to_tensor([[0.0, 0.0, 500.0, 500.0], [0.0, 0.0, 30.0, 30.0]])
    >>> levels, places, _ = distribute_fpn_proposals(boxes, 2, 5, 4, 224)
    >>> [len(level) for level in levels], places.tolist()
    ([1, 0, 0, 1], [[1], [0]])
    """
    if not 0 < min_level < max_level:
        raise ArgumentError(f"distribute_fpn_proposals: levels {min_level} to {max_level} aren't at least two above 0")
    if fpn_rois.ndim != 2 or fpn_rois.shape[1] != 4:
        raise ShapeError(f"distribute_fpn_proposals takes boxes [m, 4], not {show_shape(fpn_rois.shape)}")
    level = _levels(fpn_rois, min_level, max_level, refer_level, refer_scale, 1.0 if pixel_offset else 0.0)
    order = FUNCTIONS["argsort"](level, stable=True)
    places = OPS["cast"](FUNCTIONS["argsort"](order), "int32")
    hits = [OPS["equal"](level, k) for k in range(min_level, max_level + 1)]
    return [fpn_rois[hit] for hit in hits], FUNCTIONS["unsqueeze"](places, 1), _counts(hits, rois_num, level.shape[0])


def _levels(boxes: Any, low: int, high: int, refer_level: int, refer_scale: float, offset: float) -> Any:
    """i64[m]: log2 of the boxes' sizes, cut to the levels that there are."""
    width, height = boxes[:, 2] - boxes[:, 0] + offset, boxes[:, 3] - boxes[:, 1] + offset
    scale = OPS["sqrt"](width * height) / refer_scale + 1e-8
    found = OPS["floor"](OPS["log"](scale) / math.log(2.0) + refer_level)
    return OPS["cast"](FUNCTIONS["clip"](found, low, high), "int64")


def _counts(hits: list[Any], rois_num: Any, count: Any) -> list[Any] | None:
    if rois_num is None:
        return None
    images = FUNCTIONS["unsqueeze"](images_of(rois_num, count), 1)
    owned = OPS["equal"](images, FUNCTIONS["arange"](0, rois_num.shape[0], dtype="int64"))
    return [
        OPS["cast"](
            OPS["sum"](OPS["cast"](OPS["logical_and"](owned, FUNCTIONS["unsqueeze"](hit, 1)), "int64"), 0), "int32"
        )
        for hit in hits
    ]
