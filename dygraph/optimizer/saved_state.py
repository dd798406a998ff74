"""State of optimisers from a dict: whose accumulator each entry is, and entries that PaddlePaddle has written."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from ...base.errors import StateError
from ...ops.infer import show_shape
from ..new_tensors import from_array

_NO_ACCUMULATORS = ("LR_Scheduler", "parameter_names")
# Names of accumulators there and here, where they aren't the same.
_NAMES = {"_avg_squared_grad": "avg_squared_grad", "_avg_squared_update": "avg_squared_update", "y": "ys"}
# There, these start at beta, not at 1: they are a step ahead.
_AHEAD = {"beta1_pow_acc": "beta1", "beta2_pow_acc": "beta2"}
_UNUSED = frozenset({"mean_grad"})  # saved there although nothing reads it


def entries(optimizer: Any, state: dict[str, Any]) -> Iterator[tuple[str, Any, Any]]:
    """Accumulator, parameter and value of each entry. Errors: StateError.

    Without `parameter_names` the state is one that PaddlePaddle has saved (or is left without accumulators).
    """
    owners = owners_of(optimizer, state)
    is_own = "parameter_names" in state
    for key, value in state.items():
        if key not in _NO_ACCUMULATORS:
            found = _entry(optimizer, key, value, owners, is_own)
            if found is not None:
                yield found


def owners_of(optimizer: Any, state: Mapping[str, Any]) -> dict[str, Any]:
    """Parameters by their names in a state. Errors: StateError for another number of parameters."""
    params = optimizer._parameter_list
    own = {p.name: p for p in params}
    saved = state.get("parameter_names")
    if saved is None or set(saved) <= set(own):
        return own
    if len(saved) != len(params):  # earlier releases didn't count running statistics among the parameters
        params = [p for p in params if not p.stop_gradient]
    if len(saved) != len(params):
        raise StateError(f"the state is of {len(saved)} parameters, the optimiser has {len(own)}")
    return dict(zip(saved, params, strict=True))


def _entry(
    optimizer: Any, key: str, value: Any, owners: dict[str, Any], is_own: bool
) -> tuple[str, Any, Any] | None:  # fmt: skip
    for owner, param in owners.items():
        if not (key.startswith(f"{owner}_") and key.endswith("_0")):
            continue
        types = optimizer._accumulator_types(param) | optimizer._further_types
        name = key[len(owner) + 1 : -2]
        if not is_own:
            name = name if name in types else _NAMES.get(name, name)
            if name in _UNUSED and name not in types:
                return None
        if name not in types:
            continue
        wanted = list(types[name].get("shape", optimizer._state_shape(param)))
        if not is_own and hasattr(value, "shape") and list(value.shape) != wanted and wanted == []:
            value = _number(optimizer, param, name, value)
        if not hasattr(value, "shape") or list(value.shape) != wanted:
            shape = show_shape(value.shape) if hasattr(value, "shape") else type(value).__name__
            raise StateError(f"{key!r} is {shape}, the optimiser needs {show_shape(wanted)}")
        return name, param, value
    raise StateError(
        f"{key!r} belongs to no parameter of this {type(optimizer).__name__}",
        remedy="make the optimiser for the same model, in the same order, before loading its state",
    )


def _number(optimizer: Any, param: Any, name: str, value: Any) -> Any:
    """One number for all elements: PaddlePaddle keeps such ones as arrays with one element, or as many as the weights.

    Of powers in float32 the steps are counted, so that the powers of later steps are as exact as without a stop.
    """
    elements = np.asarray(value).reshape(-1)
    if not elements.size or (elements != elements[0]).any():
        return value
    number = elements[0].item()
    option = _AHEAD.get(name)
    if option is not None:
        number = _power_before(number, float(_options(optimizer, param)[option]))
    return from_array(np.array(number, elements.dtype if elements.dtype.kind == "i" else np.float64))


def _options(optimizer: Any, param: Any) -> dict[str, Any]:
    return next(group.options for group in optimizer._groups if any(p is param for p in group.params))


def _power_before(power: float, beta: float) -> float:
    """betaᵗ where `power` is betaᵗ⁺¹, rounded."""
    if not 0.0 < beta < 1.0 or not 0.0 < power <= 1.0:
        return 0.0 if beta == 0.0 and power == 0.0 else power
    steps = round(math.log(power) / math.log(beta))
    exact: float = beta**steps
    return float(beta ** (steps - 1)) if abs(exact - power) <= 1e-5 * power else power / beta
