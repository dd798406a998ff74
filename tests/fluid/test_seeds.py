"""The listings that this library began with run with only their import lines changed."""

from __future__ import annotations

import gzip
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import vitrify as paddle
from vitrify import fluid
from vitrify.autograd import PyLayer
from vitrify.compat import torch
from vitrify.viz import make_dot


def create_tmp_var(program: Any, name: str, dtype: Any, shape: Any) -> Any:
    return program.current_block().create_var(name=name, dtype=dtype, shape=shape)


def test_the_four_lines() -> None:
    batch_size = 8
    data = fluid.data(name="X", shape=[batch_size, 1], dtype="float32")
    hidden = fluid.layers.fc(input=data, size=10)
    loss = fluid.layers.mean(hidden)
    fluid.optimizer.SGD(learning_rate=0.01).minimize(loss)

    startup, main = fluid.default_startup_program(), fluid.default_main_program()
    assert {p.name for p in main.all_parameters()} == {"fc_0.w_0", "fc_0.b_0"}
    assert {"fc_0.w_0", "fc_0.b_0", "fc_0.w_0@GRAD"} <= set(main.global_block().vars)
    assert "matmul" in str(main)
    assert "fc_0.w_0" in str(startup)
    exe = fluid.Executor(fluid.CPUPlace())
    exe.run(startup)
    x = np.random.default_rng(0).standard_normal((8, 1)).astype("float32")
    before = np.array(fluid.global_scope().find_var("fc_0.w_0").get_tensor())
    (value,) = exe.run(main, feed={"X": x}, fetch_list=[loss])
    assert value.shape == (1,)
    np.testing.assert_allclose(value[0], (x @ before).mean(), rtol=1e-5, atol=1e-7)
    after = np.array(fluid.global_scope().find_var("fc_0.w_0").get_tensor())
    np.testing.assert_allclose(after, before - 0.01 * np.full((1, 10), x.sum() / 80), rtol=1e-5, atol=1e-7)


def test_each_of_the_four_lines_is_named_by_what_it_put_into_the_programs() -> None:
    data = fluid.data(name="X", shape=[8, 1], dtype="float32")
    hidden = fluid.layers.fc(input=data, size=10)
    loss = fluid.layers.mean(hidden)
    fluid.optimizer.SGD(learning_rate=0.01).minimize(loss)
    main = fluid.default_main_program().to_string(True, with_details=True)
    startup = fluid.default_startup_program().to_string(True, with_details=True)
    first = test_each_of_the_four_lines_is_named_by_what_it_put_into_the_programs.__code__.co_firstlineno + 1
    lines = {k: f"// test_seeds.py:{first + k}" for k in range(4)}
    put = {k: [line for line in main.splitlines() if lines[k] in line] for k in lines}
    assert put[0] == [] and "%X: f32[8, 1]" in main  # a feed is no operation
    assert any("matmul" in line for line in put[1]) and any(" mean " in line for line in put[2])
    assert sum("subtract" in line for line in put[3]) == 2  # the updates of weight and bias
    made = [line for line in startup.splitlines() if line.startswith("  %")]
    assert sum(lines[1] in line for line in made) == 3  # the weight, the generator's state, the bias
    assert [line for line in made if "0.01" in line and lines[3] in line]  # the rate
    assert "update %learning_rate_0" in startup and "update %fc_0.w_0" in startup
    placed = [line for line in (main + startup).splitlines() if "//" in line and not line.startswith("  // ")]
    assert not [line for line in placed if "test_seeds.py" not in line]


def test_the_program_of_the_picture() -> None:
    image = fluid.data(shape=[None, 3, 224, 224], name="image", dtype="float32")
    label = fluid.data(shape=[None, 1], name="label", dtype="int64")
    y = fluid.layers.fc(image, size=1000)
    with pytest.raises(AttributeError, match="did you mean 'softmax_with_cross_entropy'"):
        _ = fluid.layers.softmax_with_cross_entroy  # as the listing spells it
    loss = fluid.layers.softmax_with_cross_entropy(y, label)
    mean_loss = fluid.layers.reduce_mean(loss)
    assert (y.shape, loss.shape, mean_loss.shape) == ([-1, 1000], [-1, 1], [1])


