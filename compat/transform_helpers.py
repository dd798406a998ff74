"""Questions that transforms of public repositories ask PaddlePaddle's own modules: what an image is, and how large."""

from __future__ import annotations

from typing import Any

from ..base.errors import KindError
from ..vision.transforms.image import image_size as _height_and_width
from ..vision.transforms.image import is_numpy_image, is_pil_image, is_tensor_image


def image_size(img: Any) -> tuple[int, int]:
    """Width and height. Errors: KindError for what is no image.

    >>> from numpy import zeros
    >>> image_size(zeros((2, 5, 3)))
    (5, 2)
    """
    if not (is_pil_image(img) or is_tensor_image(img) or is_numpy_image(img)):
        raise KindError(f"an image is of Pillow, an array h×w or h×w×c, or a tensor, not a {type(img).__name__}")
    height, width = _height_and_width(img)
    return width, height
