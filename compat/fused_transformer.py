"""Fused blocks of transformers in `incubate.nn`: their plain parts, which a compiled function fuses.

Parameters, their shapes and the names of the state are PaddlePaddle's.
"""

from __future__ import annotations

from typing import Any

from ..base.errors import ArgumentError, DTypeError
from ..base.suggest import one_of
from ..dygraph.nn import functional as F
from ..dygraph.nn.initializer import Constant
from ..dygraph.nn.layer import Layer
from ..ops.op import OPS
from .older_helpers import convert_attention_mask, convert_param_attr_to_list

_ACTIVATIONS: dict[str, Any] = {"relu": F.relu, "gelu": F.gelu}


def fused_feedforward(
    x: Any, linear1_weight: Any, linear2_weight: Any, linear1_bias: Any = None, linear2_bias: Any = None,
    ln1_scale: Any = None, ln1_bias: Any = None, ln2_scale: Any = None, ln2_bias: Any = None,
    dropout1_rate: float = 0.5, dropout2_rate: float = 0.5, activation: str = "relu", ln1_epsilon: float = 1e-5,
    ln2_epsilon: float = 1e-5, pre_layer_norm: bool = False, training: bool = True, mode: str = "upscale_in_train",
    ring_id: int = -1, add_residual: bool = True, name: str | None = None,
) -> Any:  # fmt: skip
    """x + dropout2(linear2(dropout1(act(linear1(x))))), normalised before with `pre_layer_norm`, else after.

    Shapes: x f[..., d]; weights f[d, hidden] and f[hidden, d].

    >>> from vitrify import eye, ones
    >>> fused_feedforward(ones([1, 2, 3]), eye(3), eye(3), pre_layer_norm=True, training=False).tolist()
    [[[1.0, 1.0, 1.0], [1.0, 1.0, 1.0]]]
    """
    if activation not in _ACTIVATIONS:
        raise ArgumentError(
            f"fused_feedforward has no activation {activation!r}", remedy=one_of(activation, _ACTIVATIONS)
        )
    if not x.dtype.is_floating:
        raise DTypeError(f"fused_feedforward takes floats, not {x.dtype.name}")
    act = _ACTIVATIONS[activation]
    given = F.layer_norm(x, x.shape[-1:], ln1_scale, ln1_bias, ln1_epsilon) if pre_layer_norm else x
    hidden = F.dropout(act(F.linear(given, linear1_weight, linear1_bias)), dropout1_rate, training=training, mode=mode)
    made = F.dropout(F.linear(hidden, linear2_weight, linear2_bias), dropout2_rate, training=training, mode=mode)
    made = x + made if add_residual else made
    return made if pre_layer_norm else F.layer_norm(made, x.shape[-1:], ln2_scale, ln2_bias, ln2_epsilon)


def fused_multi_head_attention(
    x: Any, qkv_weight: Any, linear_weight: Any, pre_layer_norm: bool = False, pre_ln_scale: Any = None,
    pre_ln_bias: Any = None, ln_scale: Any = None, ln_bias: Any = None, pre_ln_epsilon: float = 1e-5,
    qkv_bias: Any = None, linear_bias: Any = None, cache_kv: Any = None, attn_mask: Any = None,
    dropout_rate: float = 0.5, attn_dropout_rate: float = 0.5, ln_epsilon: float = 1e-5, training: bool = True,
    mode: str = "upscale_in_train", ring_id: int = -1, add_residual: bool = True, num_heads: int = -1,
    transpose_qkv_wb: bool = False, name: str | None = None,
) -> Any:  # fmt: skip
    """x + dropout(linear(attention of x to itself)), normalised before with `pre_layer_norm`, else after.

    Shapes: x f[b, s, d]; qkv_weight f[3, heads, d / heads, d], or f[d, 3 d] with `transpose_qkv_wb` and `num_heads`;
    linear_weight f[d, d]; attn_mask is added to scores f[b, heads, s, s]; cache_kv f[2, b, heads, before, d / heads]
    goes before the keys and values, and comes back longer as a second result.
    Errors: ArgumentError for `transpose_qkv_wb` without `num_heads`.
    """
    size = x.shape[-1]
    if transpose_qkv_wb:
        if num_heads <= 0:
            raise ArgumentError("fused_multi_head_attention: transpose_qkv_wb needs num_heads")
        qkv_weight = OPS["reshape"](OPS["transpose"](qkv_weight, (1, 0)), (3, num_heads, -1, size))
        qkv_bias = None if qkv_bias is None else OPS["reshape"](qkv_bias, (3, num_heads, -1))
    heads, width = qkv_weight.shape[1:3]
    given = F.layer_norm(x, x.shape[-1:], pre_ln_scale, pre_ln_bias, pre_ln_epsilon) if pre_layer_norm else x
    weight = OPS["transpose"](OPS["reshape"](qkv_weight, (3 * heads * width, size)), (1, 0))
    made = F.linear(given, weight, None if qkv_bias is None else OPS["reshape"](qkv_bias, (-1,)))
    parts = OPS["transpose"](OPS["reshape"](made, (*x.shape[:2], 3, heads, width)), (2, 0, 3, 1, 4))
    query, keys, values = parts[0], parts[1], parts[2]
    if cache_kv is not None:
        keys, values = OPS["concat"]([cache_kv[0], keys], 2), OPS["concat"]([cache_kv[1], values], 2)
    scores = OPS["matmul"](query * width**-0.5, OPS["transpose"](keys, (0, 1, 3, 2)))
    weights = F.softmax(scores if attn_mask is None else scores + attn_mask)
    weights = F.dropout(weights, attn_dropout_rate, training=training, mode=mode)
    met = OPS["reshape"](OPS["transpose"](OPS["matmul"](weights, values), (0, 2, 1, 3)), (*x.shape[:2], heads * width))
    out = F.dropout(F.linear(met, linear_weight, linear_bias), dropout_rate, training=training, mode=mode)
    out = x + out if add_residual else out
    out = out if pre_layer_norm else F.layer_norm(out, x.shape[-1:], ln_scale, ln_bias, ln_epsilon)
    if cache_kv is None:
        return out
    return out, OPS["concat"]([OPS["reshape"](each, (1, *each.shape)) for each in (keys, values)], 0)


