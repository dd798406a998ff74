"""`base.framework.EagerParamBase`: parameters by shape and dtype, as Paddle's layers make them."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..base.dtype import as_dtype
from ..base.errors import ArgumentError
from ..dygraph.tensor import Parameter


class _Made(type):
    def __call__(cls, shape: Any = None, dtype: Any = None, **settings: Any) -> Any:
        if shape is None or dtype is None:
            raise ArgumentError(f"The {'shape' if shape is None else 'dtype'} of Parameter should not be None")
        sizes = [int(n) for n in (shape.tolist() if hasattr(shape, "tolist") else shape)]
        if any(n < 0 for n in sizes):
            raise ArgumentError(f"Each dimension of shape for Parameter must be greater than 0, but received {sizes}")
        known = {k: v for k, v in settings.items() if k in ("trainable", "optimize_attr", "regularizer", "need_clip")}
        return Parameter(np.zeros(sizes, as_dtype(dtype).numpy), dtype, name=settings.get("name"), **known)

    def __getattr__(cls, name: str) -> Any:
        return getattr(Parameter, name)

    def __instancecheck__(cls, instance: Any) -> bool:
        return isinstance(instance, Parameter)


class EagerParamBase(metaclass=_Made):
    """A `Parameter` of zeros. Every parameter is an instance. Errors: ArgumentError for a missing or negative size.

    >>> made = EagerParamBase([2, 3], "float32", name="w")
    >>> made.shape, made.name, isinstance(made, EagerParamBase)
    ([2, 3], 'w', True)
    """
