"""Image files: opened by Pillow, as images or as tensors."""

from __future__ import annotations

import importlib
import io
from pathlib import Path
from typing import IO, Any

import numpy as np

from ..base.errors import ArgumentError, MissingDependencyError
from ..dygraph.conversions import to_tensor

_BACKENDS = ("pil", "cv2", "tensor")
_chosen = "pil"


def set_image_backend(backend: str) -> None:
    """What `image_load` gives from now on: "pil", "cv2" or "tensor". Errors: ArgumentError.

    >>> set_image_backend("pil")
    """
    global _chosen
    _chosen = _checked(backend)


def get_image_backend() -> str:
    """What `image_load` gives.

    >>> get_image_backend()
    'pil'
    """
    return _chosen


def image_load(path: str | Path | IO[bytes], backend: str | None = None) -> Any:
    """An image file, read by Pillow. backend: "pil" for its image, "tensor" for a tensor uint8[h, w, c].

    "cv2" gives an array uint8[h, w, 3] of blue, green and red, as OpenCV does, without it.

    Errors: ArgumentError for another backend; MissingDependencyError without Pillow; OSError as Pillow raises it.

    >>> image_load("cat.png", backend="gif")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    vitrify.errors.ArgumentError: the backend of images must be pil, cv2 or tensor, not 'gif'
    """
    wanted = _chosen if backend is None else _checked(backend)
    try:
        Image: Any = importlib.import_module("PIL.Image")
    except ImportError as cause:
        raise MissingDependencyError("reading images needs Pillow", remedy="pip install pillow") from cause
    picture = Image.open(path)
    if wanted == "pil":
        return picture
    with picture:
        if wanted == "cv2":
            return np.ascontiguousarray(np.asarray(picture.convert("RGB"))[..., ::-1])
        return to_tensor(np.asarray(picture))


def decode_jpeg(x: Any, mode: str = "unchanged", name: str | None = None) -> Any:
    """The picture in the bytes x u8[count] of a JPEG file: u8[channels, h, w]; mode "gray" or "rgb" converts it.

    Errors: ArgumentError for another mode; MissingDependencyError without Pillow.
    """
    if mode not in ("unchanged", "gray", "rgb"):
        raise ArgumentError(f"decode_jpeg: mode must be 'unchanged', 'gray' or 'rgb', not {mode!r}")
    with image_load(io.BytesIO(x.numpy().tobytes()), "pil") as picture:
        wanted = {"gray": "L", "rgb": "RGB"}.get(mode)
        array = np.asarray(picture.convert(wanted) if wanted else picture)
    return to_tensor(np.ascontiguousarray(array[None] if array.ndim == 2 else array.transpose(2, 0, 1)))


def _checked(backend: str) -> str:
    if backend not in _BACKENDS:
        raise ArgumentError(f"the backend of images must be pil, cv2 or tensor, not {backend!r}")
    return backend
