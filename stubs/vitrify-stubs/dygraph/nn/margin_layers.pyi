# Written by `make stubs`; edits here are lost.

from builtins import dict as _dict
from builtins import int as _int
from builtins import str as _str
from builtins import tuple as _tuple
from typing import Any as _Any
from vitrify.dygraph.nn.layer_settings import FunctionLayer as _FunctionLayer
from vitrify.dygraph.tensor import Tensor as _Tensor

class CircularPad1D(Pad1D):
    """Margins that go on at the other end (left, right) around sequences; an int is that of every side.

    >>> from ..conversions import to_tensor
    >>> CircularPad1D([1, 0])(to_tensor([[[0.0, 1.0, 2.0]]])).tolist()
    [[[2.0, 0.0, 1.0, 2.0]]]"""
    fill: _str
    settings: _dict
    @property
    def data_format(self: _Any) -> _Any: ...
    @data_format.setter
    def data_format(self, value: _Any) -> None: ...

class Pad1D(_Pad):
    """Margins (left, right) around sequences: constant, reflected, replicated or circular; an int is that of every
    side."""
    rank: _int
    settings: _dict
    @property
    def mode(self: _Any) -> _Any: ...
    @mode.setter
    def mode(self, value: _Any) -> None: ...
    @property
    def data_format(self: _Any) -> _Any: ...
    @data_format.setter
    def data_format(self, value: _Any) -> None: ...

class _Pad(_FunctionLayer):
    modes: _tuple[_str, ...]
    rank: _int
    fill: _str
    stored: _dict
    @property
    def mode(self: _Any) -> _Any: ...
    @mode.setter
    def mode(self, value: _Any) -> None: ...
    @property
    def data_format(self: _Any) -> _Any: ...
    @data_format.setter
    def data_format(self, value: _Any) -> None: ...
    def forward(self, x: _Any) -> _Tensor:
        """The function of the inputs; one that is named may be called as in the function, or `x` or `input`."""

class CircularPad2D(Pad2D):
    """Margins that go on at the other end (left, right, top, bottom) around images; an int is that of every side."""
    fill: _str
    settings: _dict
    @property
    def data_format(self: _Any) -> _Any: ...
    @data_format.setter
    def data_format(self, value: _Any) -> None: ...

class Pad2D(_Pad):
    """Margins (left, right, top, bottom) around images: constant, reflected, replicated or circular; an int is that of
    every side."""
    rank: _int
    settings: _dict
    @property
    def mode(self: _Any) -> _Any: ...
    @mode.setter
    def mode(self, value: _Any) -> None: ...
    @property
    def data_format(self: _Any) -> _Any: ...
    @data_format.setter
    def data_format(self, value: _Any) -> None: ...

class CircularPad3D(Pad3D):
    """Margins that go on at the other end (left, right, top, bottom, front, back) around volumes; an int is that
    of every side."""
    fill: _str
    settings: _dict
    @property
    def data_format(self: _Any) -> _Any: ...
    @data_format.setter
    def data_format(self, value: _Any) -> None: ...

class Pad3D(_Pad):
    """Margins (left, right, top, bottom, front, back) around volumes: constant, reflected, replicated or circular; an
    int is that of every side."""
    rank: _int
    settings: _dict
    @property
    def mode(self: _Any) -> _Any: ...
    @mode.setter
    def mode(self, value: _Any) -> None: ...
    @property
    def data_format(self: _Any) -> _Any: ...
    @data_format.setter
    def data_format(self, value: _Any) -> None: ...

class ConstantPad1D(Pad1D):
    """Margins of one value (left, right) around sequences; an int is that of every side."""
    fill: _str
    settings: _dict
    @property
    def data_format(self: _Any) -> _Any: ...
    @data_format.setter
    def data_format(self, value: _Any) -> None: ...

