"""Optimisers with the old order and names of arguments: `parameter_list`, `regularization`.

>>> import vitrify as vt
>>> SGD(0.1, [vt.create_parameter([2], "float32")]).get_lr()
0.1
"""

from __future__ import annotations

from typing import Any

from ..base.errors import KindError
from ..dygraph import optimizer as _now

Optimizer = _now.Optimizer
_LAST = "parameter_list regularization grad_clip name"
_ORDER = {
    "SGD": f"learning_rate {_LAST}",
    "Momentum": "learning_rate momentum parameter_list use_nesterov regularization grad_clip name",
    "Adagrad": f"learning_rate epsilon {_LAST} initial_accumulator_value",
    "Adam": f"learning_rate beta1 beta2 epsilon {_LAST} lazy_mode",
    "Adamax": f"learning_rate beta1 beta2 epsilon {_LAST}",
    "Adadelta": f"learning_rate epsilon rho {_LAST}",
    "RMSProp": f"learning_rate rho epsilon momentum centered {_LAST}",
    "Lamb": "learning_rate lamb_weight_decay beta1 beta2 epsilon parameter_list regularization grad_clip "
    "exclude_from_weight_decay_fn name",
}
_TODAY = {"parameter_list": "parameters", "regularization": "weight_decay"}


def _old(name: str, order: list[str]) -> Any:
    base = getattr(_now, name)

    def initialise(self: Any, *args: Any, **kwargs: Any) -> None:
        if len(args) > len(order):
            raise KindError(f"fluid.optimizer.{name} takes {len(order)} arguments: {', '.join(order)}")
        given = dict(zip(order, args, strict=False))
        twice = sorted(given.keys() & kwargs.keys())
        if twice:
            raise KindError(f"fluid.optimizer.{name}: the argument {twice[0]} is given twice")
        today = {_TODAY.get(key, key): value for key, value in (given | kwargs).items()}
        if name == "Lamb" and today.get("weight_decay", 0) is None:
            del today["weight_decay"]
        base.__init__(self, **today)

    doc = f"`vt.optimizer.{name}` with the arguments {', '.join(order)}."
    return type(name, (base,), {"__init__": initialise, "__doc__": doc, "__module__": __name__})


SGD = SGDOptimizer = _old("SGD", _ORDER["SGD"].split())
Momentum = MomentumOptimizer = _old("Momentum", _ORDER["Momentum"].split())
Adagrad = AdagradOptimizer = _old("Adagrad", _ORDER["Adagrad"].split())
Adam = AdamOptimizer = _old("Adam", _ORDER["Adam"].split())
Adamax = AdamaxOptimizer = _old("Adamax", _ORDER["Adamax"].split())
Adadelta = AdadeltaOptimizer = _old("Adadelta", _ORDER["Adadelta"].split())
RMSProp = RMSPropOptimizer = _old("RMSProp", _ORDER["RMSProp"].split())
Lamb = LambOptimizer = _old("Lamb", _ORDER["Lamb"].split())

__all__ = [
    "SGD",
    "Adadelta",
    "AdadeltaOptimizer",
    "Adagrad",
    "AdagradOptimizer",
    "Adam",
    "AdamOptimizer",
    "Adamax",
    "AdamaxOptimizer",
    "Lamb",
    "LambOptimizer",
    "Momentum",
    "MomentumOptimizer",
    "Optimizer",
    "RMSProp",
    "RMSPropOptimizer",
    "SGDOptimizer",
]
