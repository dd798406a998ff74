"""Attention over several heads and the transformer's encoder.

Source: Vaswani et al., Attention Is All You Need, 2017.
"""

from __future__ import annotations

import copy
from typing import Any, NamedTuple

from ...base.errors import ArgumentError, KindError
from ...ops.activation import softmax
from ...ops.op import OPS
from . import functional as F
from .container import LayerList
from .dropout import Dropout
from .layer import Layer
from .linear import Linear, positive
from .norm import LayerNorm

__all__ = ["MultiHeadAttention", "TransformerEncoder", "TransformerEncoderLayer"]


class StepCache(NamedTuple):
    """Keys and values [n, length, heads, d] of what was seen before, for attention step by step."""

    k: Any
    v: Any


class MultiHeadAttention(Layer):
    """Attention of queries [n, q, embed_dim] to keys and values [n, k, …] in num_heads parts, between projections.

    attn_mask: bool (true: may look) or float (added), broadcast to [n, heads, q, k]. need_weights: also the weights.
    Errors: ArgumentError unless embed_dim is a multiple of num_heads.

    >>> from ...ops.create import zeros
    >>> MultiHeadAttention(8, 2)(zeros([1, 5, 8])).shape
    [1, 5, 8]
    """

    Cache = StepCache

    def __init__(
        self, embed_dim: int, num_heads: int, dropout: float = 0.0, kdim: int | None = None, vdim: int | None = None,
        need_weights: bool = False, weight_attr: Any = None, bias_attr: Any = None,
    ) -> None:  # fmt: skip
        super().__init__()
        positive(embed_dim=embed_dim, num_heads=num_heads)
        if embed_dim % num_heads:
            raise ArgumentError(f"embed_dim ({embed_dim}) must be a multiple of num_heads ({num_heads})")
        self.embed_dim, self.num_heads, self.head_dim = embed_dim, num_heads, embed_dim // num_heads
        self.dropout, self.need_weights = dropout, need_weights
        self.q_proj = Linear(embed_dim, embed_dim, weight_attr, bias_attr)
        self.k_proj = Linear(embed_dim if kdim is None else kdim, embed_dim, weight_attr, bias_attr)
        self.v_proj = Linear(embed_dim if vdim is None else vdim, embed_dim, weight_attr, bias_attr)
        self.out_proj = Linear(embed_dim, embed_dim, weight_attr, bias_attr)

    def _heads(self, x: Any) -> Any:
        return OPS["reshape"](x, (*x.shape[:2], self.num_heads, self.head_dim))

    def gen_cache(self, key: Any) -> StepCache:
        """An empty cache for attention step by step."""
        empty = OPS["reshape"](key[:, :0, : self.embed_dim], (key.shape[0], 0, self.num_heads, self.head_dim))
        return StepCache(empty, empty)

    def forward(
        self, query: Any, key: Any = None, value: Any = None, attn_mask: Any = None, cache: StepCache | None = None
    ) -> Any:
        key = query if key is None else key
        value = key if value is None else value
        q, k, v = (self._heads(p(x)) for p, x in
                   ((self.q_proj, query), (self.k_proj, key), (self.v_proj, value)))  # fmt: skip
        if cache is not None:
            k, v = OPS["concat"]([cache.k, k], axis=1), OPS["concat"]([cache.v, v], axis=1)
        weights = None
        if self.need_weights:
            y, weights = self._with_weights(q, k, v, attn_mask)
        else:
            y = F.scaled_dot_product_attention(q, k, v, attn_mask, self.dropout, training=self.training)
        y = self.out_proj(OPS["reshape"](y, (*y.shape[:2], self.embed_dim)))
        extras = ([weights] if self.need_weights else []) + ([StepCache(k, v)] if cache is not None else [])
        return (y, *extras) if extras else y

    def _with_weights(self, q: Any, k: Any, v: Any, mask: Any) -> tuple[Any, Any]:
        q, k, v = (OPS["transpose"](t, (0, 2, 1, 3)) for t in (q, k, v))
        scores = OPS["matmul"](q, k, False, True) * self.head_dim**-0.5
        if mask is not None:
            scores = OPS["where"](mask, scores, float("-inf")) if mask.dtype.is_bool else scores + mask
        weights = softmax(scores)
        y = OPS["matmul"](F.dropout(weights, self.dropout, training=self.training), v)
        return OPS["transpose"](y, (0, 2, 1, 3)), weights


