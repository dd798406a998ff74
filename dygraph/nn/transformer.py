"""The transformer: encoder and decoder layers, their stacks, and both together.

Source: Vaswani et al., Attention Is All You Need, 2017.
"""

from __future__ import annotations

import copy
from typing import Any

import numpy as np

from ...base.errors import ArgumentError, KindError
from ...base.flags import flags
from ...ops.dispatch import current
from . import functional as F
from .attention_layers import MultiHeadAttention, as_bias
from .container import LayerList
from .dropout import Dropout
from .layer import Layer
from .linear_layers import Linear, positive
from .norm import LayerNorm

__all__ = [
    "Transformer", "TransformerDecoder", "TransformerDecoderLayer", "TransformerEncoder", "TransformerEncoderLayer",
]  # fmt: skip


def _each(attr: Any, count: int) -> list[Any]:
    """One attr for each part of a layer, from one for all or a list; a shorter list's last is that of the rest."""
    if isinstance(attr, (list, tuple)):
        given = list(attr)
        if not given or len(given) > count:
            raise ArgumentError(
                f"weight_attr and bias_attr of a transformer layer take up to {count}, not {len(given)}"
            )
        return given + [copy.deepcopy(given[-1]) for _ in range(count - len(given))]
    return [attr if isinstance(attr, bool) or attr is None else copy.deepcopy(attr) for _ in range(count)]


class _Part(Layer):
    """What both kinds of layers share: the settings, the linear maps at the end and the sums around each part."""

    def __init__(self, d_model: int, nhead: int, dim_feedforward: int, settings: dict[str, Any]) -> None:
        super().__init__()
        positive(d_model=d_model, nhead=nhead, dim_feedforward=dim_feedforward)
        self.__dict__["_config"] = {"d_model": d_model, "nhead": nhead, "dim_feedforward": dim_feedforward} | settings
        activation = settings["activation"]
        if activation not in F.__all__:
            raise ArgumentError(f"activation must be the name of a function of nn.functional, not {activation!r}")
        self.activation, self.normalize_before = getattr(F, activation), settings["normalize_before"]

    def _maps(self, weight_attr: Any, bias_attr: Any) -> None:
        config = self._config
        d_model, inner, dropout = config["d_model"], config["dim_feedforward"], config["dropout"]
        self.linear1 = Linear(d_model, inner, weight_attr, bias_attr)
        self.dropout = Dropout(dropout if config["act_dropout"] is None else config["act_dropout"])
        self.linear2 = Linear(inner, d_model, weight_attr, bias_attr)

    def _attention(self, weight_attr: Any, bias_attr: Any) -> MultiHeadAttention:
        config = self._config
        rate = config["dropout"] if config["attn_dropout"] is None else config["attn_dropout"]
        return MultiHeadAttention(
            config["d_model"], config["nhead"], rate, weight_attr=weight_attr, bias_attr=bias_attr
        )

    def _norm(self) -> LayerNorm:
        return LayerNorm(self._config["d_model"], self._config["layer_norm_eps"])

    def _mapped(self, x: Any) -> Any:
        return self.linear2(self.dropout(self.activation(self.linear1(x))))


class TransformerEncoderLayer(_Part):
    """Self-attention and two linear maps, each with dropout, a residual sum and a LayerNorm, on [n, length, d_model].

    normalize_before: the norms come first in each part instead of last. weight_attr, bias_attr: one for all, or a
    list of two, for the attention and the maps.
    """

    def __init__(
        self, d_model: int, nhead: int, dim_feedforward: int, dropout: float = 0.1, activation: str = "relu",
        attn_dropout: float | None = None, act_dropout: float | None = None, normalize_before: bool = False,
        weight_attr: Any = None, bias_attr: Any = None, layer_norm_eps: float = 1e-5,
    ) -> None:  # fmt: skip
        settings = {
            "dropout": dropout, "activation": activation, "attn_dropout": attn_dropout, "act_dropout": act_dropout,
            "normalize_before": normalize_before, "weight_attr": weight_attr, "bias_attr": bias_attr,
            "layer_norm_eps": layer_norm_eps,
        }  # fmt: skip
        super().__init__(d_model, nhead, dim_feedforward, settings)
        weights, biases = _each(weight_attr, 2), _each(bias_attr, 2)
        self.self_attn = self._attention(weights[0], biases[0])
        self._maps(weights[1], biases[1])
        self.norm1, self.norm2 = self._norm(), self._norm()
        self.dropout1, self.dropout2 = Dropout(dropout), Dropout(dropout)

    def forward(self, src: Any, src_mask: Any = None, cache: Any = None) -> Any:
        """The result [n, length, d_model]; with a cache of gen_cache() also the longer one."""
        before = self.normalize_before
        src_mask = as_bias(src_mask, src.dtype)
        x = self.norm1(src) if before else src
        if cache is None:
            y = self.self_attn(x, attn_mask=src_mask)
        else:
            y, cache = self.self_attn(x, x, x, src_mask, cache)
        src = src + self.dropout1(y)
        src = src if before else self.norm1(src)
        src = src + self.dropout2(self._mapped(self.norm2(src) if before else src))
        src = src if before else self.norm2(src)
        return src if cache is None else (src, cache)

    def gen_cache(self, src: Any) -> Any:
        """An empty cache for attention step by step."""
        return self.self_attn.gen_cache(src)


