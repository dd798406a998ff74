"""Layers whose weights are spread over ranks: each has a part of the columns, of the rows, or of the vocabulary.

Parameters are drawn whole and cut, so any number of ranks starts with the values that one rank would have.
Source: Shoeybi et al., Megatron-LM, 2019.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from ...base.errors import ArgumentError
from ...dygraph.nn import functional as F
from ...dygraph.nn.initializer import Constant, Initializer, XavierUniform, global_initializers
from ...dygraph.nn.layer import Layer
from ...dygraph.nn.param_attr import as_attr
from ...ops.compare import where
from ...ops.create import zeros_like
from ...ops.dispatch import bottom, current
from ...ops.op import OPS
from ..group import Group
from .shared_values import added, largest, own_part, part_of, shared, whole_of
from .topology import model_group


class _PartOf(Initializer):
    """A rank's part of what an initializer makes for the whole parameter."""

    def __init__(self, inner: Initializer, axis: int, group: Group) -> None:
        self.inner, self.axis, self.place, self.count = inner, axis, group.rank, group.nranks
        self.draws_in_program = inner.draws_in_program

    def _make(self, shape: list[int], dtype: Any) -> Any:
        sizes = [d * self.count if k == self.axis else d for k, d in enumerate(shape)]
        whole = self.inner._make(sizes, dtype)
        part = part_of(whole, self.axis, self.place, self.count)
        return part if current().is_static else bottom().constant(np.array(part.numpy(), copy=True), dtype)


