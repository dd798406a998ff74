# Written by `make stubs`; edits here are lost.

from builtins import bool as _bool
from builtins import float as _float
from builtins import int as _int
from builtins import list as _list
from builtins import str as _str
from builtins import tuple as _tuple
from collections.abc import Sequence as _Sequence
from typing import Any as _Any
from vitrify.vision.transforms.classes import BaseTransform as _BaseTransform

class RandomAffine(_BaseTransform):
    """Rotate, move, scale and shear at random. See `functional.affine`.

    translate: the largest shares of width and height; scale: (low, high); shear: degrees (low, high) along x, with two
    more numbers along y, or n for (-n, n)."""
    degrees: _Any
    translate: _Sequence[_float] | None
    scale: _Sequence[_float] | None
    shear: _Any
    interpolation: _str
    fill: _Any
    center: _Sequence[_float] | None
    def __init__(self, degrees: _float | _Sequence[_float], translate: _Sequence[_float] | None = None, scale: _Sequence[_float] | None = None, shear: _float | _Sequence[_float] | None = None, interpolation: _str = 'nearest', fill: _Any = 0, center: _Sequence[_float] | None = None, keys: _Sequence[_str] | None = None) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""

class RandomPerspective(_BaseTransform):
    """With probability `prob` move the corners inwards by up to `distortion_scale` of half the sides."""
    prob: _float
    distortion_scale: _float
    interpolation: _str
    fill: _Any
    def __init__(self, prob: _float = 0.5, distortion_scale: _float = 0.5, interpolation: _str = 'nearest', fill: _Any = 0, keys: _Sequence[_str] | None = None) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def get_params(self, width: _int, height: _int, distortion_scale: _float) -> _tuple[_list[_list[_int]], _list[_list[_int]]]:
        """Corners of an image, and where each is moved to: top left, top right, bottom right, bottom left."""

class RandomRotation(_BaseTransform):
    """Rotate by an angle drawn from `degrees`: (low, high), or n for (-n, n). See `functional.rotate`."""
    degrees: _Any
    interpolation: _str
    expand: _bool
    center: _tuple[_float, _float] | None
    fill: _Any
    def __init__(self, degrees: _float | _Sequence[_float], interpolation: _str = 'nearest', expand: _bool = False, center: _tuple[_float, _float] | None = None, fill: _Any = 0, keys: _Sequence[_str] | None = None) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