class TransformerDecoderLayer(_Part):
    """Self-attention, attention to an encoder's result, and two linear maps, each with dropout, sum and LayerNorm."""

    def __init__(
        self, d_model: int, nhead: int, dim_feedforward: int, dropout: float = 0.1, activation: str = "relu",
        attn_dropout: float | None = None, act_dropout: float | None = None, normalize_before: bool = False,
        weight_attr: Any = None, bias_attr: Any = None, layer_norm_eps: float = 1e-5,
    ) -> None:  # fmt: skip
        settings = {
            "dropout": dropout, "activation": activation, "attn_dropout": attn_dropout, "act_dropout": act_dropout,
            "normalize_before": normalize_before, "weight_attr": weight_attr, "bias_attr": bias_attr,
            "layer_norm_eps": layer_norm_eps,
        }  # fmt: skip
        super().__init__(d_model, nhead, dim_feedforward, settings)
        weights, biases = _each(weight_attr, 3), _each(bias_attr, 3)
        self.self_attn = self._attention(weights[0], biases[0])
        self.cross_attn = self._attention(weights[1], biases[1])
        self._maps(weights[2], biases[2])
        self.norm1, self.norm2, self.norm3 = self._norm(), self._norm(), self._norm()
        self.dropout1, self.dropout2, self.dropout3 = Dropout(dropout), Dropout(dropout), Dropout(dropout)

    def forward(self, tgt: Any, memory: Any, tgt_mask: Any = None, memory_mask: Any = None, cache: Any = None) -> Any:
        """The result [n, length, d_model]; with a cache of gen_cache() also the longer one."""
        before = self.normalize_before
        tgt_mask, memory_mask = as_bias(tgt_mask, tgt.dtype), as_bias(memory_mask, memory.dtype)
        x = self.norm1(tgt) if before else tgt
        if cache is None:
            y = self.self_attn(x, x, x, tgt_mask)
        else:
            y, step = self.self_attn(x, x, x, tgt_mask, cache[0])
        tgt = tgt + self.dropout1(y)
        tgt = tgt if before else self.norm1(tgt)
        x = self.norm2(tgt) if before else tgt
        if cache is None:
            y = self.cross_attn(x, memory, memory, memory_mask)
        else:
            y, fixed = self.cross_attn(x, memory, memory, memory_mask, cache[1])
        tgt = tgt + self.dropout2(y)
        tgt = tgt if before else self.norm2(tgt)
        tgt = tgt + self.dropout3(self._mapped(self.norm3(tgt) if before else tgt))
        tgt = tgt if before else self.norm3(tgt)
        return tgt if cache is None else (tgt, (step, fixed))

    def gen_cache(self, memory: Any) -> tuple[Any, Any]:
        """An empty cache of the target and the projected keys and values of `memory`."""
        fixed = self.cross_attn.gen_cache(memory, memory, MultiHeadAttention.StaticCache)
        return self.self_attn.gen_cache(memory), fixed


class _Stack(Layer):
    def __init__(self, layer: Any, num_layers: int, norm: Layer | None = None) -> None:
        super().__init__()
        positive(num_layers=num_layers)
        if not isinstance(layer, Layer):
            raise KindError(f"{type(self).__name__} needs a Layer, not a {type(layer).__name__}")
        self.layers = LayerList([layer if k == 0 else _another(layer) for k in range(num_layers)])
        self.num_layers, self.norm = num_layers, norm


def _another(layer: Layer) -> Layer:
    """A layer with the same settings and first values of its own; a copy where the settings aren't known."""
    config = layer.__dict__.get("_config")
    return copy.deepcopy(layer) if config is None else type(layer)(**config)


class TransformerEncoder(_Stack):
    """num_layers encoder layers made like `encoder_layer` (which is the first), then `norm` if given."""

    def __init__(self, encoder_layer: Any, num_layers: int, norm: Layer | None = None) -> None:
        super().__init__(encoder_layer, num_layers, norm)

    def forward(self, src: Any, src_mask: Any = None, cache: Any = None) -> Any:
        """The result [n, length, d_model]; with a cache of gen_cache() also the longer ones."""
        src_mask = as_bias(src_mask, src.dtype)
        caches = []
        for k, layer in enumerate(self.layers):
            if cache is None:
                src = layer(src, src_mask)
            else:
                src, new = layer(src, src_mask, cache[k])
                caches.append(new)
        src = src if self.norm is None else self.norm(src)
        return src if cache is None else (src, caches)

    def gen_cache(self, src: Any) -> list[Any]:
        """An empty cache for each layer."""
        return [layer.gen_cache(src) for layer in self.layers]


