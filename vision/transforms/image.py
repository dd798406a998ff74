"""What is taken as an image."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from ...base.errors import ShapeError
from ...dygraph.tensor import Tensor

Image = npt.NDArray[Any]


def as_image(img: Any) -> Image:
    """The array of an image. Errors: ShapeError unless it has two or three axes.

    >>> as_image([[0, 1]]).shape
    (1, 2)
    """
    array: Image = np.asarray(img.numpy() if isinstance(img, Tensor) else img)
    if array.ndim not in (2, 3):
        raise ShapeError(f"an image has the shape [h, w] or [h, w, channels], not {list(array.shape)}")
    return array