class TransformerEncoderLayer(Layer):
    """Self-attention and two linear maps, each with dropout, a residual sum and a LayerNorm, on [n, length, d_model].

    normalize_before: the norms come first in each part instead of last.
    """

    def __init__(
        self, d_model: int, nhead: int, dim_feedforward: int, dropout: float = 0.1, activation: str = "relu",
        attn_dropout: float | None = None, act_dropout: float | None = None, normalize_before: bool = False,
        weight_attr: Any = None, bias_attr: Any = None, layer_norm_eps: float = 1e-5,
    ) -> None:  # fmt: skip
        super().__init__()
        self.__dict__["_config"] = {
            "d_model": d_model, "nhead": nhead, "dim_feedforward": dim_feedforward, "dropout": dropout,
            "activation": activation, "attn_dropout": attn_dropout, "act_dropout": act_dropout,
            "normalize_before": normalize_before, "weight_attr": weight_attr, "bias_attr": bias_attr,
            "layer_norm_eps": layer_norm_eps,
        }  # fmt: skip
        if activation not in ("relu", "gelu"):
            raise ArgumentError(f'activation must be "relu" or "gelu", not {activation!r}')
        attention = dropout if attn_dropout is None else attn_dropout
        self.activation, self.normalize_before = activation, normalize_before
        self.self_attn = MultiHeadAttention(d_model, nhead, attention, weight_attr=weight_attr, bias_attr=bias_attr)
        self.linear1 = Linear(d_model, dim_feedforward, weight_attr, bias_attr)
        self.dropout = Dropout(dropout if act_dropout is None else act_dropout)
        self.linear2 = Linear(dim_feedforward, d_model, weight_attr, bias_attr)
        self.norm1 = LayerNorm(d_model, layer_norm_eps)
        self.norm2 = LayerNorm(d_model, layer_norm_eps)
        self.dropout1 = Dropout(dropout)
        self.dropout2 = Dropout(dropout)

    def forward(self, src: Any, src_mask: Any = None) -> Any:
        before = self.normalize_before
        y = self.self_attn(self.norm1(src) if before else src, attn_mask=src_mask)
        src = src + self.dropout1(y)
        src = src if before else self.norm1(src)
        y = self.linear1(self.norm2(src) if before else src)
        y = self.linear2(self.dropout(F.relu(y) if self.activation == "relu" else F.gelu(y)))
        src = src + self.dropout2(y)
        return src if before else self.norm2(src)


class TransformerEncoder(Layer):
    """num_layers encoder layers made like `encoder_layer` (which is the first), then `norm` if given."""

    def __init__(self, encoder_layer: Any, num_layers: int, norm: Layer | None = None) -> None:
        super().__init__()
        positive(num_layers=num_layers)
        if not isinstance(encoder_layer, Layer):
            raise KindError(f"TransformerEncoder needs a Layer, not a {type(encoder_layer).__name__}")
        self.layers = LayerList([encoder_layer if k == 0 else _another(encoder_layer) for k in range(num_layers)])
        self.num_layers, self.norm = num_layers, norm

    def forward(self, src: Any, src_mask: Any = None) -> Any:
        for layer in self.layers:
            src = layer(src, src_mask)
        return src if self.norm is None else self.norm(src)


def _another(layer: Layer) -> Layer:
    """A layer with the same settings and first values of its own; a copy where the settings aren't known."""
    config = layer.__dict__.get("_config")
    return copy.deepcopy(layer) if config is None else type(layer)(**config)
