"""Averages of parameters, further blocks of networks, sizes from tensors, loaded models as programs, late names."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify import nn, static
from vitrify.errors import StateError
from vitrify.nn import functional as F

A = np.random.default_rng(0).standard_normal((4, 3)).astype("float32")


def started() -> static.Executor:
    exe = static.Executor(vt.CPUPlace())
    exe.run(static.default_startup_program())
    return exe


def value(name: str) -> Any:
    return np.array(static.global_scope().find_var(name).get_tensor()).copy()


@pytest.mark.parametrize("steps", [None, 0.0])
def test_averages_of_parameters(steps: float | None) -> None:
    x = static.data("x", [None, 3])
    loss = vt.mean(static.nn.fc(x, 1, weight_attr="w", bias_attr=False))
    vt.optimizer.SGD(0.5).minimize(loss)
    threshold = None if steps is None else vt.full([1], steps)
    average = static.ExponentialMovingAverage(0.9, thres_steps=threshold)
    average.update()
    exe = started()
    decay, total, product = (0.9 if steps is None else 0.1), np.zeros((3, 1)), 1.0
    for _ in range(4):
        exe.run(feed={"x": A}, fetch_list=[loss])
        total, product = total * decay + value("w") * (1 - decay), product * decay
    last = value("w")
    with average.apply(exe):
        np.testing.assert_allclose(value("w"), total / (1 - product), rtol=1e-5)
    np.testing.assert_array_equal(value("w"), last)
    with average.apply(exe, need_restore=False):
        pass
    np.testing.assert_allclose(value("w"), total / (1 - product), rtol=1e-5)
    average.restore(exe)
    np.testing.assert_array_equal(value("w"), last)
    with pytest.raises(ValueError, match="decay must be"):
        static.ExponentialMovingAverage(1.5)


def test_model_average() -> None:
    """The figures are PaddlePaddle's."""
    x = static.data("x", [None, 1])
    loss = vt.mean(nn.Linear(1, 3, weight_attr=vt.ParamAttr(name="w"), bias_attr=vt.ParamAttr(name="b"))(x))
    vt.optimizer.Momentum(0.2, 0.1).minimize(loss)
    average = vt.incubate.ModelAverage(0.15, min_average_window=2, max_average_window=10)
    exe = started()
    with pytest.raises(StateError, match="no average yet"), average.apply(exe):
        pass
    for _ in range(5):
        exe.run(feed={"x": A[:, :1]}, fetch_list=[loss])
    np.testing.assert_array_equal(value("b_num_updates_0"), [5])
    last = value("b")
    np.testing.assert_allclose(last, -0.36214003, rtol=1e-6)
    with average.apply(exe):
        np.testing.assert_allclose(value("b"), -0.28806892, rtol=1e-6)
    np.testing.assert_array_equal(value("b"), last)
    with average.apply(exe, need_restore=False):
        pass
    np.testing.assert_allclose(value("b"), -0.28806892, rtol=1e-6)
    average.restore(exe)
    np.testing.assert_array_equal(value("b"), last)


def test_row_conv() -> None:
    x = static.data("x", [None, 5, 3])
    y = static.nn.row_conv(x, 2, param_attr=vt.ParamAttr(name="w"), act="tanh")
    a = np.random.default_rng(1).standard_normal((2, 5, 3)).astype("float32")
    (found,) = started().run(feed={"x": a}, fetch_list=[y])
    padded = np.concatenate([a, np.zeros((2, 2, 3))], 1)
    expected = np.tanh(sum(padded[:, k : k + 5] * value("w")[k] for k in range(3)))
    np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize(("dim", "shape"), [(0, (4, 3)), (1, (4, 3)), (1, (2, 3, 2, 2))])
def test_spectral_norm(dim: int, shape: tuple[int, ...]) -> None:
    a = np.random.default_rng(2).standard_normal(shape).astype("float32")
    y = static.nn.spectral_norm(static.data("x", list(shape)), dim=dim, power_iters=50)
    (found,) = started().run(feed={"x": a}, fetch_list=[y])
    largest = np.linalg.svd(np.moveaxis(a, dim, 0).reshape(shape[dim], -1), compute_uv=False)[0]
    np.testing.assert_allclose(found, a / largest, rtol=1e-4)
    with pytest.raises(ValueError, match="dim must be 0 or 1"):
        static.nn.spectral_norm(static.data("x", list(shape)), dim=2)


