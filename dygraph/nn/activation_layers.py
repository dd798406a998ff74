"""Activations as layers. Each calls the function of functional.py with the settings it was made with."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from ...base.errors import ArgumentError, AssertedError
from ...ops.infer import show_shape
from ...ops.op import REQUIRED
from . import functional as F
from .alias import alias
from .initializer import Constant
from .layer import Layer
from .layer_settings import FunctionLayer, with_name
from .layer_state import FormerItem
from .stochastic import check_slopes

__all__ = [
    "CELU",
    "ELU",
    "GELU",
    "GLU",
    "SELU",
    "Hardshrink",
    "Hardsigmoid",
    "Hardswish",
    "Hardtanh",
    "LeakyReLU",
    "LogSigmoid",
    "LogSoftmax",
    "Maxout",
    "Mish",
    "PReLU",
    "RReLU",
    "ReLU",
    "ReLU6",
    "SiLU",
    "Sigmoid",
    "Silu",
    "Softmax",
    "Softmax2D",
    "Softplus",
    "Softshrink",
    "Softsign",
    "Swish",
    "Tanh",
    "Tanhshrink",
    "ThresholdedReLU",
]  # fmt: skip


# operators of PaddlePaddle 1 that layers still take as `act`, where a function has another name or another setting
_OPERATORS: dict[str, Callable[[Any], Any]] = {
    "brelu": partial(F.hardtanh, min=0.0, max=24.0), "hard_shrink": F.hardshrink,
    "hard_sigmoid": partial(F.hardsigmoid, slope=0.2), "hard_swish": F.hardswish, "logsigmoid": F.log_sigmoid,
}  # fmt: skip


def named_activation(owner: str, name: str) -> Callable[[Any], Any]:
    """The function that `act` of a layer names: one of nn.functional, or an operator of PaddlePaddle 1.

    Errors: ArgumentError for another name.
    """
    if name in _OPERATORS:
        return _OPERATORS[name]
    if name not in F.__all__:
        raise ArgumentError(f"{owner}: act must be the name of a function of nn.functional, not {name!r}")
    found: Callable[[Any], Any] = getattr(F, name)
    return found


class _Activation(FunctionLayer):
    """A function of one tensor and of settings, kept as attributes with an underscore before, as in Paddle."""

    prefix = "_"


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


class Silu(_Activation):
    """x * sigmoid(x); `inplace`: written into x."""

    function = staticmethod(F.silu)
    settings = {"inplace": False}
    stored = {"inplace": "_inplace"}

    def _told(self) -> str:
        return f"inplace={self._inplace}"


SiLU = Silu  # PyTorch's spelling


class Swish(_Activation):
    """x * sigmoid(x)."""

    function = staticmethod(F.swish)


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
    settings = {"beta": 1, "threshold": 20}


class Softsign(_Activation):
    """x / (1 + |x|)."""

    function = staticmethod(F.softsign)


class Softshrink(_Activation):
    """x moved towards 0 by `threshold`, and 0 where it is nearer."""

    function = staticmethod(F.softshrink)
    settings = {"threshold": 0.5}


class Hardshrink(_Activation):
    """0 where |x| < threshold, else x: NaN stays."""

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
    settings = {"groups": REQUIRED, "axis": 1}


class Softmax2D(Layer):
    """softmax over the channels of images [n, c, h, w] or [c, h, w]."""

    def __init__(self, name: str | None = None) -> None:
        super().__init__(name)
        self._name = name

    def forward(self, x: Any) -> Any:
        if x.ndim not in (3, 4):
            raise AssertedError(f"Softmax2D needs rank 3 or 4, got {show_shape(x.shape)}")
        return F.softmax(x, -3)

    def extra_repr(self) -> str:
        return with_name("", self._name)


class RReLU(_Activation):
    """x where positive, else x times a random slope between lower and upper; in evaluation times their mean."""

    function = staticmethod(F.rrelu)
    settings = {"lower": 1.0 / 8.0, "upper": 1.0 / 3.0}

    def _check(self, settings: dict[str, Any]) -> None:
        check_slopes(settings["lower"], settings["upper"])
        if not 0.0 <= settings["lower"] <= settings["upper"] <= 1.0:
            raise ArgumentError(f"RReLU needs 0 <= lower <= upper <= 1, not {settings}")

    def forward(self, *inputs: Any) -> Any:
        return F.rrelu(*inputs, **self._settings() | {"training": self.training})

    def _told(self) -> str:
        return f"{super()._told()}, training={self.training}, dtype={self._dtype.name}"


class PReLU(Layer):
    """x where positive, else weight * x; the parameter `_weight`, [1] or one per channel, is trained."""

    weight = alias("_weight")

    def __init__(
        self, num_parameters: int = 1, init: float = 0.25, weight_attr: Any = None, data_format: str = "NCHW",
        name: str | None = None,
    ) -> None:  # fmt: skip
        super().__init__(name)
        self._data_format, self._num_parameters, self._init = data_format, num_parameters, init
        self._name = name
        self._weight = self.create_parameter([num_parameters], weight_attr, default_initializer=Constant(init))

    def former_state(self) -> tuple[FormerItem, ...]:
        return (FormerItem("weight", "_weight"),)

    def forward(self, x: Any) -> Any:
        return F.prelu(x, self._weight, self._data_format)

    def extra_repr(self) -> str:
        facts = f"data_format={self._data_format}, init={self._init}, dtype={self._dtype.name}"
        return with_name(f"num_parameters={self._num_parameters}, {facts}", self._name)
