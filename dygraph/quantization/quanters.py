"""Quanters, which round values to few bits as a quantised network will, and observers, which only look at them.

A configuration holds factories: a class and its arguments, from which each layer gets a quanter of its own.
Source of the moving average: Krishnamoorthi, Quantizing deep convolutional networks for efficient inference, 2018.
"""

from __future__ import annotations

import sys
from abc import abstractmethod
from collections.abc import Callable
from typing import Any

import numpy as np

from ...base.errors import ArgumentError, ShapeError, StateError
from ...ops.infer import show_shape
from ...ops.op import FUNCTIONS, OPS
from ..conversions import to_tensor
from ..modes import GradMode
from ..nn.initializer import Constant
from ..nn.layer import Layer
from ..nn.param_attr import ParamAttr

__all__ = [
    "AbsmaxObserver", "BaseObserver", "BaseQuanter", "FakeQuanterWithAbsMaxObserver", "GroupWiseWeightObserver",
    "QuanterFactory", "quanter",
]  # fmt: skip


class BaseQuanter(Layer):
    """A layer through which values pass; it knows by what scale they are quantised. Subclasses define all methods."""

    @abstractmethod
    def scales(self) -> Any:
        """The largest absolute value, of all elements or of each part."""

    @abstractmethod
    def zero_points(self) -> Any:
        """The quantised number of 0; None means 0."""

    @abstractmethod
    def quant_axis(self) -> Any:
        """The axis that has a scale for each index; -1 for one scale."""

    @abstractmethod
    def bit_length(self) -> Any:
        """How many bits a quantised number has."""


class BaseObserver(BaseQuanter):
    """A quanter that leaves values as they are and keeps what it needs for a scale."""

    @abstractmethod
    def cal_thresholds(self) -> None:
        """Compute the scale from what was seen."""


