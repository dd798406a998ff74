"""Questions that transforms of public repositories ask PaddlePaddle's own modules: what an image is, and how large."""

from __future__ import annotations

from typing import Any

from ..base.errors import ArgumentError, KindError
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


def factor_range(
    value: Any, name: str, center: float = 1, bound: tuple[float, float] = (0, float("inf")),
    clip_first_on_zero: bool = True,
) -> list[float] | tuple[float, float] | None:  # fmt: skip
    """From how far to how far a random factor goes, given one number or the two; None: it is always `center`.

    >>> factor_range(0.25, "brightness")
    [0.75, 1.25]
    """
    if isinstance(value, (int, float)):
        if value < 0:
            raise ArgumentError(f"{name} is one number, so it must not be negative: {value}")
        low = center - value
        value = [max(low, 0) if clip_first_on_zero else low, center + value]
    elif not isinstance(value, (tuple, list)) or len(value) != 2:
        raise KindError(f"{name} must be a number or two of them, not {value!r}")
    elif not bound[0] <= value[0] <= value[1] <= bound[1]:
        raise ArgumentError(f"{name}: {value} isn't in order and within {bound}")
    return None if value[0] == value[1] == center else value