def test_conv3d_transpose_has_the_shape_of_its_function() -> None:
    x = static.data("x", [1, 2, 3, 3, 3])
    y = static.nn.conv3d_transpose(x, 4, filter_size=3, stride=2, act="relu")
    (found,) = started().run(feed={"x": np.ones((1, 2, 3, 3, 3), "float32")}, fetch_list=[y])
    assert found.shape == (1, 4, 7, 7, 7) == tuple(y.shape)
    assert found.min() >= 0


def test_sizes_may_be_tensors() -> None:
    x = static.data("x", [None, 6])
    sizes = vt.shape(x)
    three = vt.full([1], 3, "int32")
    made = [
        vt.reshape(x, [sizes[0], 2, 3]),
        vt.zeros([sizes[0], 3]),
        vt.full(sizes, 1.0),
        x[: sizes[0] - 1],
        vt.reshape(x, [-1, three]),
        vt.ones(vt.to_tensor([2, 2])),
        vt.ones([vt.cast(sizes[0], "int64") * 2]),
    ]
    found = static.Executor().run(feed={"x": np.ones((4, 6), "float32")}, fetch_list=made)
    assert [f.shape for f in found] == [(4, 2, 3), (4, 3), (4, 6), (3, 6), (8, 3), (2, 2), (8,)]
    for refused in (lambda: x.numpy(), lambda: float(x.sum()), lambda: (x * 1.0).tolist(), lambda: x.item()):
        with pytest.raises(RuntimeError, match="only while a program runs"):
            refused()


def test_a_loaded_model_is_a_program(tmp_path: Path) -> None:
    x = static.data("x", [None, 3])
    y = static.nn.fc(x, 2, weight_attr="w", activation="tanh")
    vt.optimizer.Adam(0.1).minimize(y.mean())
    exe = started()
    (expected,) = exe.run(static.default_main_program().clone(for_test=True), feed={"x": A}, fetch_list=[y])
    static.save_inference_model(str(tmp_path / "m"), [x], [y], exe)
    with static.scope_guard(static.Scope()):
        program, feeds, fetches = static.load_inference_model(str(tmp_path / "m"), exe)
        assert isinstance(program, static.Program)
        assert {op.type for op in program.global_block().ops} >= {"matmul_v2", "tanh"}
        assert program.global_block().var("x").shape == [-1, 3]
        assert isinstance(fetches[0], static.Variable)
        assert {v.name for v in program.list_vars() if v.persistable} == {"w", "fc_0.b_0"}
        for copy in (program, program.clone(), program.clone(for_test=True)):
            np.testing.assert_allclose(exe.run(copy, feed={feeds[0]: A}, fetch_list=fetches)[0], expected, rtol=1e-6)
        with static.program_guard(program):
            twice = fetches[0] * 2.0
        found = exe.run(program, feed={"x": A}, fetch_list=[twice], return_numpy=False)
        np.testing.assert_allclose(np.array(found[0]), expected * 2, rtol=1e-6)
        static.global_scope().find_var("w").get_tensor().set(np.zeros((3, 2), "float32"))
        assert exe.run(program, feed={"x": A})[0].any() == value("fc_0.b_0").any()


def test_names_may_come_after_the_copy() -> None:
    x = static.data("x", [2])
    y = vt.nn.functional.dropout(x, 0.5) + 1.0
    test = static.default_main_program().clone(for_test=True)
    (found,) = static.Executor().run(test, feed={"x": np.ones(2, "float32")}, fetch_list=[y.name])
    assert found.tolist() == [2.0, 2.0]


def test_append_op_knows_old_names() -> None:
    block, x = static.default_main_program().global_block(), static.data("x", [2, 3])
    cases: list[tuple[str, Any, dict[str, Any]]] = [
        ("reduce_sum", x, {"dim": [1], "keep_dim": True, "reduce_all": False}),
        ("scale", x, {"scale": 2.0}),
        ("sum", [x, x], {}),
        ("cast", x, {"in_dtype": "float32", "out_dtype": "int64"}),
        ("unsqueeze2", x, {"axes": [0]}),
        ("fill_any_like", x, {"value": 3.0}),
    ]
    made = []
    for kind, inputs, attrs in cases:
        made.append(block.create_var(dtype="int64" if kind == "cast" else "float32"))
        block.append_op(type=kind, inputs={"X": inputs}, outputs={"Out": made[-1]}, attrs=attrs)
    ones = np.ones((2, 3), "float32")
    found = static.Executor().run(feed={"x": ones}, fetch_list=made)
    expected = [np.full((2, 1), 3), ones * 2, ones * 2, ones.astype("int64"), ones[None], ones * 3]
    for a, b in zip(found, expected, strict=True):
        np.testing.assert_array_equal(a, b)


