# Written by `make stubs`; edits here are lost.

from builtins import bool as _bool
from builtins import int as _int
from builtins import list as _list
from numpy import ndarray as _ndarray
from typing import Any as _Any
from vitrify.base.size import Size as _Size

class DenseTensor:
    """The data behind a tensor: read it as an array, replace it by `set`.

    `owner` has `numpy()`, `set_value(array)`, `shape` and `dtype`: a Tensor, or a variable of a scope."""
    def __init__(self, owner: _Any) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def set(self, array: _Any, place: _Any = None) -> None:
        """Copy an array of the same shape in; its dtype becomes the tensor's. Errors: ShapeError."""
    def shape(self) -> _Size:
        """The sizes of its axes."""
    def lod(self) -> _list[_Any]:
        """Levels of detail: none."""
    def recursive_sequence_lengths(self) -> _list[_Any]:
        """Levels of detail: none."""
    def numel(self) -> _int:
        """How many elements it has."""
    def __array__(self, dtype: _Any = None, copy: _bool | None = None) -> _ndarray[_Any, _Any]: ...
