"""LARS: momentum with a rate of its own for each parameter."""

from __future__ import annotations

from typing import Any

from ...ops.op import OPS
from .optimizer import Group, Optimizer
from .rate import number

__all__ = ["LarsMomentumOptimizer"]


class LarsMomentumOptimizer(Optimizer):
    """Momentum whose rate is scaled for each parameter by |param| / |grad| (You et al., Large Batch Training, 2017).

    local = rate * lars_coeff * |param| / (|grad| + lars_weight_decay * |param| + epsilon), or the rate itself without
    decay or where a norm is 0; velocity = momentum * velocity + local * (grad + lars_weight_decay * param);
    param -= velocity. Parameters whose name holds a text of `exclude_from_weight_decay` don't decay.
    """

    is_elementwise = False

    def __init__(
        self, learning_rate: Any, momentum: float, lars_coeff: float = 0.001, lars_weight_decay: float = 0.0005,
        parameter_list: Any = None, regularization: Any = None, grad_clip: Any = None, name: str | None = None,
        exclude_from_weight_decay: list[str] | None = None, epsilon: float = 0.0, multi_precision: bool = False,
        rescale_grad: float = 1.0,
    ) -> None:  # fmt: skip
        number("momentum", momentum)
        self._coefficient, self._epsilon, self._rescale = float(lars_coeff), float(epsilon), float(rescale_grad)
        self._lars_decay, self._excluded = float(lars_weight_decay), tuple(exclude_from_weight_decay or ())
        super().__init__(learning_rate, parameter_list, regularization, grad_clip, name, momentum=float(momentum))

    def _accumulator_types(self, param: Any) -> dict[str, dict[str, Any]]:
        return {"velocity": {}}

    def _update_facts(self, param: Any, group: Group) -> Any:
        return self._decay_of(param)

    def _decay_of(self, param: Any) -> float:
        return 0.0 if any(text in param.name for text in self._excluded) else self._lars_decay

    def _update(self, param: Any, grad: Any, rate: Any, group: Group) -> None:
        velocity, decay = self._accumulator("velocity", param), self._decay_of(param)
        grad = grad if self._rescale == 1.0 else grad * self._rescale
        if decay > 0.0:
            size, slope = OPS["sqrt"](OPS["sum"](param * param)), OPS["sqrt"](OPS["sum"](grad * grad))
            both = OPS["logical_and"](size > 0.0, slope > 0.0)
            local = size * self._coefficient / (slope + size * decay + self._epsilon)
            rate, grad = rate * OPS["where"](both, local, 1.0), grad + param * decay
        new = velocity * group.options["momentum"] + grad * rate
        velocity._write(new)
        param._write(param - new, fresh=True)
