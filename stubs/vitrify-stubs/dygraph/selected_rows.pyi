# Written by `make stubs`; edits here are lost.

from builtins import int as _int
from builtins import list as _list
from collections.abc import Sequence as _Sequence
from vitrify.dygraph.dense import DenseTensor as _DenseTensor

class SelectedRows:
    """Rows of a table of `height` rows: `get_tensor()` has one row for each number in `rows()`, which may repeat.

    >>> import numpy as np
    >>> some = SelectedRows([0, 4], 10)
    >>> some.get_tensor().set(np.ones([2, 3], "float32"))
    >>> some.rows(), some.height(), some.get_tensor().shape()
    ([0, 4], 10, [2, 3])"""
    def __init__(self, rows: _Sequence[_int] = ..., height: _int = 0) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def rows(self) -> _list[_int]:
        """The numbers of the rows."""
    def set_rows(self, rows: _Sequence[_int]) -> None:
        """Set the numbers of the rows."""
    def height(self) -> _int:
        """How many rows the table has."""
    def set_height(self, height: _int) -> None:
        """Set how many rows the table has."""
    def get_tensor(self) -> _DenseTensor:
        """The rows' elements."""
    def numel(self) -> _int:
        """How many elements the rows have."""
    def sync_index(self) -> None:
        """Nothing: the numbers of the rows are looked up where they are."""
