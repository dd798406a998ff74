# Written by `make stubs`; edits here are lost.

from builtins import bool as _bool
from builtins import int as _int
from builtins import object as _object
from builtins import str as _str
from numpy import dtype as _dtype
from typing import Any as _Any

class DType:
    """One element type. Compared by identity; a string or NumPy dtype of the same name is equal too.

    >>> float32 == "float32", float32.short, float32.itemsize
    (True, 'f32', 4)"""
    name: _str
    short: _str
    category: _int
    itemsize: _int
    numpy: _dtype[_Any]
    onnx: _int
    llvm: _str
    accumulator: _str
    package: _str
    arrays_hold_bits: _bool
    @property
    def is_native(self) -> _bool:
        """Whether kernels know it."""
    @property
    def safetensors(self) -> _str:
        """Its name in safetensors files."""
    @property
    def is_floating(self) -> _bool: ...
    @property
    def is_integer(self) -> _bool: ...
    @property
    def is_unsigned(self) -> _bool:
        """Whether it is an integer dtype without negative numbers."""
    @property
    def is_bool(self) -> _bool: ...
    @property
    def is_complex(self) -> _bool: ...
    @property
    def is_differentiable(self) -> _bool: ...
    def __eq__(self, other: _object) -> _bool:
        """Return self==value."""
    def __int__(self) -> _int:
        """Its number in PaddlePaddle's files (`VarDesc.VarType`).

        >>> int(float32), int(int64)
        (5, 3)"""
    def __init__(self, name: _str, short: _str, category: _int, itemsize: _int, numpy: _dtype[_Any], onnx: _int, llvm: _str, accumulator: _str) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def __getstate__(self) -> _Any: ...
    def __setstate__(self, state) -> _Any: ...
