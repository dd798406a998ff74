"""SGD and Momentum."""

from __future__ import annotations

from typing import Any

from . import fused_update
from .fused_update import readable, writable
from .optimizer import Group, Optimizer
from .rate import number

__all__ = ["SGD", "Momentum"]


class SGD(Optimizer):
    """param -= rate * grad.

    >>> from ..tensor import Parameter
    >>> w = Parameter([1.0])
    >>> (w * 3.0).backward()
    >>> SGD(0.1, parameters=[w]).step()
    >>> round(w.item(), 4)
    0.7
    """

    def __init__(
        self, learning_rate: Any = 0.001, parameters: Any = None, weight_decay: Any = None, grad_clip: Any = None,
        multi_precision: bool = False, name: str | None = None,
    ) -> None:  # fmt: skip
        super().__init__(learning_rate, parameters, weight_decay, grad_clip, name)

    def _update_facts(self, param: Any, group: Group) -> Any:
        return None

    def _update(self, param: Any, grad: Any, rate: Any, group: Group) -> None:
        param._write(param - grad * rate, fresh=True)

    def _update_arrays(self, param: Any, grad: Any, rate: float, group: Group) -> bool:
        fused_update.sgd(writable(param), readable(grad), rate)
        return True


class Momentum(Optimizer):
    """velocity = momentum * velocity + grad; param -= rate * velocity.

    use_nesterov: param -= rate * (grad + momentum * velocity).
    """

    def __init__(
        self, learning_rate: Any = 0.001, momentum: float = 0.9, parameters: Any = None, use_nesterov: bool = False,
        weight_decay: Any = None, grad_clip: Any = None, multi_precision: bool = False, rescale_grad: float = 1.0,
        use_multi_tensor: bool = False, name: str | None = None,
    ) -> None:  # fmt: skip
        number("momentum", momentum)
        self._use_nesterov, self._rescale = use_nesterov, float(rescale_grad)
        super().__init__(learning_rate, parameters, weight_decay, grad_clip, name, momentum=float(momentum))

    def _accumulator_types(self, param: Any) -> dict[str, dict[str, Any]]:
        return {"velocity": {}}

    def _update_facts(self, param: Any, group: Group) -> Any:
        return None

    def _update(self, param: Any, grad: Any, rate: Any, group: Group) -> None:
        velocity, momentum = self._accumulator("velocity", param), group.options["momentum"]
        grad = grad if self._rescale == 1.0 else grad * self._rescale
        new = velocity * momentum + grad
        velocity._write(new)
        param._write(param - (grad + new * momentum if self._use_nesterov else new) * rate, fresh=True)

    def _update_arrays(self, param: Any, grad: Any, rate: float, group: Group) -> bool:
        if self._rescale != 1.0:
            return False
        velocity, factor = self._accumulator("velocity", param), group.options["momentum"]
        fused_update.momentum(writable(param), readable(grad), writable(velocity), rate, factor, self._use_nesterov)
        return True
