# Written by `make stubs`; edits here are lost.

from builtins import bool as _bool
from builtins import int as _int
from builtins import object as _object
from builtins import str as _str
from builtins import tuple as _tuple
from collections.abc import Iterable as _Iterable
from numpy import ndarray as _ndarray
from typing import Any as _Any
from vitrify.base.dtype import DType as _DType

class InputSpec:
    """Shape, dtype and name of an argument. A size is an int, None or -1 (unknown), or a name.

    Axes of the same name have the same size. Without a dtype it is float32; calls may then come with another one.

    Errors: TypeError for a shape that is no list or tuple; ValueError for a size that is none of the above.

    >>> InputSpec([None, 784], "float32", "x")
    InputSpec(shape=(-1, 784), dtype=vitrify.float32, name=x, stop_gradient=False)"""
    shape: _tuple[_int | _str, ...]
    dtype: _DType
    dtype_given: _Any
    name: _str | None
    stop_gradient: _bool
    def __init__(self, shape: _Iterable[_Any], dtype: _Any = 'float32', name: _str | None = None, stop_gradient: _bool = False) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    @classmethod
    def from_tensor(cls, tensor: _Any, name: _str | None = None) -> InputSpec:
        """The spec of a tensor: its shape and dtype, and its name unless another is given.

        Symbolic sizes become unknown ones."""
    @classmethod
    def from_numpy(cls, ndarray: _ndarray[_Any, _Any], name: _str | None = None) -> InputSpec:
        """The spec of a NumPy array.

        >>> InputSpec.from_numpy(np.ones([2, 2], np.float32), "x").shape
        (2, 2)"""
    def batch(self, batch_size: _Any) -> InputSpec:
        """Put an axis of this size in front, in place; returns the spec itself.

        >>> InputSpec([64]).batch(4).shape
        (4, 64)"""
    def unbatch(self) -> InputSpec:
        """Take the first axis away, in place; returns the spec itself. ValueError for rank 0.

        >>> InputSpec([4, 64]).unbatch().shape
        (64,)"""
    def to_type(self, symbols: Symbols) -> _Any:
        """The tensor type, unknown sizes named by `symbols`.

        >>> str(InputSpec([None, "batch", 3]).to_type(Symbols()))
        'f32[N, batch, 3]'"""
    def __eq__(self, other: _object) -> _bool:
        """Return self==value."""

class Symbols:
    """A supply of names for unknown sizes: N, M, K, … and then N1, N2, …; one for all arguments of a call.

    >>> supply = Symbols(["M"])
    >>> supply.fresh(), supply.fresh(), supply.named("batch")
    (N, K, batch)"""
    taken: _Any
    def __init__(self, taken: _Iterable[_str] = ...) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def fresh(self) -> _Any:
        """A size with a new name."""
    def named(self, name: _str) -> _Any:
        """The size of this name."""
