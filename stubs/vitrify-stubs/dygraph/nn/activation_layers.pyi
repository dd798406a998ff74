# Written by `make stubs`; edits here are lost.

from builtins import bool as _bool
from builtins import dict as _dict
from builtins import float as _float
from builtins import int as _int
from builtins import str as _str
from builtins import tuple as _tuple
from typing import Any as _Any
from vitrify.dygraph.nn.layer import Layer as _Layer
from vitrify.dygraph.nn.layer_settings import FunctionLayer as _FunctionLayer
from vitrify.dygraph.nn.layer_state import FormerItem as _FormerItem
from vitrify.dygraph.tensor import Tensor as _Tensor

class CELU(_Activation):
    """max(0, x) + min(0, alpha * (exp(x / alpha) - 1))."""
    @staticmethod
    def function(x: _Any, alpha: _float = 1.0, name: _str | None = None) -> _Any:
        """max(0, x) + min(0, alpha * (exp(x / alpha) - 1))."""
    settings: _dict

class _Activation(_FunctionLayer):
    """A function of one tensor and of settings, kept as attributes with an underscore before, as in Paddle."""
    prefix: _str

class ELU(_Activation):
    """x where positive, else alpha * (exp(x) - 1)."""
    @staticmethod
    def function(x, alpha=1.0, *, name=None) -> _Any:
        """One op, one row. Calling it runs it under the active interpreter (see dispatch.py).

        operands: names; a last one spelled `*xs` takes one list of values. attrs: name -> default (REQUIRED for none)."""
    settings: _dict

class GELU(_Activation):
    """x times the normal distribution's cumulative function at x; `approximate`: by a tanh."""
    @staticmethod
    def function(x: _Any, approximate: _bool | _str = False, name: _str | None = None) -> _Any:
        """x times the normal distribution's cumulative function at x; `approximate`: by a tanh (also spelled "tanh")."""
    settings: _dict

class GLU(_Activation):
    """The first half of x along `axis` times the sigmoid of the second."""
    @staticmethod
    def function(x: _Any, axis: _int = -1, name: _str | None = None) -> _Any:
        """The first half of x along `axis` times the sigmoid of the second."""
    settings: _dict

class Hardshrink(_Activation):
    """0 where |x| < threshold, else x: NaN stays."""
    @staticmethod
    def function(x: _Any, threshold: _float = 0.5, name: _str | None = None) -> _Any:
        """0 where |x| < threshold, else x: NaN stays."""
    settings: _dict

class Hardsigmoid(_Activation):
    """x / 6 + 0.5, bounded to [0, 1]."""
    @staticmethod
    def function(x: _Any, slope: _float = 0.1666667, offset: _float = 0.5, name: _str | None = None) -> _Any:
        """slope * x + offset, bounded to [0, 1]."""

class Hardswish(_Activation):
    """x * clip(x + 3, 0, 6) / 6."""
    @staticmethod
    def function(x: _Any, name: _str | None = None) -> _Any:
        """x * clip(x + 3, 0, 6) / 6. The gradient at -3 is 0, at 3 it is 1."""

class Hardtanh(_Activation):
    """x bounded to [min, max]."""
    @staticmethod
    def function(x: _Any, min: _float = -1.0, max: _float = 1.0, name: _str | None = None) -> _Any:
        """x bounded to [min, max]. The gradient at the bounds is 0."""
    settings: _dict

class LeakyReLU(_Activation):
    """x where positive, else negative_slope * x."""
    @staticmethod
    def function(x, negative_slope=0.01, *, name=None) -> _Any:
        """One op, one row. Calling it runs it under the active interpreter (see dispatch.py).

        operands: names; a last one spelled `*xs` takes one list of values. attrs: name -> default (REQUIRED for none)."""
    settings: _dict

class LogSigmoid(_Activation):
    """log(sigmoid(x))."""
    @staticmethod
    def function(x: _Any, name: _str | None = None) -> _Any:
        """log(sigmoid(x)), without overflow."""

class LogSoftmax(_Activation):
    """The logarithm of softmax along `axis`."""
    @staticmethod
    def function(x: _Any, axis: _int = -1, dtype: _Any = None, name: _str | None = None) -> _Any:
        """The logarithm of softmax: x - log(sum(exp(x))) along `axis`, without overflow."""
    settings: _dict

class Maxout(_Activation):
    """The maximum of every `groups` neighbouring channels."""
    @staticmethod
    def function(x: _Any, groups: _int, axis: _int = 1, name: _str | None = None) -> _Any:
        """The maximum of every `groups` neighbouring channels."""
    settings: _dict

class Mish(_Activation):
    """x * tanh(softplus(x))."""
    @staticmethod
    def function(x: _Any, name: _str | None = None) -> _Any:
        """x * tanh(softplus(x))."""

class PReLU(_Layer):
    """x where positive, else weight * x; the parameter `_weight`, [1] or one per channel, is trained."""
    @property
    def weight(self: _Any) -> _Any: ...
    @weight.setter
    def weight(self, value: _Any) -> None: ...
    def __init__(self, num_parameters: _int = 1, init: _float = 0.25, weight_attr: _Any = None, data_format: _str = 'NCHW', name: _str | None = None) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def former_state(self) -> _tuple[_FormerItem, ...]:
        """Parameters that an earlier release kept under other names or in other shapes; they are read in both."""
    def forward(self, x: _Any) -> _Tensor:
        """What the layer computes; each subclass defines it."""
    def extra_repr(self) -> _str:
        """What `repr` shows of this layer's own settings."""

