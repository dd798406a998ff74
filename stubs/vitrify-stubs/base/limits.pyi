# Written by `make stubs`; edits here are lost.

from builtins import float as _float
from builtins import int as _int
from builtins import str as _str
from typing import Any as _Any

class finfo:
    """The limits of a float dtype; of a complex one, those of its parts. ValueError for other dtypes.

    >>> finfo("float16").max, finfo("float32").bits
    (65504.0, 32)"""
    dtype: _str
    bits: _int
    min: _float
    max: _float
    eps: _float
    resolution: _float
    smallest_normal: _float
    tiny: _float
    def __init__(self, dtype: _Any) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def __eq__(self, other) -> _Any:
        """Return self==value."""
    def __getstate__(self) -> _Any: ...
    def __setstate__(self, state) -> _Any: ...

class iinfo:
    """The limits of an integer dtype. ValueError for other dtypes.

    >>> iinfo("int8").min, iinfo("int8").max
    (-128, 127)"""
    dtype: _str
    bits: _int
    min: _int
    max: _int
    def __init__(self, dtype: _Any) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def __eq__(self, other) -> _Any:
        """Return self==value."""
    def __getstate__(self) -> _Any: ...
    def __setstate__(self, state) -> _Any: ...
