# Written by `make stubs`; edits here are lost.

from builtins import bool as _bool
from builtins import float as _float
from builtins import int as _int
from builtins import str as _str
from builtins import tuple as _tuple
from collections.abc import Callable as _Callable
from collections.abc import Sequence as _Sequence
from typing import Any as _Any
from vitrify.base.boundary import Created as _Created
from vitrify.base.changes import Counted as _Counted

class BaseTransform(_Counted, _Created):
    """Base: a subclass gives `_apply_image`. With several `keys` ("image", "label", ...) a sample is a tuple of them.

    `self.params` holds what `_get_params(inputs)` drew for this sample."""
    keys: _Any
    params: _Any
    def __init__(self, keys: _Sequence[_str] | None = None) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def __call__(self, inputs: _Any) -> _Any:
        """Call self as a function."""

class BrightnessTransform(_Jitter):
    """Brightness times a factor from 1-value to 1+value, or from the first of two values to the second."""
    @staticmethod
    def change(img: _Any, brightness_factor: _float) -> _Any:
        """All pixels times the factor; whole ones are cut behind the point, as Paddle's are."""

class _Jitter(BaseTransform):
    """`value`: a number, for factors from 1-value to 1+value, or the two ends of their range."""
    change: _Callable[[_Any, _float], _Any]
    value: _Any
    def __init__(self, value: _float | _Sequence[_float], keys: _Sequence[_str] | None = None) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""

class CenterCrop(BaseTransform):
    """The middle part of a size."""
    size: _int | _Sequence[_int]
    def __init__(self, size: _int | _Sequence[_int], keys: _Sequence[_str] | None = None) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""

class ColorJitter(BaseTransform):
    """Brightness, contrast, saturation and hue changed at random, in a random order.

    >>> ColorJitter(0.4, 0.4, 0.4, 0.1)(np.zeros((4, 4, 3), np.uint8)).shape
    (4, 4, 3)"""
    brightness: _float | _Sequence[_float]
    contrast: _float | _Sequence[_float]
    saturation: _float | _Sequence[_float]
    hue: _float | _Sequence[_float]
    parts: _Any
    def __init__(self, brightness: _float | _Sequence[_float] = 0, contrast: _float | _Sequence[_float] = 0, saturation: _float | _Sequence[_float] = 0, hue: _float | _Sequence[_float] = 0, keys: _Sequence[_str] | None = None) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""

class Compose:
    """Transforms one after the other.

    >>> Compose([Resize((2, 2)), ToTensor()])(np.zeros((4, 4), np.uint8)).shape
    [1, 2, 2]"""
    transforms: _Any
    def __init__(self, transforms: _Sequence[_Callable[[_Any], _Any]]) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def __call__(self, data: _Any) -> _Any:
        """Call self as a function."""

class ContrastTransform(_Jitter):
    """Contrast times a factor from 1-value to 1+value, or from the first of two values to the second."""
    @staticmethod
    def change(img: _Any, contrast_factor: _float) -> _Any:
        """Pixels' distances from the image's mean brightness times the factor."""

class Grayscale(BaseTransform):
    """Brightness, in one channel or three. Errors: ArgumentError for another number of channels."""
    num_output_channels: _int
    def __init__(self, num_output_channels: _int = 1, keys: _Sequence[_str] | None = None) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""

class HueTransform(BaseTransform):
    """Hue shifted by a random part of the circle from -value to value, at most 0.5, or between two values."""
    value: _Any
    def __init__(self, value: _float | _Sequence[_float], keys: _Sequence[_str] | None = None) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""

class Normalize(BaseTransform):
    """(image - mean) / std per channel."""
    mean: _Any
    std: _Any
    data_format: _str
    to_rgb: _bool
    def __init__(self, mean: _float | _Sequence[_float] = 0.0, std: _float | _Sequence[_float] = 1.0, data_format: _str = 'CHW', to_rgb: _bool = False, keys: _Sequence[_str] | None = None) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""

class Pad(BaseTransform):
    """More pixels around. Errors: ArgumentError for another count of numbers than 1, 2 or 4."""
    padding: _int | _Sequence[_int]
    fill: _float
    padding_mode: _str
    def __init__(self, padding: _int | _Sequence[_int], fill: _float = 0, padding_mode: _str = 'constant', keys: _Sequence[_str] | None = None) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""

class RandomCrop(BaseTransform):
    """A part of a size at a random place, after `padding`. Errors: ArgumentError for images that are too small."""
    size: _Any
    padding: _int | _Sequence[_int] | None
    pad_if_needed: _bool
    fill: _float
    padding_mode: _str
    def __init__(self, size: _int | _Sequence[_int], padding: _int | _Sequence[_int] | None = None, pad_if_needed: _bool = False, fill: _float = 0, padding_mode: _str = 'constant', keys: _Sequence[_str] | None = None) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""

class RandomErasing(_Chance):
    """A random rectangle of the image gets `value`, with a probability; "random": a number for each pixel.

    value: a number, or one for each channel. Errors: ArgumentError for another string."""
    scale: _tuple[_float, _float]
    ratio: _tuple[_float, _float]
    value: _float | _Sequence[_float] | _str
    inplace: _bool
    def __init__(self, prob: _float = 0.5, scale: _tuple[_float, _float] = ..., ratio: _tuple[_float, _float] = ..., value: _float | _Sequence[_float] | _str = 0, inplace: _bool = False, keys: _Sequence[_str] | None = None) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""

class _Chance(BaseTransform):
    prob: _float
    def __init__(self, prob: _float = 0.5, keys: _Sequence[_str] | None = None) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""

class RandomHorizontalFlip(_Chance):
    """Left and right swapped with a probability."""

class RandomResizedCrop(BaseTransform):
    """A random part, by share of the area (`scale`) and ratio of sides (`ratio`), resized to `size`."""
    size: _Any
    scale: _tuple[_float, _float]
    ratio: _tuple[_float, _float]
    interpolation: _str
    def __init__(self, size: _int | _Sequence[_int], scale: _tuple[_float, _float] = ..., ratio: _tuple[_float, _float] = ..., interpolation: _str = 'bilinear', keys: _Sequence[_str] | None = None) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""

class RandomVerticalFlip(_Chance):
    """Top and bottom swapped with a probability."""

class Resize(BaseTransform):
    """Another size: (h, w), or an int for the shorter side."""
    size: _int | _Sequence[_int]
    interpolation: _str
    def __init__(self, size: _int | _Sequence[_int], interpolation: _str = 'bilinear', keys: _Sequence[_str] | None = None) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""

class SaturationTransform(_Jitter):
    """Saturation times a factor from 1-value to 1+value, or from the first of two values to the second."""
    @staticmethod
    def change(img: _Any, saturation_factor: _float) -> _Any:
        """Pixels' distances from their own brightness times the factor: 0 is grey, 1 the image."""

class ToTensor(BaseTransform):
    """A float32 tensor [c, h, w], uint8 scaled to 0..1."""
    data_format: _str
    def __init__(self, data_format: _str = 'CHW', keys: _Sequence[_str] | None = None) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""

class Transpose(BaseTransform):
    """The axes in another order: (2, 0, 1) makes [c, h, w]."""
    order: _Any
    def __init__(self, order: _Sequence[_int] = ..., keys: _Sequence[_str] | None = None) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