class ConstantPad2D(Pad2D):
    """Margins of one value (left, right, top, bottom) around images; an int is that of every side."""
    fill: _str
    settings: _dict
    @property
    def data_format(self: _Any) -> _Any: ...
    @data_format.setter
    def data_format(self, value: _Any) -> None: ...

class ConstantPad3D(Pad3D):
    """Margins of one value (left, right, top, bottom, front, back) around volumes; an int is that of every side."""
    fill: _str
    settings: _dict
    @property
    def data_format(self: _Any) -> _Any: ...
    @data_format.setter
    def data_format(self, value: _Any) -> None: ...

class ReflectionPad1D(Pad1D):
    """Margins that mirror what is inside, without its edge, (left, right) around sequences; an int is that of
    every side.

    >>> from ..conversions import to_tensor
    >>> ReflectionPad1D([1, 0])(to_tensor([[[0.0, 1.0, 2.0]]])).tolist()
    [[[1.0, 0.0, 1.0, 2.0]]]"""
    fill: _str
    settings: _dict
    @property
    def data_format(self: _Any) -> _Any: ...
    @data_format.setter
    def data_format(self, value: _Any) -> None: ...

class ReflectionPad2D(Pad2D):
    """Margins that mirror what is inside, without its edge, (left, right, top, bottom) around images; an int is
    that of every side."""
    fill: _str
    settings: _dict
    @property
    def data_format(self: _Any) -> _Any: ...
    @data_format.setter
    def data_format(self, value: _Any) -> None: ...

class ReflectionPad3D(Pad3D):
    """Margins that mirror what is inside, without its edge, (left, right, top, bottom, front, back) around
    volumes; an int is that of every side."""
    fill: _str
    settings: _dict
    @property
    def data_format(self: _Any) -> _Any: ...
    @data_format.setter
    def data_format(self, value: _Any) -> None: ...

class ReplicationPad1D(Pad1D):
    """Margins that repeat the edge (left, right) around sequences; an int is that of every side.

    >>> from ..conversions import to_tensor
    >>> ReplicationPad1D([1, 0])(to_tensor([[[0.0, 1.0, 2.0]]])).tolist()
    [[[0.0, 0.0, 1.0, 2.0]]]"""
    fill: _str
    settings: _dict
    @property
    def data_format(self: _Any) -> _Any: ...
    @data_format.setter
    def data_format(self, value: _Any) -> None: ...

class ReplicationPad2D(Pad2D):
    """Margins that repeat the edge (left, right, top, bottom) around images; an int is that of every side."""
    fill: _str
    settings: _dict
    @property
    def data_format(self: _Any) -> _Any: ...
    @data_format.setter
    def data_format(self, value: _Any) -> None: ...

class ReplicationPad3D(Pad3D):
    """Margins that repeat the edge (left, right, top, bottom, front, back) around volumes; an int is that of
    every side."""
    fill: _str
    settings: _dict
    @property
    def data_format(self: _Any) -> _Any: ...
    @data_format.setter
    def data_format(self, value: _Any) -> None: ...

class ZeroPad1D(_Pad):
    """Margins of zeros (left, right) around sequences; an int is that of every side."""
    rank: _int
    settings: _dict
    @property
    def data_format(self: _Any) -> _Any: ...
    @data_format.setter
    def data_format(self, value: _Any) -> None: ...

class ZeroPad2D(_Pad):
    """Margins of zeros (left, right, top, bottom) around images; an int is that of every side."""
    rank: _int
    settings: _dict
    @property
    def data_format(self: _Any) -> _Any: ...
    @data_format.setter
    def data_format(self, value: _Any) -> None: ...

class ZeroPad3D(_Pad):
    """Margins of zeros (left, right, top, bottom, front, back) around volumes; an int is that of every side."""
    rank: _int
    settings: _dict
    @property
    def data_format(self: _Any) -> _Any: ...
    @data_format.setter
    def data_format(self, value: _Any) -> None: ...