class FusedMultiHeadAttention(Layer):
    """Attention of a sequence to itself with residual and normalisation: see fused_multi_head_attention.

    >>> from vitrify import ones
    >>> FusedMultiHeadAttention(8, 2)(ones([1, 3, 8])).shape
    [1, 3, 8]
    """

    def __init__(
        self, embed_dim: int, num_heads: int, dropout_rate: float = 0.5, attn_dropout_rate: float = 0.5,
        kdim: int | None = None, vdim: int | None = None, normalize_before: bool = False, need_weights: bool = False,
        qkv_weight_attr: Any = None, qkv_bias_attr: Any = None, linear_weight_attr: Any = None,
        linear_bias_attr: Any = None, pre_ln_scale_attr: Any = None, pre_ln_bias_attr: Any = None,
        ln_scale_attr: Any = None, ln_bias_attr: Any = None, epsilon: float = 1e-5, nranks: int = 1, ring_id: int = -1,
        transpose_qkv_wb: bool = False, name: str | None = None,
    ) -> None:  # fmt: skip
        super().__init__()
        if embed_dim <= 0 or num_heads <= 0 or embed_dim % num_heads:
            raise ArgumentError(f"embed_dim ({embed_dim}) must be a multiple of num_heads ({num_heads}), both above 0")
        if need_weights:
            raise ArgumentError("FusedMultiHeadAttention gives no weights: need_weights must be False")
        width = embed_dim // num_heads
        self.normalize_before, self._epsilon, self.transpose_qkv_wb = normalize_before, epsilon, transpose_qkv_wb
        self.embed_dim, self.num_heads, self.head_dim = embed_dim, num_heads, width
        self.dropout_rate, self.attn_dropout_rate = dropout_rate, attn_dropout_rate
        shape = [embed_dim, 3 * embed_dim] if transpose_qkv_wb else [3, num_heads, width, embed_dim]
        biases = [3 * embed_dim] if transpose_qkv_wb else [3, num_heads, width]
        self.qkv_weight = self.create_parameter(shape, qkv_weight_attr)
        self.qkv_bias = self.create_parameter(biases, qkv_bias_attr, is_bias=True)
        self.linear_weight = self.create_parameter([embed_dim, embed_dim], linear_weight_attr)
        self.linear_bias = self.create_parameter([embed_dim], linear_bias_attr, is_bias=True)
        self.pre_ln_scale = self.pre_ln_bias = self.ln_scale = self.ln_bias = None
        if normalize_before:
            self.pre_ln_scale, self.pre_ln_bias = _norm(self, embed_dim, pre_ln_scale_attr, pre_ln_bias_attr)
        else:
            self.ln_scale, self.ln_bias = _norm(self, embed_dim, ln_scale_attr, ln_bias_attr)

    def forward(
        self, query: Any, key: Any = None, value: Any = None, attn_mask: Any = None, cache: Any = None
    ) -> Any:  # fmt: skip
        """f[b, s, d]; `key` and `value` aren't used: attention is of the sequence to itself."""
        return fused_multi_head_attention(
            query, self.qkv_weight, self.linear_weight, self.normalize_before, self.pre_ln_scale, self.pre_ln_bias,
            self.ln_scale, self.ln_bias, self._epsilon, self.qkv_bias, self.linear_bias, cache,
            convert_attention_mask(attn_mask, query.dtype), self.dropout_rate, self.attn_dropout_rate, self._epsilon,
            self.training, num_heads=self.num_heads, transpose_qkv_wb=self.transpose_qkv_wb,
        )  # fmt: skip


