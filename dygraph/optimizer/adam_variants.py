"""NAdam and RAdam: Adam with Nesterov's momentum, and with its warm-up worked out."""

from __future__ import annotations

from typing import Any

from ...base.dtype import float64
from ...base.errors import ArgumentError
from ...ops.op import OPS
from .adam import Adam, in_dtype
from .optimizer import Group

__all__ = ["NAdam", "RAdam"]

_SCALAR: dict[str, Any] = {"shape": (), "dtype": float64, "fill": 1.0}


def _rate(value: Any) -> Any:
    """A learning rate. Errors: ArgumentError for a negative number."""
    if isinstance(value, (int, float)) and value < 0:
        raise ArgumentError(f"learning_rate must be at least 0, not {value}")
    return value


def _check(beta1: Any, beta2: Any, epsilon: Any, momentum_decay: Any = 0.0) -> None:
    """Errors: ArgumentError for betas outside [0, 1) and other numbers below 0."""
    for name, value in (("beta1", beta1), ("beta2", beta2)):
        if not 0 <= value < 1:
            raise ArgumentError(f"{name} must be in [0, 1), not {value}")
    for name, value in (("epsilon", epsilon), ("momentum_decay", momentum_decay)):
        if value < 0:
            raise ArgumentError(f"{name} must be at least 0, not {value}")


class NAdam(Adam):
    """Adam whose step looks ahead as Nesterov's momentum does (Dozat, Incorporating Nesterov Momentum into Adam, 2016).

    momentum_decay: mu = beta1 (1 - 0.96^(t momentum_decay) / 2) is the momentum of step t.
    """

    def __init__(
        self, learning_rate: Any = 0.002, beta1: float = 0.9, beta2: float = 0.999, epsilon: float = 1e-8,
        momentum_decay: float = 0.004, parameters: Any = None, weight_decay: Any = None, grad_clip: Any = None,
        name: str | None = None,
    ) -> None:  # fmt: skip
        _check(beta1, beta2, epsilon, momentum_decay)
        self._momentum_decay = float(momentum_decay)
        super().__init__(_rate(learning_rate), beta1, beta2, epsilon, parameters, weight_decay, grad_clip, name=name)

    def _accumulator_types(self, param: Any) -> dict[str, dict[str, Any]]:
        scalars = dict.fromkeys(("momentum_decay_pow", "beta2_pow", "mu_product"), _SCALAR)
        return {"moment1": {}, "moment2": {}} | scalars

    def _update_facts(self, param: Any, group: Group) -> Any:
        return None

    def _update(self, param: Any, grad: Any, rate: Any, group: Group) -> None:
        options, decay, power = group.options, self._momentum_decay, OPS["pow"]
        second = 1.0 - self._advanced("beta2_pow", param, options["beta2"])
        faded = self._advanced("momentum_decay_pow", param, 0.96)
        now = (1.0 - power(faded, decay) * 0.5) * options["beta1"]
        following = (1.0 - power(faded * 0.96, decay) * 0.5) * options["beta1"]
        past = self._accumulator("mu_product", param, 1.0, shape=(), dtype=float64)
        product = past * now
        past._write(product)
        m = self._moved("moment1", param, grad, options["beta1"])
        v = self._moved("moment2", param, grad * grad, options["beta2"])
        under = OPS["sqrt"](v * in_dtype(1.0 / second, param.dtype)) + options["epsilon"]
        wide = in_dtype(rate, float64)
        own = in_dtype(wide * (1.0 - now) / (1.0 - product), param.dtype)
        ahead = in_dtype(wide * following / (1.0 - product * following), param.dtype)
        param._write(param - (grad * own + m * ahead) / under, fresh=True)


class RAdam(Adam):
    """Adam that steps without √v until v is known well enough.

    Source: Liu et al., On the Variance of the Adaptive Learning Rate and Beyond, 2020.
    """

    def __init__(
        self, learning_rate: Any = 0.001, beta1: float = 0.9, beta2: float = 0.999, epsilon: float = 1e-8,
        parameters: Any = None, weight_decay: Any = None, grad_clip: Any = None, name: str | None = None,
    ) -> None:  # fmt: skip
        super().__init__(_rate(learning_rate), beta1, beta2, epsilon, parameters, weight_decay, grad_clip, name=name)

    def _accumulator_types(self, param: Any) -> dict[str, dict[str, Any]]:
        scalars = {"beta1_pow": _SCALAR, "beta2_pow": _SCALAR, "rho": _SCALAR | {"fill": 0.0}}
        return {"moment1": {}, "moment2": {}} | scalars

    def _update_facts(self, param: Any, group: Group) -> Any:
        return None

    def _update(self, param: Any, grad: Any, rate: Any, group: Group) -> None:
        options, sqrt, where = group.options, OPS["sqrt"], OPS["where"]
        beta2 = options["beta2"]
        limit = 2.0 / (1.0 - beta2) - 1.0
        first = 1.0 - self._advanced("beta1_pow", param, options["beta1"])
        power = self._advanced("beta2_pow", param, beta2)
        # rho is t beta2ᵗ / (1 - beta2ᵗ), worked out from its last value
        rho = self._accumulator("rho", param, 0.0, shape=(), dtype=float64)
        share = (rho * (beta2 - power) + power) / (1.0 - power)
        rho._write(share)
        length = limit - share * 2.0
        known = length > 5.0
        safe = where(known, length, 6.0)
        factor = (safe - 4.0) * (safe - 2.0) * limit / (safe * ((limit - 4.0) * (limit - 2.0)))
        m = self._moved("moment1", param, grad, options["beta1"])
        v = self._moved("moment2", param, grad * grad, beta2)
        step = in_dtype(rate, float64) / first
        adaptive = m * in_dtype(step * sqrt(factor * (1.0 - power)), param.dtype) / (sqrt(v) + options["epsilon"])
        param._write(param - where(known, adaptive, m * in_dtype(step, param.dtype)), fresh=True)
