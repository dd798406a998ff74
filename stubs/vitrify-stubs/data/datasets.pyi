# Written by `make stubs`; edits here are lost.

from builtins import str as _str
from builtins import tuple as _tuple
from collections.abc import Callable as _Callable
from numpy import int64 as _int64
from pathlib import Path as _Path
from typing import Any as _Any
from vitrify.data.dataset import Dataset as _Dataset

class Digits(_Dataset[_tuple[_Any, _int64]]):
    """The 1,797 handwritten digits of 8×8 pixels that scikit-learn carries; a stand-in for MNIST without any file.

    `mode`: "train" (1,437), "test" (the other 360) or "all"; the parts are drawn at random, always the same way.
    A sample is (image f32[1, 8, 8] in 0..1, label int64); `transform` is applied to the image.
    Errors: MissingDependencyError (an ImportError) if scikit-learn isn't installed.
    Source: Alpaydin and Kaynak, Optical Recognition of Handwritten Digits, 1998."""
    mode: _str
    transform: _Callable[[_Any], _Any] | None
    images: _Any
    labels: _Any
    def __init__(self, mode: _str = 'train', transform: _Callable[[_Any], _Any] | None = None) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""

class MNIST(_Dataset[_tuple[_Any, _int64]]):
    """Handwritten digits of 28×28 pixels from the four IDX files, plain or gzipped, in the folder `root`.

    `mode`: "train" (60,000) or "test" (10,000). A sample is (image f32[1, 28, 28] in 0..1, label int64);
    `transform` is applied to the image. `images` and `labels` hold all of them.
    Errors: DataNotFoundError (a FileNotFoundError) names the files looked for; DataError a damaged or unfitting file.
    Source: LeCun, Bottou, Bengio, Haffner, Gradient-based learning applied to document recognition, 1998."""
    root: _Any
    mode: _str
    transform: _Callable[[_Any], _Any] | None
    images: _Any
    labels: _Any
    def __init__(self, root: _str | _Path, mode: _str = 'train', transform: _Callable[[_Any], _Any] | None = None) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
