"""Every activation layer and every loss against a NumPy formula."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify.dygraph import nn
from vitrify.dygraph.conversions import to_tensor
from vitrify.dygraph.nn import activation_layers, loss
from vitrify.nn import functional as F

from .support import check_gradients, rand, tensor


def sigmoid(x: Any) -> Any:
    return 1 / (1 + np.exp(-x))


def softmax(x: Any) -> Any:
    e = np.exp(x - x.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


erf = np.vectorize(math.erf)
FORMULAS: dict[str, tuple[Any, Any]] = {
    "CELU": (nn.CELU(0.5), lambda x: np.where(x > 0, x, 0.5 * np.expm1(x / 0.5))),
    "ELU": (nn.ELU(0.5), lambda x: np.where(x > 0, x, 0.5 * np.expm1(x))),
    "GELU": (nn.GELU(), lambda x: 0.5 * x * (1 + erf(x / math.sqrt(2)))),
    "GLU": (nn.GLU(), lambda x: x[:, :2] * sigmoid(x[:, 2:])),
    "SELU": (nn.SELU(), lambda x: 1.0507009873554805 * np.where(x > 0, x, 1.6732632423543772 * np.expm1(x))),
    "Hardshrink": (nn.Hardshrink(), lambda x: np.where(abs(x) > 0.5, x, 0)),
    "Hardsigmoid": (nn.Hardsigmoid(), lambda x: np.clip(x * 0.1666667 + 0.5, 0, 1)),
    "Hardswish": (nn.Hardswish(), lambda x: x * np.clip(x + 3, 0, 6) / 6),
    "Hardtanh": (nn.Hardtanh(), lambda x: np.clip(x, -1, 1)),
    "LeakyReLU": (nn.LeakyReLU(0.2), lambda x: np.where(x > 0, x, 0.2 * x)),
    "LogSigmoid": (nn.LogSigmoid(), lambda x: np.log(sigmoid(x))),
    "LogSoftmax": (nn.LogSoftmax(), lambda x: np.log(softmax(x))),
    "Maxout": (nn.Maxout(2), lambda x: x.reshape(3, 2, 2).max(2)),
    "Mish": (nn.Mish(), lambda x: x * np.tanh(np.log1p(np.exp(x)))),
    "PReLU": (nn.PReLU(), lambda x: np.where(x > 0, x, 0.25 * x)),
    "RReLU": (nn.RReLU(0.1, 0.3).eval(), lambda x: np.where(x > 0, x, 0.2 * x)),
    "ReLU": (nn.ReLU(), lambda x: np.maximum(x, 0)),
    "ReLU6": (nn.ReLU6(), lambda x: np.clip(x, 0, 6)),
    "SiLU": (nn.SiLU(), lambda x: x * sigmoid(x)),
    "Sigmoid": (nn.Sigmoid(), sigmoid),
    "Silu": (nn.Silu(), lambda x: x * sigmoid(x)),
    "Softmax": (nn.Softmax(), softmax),
    "Softplus": (nn.Softplus(beta=2.0), lambda x: np.log1p(np.exp(2 * x)) / 2),
    "Softshrink": (nn.Softshrink(), lambda x: np.sign(x) * np.maximum(abs(x) - 0.5, 0)),
    "Softsign": (nn.Softsign(), lambda x: x / (1 + abs(x))),
    "Swish": (nn.Swish(), lambda x: x * sigmoid(x)),
    "Tanh": (nn.Tanh(), np.tanh),
    "Tanhshrink": (nn.Tanhshrink(), lambda x: x - np.tanh(x)),
    "ThresholdedReLU": (nn.ThresholdedReLU(0.5), lambda x: np.where(x > 0.5, x, 0)),
}


def test_the_table_has_every_activation() -> None:
    assert set(FORMULAS) == set(activation_layers.__all__) - {"Softmax2D"}


@pytest.mark.parametrize("name", sorted(FORMULAS))
def test_activation(name: str) -> None:
    layer, formula = FORMULAS[name]
    x = rand(3, 4, low=-2.0, high=2.0)
    np.testing.assert_allclose(layer.astype("float64")(tensor(x)).numpy(), formula(x), rtol=1e-9, atol=1e-9)
    check_gradients(layer, x)


def test_settings_by_position_and_name() -> None:
    assert repr(nn.LeakyReLU(0.3)) == repr(nn.LeakyReLU(negative_slope=0.3)) == "LeakyReLU(negative_slope=0.3)"
    assert repr(nn.LeakyReLU(negative_slope=0.3, name="x")) == "LeakyReLU(negative_slope=0.3, name=x)"


LOGITS, LABELS = rand(4, 3, seed=1) * 3, np.array([0, 2, 1, 2])
LOGP = np.log(softmax(LOGITS))
PICKED = -LOGP[np.arange(4), LABELS]
A, B = rand(5, 2, seed=2), rand(5, 2, seed=3)
CHANCES, BITS = rand(6, seed=4, low=0.1, high=0.9), np.array([0.0, 1, 1, 0, 1, 0])
BCE = -(BITS * np.log(CHANCES) + (1 - BITS) * np.log(1 - CHANCES))
HUBER = np.where(abs(A - B) <= 0.5, 0.5 * (A - B) ** 2, 0.5 * (abs(A - B) - 0.25))
W = np.array([0.5, 1.0, 2.0])
LOSSES: list[tuple[Any, tuple[Any, ...], Any]] = [
    (nn.CrossEntropyLoss(), (LOGITS, LABELS), PICKED.mean()),
    (nn.CrossEntropyLoss(reduction="none"), (LOGITS, LABELS), PICKED),
    (nn.CrossEntropyLoss(reduction="sum"), (LOGITS, LABELS[:, None]), PICKED.sum()),
    (nn.CrossEntropyLoss(ignore_index=2), (LOGITS, LABELS), PICKED[[0, 2]].mean()),
    (nn.CrossEntropyLoss(tensor(W)), (LOGITS, LABELS), (PICKED * W[LABELS]).sum() / W[LABELS].sum()),
    (nn.CrossEntropyLoss(soft_label=True), (LOGITS, softmax(rand(4, 3))), -(softmax(rand(4, 3)) * LOGP).sum(1).mean()),
    (nn.NLLLoss(), (LOGP, LABELS), PICKED.mean()),
    (nn.MSELoss(), (A, B), ((A - B) ** 2).mean()),
    (nn.MSELoss("none"), (A, B), (A - B) ** 2),
    (nn.L1Loss("sum"), (A, B), abs(A - B).sum()),
    (nn.SmoothL1Loss(delta=0.5), (A, B), HUBER.mean()),
    (nn.BCELoss(), (CHANCES, BITS), BCE.mean()),
    (nn.BCEWithLogitsLoss(reduction="none"), (np.log(CHANCES / (1 - CHANCES)), BITS), BCE),
    (nn.KLDivLoss("batchmean"), (LOGP, softmax(rand(4, 3))),
     (softmax(rand(4, 3)) * (np.log(softmax(rand(4, 3))) - LOGP)).sum() / 4),
    (nn.HingeEmbeddingLoss(), (A, np.sign(B)), np.where(B > 0, A, np.maximum(0, 1 - A)).mean()),
    (nn.TripletMarginLoss(epsilon=0.0), (A, B, B + 1),
     np.maximum(np.linalg.norm(A - B, axis=1) - np.linalg.norm(A - B - 1, axis=1) + 1, 0).mean()),
]  # fmt: skip


@pytest.mark.parametrize("number", range(len(LOSSES)))
def test_loss(number: int) -> None:
    layer, inputs, wanted = LOSSES[number]
    given = [to_tensor(x) for x in inputs]
    np.testing.assert_allclose(layer(*given).numpy(), wanted, rtol=1e-9)


def test_every_loss_is_tested() -> None:
    seen = {type(layer).__name__ for layer, _, _ in LOSSES} | {"MarginRankingLoss"}
    assert seen == set(loss.__all__)
    got = nn.MarginRankingLoss(0.1)(tensor(A), tensor(B), tensor(np.ones((5, 2))))
    np.testing.assert_allclose(float(got), np.maximum(0, B - A + 0.1).mean())


@pytest.mark.parametrize(
    ("function", "wanted"),
    [
        (F.relu6, [0, 0, 1, 1]),
        (F.relu, [0, 0, 1, 1]),
        (F.leaky_relu, [0.01, 1, 1, 1]),
        (lambda x: F.rrelu(x, 0.25, 0.25, training=False), [0.25, 1, 1, 1]),
        (lambda x: F.hinge_embedding_loss(x, vt.full([4], -1.0), margin=0.0, reduction="none"), [-1, 0, 0, 0]),
        (lambda x: F.margin_ranking_loss(x, vt.zeros([4]), vt.ones([4]), reduction="none"), [-1, 0, 0, 0]),
    ],
)
def test_gradients_where_the_slope_changes(function: Any, wanted: list[float]) -> None:
    for run in (function, vt.jit.to_static(function), vt.jit.to_static(function, numerics="reference")):
        x = vt.to_tensor(np.array([-1, 0, 1, 2], np.float32), stop_gradient=False)
        run(x).sum().backward()
        np.testing.assert_allclose(x.grad.numpy(), np.array(wanted, np.float32), rtol=1e-6)


@pytest.mark.parametrize(
    "name", ["hardshrink", "softshrink", "thresholded_relu", "hardtanh", "relu6", "leaky_relu", "elu"]
)
def test_nan_stays_nan(name):
    fn = getattr(vt.nn.functional, name)
    x = vt.to_tensor([float("nan"), 2.0])
    assert np.isnan(fn(x).numpy()).tolist() == [True, False]
    assert np.isnan(vt.jit.to_static(fn)(x).numpy()).tolist() == [True, False]
