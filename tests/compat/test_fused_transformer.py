"""Fused blocks of transformers against plain layers with the same weights. State and shapes are PaddlePaddle's."""

import numpy as np
import pytest

import vitrify as vt
from vitrify import nn
from vitrify.base.errors import ArgumentError
from vitrify.incubate.nn import FusedFeedForward, FusedMultiHeadAttention, FusedTransformerEncoderLayer
from vitrify.incubate.nn import functional as fused

X = np.random.default_rng(0).standard_normal((2, 5, 8)).astype("float32")


def drawn(layer):
    random = np.random.default_rng(1)
    for parameter in layer.parameters():
        parameter.set_value(random.standard_normal(parameter.shape).astype("float32") * 0.5)
    return layer


def plain_encoder(layer, activation, before):
    """nn.TransformerEncoderLayer with the weights of a fused one."""
    plain = nn.TransformerEncoderLayer(8, 2, 16, 0.0, activation, normalize_before=before)
    attention, maps = layer.fused_attn, layer.ffn
    for part, name in enumerate(("q", "k", "v")):
        linear = getattr(plain.self_attn, f"{name}_proj")
        linear.weight.set_value(attention.qkv_weight[part].reshape([8, 8]).transpose([1, 0]))
        linear.bias.set_value(attention.qkv_bias[part].reshape([8]))
    pairs = {
        plain.self_attn.out_proj.weight: attention.linear_weight, plain.self_attn.out_proj.bias: attention.linear_bias,
        plain.linear1.weight: maps._linear1_weight, plain.linear1.bias: maps._linear1_bias,
        plain.linear2.weight: maps._linear2_weight, plain.linear2.bias: maps._linear2_bias,
        plain.norm1.weight: attention.pre_ln_scale if before else attention.ln_scale,
        plain.norm1.bias: attention.pre_ln_bias if before else attention.ln_bias,
        plain.norm2.weight: maps._ln1_scale if before else maps._ln2_scale,
        plain.norm2.bias: maps._ln1_bias if before else maps._ln2_bias,
    }  # fmt: skip
    for own, other in pairs.items():
        own.set_value(other)
    return plain


@pytest.mark.parametrize(
    ("before", "activation", "kind"), [(False, "relu", "bool"), (True, "gelu", "float32"), (True, "relu", None)]
)
def test_a_fused_encoder_is_the_plain_one(before, activation, kind):
    layer = drawn(FusedTransformerEncoderLayer(8, 2, 16, 0.0, activation, normalize_before=before))
    plain = plain_encoder(layer, activation, before)
    x = vt.to_tensor(X)
    seen = vt.tril(vt.ones([5, 5])).astype("bool")
    floats = vt.where(seen, vt.zeros([5, 5]), vt.full([5, 5], -1e9))
    mask = {"bool": seen, "float32": floats, None: None}[kind]
    expected = plain(x, mask).numpy()
    np.testing.assert_allclose(layer(x, mask).numpy(), expected, rtol=1e-4, atol=1e-5)
    whole = vt.jit.to_static(lambda given: layer(given, mask))
    np.testing.assert_allclose(whole(x).numpy(), expected, rtol=1e-4, atol=1e-5)


def test_states_are_paddles():
    layer = FusedTransformerEncoderLayer(8, 2, 16)
    assert {name: list(value.shape) for name, value in layer.state_dict().items()} == {
        "fused_attn.qkv_weight": [3, 2, 4, 8], "fused_attn.qkv_bias": [3, 2, 4], "fused_attn.linear_weight": [8, 8],
        "fused_attn.linear_bias": [8], "fused_attn.ln_scale": [8], "fused_attn.ln_bias": [8],
        "ffn._linear1_weight": [8, 16], "ffn._linear1_bias": [16], "ffn._linear2_weight": [16, 8],
        "ffn._linear2_bias": [8], "ffn._ln2_scale": [8], "ffn._ln2_bias": [8],
    }  # fmt: skip
    before = FusedTransformerEncoderLayer(8, 2, 16, normalize_before=True).state_dict()
    assert [name for name in before if "ln" in name] == [
        "fused_attn.pre_ln_scale", "fused_attn.pre_ln_bias", "ffn._ln1_scale", "ffn._ln1_bias",
    ]  # fmt: skip


def test_weights_of_the_other_layout():
    layer = drawn(FusedMultiHeadAttention(8, 2, 0.0, 0.0))
    other = FusedMultiHeadAttention(8, 2, 0.0, 0.0, transpose_qkv_wb=True)
    other.qkv_weight.set_value(layer.qkv_weight.reshape([24, 8]).transpose([1, 0]))
    other.qkv_bias.set_value(layer.qkv_bias.reshape([24]))
    for name in ("linear_weight", "linear_bias", "ln_scale", "ln_bias"):
        getattr(other, name).set_value(getattr(layer, name))
    x = vt.to_tensor(X)
    np.testing.assert_allclose(other(x).numpy(), layer(x).numpy(), rtol=1e-5, atol=1e-6)
    with pytest.raises(ArgumentError, match="num_heads"):
        fused.fused_multi_head_attention(x, other.qkv_weight, other.linear_weight, transpose_qkv_wb=True)


def test_a_cache_goes_before_the_keys():
    layer = drawn(FusedMultiHeadAttention(8, 2, 0.0, 0.0))
    causal = vt.where(vt.tril(vt.ones([5, 5])).astype("bool"), vt.zeros([5, 5]), vt.full([5, 5], -1e9))
    expected = layer(vt.to_tensor(X), attn_mask=causal).numpy()
    cache, rows = vt.zeros([2, 2, 2, 0, 4]), []
    for k in range(5):
        row, cache = layer(vt.to_tensor(X[:, k : k + 1]), cache=cache)
        rows.append(row.numpy())
    assert cache.shape == [2, 2, 2, 5, 4]
    np.testing.assert_allclose(np.concatenate(rows, 1), expected, rtol=1e-4, atol=1e-5)


def test_gradients_reach_every_parameter_and_dropout_draws():
    layer = FusedTransformerEncoderLayer(8, 2, 16, 0.3)
    x = vt.to_tensor(X)
    layer(x).sum().backward()
    assert all(parameter.grad is not None for parameter in layer.parameters())
    assert not np.array_equal(layer(x).numpy(), layer(x).numpy())
    layer.eval()
    np.testing.assert_array_equal(layer(x).numpy(), layer(x).numpy())


def test_refusals():
    with pytest.raises(ArgumentError, match="multiple"):
        FusedMultiHeadAttention(8, 3)
    with pytest.raises(ArgumentError, match="need_weights"):
        FusedMultiHeadAttention(8, 2, need_weights=True)
    with pytest.raises(ArgumentError, match="above 0"):
        FusedFeedForward(8, 0)
    with pytest.raises(ArgumentError, match="activation"):
        FusedFeedForward(8, 8, activation="tanh")(vt.to_tensor(X))
