"""Gradients and training as operations of the program."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify import static
from vitrify.base.errors import ArgumentError
from vitrify.nn import functional as F

RNG = np.random.default_rng(0)
X = RNG.standard_normal((16, 4)).astype(np.float32)
Y = X @ np.array([[1.0], [-2.0], [0.5], [3.0]], np.float32)


def run(program: Any, fetches: Any, **feed: Any) -> list[Any]:
    return static.Executor().run(program, feed=feed, fetch_list=fetches)


def test_gradients() -> None:
    x = static.data("x", [-1, 4])
    x.stop_gradient = False
    y = (x * x).sum()
    (gx,) = static.gradients(y, x)
    (second,) = static.gradients(gx, x)
    assert gx.name == "x@GRAD"
    a, b = run(None, [gx, second], x=X)
    np.testing.assert_allclose(a, 2 * X, rtol=1e-6)
    np.testing.assert_allclose(b, np.full_like(X, 2))


def test_gradients_with_weights_and_without_a_path() -> None:
    x, z = static.data("x", [3]), static.data("z", [3])
    x.stop_gradient = z.stop_gradient = False
    weight = static.data("w", [3])
    gx, gz = static.gradients([x * 2.0], [x, z], target_gradients=[weight])
    assert gz is None
    (found,) = run(None, [gx], x=np.ones(3, np.float32), w=np.arange(3, dtype=np.float32))
    assert found.tolist() == [0, 2, 4]
    with pytest.raises(ValueError, match="2 target_gradients for 1 targets"):
        static.gradients([x], [x], [weight, weight])
    with pytest.raises(TypeError, match="targets must be variables"):
        static.gradients([1.0], [x])


def test_nothing_flows_through_what_is_stopped() -> None:
    x = static.data("x", [2])
    x.stop_gradient = False
    stopped = x * 3.0
    stopped.stop_gradient = True
    y = (stopped * x).sum()
    (gx,) = static.gradients(y, x)
    assert run(None, [gx], x=np.ones(2, np.float32))[0].tolist() == [3, 3]
    middle = x * 5.0
    (gx,) = static.gradients((middle * x).sum(), x, no_grad_set={middle.name})
    assert run(None, [gx], x=np.ones(2, np.float32))[0].tolist() == [5, 5]


def test_append_backward_names_gradients() -> None:
    x = static.data("x", [16, 4])
    x.stop_gradient = False
    hidden = static.nn.fc(x, 3, activation="tanh")
    loss = hidden.mean()
    pairs = static.append_backward(loss)
    main = static.default_main_program()
    assert [p.name for p, _ in pairs] == ["fc_0.w_0", "fc_0.b_0"]
    assert [g.name for _, g in pairs] == ["fc_0.w_0@GRAD", "fc_0.b_0@GRAD"]
    assert main.global_block().has_var("x@GRAD")
    static.Executor().run(static.default_startup_program())
    grads = run(main, ["fc_0.b_0@GRAD", "x@GRAD", f"{hidden.name}@GRAD", hidden], x=X)
    np.testing.assert_allclose(grads[0], (1 - grads[3] ** 2).sum(0) / 48, rtol=1e-4)
    np.testing.assert_allclose(grads[2], np.full((16, 3), 1 / 48), rtol=1e-5)
    assert grads[1].shape == (16, 4)
    with pytest.raises(TypeError, match="loss"):
        static.append_backward(3)


OPTIMIZERS = {
    "SGD": lambda **k: vt.optimizer.SGD(0.05, **k),
    "Momentum": lambda **k: vt.optimizer.Momentum(0.02, 0.9, **k),
    "Adam": lambda **k: vt.optimizer.Adam(0.05, **k),
    "AdamW": lambda **k: vt.optimizer.AdamW(0.05, weight_decay=0.01, **k),
    "Adagrad": lambda **k: vt.optimizer.Adagrad(0.1, **k),
    "RMSProp": lambda **k: vt.optimizer.RMSProp(0.01, **k),
    "Lamb": lambda **k: vt.optimizer.Lamb(0.05, **k),
}


@pytest.mark.parametrize("name", OPTIMIZERS)
def test_training_equals_eager_training(name: str) -> None:
    start = RNG.standard_normal((4, 1)).astype(np.float32)
    x, y = static.data("x", [None, 4]), static.data("y", [None, 1])
    attr = vt.ParamAttr(name="w", initializer=vt.nn.initializer.Assign(start))
    loss = F.mse_loss(static.nn.fc(x, 1, weight_attr=attr, bias_attr=False), y)
    _, pairs = OPTIMIZERS[name]().minimize(loss)
    assert [p.name for p, _ in pairs] == ["w"]
    exe = static.Executor()
    exe.run(static.default_startup_program())
    losses = [exe.run(feed={"x": X, "y": Y}, fetch_list=[loss])[0].item() for _ in range(6)]
    w = np.array(static.global_scope().find_var("w").get_tensor())
    with vt.base.dygraph.guard():
        layer = vt.nn.Linear(4, 1, weight_attr=vt.nn.initializer.Assign(start), bias_attr=False)
        optimizer = OPTIMIZERS[name](parameters=layer.parameters())
        expected = []
        for _ in range(6):
            value = F.mse_loss(layer(vt.to_tensor(X)), vt.to_tensor(Y))
            value.backward()
            optimizer.step()
            optimizer.clear_grad()
            expected.append(value.item())
        np.testing.assert_allclose(losses, expected, rtol=1e-4)
        np.testing.assert_allclose(w, layer.weight.numpy(), rtol=1e-4, atol=1e-6)


def test_clip_decay_and_a_schedule() -> None:
    x, y = static.data("x", [None, 4]), static.data("y", [None, 1])
    loss = F.mse_loss(static.nn.fc(x, 1), y)
    schedule = vt.optimizer.lr.StepDecay(0.1, step_size=2, gamma=0.1)
    optimizer = vt.optimizer.Momentum(
        schedule, weight_decay=vt.regularizer.L2Decay(0.01), grad_clip=vt.nn.ClipGradByGlobalNorm(1.0)
    )
    optimizer.minimize(loss)
    exe = static.Executor()
    exe.run(static.default_startup_program())
    seen = []
    for _ in range(4):
        before = np.array(static.global_scope().find_var("fc_0.w_0").get_tensor())
        exe.run(feed={"x": X, "y": Y}, fetch_list=[loss])
        seen.append(float(np.abs(np.array(static.global_scope().find_var("fc_0.w_0").get_tensor()) - before).max()))
        schedule.step()
    assert seen[0] > 0
    assert optimizer.get_lr() == pytest.approx(0.001)


def test_backward_and_apply_gradients_apart() -> None:
    x = static.data("x", [16, 4])
    loss = static.nn.fc(x, 1, bias_attr=False).sum()
    optimizer = vt.optimizer.SGD(1.0)
    pairs = optimizer.backward(loss)
    optimizer.apply_gradients([(p, g * 2.0) for p, g in pairs])
    exe = static.Executor()
    exe.run(static.default_startup_program())
    before = np.array(static.global_scope().find_var("fc_0.w_0").get_tensor())
    exe.run(feed={"x": X})
    after = np.array(static.global_scope().find_var("fc_0.w_0").get_tensor())
    np.testing.assert_allclose(before - after, 2 * X.sum(0)[:, None], rtol=1e-4, atol=1e-5)


def test_a_program_for_testing() -> None:
    vt.seed(1)
    x, y = static.data("x", [None, 4]), static.data("y", [None, 1])
    h = static.nn.batch_norm(static.nn.fc(x, 8))
    out = static.nn.fc(F.dropout(h, 0.5), 1)
    loss = F.mse_loss(out, y)
    main = static.default_main_program()
    before = main.clone(for_test=True)
    vt.optimizer.Adam(0.01).minimize(loss)
    after = main.clone(for_test=True)
    exe = static.Executor()
    exe.run(static.default_startup_program())
    for _ in range(3):
        exe.run(feed={"x": X, "y": Y}, fetch_list=[loss])
    state = {k: v.numpy().copy() for k, v in main.state_dict().items()}
    a, b, c = (exe.run(p, feed={"x": X}, fetch_list=[out])[0] for p in (before, after, before))
    np.testing.assert_array_equal(a, b)
    np.testing.assert_array_equal(a, c)
    for key, value in main.state_dict().items():
        np.testing.assert_array_equal(value.numpy(), state[key])
    first, second = (exe.run(main, feed={"x": X, "y": Y}, fetch_list=[out])[0] for _ in range(2))
    assert (first != second).any()
    assert not any(op.type == "uniform_random" for op in after.global_block().ops if op.type == "update")


def test_a_whole_copy_trains_on() -> None:
    x, y = static.data("x", [None, 4]), static.data("y", [None, 1])
    loss = F.mse_loss(static.nn.fc(x, 1), y)
    vt.optimizer.SGD(0.05).minimize(loss)
    twin = static.default_main_program().clone()
    exe = static.Executor()
    exe.run(static.default_startup_program())
    losses = [exe.run(p, feed={"x": X, "y": Y}, fetch_list=[loss])[0].item() for p in (None, twin, None, twin)]
    assert losses == sorted(losses, reverse=True)
    assert losses[-1] < losses[0]


def test_layers_of_eager_mode_in_a_program() -> None:
    with vt.base.dygraph.guard():
        layer = vt.nn.Linear(4, 2)
    x = static.data("x", [None, 4])
    (found,) = run(None, [layer(x)], x=X)
    np.testing.assert_allclose(found, X @ layer.weight.numpy() + layer.bias.numpy(), rtol=1e-5, atol=1e-6)


def test_state_to_files_and_back(tmp_path: Any) -> None:
    x, y = static.data("x", [None, 4]), static.data("y", [None, 1])
    loss = F.mse_loss(static.nn.fc(x, 1), y)
    vt.optimizer.Adam(0.05).minimize(loss)
    main = static.default_main_program()
    exe = static.Executor()
    exe.run(static.default_startup_program())
    step = lambda: exe.run(main, feed={"x": X, "y": Y}, fetch_list=[loss])[0].item()  # noqa: E731
    step()
    static.save(main, str(tmp_path / "state"))
    expected = [step(), step()]
    with static.scope_guard(static.Scope()):
        exe.run(static.default_startup_program())
        static.load(main, str(tmp_path / "state"), exe)
        assert [step(), step()] == expected
    for protocol in (1, 5, 2.0):
        with pytest.raises(ArgumentError, match="protocol is 2, 3 or 4"):
            static.save(main, str(tmp_path / "state"), protocol)


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ({"callbacks": print}, "callbacks must be a list"),
        ({"parameter_list": [np.ones(2)]}, "parameter_list must hold"),
        ({"no_grad_set": "x"}, "no_grad_set must be a set"),
        ({"no_grad_set": [3]}, "no_grad_set must hold"),
    ],
)
def test_append_backward_refuses_other_kinds(arguments: dict[str, Any], text: str) -> None:
    loss = static.nn.fc(static.data("x", [-1, 4]), 1).mean()
    with pytest.raises(TypeError, match=text):
        static.append_backward(loss, **arguments)


def test_append_backward_tells_of_named_parameters_without_a_path() -> None:
    main = static.Program()
    with static.program_guard(main, static.Program()):
        x, y = vt.rand([2]), vt.rand([2])
        x.stop_gradient = y.stop_gradient = False
        loss = (x * x).sum()
        pairs = static.append_backward(loss, parameter_list=[y, x, loss])
    assert [p.name for p, _ in pairs] == [y.name, x.name, loss.name]
    assert [g is None for _, g in pairs] == [True, False, False]


def test_gradients_through_branches_that_keep_rows_of_unknown_number() -> None:
    x, flag = static.data("x", [-1, 4]), static.data("flag", [1], "bool")
    x.stop_gradient = False
    loss = static.nn.cond(flag, lambda: F.relu(x * x - x[:1]).mean(), lambda: (x.tanh() * x.exp()).sum() / x.shape[0])
    static.append_backward(loss)
    for rows in (1, 5):
        for choice in (True, False):
            feed = {"x": X[:rows], "flag": np.array([choice])}
            value, slope = run(None, [loss, "x@GRAD"], **feed)
            t = X[:rows]
            if choice:
                on = t * t - t[:1] > 0
                expected = np.where(on, 2 * t, 0)
                expected[0] -= on.sum(0)
                expected /= t.size
            else:
                expected = (np.exp(t) / np.cosh(t) ** 2 + np.tanh(t) * np.exp(t)) / rows
            np.testing.assert_allclose(slope, expected, rtol=2e-4, atol=1e-6)
            assert np.shape(value) == ()


def test_updates_for_all_that_a_program_computes() -> None:
    static.nn.fc(static.data("x", [-1, 4]), 3, activation="relu").mean()
    before = len(static.default_main_program().global_block().ops)
    operations, pairs = static.gradients_with_optimizer(static.default_main_program(), vt.optimizer.SGD(0.1))
    assert operations
    assert sorted(p.shape for p, _ in pairs) == [[3], [4, 3]]
    assert len(static.default_main_program().global_block().ops) > before


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_the_learning_rate_has_the_dtype_of_the_parameters(dtype: str) -> None:
    main, startup = static.Program(), static.Program()
    schedule = vt.optimizer.lr.StepDecay(0.1, 1, 0.5)
    optimizer = vt.optimizer.SGD(schedule)
    with static.program_guard(main, startup):
        loss = vt.mean(static.nn.fc(static.data("x", [3, 2], dtype), 1))
        optimizer.minimize(loss)
    executor = static.Executor()
    executor.run(startup)
    for expected in (0.1, 0.05):
        (rate,) = executor.run(main, feed={"x": np.ones((3, 2), dtype)}, fetch_list=[optimizer._global_learning_rate()])
        assert rate.dtype == dtype
        assert rate == np.array(expected, dtype)
        schedule.step()
