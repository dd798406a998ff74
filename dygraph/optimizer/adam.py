"""Adam, AdamW, Adamax. The powers of the betas are float64 tensors: in float32, 1 - 0.999 is off by 1e-5.

Source: Kingma, Ba, Adam, 2015; Loshchilov, Hutter, Decoupled Weight Decay Regularization, 2019.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from ...base.dtype import float64
from ...base.errors import ArgumentError, KindError
from ...ops.op import OPS
from ..tensor import Tensor
from . import fused_update
from .fused_update import readable, writable
from .optimizer import Group, Optimizer, asked_once
from .rate import as_factor, is_any

__all__ = ["Adam", "AdamW", "Adamax"]


def _epsilon(value: float) -> float:
    if value is None or not value >= 0:
        raise ArgumentError(f"epsilon must be at least 0, not {value}")
    return float(value)


def _beta(name: str, value: Any) -> Any:
    if value is None:
        raise ArgumentError(f"{name} is not set")
    if isinstance(value, Tensor) and not isinstance(value._storage.payload, np.ndarray):
        return value  # a variable of a static program: known when it runs
    if hasattr(value, "item") and getattr(value, "size", 1) == 1:
        value = value.item()
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        raise KindError(f"{name} must be a number, not a {type(value).__name__}")
    if not 0.0 <= value < 1.0:
        raise ArgumentError(f"{name} must be from 0 to below 1, not {value}")
    return float(value)


def _scalar(beta: Any) -> Any:
    return OPS["reshape"](beta, ()) if isinstance(beta, Tensor) else beta


def in_dtype(x: Any, dtype: Any) -> Any:
    """`x` itself, or a copy of this dtype."""
    return x if x.dtype is dtype else OPS["cast"](x, dtype)


class Adam(Optimizer):
    """m = beta1 m + (1 - beta1) g; v = beta2 v + (1 - beta2) g²; param -= rate * m̂ / (√v̂ + epsilon).

    m̂ and v̂ are m and v over 1 - betaᵗ. amsgrad: v̂ comes from the largest v so far. weight_decay is part of g.

    >>> from ..tensor import Parameter
    >>> w = Parameter([1.0])
    >>> (w * 3.0).backward()
    >>> Adam(0.1, parameters=[w]).step()
    >>> round(w.item(), 4)
    0.9
    """

    def __init__(
        self, learning_rate: Any = 0.001, beta1: float = 0.9, beta2: float = 0.999, epsilon: float = 1e-8,
        parameters: Any = None, weight_decay: Any = None, grad_clip: Any = None, lazy_mode: bool = False,
        multi_precision: bool = False, use_multi_tensor: bool = False, amsgrad: bool = False, name: str | None = None,
    ) -> None:  # fmt: skip
        self._amsgrad = amsgrad
        super().__init__(
            learning_rate, parameters, weight_decay, grad_clip, name,
            beta1=_beta("beta1", beta1), beta2=_beta("beta2", beta2), epsilon=_epsilon(epsilon),
        )  # fmt: skip

    def _accumulator_types(self, param: Any) -> dict[str, dict[str, Any]]:
        scalar = {"shape": (), "dtype": float64, "fill": 1.0}
        moments: dict[str, dict[str, Any]] = {"moment1": {}, "moment2": {}}
        if self._amsgrad:
            moments["moment2_max"] = {}
        return moments | {"beta1_pow_acc": scalar, "beta2_pow_acc": scalar}

    def _advanced(self, name: str, param: Any, beta: float) -> Any:
        """betaᵗ of this step, kept for the next."""
        power = self._accumulator(name, param, 1.0, shape=(), dtype=float64)
        new = power * beta
        power._write(new)
        return new

    def _moved(self, name: str, param: Any, grad: Any, beta: float) -> Any:
        """The running mean of `grad`, kept for the next step."""
        moment = self._accumulator(name, param)
        new = moment * beta + grad * (1.0 - beta)
        moment._write(new)
        return new

    def _update_facts(self, param: Any, group: Group) -> Any:
        return None

    def _update(self, param: Any, grad: Any, rate: Any, group: Group) -> None:
        options = group.options
        beta1, beta2 = _scalar(options["beta1"]), _scalar(options["beta2"])
        first = 1.0 - self._advanced("beta1_pow_acc", param, beta1)
        second = 1.0 - self._advanced("beta2_pow_acc", param, beta2)
        m = self._moved("moment1", param, grad, beta1)
        v = self._moved("moment2", param, grad * grad, beta2)
        if self._amsgrad:
            largest = self._accumulator("moment2_max", param)
            v = OPS["maximum"](largest, v)
            largest._write(v)
        scale = in_dtype(OPS["rsqrt"](second), param.dtype)
        step = in_dtype(in_dtype(rate, float64) / first, param.dtype)
        # In the order of arrays.adam, which eager mode runs: captured and eager steps have the same bits.
        param._write(param - m / (OPS["sqrt"](v) * scale + options["epsilon"]) * step, fresh=True)

    def _update_arrays(self, param: Any, grad: Any, rate: float, group: Group, shrink: float = 1.0) -> bool:
        if type(self)._update not in (Adam._update, AdamW._update):
            return False
        betas = (group.options["beta1"], group.options["beta2"])
        powers = []
        for name, beta in zip(("beta1_pow_acc", "beta2_pow_acc"), betas, strict=True):
            power = writable(self._accumulator(name, param, 1.0, shape=(), dtype=float64))
            power *= beta
            powers.append(1.0 - float(power[0]))
        moment, square = (writable(self._accumulator(name, param)) for name in ("moment1", "moment2"))
        largest = writable(self._accumulator("moment2_max", param)) if self._amsgrad else None
        fused_update.adam(
            writable(param), readable(grad), fused_update.Moments(moment, square, largest), rate / powers[0],
            1.0 / math.sqrt(powers[1]), betas, group.options["epsilon"], shrink,
        )  # fmt: skip
        return True


class AdamW(Adam):
    """Adam with weight decay apart from the gradient: param *= 1 - rate * weight_decay, then Adam's update.

    apply_decay_param_fun(name) chooses the parameters that decay (default: all); lr_ratio(param) is a factor on the
    learning rate of each.
    """

    def __init__(
        self, learning_rate: Any = 0.001, beta1: float = 0.9, beta2: float = 0.999, epsilon: float = 1e-8,
        parameters: Any = None, weight_decay: float = 0.01, lr_ratio: Callable[[Any], float] | None = None,
        apply_decay_param_fun: Callable[[str], bool] | None = None, grad_clip: Any = None, lazy_mode: bool = False,
        multi_precision: bool = False, amsgrad: bool = False, name: str | None = None,
        use_lowprecision_moment: bool = False,
    ) -> None:  # fmt: skip
        if use_lowprecision_moment:
            raise ArgumentError("AdamW has no use_lowprecision_moment", remedy="moments have the parameter's dtype")
        for what, fn in (("lr_ratio", lr_ratio), ("apply_decay_param_fun", apply_decay_param_fun)):
            if fn is not None and not callable(fn):
                raise KindError(f"{what} must be a function, not a {type(fn).__name__}")
        self._lr_ratio, self._decays = lr_ratio, apply_decay_param_fun
        super().__init__(
            learning_rate, beta1, beta2, epsilon, parameters, weight_decay, grad_clip, amsgrad=amsgrad, name=name
        )

    def _checked_decay(self, decay: Any) -> Any:
        if isinstance(decay, bool) or not isinstance(decay, (int, float)):
            raise KindError(f"the weight_decay of AdamW must be a number, not a {type(decay).__name__}")
        return float(decay)

    def _rate_factor(self, param: Any) -> Any:
        return super()._rate_factor(param) * (1.0 if self._lr_ratio is None else as_factor(self._lr_ratio(param)))

    def _update_facts(self, param: Any, group: Group) -> Any:
        return self._shrinks(param, group)

    def _shrinks(self, param: Any, group: Group) -> bool:
        return is_any(group.decay) and (self._decays is None or bool(asked_once(self._decays, param.name)))

    def _update(self, param: Any, grad: Any, rate: Any, group: Group) -> None:
        if self._shrinks(param, group):
            shrink = 1.0 - in_dtype(rate, float64) * group.decay
            param._write(param * in_dtype(shrink, param.dtype), fresh=True)
        super()._update(param, grad, rate, group)

    def _update_arrays(self, param: Any, grad: Any, rate: float, group: Group, shrink: float = 1.0) -> bool:
        if self._shrinks(param, group):
            shrink = 1.0 - rate * group.decay
        return super()._update_arrays(param, grad, rate, group, shrink)


class Adamax(Adam):
    """Adam with u = max(beta2 u + epsilon, |g|) in place of the root of v: param -= rate * m̂ / u."""

    def __init__(
        self, learning_rate: Any = 0.001, beta1: float = 0.9, beta2: float = 0.999, epsilon: float = 1e-8,
        parameters: Any = None, weight_decay: Any = None, grad_clip: Any = None, name: str | None = None,
    ) -> None:  # fmt: skip
        super().__init__(learning_rate, beta1, beta2, epsilon, parameters, weight_decay, grad_clip, name=name)

    def _accumulator_types(self, param: Any) -> dict[str, dict[str, Any]]:
        return {"moment": {}, "inf_norm": {}, "beta1_pow_acc": {"shape": (), "dtype": float64, "fill": 1.0}}

    def _update_facts(self, param: Any, group: Group) -> Any:
        return None

    def _update(self, param: Any, grad: Any, rate: Any, group: Group) -> None:
        options = group.options
        first = 1.0 - self._advanced("beta1_pow_acc", param, _scalar(options["beta1"]))
        m = self._moved("moment", param, grad, _scalar(options["beta1"]))
        norm = self._accumulator("inf_norm", param)
        largest = OPS["maximum"](norm * _scalar(options["beta2"]) + options["epsilon"], OPS["abs"](grad))
        norm._write(largest)
        step = in_dtype(in_dtype(rate, float64) / first, param.dtype)
        param._write(param - m * step / largest, fresh=True)
