"""Values of variables in a scope, and parameters of programs, under the names of PaddlePaddle's own files."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..base import flags
from ..base.errors import ArgumentError, KindError, ShapeError
from ..static import Scope, create_parameter, global_scope
from ..static.helper import LayerHelper

GRAD_VAR_SUFFIX = "@GRAD"
TEMP_VAR_NAME = "@TEMP@"
ZERO_VAR_SUFFIX = "@ZERO"


def get_value(var: Any, scope: Any = None) -> Any:
    """The tensor of a variable in a scope; of the global one without. Errors: KindError, ArgumentError."""
    if scope is not None and not isinstance(scope, Scope):
        raise KindError(f"get_value: scope must be a Scope, not {type(scope).__name__}")
    found = (global_scope() if scope is None else scope).find_var(var.name)
    if found is None:
        raise ArgumentError(f"the scope has no variable {var.name!r}")
    return found.get_tensor()


def set_value(var: Any, value: Any, scope: Any = None) -> None:
    """Give a variable in a scope its value, an array of its shape. Errors: those of `get_value`, ShapeError."""
    if not (isinstance(value, np.ndarray) or hasattr(value, "__array__")):
        raise KindError(f"set_value takes an array or a tensor, not {type(value).__name__}")
    array, old = np.asarray(value), get_value(var, scope)
    if list(old.shape()) != list(array.shape):
        raise ShapeError(f"{var.name} has the shape {list(old.shape())}, not {list(array.shape)}")
    old.set(array, None)


def fetch_var(name: str, scope: Any = None, return_numpy: bool = True) -> Any:
    """What a variable holds, by its name: an array, or a tensor with return_numpy=False. Errors: ArgumentError."""
    if not isinstance(name, str):
        raise KindError(f"fetch_var takes a name, not {type(name).__name__}")
    found = (global_scope() if scope is None else scope).find_var(name)
    if found is None:
        raise ArgumentError(f"the scope has no variable {name!r}", remedy="set persistable=True before the run")
    tensor = found.get_tensor()
    return np.array(tensor) if return_numpy else tensor


def is_fetch_variable(value: Any) -> bool:
    """False: a program's fetches are no variables here."""
    return False


def program_parameter(dtype: Any, shape: Any, name: str | None = None, **settings: Any) -> Any:
    """`pir.core.create_parameter`: a parameter of the main program. Errors: ArgumentError without `initializer`."""
    if settings.get("initializer") is None:
        raise ArgumentError("create_parameter needs an initializer")
    made = create_parameter(list(shape), dtype, name, default_initializer=settings["initializer"])
    made.stop_gradient = not settings.get("trainable", True)
    return made


_layer_norm = [True]


def layer_norm_keeps_float32(*value: bool) -> bool | None:
    """Read or set the switch: the scale and bias of `layer_norm` are float32 in either case here."""
    if not value:
        return _layer_norm[0]
    (_layer_norm[0],) = value
    return None


class LayerHelperBase(LayerHelper):
    """A `LayerHelper` made by name and kind."""

    def __init__(self, name: str, layer_type: str) -> None:
        super().__init__(layer_type, name=name)

    @classmethod
    def set_default_dtype(cls, dtype: Any) -> None:
        """See `vt.set_default_dtype`."""
        flags.set_default_dtype(dtype)

    @classmethod
    def get_default_dtype(cls) -> str:
        """See `vt.get_default_dtype`."""
        return flags.get_default_dtype()
