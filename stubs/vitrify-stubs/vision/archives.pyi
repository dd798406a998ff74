# Written by `make stubs`; edits here are lost.

from builtins import bool as _bool
from builtins import dict as _dict
from builtins import int as _int
from builtins import str as _str
from builtins import tuple as _tuple
from collections.abc import Callable as _Callable
from pathlib import Path as _Path
from typing import Any as _Any
from vitrify.data.dataset import Dataset as _Dataset

class Flowers(_Dataset[_tuple[_Any, _Any]]):
    """Oxford's flowers: (image, label i64[1] from 1 on), as `transform` makes it; labels are read by SciPy.

    data_file, label_file, setid_file: `102flowers.tgz`, `imagelabels.mat` and `setid.mat`."""
    labels: _Any
    indexes: _Any
    PARTS: _dict
    def __init__(self, data_file: _str | _Path | None = None, label_file: _str | _Path | None = None, setid_file: _str | _Path | None = None, mode: _str = 'train', transform: _Callable[[_Any], _Any] | None = None, download: _bool = False, backend: _str | None = None) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def __getitem__(self, index: _int) -> _tuple[_Any, _Any]:
        """The sample at `index`."""
    def __len__(self) -> _int:
        """How many samples there are."""

class VOC2012(_Dataset[_tuple[_Any, _Any]]):
    """Pascal's pictures with their segmentation: (image, image of classes); `transform` makes the first.

    data_file: `VOCtrainval_11-May-2012.tar`."""
    names: _Any
    PARTS: _dict
    def __init__(self, data_file: _str | _Path | None = None, mode: _str = 'train', transform: _Callable[[_Any], _Any] | None = None, download: _bool = False, backend: _str | None = None) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def __getitem__(self, index: _int) -> _tuple[_Any, _Any]:
        """The sample at `index`."""
    def __len__(self) -> _int:
        """How many samples there are."""