def my_tanh(x: Any) -> Any:
    return np.tanh(x)


def my_tanh_grad(x: Any, y: Any, dy: Any) -> Any:
    return np.array(dy) * (1 - np.square(np.array(y)))


def my_tanh_grad_without_x(y: Any, dy: Any) -> Any:
    return np.array(dy) * (1 - np.square(np.array(y)))


@pytest.mark.parametrize("skips", [False, True])
def test_tanh_by_py_func(skips: bool) -> None:
    in_var = fluid.layers.data(name="input", dtype="float32", shape=[-1, 28, 28])
    in_var.stop_gradient = False
    out_var = create_tmp_var(fluid.default_main_program(), name="output", dtype="float32", shape=[-1, 28, 28])
    if skips:
        fluid.layers.py_func(
            func=my_tanh, x=in_var, out=out_var, backward_func=my_tanh_grad_without_x,
            skip_vars_in_backward_input=in_var,
        )  # fmt: skip
    else:
        fluid.layers.py_func(func=my_tanh, x=in_var, out=out_var, backward_func=my_tanh_grad)
    (grad,) = fluid.gradients(out_var, in_var)
    x = np.random.default_rng(1).standard_normal((2, 28, 28)).astype("float32")
    exe = fluid.Executor(fluid.CPUPlace())
    y, dx = exe.run(fluid.default_main_program(), feed={"input": x}, fetch_list=[out_var, grad])
    np.testing.assert_allclose(y, np.tanh(x), rtol=1e-6)
    np.testing.assert_allclose(dx, 1 - np.tanh(x) ** 2, rtol=1e-5, atol=1e-6)


def test_the_misspelt_argument_of_py_func() -> None:
    y_var = create_tmp_var(fluid.default_main_program(), "output", "float32", [-1, 1, 28, 28])
    x = fluid.data(name="x", shape=[-1, 1, 28, 28], dtype="int32")
    with pytest.raises(TypeError, match="did you mean skip_vars_in_backward_input"):
        fluid.layers.py_func(func=my_tanh, x=x, out=y_var, backward_func=my_tanh_grad, skip_var_in_backward_input=x)


def test_a_tanh_of_ones_own_by_pylayer() -> None:
    paddle.disable_static()

    class cus_tanh(PyLayer):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            y = paddle.tanh(x)
            # Pass tensors to backward.
            ctx.save_for_backward(y)
            return y

        @staticmethod
        def backward(ctx: Any, dy: Any) -> Any:
            # Get the tensors passed by forward.
            (y,) = ctx.saved_tensor()
            return dy * (1 - paddle.square(y))

    paddle.seed(2023)
    data = paddle.randn([2, 3], dtype="float64")
    data.stop_gradient = False
    z = cus_tanh.apply(data)
    z.mean().backward()
    np.testing.assert_allclose(data.grad.numpy(), (1 - np.tanh(data.numpy()) ** 2) / 6, rtol=1e-12)


class CustomMul(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, w: Any, x: Any) -> Any:
        ctx.save_for_backward(w, x)
        return w * x

    @staticmethod
    def backward(ctx: Any, grad_outputs: Any) -> Any:
        w = ctx.saved_tensors[0]
        x = ctx.saved_tensors[1]

        w_grad = grad_outputs * x
        x_grad = grad_outputs * w

        return w_grad, x_grad


class CustomAdd(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, x: Any, b: Any) -> Any:
        return x + b

    @staticmethod
    def backward(ctx: Any, grad_outputs: Any) -> Any:
        b_grad = grad_outputs * 1
        x_grad = grad_outputs * 1

        return x_grad, b_grad


