"""The layers that stand in for others: with quanters of weights and inputs, and with quantised numbers at last."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

from ...base.errors import ArgumentError, StateError
from ...ops.op import FUNCTIONS, OPS
from ..modes import GradMode
from ..nn import functional as F
from ..nn.initializer import Assign
from ..nn.layer import Layer
from ..nn.param_attr import ParamAttr
from ..nn.quant import Stub

__all__ = [
    "ConvertibleQuantedLayer", "LinearDequanter", "LinearQuanter", "LinearQuanterDequanter", "ObserveWrapper",
    "QuantedConv2D", "QuantedLinear", "QuanterStub",
]  # fmt: skip


class ObserveWrapper(Layer):
    """A layer whose input (or output, with observe_input=False) passes an observer or quanter."""

    def __init__(self, observer: Any, observed: Any, observe_input: bool = True) -> None:
        super().__init__()
        self._observer, self._observed, self._observe_input = observer, observed, observe_input

    def forward(self, *inputs: Any, **kwargs: Any) -> Any:
        """The layer's result."""
        if self._observe_input:
            return self._observed(self._observer(*inputs), **kwargs)
        return self._observer(self._observed(*inputs, **kwargs))


class QuanterStub(Layer):
    """What a `nn.quant.Stub` becomes: its own quanter, or that of the configuration."""

    def __init__(self, layer: Stub, q_config: Any) -> None:
        super().__init__()
        chosen = layer._observer if layer._observer is not None else q_config.activation
        self._observer = None if chosen is None else chosen._instance(layer)

    def forward(self, input: Any) -> Any:
        """The input, through the quanter if there is one."""
        return input if self._observer is None else self._observer(input)


# ---- quantised numbers