def test_the_learning_rate_can_be_fetched() -> None:
    x = static.data("x", [None, 3])
    schedule = vt.optimizer.lr.StepDecay(0.1, step_size=1, gamma=0.5)
    optimizer = vt.optimizer.SGD(schedule)
    optimizer.minimize(vt.mean(static.nn.fc(x, 1)))
    exe, rates = started(), []
    for _ in range(3):
        rates.append(float(exe.run(feed={"x": A}, fetch_list=[optimizer._global_learning_rate()])[0]))
        schedule.step()
    np.testing.assert_allclose(rates, [0.1, 0.05, 0.025])


def test_device_guard_takes_names_of_devices() -> None:
    with static.device_guard("cpu"):
        y = vt.ones([2])
    assert static.Executor().run(fetch_list=[y])[0].tolist() == [1.0, 1.0]
    with pytest.raises(ValueError, match="device must be"), static.device_guard("abacus"):
        pass


def test_nothing_flows_through_detach() -> None:
    x = static.data("x", [2])
    x.stop_gradient = False
    assert static.gradients(x.detach() * 2.0, x) == [None]
    (grad,) = static.gradients(x.detach() * x, x)
    a = np.array([2.0, 3.0], "float32")
    np.testing.assert_array_equal(static.Executor().run(feed={"x": a}, fetch_list=[grad])[0], a)


def test_parameters_take_values_at_once() -> None:
    layer = vt.nn.Linear(3, 2, bias_attr=False)
    y = layer(static.data("x", [None, 3]))
    exe = started()
    layer.weight.set_value(np.ones((3, 2), "float32"))
    np.testing.assert_allclose(exe.run(feed={"x": A}, fetch_list=[y])[0][:, 0], A.sum(1), rtol=1e-5)
    assert np.array(layer.weight.get_value()).sum() == 6
    counter = static.create_global_var([1], 0.0, "float32", persistable=True)
    exe.run(static.default_startup_program())
    counter.set_value(np.array([5.0], "float32"))
    assert exe.run(feed={"x": A}, fetch_list=[counter])[0] == [5.0]
    with pytest.raises(ValueError, match="the value"):
        layer.weight.set_value(np.ones((2, 2), "float32"))


class Rows(vt.io.Dataset[Any]):
    """Four samples of a row and a number."""

    def __getitem__(self, index: int) -> Any:
        return np.full(3, index, "float32"), vt.to_tensor(index).numpy()

    def __len__(self) -> int:
        return 4


@pytest.mark.parametrize("as_list", [True, False])
def test_loaders_make_tensors_while_a_program_is_built(as_list: bool) -> None:
    x, k = static.data("x", [None, 3]), static.data("k", [None], "int64")
    y = vt.sum(x, axis=1) + vt.cast(k, "float32")
    loader = vt.io.DataLoader(Rows(), feed_list=[x, k], batch_size=2, return_list=as_list)
    found = []
    for batch in loader:
        feed = dict(zip(("x", "k"), batch, strict=True)) if as_list else batch
        found += static.Executor().run(feed=feed, fetch_list=[y])[0].tolist()
    assert found == [0.0, 4.0, 8.0, 12.0]
    assert len(static.default_main_program().global_block().ops) == 3


def test_accuracy_of_the_metrics_builds_too() -> None:
    scores, labels = static.data("s", [None, 4]), static.data("l", [None, 1], "int64")
    share = vt.metric.accuracy(scores, labels, k=1)
    feed = {"s": np.eye(4, dtype="float32"), "l": np.array([[0], [1], [0], [3]])}
    assert static.Executor().run(feed=feed, fetch_list=[share])[0] == 0.75


@pytest.mark.parametrize(
    "call",
    [
        lambda: static.nn.conv2d(np.ones((1, 1, 3, 3)), 2, 3),
        lambda: static.nn.batch_norm("x"),
        lambda: static.nn.layer_norm(3),
        lambda: static.accuracy(3, 4),
        lambda: static.Print(3),
        lambda: static.Assert(3),
        lambda: vt.increment(3),
    ],
)
def test_other_kinds_are_refused(call: Any) -> None:
    with pytest.raises(TypeError):
        call()


