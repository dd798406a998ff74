"""Layers that hold others: Sequential, LayerList, LayerDict, ParameterList."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from ...base.changes import layer_epoch
from ...base.errors import ArgumentError, AssertedError, AxisError, KindError, MemberError, NameTakenError
from ..tensor import Parameter
from .layer import Layer

__all__ = ["LayerDict", "LayerList", "ParameterDict", "ParameterList", "Sequential"]


def _place(index: Any, count: int, owner: Layer) -> int:
    """A position from 0, from one that may count from the end."""
    if not hasattr(index, "__index__"):
        raise MemberError(f"{type(owner).__name__} takes ints and slices as indices, not a {type(index).__name__}")
    at = index.__index__()
    if not -count <= at < count:
        raise AxisError(f"index {at} is outside {type(owner).__name__} of length {count}")
    return at % count if count else 0


class _Ordered(Layer):
    """Layers in an order, under the names "0", "1", … or others."""

    def _renumber(self, layers: Iterable[Layer]) -> None:
        items = list(layers)
        for k, layer in enumerate(items):
            if not isinstance(layer, Layer):
                raise MemberError(f"item {k} of {type(self).__name__} must be a Layer, not a {type(layer).__name__}")
        layer_epoch.value += 1
        self._sub_layers.clear()
        self._sub_layers.update({str(k): layer for k, layer in enumerate(items)})

    def _items(self) -> list[Any]:
        return list(self._sub_layers.values())

    def _key(self, index: Any) -> str:
        if isinstance(index, str) and index in self._sub_layers:
            return index
        return list(self._sub_layers)[_place(index, len(self._sub_layers), self)]

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            chosen = self._items()[index]
            return Sequential(*chosen) if isinstance(self, Sequential) else LayerList(chosen)
        return self._sub_layers[self._key(index)]

    def __setitem__(self, index: Any, layer: Layer) -> None:
        key = self._key(index)
        if not isinstance(layer, Layer):
            raise MemberError(f"item {key} of {type(self).__name__} must be a Layer, not a {type(layer).__name__}")
        setattr(self, key, layer)

    def __delitem__(self, index: Any) -> None:
        keys = list(self._sub_layers)[index] if isinstance(index, slice) else [self._key(index)]
        numbered = list(self._sub_layers) == [str(k) for k in range(len(self._sub_layers))]
        rest = [layer for key, layer in self._sub_layers.items() if key not in keys and layer is not None]
        if numbered:
            self._renumber(rest)
        else:
            for key in keys:
                delattr(self, key)

    def __len__(self) -> int:
        return len(self._sub_layers)

    def __iter__(self) -> Iterator[Any]:
        return iter(self._items())

    def append(self, sublayer: Layer) -> Any:
        """Add a layer at the end."""
        self.add_sublayer(str(len(self._sub_layers)), sublayer)
        return self

    def insert(self, index: int, sublayer: Layer) -> Any:
        """Put a layer before position `index`."""
        items = self._items()
        if not isinstance(index, int) or not -len(items) <= index <= len(items):
            told = f"can't insert at {index!r} into {type(self).__name__} of length {len(items)}"
            kind = (
                ArgumentError if isinstance(self, LayerList) else AxisError if isinstance(index, int) else MemberError
            )
            raise kind(told)
        items.insert(index, sublayer)
        self._renumber(items)
        return self

    def extend(self, sublayers: Iterable[Layer]) -> Any:
        """Add layers at the end."""
        for layer in sublayers:
            self.append(layer)
        return self


class Sequential(_Ordered):
    """Layers applied one after the other; given as layers or as (name, layer) pairs.

    >>> from .linear_layers import Linear
    >>> len(Sequential(Linear(2, 3), ("last", Linear(3, 1))))
    2
    """

    def __init__(self, *layers: Any) -> None:
        super().__init__()
        if len(layers) == 1 and isinstance(layers[0], Mapping):
            layers = tuple(layers[0].items())
        for k, item in enumerate(layers):
            name, layer = item if isinstance(item, (tuple, list)) and len(item) == 2 else (str(k), item)
            if name in self._sub_layers:
                raise NameTakenError(f"Sequential got two layers named {name!r}")
            if not isinstance(layer, Layer):
                function = getattr(layer, "name", getattr(layer, "__name__", None)) if callable(layer) else None
                kind = f"the function {function}" if function else f"a {type(layer).__name__}"
                raise MemberError(
                    f"layer {name} of Sequential must be a Layer, not {kind}",
                    remedy="use the layer of that name, such as nn.ReLU() for F.relu" if function else None,
                )
            self.add_sublayer(str(name), layer)

    def forward(self, input: Any) -> Any:
        for layer in self._items():
            input = layer(input)
        return input


class LayerList(_Ordered):
    """A list of layers that are registered.

    >>> from .linear_layers import Linear
    >>> layers = LayerList([Linear(2, 2) for _ in range(3)])
    >>> len(layers), len(layers[1:])
    (3, 2)
    """

    def __init__(self, sublayers: Iterable[Layer] | None = None) -> None:
        super().__init__()
        if sublayers is not None:
            self._renumber(sublayers)


class LayerDict(Layer):
    """Layers under names, with the methods of a dict."""

    def __init__(self, sublayers: Any = None) -> None:
        super().__init__()
        if sublayers is not None:
            self.update(sublayers)

    def __getitem__(self, key: str) -> Any:
        if key not in self._sub_layers:
            raise NameTakenError(f"LayerDict has no layer {key!r}; it has {', '.join(self._sub_layers) or 'none'}")
        return self._sub_layers[key]

    def __setitem__(self, key: str, sublayer: Layer) -> None:
        self.add_sublayer(key, sublayer)

    def __delitem__(self, key: str) -> None:
        self[key]
        delattr(self, key)

    def __len__(self) -> int:
        return len(self._sub_layers)

    def __iter__(self) -> Iterator[str]:
        return iter(list(self._sub_layers))

    def __contains__(self, key: object) -> bool:
        return key in self._sub_layers

    def clear(self) -> None:
        """Drop all layers."""
        layer_epoch.value += 1
        self._sub_layers.clear()

    def pop(self, key: str) -> Any:
        """Take the layer named `key` out."""
        found = self[key]
        del self[key]
        return found

    def keys(self) -> Any:
        """The names."""
        return self._sub_layers.keys()

    def values(self) -> Any:
        """The layers."""
        return self._sub_layers.values()

    def items(self) -> Any:
        """Names and layers."""
        return self._sub_layers.items()

    def update(self, sublayers: Any) -> None:
        """Add or replace layers from a mapping or from (name, layer) pairs."""
        if not isinstance(sublayers, (Mapping, LayerDict)) and not hasattr(sublayers, "__iter__"):
            raise AssertedError(f"LayerDict needs a dict or pairs, not a {type(sublayers).__name__}")
        pairs = sublayers.items() if hasattr(sublayers, "items") else sublayers
        for pair in list(pairs):
            if not isinstance(pair, (tuple, list)):
                raise KindError(f"LayerDict needs (name, layer) pairs, not {pair!r}")
            if len(pair) != 2:
                raise ArgumentError(f"LayerDict needs (name, layer) pairs, not {pair!r}")
            self[pair[0]] = pair[1]


class ParameterList(Layer):
    """A list of parameters that are registered."""

    def __init__(self, parameters: Iterable[Parameter] | None = None) -> None:
        super().__init__()
        for parameter in parameters or ():
            self.append(parameter)

    def __getitem__(self, index: int) -> Any:
        return self._parameters[str(_place(index, len(self._parameters), self))]

    def __setitem__(self, index: int, parameter: Parameter) -> None:
        setattr(self, str(_place(index, len(self._parameters), self)), parameter)

    def __len__(self) -> int:
        return len(self._parameters)

    def __iter__(self) -> Iterator[Any]:
        return iter(list(self._parameters.values()))

    def append(self, parameter: Parameter) -> ParameterList:
        """Add a parameter at the end."""
        self.add_parameter(str(len(self._parameters)), parameter)
        return self


class ParameterDict(Layer):
    """Parameters under names, with the methods of a dict.

    >>> made = ParameterDict({"w": Parameter([1.0])})
    >>> list(made.keys()), "w" in made
    (['w'], True)
    """

    def __init__(self, parameters: Any = None) -> None:
        super().__init__()
        if parameters is not None:
            self.update(parameters)

    def __getitem__(self, key: str) -> Any:
        if key not in self._parameters:
            raise NameTakenError(f"ParameterDict has no {key!r}; it has {', '.join(self._parameters) or 'none'}")
        return self._parameters[key]

    def __setitem__(self, key: str, parameter: Parameter) -> None:
        if key in self._parameters:
            setattr(self, key, parameter)
        else:
            self.add_parameter(key, parameter)

    def __delitem__(self, key: str) -> None:
        self[key]
        delattr(self, key)

    def __len__(self) -> int:
        return len(self._parameters)

    def __iter__(self) -> Iterator[str]:
        return iter(list(self._parameters))

    def __contains__(self, key: object) -> bool:
        return key in self._parameters

    def clear(self) -> None:
        """Drop all parameters."""
        layer_epoch.value += 1
        self._parameters.clear()

    def pop(self, key: str) -> Any:
        """Take the parameter named `key` out."""
        found = self[key]
        del self[key]
        return found

    def keys(self) -> Any:
        """The names."""
        return self._parameters.keys()

    def values(self) -> Any:
        """The parameters."""
        return self._parameters.values()

    def items(self) -> Any:
        """Names and parameters."""
        return self._parameters.items()

    def update(self, parameters: Any) -> None:
        """Add or replace parameters from a mapping or from (name, parameter) pairs."""
        if not isinstance(parameters, (Mapping, ParameterDict)) and not hasattr(parameters, "__iter__"):
            raise MemberError(f"ParameterDict needs a dict or pairs, not a {type(parameters).__name__}")
        pairs = parameters.items() if hasattr(parameters, "items") else parameters
        for pair in list(pairs):
            if not isinstance(pair, (tuple, list)) or len(pair) != 2:
                raise KindError(f"ParameterDict needs (name, parameter) pairs, not {pair!r}")
            self[pair[0]] = pair[1]
