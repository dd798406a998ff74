"""Proposals of a detector: regions handed to the levels of a feature pyramid.

Source: Lin et al., Feature Pyramid Networks for Object Detection, 2017.
"""

from __future__ import annotations

import math
from typing import Any

from ..base.errors import ArgumentError, ShapeError
from ..ops.infer import show_shape
from ..ops.op import FUNCTIONS, OPS
from .regions import images_of

__all__ = ["distribute_fpn_proposals"]


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
