"""Attention over several heads, with caches for decoding step by step.

Source: Vaswani et al., Attention Is All You Need, 2017.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from ...base.errors import ArgumentError
from ...ops.activation import softmax
from ...ops.create import zeros
from ...ops.dims import same_dim
from ...ops.op import OPS
from . import functional as F
from .layer import Layer
from .linear_layers import Linear, positive

__all__ = ["MultiHeadAttention", "as_bias"]


class Cache(NamedTuple):
    """Keys and values [n, heads, length, d] of what was seen before, for attention step by step."""

    k: Any
    v: Any


class StaticCache(NamedTuple):
    """Keys and values [n, heads, length, d] of an encoder's result, projected once."""

    k: Any
    v: Any


def _widens(mask: Any, q: Any, k: Any) -> bool:
    """Whether a mask has several rows or columns for one of the scores, which then is repeated, as in Paddle."""
    if mask is None:
        return False
    sizes = zip(mask.shape[-2:], (q.shape[1], k.shape[1])[-min(mask.ndim, 2) :], strict=False)
    return any(same_dim(scored, 1) and not same_dim(given, 1) for given, scored in sizes)


def _swapped(x: Any) -> Any:
    """[n, length, heads, d] as [n, heads, length, d], and back."""
    return OPS["transpose"](x, (0, 2, 1, 3))


def as_bias(mask: Any, dtype: Any) -> Any:
    """A mask as numbers of `dtype` to add to scores: bool or integer masks (true or 1: may look) become 0 and -1e9."""
    if mask is None or mask.dtype is dtype:
        return mask
    numbers = OPS["cast"](mask, dtype)
    return numbers if mask.dtype.is_floating else (numbers - 1.0) * 1e9


class MultiHeadAttention(Layer):
    """Attention of queries [n, q, embed_dim] to keys and values [n, k, …] in num_heads parts, between projections.

    attn_mask: bool or integer (true: may look) or float (added), broadcast to [n, heads, q, k]. need_weights: also the
    weights. cache: a Cache (what was seen before; a longer one is returned) or a StaticCache (keys and values as such).
    Errors: ArgumentError unless embed_dim is a multiple of num_heads.

    >>> from ...ops.create import zeros
    >>> MultiHeadAttention(8, 2)(zeros([1, 5, 8])).shape
    [1, 5, 8]
    """

    Cache = Cache
    StaticCache = StaticCache

    def __init__(
        self, embed_dim: int, num_heads: int, dropout: float = 0.0, kdim: int | None = None, vdim: int | None = None,
        need_weights: bool = False, weight_attr: Any = None, bias_attr: Any = None,
    ) -> None:  # fmt: skip
        super().__init__()
        positive(embed_dim=embed_dim, num_heads=num_heads)
        if embed_dim % num_heads:
            raise ArgumentError(f"embed_dim ({embed_dim}) must be a multiple of num_heads ({num_heads})")
        self.embed_dim, self.num_heads, self.head_dim = embed_dim, num_heads, embed_dim // num_heads
        self.kdim, self.vdim = embed_dim if kdim is None else kdim, embed_dim if vdim is None else vdim
        self.dropout, self.need_weights = dropout, need_weights
        self.q_proj = Linear(embed_dim, embed_dim, weight_attr, bias_attr)
        self.k_proj = Linear(self.kdim, embed_dim, weight_attr, bias_attr)
        self.v_proj = Linear(self.vdim, embed_dim, weight_attr, bias_attr)
        self.out_proj = Linear(embed_dim, embed_dim, weight_attr, bias_attr)

    def _heads(self, x: Any) -> Any:
        return OPS["reshape"](x, (*x.shape[:2], self.num_heads, self.head_dim))

    def compute_kv(self, key: Any, value: Any) -> tuple[Any, Any]:
        """Projected keys and values [n, num_heads, length, head_dim], as a StaticCache holds them."""
        return _swapped(self._heads(self.k_proj(key))), _swapped(self._heads(self.v_proj(value)))

    def _prepare_qkv(self, query: Any, key: Any, value: Any, cache: Any = None) -> tuple[Any, ...]:
        """Projected queries, keys and values [n, num_heads, length, head_dim]; with a cache also the longer one.

        For layers that derive from this one and compute attention in another way.
        """
        q = _swapped(self._heads(self.q_proj(query)))
        k, v = cache if isinstance(cache, StaticCache) else self.compute_kv(key, value)
        if isinstance(cache, Cache):
            k, v = (OPS["concat"]([old, new], axis=2) for old, new in ((cache.k, k), (cache.v, v)))
            cache = Cache(k, v)
        return (q, k, v) if cache is None else (q, k, v, cache)

    def gen_cache(self, key: Any, value: Any = None, type: Any = Cache) -> Any:
        """A cache: of the projected key and value (type StaticCache); of these as they are, if value is given; else
        empty.
        """
        if type is StaticCache:
            value = key if value is None else value
            return StaticCache(*self.compute_kv(key, value))
        if value is not None:
            return Cache(key, value)
        empty = zeros((key.shape[0], self.num_heads, 0, self.head_dim), key.dtype)
        return Cache(empty, empty)

    def forward(self, query: Any, key: Any = None, value: Any = None, attn_mask: Any = None, cache: Any = None) -> Any:
        key = query if key is None else key
        value = key if value is None else value
        q = self._heads(self.q_proj(query))
        if isinstance(cache, StaticCache):
            k, v = _swapped(cache.k), _swapped(cache.v)
        else:
            k, v = self._heads(self.k_proj(key)), self._heads(self.v_proj(value))
        if isinstance(cache, Cache):
            k, v = (OPS["concat"]([_swapped(old), new], axis=1) for old, new in ((cache.k, k), (cache.v, v)))
        weights, attn_mask = None, as_bias(attn_mask, q.dtype)
        if self.need_weights or _widens(attn_mask, q, k):
            y, weights = self._with_weights(q, k, v, attn_mask)
        else:
            y = F.scaled_dot_product_attention(q, k, v, attn_mask, self.dropout, training=self.training)
        y = self.out_proj(OPS["reshape"](y, (*y.shape[:2], self.embed_dim)))
        extras: list[Any] = [weights] if self.need_weights else []
        if cache is not None:
            extras.append(Cache(_swapped(k), _swapped(v)) if isinstance(cache, Cache) else cache)
        return (y, *extras) if extras else y

    def _with_weights(self, q: Any, k: Any, v: Any, mask: Any) -> tuple[Any, Any]:
        q, k, v = (OPS["transpose"](t, (0, 2, 1, 3)) for t in (q, k, v))
        scores = OPS["matmul"](q, k, False, True) * self.head_dim**-0.5
        if mask is not None:
            scores = scores + mask
        weights = softmax(scores)
        weights = F.dropout(weights, self.dropout, training=self.training)
        return OPS["transpose"](OPS["matmul"](weights, v), (0, 2, 1, 3)), weights