def test_losses_are_called_as_their_layers() -> None:
    a, b = static.data("a", [4, 3]), static.data("b", [4, 3])
    target, sign = static.data("t", [4], "int64"), static.data("s", [4, 3])
    nn = vt.nn
    called = {
        "l1": lambda name: nn.L1Loss(name=name)(a, b),
        "smooth": lambda name: nn.SmoothL1Loss(name=name)(a, b),
        "bce": lambda name: nn.BCELoss(name=name)(a, b),
        "logits": lambda name: nn.BCEWithLogitsLoss(name=name)(a, b),
        "entropy": lambda name: nn.CrossEntropyLoss(name=name)(a, target),
        "nll": lambda name: nn.NLLLoss(name=name)(a, target),
        "rank": lambda name: nn.MarginRankingLoss(name=name)(a, b, sign),
        "hinge": lambda name: nn.HingeEmbeddingLoss(name=name)(a, sign),
        "triplet": lambda name: nn.TripletMarginLoss(name=name)(a, b, sign),
    }
    assert [name in make(name).name for name, make in called.items()] == [True] * len(called)
    assert nn.L1Loss(name="x").name == "x" and nn.L1Loss().name is None


def test_open_sizes_are_numbers_for_numpy() -> None:
    x = static.data("x", [-1, 3])
    np.testing.assert_equal(tuple(x.shape), (-1, 3))
    assert np.isscalar(x.shape[0]) and x.shape[0] != 3


def test_convolutions_without_groups_or_filters_are_refused() -> None:
    x = static.data("x", [1, 1, 3, 3], "float32")
    with pytest.raises(ValueError, match="above 0, not 0 and 2"):
        static.nn.conv2d(x, 2, 3, groups=0)
    with pytest.raises(ValueError, match="above 0, not 1 and 0"):
        static.nn.conv2d_transpose(x, 0, filter_size=3)


@pytest.mark.parametrize("dim", [0, 1, None])
def test_weight_norm_of_a_layer(dim: int | None) -> None:
    """Length and direction are made by the startup program, from the weight that it draws."""
    layer = vt.nn.utils.weight_norm(vt.nn.Linear(4, 3), dim=dim)
    y = layer(static.data("x", [2, 4]))
    a = np.random.default_rng(3).standard_normal((2, 4)).astype("float32")
    (found, g, v) = started().run(feed={"x": a}, fetch_list=[y, layer.weight_g, layer.weight_v])
    others = None if dim is None else 1 - dim
    np.testing.assert_allclose(g, np.sqrt((v * v).sum(others)), rtol=1e-5)
    np.testing.assert_allclose(found, a @ v, rtol=1e-5, atol=1e-6)


def test_weight_norm_taken_back_and_spectral_norm_of_a_layer() -> None:
    back = vt.nn.utils.remove_weight_norm(vt.nn.utils.weight_norm(vt.nn.Linear(4, 3)))
    made = vt.nn.utils.spectral_norm(vt.nn.Linear(4, 3), n_power_iterations=50)
    x = static.data("x", [2, 4])
    a = np.random.default_rng(3).standard_normal((2, 4)).astype("float32")
    fetched = started().run(feed={"x": a}, fetch_list=[back(x), back.weight, made(x), made.weight_orig])
    np.testing.assert_allclose(fetched[0], a @ fetched[1], rtol=1e-5, atol=1e-6)
    largest = np.linalg.svd(fetched[3], compute_uv=False)[0]
    np.testing.assert_allclose(fetched[2], a @ fetched[3] / largest, rtol=1e-3, atol=1e-5)


def test_a_name_by_position() -> None:
    x = static.data("x", [2])
    assert "difference" in vt.subtract(x, x, "difference").name
    assert "root" in vt.sqrt(x, "root").name


def test_a_name_of_what_a_function_makes() -> None:
    x = static.data("x", [2, 3])
    assert "product" in vt.cross(x, x, name="product").name
    assert "parts" in vt.split(x, 3, 1, name="parts")[0].name
    vt.squeeze(x, name="same")
    assert x.name == "x"


@pytest.mark.parametrize("function", ["l1_loss", "softmax", "dropout", "log_softmax", "relu"])
def test_results_of_functions_have_the_given_name(function: str) -> None:
    x = static.data("x", [2, 3], "float32")
    given = (x, x) if function == "l1_loss" else (x,)
    assert getattr(F, function)(*given, name="named").name.startswith("named")


def test_results_of_layers_have_their_names() -> None:
    x = static.data("x", [2, 3], "float32")
    assert nn.Softmax(name="of_layer")(x).name.startswith("of_layer")
    assert nn.ReLU()(x).name.startswith("relu")


def test_results_of_functions_of_several_ops_have_the_functions_name() -> None:
    x = static.data("x", [2, 3], "float32")
    assert nn.MarginRankingLoss()(x, x, x).name.startswith("margin_ranking_loss")
    assert F.softmax(x).name.startswith("softmax")
    assert F.l1_loss(x, x, name="mine").name.startswith("mine")
