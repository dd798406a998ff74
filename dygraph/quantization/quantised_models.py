"""Which layers of a model are quantised and how; quantisation aware training (QAT) and after training (PTQ)."""

from __future__ import annotations

import copy
from typing import Any

from ...base.errors import ArgumentError, StateError
from ..nn.activation_layers import ReLU
from ..nn.conv_layers import Conv2D
from ..nn.layer import Layer
from ..nn.linear_layers import Linear
from ..nn.pool_layers import AvgPool2D
from ..nn.quant import Stub
from .quanted_layers import (
    ConvertibleQuantedLayer,
    LinearQuanterDequanter,
    ObserveWrapper,
    QuantedConv2D,
    QuantedLinear,
    QuanterStub,
)
from .quanters import BaseQuanter

__all__ = ["PTQ", "QAT", "QuantConfig", "Quantization", "SingleLayerConfig"]

_MAPPINGS: dict[Any, Any] = {Stub: QuanterStub, Linear: QuantedLinear, Conv2D: QuantedConv2D}
_LEAVES = (ReLU, AvgPool2D)


class SingleLayerConfig:
    """The factories of quanters for the inputs and the weights of a layer."""

    def __init__(self, activation: Any, weight: Any) -> None:
        self._activation, self._weight = activation, weight

    @property
    def activation(self) -> Any:
        """The factory for inputs, or None."""
        return self._activation

    @property
    def weight(self) -> Any:
        """The factory for weights, or None."""
        return self._weight

    def __str__(self) -> str:
        return f"activation: {self._activation}\nweight: {self._weight}"


class QuantConfig:
    """The factories of quanters for all layers, and for chosen ones: by name before by type before all.

    >>> from .quanters import AbsmaxObserver
    >>> print(QuantConfig(activation=AbsmaxObserver(), weight=None))
    Global config:
    activation: AbsmaxObserver(quant_bits=8)
    weight: None
    <BLANKLINE>
    """

    def __init__(self, activation: Any, weight: Any) -> None:
        is_none = activation is None and weight is None
        self._global_config = None if is_none else SingleLayerConfig(activation, weight)
        self._prefix2config: dict[str, SingleLayerConfig] = {}
        self._type2config: dict[Any, SingleLayerConfig] = {}
        self._layer2config: dict[Any, SingleLayerConfig] = {}
        self._qat_layer_mapping, self._customized = dict(_MAPPINGS), dict[Any, Any]()
        self._customized_leaves: list[Any] = []
        self._model: Any = None

    # ---- choosing

    def add_layer_config(self, layer: Any, activation: Any = None, weight: Any = None) -> None:
        """Quantise a layer, or each of a list, in its own way."""
        for one in _listed(layer):
            self.add_name_config(one.full_name(), activation, weight)

    def add_name_config(self, layer_name: Any, activation: Any = None, weight: Any = None) -> None:
        """Quantise the layer of a `full_name()`, or each of a list, in its own way."""
        for one in _listed(layer_name):
            self._prefix2config[one] = SingleLayerConfig(activation, weight)

    def add_type_config(self, layer_type: Any, activation: Any = None, weight: Any = None) -> None:
        """Quantise all layers of a class, or of each of a list, in their own way."""
        for one in _listed(layer_type):
            self._type2config[_class(one)] = SingleLayerConfig(activation, weight)

    def add_qat_layer_mapping(self, source: Any, target: Any) -> None:
        """Say what layers of a class become: `target(layer, config)`. Errors: ArgumentError unless both are layers."""
        self._qat_layer_mapping[_class(source)] = self._customized[source] = _class(target)

    def add_customized_leaf(self, layer_type: Any) -> None:
        """Take layers of a class as one, whatever they are made of: their input is observed."""
        self._customized_leaves.append(layer_type)

    # ---- what was chosen

    @property
    def customized_leaves(self) -> list[Any]:
        """The classes that add_customized_leaf() named."""
        return self._customized_leaves

    @property
    def qat_layer_mappings(self) -> dict[Any, Any]:
        """What layers of each class become."""
        return self._qat_layer_mapping

    @property
    def default_qat_layer_mapping(self) -> dict[Any, Any]:
        """What layers become unless add_qat_layer_mapping() says otherwise."""
        return dict(_MAPPINGS)

    @property
    def global_config(self) -> SingleLayerConfig | None:
        """That of all layers."""
        return self._global_config

    def _specify(self, model: Any) -> None:
        """Find the configuration of every layer of a model; a layer's parts have its own, unless one was chosen."""
        self._model = model if self._model is None else self._model
        for child in model.children():
            found = self._layer2config.get(model, self._global_config)
            found = self._prefix2config.get(child.full_name(), self._type2config.get(type(child), found))
            if found is not None:
                self._layer2config[child] = found
            self._specify(child)

    def _is_quantifiable(self, layer: Any) -> bool:
        return layer in self._layer2config and type(layer) in self._qat_layer_mapping

    def _get_qat_layer(self, layer: Any) -> Any:
        return self._qat_layer_mapping[type(layer)](layer, self._layer2config[layer])

    def _need_observe(self, layer: Any) -> bool:
        is_leaf = not layer._sub_layers or type(layer) in (*_LEAVES, *self._customized_leaves)
        found = self._layer2config.get(layer)
        return is_leaf and found is not None and found.activation is not None

    def _get_observe_wrapper(self, layer: Any) -> ObserveWrapper:
        return ObserveWrapper(self._layer2config[layer].activation._instance(layer), layer)

    def details(self) -> str:
        """The layers of the quantised model with their configurations; the configuration itself before."""
        return str(self) if self._model is None else self._told(self._model)

    def _told(self, layer: Any) -> str:
        lines = []
        for name, part in layer.named_children():
            if part in self._layer2config:
                told = self._told(part).replace("\n", "\n  ")
                lines.append(f"\n  ({name}): {told}, {self._layer2config[part]}")
        return f"{type(layer).__name__}({''.join(lines)}" + ("\n)" if lines else ")")

    def __str__(self) -> str:
        told = f"Global config:\n{self._global_config}\n"
        if self._type2config:
            told += f"Layer type config:\n{self._type2config}\n"
        if self._prefix2config:
            told += f"Layer prefix config: \n{self._prefix2config}\n"
        return told


