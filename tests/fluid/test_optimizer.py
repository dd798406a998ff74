"""fluid.optimizer: the old arguments, in static programs and in eager mode, against the optimisers of today."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify import fluid

X = np.random.default_rng(0).standard_normal((4, 3)).astype("float32")
START = np.random.default_rng(1).standard_normal((3, 1)).astype("float32")
CASES: list[tuple[str, tuple[Any, ...], dict[str, Any], dict[str, Any]]] = [
    ("SGD", (0.1,), {}, {"learning_rate": 0.1}),
    ("SGD", (0.1, None, fluid.regularizer.L2Decay(0.5)), {}, {"learning_rate": 0.1, "weight_decay": 0.5}),
    ("SGD", (0.1,), {"grad_clip": fluid.clip.GradientClipByValue(0.01)},
     {"learning_rate": 0.1, "grad_clip": vt.nn.ClipGradByValue(0.01)}),
    ("Momentum", (0.1, 0.8), {"use_nesterov": True}, {"learning_rate": 0.1, "momentum": 0.8, "use_nesterov": True}),
    ("Adagrad", (0.1, 1e-5), {}, {"learning_rate": 0.1, "epsilon": 1e-5}),
    ("Adam", (0.1, 0.8, 0.9), {"regularization": fluid.regularizer.L1DecayRegularizer(0.1)},
     {"learning_rate": 0.1, "beta1": 0.8, "beta2": 0.9, "weight_decay": vt.regularizer.L1Decay(0.1)}),
    ("Adamax", (0.1,), {}, {"learning_rate": 0.1}),
    ("Adadelta", (0.1, 1e-5, 0.9), {}, {"learning_rate": 0.1, "epsilon": 1e-5, "rho": 0.9}),
    ("RMSProp", (0.1, 0.9, 1e-5, 0.5, True), {},
     {"learning_rate": 0.1, "rho": 0.9, "epsilon": 1e-5, "momentum": 0.5, "centered": True}),
    ("Lamb", (0.1, 0.02), {}, {"learning_rate": 0.1, "lamb_weight_decay": 0.02}),
]  # fmt: skip


def of_today(name: str, settings: dict[str, Any]) -> np.ndarray:
    w = vt.create_parameter([3, 1], "float32", default_initializer=vt.nn.initializer.Assign(START))
    optimizer = getattr(vt.optimizer, name)(parameters=[w], **settings)
    for _ in range(3):
        vt.mean(vt.square(vt.to_tensor(X) @ w)).backward()
        optimizer.step()
        optimizer.clear_grad()
    return w.numpy()


@pytest.mark.parametrize(("name", "args", "kwargs", "today"), CASES)
def test_a_static_program_updates_as_eager_mode_of_today(
    name: str, args: tuple[Any, ...], kwargs: dict[str, Any], today: dict[str, Any]
) -> None:
    expected = of_today(name, today)
    x = fluid.data("x", [None, 3])
    w = fluid.ParamAttr(name="w", initializer=fluid.initializer.NumpyArrayInitializer(START))
    loss = fluid.layers.mean(fluid.layers.square(fluid.layers.fc(x, 1, param_attr=w, bias_attr=False)))
    getattr(fluid.optimizer, name)(*args, **kwargs).minimize(loss)
    exe = fluid.Executor(fluid.CPUPlace())
    exe.run(fluid.default_startup_program())
    for _ in range(3):
        exe.run(feed={"x": X}, fetch_list=[loss])
    found = np.array(fluid.global_scope().find_var("w").get_tensor())
    np.testing.assert_allclose(found, expected, rtol=1e-5, atol=1e-6)


def test_eager_minimize_takes_the_gradients_that_are_there() -> None:
    with fluid.dygraph.guard():
        layer = fluid.dygraph.Linear(3, 1, act="tanh")
        optimizer = fluid.optimizer.SGDOptimizer(learning_rate=0.1, parameter_list=layer.parameters())
        before = layer.weight.numpy().copy()
        loss = fluid.layers.mean(layer(fluid.dygraph.to_variable(X)))
        loss.backward()
        grad = layer.weight.grad.numpy().copy()
        optimizer.minimize(loss)
        layer.clear_gradients()
        np.testing.assert_allclose(layer.weight.numpy(), before - 0.1 * grad, rtol=1e-6)


@pytest.mark.parametrize(
    ("make", "text"),
    [
        (lambda: fluid.optimizer.SGD(0.1, None, None, None, "name", "more"), "takes 5 arguments"),
        (lambda: fluid.optimizer.SGD(0.1, learning_rate=0.2), "learning_rate is given twice"),
        (lambda: fluid.optimizer.SGD(0.1, no_such_thing=1), "no_such_thing"),
    ],
)
def test_wrong_arguments(make: Any, text: str) -> None:
    with pytest.raises(TypeError, match=text):
        make()
