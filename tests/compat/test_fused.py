"""Fused functions and layers of `incubate` equal their plain parts."""

from __future__ import annotations

import numpy as np
import pytest

import vitrify as vt
import vitrify.nn.functional as F
from vitrify.incubate import nn as fused
from vitrify.incubate.nn import functional as FF


def test_products() -> None:
    x, w, b = vt.randn([2, 3]), vt.randn([3, 4]), vt.randn([4])
    np.testing.assert_array_equal(FF.fused_linear(x, w, b).numpy(), (x @ w + b).numpy())
    np.testing.assert_allclose(FF.fused_linear(x, w.t(), b, True).numpy(), (x @ w + b).numpy(), rtol=1e-6)
    np.testing.assert_allclose(FF.fused_matmul_bias(x.t(), w, None, True).numpy(), (x @ w).numpy(), rtol=1e-6)
    for name in ("relu", "gelu"):
        wanted = getattr(F, name)(x @ w + b)
        np.testing.assert_array_equal(FF.fused_linear_activation(x, w, b, activation=name).numpy(), wanted.numpy())
    with pytest.raises(ValueError, match="use one of"):
        FF.fused_linear_activation(x, w, b, activation="tanh")


def test_the_rest() -> None:
    x, y = vt.randn([2, 4]), vt.randn([2, 4])
    np.testing.assert_array_equal(FF.swiglu(x, y).numpy(), (F.silu(x) * y).numpy())
    np.testing.assert_array_equal(FF.swiglu(x).numpy(), (F.silu(x[:, :2]) * x[:, 2:]).numpy())
    np.testing.assert_array_equal(FF.fused_dropout_add(x, y, training=False).numpy(), (x + y).numpy())
    scores, mask = vt.randn([1, 2, 3, 3]), vt.randn([1, 1, 3, 3])
    np.testing.assert_array_equal(vt.incubate.softmax_mask_fuse(scores, mask).numpy(), F.softmax(scores + mask).numpy())
    causal = vt.incubate.softmax_mask_fuse_upper_triangle(scores).numpy()
    assert (np.triu(causal, 1) == 0).all() and np.allclose(causal.sum(-1), 1)
    np.testing.assert_allclose(causal[0, 0, 2], F.softmax(scores[0, 0, 2]).numpy(), rtol=1e-6)
    assert [float(vt.incubate.identity_loss(vt.to_tensor([1.0, 3.0]), k)) for k in (0, 1, "mean")] == [4.0, 2.0, 2.0]
    with pytest.raises(ValueError, match="reduction"):
        vt.incubate.identity_loss(x, "most")
    with pytest.raises(TypeError, match="takes floats, not int64"):
        vt.incubate.identity_loss(vt.ones([2], "int64"))
    ids = vt.to_tensor([0, 1])
    assert vt.incubate.graph_send_recv(x, ids, ids).tolist() == x.tolist()


def test_layers() -> None:
    x, y = vt.randn([2, 4]), vt.randn([2, 4])
    assert fused.FusedLinear(4, 3, transpose_weight=True).weight.shape == [3, 4]
    assert fused.FusedLinear(4, 3)(x).shape == [2, 3]
    norm = fused.FusedBiasDropoutResidualLayerNorm(4, dropout_rate=0.0)
    assert list(norm.state_dict()) == ["linear_bias", "ln_scale", "ln_bias"]
    np.testing.assert_allclose(norm(x, y).numpy(), F.layer_norm(x + y, [4]).numpy(), rtol=1e-5, atol=1e-6)
    net = vt.to_static(fused.FusedDropoutAdd(0.5))
    net.eval()
    np.testing.assert_array_equal(net(x, y).numpy(), (x + y).numpy())
