# Written by `make stubs`; edits here are lost.

from builtins import bool as _bool
from builtins import dict as _dict
from builtins import float as _float
from builtins import int as _int
from builtins import list as _list
from builtins import str as _str
from builtins import tuple as _tuple
from typing import Any as _Any
from vitrify.dygraph.nn.container import LayerList as _LayerList
from vitrify.dygraph.nn.dropout import Dropout as _Dropout
from vitrify.dygraph.nn.layer import Layer as _Layer
from vitrify.dygraph.tensor import Tensor as _Tensor

class Transformer(_Layer):
    """An encoder of sources and a decoder of targets, [n, length, d_model] each.

    custom_encoder, custom_decoder: layers in place of the usual stacks. weight_attr, bias_attr: one for all, or a
    list of two (attentions, linear maps) or three (attention to itself, to the other, linear maps).

    >>> from ...ops.create import zeros
    >>> model = Transformer(8, 2, 1, 1, 16)
    >>> model(zeros([1, 5, 8]), zeros([1, 3, 8])).shape
    [1, 3, 8]"""
    encoder: _Any
    decoder: _Any
    d_model: _int
    nhead: _int
    def __init__(self, d_model: _int = 512, nhead: _int = 8, num_encoder_layers: _int = 6, num_decoder_layers: _int = 6, dim_feedforward: _int = 2048, dropout: _float = 0.1, activation: _str = 'relu', attn_dropout: _float | None = None, act_dropout: _float | None = None, normalize_before: _bool = False, weight_attr: _Any = None, bias_attr: _Any = None, custom_encoder: _Any = None, custom_decoder: _Any = None) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def forward(self, src: _Any, tgt: _Any, src_mask: _Any = None, tgt_mask: _Any = None, memory_mask: _Any = None) -> _Tensor:
        """What the layer computes; each subclass defines it."""
    def generate_square_subsequent_mask(self, length: _Any) -> _Any:
        """[length, length]: 0 where the key isn't behind the query, else -inf."""

class TransformerDecoder(_Stack):
    """num_layers decoder layers made like `decoder_layer` (which is the first), then `norm` if given."""
    def __init__(self, decoder_layer: _Any, num_layers: _int, norm: _Layer | None = None) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def forward(self, tgt: _Any, memory: _Any, tgt_mask: _Any = None, memory_mask: _Any = None, cache: _Any = None) -> _Any:
        """The result [n, length, d_model]; with a cache of gen_cache() also the longer ones."""
    def gen_cache(self, memory: _Any, do_zip: _bool = False) -> _list[_Any]:
        """A cache for each layer; do_zip: all caches of targets, then all of memory."""

class _Stack(_Layer):
    layers: _LayerList
    num_layers: _int
    norm: _Layer | None
    def __init__(self, layer: _Any, num_layers: _int, norm: _Layer | None = None) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""

class TransformerDecoderLayer(_Part):
    """Self-attention, attention to an encoder's result, and two linear maps, each with dropout, sum and LayerNorm."""
    self_attn: _Any
    cross_attn: _Any
    norm1: _Any
    norm2: _Any
    norm3: _Any
    dropout1: _Dropout
    dropout2: _Dropout
    dropout3: _Dropout
    def __init__(self, d_model: _int, nhead: _int, dim_feedforward: _int, dropout: _float = 0.1, activation: _str = 'relu', attn_dropout: _float | None = None, act_dropout: _float | None = None, normalize_before: _bool = False, weight_attr: _Any = None, bias_attr: _Any = None, layer_norm_eps: _float = 1e-05) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def forward(self, tgt: _Any, memory: _Any, tgt_mask: _Any = None, memory_mask: _Any = None, cache: _Any = None) -> _Any:
        """The result [n, length, d_model]; with a cache of gen_cache() also the longer one."""
    def gen_cache(self, memory: _Any) -> _tuple[_Any, _Any]:
        """An empty cache of the target and the projected keys and values of `memory`."""

class _Part(_Layer):
    """What both kinds of layers share: the settings, the linear maps at the end and the sums around each part."""
    activation: _Any
    normalize_before: _Any
    def __init__(self, d_model: _int, nhead: _int, dim_feedforward: _int, settings: _dict[_str, _Any]) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""

class TransformerEncoder(_Stack):
    """num_layers encoder layers made like `encoder_layer` (which is the first), then `norm` if given."""
    def __init__(self, encoder_layer: _Any, num_layers: _int, norm: _Layer | None = None) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def forward(self, src: _Any, src_mask: _Any = None, cache: _Any = None) -> _Any:
        """The result [n, length, d_model]; with a cache of gen_cache() also the longer ones."""
    def gen_cache(self, src: _Any) -> _list[_Any]:
        """An empty cache for each layer."""

class TransformerEncoderLayer(_Part):
    """Self-attention and two linear maps, each with dropout, a residual sum and a LayerNorm, on [n, length, d_model].

    normalize_before: the norms come first in each part instead of last. weight_attr, bias_attr: one for all, or a
    list of two, for the attention and the maps."""
    self_attn: _Any
    norm1: _Any
    norm2: _Any
    dropout1: _Dropout
    dropout2: _Dropout
    def __init__(self, d_model: _int, nhead: _int, dim_feedforward: _int, dropout: _float = 0.1, activation: _str = 'relu', attn_dropout: _float | None = None, act_dropout: _float | None = None, normalize_before: _bool = False, weight_attr: _Any = None, bias_attr: _Any = None, layer_norm_eps: _float = 1e-05) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def forward(self, src: _Any, src_mask: _Any = None, cache: _Any = None) -> _Any:
        """The result [n, length, d_model]; with a cache of gen_cache() also the longer one."""
    def gen_cache(self, src: _Any) -> _Any:
        """An empty cache for attention step by step."""
