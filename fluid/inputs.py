"""fluid.embedding and fluid.one_hot, and those of fluid.layers, whose indices end in an axis of one."""

from __future__ import annotations

from typing import Any

from ..ops import functions
from ..static import nn


def embedding(
    input: Any, size: Any, is_sparse: bool = False, is_distributed: bool = False, padding_idx: int | None = None,
    param_attr: Any = None, dtype: Any = "float32",
) -> Any:  # fmt: skip
    """Rows of a table, a parameter of shape `size`. Shapes: input i[...]; result f[..., size[1]]."""
    return nn.embedding(input, size, padding_idx=padding_idx, param_attr=param_attr, dtype=dtype)


def one_hot(input: Any, depth: int, allow_out_of_range: bool = False) -> Any:
    """Ones at the indices. Shapes: input i[...]; result f32[..., depth]."""
    return functions()["one_hot"](input, depth)


def layers_embedding(
    input: Any, size: Any, is_sparse: bool = False, is_distributed: bool = False, padding_idx: int | None = None,
    param_attr: Any = None, dtype: Any = "float32",
) -> Any:  # fmt: skip
    """Rows of a table. Shapes: input i[..., 1] (or i[...]); result f[..., size[1]]."""
    return embedding(_without_last(input), size, is_sparse, is_distributed, padding_idx, param_attr, dtype)


def layers_one_hot(input: Any, depth: int, allow_out_of_range: bool = False) -> Any:
    """Ones at the indices. Shapes: input i[..., 1] (or i[...]); result f32[..., depth]."""
    return one_hot(_without_last(input), depth)


def _without_last(x: Any) -> Any:
    return functions()["squeeze"](x, -1) if x.shape and x.shape[-1] == 1 else x
