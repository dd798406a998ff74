"""nn.utils: weight_norm, spectral_norm, clipping, parameters as a vector; and initializers of filters."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify.base.errors import NonFiniteError
from vitrify.dygraph import nn
from vitrify.dygraph.conversions import to_tensor
from vitrify.dygraph.nn import initializer, parameter_utils
from vitrify.dygraph.optimizer import SGD
from vitrify.dygraph.random_generators import seed
from vitrify.jit import to_static

from .support import check_gradients, rand, tensor


@pytest.mark.parametrize("dim", [0, 1, None])
def test_weight_norm(dim: Any) -> None:
    layer = nn.Conv2D(2, 3, 2).astype("float64")
    w = layer.weight.numpy()
    x = tensor(rand(1, 2, 4, 4))
    wanted = layer(x).numpy()
    assert parameter_utils.weight_norm(layer, "weight", dim) is layer
    assert sorted(n for n, _ in layer.named_parameters()) == ["bias", "weight_g", "weight_v"]
    assert layer.weight_g.shape == ([] if dim is None else [w.shape[dim]])
    np.testing.assert_allclose(layer(x).numpy(), wanted, rtol=1e-9)
    check_gradients(layer, x.numpy())
    layer.weight_g.set_value(layer.weight_g.numpy() * 2)
    np.testing.assert_allclose(layer(x).numpy() - layer.bias.numpy()[:, None, None],
                               2 * (wanted - layer.bias.numpy()[:, None, None]), rtol=1e-9)  # fmt: skip
    with pytest.raises(ValueError, match="computed by a hook"):
        parameter_utils.weight_norm(layer)
    parameter_utils.remove_weight_norm(layer)
    np.testing.assert_allclose(layer.weight.numpy(), 2 * w, rtol=1e-9)
    assert sorted(n for n, _ in layer.named_parameters()) == ["bias", "weight"]
    with pytest.raises(ValueError, match="no weight_norm"):
        parameter_utils.remove_weight_norm(layer)


@pytest.mark.parametrize("kind", [nn.Conv1D, nn.Conv1DTranspose, nn.Conv2D, nn.Conv3D])
@pytest.mark.parametrize("dim", [0, 1])
def test_weight_norm_is_of_all_other_elements(kind: Any, dim: int) -> None:
    layer = kind(2, 3, 3)
    w = layer.weight.numpy()
    parameter_utils.weight_norm(layer, dim=dim)
    others = tuple(k for k in range(w.ndim) if k != dim)
    np.testing.assert_allclose(layer.weight_g.numpy(), np.sqrt((w * w).sum(others)), rtol=1e-5)
    layer(to_tensor(rand(1, 2, *[4] * (w.ndim - 2)).astype("float32")))
    np.testing.assert_allclose(layer.weight.numpy(), w, rtol=1e-5, atol=1e-7)


def test_weight_norm_of_zeros() -> None:
    layer = parameter_utils.weight_norm(nn.Linear(2, 3, weight_attr=nn.initializer.Constant(0.0)))
    np.testing.assert_array_equal(layer(to_tensor(rand(4, 2).astype("float32"))).numpy(), 0.0)


def test_weight_norm_in_a_captured_step() -> None:
    seed(0)
    nets = [parameter_utils.weight_norm(nn.Linear(3, 2))]
    nets.append(parameter_utils.weight_norm(nn.Linear(3, 2)))
    nets[1].set_state_dict({k: v.numpy() for k, v in nets[0].state_dict().items()})
    x = to_tensor(rand(4, 3).astype("float32"))

    def step_of(net: Any) -> Any:
        opt = SGD(0.1, net.parameters())

        def step(x: Any) -> Any:
            loss = (net(x) ** 2).mean()
            loss.backward()
            opt.step()
            opt.clear_grad()
            return loss

        return step

    eager, compiled = step_of(nets[0]), to_static(step_of(nets[1]))
    for _ in range(3):
        np.testing.assert_allclose(float(compiled(x)), float(eager(x)), rtol=1e-5)
    assert float(nets[1](x).sum()) == pytest.approx(float(nets[0](x).sum()), rel=1e-4)
    assert nets[1].weight.numpy().shape == (3, 2)


def test_spectral_norm() -> None:
    seed(0)
    layer = parameter_utils.spectral_norm(nn.Linear(4, 3), n_power_iterations=30)
    x = to_tensor(np.eye(4, dtype="float32"))
    weight = layer.weight_orig.numpy()
    found = layer(x).numpy() - layer.bias.numpy()
    np.testing.assert_allclose(found, weight / np.linalg.svd(weight)[1][0], rtol=1e-4)
    assert sorted(layer.state_dict()) == ["bias", "weight_orig", "weight_u", "weight_v"]
    u = layer.weight_u.numpy()
    layer.eval()
    layer(x)
    np.testing.assert_array_equal(layer.weight_u.numpy(), u)


def with_gradients() -> list[Any]:
    made = [nn.Linear(2, 3).weight, nn.Linear(3, 1).weight, nn.Linear(1, 1).weight]
    for k, p in enumerate(made[:2]):
        p.grad = to_tensor(rand(*p.shape, seed=k).astype("float32"))
    return made


def test_clipping() -> None:
    ps = with_gradients()
    grads = np.concatenate([p.grad.numpy().ravel() for p in ps[:2]])
    total = parameter_utils.clip_grad_norm_(ps, 0.5)
    np.testing.assert_allclose(float(total), np.linalg.norm(grads), rtol=1e-6)
    after = np.concatenate([p.grad.numpy().ravel() for p in ps[:2]])
    np.testing.assert_allclose(after, grads * 0.5 / np.linalg.norm(grads), rtol=1e-4)
    assert float(parameter_utils.clip_grad_norm_(ps, 9.0, float("inf"))) == pytest.approx(abs(after).max())
    parameter_utils.clip_grad_value_(ps, 0.01)
    assert max(abs(p.grad.numpy()).max() for p in ps[:2]) <= 0.01 + 1e-9
    ps[0].grad = to_tensor(np.full((2, 3), np.nan, "float32"))
    with pytest.raises(RuntimeError, match="norm of the gradients"):
        parameter_utils.clip_grad_norm_(ps, 1.0, error_if_nonfinite=True)


@pytest.mark.parametrize("compiles", [lambda fn: fn, vt.to_static])
def test_a_norm_that_is_not_finite_is_an_error_on_request(compiles: Any) -> None:
    net = nn.Linear(2, 1)

    @compiles
    def step(x: Any) -> Any:
        net(x).sum().backward()
        norm = parameter_utils.clip_grad_norm_(net.parameters(), 0.5, error_if_nonfinite=True)
        net.clear_gradients()
        return norm

    assert step(to_tensor([[2.0, 2.0]])).item() == 3.0
    with pytest.raises(NonFiniteError, match="norm of the gradients isn't finite"):
        step(to_tensor([[np.nan, 2.0]]))
    net.clear_gradients()
    assert step(to_tensor([[2.0, 2.0]])).item() == 3.0


def test_parameters_as_a_vector() -> None:
    net = nn.Linear(2, 3)
    flat = parameter_utils.parameters_to_vector(net.parameters())
    assert flat.shape == [9]
    other = copy.deepcopy(net)
    parameter_utils.vector_to_parameters(flat * 2, other.parameters())
    np.testing.assert_allclose(other.weight.numpy(), net.weight.numpy() * 2)
    with pytest.raises(ValueError, match="9 elements"):
        parameter_utils.vector_to_parameters(flat[:3], net.parameters())


def test_initializers_of_filters() -> None:
    same = nn.Conv2D(4, 4, 3, padding=1, groups=2, bias_attr=False, weight_attr=initializer.Dirac(2))
    x = to_tensor(rand(1, 4, 5, 5).astype("float32"))
    np.testing.assert_array_equal(same(x).numpy(), x.numpy())
    larger = nn.Conv2DTranspose(1, 1, 4, stride=2, padding=1, bias_attr=False, weight_attr=initializer.Bilinear())
    y = larger(to_tensor(np.ones((1, 1, 4, 4), "float32"))).numpy()
    np.testing.assert_allclose(y[0, 0, 1:-1, 1:-1], 1.0, rtol=1e-6)
    for wrong in (initializer.Dirac(2), initializer.Bilinear()):
        with pytest.raises(ValueError, match="needs filters"):
            nn.Linear(3, 3, weight_attr=wrong)
    with pytest.raises(ValueError, match="groups"):
        initializer.Dirac(0)


def test_inputs_of_layers_by_name() -> None:
    """As the function names them, or `x` or `input`, eager and compiled."""
    x = to_tensor(rand(1, 2, 4, 4).astype("float32"))
    pool, drop = nn.AdaptiveAvgPool2D(2), nn.ReLU()
    for layer in (pool, drop):
        expected = layer(x).numpy()
        for call in (layer, to_static(layer)):
            np.testing.assert_array_equal(call(x=x).numpy(), expected)
            np.testing.assert_array_equal(call(input=x).numpy(), expected)
    for wrong, message in (
        (lambda: pool(y=x), "no argument 'y'"),
        (lambda: pool(x, x=x), "multiple values"),
    ):
        with pytest.raises(TypeError, match=message):
            wrong()
