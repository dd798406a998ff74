"""WeightNormParamAttr: a weight as length times direction, both trained.

Source: Salimans, Kingma, Weight Normalization, 2016.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..base.dtype import DType
from ..dygraph.nn.initializer import Initializer
from ..dygraph.nn.param_attr import ParamAttr
from ..dygraph.nn.parameter_utils import norm_except
from ..ops.infer import axis_index
from ..ops.op import OPS


class WeightNormParamAttr(ParamAttr):
    """A ParamAttr whose weight is `g v / |v|`. dim: the axis whose slices have a length each; None: one for all."""

    def __init__(self, dim: int | None = None, name: str | None = None, **settings: Any) -> None:
        super().__init__(name, **settings)
        self.dim = dim


class _LengthOf(Initializer):
    """The lengths that a direction's parameter has at the start, so that the weight starts as its initializer says."""

    draws_in_program = True

    def __init__(self, direction: Any, dim: int) -> None:
        self.direction, self.dim = direction, dim

    def _make(self, shape: list[int], dtype: DType) -> Any:
        return OPS["reshape"](norm_except(self.direction, self.dim), shape)


def normalised(make: Callable[[list[int], ParamAttr, str], Any], shape: list[int], attr: WeightNormParamAttr) -> Any:
    """The weight as operations over two parameters. make(shape, attr, ending): a parameter."""
    dim = -1 if attr.dim is None or attr.dim == -1 else axis_index(attr.dim, len(shape), "dim")
    direction = make(shape, _with(attr, "v", attr.initializer), "w_v")
    sizes = [1] if dim == -1 else [shape[dim]]
    length = make(sizes, _with(attr, "g", _LengthOf(direction, dim)), "w_g")
    wide = [1] * len(shape) if dim == -1 else [-1 if k == dim else 1 for k in range(len(shape))]
    return direction * OPS["reshape"](length / OPS["maximum"](norm_except(direction, dim), 1e-12), wide)


def _with(attr: ParamAttr, ending: str, initializer: Any) -> ParamAttr:
    return ParamAttr(
        name=None if attr.name is None else f"{attr.name}.w_{ending}", initializer=initializer,
        learning_rate=attr.learning_rate, regularizer=attr.regularizer, trainable=attr.trainable,
        need_clip=attr.need_clip,
    )  # fmt: skip
