"""Activations as layers. Each calls the function of functional.py with the settings it was made with."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...base.errors import ArgumentError
from . import functional as F
from .initializer import Constant
from .layer import Layer

__all__ = [
    "CELU", "ELU", "GELU", "GLU", "SELU", "Hardshrink", "Hardsigmoid", "Hardswish", "Hardtanh", "LeakyReLU",
    "LogSigmoid", "LogSoftmax", "Maxout", "Mish", "PReLU", "ReLU", "ReLU6", "SiLU", "Sigmoid", "Softmax", "Softplus",
    "Softshrink", "Softsign", "Swish", "Tanh", "Tanhshrink", "ThresholdedReLU",
]  # fmt: skip


class _Activation(Layer):
    """A function of one tensor and of settings, whose names and defaults are listed in `settings`."""

    function: Callable[..., Any]
    settings: dict[str, Any] = {}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__()
        names = list(type(self).settings)
        kwargs.pop("name", None)
        unknown = [k for k in kwargs if k not in names or k in names[: len(args)]]
        if len(args) > len(names) or unknown:
            raise ArgumentError(
                f"{type(self).__name__} takes {', '.join(names) or 'no settings'}; got {[*args, *unknown]}"
            )
        chosen = type(self).settings | dict(zip(names, args, strict=False)) | kwargs
        for name, value in chosen.items():
            setattr(self, f"_{name}", value)

    def forward(self, x: Any) -> Any:
        return type(self).function(x, **{name: getattr(self, f"_{name}") for name in type(self).settings})

    def extra_repr(self) -> str:
        return ", ".join(f"{name}={getattr(self, f'_{name}')}" for name in type(self).settings)


class ReLU(_Activation):
    """max(x, 0).

    >>> from ..conversions import to_tensor
    >>> ReLU()(to_tensor([-1.0, 2.0])).tolist()
    [0.0, 2.0]
    """

    function = staticmethod(F.relu)


class ReLU6(_Activation):
    """x bounded to [0, 6]."""

    function = staticmethod(F.relu6)


class LeakyReLU(_Activation):
    """x where positive, else negative_slope * x."""

    function = staticmethod(F.leaky_relu)
    settings = {"negative_slope": 0.01}


class ELU(_Activation):
    """x where positive, else alpha * (exp(x) - 1)."""

    function = staticmethod(F.elu)
    settings = {"alpha": 1.0}


class CELU(_Activation):
    """max(0, x) + min(0, alpha * (exp(x / alpha) - 1))."""

    function = staticmethod(F.celu)
    settings = {"alpha": 1.0}


class SELU(_Activation):
    """scale * (x where positive, else alpha * (exp(x) - 1))."""

    function = staticmethod(F.selu)
    settings = {"scale": 1.0507009873554805, "alpha": 1.6732632423543772}


class GELU(_Activation):
    """x times the normal distribution's cumulative function at x; `approximate`: by a tanh."""

    function = staticmethod(F.gelu)
    settings = {"approximate": False}


class GLU(_Activation):
    """The first half of x along `axis` times the sigmoid of the second."""

    function = staticmethod(F.glu)
    settings = {"axis": -1}


class SiLU(_Activation):
    """x * sigmoid(x)."""

    function = staticmethod(F.silu)


class Swish(_Activation):
    """x * sigmoid(x)."""

    function = staticmethod(F.silu)


class Mish(_Activation):
    """x * tanh(softplus(x))."""

    function = staticmethod(F.mish)


class Sigmoid(_Activation):
    """1 / (1 + exp(-x))."""

    function = staticmethod(F.sigmoid)


class LogSigmoid(_Activation):
    """log(sigmoid(x))."""

    function = staticmethod(F.log_sigmoid)


class Hardsigmoid(_Activation):
    """x / 6 + 0.5, bounded to [0, 1]."""

    function = staticmethod(F.hardsigmoid)


class Hardswish(_Activation):
    """x * clip(x + 3, 0, 6) / 6."""

    function = staticmethod(F.hardswish)


class Tanh(_Activation):
    """Hyperbolic tangent."""

    function = staticmethod(F.tanh)


class Hardtanh(_Activation):
    """x bounded to [min, max]."""

    function = staticmethod(F.hardtanh)
    settings = {"min": -1.0, "max": 1.0}


class Tanhshrink(_Activation):
    """x - tanh(x)."""

    function = staticmethod(F.tanhshrink)


class Softplus(_Activation):
    """log(1 + exp(beta x)) / beta; x itself where beta x is above `threshold`."""

    function = staticmethod(F.softplus)
    settings = {"beta": 1.0, "threshold": 20.0}


class Softsign(_Activation):
    """x / (1 + |x|)."""

    function = staticmethod(F.softsign)


class Softshrink(_Activation):
    """x moved towards 0 by `threshold`, and 0 where it is nearer."""

    function = staticmethod(F.softshrink)
    settings = {"threshold": 0.5}


class Hardshrink(_Activation):
    """x where |x| > threshold, else 0."""

    function = staticmethod(F.hardshrink)
    settings = {"threshold": 0.5}


class ThresholdedReLU(_Activation):
    """x where x > threshold, else `value`."""

    function = staticmethod(F.thresholded_relu)
    settings = {"threshold": 1.0, "value": 0.0}


class Softmax(_Activation):
    """exp(x) over its sum along `axis`."""

    function = staticmethod(F.softmax)
    settings = {"axis": -1}


class LogSoftmax(_Activation):
    """The logarithm of softmax along `axis`."""

    function = staticmethod(F.log_softmax)
    settings = {"axis": -1}


class Maxout(_Activation):
    """The maximum of every `groups` neighbouring channels."""

    function = staticmethod(F.maxout)
    settings = {"groups": 1, "axis": 1}


class PReLU(Layer):
    """x where positive, else weight * x; the weight, [1] or one per channel, is trained."""

    def __init__(
        self, num_parameters: int = 1, init: float = 0.25, weight_attr: Any = None, data_format: str = "NCHW",
        name: str | None = None,
    ) -> None:  # fmt: skip
        super().__init__(name)
        self._data_format = data_format
        self.weight = self.create_parameter([num_parameters], weight_attr, default_initializer=Constant(init))

    def forward(self, x: Any) -> Any:
        return F.prelu(x, self.weight, self._data_format)
