# Written by `make stubs`; edits here are lost.

"""Transforms of images: arrays h×w or h×w×c (uint8 or float), or PIL images where Pillow is installed."""

from builtins import bool as _bool
from builtins import float as _float
from builtins import int as _int
from builtins import str as _str
from builtins import tuple as _tuple
from collections.abc import Sequence as _Sequence
from numpy import dtype as _dtype
from numpy import ndarray as _ndarray
from typing import Any as _Any
from vitrify.dygraph.tensor import Tensor as _Tensor
from vitrify.vision.transforms import functional as functional
from vitrify.vision.transforms.classes import BaseTransform as BaseTransform
from vitrify.vision.transforms.classes import BrightnessTransform as BrightnessTransform
from vitrify.vision.transforms.classes import CenterCrop as CenterCrop
from vitrify.vision.transforms.classes import ColorJitter as ColorJitter
from vitrify.vision.transforms.classes import Compose as Compose
from vitrify.vision.transforms.classes import ContrastTransform as ContrastTransform
from vitrify.vision.transforms.classes import Grayscale as Grayscale
from vitrify.vision.transforms.classes import HueTransform as HueTransform
from vitrify.vision.transforms.classes import Normalize as Normalize
from vitrify.vision.transforms.classes import Pad as Pad
from vitrify.vision.transforms.classes import RandomCrop as RandomCrop
from vitrify.vision.transforms.classes import RandomErasing as RandomErasing
from vitrify.vision.transforms.classes import RandomHorizontalFlip as RandomHorizontalFlip
from vitrify.vision.transforms.classes import RandomResizedCrop as RandomResizedCrop
from vitrify.vision.transforms.classes import RandomVerticalFlip as RandomVerticalFlip
from vitrify.vision.transforms.classes import Resize as Resize
from vitrify.vision.transforms.classes import SaturationTransform as SaturationTransform
from vitrify.vision.transforms.classes import ToTensor as ToTensor
from vitrify.vision.transforms.classes import Transpose as Transpose
from vitrify.vision.transforms.random_warps import RandomAffine as RandomAffine
from vitrify.vision.transforms.random_warps import RandomPerspective as RandomPerspective
from vitrify.vision.transforms.random_warps import RandomRotation as RandomRotation

def adjust_brightness(img: _Any, brightness_factor: _float) -> _Any:
    """All pixels times the factor; whole ones are cut behind the point, as Paddle's are."""

def adjust_contrast(img: _Any, contrast_factor: _float) -> _Any:
    """Pixels' distances from the image's mean brightness times the factor."""

def adjust_hue(img: _Any, hue_factor: _float) -> _Any:
    """Hues shifted by a part of the circle, from -0.5 to 0.5; saturation and value stay."""

def adjust_saturation(img: _Any, saturation_factor: _float) -> _Any:
    """Pixels' distances from their own brightness times the factor: 0 is grey, 1 the image."""

def affine(img: _Any, angle: _float, translate: _Sequence[_float], scale: _float, shear: _Sequence[_float], interpolation: _str = 'nearest', fill: _Any = 0, center: _Sequence[_float] | None = None) -> _ndarray[_tuple[_Any, ...], _dtype[_Any]]:
    """The image rotated by `angle` degrees, scaled, sheared by degrees (x, y) and moved by `translate` (x, y) pixels.

    As in PaddlePaddle, arrays are rotated counter-clockwise about their corner, whatever `center` says, PIL images and
    tensors clockwise about `center` (None: the middle).

    >>> affine(np.arange(9).reshape(3, 3), 0, (1, 0), 1.0, (0, 0)).tolist()
    [[0, 0, 1], [0, 3, 4], [0, 6, 7]]"""

def center_crop(img: _Any, output_size: _int | _Sequence[_int]) -> _Any:
    """The middle part of that size (an int: a square)."""

def crop(img: _Any, top: _int, left: _int, height: _int, width: _int) -> _Any:
    """The part of `height`×`width` pixels whose corner is at (top, left). Errors: ArgumentError if it sticks out.

    >>> crop(np.arange(9).reshape(3, 3), 1, 1, 2, 2).tolist()
    [[4, 5], [7, 8]]"""

def erase(img: _Any, i: _int, j: _int, h: _int, w: _int, v: _Any, inplace: _bool = False) -> _Any:
    """`v` in the h×w pixels from (i, j) on; Tensors are [c, h, w], arrays [h, w, c]."""

def hflip(img: _Any) -> _Any:
    """Left and right swapped."""

def normalize(img: _Any, mean: _float | _Sequence[_float], std: _float | _Sequence[_float], data_format: _str = 'CHW', to_rgb: _bool = False) -> _Any:
    """(img - mean) / std per channel, for an array or a Tensor in either layout; to_rgb reverses the channels first."""

def pad(img: _Any, padding: _int | _Sequence[_int], fill: _float = 0, padding_mode: _str = 'constant') -> _Any:
    """More pixels around. padding: all sides, (left and right, top and bottom), or (left, top, right, bottom).

    padding_mode: constant (`fill`), edge, reflect or symmetric. Errors: KindError; ArgumentError for another mode or
    another count of numbers."""

def perspective(img: _Any, startpoints: _Sequence[_Sequence[_float]], endpoints: _Sequence[_Sequence[_float]], interpolation: _str = 'nearest', fill: _Any = 0) -> _ndarray[_tuple[_Any, ...], _dtype[_Any]]:
    """The image in which `startpoints` (four places (x, y)) have moved to `endpoints`.

    >>> square = [(0, 0), (2, 0), (2, 2), (0, 2)]
    >>> perspective(np.arange(9).reshape(3, 3), square, [(2, 0), (0, 0), (0, 2), (2, 2)]).tolist()
    [[2, 1, 0], [5, 4, 3], [8, 7, 6]]"""

def resize(img: _Any, size: _int | _Sequence[_int], interpolation: _str = 'bilinear') -> _Any:
    """An image of another size: (h, w), or an int for its shorter side. interpolation: "nearest" or "bilinear"; for
    arrays also "bicubic", "lanczos" and "area".

    Pixel centres keep their relative places (half-pixel rule).

    >>> resize(np.arange(16.0).reshape(4, 4), (2, 2))
    array([[ 2.5,  4.5],
           [10.5, 12.5]])"""

def rotate(img: _Any, angle: _float, interpolation: _str = 'nearest', expand: _bool = False, center: _Sequence[_float] | None = None, fill: _Any = 0) -> _ndarray[_tuple[_Any, ...], _dtype[_Any]]:
    """The image rotated counter-clockwise by `angle` degrees about `center` (x, y); None: its middle.

    expand: the result is large enough for all of it. interpolation: "nearest" or "bilinear"; fill: what lies outside.

    >>> rotate(np.arange(9).reshape(3, 3), 90, center=(1, 1)).tolist()
    [[2, 5, 8], [1, 4, 7], [0, 3, 6]]"""

def to_grayscale(img: _Any, num_output_channels: _int = 1) -> _Any:
    """The brightness of each pixel, in one channel or in three equal ones."""

def to_tensor(pic: _Any, data_format: _str = 'CHW') -> _Tensor:
    """A tensor [c, h, w] (or [h, w, c]) of an image; uint8 is scaled to float32 of 0..1.

    Other numbers keep their dtype. A tensor [c, h, w] is given back as it is, or in the other layout.

    >>> to_tensor(np.full((2, 3), 255, np.uint8)).shape
    [1, 2, 3]"""

def vflip(img: _Any) -> _Any:
    """Top and bottom swapped."""
