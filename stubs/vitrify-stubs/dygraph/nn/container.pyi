# Written by `make stubs`; edits here are lost.

from builtins import bool as _bool
from builtins import int as _int
from builtins import object as _object
from builtins import str as _str
from collections.abc import Iterable as _Iterable
from collections.abc import Iterator as _Iterator
from typing import Any as _Any
from vitrify.dygraph.nn.layer import Layer as _Layer
from vitrify.dygraph.tensor import Parameter as _Parameter
from vitrify.dygraph.tensor import Tensor as _Tensor

class LayerDict(_Layer):
    """Layers under names, with the methods of a dict."""
    def __init__(self, sublayers: _Any = None) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def __getitem__(self, key: _str) -> _Any: ...
    def __setitem__(self, key: _str, sublayer: _Layer) -> None: ...
    def __delitem__(self, key: _str) -> None: ...
    def __len__(self) -> _int: ...
    def __iter__(self) -> _Iterator[_str]: ...
    def __contains__(self, key: _object) -> _bool: ...
    def clear(self) -> None:
        """Drop all layers."""
    def pop(self, key: _str) -> _Any:
        """Take the layer named `key` out."""
    def keys(self) -> _Any:
        """The names."""
    def values(self) -> _Any:
        """The layers."""
    def items(self) -> _Any:
        """Names and layers."""
    def update(self, sublayers: _Any) -> None:
        """Add or replace layers from a mapping or from (name, layer) pairs."""

class LayerList(_Ordered):
    """A list of layers that are registered.

    >>> from .linear_layers import Linear
    >>> layers = LayerList([Linear(2, 2) for _ in range(3)])
    >>> len(layers), len(layers[1:])
    (3, 2)"""
    def __init__(self, sublayers: _Iterable[_Layer] | None = None) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""

class _Ordered(_Layer):
    """Layers in an order, under the names "0", "1", … or others."""
    def __getitem__(self, index: _Any) -> _Any: ...
    def __setitem__(self, index: _Any, layer: _Layer) -> None: ...
    def __delitem__(self, index: _Any) -> None: ...
    def __len__(self) -> _int: ...
    def __iter__(self) -> _Iterator[_Any]: ...
    def append(self, sublayer: _Layer) -> _Any:
        """Add a layer at the end."""
    def insert(self, index: _int, sublayer: _Layer) -> _Any:
        """Put a layer before position `index`."""
    def extend(self, sublayers: _Iterable[_Layer]) -> _Any:
        """Add layers at the end."""

class ParameterDict(_Layer):
    """Parameters under names, with the methods of a dict.

    >>> made = ParameterDict({"w": Parameter([1.0])})
    >>> list(made.keys()), "w" in made
    (['w'], True)"""
    def __init__(self, parameters: _Any = None) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def __getitem__(self, key: _str) -> _Any: ...
    def __setitem__(self, key: _str, parameter: _Parameter) -> None: ...
    def __delitem__(self, key: _str) -> None: ...
    def __len__(self) -> _int: ...
    def __iter__(self) -> _Iterator[_str]: ...
    def __contains__(self, key: _object) -> _bool: ...
    def clear(self) -> None:
        """Drop all parameters."""
    def pop(self, key: _str) -> _Any:
        """Take the parameter named `key` out."""
    def keys(self) -> _Any:
        """The names."""
    def values(self) -> _Any:
        """The parameters."""
    def items(self) -> _Any:
        """Names and parameters."""
    def update(self, parameters: _Any) -> None:
        """Add or replace parameters from a mapping or from (name, parameter) pairs."""

class ParameterList(_Layer):
    """A list of parameters that are registered."""
    def __init__(self, parameters: _Iterable[_Parameter] | None = None) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def __getitem__(self, index: _int) -> _Any: ...
    def __setitem__(self, index: _int, parameter: _Parameter) -> None: ...
    def __len__(self) -> _int: ...
    def __iter__(self) -> _Iterator[_Any]: ...
    def append(self, parameter: _Parameter) -> ParameterList:
        """Add a parameter at the end."""

class Sequential(_Ordered):
    """Layers applied one after the other; given as layers or as (name, layer) pairs.

    >>> from .linear_layers import Linear
    >>> len(Sequential(Linear(2, 3), ("last", Linear(3, 1))))
    2"""
    def __init__(self, *layers: _Any) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def forward(self, input: _Any) -> _Tensor:
        """What the layer computes; each subclass defines it."""
