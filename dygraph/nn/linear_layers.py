"""Linear maps and reshaping: Linear, Bilinear, Flatten, Identity."""

from __future__ import annotations

from typing import Any

from ...base.errors import ArgumentError
from ..view_functions import VIEWING
from . import functional as F
from .initializer import Uniform
from .layer import Layer
from .layer_settings import with_name

__all__ = ["Bilinear", "Flatten", "Identity", "Linear"]


def positive(*, least: int = 1, **sizes: Any) -> None:
    """ArgumentError unless all of the named sizes are ints of at least `least`."""
    for name, value in sizes.items():
        if isinstance(value, bool) or not hasattr(value, "__index__") or int(value) < least:
            raise ArgumentError(f"{name} must be an int of at least {least}, not {value!r}")


def chosen_attr(is_there: bool, attr: Any) -> Any:
    """A parameter's attr: PyTorch's `bias=False` is `bias_attr=False`. Errors: ArgumentError."""
    if not is_there and attr not in (None, False):
        raise ArgumentError("bias=False contradicts bias_attr: give one of the two")
    return attr if is_there else False


class Linear(Layer):
    """x @ weight + bias, for x [..., in_features]; weight [in_features, out_features], bias [out_features].

    Errors: ShapeError when x doesn't end in in_features.

    >>> from ..conversions import to_tensor
    >>> Linear(3, 4)(to_tensor([[1.0, 2.0, 3.0]])).shape
    [1, 4]
    """

    def __init__(
        self, in_features: int, out_features: int, weight_attr: Any = None, bias_attr: Any = None,
        name: str | None = None,
    ) -> None:  # fmt: skip
        super().__init__(name)
        positive(least=0, in_features=in_features, out_features=out_features)  # PaddlePaddle's: 0 makes an empty part
        self.in_features, self.out_features, self.name = in_features, out_features, name
        self._weight_attr, self._bias_attr = weight_attr, bias_attr
        self.weight = self.create_parameter([in_features, out_features], weight_attr)
        self.bias = self.create_parameter([out_features], bias_attr, is_bias=True)

    def forward(self, x: Any) -> Any:
        return F.linear(x, self.weight, self.bias)

    def extra_repr(self) -> str:
        facts = f"in_features={self.in_features}, out_features={self.out_features}, dtype={self._dtype.name}"
        return with_name(facts, self.name)


class Bilinear(Layer):
    """x1 · weight[k] · x2 + bias[k] for each k; x1 [n, in1], x2 [n, in2], weight [out, in1, in2], bias [1, out]."""

    def __init__(
        self, in1_features: int, in2_features: int, out_features: int, weight_attr: Any = None, bias_attr: Any = None,
        name: str | None = None,
    ) -> None:  # fmt: skip
        super().__init__(name)
        positive(in1_features=in1_features, in2_features=in2_features, out_features=out_features)
        self._in1_features, self._in2_features, self._out_features = in1_features, in2_features, out_features
        self._weight_attr, self._bias_attr, self._name = weight_attr, bias_attr, name
        limit = in1_features**-0.5
        self.weight = self.create_parameter(
            [out_features, in1_features, in2_features], weight_attr, default_initializer=Uniform(-limit, limit)
        )
        self.bias = self.create_parameter([1, out_features], bias_attr, is_bias=True)

    def forward(self, x1: Any, x2: Any) -> Any:
        return F.bilinear(x1, x2, self.weight, self.bias)

    def extra_repr(self) -> str:
        facts = f"in1_features={self._in1_features}, in2_features={self._in2_features}"
        return with_name(f"{facts}, out_features={self._out_features}, dtype={self._dtype.name}", self._name)


class Flatten(Layer):
    """The axes from start_axis to stop_axis as one."""

    def __init__(self, start_axis: int = 1, stop_axis: int = -1) -> None:
        super().__init__()
        self.start_axis, self.stop_axis = start_axis, stop_axis

    def forward(self, x: Any) -> Any:
        return VIEWING["flatten"](x, self.start_axis, self.stop_axis)


class Identity(Layer):
    """Its input; takes any arguments when it is made."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__()

    def forward(self, x: Any) -> Any:
        return x