def spread_parameter(layer: Layer, shape: list[int], axis: int, group: Group, attr: Any, is_bias: bool = False) -> Any:
    """This rank's part along an axis of a parameter of that whole shape; None for attr=False."""
    settings = as_attr(attr)
    if settings is None:
        return None
    if shape[axis] % group.nranks:
        raise ArgumentError(f"{type(layer).__name__}: {shape[axis]} can't be spread evenly over {group.nranks} ranks",
                            remedy="choose a multiple of the number of ranks (mp_degree)")  # fmt: skip
    weight_init, bias_init = global_initializers()
    chosen = settings.initializer or (bias_init if is_bias else weight_init)
    chosen = chosen or (Constant(0.0) if is_bias else XavierUniform())
    part = [d // group.nranks if k == axis else d for k, d in enumerate(shape)]
    if group.nranks == 1:
        return layer.create_parameter(shape, settings, is_bias=is_bias)
    made: Any = layer.create_parameter(part, replace(settings, initializer=_PartOf(chosen, axis, group)), None, is_bias)
    made.is_distributed, made.split_axis = True, axis
    return made


class ColumnParallelLinear(Layer):
    """x @ weight + bias, of which each rank computes out_features / ranks of the columns.

    weight [in_features, out_features / ranks] and bias [out_features / ranks] are this rank's part. has_bias: None
    means no bias, as in Paddle. gather_output: every rank gets all columns, else its own, as RowParallelLinear takes
    them. mp_group: the ranks that share the layer; default: those of `fleet.init`'s grid.
    Errors: ArgumentError where out_features can't be spread evenly.

    >>> from vitrify import ones
    >>> ColumnParallelLinear(3, 4, has_bias=True)(ones([2, 3])).shape
    [2, 4]
    """

    def __init__(
        self, in_features: int, out_features: int, weight_attr: Any = None, has_bias: bool | None = None,
        gather_output: bool = True, fuse_matmul_bias: bool = False, mp_group: Group | None = None,
        name: str | None = None,
    ) -> None:  # fmt: skip
        super().__init__(name)
        self.group, self.gather_output = model_group(mp_group), gather_output
        self.in_features, self.out_features = in_features, out_features
        self.weight = spread_parameter(self, [in_features, out_features], 1, self.group, weight_attr)
        self.bias = spread_parameter(self, [out_features], 0, self.group, None, True) if has_bias else None

    def forward(self, x: Any) -> Any:
        y = F.linear(shared(x, self.group), self.weight, self.bias)
        return whole_of(y, y.ndim - 1, self.group) if self.gather_output else y


class RowParallelLinear(Layer):
    """x @ weight + bias, of which each rank has in_features / ranks of the rows; the products are added up.

    weight [in_features / ranks, out_features]; bias [out_features] is whole. input_is_parallel: x [..., in_features /
    ranks] is this rank's part already, as from ColumnParallelLinear(gather_output=False).
    Errors: ArgumentError where in_features can't be spread evenly.

    >>> from vitrify import ones
    >>> RowParallelLinear(3, 4)(ones([2, 3])).shape
    [2, 4]
    """

    def __init__(
        self, in_features: int, out_features: int, weight_attr: Any = None, has_bias: bool = True,
        input_is_parallel: bool = False, fuse_matmul_bias: bool = False, mp_group: Group | None = None,
        name: str | None = None,
    ) -> None:  # fmt: skip
        super().__init__(name)
        self.group, self.input_is_parallel = model_group(mp_group), input_is_parallel
        self.in_features, self.out_features = in_features, out_features
        self.weight = spread_parameter(self, [in_features, out_features], 0, self.group, weight_attr)
        self.bias = self.create_parameter([out_features], is_bias=True) if has_bias else None

    def forward(self, x: Any) -> Any:
        part = x if self.input_is_parallel else own_part(x, x.ndim - 1, self.group)
        y = added(F.linear(part, self.weight), self.group)
        return y if self.bias is None else y + self.bias


class VocabParallelEmbedding(Layer):
    """The rows of a table [num_embeddings, embedding_dim], of which each rank has num_embeddings / ranks.

    Errors: ArgumentError where num_embeddings can't be spread evenly; AxisError for an integer outside of the table.

    >>> from vitrify import to_tensor
    >>> VocabParallelEmbedding(10, 3)(to_tensor([[1, 2]])).shape
    [1, 2, 3]
    """

    def __init__(
        self, num_embeddings: int, embedding_dim: int, weight_attr: Any = None, mp_group: Group | None = None,
        name: str | None = None,
    ) -> None:  # fmt: skip
        super().__init__(name)
        self.group = model_group(mp_group)
        self.num_embeddings, self.embedding_dim = num_embeddings, embedding_dim
        self.weight = spread_parameter(self, [num_embeddings, embedding_dim], 0, self.group, weight_attr)

    def forward(self, x: Any) -> Any:
        if self.group.nranks == 1:
            return F.embedding(x, self.weight)
        place, mine = _own_indices(x, self.num_embeddings, self.group)
        rows = F.embedding(place, self.weight)
        return added(where(mine.unsqueeze(-1), rows, zeros_like(rows)), self.group)


def _own_indices(x: Any, size: int, group: Group) -> tuple[Any, Any]:
    """The places of indices in this rank's part, and which of them are in it: others go by 0, wrong ones stay wrong."""
    each = size // group.nranks
    local = x - group.rank * each
    mine = (local >= 0).logical_and(local < each)
    known = (x >= 0).logical_and(x < size)
    nothing = zeros_like(x)
    return where(mine, local, where(known, nothing, nothing + size)), mine


class ParallelCrossEntropy(Layer):
    """-log softmax(input)[label], with the classes spread over ranks: input [..., classes / ranks], label [...] or
    [..., 1]; the loss of each [..., 1] is the same on all ranks, 0 for `ignore_index`.

    >>> from vitrify import to_tensor, zeros
    >>> ParallelCrossEntropy()(zeros([2, 4]), to_tensor([1, 2])).shape
    [2, 1]
    """

    def __init__(self, mp_group: Group | None = None, name: str | None = None, ignore_index: int = -100) -> None:
        super().__init__(name)
        self.group, self.ignore_index = model_group(mp_group), ignore_index

    def forward(self, input: Any, label: Any) -> Any:
        if label.ndim == input.ndim - 1:
            label = label.unsqueeze(-1)
        classes = input.shape[-1] * self.group.nranks
        shifted = input - largest(input.max(-1, keepdim=True), self.group)
        total = added(shifted.exp().sum(-1, keepdim=True), self.group)
        ignored = label == self.ignore_index
        wanted = where(ignored, zeros_like(label), label)
        place, mine = _own_indices(wanted, classes, self.group)
        picked = OPS["take_along_axis"](shifted, place, -1)
        picked = added(where(mine, picked, zeros_like(picked)), self.group)
        loss = total.log() - picked
        return where(ignored, zeros_like(loss), loss)