def _listed(given: Any) -> list[Any]:
    return given if isinstance(given, list) else [given]


def _class(given: Any) -> Any:
    if not (isinstance(given, type) and issubclass(given, Layer)):
        raise ArgumentError(f"a class of layers is needed, not {given!r}")
    return given


class Quantization:
    """What QAT and PTQ share: a configuration, and `convert`."""

    def __init__(self, config: QuantConfig) -> None:
        self._config = copy.deepcopy(config)

    def convert(self, model: Any, inplace: bool = False, remain_weight: bool = False) -> Any:
        """The model with fixed scales: quantised numbers as weights (unless they remain), inputs rounded to steps.

        Errors: StateError where an observer has seen nothing, or the model was converted before.
        """
        chosen = model if inplace else copy.deepcopy(model)
        for name, child in list(chosen.named_children()):
            if isinstance(child, ConvertibleQuantedLayer):
                if not child.converted:
                    child._convert(remain_weight)
            elif isinstance(child, BaseQuanter):
                setattr(chosen, name, LinearQuanterDequanter.from_quanter(child))
            else:
                self.convert(child, True, remain_weight)
        return chosen

    def _quantised(self, model: Any) -> Any:
        self._config._specify(model)
        self._replace(model)
        self._observe(model)
        return model

    def _replace(self, model: Any) -> None:
        for name, child in list(model.named_children()):
            if self._config._is_quantifiable(child):
                model._sub_layers[name] = self._config._get_qat_layer(child)
            else:
                self._replace(child)

    def _observe(self, model: Any) -> None:
        for name, child in list(model.named_children()):
            if self._config._need_observe(child):
                model._sub_layers[name] = self._config._get_observe_wrapper(child)
            elif type(child) not in self._config._qat_layer_mapping.values():
                self._observe(child)

    def __repr__(self) -> str:
        return self._config.details()


class QAT(Quantization):
    """Quantisation aware training: the model trains with values rounded as they will be.

    >>> from ..nn.container import Sequential
    >>> from .quanters import FakeQuanterWithAbsMaxObserver
    >>> quanter = FakeQuanterWithAbsMaxObserver(moving_rate=0.9)
    >>> QAT(QuantConfig(activation=None, weight=quanter)).quantize(Sequential(Linear(2, 3)))
    Sequential(
      (0): QuantedLinear(
        (weight_quanter): FakeQuanterWithAbsMaxObserverLayer()
      )
    )
    """

    def quantize(self, model: Any, inplace: bool = False) -> Any:
        """The model (a copy, unless inplace) with quanters. Errors: StateError unless it is in training mode."""
        if not model.training:
            raise StateError("quantisation aware training needs a model that trains", remedy="call model.train()")
        return self._quantised(model if inplace else copy.deepcopy(model))


class PTQ(Quantization):
    """Quantisation after training: run the model that `quantize` gives on samples, then `convert` it."""

    def quantize(self, model: Any, inplace: bool = False) -> Any:
        """The model (a copy, unless inplace) with observers. Errors: StateError in training mode."""
        if model.training:
            raise StateError("quantisation after training needs a model that is done", remedy="call model.eval()")
        return self._quantised(model if inplace else copy.deepcopy(model))
