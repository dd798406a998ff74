"""fluid.layers under their old names and signatures, run by an Executor, against NumPy."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify import fluid

L = fluid.layers
A = np.random.default_rng(0).standard_normal((3, 4)).astype("float32")
B = np.random.default_rng(1).standard_normal((2, 3, 4)).astype("float32")
IMAGES = np.random.default_rng(2).standard_normal((2, 3, 6, 6)).astype("float32")
LABELS = np.array([[1], [0], [3]], "int64")


def run(outputs: Any, **feed: Any) -> list[Any]:
    exe = fluid.Executor(fluid.CPUPlace())
    exe.run(fluid.default_startup_program())
    return exe.run(feed=feed, fetch_list=list(outputs) if isinstance(outputs, (list, tuple)) else [outputs])


def probabilities(x: np.ndarray) -> np.ndarray:
    e = np.exp(x - x.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


P = probabilities(A)
Case = tuple[Callable[[Any], Any], np.ndarray, Any]
CASES: dict[str, Case] = {
    "reduce_sum": (L.reduce_sum, A, A.sum().reshape(1)),
    "reduce_sum dim": (lambda x: L.reduce_sum(x, dim=1), A, A.sum(1)),
    "reduce_mean keep_dim": (lambda x: L.reduce_mean(x, dim=[0], keep_dim=True), A, A.mean(0, keepdims=True)),
    "reduce_max": (lambda x: L.reduce_max(x, 0), A, A.max(0)),
    "reduce_min": (L.reduce_min, A, A.min().reshape(1)),
    "reduce_prod": (lambda x: L.reduce_prod(x, dim=-1), A, A.prod(-1)),
    "reduce_all": (lambda x: L.reduce_all(L.greater_than(x, x * 2.0)), A, (A > 2 * A).all().reshape(1)),
    "reduce_any": (lambda x: L.reduce_any(L.greater_than(x, x * 2.0), dim=0), A, (A > 2 * A).any(0)),
    "mean": (L.mean, A, A.mean().reshape(1)),
    "elementwise_add axis": (lambda x: L.elementwise_add(x, L.ones([3], "float32"), axis=1), B, B + 1),
    "elementwise_mul axis": (
        lambda x: L.elementwise_mul(x, L.assign(np.array([1, 2], "float32")), axis=0), B,
        B * np.array([1, 2], "float32")[:, None, None],
    ),
    "elementwise_sub act": (lambda x: L.elementwise_sub(x, x * 2.0, act="relu"), A, np.maximum(-A, 0)),
    "elementwise_div": (lambda x: L.elementwise_div(x, x * x + 1.0), A, A / (A * A + 1)),
    "elementwise_max": (lambda x: L.elementwise_max(x, -x), A, np.abs(A)),
    "elementwise_min": (lambda x: L.elementwise_min(x, -x), A, -np.abs(A)),
    "elementwise_pow": (lambda x: L.elementwise_pow(L.abs(x), L.ones([4], "float32") * 2.0), A, A * A),
    "elementwise_mod": (lambda x: L.elementwise_mod(L.cast(x * 10.0, "int64"), L.fill_constant([1], "int64", 3)), A,
                        np.trunc(A * np.float32(10)).astype("int64") % 3),
    "elementwise_floordiv": (
        lambda x: L.elementwise_floordiv(L.cast(L.abs(x) * 10.0, "int64"), L.fill_constant([1], "int64", 3)), A,
        np.trunc(np.abs(A) * np.float32(10)).astype("int64") // 3),
    "sums": (lambda x: L.sums([x, x, x]), A, 3 * A),
    "sum": (lambda x: L.sum([x, x]), A, 2 * A),
    "scale": (lambda x: L.scale(x, 2.0, 1.0, bias_after_scale=False, act="relu"), A, np.maximum((A + 1) * 2, 0)),
    "pow": (lambda x: L.pow(x, 2.0), A, A * A),
    "matmul": (lambda x: L.matmul(x, x, transpose_y=True, alpha=0.5), A, 0.5 * A @ A.T),
    "mul": (lambda x: L.mul(x, L.ones([12, 5], "float32")), B, B.reshape(2, 12).sum(1, keepdims=True) * np.ones((1, 5))),
    "mul two rows": (
        lambda x: L.mul(x, L.ones([4, 5], "float32"), x_num_col_dims=2), B, B.sum(2, keepdims=True) * np.ones((1, 1, 5))
    ),
    "softmax": (L.softmax, A, P),
    "cross_entropy": (
        lambda x: L.cross_entropy(x, L.assign(LABELS)), P, -np.log(np.take_along_axis(P, LABELS, 1))
    ),
    "cross_entropy soft": (
        lambda x: L.cross_entropy(x, x, soft_label=True), P, -(P * np.log(P)).sum(1, keepdims=True)
    ),
    "softmax_with_cross_entropy": (
        lambda x: L.softmax_with_cross_entropy(x, L.assign(LABELS)), A, -np.log(np.take_along_axis(P, LABELS, 1))
    ),
    "sigmoid_cross_entropy": (
        lambda x: L.sigmoid_cross_entropy_with_logits(x, L.assign(np.float32([1, 0, -1, 1])), -1, normalize=True), A,
        (np.log1p(np.exp(A)) - A * np.float32([1, 0, 0, 1])) * np.float32([1, 1, 0, 1]) / 3,
    ),
    "mse_loss": (lambda x: L.mse_loss(x, x * 2.0), A, (A * A).mean().reshape(1)),
    "square_error_cost": (lambda x: L.square_error_cost(x, x * 2.0), A, A * A),
    "huber_loss": (lambda x: L.huber_loss(x, x * 0.0, 1.0), A, np.where(np.abs(A) < 1, A * A / 2, np.abs(A) - 0.5)),
    "accuracy": (lambda x: L.accuracy(x, L.assign(LABELS)), A, (A.argmax(1) == LABELS[:, 0]).mean().reshape(1)),
    "accuracy k": (lambda x: L.accuracy(x, L.assign(LABELS), k=4), A, np.ones(1)),
    "l2_normalize": (lambda x: L.l2_normalize(x, 1), A, A / np.sqrt((A * A).sum(1, keepdims=True) + 1e-12)),
    "pool2d max": (lambda x: L.pool2d(x, 2, pool_stride=2), IMAGES, IMAGES.reshape(2, 3, 3, 2, 3, 2).max((3, 5))),
    "pool2d avg": (
        lambda x: L.pool2d(x, 2, "avg", pool_stride=2), IMAGES, IMAGES.reshape(2, 3, 3, 2, 3, 2).mean((3, 5))
    ),
    "pool2d global": (
        lambda x: L.pool2d(x, pool_type="avg", global_pooling=True), IMAGES, IMAGES.mean((2, 3), keepdims=True)
    ),
    "pool2d global max": (lambda x: L.pool2d(x, global_pooling=True), IMAGES, IMAGES.max((2, 3), keepdims=True)),
    "dropout test": (lambda x: L.dropout(x, 0.25, is_test=True), A, A * 0.75),
    "dropout test upscale": (
        lambda x: L.dropout(x, 0.25, is_test=True, dropout_implementation="upscale_in_train"), A, A
    ),
    "reshape": (lambda x: L.reshape(x, [0, 2, 2], act="relu"), A, np.maximum(A.reshape(3, 2, 2), 0)),
    "transpose": (lambda x: L.transpose(x, [1, 0]), A, A.T),
    "concat": (lambda x: L.concat([x, x], axis=1), A, np.concatenate([A, A], 1)),
    "split": (lambda x: L.split(x, 2)[1], A, A[:, 2:]),
    "split dim": (lambda x: L.split(x, [1, 2], dim=0)[1], A, A[1:]),
    "expand": (lambda x: L.expand(x, [1, 2]), A, np.tile(A, (1, 2))),
    "flatten": (lambda x: L.flatten(x, axis=2), B, B.reshape(6, 4)),
    "flatten 0": (lambda x: L.flatten(x, axis=0), B, B.reshape(1, -1)),
    "cast": (lambda x: L.cast(x, "int32"), A, A.astype("int32")),
    "gather": (lambda x: L.gather(x, L.assign(np.array([[2], [0]]))), A, A[[2, 0]]),
    "argmax": (L.argmax, A, A.argmax(0)),
    "argmin": (lambda x: L.argmin(x, axis=1), A, A.argmin(1)),
    "argsort": (lambda x: L.argsort(x, descending=True)[1], A, np.argsort(-A, axis=-1, kind="stable")),
    "argsort values": (lambda x: L.argsort(x, axis=0)[0], A, np.sort(A, axis=0)),
    "topk": (lambda x: L.topk(x, 2)[0], A, -np.sort(-A, axis=1)[:, :2]),
    "one_hot": (lambda x: L.one_hot(L.cast(x, "int64"), 4), LABELS.astype("float32"), np.eye(4)[LABELS[:, 0]]),
    "zeros": (lambda x: x + L.zeros([4], "float32"), A, A),
    "linspace": (lambda x: x + L.linspace(0.0, 3.0, 4, "float32"), A, A + np.arange(4)),
    "range": (lambda x: x + L.range(0, 4, 1, "float32"), A, A + np.arange(4)),
    "while_loop": (
        lambda x: L.while_loop(lambda i, y: i < 3, lambda i, y: [i + 1, y * 2.0], [L.fill_constant([1], "int64", 0), x])[1],
        A, 8 * A,
    ),
    "cond": (lambda x: L.cond(L.mean(x) > 100.0, lambda: x, lambda: -x), A, -A),
}  # fmt: skip


@pytest.mark.parametrize("name", CASES)
def test_against_numpy(name: str) -> None:
    build, array, expected = CASES[name]
    x = fluid.data("x", [None, *array.shape[1:]], str(array.dtype))
    (found,) = run(build(x), x=array)
    assert found.shape == np.shape(expected)
    np.testing.assert_allclose(found, expected, rtol=2e-5, atol=1e-6)


@pytest.mark.parametrize("name", ["reduce_sum dim", "elementwise_add axis", "cross_entropy", "topk", "reshape", "mul"])
def test_the_same_in_eager_mode(name: str) -> None:
    build, array, expected = CASES[name]
    with fluid.dygraph.guard():
        np.testing.assert_allclose(build(vt.to_tensor(array)).numpy(), expected, rtol=2e-5, atol=1e-6)


def test_layers_with_parameters_have_the_old_arguments() -> None:
    image = L.data("image", [3, 6, 6])
    ids = L.data("ids", [1], dtype="int64")
    attr = fluid.ParamAttr(name="w", initializer=fluid.initializer.Constant(0.5))
    hidden = L.fc(input=image, size=4, param_attr=attr, bias_attr=False, act="relu")
    maps = L.batch_norm(L.conv2d(image, num_filters=2, filter_size=3, param_attr=fluid.initializer.MSRA()), act="relu")
    words = L.embedding(ids, size=[5, 7], param_attr=fluid.initializer.NumpyArrayInitializer(np.eye(5, 7)))
    assert (hidden.shape, maps.shape, words.shape) == ([-1, 4], [-1, 2, 4, 4], [-1, 7])
    found = run([hidden, maps, words], image=IMAGES, ids=np.array([[3], [1]]))
    np.testing.assert_allclose(found[0], np.maximum(IMAGES.sum((1, 2, 3)) / 2, 0)[:, None] * np.ones(4), rtol=1e-4)
    assert found[1].min() == 0
    np.testing.assert_array_equal(found[2], np.eye(5, 7, dtype="float32")[[3, 1]])


def test_embedding_keeps_the_last_axis_but_that_of_layers_does_not() -> None:
    ids = fluid.data("ids", [None, 1], "int64")
    assert L.embedding(ids, [5, 7]).shape == [-1, 7]
    assert fluid.embedding(ids, [5, 7]).shape == [-1, 1, 7]
    assert L.one_hot(ids, 4).shape == [-1, 4]
    assert fluid.one_hot(ids, 4).shape == [-1, 1, 4]


@pytest.mark.parametrize(
    ("shape", "appended", "expected"),
    [([784], True, [-1, 784]), ([784], False, [784]), ([-1, 28, 28], True, [-1, 28, 28]), ([None, 2], True, [-1, 2])],
)
def test_layers_data_puts_a_batch_axis_in_front(shape: list[Any], appended: bool, expected: list[int]) -> None:
    assert L.data("x", shape, append_batch_size=appended).shape == expected


def test_random_numbers_are_drawn_at_each_run() -> None:
    both = [L.uniform_random([1000], min=2.0, max=3.0), L.gaussian_random([1000], mean=5.0, std=0.1)]
    first, second = run(both), run(both)
    assert first[0].min() >= 2
    assert first[0].max() < 3
    assert abs(first[1].mean() - 5) < 0.02
    assert (first[0] != second[0]).any()


def test_dropout_follows_the_clone_for_testing() -> None:
    x = L.data("x", [100])
    y = L.dropout(x, 0.5)
    test = fluid.default_main_program().clone(for_test=True)
    exe, ones = fluid.Executor(fluid.CPUPlace()), np.ones((4, 100), "float32")
    (trained,) = exe.run(feed={"x": ones}, fetch_list=[y])
    assert set(np.unique(trained)) == {0.0, 1.0}
    np.testing.assert_array_equal(exe.run(test, feed={"x": ones}, fetch_list=[y])[0], ones / 2)


@pytest.mark.parametrize(
    ("call", "error", "text"),
    [
        (lambda x: L.pool2d(x, 2, "median"), ValueError, "pool_type"),
        (lambda x: L.pool2d(x), ValueError, "pool_size"),
        (lambda x: L.dropout(x, 0.5, dropout_implementation="other"), ValueError, "dropout_implementation"),
        (lambda x: L.scale(x, 2.0, act="no_such_thing"), ValueError, "no activation 'no_such_thing'"),
        (lambda x: L.elementwise_ad(x, x), AttributeError, "did you mean 'elementwise_add'"),
        (lambda x: L.fill_constant([1], "float64", 5, out=x), TypeError, "makes float64, out is vitrify.float32"),
        (lambda x: vt.tensor.fill_constant([1], "int32", 5, out=x), TypeError, "makes int32, out is vitrify.float32"),
        (lambda x: L.completely_unknown(x), AttributeError, "no attribute 'completely_unknown'"),
    ],
)
def test_errors(call: Callable[[Any], Any], error: type[Exception], text: str) -> None:
    x = fluid.data("x", [None, 3, 6, 6])
    with pytest.raises(error, match=text):
        call(x)


def test_modules_below_layers_and_dygraph():
    from vitrify.fluid.dygraph.base import to_variable
    from vitrify.fluid.dygraph.layers import HookRemoveHelper, Layer
    from vitrify.fluid.layers.nn import size
    from vitrify.fluid.layers.tensor import fill_constant_batch_size_like
    from vitrify.fluid.layers.utils import map_structure

    vt.disable_static()
    x = to_variable(np.ones((4, 2), "float32"))
    assert size(x).item() == 8
    assert fill_constant_batch_size_like(x, [-1, 3], "int64", 7).tolist() == [[7] * 3] * 4
    assert fill_constant_batch_size_like(x, [3, -1], "float32", 1.5, 1, 1).shape == [3, 2]
    assert map_structure(lambda n: n + 1, [1, {"a": 2}]) == [2, {"a": 3}]
    assert isinstance(vt.nn.Linear(1, 1).register_forward_post_hook(lambda *_: None), HookRemoveHelper)
    assert issubclass(vt.nn.Linear, Layer)
