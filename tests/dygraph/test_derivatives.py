"""Jacobians, Hessians, products with them, numeric checks, saved-tensor hooks, recomputation, the search for NaN."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify.base.errors import ArgumentError, GradientError, KindError, NonFiniteError, ShapeError

A = np.random.default_rng(0).normal(size=(3, 2))


def tensor(values: Any) -> Any:
    return vt.to_tensor(np.asarray(values, "float64"), stop_gradient=False)


def square_map(x: Any) -> Any:
    return vt.matmul(vt.to_tensor(A), x * x)


X = np.array([1.0, -2.0])
J = A * (2 * X)


@pytest.mark.parametrize(
    "index", [slice(None), 0, -1, (slice(None), 1), (slice(0, 2), slice(None)), (1, 0), (slice(None, None, 2), slice(1)), (0, slice(None)), Ellipsis]
)  # fmt: skip
def test_a_jacobian_is_indexed_like_a_matrix(index: Any) -> None:
    x = tensor(X)
    made = vt.autograd.jacobian(square_map(x), x)
    assert made.shape == [3, 2]
    np.testing.assert_allclose(made[index].numpy(), J[index])


def test_rows_are_computed_when_they_are_asked_for() -> None:
    x = tensor(X)
    made = vt.autograd.jacobian(square_map(x), x)
    assert "0 rows" in repr(made)
    made[1]
    assert "1 rows" in repr(made)
    np.testing.assert_allclose((made @ made.T).numpy(), J @ J.T)
    np.testing.assert_allclose((2.0 * made - made).numpy(), J)
    np.testing.assert_allclose(np.asarray(made), J)


def test_batches_keep_apart() -> None:
    x = tensor(np.arange(6.0).reshape(3, 2))
    made = vt.autograd.jacobian(x * x * x, x, batch_axis=0)
    expected = np.stack([np.diag(3 * row**2) for row in x.numpy()])
    assert made.shape == [3, 2, 2]
    np.testing.assert_allclose(made[:].numpy(), expected)
    np.testing.assert_allclose(made[:, 1].numpy(), expected[:, 1])
    np.testing.assert_allclose(made[:, 0, 0].numpy(), expected[:, 0, 0])
    np.testing.assert_allclose(made[1:, :, 1].numpy(), expected[1:, :, 1])


def test_tuples_give_tuples_of_derivatives() -> None:
    x, y = tensor(X), tensor([3.0])
    table = vt.autograd.jacobian((x * y, y * y), (x, y))
    np.testing.assert_allclose(table[0][1][:].numpy(), X[:, None])
    np.testing.assert_allclose(table[1][0][:].numpy(), [[0.0, 0.0]])
    second = vt.autograd.hessian((x * x * y).sum(), (x, y))
    np.testing.assert_allclose(second[0][0][:].numpy(), np.diag([6.0, 6.0]))
    np.testing.assert_allclose(second[0][1][:].numpy(), 2 * X[:, None])
    np.testing.assert_allclose(second[1][0][0].numpy(), 2 * X)


def test_derivatives_of_functions() -> None:
    x, y = tensor(X), tensor([3.0, 1.0])

    def f(x: Any, y: Any) -> Any:
        return x * y, (x * x).sum()

    outputs, grads = vt.autograd.vjp(f, (x, y), (tensor([1.0, 2.0]), tensor(3.0)))
    assert [o.shape for o in outputs] == [[2], []]
    np.testing.assert_allclose(grads[0].numpy(), np.array([1, 2]) * [3, 1] + 6 * X)
    _, changes = vt.autograd.jvp(f, (x, y), (tensor([1.0, 0.5]), tensor([2.0, 0.0])))
    np.testing.assert_allclose(changes[0].numpy(), np.array([1, 0.5]) * [3, 1] + X * [2, 0])
    np.testing.assert_allclose(changes[1].numpy(), 2 * X @ [1, 0.5])
    from vitrify.incubate.autograd import Hessian, Jacobian

    np.testing.assert_allclose(Jacobian(lambda x, y: x * y, (x, y))[:].numpy(), [[3, 0, 1, 0], [0, 1, 0, -2]])
    np.testing.assert_allclose(Hessian(lambda x: (x**3).sum(), x)[:, :].numpy(), np.diag(6 * X))
    np.testing.assert_allclose(
        Hessian(lambda x: (x**3).sum(1, keepdim=True), tensor([X, X]), True)[:, 0].numpy(), [[6, 0], [6, 0]]
    )


def test_a_compiled_hessian_is_the_eager_one() -> None:
    def f(x: Any) -> Any:
        return vt.autograd.hessian((vt.exp(x) * x).sum(), x)[:]

    x = tensor(X)
    np.testing.assert_allclose(vt.to_static(f)(x).numpy(), f(x).numpy(), rtol=1e-12)


class Wrong(vt.autograd.PyLayer):
    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        return x * 2

    @staticmethod
    def backward(ctx: Any, g: Any) -> Any:
        return g * 3


def test_checks_of_gradients() -> None:
    x, y = tensor(X), tensor([0.5, 1.0])
    assert vt.autograd.gradcheck(lambda a, b: (vt.sin(a) * b, a / (b + 2)), [x, y])
    assert vt.autograd.gradgradcheck(lambda a, b: vt.exp(a) * b, [x, y])
    assert vt.autograd.gradcheck(lambda a, b: a * b, [x, vt.ones([2], "float64")])
    assert not vt.autograd.gradcheck(Wrong.apply, x, raise_exception=False)
    with pytest.raises(GradientError, match="input 0"):
        vt.autograd.gradcheck(Wrong.apply, [x])
    with pytest.raises(ArgumentError, match="stop_gradient=False"):
        vt.autograd.gradcheck(lambda a: a, vt.ones([1]))
    with pytest.warns(UserWarning, match="float32"):
        vt.autograd.gradcheck(lambda a: a * 1.0, vt.to_tensor([1.0], stop_gradient=False), eps=1e-2, atol=1e-2)


def test_what_backward_keeps_goes_through_the_hooks() -> None:
    packed, unpacked = [], []

    def pack(x: Any) -> Any:
        packed.append(x.shape)
        return x.numpy()

    def unpack(x: Any) -> Any:
        unpacked.append(x.shape)
        return vt.to_tensor(x)

    x = tensor(X)
    with vt.autograd.saved_tensors_hooks(pack, unpack):
        y = vt.exp(x * x).sum()
    assert packed
    assert not unpacked
    (g,) = vt.grad(y, x, create_graph=True)
    assert len(unpacked) == len(packed)
    expected = 2 * X * np.exp(X * X)
    np.testing.assert_allclose(g.numpy(), expected)
    np.testing.assert_allclose(vt.grad(g.sum(), x)[0].numpy(), (2 + 4 * X * X) * np.exp(X * X))


class Cube(vt.autograd.PyLayer):
    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        ctx.save_for_backward(x)
        return x**3

    @staticmethod
    def backward(ctx: Any, g: Any) -> Any:
        (x,) = ctx.saved_tensor()
        return g * 3 * x * x


def test_a_py_layer_saves_through_the_hooks() -> None:
    x = tensor(X)
    with vt.autograd.saved_tensors_hooks(lambda t: (t * 2).numpy(), lambda a: vt.to_tensor(a / 2)):
        y = Cube.apply(x)
    y.sum().backward()
    np.testing.assert_allclose(x.grad.numpy(), 3 * X * X)


def test_hooks_that_do_not_fit_are_named() -> None:
    x = tensor(X)
    with pytest.raises(KindError, match="pack_hook"), vt.autograd.saved_tensors_hooks(None, None):  # type: ignore[arg-type]
        pass
    with vt.autograd.saved_tensors_hooks(lambda t: t, lambda t: t[:1]):
        y = x * x
    with pytest.raises(ShapeError, match="unpack_hook"):
        y.sum().backward()


@pytest.mark.parametrize("compiled", [False, True], ids=["eager", "compiled"])
def test_recomputation_gives_the_same_gradients(compiled: bool) -> None:
    from vitrify.distributed.fleet.utils import recompute

    vt.seed(1)
    block = vt.nn.Sequential(vt.nn.Linear(2, 8), vt.nn.Dropout(0.5), vt.nn.Linear(8, 2))

    def step(x: Any, *, again: bool) -> Any:
        y = recompute(block, x) if again else block(x)
        (y * y).sum().backward()
        return y

    results = []
    for again in (False, True):
        block.clear_gradients(set_to_zero=False)
        x = vt.to_tensor(A.astype("float32"), stop_gradient=False)
        vt.seed(5)
        run = vt.to_static(step) if compiled else step
        y = run(x, again=again)
        results.append([y.numpy(), x.grad.numpy(), *[p.grad.numpy() for p in block.parameters()]])
    for a, b in zip(*results, strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-5, atol=1e-6)


def test_recomputation_runs_twice_and_only_when_gradients_are_on() -> None:
    from vitrify.dygraph.checkpointing import recompute

    calls = []

    def f(x: Any, k: float) -> Any:
        calls.append(k)
        return x * x * k

    x = tensor(X)
    recompute(f, x, k=2.0).sum().backward()
    assert (len(calls), x.grad.tolist()) == (2, (4 * X).tolist())
    with vt.no_grad():
        assert recompute(f, x, 1.0).stop_gradient
    assert len(calls) == 3


def test_the_op_that_makes_nan_is_named() -> None:
    x = tensor([0.0, 1.0])
    with vt.autograd.detect_anomaly():
        with pytest.raises(NonFiniteError, match=r"log has 0 NaN and 1 infinite elements among 2"):
            vt.log(x)
        y = vt.sqrt(x).sum()
        with pytest.raises(NonFiniteError, match="divide") as caught:
            y.backward()
    assert any("gradient of sqrt" in note for note in caught.value.__notes__)
    assert not np.isfinite(vt.log(x).numpy()).all()
    vt.set_flags({"FLAGS_check_nan_inf": True})
    try:
        with pytest.raises(RuntimeError, match="divide has"):
            x / 0.0
    finally:
        vt.set_flags({"FLAGS_check_nan_inf": False})
    assert not np.isfinite((x / 0.0).numpy()).all()


@pytest.mark.parametrize(
    ("call", "error", "said"),
    [
        (lambda x: vt.autograd.jacobian(x, x, batch_axis=1), ArgumentError, "batch_axis"),
        (lambda x: vt.autograd.jacobian(x, [1.0]), KindError, "xs must be tensors"),
        (lambda x: vt.autograd.jacobian(x * x, x)[5], IndexError, "row 5"),
        (lambda x: vt.autograd.jacobian(x * x, x)[0, 0, 0], ArgumentError, "3 indices"),
        (lambda x: vt.autograd.hessian(x * x, x), ShapeError, "one element"),
        (lambda x: vt.autograd.vjp(lambda a: a * a, x, tensor([1.0])), GradientError, "v has shape"),
        (lambda x: vt.autograd.jvp(lambda a: a * a, x, [x, x]), GradientError, "2 tensors for 1 inputs"),
        (lambda x: vt.autograd.vjp(None, x), KindError, "callable"),
        (lambda x: vt.autograd.jvp(lambda a: a, x, 1.0), KindError, "v must be"),
    ],
)
def test_mistakes_are_named(call: Any, error: type[Exception], said: str) -> None:
    with pytest.raises(error, match=said):
        call(tensor(X))


def test_recomputation_leaves_the_random_state_as_the_backward_pass_found_it() -> None:
    from vitrify.dygraph.checkpointing import recompute

    def drawn(again: bool) -> list[Any]:
        vt.seed(3)
        x = tensor(X)
        y = recompute(scaled, x) if again else scaled(x)
        between = vt.rand([4])
        y.sum().backward()
        return [y.tolist(), between.tolist(), x.grad.tolist(), vt.rand([4]).tolist()]

    def scaled(x: Any) -> Any:
        return x * vt.rand([2])

    assert drawn(True) == drawn(False)


def test_products_with_the_jacobian_have_gradients() -> None:
    x = vt.to_tensor([1.0, 2.0], stop_gradient=False)
    v = vt.to_tensor([1.0, 1.0], stop_gradient=False)
    for name in ("jvp", "vjp"):
        weights = v if name == "jvp" else vt.to_tensor(1.0, stop_gradient=False)
        _, made = getattr(vt.incubate.autograd, name)(lambda x: (x**3).sum(), x, weights)
        np.testing.assert_allclose(vt.grad(made.sum(), x)[0].numpy(), [6.0, 12.0])
