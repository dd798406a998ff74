"""Variables made by hand: parameters outside of layers, and global variables."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ..base import unique_name
from ..base.dtype import as_dtype
from ..dygraph.conversions import to_tensor
from ..dygraph.nn.initializer import Constant, Initializer
from ..dygraph.nn.param_attr import ParamAttr, make_parameter
from ..ops.dispatch import current
from .current import default_main_program, recording
from .weight_norm import WeightNormParamAttr


def create_parameter(
    shape: Sequence[int], dtype: Any, name: str | None = None, attr: Any = None, is_bias: bool = False,
    default_initializer: Initializer | None = None,
) -> Any:  # fmt: skip
    """A parameter of the default main program; the startup program makes its first value."""
    program = default_main_program()
    with recording(program):
        key = name or unique_name.generate("create_parameter")
        chosen = ParamAttr(name=key) if attr is None else attr
        return make_parameter(shape, chosen, dtype, is_bias, default_initializer, key)


def create_global_var(
    shape: Sequence[int], value: float, dtype: Any, persistable: bool = False, force_cpu: bool = False,
    name: str | None = None,
) -> Any:  # fmt: skip
    """A variable of the default main program that keeps its value between runs; it starts as `value`.

    In eager mode it is a tensor of that value.
    """
    kind = as_dtype(dtype)
    start = np.full(list(shape), value, kind.numpy)
    if not current().is_static:
        return to_tensor(start, kind)
    return default_main_program().add_global(name or unique_name.generate("global_var"), start, dtype=kind)


__all__ = ["Constant", "WeightNormParamAttr", "create_global_var", "create_parameter"]
