"""What is taken as an image."""

from __future__ import annotations

import sys
from collections.abc import Callable
from functools import wraps
from typing import Any

import numpy as np
import numpy.typing as npt

from ...base.errors import CaptureError, OpenSizeError, OperandError, ShapeError
from ...dygraph.tensor import Tensor
from ...ops.infer import known_size

Image = npt.NDArray[Any]


def as_image(img: Any) -> Image:
    """The array of an image. Errors: OperandError for a number; ShapeError unless it has two or three axes.

    >>> as_image([[0, 1]]).shape
    (1, 2)
    """
    array: Image = np.asarray(img.numpy() if isinstance(img, Tensor) else img)
    if not array.ndim:
        raise OperandError(f"an image is an array, a tensor or an image of Pillow, not a {type(img).__name__}")
    if array.ndim not in (2, 3):
        raise ShapeError(f"an image has the shape [h, w] or [h, w, channels], not {list(array.shape)}")
    return array


def image_size(img: Any) -> tuple[int, int]:
    """Height and width: of a tensor [c, h, w] the last two sizes, of another image the first two.

    >>> image_size(Tensor([[[0.0, 1.0]]]))
    (1, 2)
    """
    if not isinstance(img, Tensor):
        height, width = as_image(img).shape[:2]
        return height, width
    if img.ndim not in (2, 3, 4):
        raise ShapeError(f"an image as a tensor has the shape [c, h, w] or [n, c, h, w], not {list(img.shape)}")
    try:
        height, width = (known_size("an image's size", size) for size in img.shape[-2:])
    except CaptureError as error:
        raise OpenSizeError(error.message, remedy=error.remedy) from None
    return height, width


def is_pil_image(img: Any) -> bool:
    """Whether it is an image of Pillow."""
    pillow = sys.modules.get("PIL.Image")  # there is no image of it where it hasn't been imported
    return pillow is not None and isinstance(img, pillow.Image)


def as_pil_gives(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function of an image, which is an array: for an image of Pillow, its result is one, too."""

    @wraps(function)
    def kept(img: Any, *args: Any, **kwargs: Any) -> Any:
        done = function(img, *args, **kwargs)
        if not is_pil_image(img) or not isinstance(done, np.ndarray):
            return done
        grey = done.ndim == 3 and done.shape[2] == 1
        return sys.modules["PIL.Image"].fromarray(done[..., 0] if grey else done)

    return kept


def is_tensor_image(img: Any) -> bool:
    """Whether it is a tensor."""
    return isinstance(img, Tensor)


def is_numpy_image(img: Any) -> bool:
    """Whether it is an array h×w or h×w×c."""
    return isinstance(img, np.ndarray) and img.ndim in (2, 3)
