"""Embedding: a table of vectors looked up by integers."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...base.errors import ArgumentError
from ...ops.dispatch import bottom, current, using
from . import functional as F
from .alias import alias
from .initializer import Assign
from .layer import Layer
from .layer_settings import with_name
from .linear_layers import positive

__all__ = ["Embedding"]


class Embedding(Layer):
    """The rows of weight [num_embeddings, embedding_dim] that integers x [...] name: [..., embedding_dim].

    max_norm, scale_grad_by_freq: see functional.embedding. padding_idx (may count from the end): its row starts as
    zeros, is read as zeros and gets no gradient.
    Errors: AxisError for an integer outside the table; ArgumentError for such a padding_idx.

    >>> from ..conversions import to_tensor
    >>> Embedding(10, 3)(to_tensor([[1, 2]])).shape
    [1, 2, 3]
    """

    num_embeddings, embedding_dim, padding_idx = (
        alias("_num_embeddings"),
        alias("_embedding_dim"),
        alias("_padding_idx"),
    )
    max_norm, norm_type, sparse = alias("_max_norm"), alias("_norm_type"), alias("_sparse")
    scale_grad_by_freq = alias("_scale_grad_by_freq")

    def __init__(
        self, num_embeddings: int, embedding_dim: int, padding_idx: int | None = None, max_norm: float | None = None,
        norm_type: float = 2.0, sparse: bool = False, scale_grad_by_freq: bool = False, weight_attr: Any = None,
        name: str | None = None, *, _weight: Any = None, _freeze: bool = False, device: Any = None, dtype: Any = None,
    ) -> None:  # fmt: skip
        super().__init__(name, dtype)
        positive(num_embeddings=num_embeddings, embedding_dim=embedding_dim)
        if padding_idx is not None and not -num_embeddings <= padding_idx < num_embeddings:
            raise ArgumentError(
                f"padding_idx must be from {-num_embeddings} to {num_embeddings - 1}, not {padding_idx}"
            )
        self._num_embeddings, self._embedding_dim, self._sparse = num_embeddings, embedding_dim, sparse
        self._max_norm, self._norm_type, self._scale_grad_by_freq = max_norm, norm_type, scale_grad_by_freq
        self._padding_idx, self._weight_attr, self._name = padding_idx, weight_attr, name
        given = None if _weight is None else Assign(_weight)
        weight = self.create_parameter([num_embeddings, embedding_dim], weight_attr, default_initializer=given)
        if weight is None:
            raise ArgumentError("Embedding can't do without its weight (weight_attr=False)")
        self.weight = weight
        weight.stop_gradient = weight.stop_gradient or _freeze
        weight.has_row_gradients = sparse
        if self._padding_idx is not None:
            _clear_row(weight, self._padding_idx)

    def forward(self, x: Any) -> Any:
        return F.embedding(
            x, self.weight, self._padding_idx, self._max_norm, self._norm_type, self._sparse, self._scale_grad_by_freq
        )

    def extra_repr(self) -> str:
        text = f"{self._num_embeddings}, {self._embedding_dim}"
        text += "" if self._padding_idx is None else f", padding_idx={self._padding_idx}"
        return with_name(f"{text}, sparse={self._sparse}, scale_grad_by_freq={self._scale_grad_by_freq}", self._name)


def _clear_row(weight: Any, row: int) -> None:
    """The row starts as zeros; in a captured function, too, which takes back what is written into tensors."""
    if current().is_static:
        start = np.array(weight)
        start[row] = 0
        with using(bottom()):
            weight.set_value(start)
        return
    with using(bottom()):
        start = weight._copied()
        start[row] = 0
        weight._storage = bottom().constant(start, weight.dtype)._storage