def _norm(layer: Layer, size: int, scale_attr: Any, bias_attr: Any) -> tuple[Any, Any]:
    scale = layer.create_parameter([size], scale_attr, default_initializer=Constant(1.0))
    return scale, layer.create_parameter([size], bias_attr, is_bias=True)


class FusedFeedForward(Layer):
    """Two linear maps with residual and normalisation: see fused_feedforward.

    >>> from vitrify import ones
    >>> sorted(FusedFeedForward(4, 8).state_dict())[:3]
    ['_linear1_bias', '_linear1_weight', '_linear2_bias']
    """

    def __init__(
        self, d_model: int, dim_feedforward: int, dropout_rate: float = 0.1, epsilon: float = 1e-5,
        activation: str = "relu", act_dropout_rate: float | None = None, normalize_before: bool = False,
        linear1_weight_attr: Any = None, linear1_bias_attr: Any = None, linear2_weight_attr: Any = None,
        linear2_bias_attr: Any = None, ln1_scale_attr: Any = None, ln1_bias_attr: Any = None,
        ln2_scale_attr: Any = None, ln2_bias_attr: Any = None, nranks: int = 1, ring_id: int = -1,
        name: str | None = None,
    ) -> None:  # fmt: skip
        super().__init__()
        if d_model <= 0 or dim_feedforward <= 0:
            raise ArgumentError(f"d_model ({d_model}) and dim_feedforward ({dim_feedforward}) must be above 0")
        self._d_model, self._dim_feedforward, self._epsilon = d_model, dim_feedforward, epsilon
        self._dropout_rate, self._act_method, self._normalize_before = dropout_rate, activation, normalize_before
        self._act_dropout_rate = dropout_rate if act_dropout_rate is None else act_dropout_rate
        self._linear1_weight = self.create_parameter([d_model, dim_feedforward], linear1_weight_attr)
        self._linear1_bias = self.create_parameter([dim_feedforward], linear1_bias_attr, is_bias=True)
        self._linear2_weight = self.create_parameter([dim_feedforward, d_model], linear2_weight_attr)
        self._linear2_bias = self.create_parameter([d_model], linear2_bias_attr, is_bias=True)
        self._ln1_scale = self._ln1_bias = self._ln2_scale = self._ln2_bias = None
        if normalize_before:
            self._ln1_scale, self._ln1_bias = _norm(self, d_model, ln1_scale_attr, ln1_bias_attr)
        else:
            self._ln2_scale, self._ln2_bias = _norm(self, d_model, ln2_scale_attr, ln2_bias_attr)

    def forward(self, src: Any, cache: Any = None) -> Any:
        """f[..., d_model]."""
        return fused_feedforward(
            src, self._linear1_weight, self._linear2_weight, self._linear1_bias, self._linear2_bias, self._ln1_scale,
            self._ln1_bias, self._ln2_scale, self._ln2_bias, self._act_dropout_rate, self._dropout_rate,
            self._act_method, self._epsilon, self._epsilon, self._normalize_before, self.training,
        )  # fmt: skip


class FusedTransformerEncoderLayer(Layer):
    """`FusedMultiHeadAttention`, then `FusedFeedForward`.

    weight_attr, bias_attr: one for all, or one for the attention and one for the maps.
    """

    def __init__(
        self, d_model: int, nhead: int, dim_feedforward: int, dropout_rate: float = 0.1, activation: str = "relu",
        attn_dropout_rate: float | None = None, act_dropout_rate: float | None = None, normalize_before: bool = False,
        weight_attr: Any = None, bias_attr: Any = None,
    ) -> None:  # fmt: skip
        super().__init__()
        weights = convert_param_attr_to_list(weight_attr, 2)
        biases = convert_param_attr_to_list(bias_attr, 2)
        self.normalize_before = normalize_before
        self.fused_attn = FusedMultiHeadAttention(
            d_model, nhead, dropout_rate, dropout_rate if attn_dropout_rate is None else attn_dropout_rate,
            normalize_before=normalize_before, qkv_weight_attr=weights[0], qkv_bias_attr=biases[0],
            linear_weight_attr=weights[0], linear_bias_attr=biases[0], pre_ln_scale_attr=weights[0],
            pre_ln_bias_attr=biases[0], ln_scale_attr=weights[0], ln_bias_attr=biases[0],
        )  # fmt: skip
        self.ffn = FusedFeedForward(
            d_model, dim_feedforward, dropout_rate, activation=activation, act_dropout_rate=act_dropout_rate,
            normalize_before=normalize_before, linear1_weight_attr=weights[1], linear1_bias_attr=biases[1],
            linear2_weight_attr=weights[1], linear2_bias_attr=biases[1],
        )  # fmt: skip

    def forward(self, src: Any, src_mask: Any = None, cache: Any = None) -> Any:
        """f[b, s, d_model]; with `cache` a pair: the result and the cache, longer."""
        mixed = self.fused_attn(src, attn_mask=src_mask, cache=cache)
        return self.ffn(mixed) if cache is None else (self.ffn(mixed[0]), mixed[1])
