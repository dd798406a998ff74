"""`vision.ops`: boxes and regions of detectors."""

from pathlib import Path as _Path
from typing import Any as _Any

import numpy as _np

from ..base.suggest import tell_unknown_names as _tell_unknown_names
from ..dygraph.conversions import to_tensor as _to_tensor
from .boxes import box_coder, nms, prior_box, yolo_box
from .images import decode_jpeg
from .proposals import distribute_fpn_proposals, generate_proposals
from .regions import DeformConv2D, PSRoIPool, RoIAlign, RoIPool, deform_conv2d, psroi_pool, roi_align, roi_pool
from .suppression import matrix_nms
from .yolo_loss import yolo_loss

__all__ = [
    "DeformConv2D", "PSRoIPool", "RoIAlign", "RoIPool", "box_coder", "decode_jpeg", "deform_conv2d",
    "distribute_fpn_proposals", "generate_proposals", "matrix_nms", "nms", "prior_box", "psroi_pool", "read_file",
    "roi_align", "roi_pool", "yolo_box", "yolo_loss",
]  # fmt: skip


def read_file(filename: str, name: str | None = None) -> _Any:
    """The bytes of a file: u8[count]."""
    return _to_tensor(_np.frombuffer(_Path(filename).read_bytes(), "uint8").copy())


_tell_unknown_names(__name__)
