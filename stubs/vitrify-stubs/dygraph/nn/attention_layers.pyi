# Written by `make stubs`; edits here are lost.

from builtins import bool as _bool
from builtins import float as _float
from builtins import int as _int
from builtins import tuple as _tuple
from builtins import type as _type
from typing import Any as _Any
from vitrify.dygraph.nn.layer import Layer as _Layer
from vitrify.dygraph.nn.linear_layers import Linear as _Linear

class MultiHeadAttention(_Layer):
    """Attention of queries [n, q, embed_dim] to keys and values [n, k, …] in num_heads parts, between projections.

    attn_mask: bool or integer (true: may look) or float (added), broadcast to [n, heads, q, k]. need_weights: also the
    weights. cache: a Cache (what was seen before; a longer one is returned) or a StaticCache (keys and values as such).
    Errors: ArgumentError unless embed_dim is a multiple of num_heads.

    >>> from ...ops.create import zeros
    >>> MultiHeadAttention(8, 2)(zeros([1, 5, 8])).shape
    [1, 5, 8]"""
    embed_dim: _int
    num_heads: _int
    head_dim: _Any
    kdim: _Any
    vdim: _Any
    dropout: _float
    need_weights: _bool
    q_proj: _Linear
    k_proj: _Linear
    v_proj: _Linear
    out_proj: _Linear
    Cache: _type
    StaticCache: _type
    def __init__(self, embed_dim: _int, num_heads: _int, dropout: _float = 0.0, kdim: _int | None = None, vdim: _int | None = None, need_weights: _bool = False, weight_attr: _Any = None, bias_attr: _Any = None) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def compute_kv(self, key: _Any, value: _Any) -> _tuple[_Any, _Any]:
        """Projected keys and values [n, num_heads, length, head_dim], as a StaticCache holds them."""
    def gen_cache(self, key: _Any, value: _Any = None, type: _Any = ...) -> _Any:
        """A cache: of the projected key and value (type StaticCache); of these as they are, if value is given; else
        empty."""
    def forward(self, query: _Any, key: _Any = None, value: _Any = None, attn_mask: _Any = None, cache: _Any = None) -> _Any:
        """What the layer computes; each subclass defines it."""
