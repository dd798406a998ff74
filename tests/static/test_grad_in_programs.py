"""`grad`, `vjp`, `jvp`, Jacobians and Hessians of functions in static programs."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify import static
from vitrify.base.framework import Variable
from vitrify.incubate import autograd as functional

X = np.array([1.0, 2.0, 3.0], "float32")


def run(*fetched: Any) -> list[Any]:
    found: list[Any] = static.Executor().run(feed={"x": X}, fetch_list=list(fetched))
    return found


def test_gradients_of_gradients() -> None:
    x = static.data("x", [3])
    x.stop_gradient = False
    (first,) = vt.grad((x * x * x).sum(), x, create_graph=True)
    (second,) = vt.grad(first, x, grad_outputs=vt.full([3], 2.0))
    got = run(first, second)
    np.testing.assert_allclose(got[0], 3 * X**2)
    np.testing.assert_allclose(got[1], 12 * X)
    (through,) = vt.grad(x * first, x, no_grad_vars=[first])
    np.testing.assert_allclose(run(through)[0], 3 * X**2)
    assert vt.grad(x * 1.0, static.data("z", [2]), allow_unused=True) == [None]
    with pytest.raises(ValueError, match="don't depend"):
        vt.grad(x * 1.0, static.data("w", [2]))


def test_products_and_matrices() -> None:
    x = static.data("x", [3])
    _, back = functional.vjp(lambda t: t * t, x)
    _, ahead = functional.jvp(lambda t: t * t * t, x, vt.full([3], 2.0))
    jacobian = functional.Jacobian(lambda t: t * t, x)[:]
    hessian = functional.Hessian(lambda t: (t * t * t).sum(), x)[:]
    got = run(back, ahead, jacobian, hessian)
    np.testing.assert_allclose(got[0], 2 * X)
    np.testing.assert_allclose(got[1], 6 * X**2)
    np.testing.assert_allclose(got[2], np.diag(2 * X))
    np.testing.assert_allclose(got[3], np.diag(6 * X))


def test_variables_and_eager_tensors_are_variables() -> None:
    assert isinstance(static.data("x", [3]), Variable)
    vt.disable_static()
    try:
        assert isinstance(vt.ones([1]), Variable)
        assert not isinstance(1.0, Variable)
        other = functional.Hessian(lambda a, b: (a * a).sum(), [vt.to_tensor(X), vt.to_tensor(X)])
        np.testing.assert_allclose(other[:].numpy(), np.diag([2.0] * 3 + [0.0] * 3))
        np.testing.assert_allclose((other % 2.0).numpy(), np.zeros((6, 6)))
        np.testing.assert_allclose((other // 2.0).numpy(), np.diag([1.0] * 3 + [0.0] * 3))
    finally:
        vt.enable_static()


def test_append_backward_gives_gradients_of_other_persistable_variables() -> None:
    with static.program_guard(static.Program(), static.Program()):
        x, y, z = (static.data(name, [1]) for name in "xyz")
        for variable in (x, y):
            variable.persistable = True
        for variable in (x, z):
            variable.stop_gradient = False
        w = static.create_parameter([1], "float32", name="w")
        loss = (x * y * z * w).mean()
        assert [p.name for p, _ in static.append_backward(loss)] == ["w", "x"]
        (dx,) = static.Executor().run(
            feed={k: np.full(1, v, "float32") for k, v in zip("xyz", (2, 3, 5), strict=True)},
            fetch_list=["y"],
        )
        assert dx.tolist() == [3]
    with static.program_guard(static.Program(), static.Program()):
        x = static.data("x", [1])
        x.persistable, x.stop_gradient = True, False
        w = static.create_parameter([1], "float32", name="w")
        _, pairs = vt.optimizer.SGD(0.1).minimize((x * w).mean())
        assert [p.name for p, _ in pairs] == ["w"]  # a feed is nothing that training changes


def test_a_no_grad_set_is_checked_before_it_is_looked_up() -> None:
    with static.program_guard(static.Program()):
        other = static.data("other", [1])
    with static.program_guard(static.Program()):
        x = static.data("x", [1])
        loss = (x * static.create_parameter([1], "float32")).mean()
        with pytest.raises(TypeError, match="must hold variables or names, not a int"):
            static.append_backward(loss, no_grad_set=[other, "other", 3])