class _Scaled(Layer):
    """Scales and zero points, of all elements, along an axis, or of groups of rows."""

    def __init__(
        self, scales: Any, zero_point: Any = None, quant_axis: int | None = None, bit_length: int = 8,
        group_size: int = 128,
    ) -> None:  # fmt: skip
        super().__init__()
        if not isinstance(bit_length, int):
            raise ArgumentError(f"quantised numbers have an int of bits, not {bit_length!r}: float8 isn't here")
        scales = OPS["cast"](scales, "float32").detach()
        zeros = FUNCTIONS["zeros_like"](scales) if zero_point is None else OPS["cast"](zero_point, "float32").detach()
        for name, value in (("_scales", scales), ("_zero_point", zeros)):
            attr = ParamAttr(initializer=Assign(value), trainable=False)
            setattr(self, name, self.create_parameter(list(value.shape), attr, "float32"))
        self._quant_axis = -1 if quant_axis is None else quant_axis
        self._bit_length, self._group_size = bit_length, group_size
        self._qmax = 2 ** (bit_length - 1) - 1
        self._qmin = -self._qmax - 1

    def _spread(self, part: Any, x: Any) -> Any:
        """Scales or zero points in a shape that fits x."""
        if part.ndim == 2:
            return FUNCTIONS["repeat_interleave"](part, x.shape[0] // part.shape[0], 0)
        if self._quant_axis < 0:
            return part
        return OPS["reshape"](part, [-1 if k == self._quant_axis else 1 for k in range(x.ndim)])


class LinearQuanter(_Scaled):
    """x / scale in steps of `bit_length` bits, as floats that are whole: from -2^(bits - 1) to 2^(bits - 1) - 1."""

    def forward(self, input: Any) -> Any:
        """The quantised numbers, in the dtype of the input."""
        x = OPS["cast"](input, "float32")
        scales, zero = self._spread(self._scales, x), self._spread(self._zero_point, x)
        steps = OPS["clip"](OPS["round"](x / scales * float(self._qmax)) + zero, float(self._qmin), float(self._qmax))
        return OPS["cast"](steps, input.dtype)

    @staticmethod
    def from_quanter(quanter: Any) -> LinearQuanter:
        """With the scale that a quanter or observer has found."""
        return LinearQuanter(quanter.scales(), quanter.zero_points(), quanter.quant_axis(), quanter.bit_length())


class LinearDequanter(_Scaled):
    """What quantised numbers stand for: the inverse of LinearQuanter, but for the rounding."""

    def forward(self, input: Any) -> Any:
        """The values, in the dtype of the input."""
        x = OPS["cast"](input, "float32")
        scales, zero = self._spread(self._scales, x), self._spread(self._zero_point, x)
        return OPS["cast"]((x - zero) / float(self._qmax) * scales, input.dtype)

    @staticmethod
    def from_quanter(quanter: Any) -> LinearDequanter:
        """With the scale that a quanter or observer has found."""
        return LinearDequanter(quanter.scales(), quanter.zero_points(), quanter.quant_axis(), quanter.bit_length())


class LinearQuanterDequanter(Layer):
    """Quantises, then gives back what the numbers stand for; each half may be None."""

    def __init__(self, quanter: Any, dequanter: Any) -> None:
        super().__init__()
        self._quanter, self._dequanter = quanter, dequanter

    def forward(self, input: Any) -> Any:
        """The values, in the shape and dtype of the input."""
        out = input if self._quanter is None else self._quanter(input)
        return out if self._dequanter is None else self._dequanter(out)

    @staticmethod
    def from_quanter(quanter: Any) -> LinearQuanterDequanter:
        """With the scale that a quanter or observer has found."""
        return LinearQuanterDequanter(LinearQuanter.from_quanter(quanter), LinearDequanter.from_quanter(quanter))


# ---- layers with quanters


class ConvertibleQuantedLayer(Layer):
    """A layer whose weights and inputs pass quanters, until `_convert` puts quantised numbers in their place.

    A subclass tells the names of its weights with those of their quanters, and of the inputs' quanters.
    """

    def __init__(self) -> None:
        super().__init__()
        self.converted = False

    @abstractmethod
    def weights_to_quanters(self) -> list[tuple[str, str]]:
        """Pairs of the names of a weight and of its quanter."""

    @abstractmethod
    def activation_quanters(self) -> list[str]:
        """The names of the inputs' quanters."""

    def _convert(self, remain_weight: bool = False) -> None:
        """Fix the scales; weights become quantised numbers, unless they remain."""
        if self.converted:
            raise StateError(f"{type(self).__name__} was converted before", remedy="convert a model once")
        for weight, name in self.weights_to_quanters():
            fixed = self._fixed(name)
            if fixed is not None and not remain_weight:
                with GradMode(False):
                    getattr(self, weight).set_value(fixed._quanter(getattr(self, weight)))
                fixed._quanter = None
        for name in self.activation_quanters():
            self._fixed(name)
        self.converted = True

    def _fixed(self, name: str) -> Any:
        found = getattr(self, name, None)
        if found is not None:
            found = LinearQuanterDequanter.from_quanter(found)
            setattr(self, name, found)
        return found


class _Quanted(ConvertibleQuantedLayer):
    """A layer with one weight and one input."""

    def __init__(self, layer: Any, q_config: Any) -> None:
        super().__init__()
        self.weight, self.bias = layer.weight, layer.bias
        self.weight_quanter = None if q_config.weight is None else q_config.weight._instance(layer)
        self.activation_quanter = None if q_config.activation is None else q_config.activation._instance(layer)

    def _quanted(self, x: Any) -> tuple[Any, Any]:
        weight = self.weight
        x = x if self.activation_quanter is None else self.activation_quanter(x)
        return x, weight if self.weight_quanter is None else self.weight_quanter(weight)

    def weights_to_quanters(self) -> list[tuple[str, str]]:
        """The weight."""
        return [("weight", "weight_quanter")]

    def activation_quanters(self) -> list[str]:
        """The input's."""
        return ["activation_quanter"]


class QuantedLinear(_Quanted):
    """What a `Linear` becomes."""

    def __init__(self, layer: Any, q_config: Any) -> None:
        super().__init__(layer, q_config)
        self.name = layer.name

    def forward(self, input: Any) -> Any:
        """As of the Linear."""
        x, weight = self._quanted(input)
        return F.linear(x, weight, self.bias)


class QuantedConv2D(_Quanted):
    """What a `Conv2D` becomes."""

    def __init__(self, layer: Any, q_config: Any) -> None:
        super().__init__(layer, q_config)
        self._stride, self._padding, self._dilation = layer._stride, layer._padding, layer._dilation
        self._groups, self._data_format, self._padding_mode = layer._groups, layer._data_format, layer._padding_mode
        self._margins = None if self._padding_mode == "zeros" else layer._reversed_padding_repeated_twice

    def forward(self, input: Any) -> Any:
        """As of the Conv2D."""
        x, weight = self._quanted(input)
        padding = self._padding
        if self._margins is not None:
            x, padding = F.pad(x, self._margins, mode=self._padding_mode, data_format=self._data_format), 0
        return F.conv2d(x, weight, self.bias, self._stride, padding, self._dilation, self._groups, self._data_format)
