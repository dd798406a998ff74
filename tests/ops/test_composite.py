"""Functions over rows against independent NumPy formulas, with first and second derivatives."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from vitrify.base.errors import ArgumentError, AxisError, DTypeError, ShapeError
from vitrify.ops import activation, composite, losses, matrix_norms, norms

from .checks import check_gradients, derivatives, run, type_values
from .numpy_values import ArrayValue, numpy_values

RNG = np.random.default_rng(0)
X = RNG.uniform(-3, 3, (4, 6))
LABELS = np.array([1, 5, 0, 3])
WEIGHT = RNG.uniform(0.5, 2, 6)


def sigmoid(x: Any) -> Any:
    return 1 / (1 + np.exp(-x))


def softmax(x: Any, axis: int = -1) -> Any:
    e = np.exp(x)
    return e / e.sum(axis, keepdims=True)


erf = np.vectorize(math.erf)
ACTIVATIONS: list[tuple[Callable[..., Any], Callable[..., Any]]] = [
    (activation.softmax, softmax),
    (lambda x: activation.softmax(x, 0), lambda x: softmax(x, 0)),
    (activation.log_softmax, lambda x: np.log(softmax(x))),
    (activation.logsumexp, lambda x: np.log(np.exp(x).sum())),
    (lambda x: activation.logsumexp(x, 1), lambda x: np.log(np.exp(x).sum(1))),
    (lambda x: activation.logsumexp(x, [0], True), lambda x: np.log(np.exp(x).sum(0, keepdims=True))),
    (activation.gelu, lambda x: x * 0.5 * (1 + erf(x / math.sqrt(2)))),
    (lambda x: activation.gelu(x, True),
     lambda x: x * 0.5 * (1 + np.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))),
    (activation.silu, lambda x: x * sigmoid(x)),
    (activation.mish, lambda x: x * np.tanh(np.log1p(np.exp(x)))),
    (activation.log_sigmoid, lambda x: np.log(sigmoid(x))),
    (activation.hardsigmoid, lambda x: np.clip(x * 0.1666667 + 0.5, 0, 1)),
    (activation.hardswish, lambda x: x * np.clip(x + 3, 0, 6) / 6),
    (lambda x: activation.hardtanh(x, -1, 2), lambda x: np.clip(x, -1, 2)),
    (lambda x: activation.relu6(x * 4.0), lambda x: np.clip(4 * x, 0, 6)),
    (activation.softsign, lambda x: x / (1 + np.abs(x))),
    (activation.tanhshrink, lambda x: x - np.tanh(x)),
    (activation.softshrink, lambda x: np.sign(x) * np.maximum(np.abs(x) - 0.5, 0)),
    (activation.hardshrink, lambda x: x * (np.abs(x) >= 0.5)),
    (activation.thresholded_relu, lambda x: x * (x > 1)),
    (activation.selu, lambda x: 1.0507009873554805 * np.where(x > 0, x, 1.6732632423543772 * np.expm1(x))),
    (lambda x: activation.celu(x, 2.0), lambda x: np.maximum(x, 0) + np.minimum(0, 2 * np.expm1(x / 2))),
    (activation.glu, lambda x: x[:, :3] * sigmoid(x[:, 3:])),
    (lambda x: activation.maxout(x, 2, 1), lambda x: x.reshape(4, 3, 2).max(2)),
    (norms.var, lambda x: x.var(ddof=1)),
    (lambda x: norms.var(x, 0, False, True), lambda x: x.var(0, keepdims=True)),
    (lambda x: norms.std(x, [1]), lambda x: x.std(1, ddof=1)),
    (matrix_norms.norm, np.linalg.norm),
    (lambda x: matrix_norms.norm(x, 1, 0), lambda x: np.abs(x).sum(0)),
    (lambda x: matrix_norms.norm(x, 3, 1, True), lambda x: (np.abs(x) ** 3).sum(1, keepdims=True) ** (1 / 3)),
    (lambda x: matrix_norms.norm(x, math.inf), lambda x: np.abs(x).max()),
    (lambda x: matrix_norms.norm(x, -math.inf, 1), lambda x: np.abs(x).min(1)),
    (lambda x: matrix_norms.norm(x, 0), lambda x: float(x.size)),
    (norms.normalize, lambda x: x / np.linalg.norm(x, axis=1, keepdims=True)),
    (lambda x: norms.clip_by_norm(x, 1.5), lambda x: x * min(1.0, 1.5 / np.linalg.norm(x))),
]  # fmt: skip


@pytest.mark.parametrize("k", range(len(ACTIVATIONS)))
def test_functions_of_one_operand(k: int) -> None:
    fn, formula = ACTIVATIONS[k]
    np.testing.assert_allclose(run(fn, X), formula(X), rtol=1e-9, atol=1e-12)
    check_gradients(fn, X)
    single = run(fn, X.astype("float32"))
    assert single.dtype == np.float32
    np.testing.assert_allclose(single, formula(X), rtol=2e-5, atol=1e-5)


def test_large_inputs_neither_overflow_nor_vanish() -> None:
    x = np.array([[1000.0, 0.0], [-1000.0, -1001.0], [-np.inf, 0.0]])
    assert np.all(np.isfinite(run(activation.softmax, x)))
    np.testing.assert_allclose(run(activation.log_softmax, x)[:2], [[0, -1000], [-0.3132616875, -1.3132616875]])
    np.testing.assert_allclose(run(lambda v: activation.logsumexp(v, 1), x), [1000, -999.686738312518, 0])
    assert run(activation.logsumexp, np.array([-np.inf, -np.inf])) == -np.inf
    assert (
        run(lambda v: losses.binary_cross_entropy_with_logits(v, np.array([0.0, 1.0])), np.array([-800.0, 800.0])) == 0
    )
    assert run(lambda v: losses.binary_cross_entropy(v, np.array([0.0, 1.0])), np.array([1.0, 0.0])) == 100
    (at_zero,) = derivatives(matrix_norms.norm, [np.zeros(3)], np.array(1.0))
    np.testing.assert_array_equal(at_zero, np.zeros(3))


def test_prelu_has_one_slope_or_one_per_channel() -> None:
    x, slopes = X.reshape(2, 2, 3, 2), np.array([0.1, 0.5])
    expected = np.where(x > 0, x, x * slopes[:, None, None])
    np.testing.assert_allclose(run(activation.prelu, x, slopes), expected)
    np.testing.assert_allclose(
        run(lambda v, w: activation.prelu(v, w, "NHWC"), x, slopes), np.where(x > 0, x, x * slopes)
    )
    np.testing.assert_allclose(run(activation.prelu, x, slopes[:1]), np.where(x > 0, x, x * 0.1))
    check_gradients(activation.prelu, x, slopes)


# ---- norms


def standardised(x: Any, axes: Any, epsilon: float = 1e-5) -> Any:
    return (x - x.mean(axes, keepdims=True)) / np.sqrt(x.var(axes, keepdims=True) + epsilon)


IMAGES = RNG.uniform(-2, 2, (3, 4, 2, 5))
W4, B4 = RNG.uniform(0.5, 2, 4), RNG.uniform(-1, 1, 4)


def test_layer_norm() -> None:
    w, b = RNG.uniform(size=(2, 5)), RNG.uniform(size=(2, 5))
    expected = standardised(IMAGES, (2, 3)) * w + b
    np.testing.assert_allclose(run(lambda x, w, b: norms.layer_norm(x, [2, 5], w, b), IMAGES, w, b), expected)
    np.testing.assert_allclose(
        run(lambda x, w, b: norms.layer_norm(x, [2, 5], w, b), IMAGES, w.ravel(), b.ravel()), expected
    )
    np.testing.assert_allclose(run(lambda x: norms.layer_norm(x, 5), IMAGES), standardised(IMAGES, 3))
    check_gradients(lambda x, w, b: norms.layer_norm(x, [2, 5], w, b), IMAGES, w, b)
    root = np.sqrt((IMAGES**2).mean(-1, keepdims=True) + 1e-6)
    np.testing.assert_allclose(run(lambda x, w: norms.rms_norm(x, 5, w), IMAGES, w[0]), IMAGES / root * w[0])
    check_gradients(lambda x: norms.rms_norm(x), IMAGES)


def test_batch_norm() -> None:
    y, mean, variance = run(lambda x, w, b: norms.batch_norm_train(x, w, b), IMAGES, W4, B4)
    np.testing.assert_allclose(mean, IMAGES.mean((0, 2, 3)))
    np.testing.assert_allclose(variance, IMAGES.var((0, 2, 3)))
    expected = standardised(IMAGES, (0, 2, 3)) * W4[:, None, None] + B4[:, None, None]
    np.testing.assert_allclose(y, expected)
    np.testing.assert_allclose(run(norms.batch_norm_eval, IMAGES, mean, variance, W4, B4), expected)
    last = run(lambda x, w, b: norms.batch_norm_train(x, w, b, 1e-5, "NHWC")[0], IMAGES.transpose(0, 2, 3, 1), W4, B4)
    np.testing.assert_allclose(last, expected.transpose(0, 2, 3, 1))
    np.testing.assert_allclose(run(lambda x: norms.batch_norm_train(x)[0], X), standardised(X, 0))
    check_gradients(lambda x, w, b: norms.batch_norm_train(x, w, b)[0], IMAGES, W4, B4)
    check_gradients(norms.batch_norm_eval, IMAGES, mean, variance, W4, B4)


def test_group_and_instance_norm() -> None:
    groups = standardised(IMAGES.reshape(3, 2, 2, 2, 5), (2, 3, 4)).reshape(IMAGES.shape)
    scale, shift = W4[:, None, None], B4[:, None, None]
    np.testing.assert_allclose(
        run(lambda x, w, b: norms.group_norm(x, 2, 1e-5, w, b), IMAGES, W4, B4), groups * scale + shift
    )
    last = run(lambda x: norms.group_norm(x, 2, data_format="NHWC"), IMAGES.transpose(0, 2, 3, 1))
    np.testing.assert_allclose(last, groups.transpose(0, 2, 3, 1))
    instances = standardised(IMAGES, (2, 3)) * scale + shift
    np.testing.assert_allclose(run(lambda x, w, b: norms.instance_norm(x, weight=w, bias=b), IMAGES, W4, B4), instances)
    check_gradients(lambda x, w, b: norms.group_norm(x, 2, 1e-5, w, b), IMAGES, W4, B4)


def test_similarity() -> None:
    a, b = X[:2], X[2:]
    expected = (a * b).sum(1) / np.linalg.norm(a, axis=1) / np.linalg.norm(b, axis=1)
    np.testing.assert_allclose(run(norms.cosine_similarity, a, b), expected)
    np.testing.assert_allclose(run(matrix_norms.dist, a, b), np.linalg.norm(a - b))
    check_gradients(norms.cosine_similarity, a, b)


# ---- losses


def test_cross_entropy_of_class_numbers() -> None:
    logp = np.log(softmax(X))
    each = -logp[np.arange(4), LABELS]
    for reduction, expected in (("none", each), ("sum", each.sum()), ("mean", each.mean())):
        np.testing.assert_allclose(
            run(lambda x, i, r=reduction: losses.cross_entropy(x, i, reduction=r), X, LABELS), expected
        )
    column = run(lambda x, i: losses.cross_entropy(x, i, reduction="none"), X, LABELS[:, None])
    np.testing.assert_allclose(column, each[:, None])
    np.testing.assert_allclose(run(losses.softmax_with_cross_entropy, X, LABELS[:, None]), each[:, None])
    np.testing.assert_allclose(run(losses.nll_loss, logp, LABELS), each.mean())
    probabilities = run(lambda x, i: losses.cross_entropy(x, i, use_softmax=False), softmax(X), LABELS)
    np.testing.assert_allclose(probabilities, each.mean())
    check_gradients(losses.cross_entropy, X, LABELS)


def test_cross_entropy_weighs_and_ignores() -> None:
    labels = np.array([1, -100, 0, 3])
    kept = labels >= 0
    each, w = -np.log(softmax(X))[np.arange(4), labels * kept], WEIGHT[labels * kept] * kept
    np.testing.assert_allclose(run(losses.cross_entropy, X, labels), each[kept].mean())
    np.testing.assert_allclose(run(losses.cross_entropy, X, labels, WEIGHT), (each * w).sum() / w.sum())
    none = run(lambda x, i, v: losses.cross_entropy(x, i, v, reduction="none"), X, labels, WEIGHT)
    np.testing.assert_allclose(none, each * w)
    assert run(lambda x, i: losses.cross_entropy(x, i, ignore_index=2), X, np.full(4, 2)) == 0
    check_gradients(losses.cross_entropy, X, labels, WEIGHT)


def test_cross_entropy_over_another_axis() -> None:
    images, labels = RNG.uniform(-1, 1, (2, 3, 4)), RNG.integers(0, 3, (2, 4))
    each = -np.take_along_axis(np.log(softmax(images, 1)), labels[:, None], 1)[:, 0]
    np.testing.assert_allclose(run(lambda x, i: losses.cross_entropy(x, i, axis=1), images, labels), each.mean())
    logp = np.log(softmax(images, 1))
    np.testing.assert_allclose(run(lambda x, i: losses.nll_loss(x, i, reduction="none"), logp, labels), each)


def test_cross_entropy_of_soft_labels() -> None:
    target = softmax(RNG.uniform(-1, 1, X.shape))
    each = -(target * np.log(softmax(X))).sum(1, keepdims=True)
    soft = run(lambda x, t: losses.cross_entropy(x, t, soft_label=True, reduction="none"), X, target)
    np.testing.assert_allclose(soft, each)
    np.testing.assert_allclose(run(lambda x, t: losses.cross_entropy(x, t, soft_label=True), X, target), each.mean())
    loss, p = run(lambda x, t: losses.softmax_with_cross_entropy(x, t, True, return_softmax=True), X, target)
    np.testing.assert_allclose(loss, each)
    np.testing.assert_allclose(p, softmax(X))
    smooth = np.eye(6)[LABELS] * 0.9 + 0.1 / 6
    expected = -(smooth * np.log(softmax(X))).sum(1)
    got = run(lambda x, i: losses.cross_entropy(x, i, label_smoothing=0.1, reduction="none"), X, LABELS)
    np.testing.assert_allclose(got, expected[:, None])  # as of soft labels
    np.testing.assert_allclose(run(lambda v: losses.label_smooth(v), np.eye(6)[LABELS]), smooth)
    w = smooth @ WEIGHT
    weighted = run(lambda x, i, v: losses.cross_entropy(x, i, v, label_smoothing=0.1), X, LABELS, WEIGHT)
    np.testing.assert_allclose(weighted, (expected * w).sum() / w.sum())
    check_gradients(lambda x, i: losses.cross_entropy(x, i, label_smoothing=0.1), X, LABELS)


P, T = RNG.uniform(0.05, 0.95, (4, 6)), RNG.uniform(0.05, 0.95, (4, 6))
D = np.abs(X - T)
SIGNS = np.where(T > 0.5, 1.0, -1.0)
BCE = -(T * np.log(P) + (1 - T) * np.log(1 - P))
LOSSES: list[tuple[Callable[..., Any], tuple[Any, ...], Any]] = [
    (losses.mse_loss, (X, T), (D**2).mean()),
    (losses.square_error_cost, (X, T), D**2),
    (lambda x, t: losses.l1_loss(x, t, "sum"), (X, T), D.sum()),
    (lambda x, t: losses.smooth_l1_loss(x, t, "none", 0.7), (X, T), np.where(D < 0.7, D * D / 2, 0.7 * D - 0.245)),
    (losses.binary_cross_entropy, (P, T), BCE.mean()),
    (lambda p, t, w: losses.binary_cross_entropy(p, t, w, "none"), (P, T, WEIGHT), BCE * WEIGHT),
    (lambda p, t: losses.binary_cross_entropy_with_logits(p, t, reduction="none"), (np.log(P / (1 - P)), T), BCE),
    (lambda p, t, w: losses.binary_cross_entropy_with_logits(p, t, pos_weight=w), (np.log(P / (1 - P)), T, WEIGHT),
     -(WEIGHT * T * np.log(P) + (1 - T) * np.log(1 - P)).mean()),
    (losses.log_loss, (P, T), -T * np.log(P + 1e-4) - (1 - T) * np.log(1 - P + 1e-4)),
    (losses.kl_div, (np.log(P), T), (T * (np.log(T) - np.log(P))).mean()),
    (lambda p, t: losses.kl_div(p, t, "batchmean", True), (np.log(P), np.log(T)), (T * np.log(T / P)).sum() / 4),
    (lambda a, b, s: losses.margin_ranking_loss(a, b, s, 0.1), (X, T, SIGNS),
     np.maximum(0, -SIGNS * (X - T) + 0.1).mean()),
    (losses.hinge_embedding_loss, (X, SIGNS), np.where(SIGNS > 0, X, np.maximum(0, 1 - X)).mean()),
    (losses.sigmoid_focal_loss, (np.log(P / (1 - P)), np.round(T)), (np.where(T > 0.5, 0.25 * (1 - P) ** 2 * -np.log(P),
     0.75 * P**2 * -np.log(1 - P))).sum()),
    (losses.triplet_margin_loss, (X, P, T), np.maximum(np.linalg.norm(X - P + 1e-6, axis=1)
     - np.linalg.norm(X - T + 1e-6, axis=1) + 1, 0).mean()),
]  # fmt: skip


@pytest.mark.parametrize("k", range(len(LOSSES)))
def test_losses(k: int) -> None:
    fn, arrays, expected = LOSSES[k]
    np.testing.assert_allclose(run(fn, *arrays), expected, rtol=1e-9)
    check_gradients(fn, *arrays)


def test_accuracy() -> None:
    labels = np.argsort(-X, 1)[np.arange(4), [0, 1, 2, 0]]
    assert [float(run(lambda x, i, k=k: losses.accuracy(x, i, k), X, labels)) for k in (1, 2, 3)] == [0.5, 0.75, 1.0]


# ---- attention and dropout


def attention(q: Any, k: Any, v: Any, mask: Any) -> Any:
    q, k, v = (t.transpose(0, 2, 1, 3) for t in (q, k, v))
    return (softmax(q @ k.swapaxes(-1, -2) / math.sqrt(q.shape[-1]) + mask) @ v).transpose(0, 2, 1, 3)


Q, K, U = (RNG.uniform(-1, 1, (2, n, 4, 3)) for n in (5, 5, 5))


def test_attention() -> None:
    attend = composite.scaled_dot_product_attention
    np.testing.assert_allclose(run(attend, Q, K, U), attention(Q, K, U, 0.0))
    causal = np.where(np.tril(np.ones((5, 5), bool)), 0.0, -np.inf)
    np.testing.assert_allclose(
        run(lambda q, k, v: attend(q, k, v, is_causal=True), Q, K, U), attention(Q, K, U, causal)
    )
    bias = RNG.uniform(-1, 1, (2, 1, 5, 5))
    np.testing.assert_allclose(run(attend, Q, K, U, bias), attention(Q, K, U, bias))
    masked = run(attend, Q, K, U, causal == 0)
    np.testing.assert_allclose(masked, attention(Q, K, U, causal))
    few = run(attend, Q, K[:, :, :2], U[:, :, :2])
    np.testing.assert_allclose(few, attention(Q, K[:, :, :2].repeat(2, 2), U[:, :, :2].repeat(2, 2), 0.0))
    check_gradients(lambda q, k, v: attend(q, k, v, is_causal=True), Q, K[:, :, :2], U[:, :, :2])


def test_dropout() -> None:
    numbers = RNG.uniform(size=(4, 6))

    def draw(shape: Any, dtype: Any) -> Any:
        return ArrayValue(numbers[tuple(slice(d) for d in shape)])

    drop = composite.dropout
    keep = numbers >= 0.25
    np.testing.assert_allclose(run(lambda x: drop(x, 0.25, draw=draw), X), X * keep / 0.75)
    np.testing.assert_allclose(run(lambda x: drop(x, 0.25, 0, draw=draw), X), X * keep[:, :1] / 0.75)
    np.testing.assert_allclose(run(lambda x: drop(x, 0.25, mode="downscale_in_infer", draw=draw), X), X * keep)
    np.testing.assert_allclose(run(lambda x: drop(x, 0.25, training=False, mode="downscale_in_infer"), X), X * 0.75)
    np.testing.assert_array_equal(run(lambda x: drop(x, 0.25, training=False), X), X)
    np.testing.assert_array_equal(run(lambda x: drop(x, 1.0), X), X * 0)
    check_gradients(lambda x: drop(x * x, 0.25, draw=draw), X)


# ---- symbols and mistakes


def test_symbolic_sizes() -> None:
    with type_values() as value:
        x, labels = value("f32", "N", 10), value("i64", "N")
        for fn in (activation.softmax, activation.log_softmax, activation.gelu, lambda v: norms.layer_norm(v, 10)):
            assert fn(x).type == x.type
        assert str(losses.cross_entropy(x, labels).type) == "f32[]"
        assert str(losses.cross_entropy(x, labels, reduction="none", label_smoothing=0.1).type) == "f32[N, 1]"
        assert str(norms.var(x, 0).type) == "f32[10]"
        assert str(composite.embedding(labels, value("f32", 100, 8), 0).type) == "f32[N, 8]"
        images = value("f32", "N", 4, "H", "W")
        assert norms.batch_norm_train(images)[0].type == images.type
        assert norms.group_norm(images, 2).type == images.type
        q = value("f32", "N", "L", 4, 8)
        assert composite.scaled_dot_product_attention(q, q, q, is_causal=True).type == q.type
        assert str(composite.topk(x, 3)[0].type) == "f32[N, 3]"


@pytest.mark.parametrize(
    ("wrong", "error", "text"),
    [
        (lambda x: losses.cross_entropy(x, np.array([0, 1, 2, 6])), AxisError, "index 6 is outside an axis of 6"),
        (lambda x: losses.cross_entropy(x, np.array([0.5] * 4)), DTypeError, "soft_label=True"),
        (lambda x: losses.cross_entropy(x, np.array([0, 1])), ShapeError, r"labels \[2\] don't fit input \[4, 6\]"),
        (lambda x: losses.cross_entropy(x, LABELS, soft_label=True), ShapeError, "soft labels"),
        (lambda x: losses.cross_entropy(x, LABELS, label_smoothing=2.0), ArgumentError, "from 0 to 1"),
        (lambda x: losses.cross_entropy(x, LABELS, ArrayValue(WEIGHT[:2])), ShapeError, "one number per class"),
        (lambda x: losses.mse_loss(x, x, "avg"), ArgumentError, "reduction"),
        (lambda x: losses.mse_loss(x, X[:, :4]), ShapeError, "mse_loss: input"),
        (lambda x: norms.layer_norm(x, 5), ShapeError, "doesn't end in"),
        (lambda x: norms.group_norm(x, 4), ShapeError, "4 groups"),
        (lambda x: norms.batch_norm_train(x, ArrayValue(W4)), ShapeError, "weight"),
        (lambda x: norms.batch_norm_train(x, data_format="CN"), ArgumentError, "data_format"),
        (lambda x: matrix_norms.norm(x, "max"), ArgumentError, "two axes"),
        (lambda x: activation.glu(ArrayValue(X[:, :5])), ShapeError, "even size"),
        (lambda x: composite.dropout(x, 1.5), ArgumentError, "from 0 to 1"),
        (lambda x: composite.dropout(x), ArgumentError, "source of random numbers"),
        (lambda x: composite.scaled_dot_product_attention(x, x, x), ShapeError, "attention needs"),
    ],
)
def test_mistakes_are_named(wrong: Any, error: type[Exception], text: str) -> None:
    with numpy_values(), pytest.raises(error, match=text):
        wrong(ArrayValue(X))
