# Written by `make stubs`; edits here are lost.

from builtins import bool as _bool
from builtins import complex as _complex
from builtins import dict as _dict
from builtins import float as _float
from builtins import int as _int
from builtins import list as _list
from builtins import str as _str
from builtins import tuple as _tuple
from typing import Any as _Any
from vitrify.base.boundary import Created as _Created
from vitrify.base.changes import Counted as _Counted
from vitrify.base.dtype import DType as _DType
from vitrify.dygraph.tensor import Tensor as _Tensor

class Initializer(_Counted, _Created):
    """Base of initializers: `values(shape, dtype)` makes a tensor; calling one fills an existing tensor."""
    draws_in_program: _bool
    seed: _int
    def values(self, shape: _list[_int], dtype: _DType) -> _Any:
        """A new tensor."""
    def described(self, shape: _list[_int], dtype: _DType) -> _tuple[_str, _dict[_str, _Any]] | None:
        """The operator that makes the values in PaddlePaddle's programs: its type and attributes; None for several."""
    def __call__(self, param: _Tensor, block: _Any = None) -> _Tensor:
        """Overwrite `param`, not recorded."""

class Assign(Initializer):
    """A copy of given numbers, an array, a list or a tensor; it broadcasts to the parameter's shape."""
    value: _Any
    def __init__(self, value: _Any, name: _str | None = None) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def described(self, shape: _list[_int], dtype: _DType) -> _tuple[_str, _dict[_str, _Any]]:
        """The operator that makes the values in PaddlePaddle's programs: its type and attributes; None for several."""

class Bilinear(Initializer):
    """Filters [out, in, size, size] of a transposed convolution that enlarges images linearly along both axes."""
    def __init__(self, name: _str | None = None) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def described(self, shape: _list[_int], dtype: _DType) -> _tuple[_str, _dict[_str, _Any]]:
        """The operator that makes the values in PaddlePaddle's programs: its type and attributes; None for several."""

class Constant(Initializer):
    """Every element is `value`.

    >>> Constant(2.0)
    Constant(value=2.0)"""
    value: _float
    def __init__(self, value: _float = 0.0) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def described(self, shape: _list[_int], dtype: _DType) -> _tuple[_str, _dict[_str, _Any]]:
        """The operator that makes the values in PaddlePaddle's programs: its type and attributes; None for several."""

class Dirac(Initializer):
    """Filters [out, in, …] that pass channels on unchanged: 1 at the middle of filter k for channel k, by groups."""
    groups: _int
    def __init__(self, groups: _int = 1, name: _str | None = None) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""

class KaimingNormal(_Kaiming):
    """Normal with variance gain² / fan_in (He, Zhang, Ren, Sun, 2015)."""

class _Kaiming(_Scaled):
    fan_in: _float | None
    mode: _str
    negative_slope: _float
    nonlinearity: _str
    draws_in_program: _bool
    def __init__(self, fan_in: _float | None = None, negative_slope: _float = 0.0, nonlinearity: _str = 'relu', mode: _str = 'fan_in') -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""

class _Scaled(Initializer):
    """From a distribution whose width depends on the shape."""
    def described(self, shape: _list[_int], dtype: _DType) -> _tuple[_str, _dict[_str, _Any]] | None:
        """The operator that makes the values in PaddlePaddle's programs: its type and attributes; None for several."""

class KaimingUniform(_Kaiming):
    """Evenly, with variance gain² / fan_in (He, Zhang, Ren, Sun, 2015)."""

class Normal(Initializer):
    """From the normal distribution; the parts of complex numbers have the same mean. Errors: ArgumentError if not."""
    mean: _complex
    std: _float
    draws_in_program: _bool
    def __init__(self, mean: _complex = 0.0, std: _float = 1.0, name: _str | None = None) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def described(self, shape: _list[_int], dtype: _DType) -> _tuple[_str, _dict[_str, _Any]]:
        """The operator that makes the values in PaddlePaddle's programs: its type and attributes; None for several."""

class Orthogonal(Initializer):
    """An orthogonal matrix (rows or columns, whichever are fewer) times gain; more axes count as columns."""
    gain: _float
    draws_in_program: _bool
    def __init__(self, gain: _float = 1.0, name: _str | None = None) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""

class TruncatedNormal(Initializer):
    """From the normal distribution, of the numbers between `a` and `b` only: its inverse at evenly drawn places.

    Errors: ArgumentError if less than 1 % of the distribution lies there."""
    mean: _float
    std: _float
    a: _float
    b: _float
    draws_in_program: _bool
    def __init__(self, mean: _float = 0.0, std: _float = 1.0, a: _float = -2.0, b: _float = 2.0, name: _str | None = None) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def described(self, shape: _list[_int], dtype: _DType) -> _tuple[_str, _dict[_str, _Any]]:
        """The operator that makes the values in PaddlePaddle's programs: its type and attributes; None for several."""

class Uniform(Initializer):
    """Evenly from [low, high)."""
    low: _float
    high: _float
    draws_in_program: _bool
    def __init__(self, low: _float = -1.0, high: _float = 1.0, name: _str | None = None) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def described(self, shape: _list[_int], dtype: _DType) -> _tuple[_str, _dict[_str, _Any]]:
        """The operator that makes the values in PaddlePaddle's programs: its type and attributes; None for several."""

class XavierNormal(_Xavier):
    """Normal with variance 2 gain² / (fan_in + fan_out) (Glorot, Bengio, 2010)."""

class _Xavier(_Scaled):
    fan_in: _float | None
    fan_out: _float | None
    gain: _float
    draws_in_program: _bool
    def __init__(self, fan_in: _float | None = None, fan_out: _float | None = None, gain: _float = 1.0, name: _str | None = None) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""

class XavierUniform(_Xavier):
    """Evenly, with variance 2 gain² / (fan_in + fan_out) (Glorot, Bengio, 2010)."""
