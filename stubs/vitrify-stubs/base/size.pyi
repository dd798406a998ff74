# Written by `make stubs`; edits here are lost.

from builtins import bool as _bool
from builtins import list as _list
from builtins import object as _object
from builtins import slice as _slice
from builtins import str as _str
from collections.abc import Iterable as _Iterable
from typing import Any as _Any
from typing import SupportsIndex as _SupportsIndex
from typing import overload as _overload

class Size(_list[_Any]):
    """What `Tensor.shape` gives: a list of sizes, equal to a list and to a tuple of them.

    Parts of it, and sums with lists and tuples, are Sizes, too. It is printed as a list, and as `paddle.Size([2, 3])`
    where `import paddle` means this package.

    >>> Size([2, 3]) == [2, 3], Size([2, 3]).numel(), (4,) + Size([2, 3])[1:]
    (True, 6, [4, 3])"""
    shown_as: _str
    def numel(self) -> _Any:
        """How many elements a tensor of this shape has.

        >>> Size([2, 3, 4]).numel(), Size().numel()
        (24, 1)"""
    @_overload
    def __getitem__(self, key: _SupportsIndex) -> _Any:
        """x.__getitem__(y) <==> x[y]"""
    @_overload
    def __getitem__(self, key: _slice) -> Size: ...
    def __add__(self, other: _Iterable[_Any]) -> Size:
        """Return self+value."""
    def __radd__(self, other: _Iterable[_Any]) -> Size: ...
    def __mul__(self, times: _SupportsIndex) -> Size:
        """Return self*value."""
    def __rmul__(self, times: _SupportsIndex) -> Size:
        """Return self*value."""
    def __eq__(self, other: _object) -> _bool:
        """Return self==value."""
    def __ne__(self, other: _object) -> _bool:
        """Return self!=value."""
