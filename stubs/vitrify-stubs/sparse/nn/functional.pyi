# Written by `make stubs`; edits here are lost.

"""Names of PaddlePaddle's module of the same path."""

from builtins import float as _float
from builtins import int as _int
from builtins import str as _str
from typing import Any as _Any

def attention(query: _Any, key: _Any, value: _Any, sparse_mask: _Any, key_padding_mask: _Any = None, attn_mask: _Any = None, name: _str | None = None) -> _Any:
    """Attention [batch, heads, n, d] between the pairs where sparse_mask [batch · heads, n, n] has values.

    key_padding_mask [batch, n] and attn_mask [n, n]: pairs with 0 there count as minus infinity."""

def leaky_relu(x: _Any, negative_slope: _float = 0.01, name: _str | None = None) -> _Any:
    """The values, negative ones times `negative_slope`."""

def relu(x: _Any, name: _str | None = None) -> _Any:
    """The positive part of the values; 0 stays 0 where there is none."""

def relu6(x: _Any, name: _str | None = None) -> _Any:
    """The part between 0 and 6 of the values; 0 stays 0 where there is none."""

def softmax(x: _Any, axis: _int = -1, name: _str | None = None) -> _Any:
    """The softmax of each row's values: elements without a stored value count as minus infinity."""
