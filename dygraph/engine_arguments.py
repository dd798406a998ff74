"""What `Tensor(...)` takes as Paddle's engine calls it: a place second, a name, or a dtype and sizes without data."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..base.dtype import DType
from ..base.errors import KindError
from .dense import DenseTensor
from .device import CPUPlace

_ORDER = ("value", "place", "persistable", "zero_copy", "name", "stop_gradient")


def is_engine_form(data: Any, dtype: Any, rest: tuple[Any, ...], named: dict[str, Any]) -> bool:
    """Whether arguments are in the engine's order, or have its names."""
    return bool(rest or named) or isinstance(dtype, CPUPlace) or isinstance(data, (DType, DenseTensor))


def engine_arguments(
    tensor: Any, data: Any, dtype: Any, place: Any, stop_gradient: Any, rest: tuple[Any, ...], named: dict[str, Any]
) -> tuple[Any, Any, bool]:
    """The data, its dtype and `stop_gradient`; the tensor gets its name and whether it is persistable.

    (dtype, sizes, name, kind, persistable), or (value, place, persistable, zero_copy, name, stop_gradient), where the
    name may also come third. Errors: KindError for other keywords.
    """
    wrong = set(named) - set(_ORDER)
    if wrong or len(rest) > 2:
        raise KindError(f"Tensor() got the unknown argument {min(wrong) if wrong else rest[2]!r}")
    if isinstance(data, DType):
        sizes = [max(int(n), 0) for n in dtype]
        persistable = bool(rest[0]) if rest else False
        tensor.__dict__.update(_name=place, persistable=persistable)
        return np.zeros(sizes, data.numpy), data, True
    given: dict[str, Any] = {}
    if isinstance(dtype, CPUPlace):  # what follows the place has other meanings than in `Tensor(data, dtype, ...)`
        given = dict(zip(_ORDER, (data, dtype, place, stop_gradient, *rest), strict=False))
        dtype = None
        if isinstance(place, str):
            given["name"], given["persistable"] = place, False
        if not rest and stop_gradient is False:  # a keyword: the fourth argument is no news, tensors copy their data
            given["stop_gradient"] = False
    else:
        given = {"value": data, "stop_gradient": stop_gradient}
    given |= named
    values = given["value"]
    tensor.__dict__.update(_name=given.get("name"), persistable=bool(given.get("persistable", False)))
    values = np.asarray(values) if isinstance(values, DenseTensor) else values
    return values, dtype, bool(given.get("stop_gradient", True))
