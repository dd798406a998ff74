# Written by `make stubs`; edits here are lost.

from builtins import bool as _bool
from builtins import int as _int
from builtins import list as _list
from numpy import ndarray as _ndarray
from typing import Any as _Any
from vitrify.base.size import Size as _Size

class DenseTensor:
    """The data behind a tensor: read it as an array, replace it by `set`.

    Without an owner it holds data of its own, of any shape and dtype. `owner` has `numpy()`, `set_value(array)`,
    `shape` and `dtype`.

    >>> data = DenseTensor()
    >>> data.set(np.ones((3, 1), np.float32))
    >>> data.set_recursive_sequence_lengths([[2, 1]])
    >>> data.shape(), data.lod(), np.array(data[1:]).tolist()
    ([3, 1], [[0, 2, 3]], [[1.0], [1.0]])"""
    def __init__(self, owner: _Any = None) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def set(self, array: _Any, place: _Any = None) -> None:
        """Copy an array in. An owner's tensor keeps its shape and dtype.

        Errors: ShapeError for another shape than the owner's; ArgumentError for what isn't numbers."""
    def shape(self) -> _Size:
        """The sizes of its axes."""
    def recursive_sequence_lengths(self) -> _list[_list[_int]]:
        """The lengths of its sequences, level by level."""
    def lod(self) -> _list[_list[_int]]:
        """Where its sequences begin and end, level by level."""
    def set_recursive_sequence_lengths(self, lengths: _Any) -> None:
        """Say how many rows each sequence has; of several levels, how many sequences of the next each has.

        Errors: ArgumentError for lengths that don't add up."""
    def set_lod(self, offsets: _Any) -> None:
        """`set_recursive_sequence_lengths` by where sequences begin and end."""
    def has_valid_recursive_sequence_lengths(self) -> _bool:
        """Whether the lengths add up to the number of rows."""
    def __getitem__(self, item: _Any) -> DenseTensor: ...
    def numel(self) -> _int:
        """How many elements it has."""
    def __array__(self, dtype: _Any = None, copy: _bool | None = None) -> _ndarray[_Any, _Any]: ...
