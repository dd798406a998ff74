"""Adagrad, RMSProp, Adadelta, Lamb, ASGD and Rprop."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...base.dtype import int64
from ...base.errors import ArgumentError
from ...ops.op import OPS
from .adam import Adam, in_dtype
from .optimizer import Group, Optimizer, asked_once

__all__ = ["ASGD", "Adadelta", "Adagrad", "Lamb", "RMSProp", "Rprop"]


class Adagrad(Optimizer):
    """moment += grad²; param -= rate * grad / (√moment + epsilon) (Duchi, Hazan, Singer, 2011)."""

    def __init__(
        self, learning_rate: Any, epsilon: float = 1e-6, parameters: Any = None, weight_decay: Any = None,
        grad_clip: Any = None, name: str | None = None, initial_accumulator_value: float = 0.0,
    ) -> None:  # fmt: skip
        self._initial = float(initial_accumulator_value)
        super().__init__(learning_rate, parameters, weight_decay, grad_clip, name, epsilon=float(epsilon))

    def _accumulator_types(self, param: Any) -> dict[str, dict[str, Any]]:
        return {"moment": {"fill": self._initial}}

    def _update_facts(self, param: Any, group: Group) -> Any:
        return None

    def _update(self, param: Any, grad: Any, rate: Any, group: Group) -> None:
        moment = self._accumulator("moment", param, self._initial)
        new = moment + grad * grad
        moment._write(new)
        param._write(param - grad * rate / (OPS["sqrt"](new) + group.options["epsilon"]), fresh=True)


class RMSProp(Optimizer):
    """s = rho s + (1 - rho) grad²; u = momentum u + rate * grad / √(s + epsilon); param -= u.

    centered: s less the square of the running mean of grad, under the root.
    """

    def __init__(
        self, learning_rate: Any, rho: float = 0.95, epsilon: float = 1e-6, momentum: float = 0.0,
        centered: bool = False, parameters: Any = None, weight_decay: Any = None, grad_clip: Any = None,
        name: str | None = None,
    ) -> None:  # fmt: skip
        if None in (rho, momentum, epsilon) or min(rho, momentum, epsilon) < 0:
            raise ArgumentError("RMSProp needs rho, epsilon and momentum of at least 0")
        self._centered = centered
        super().__init__(
            learning_rate, parameters, weight_decay, grad_clip, name,
            rho=float(rho), epsilon=float(epsilon), momentum=float(momentum),
        )  # fmt: skip

    def _accumulator_types(self, param: Any) -> dict[str, dict[str, Any]]:
        names = ("mean_square", "momentum", "mean_grad")
        return {name: {} for name in (names if self._centered else names[:2])}

    def _update_facts(self, param: Any, group: Group) -> Any:
        return None

    def _update(self, param: Any, grad: Any, rate: Any, group: Group) -> None:
        options = group.options
        rho = options["rho"]
        square = self._accumulator("mean_square", param)
        new = square * rho + grad * grad * (1.0 - rho)
        square._write(new)
        under = new
        if self._centered:
            mean = self._accumulator("mean_grad", param)
            center = mean * rho + grad * (1.0 - rho)
            mean._write(center)
            under = new - center * center
        moved = self._accumulator("momentum", param)
        change = moved * options["momentum"] + grad * rate / OPS["sqrt"](under + options["epsilon"])
        moved._write(change)
        param._write(param - change, fresh=True)


class Adadelta(Optimizer):
    """Steps in proportion to the root mean square of earlier steps over that of gradients (Zeiler, 2012)."""

    def __init__(
        self, learning_rate: Any = 0.001, epsilon: float = 1e-6, rho: float = 0.95, parameters: Any = None,
        weight_decay: Any = None, grad_clip: Any = None, name: str | None = None,
    ) -> None:  # fmt: skip
        if epsilon is None or rho is None:
            raise ArgumentError("Adadelta needs epsilon and rho")
        super().__init__(
            learning_rate, parameters, weight_decay, grad_clip, name, epsilon=float(epsilon), rho=float(rho)
        )

    def _accumulator_types(self, param: Any) -> dict[str, dict[str, Any]]:
        return {"avg_squared_grad": {}, "avg_squared_update": {}}

    def _update_facts(self, param: Any, group: Group) -> Any:
        return None

    def _update(self, param: Any, grad: Any, rate: Any, group: Group) -> None:
        rho, epsilon = group.options["rho"], group.options["epsilon"]
        squares, updates = self._accumulator("avg_squared_grad", param), self._accumulator("avg_squared_update", param)
        new = squares * rho + grad * grad * (1.0 - rho)
        change = grad * OPS["sqrt"]((updates + epsilon) / (new + epsilon))
        squares._write(new)
        updates._write(updates * rho + change * change * (1.0 - rho), fresh=True)
        param._write(param - change * rate, fresh=True)


class Lamb(Adam):
    """Adam's step plus decay, scaled for each parameter by |param| / |step| (You et al., 2020).

    Parameters without decay aren't scaled, unless always_adapt.
    """

    is_elementwise = False

    def __init__(
        self, learning_rate: Any = 0.001, lamb_weight_decay: float = 0.01, beta1: float = 0.9, beta2: float = 0.999,
        epsilon: float = 1e-6, parameters: Any = None, grad_clip: Any = None,
        exclude_from_weight_decay_fn: Callable[[Any], bool] | None = None, multi_precision: bool = False,
        always_adapt: bool = False, name: str | None = None,
    ) -> None:  # fmt: skip
        self._always_adapt, self._excluded = always_adapt, exclude_from_weight_decay_fn
        self._given_options = {"lamb_weight_decay": float(lamb_weight_decay)}
        super().__init__(learning_rate, beta1, beta2, epsilon, parameters, None, grad_clip, name=name)

    def _update_facts(self, param: Any, group: Group) -> Any:
        return self._shrinks(param, group)

    def _shrinks(self, param: Any, group: Group) -> bool:
        excluded = self._excluded
        return bool(group.options["lamb_weight_decay"]) and not (excluded is not None and asked_once(excluded, param))

    def _update(self, param: Any, grad: Any, rate: Any, group: Group) -> None:
        options, sqrt, where = group.options, OPS["sqrt"], OPS["where"]
        first = 1.0 - self._advanced("beta1_pow_acc", param, options["beta1"])
        second = 1.0 - self._advanced("beta2_pow_acc", param, options["beta2"])
        m = self._moved("moment1", param, grad, options["beta1"]) * in_dtype(1.0 / first, param.dtype)
        v = self._moved("moment2", param, grad * grad, options["beta2"]) * in_dtype(1.0 / second, param.dtype)
        change = m / (sqrt(v) + options["epsilon"])
        decay = options["lamb_weight_decay"]
        decays = self._shrinks(param, group)
        if decays:
            change = change + param * decay
        if not decays and not self._always_adapt:
            param._write(param - change * rate, fresh=True)
            return
        size, length = sqrt(OPS["sum"](param * param)), sqrt(OPS["sum"](change * change))
        usual = OPS["logical_and"](size > 0.0, length > 0.0)
        trust = where(usual, size / where(usual, length, 1.0), 1.0)
        param._write(param - change * (trust * rate), fresh=True)


class ASGD(Optimizer):
    """param -= rate * the mean of the latest gradients of up to batch_num batches (Schmidt et al., SAG, 2017).

    Step t replaces the gradient of batch t mod batch_num.
    """

    def __init__(
        self, learning_rate: Any = 0.001, batch_num: int = 1, parameters: Any = None, weight_decay: Any = None,
        grad_clip: Any = None, multi_precision: bool = False, name: str | None = None,
    ) -> None:  # fmt: skip
        if not isinstance(batch_num, int) or batch_num < 1:
            raise ArgumentError(f"ASGD: batch_num must be an int of at least 1, not {batch_num!r}")
        self._batches = batch_num
        super().__init__(learning_rate, parameters, weight_decay, grad_clip, name)

    def _accumulator_types(self, param: Any) -> dict[str, dict[str, Any]]:
        return {"d": {}, "m": {"shape": (), "dtype": int64}, "ys": {"shape": (self._batches, *param.shape)}}

    def _update(self, param: Any, grad: Any, rate: Any, group: Group) -> None:
        total, count = self._accumulator("d", param), self._accumulator("m", param, shape=(), dtype=int64)
        latest = self._accumulator("ys", param, shape=(self._batches, *param.shape))
        place = OPS["reshape"](count % self._batches, (1,))
        new = total - OPS["reshape"](OPS["gather"](latest, place, 0), tuple(param.shape)) + grad
        latest._write(
            OPS["scatter_nd_update"](latest, OPS["reshape"](place, (1, 1)), OPS["reshape"](grad, (1, *grad.shape)))
        )
        total._write(new)
        steps = count + 1
        count._write(steps)
        known = in_dtype(OPS["minimum"](steps, self._batches), param.dtype)
        param._write(param - new * (rate / known), fresh=True)


class Rprop(Optimizer):
    """Every element has a step of its own, longer while its gradient keeps its sign, shorter when that changes.

    etas: the factors of shrinking and growing; learning_rate_range: bounds of the steps. Source: Riedmiller, Braun,
    RPROP, 1993, in the form that doesn't move back.
    """

    def __init__(
        self, learning_rate: Any = 0.001, learning_rate_range: Any = (1e-5, 50), parameters: Any = None,
        etas: Any = (0.5, 1.2), grad_clip: Any = None, multi_precision: bool = False, name: str | None = None,
    ) -> None:  # fmt: skip
        low, high = learning_rate_range
        if not 0.0 < etas[0] < 1.0 < etas[1] or not 0.0 < low <= high:
            raise ArgumentError(
                f"Rprop needs 0 < etas[0] < 1 < etas[1] and a range above 0, not {etas} and {low}, {high}"
            )
        super().__init__(
            learning_rate, parameters, None, grad_clip, name,
            low=float(low), high=float(high), shrink=float(etas[0]), grow=float(etas[1]),
        )  # fmt: skip
        if not low <= self.get_lr() <= high:
            raise ArgumentError(f"Rprop: learning_rate {self.get_lr()} is outside its range {low} to {high}")
        self._first = self.get_lr()

    def _accumulator_types(self, param: Any) -> dict[str, dict[str, Any]]:
        return {"prevs": {}, "learning_rates": {"fill": self._first}}

    def _update_facts(self, param: Any, group: Group) -> Any:
        return None

    def _update(self, param: Any, grad: Any, rate: Any, group: Group) -> None:
        options, where = group.options, OPS["where"]
        before, steps = self._accumulator("prevs", param), self._accumulator("learning_rates", param, self._first)
        product = before * grad
        has_flipped = product < 0.0
        one = OPS["full"]((), 1.0, param.dtype)
        factor = where(has_flipped, one * options["shrink"], where(product > 0.0, one * options["grow"], one))
        length = OPS["clip"](steps * factor, options["low"], options["high"])
        steps._write(length)
        kept = where(has_flipped, 0.0, grad)
        before._write(kept)
        param._write(param - OPS["sign"](kept) * length, fresh=True)