class TransformerDecoder(_Stack):
    """num_layers decoder layers made like `decoder_layer` (which is the first), then `norm` if given."""

    def __init__(self, decoder_layer: Any, num_layers: int, norm: Layer | None = None) -> None:
        super().__init__(decoder_layer, num_layers, norm)

    def forward(self, tgt: Any, memory: Any, tgt_mask: Any = None, memory_mask: Any = None, cache: Any = None) -> Any:
        """The result [n, length, d_model]; with a cache of gen_cache() also the longer ones."""
        tgt_mask, memory_mask = as_bias(tgt_mask, tgt.dtype), as_bias(memory_mask, memory.dtype)
        caches = []
        for k, layer in enumerate(self.layers):
            if cache is None:
                tgt = layer(tgt, memory, tgt_mask, memory_mask)
            else:
                tgt, new = layer(tgt, memory, tgt_mask, memory_mask, cache[k])
                caches.append(new)
        tgt = tgt if self.norm is None else self.norm(tgt)
        return tgt if cache is None else (tgt, caches)

    def gen_cache(self, memory: Any, do_zip: bool = False) -> list[Any]:
        """A cache for each layer; do_zip: all caches of targets, then all of memory."""
        made = [layer.gen_cache(memory) for layer in self.layers]
        return list(zip(*made, strict=True)) if do_zip else made


class Transformer(Layer):
    """An encoder of sources and a decoder of targets, [n, length, d_model] each.

    custom_encoder, custom_decoder: layers in place of the usual stacks. weight_attr, bias_attr: one for all, or a
    list of two (attentions, linear maps) or three (attention to itself, to the other, linear maps).

    >>> from ...ops.create import zeros
    >>> model = Transformer(8, 2, 1, 1, 16)
    >>> model(zeros([1, 5, 8]), zeros([1, 3, 8])).shape
    [1, 3, 8]
    """

    def __init__(
        self, d_model: int = 512, nhead: int = 8, num_encoder_layers: int = 6, num_decoder_layers: int = 6,
        dim_feedforward: int = 2048, dropout: float = 0.1, activation: str = "relu",
        attn_dropout: float | None = None, act_dropout: float | None = None, normalize_before: bool = False,
        weight_attr: Any = None, bias_attr: Any = None, custom_encoder: Any = None, custom_decoder: Any = None,
    ) -> None:  # fmt: skip
        super().__init__()
        settings = (dropout, activation, attn_dropout, act_dropout, normalize_before)
        encoder_attrs, decoder_attrs = zip(*(_both(attr) for attr in (weight_attr, bias_attr)), strict=True)
        if custom_encoder is None:
            first = TransformerEncoderLayer(d_model, nhead, dim_feedforward, *settings, *encoder_attrs)
            custom_encoder = TransformerEncoder(first, num_encoder_layers, LayerNorm(d_model))
        if custom_decoder is None:
            start = TransformerDecoderLayer(d_model, nhead, dim_feedforward, *settings, *decoder_attrs)
            custom_decoder = TransformerDecoder(start, num_decoder_layers, LayerNorm(d_model))
        self.encoder, self.decoder, self.d_model, self.nhead = custom_encoder, custom_decoder, d_model, nhead

    def forward(self, src: Any, tgt: Any, src_mask: Any = None, tgt_mask: Any = None, memory_mask: Any = None) -> Any:
        memory = self.encoder(src, src_mask)
        return self.decoder(tgt, memory, tgt_mask, memory_mask)

    def generate_square_subsequent_mask(self, length: Any) -> Any:
        """[length, length]: 0 where the key isn't behind the query, else -inf."""
        size = int(length)
        mask = np.triu(np.full((size, size), -np.inf, flags.default_dtype.numpy), 1)
        return current().constant(mask, flags.default_dtype)


def _both(attr: Any) -> tuple[Any, Any]:
    """The attrs of the encoder's layers and of the decoder's."""
    if not isinstance(attr, (list, tuple)):
        return attr, attr
    if len(attr) == 1:
        return [attr[0]] * 2, [attr[0]] * 3
    if len(attr) == 2:
        return list(attr), [attr[0], attr[0], attr[1]]
    if len(attr) == 3:
        return [attr[0], attr[2]], list(attr)
    raise ArgumentError(f"weight_attr and bias_attr of a Transformer take up to three, not {len(attr)}")