class QuanterFactory:
    """A class of quanters and its arguments. `_get_class` of a subclass tells the class."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self.args, self.kwargs = args, kwargs

    @abstractmethod
    def _get_class(self) -> Any:
        raise NotImplementedError(f"{type(self).__name__} has no _get_class()")

    def _instance(self, layer: Any) -> Any:
        """A quanter for a layer."""
        return self._get_class()(layer, *self.args, **self.kwargs)

    def __str__(self) -> str:
        given = [*map(str, self.args), *(f"{name}={value}" for name, value in self.kwargs.items())]
        return f"{type(self).__name__}({','.join(given)})"

    __repr__ = __str__


def quanter(class_name: str) -> Callable[[type], type]:
    """Declare a quanter: its factory appears under `class_name` in the module of the decorated class.

    The class takes the layer first, then what the factory was called with.
    """

    def declared(target: type) -> type:
        module = sys.modules[target.__module__]
        members = {"_get_class": lambda self: target, "__module__": target.__module__, "__doc__": target.__doc__}
        setattr(module, class_name, type(class_name, (QuanterFactory,), members))
        listed = getattr(module, "__all__", None)
        if isinstance(listed, list):
            listed.append(class_name)
        return target

    return declared


# ---- training


class FakeQuanterWithAbsMaxObserver(QuanterFactory):
    """Rounds values to `bit_length` bits of a scale that follows their largest absolute value while training.

    Gradients pass as if nothing was rounded.

    >>> FakeQuanterWithAbsMaxObserver(moving_rate=0.9)
    FakeQuanterWithAbsMaxObserver(name=None,moving_rate=0.9,bit_length=8,dtype=float32)
    """

    def __init__(
        self, moving_rate: float = 0.9, bit_length: int = 8, dtype: str = "float32", name: str | None = None
    ) -> None:
        super().__init__(name=name, moving_rate=moving_rate, bit_length=bit_length, dtype=dtype)

    def _get_class(self) -> Any:
        return FakeQuanterWithAbsMaxObserverLayer


class FakeQuanterWithAbsMaxObserverLayer(BaseQuanter):
    """The quanter of one layer: scale = accum / state, moving sums of largest values and of ones."""

    def __init__(
        self, layer: Any, name: str | None = None, moving_rate: float = 0.9, bit_length: int = 8,
        dtype: str = "float32",
    ) -> None:  # fmt: skip
        super().__init__()
        if not (isinstance(bit_length, int) and 2 <= bit_length <= 16):
            raise ArgumentError(f"bit_length must be from 2 to 16, not {bit_length!r}")
        self._moving_rate, self._bit_length = moving_rate, bit_length
        for part, start in (("_scale", 0.001), ("_state", 1.0), ("_accum", 1.0)):
            attr = ParamAttr(initializer=Constant(start), trainable=False)
            setattr(self, part, self.create_parameter([1], attr, dtype))

    def forward(self, input: Any) -> Any:
        """The values, rounded: the same shape and dtype."""
        with GradMode(False):
            x = OPS["cast"](input, self._scale.dtype)
            if self.training:
                largest = OPS["reshape"](OPS["max"](OPS["abs"](x)), [1])
                state = self._state * self._moving_rate + 1.0
                accum = self._accum * self._moving_rate + largest
                self._state._write(state, fresh=True)
                self._accum._write(accum, fresh=True)
                self._scale._write(accum / state, fresh=True)
            most = float(2 ** (self._bit_length - 1) - 1)
            scale = OPS["maximum"](self._scale, 1e-30)
            steps = OPS["clip"](x / scale, -1.0, 1.0) * most
            steps = OPS["sign"](steps) * OPS["floor"](OPS["abs"](steps) + 0.5)  # halves away from 0
            rounded = OPS["cast"](steps * scale / most, input.dtype)
        return OPS["straight_through"](input, rounded)

    def scales(self) -> Any:
        """f32[1]."""
        return self._scale

    def zero_points(self) -> None:
        """None: 0 stays 0."""

    def quant_axis(self) -> int:
        """-1: one scale."""
        return -1

    def bit_length(self) -> int:
        """How many bits a quantised number has."""
        return self._bit_length


# ---- observers


class AbsmaxObserver(QuanterFactory):
    """Keeps the largest absolute value of all that passed.

    >>> AbsmaxObserver()
    AbsmaxObserver(quant_bits=8)
    """

    def __init__(self, quant_bits: int = 8) -> None:
        super().__init__(quant_bits=quant_bits)

    def _get_class(self) -> Any:
        return AbsmaxObserverLayer


class _Observing(BaseObserver):
    """What observers share: the largest values so far in `_max`, 0 before any."""

    def __init__(self, quant_bits: int) -> None:
        super().__init__()
        self._quant_bits = quant_bits
        self._scale: Any = None

    def _largest(self) -> Any:
        raise NotImplementedError

    def cal_thresholds(self) -> None:
        """Take what was seen as the scale. Errors: StateError before anything was seen."""
        largest = self._largest()
        if largest is None or not bool(OPS["all"](largest > 0)):
            raise StateError("an observer has seen no values", remedy="run the model on samples before convert()")
        self._scale = largest.detach()

    def scales(self) -> Any:
        """The largest absolute values that were seen."""
        if self._scale is None:
            self.cal_thresholds()
        return self._scale

    def zero_points(self) -> Any:
        """Zeros."""
        return FUNCTIONS["zeros_like"](self.scales())

    def quant_axis(self) -> int:
        """-1."""
        return -1

    def bit_length(self) -> int:
        """How many bits a quantised number has."""
        return self._quant_bits


class AbsmaxObserverLayer(_Observing):
    """The observer of one layer, with one scale."""

    def __init__(self, layer: Any, quant_bits: int = 8) -> None:
        super().__init__(quant_bits)
        self.register_buffer("_max", to_tensor(np.float32(0.0)), persistable=False)

    def forward(self, input: Any) -> Any:
        """The values themselves."""
        with GradMode(False):
            seen = OPS["cast"](OPS["max"](OPS["abs"](input)), self._max.dtype)
            self._max._write(OPS["maximum"](self._max, seen), fresh=True)
        return input

    def _largest(self) -> Any:
        return self._max


class GroupWiseWeightObserver(QuanterFactory):
    """Keeps the largest absolute value of each `group_size` rows (64 or 128) of each column of a weight."""

    def __init__(self, quant_bits: int = 8, group_size: int = 128) -> None:
        super().__init__(quant_bits=quant_bits, group_size=group_size)

    def _get_class(self) -> Any:
        return GroupWiseWeightObserverLayer


class GroupWiseWeightObserverLayer(_Observing):
    """The observer of one weight: scales f32[rows / group_size, columns]."""

    def __init__(self, layer: Any, quant_bits: int = 8, group_size: int = 128) -> None:
        super().__init__(quant_bits)
        if group_size not in (64, 128):
            raise ArgumentError(f"group_size must be 64 or 128, not {group_size}")
        self.group_size = group_size
        self._max: Any = None

    def forward(self, inputs: Any) -> Any:
        """The weight itself. Errors: ShapeError unless it is a matrix whose rows are a multiple of group_size."""
        if inputs.ndim != 2 or inputs.shape[0] % self.group_size:
            told = f"a weight of groups needs [n * {self.group_size}, columns], got {show_shape(inputs.shape)}"
            raise ShapeError(told)
        with GradMode(False):
            groups = OPS["reshape"](inputs, [-1, self.group_size, inputs.shape[1]])
            largest = OPS["cast"](OPS["max"](OPS["abs"](groups), axis=1), "float32")
            self._max = OPS["where"](largest == 0, 1e-8, largest)
        return inputs

    def _largest(self) -> Any:
        return self._max