class RReLU(_Activation):
    """x where positive, else x times a random slope between lower and upper; in evaluation times their mean."""
    @staticmethod
    def function(x: _Any, lower: _float = 0.125, upper: _float = 0.3333333333333333, training: _bool = True, name: _str | None = None) -> _Any:
        """x where positive, else x times a random slope between lower and upper; times their mean when not training."""
    settings: _dict
    def forward(self, *inputs: _Any) -> _Tensor:
        """The function of the inputs; one that is named may be called as in the function, or `x` or `input`."""

class ReLU(_Activation):
    """max(x, 0).

    >>> from ..conversions import to_tensor
    >>> ReLU()(to_tensor([-1.0, 2.0])).tolist()
    [0.0, 2.0]"""
    @staticmethod
    def function(x, *, name=None) -> _Any:
        """One op, one row. Calling it runs it under the active interpreter (see dispatch.py).

        operands: names; a last one spelled `*xs` takes one list of values. attrs: name -> default (REQUIRED for none)."""

class ReLU6(_Activation):
    """x bounded to [0, 6]."""
    @staticmethod
    def function(x: _Any, name: _str | None = None) -> _Any:
        """x bounded to [0, 6]. The gradient at the bounds is 0."""

class SELU(_Activation):
    """scale * (x where positive, else alpha * (exp(x) - 1))."""
    @staticmethod
    def function(x: _Any, scale: _float = 1.0507009873554805, alpha: _float = 1.6732632423543772, name: _str | None = None) -> _Any:
        """scale * (x where positive, else alpha * (exp(x) - 1)): keeps mean 0 and variance 1 (Klambauer et al., 2017).

        Errors: ArgumentError for a scale of at most 1, or an alpha below 0."""
    settings: _dict

class Silu(_Activation):
    """x * sigmoid(x); `inplace`: written into x."""
    @staticmethod
    def function(x: _Any, inplace: _bool = False, name: _str | None = None) -> _Any:
        """x * sigmoid(x); `inplace`: written into x."""
    settings: _dict
    stored: _dict
    @property
    def inplace(self: _Any) -> _Any: ...
    @inplace.setter
    def inplace(self, value: _Any) -> None: ...

class Sigmoid(_Activation):
    """1 / (1 + exp(-x))."""
    @staticmethod
    def function(x, *, name=None) -> _Any:
        """One op, one row. Calling it runs it under the active interpreter (see dispatch.py).

        operands: names; a last one spelled `*xs` takes one list of values. attrs: name -> default (REQUIRED for none)."""

class Softmax(_Activation):
    """exp(x) over its sum along `axis`."""
    @staticmethod
    def function(x: _Any, axis: _int = -1, dtype: _Any = None, name: _str | None = None) -> _Any:
        """exp(x) over its sum along `axis`. The maximum is subtracted first; it needs no gradient, as the result stays the
        same whatever is subtracted."""
    settings: _dict

class Softmax2D(_Layer):
    """softmax over the channels of images [n, c, h, w] or [c, h, w]."""
    def __init__(self, name: _str | None = None) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def forward(self, x: _Any) -> _Tensor:
        """What the layer computes; each subclass defines it."""
    def extra_repr(self) -> _str:
        """What `repr` shows of this layer's own settings."""

class Softplus(_Activation):
    """log(1 + exp(beta x)) / beta; x itself where beta x is above `threshold`."""
    @staticmethod
    def function(x, beta=1.0, threshold=20.0, *, name=None) -> _Any:
        """One op, one row. Calling it runs it under the active interpreter (see dispatch.py).

        operands: names; a last one spelled `*xs` takes one list of values. attrs: name -> default (REQUIRED for none)."""
    settings: _dict

class Softshrink(_Activation):
    """x moved towards 0 by `threshold`, and 0 where it is nearer."""
    @staticmethod
    def function(x: _Any, threshold: _float = 0.5, name: _str | None = None) -> _Any:
        """x moved towards 0 by `threshold`, and 0 where it is nearer. Errors: ArgumentError for a threshold below 0."""
    settings: _dict

class Softsign(_Activation):
    """x / (1 + |x|)."""
    @staticmethod
    def function(x: _Any, name: _str | None = None) -> _Any:
        """x / (1 + |x|)."""

class Swish(_Activation):
    """x * sigmoid(x)."""
    @staticmethod
    def function(x: _Any, name: _str | None = None) -> _Any:
        """x * sigmoid(x)."""

class Tanh(_Activation):
    """Hyperbolic tangent."""
    @staticmethod
    def function(x, *, name=None) -> _Any:
        """One op, one row. Calling it runs it under the active interpreter (see dispatch.py).

        operands: names; a last one spelled `*xs` takes one list of values. attrs: name -> default (REQUIRED for none)."""

class Tanhshrink(_Activation):
    """x - tanh(x)."""
    @staticmethod
    def function(x: _Any, name: _str | None = None) -> _Any:
        """x - tanh(x)."""

class ThresholdedReLU(_Activation):
    """x where x > threshold, else `value`."""
    @staticmethod
    def function(x: _Any, threshold: _float = 1.0, value: _float = 0.0, name: _str | None = None) -> _Any:
        """x where x > threshold, else `value`; NaN stays, without a gradient."""
    settings: _dict
