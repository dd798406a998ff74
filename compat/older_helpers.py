"""Helpers of PaddlePaddle's own modules that public repositories import, and GPU queries of a build without GPUs."""

from __future__ import annotations

import copy
from typing import Any, NoReturn

from ..base.dtype import as_dtype
from ..base.errors import ArgumentError
from ..ops.op import OPS


def convert_attention_mask(attn_mask: Any, dtype: Any) -> Any:
    """A mask that is added to scores: True and 1 become 0, False and 0 become -1e9; floats stay.

    >>> from vitrify import to_tensor
    >>> convert_attention_mask(to_tensor([True, False]), "float32").tolist()
    [0.0, -1000000000.0]
    """
    wanted = as_dtype(dtype)
    if attn_mask is None or attn_mask.dtype == wanted:
        return attn_mask
    cast = OPS["cast"](attn_mask, wanted)
    return cast if attn_mask.dtype.is_floating else (cast - 1.0) * 1e9


def convert_param_attr_to_list(param_attr: Any, n: int) -> list[Any]:
    """One attr for each of n parameters, from one for all or a list of n. Errors: ArgumentError for other lengths."""
    if isinstance(param_attr, (list, tuple)):
        if len(param_attr) != n:
            raise ArgumentError(f"{n} parameters need {n} attrs, not {len(param_attr)}")
        return [None if attr is True else attr for attr in param_attr]
    if isinstance(param_attr, bool) or param_attr is None:
        return [None if param_attr is True else param_attr] * n
    return [copy.deepcopy(param_attr) for _ in range(n)]


def no_gpu(*_: Any, **__: Any) -> NoReturn:
    """Errors: ArgumentError, as PaddlePaddle's CPU builds raise."""
    raise ArgumentError("there is no GPU to ask: vitrify computes on the CPU")


def empty_cache() -> None:
    """Nothing: there is no GPU whose memory could be given back."""
