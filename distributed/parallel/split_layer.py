"""`distributed.split`: a linear layer or an embedding, spread over the ranks, in one call."""

from __future__ import annotations

from typing import Any

from ...base.errors import ArgumentError, ModeError
from ...ops.dispatch import current
from ..group import get_world_size, world
from .tensor_layers import ColumnParallelLinear, RowParallelLinear, VocabParallelEmbedding


def split(
    x: Any, size: Any, operation: str, axis: int = 0, num_partitions: int = 1, gather_out: bool = True,
    weight_attr: Any = None, bias_attr: Any = None, name: str | None = None,
) -> Any:  # fmt: skip
    """Make a layer in a static program, with weights [size] that are spread over all ranks, and give its result for x.

    operation "linear": axis 0 spreads the rows (x may be this rank's part of the last axis already), axis 1 the columns
    (gather_out: all of them are returned). "embedding": axis 0 spreads the rows of the table. num_partitions: how many
    ranks there are. bias_attr: False for no bias.
    Errors: ArgumentError; ModeError outside of static mode, where each call would make a new layer.

    >>> import vitrify as vt
    >>> vt.enable_static()
    >>> y = split(vt.static.data("x", [None, 3]), (3, 4), "linear", axis=1)
    >>> vt.disable_static()
    >>> y.shape
    [-1, 4]
    """
    if not current().is_static:
        raise ModeError("split makes a layer in a static program; elsewhere each call would make a new one",
                        remedy="make a ColumnParallelLinear, RowParallelLinear or VocabParallelEmbedding")  # fmt: skip
    if num_partitions != get_world_size():
        raise ArgumentError(f"split: num_partitions is {num_partitions}, the run has {get_world_size()} rank(s)")
    if bias_attr not in (None, True, False):
        raise ArgumentError("split: bias_attr says whether there is a bias (None, False), not how it begins",
                            remedy="make the layer yourself, and set its bias")  # fmt: skip
    rows, columns = (int(d) for d in size)
    everyone, has_bias = world(), bias_attr is not False
    if operation == "embedding" and axis == 0:
        return VocabParallelEmbedding(rows, columns, weight_attr, everyone, name)(x)
    if operation == "linear" and axis == 0:
        is_part = x.shape[-1] != rows
        return RowParallelLinear(rows, columns, weight_attr, has_bias, is_part, False, everyone, name)(x)
    if operation == "linear" and axis == 1:
        return ColumnParallelLinear(rows, columns, weight_attr, has_bias, gather_out, False, everyone, name)(x)
    raise ArgumentError(f"split can't spread {operation!r} along axis {axis}",
                        remedy='use "linear" with axis 0 or 1, or "embedding" with axis 0')  # fmt: skip