def test_operators_in_torchs_spelling(tmp_path: Path) -> None:
    paddle.disable_static()
    w = torch.tensor([[2.0, 3.0]], requires_grad=True)
    b = torch.tensor([3.0], requires_grad=True)
    x = torch.tensor([[4.0, 5.0]])

    outputs = CustomMul.apply(w, x)
    outputs = CustomAdd.apply(b, torch.sum(outputs))

    dot = make_dot(outputs, show_attrs=True)
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        picture = Path(dot.render(tmp_path / "temp", format="png", cleanup=False))
    assert picture.exists() and picture.suffix == (".svg" if told else ".png")
    assert "CustomMul" in (tmp_path / "temp").read_text() and "test_seeds.py" in dot.source

    outputs.backward()
    assert (w.grad.tolist(), x.grad, b.grad.tolist()) == ([[4.0, 5.0]], None, [1.0])
    assert torch.autograd.gradcheck(func=CustomMul.apply, inputs=(w, x))
    with pytest.raises(AttributeError, match=r"compat\.torch has no 'nonsense'"):
        _ = torch.nonsense


# ---- the program that classifies digits, by a ReLU of its own


def relu(x: Any) -> Any:
    return np.maximum(x, 0.0)


def relu_grad(y: Any, dy: Any) -> Any:
    dx = np.zeros_like(y)
    dx[y > 0] = 1.0
    return np.array(dy) * dx


def mnist(x: Any) -> Any:
    x = fluid.layers.fc(x, size=100)
    output = create_tmp_var(fluid.default_main_program(), name="relu", dtype=x.dtype, shape=x.shape)
    x = fluid.layers.py_func(func=relu, x=x, out=output, backward_func=relu_grad, skip_vars_in_backward_input=x)
    return fluid.layers.fc(x, size=10, act="softmax")


def write_digits(folder: Path, prefix: str, count: int, seed: int) -> None:
    """Images whose rows 2n and 2n + 1 are bright where the label is n, with noise."""
    rng = np.random.default_rng(seed)
    labels = rng.integers(0, 10, count).astype("u1")
    images = rng.integers(0, 60, (count, 28, 28)).astype("u1")
    for image, label in zip(images, labels, strict=True):
        image[2 * label : 2 * label + 2] = 255
    for kind, array in (("images-idx3", images), ("labels-idx1", labels)):
        head = bytes([0, 0, 8, array.ndim]) + np.array(array.shape, ">u4").tobytes()
        (folder / f"{prefix}-{kind}-ubyte.gz").write_bytes(gzip.compress(head + array.tobytes(), 1))


def test_digits_with_a_relu_in_python(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_digits(tmp_path, "train", 2000, 0)
    write_digits(tmp_path, "t10k", 300, 1)
    monkeypatch.setenv("VITRIFY_DATA", str(tmp_path))
    batch_size = 50
    train_reader = paddle.batch(paddle.dataset.mnist.train(), batch_size=batch_size)
    test_reader = paddle.batch(paddle.dataset.mnist.test(), batch_size=batch_size)
    train_program, start_program = fluid.Program(), fluid.Program()
    with fluid.program_guard(train_program, start_program):
        data = fluid.data(name="X", shape=[None, 784], dtype="float32")
        label = fluid.data(name="label", shape=[None, 1], dtype="int64")
        sgd = fluid.optimizer.SGD(learning_rate=0.01)
        res = mnist(data)
        loss = fluid.layers.cross_entropy(res, label)
        loss = fluid.layers.mean(loss)
        acc = fluid.layers.accuracy(res, fluid.layers.reshape(label, [-1, 1]))
        sgd.minimize(loss)
        exe = fluid.Executor(fluid.CPUPlace())
        exe.run(fluid.default_startup_program())
        losses = []
        for data in train_reader():
            img_data = np.array([x[0] for x in data]).astype("float32")
            label_data = np.array([[x[1]] for x in data]).astype("int64")
            loss_acc = exe.run(feed={"X": img_data, "label": label_data}, fetch_list=[loss.name, acc.name])
            losses.append(loss_acc[0])
        test_program = fluid.default_main_program().clone(for_test=True)
        accuracies = []
        for data in test_reader():
            img_data = np.array([x[0] for x in data]).astype("float32")
            label_data = np.array([[x[1]] for x in data]).astype("int64")
            _acc = exe.run(test_program, feed={"X": img_data, "label": label_data}, fetch_list=[acc.name])
            accuracies.append(_acc)
    assert losses[0].shape == (1,)
    assert losses[-1] < losses[0] / 4
    assert np.mean(accuracies) > 0.95
    assert paddle.in_dynamic_mode()
