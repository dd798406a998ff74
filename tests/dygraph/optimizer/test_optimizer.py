"""Optimizer: what it takes, which parameters it touches, state, errors; small networks that learn."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from vitrify.base.errors import ArgumentError, CaptureError, KindError, MissingError, StateError
from vitrify.dygraph import nn, optimizer
from vitrify.dygraph.call_cache import EAGER
from vitrify.dygraph.conversions import to_tensor
from vitrify.dygraph.eager import EagerInterpreter
from vitrify.dygraph.optimizer import SGD, Adam, AdamW, Lamb, Momentum, lr
from vitrify.dygraph.random_generators import seed
from vitrify.dygraph.serialize import load, save
from vitrify.dygraph.tensor import Parameter
from vitrify.jit import to_static
from vitrify.ops.dispatch import using


def fit(net: nn.Layer, opt: Any, x: Any, y: Any, loss: nn.Layer, steps: int) -> float:
    value = 0.0
    for _ in range(steps):
        out = loss(net(x), y)
        out.backward()
        opt.step()
        opt.clear_grad()
        value = float(out)
    return value


@pytest.mark.parametrize("make", [
    lambda ps: SGD(0.5, ps), lambda ps: Momentum(0.1, 0.9, ps), lambda ps: Adam(0.02, parameters=ps),
    lambda ps: AdamW(0.02, parameters=ps), lambda ps: optimizer.RMSProp(0.01, parameters=ps),
    lambda ps: optimizer.Adagrad(0.1, parameters=ps), lambda ps: Lamb(0.02, parameters=ps),
])  # fmt: skip
def test_a_small_mlp_learns(make: Any) -> None:
    seed(1)
    rng = np.random.default_rng(0)
    x = rng.uniform(-1, 1, (64, 2)).astype("float32")
    y = (x[:, 0] * x[:, 1] > 0).astype("int64")
    net = nn.Sequential(nn.Linear(2, 32), nn.Tanh(), nn.Linear(32, 2))
    assert fit(net, make(net.parameters()), to_tensor(x), to_tensor(y), nn.CrossEntropyLoss(), 300) < 0.2


def test_a_small_convolutional_network_learns() -> None:
    seed(2)
    rng = np.random.default_rng(0)
    label = np.arange(24) % 3
    x = rng.normal(0, 0.3, (24, 1, 8, 8)).astype("float32")
    for k, kind in enumerate(label):
        x[k, 0, (kind * 3) : (kind * 3 + 2)] += 1.0
    net = nn.Sequential(
        nn.Conv2D(1, 4, 3, padding=1), nn.BatchNorm2D(4), nn.ReLU(), nn.MaxPool2D(2), nn.Flatten(), nn.Dropout(0.1),
        nn.Linear(64, 3),
    )  # fmt: skip
    opt = Adam(lr.StepDecay(0.02, 10), parameters=net.parameters(), grad_clip=nn.ClipGradByGlobalNorm(5.0))
    assert fit(net, opt, to_tensor(x), to_tensor(label), nn.CrossEntropyLoss(), 30) < 0.1
    assert (net.eval()(to_tensor(x)).numpy().argmax(1) == label).all()


def test_parameters_without_gradient_are_left_alone() -> None:
    a, frozen, unused = Parameter([1.0]), Parameter([1.0], trainable=False), Parameter([1.0])
    a.grad = to_tensor([1.0])
    opt = Momentum(0.5, 0.9, [a, frozen, unused])
    opt.step()
    assert [p.item() for p in (a, frozen, unused)] == [0.5, 1.0, 1.0]
    assert list(opt._accumulators["velocity"]) == [id(a)]


def test_a_cleared_gradient_is_a_zero_that_is_not_made() -> None:
    a = Parameter([1.0])
    a.grad = to_tensor([1.0])
    opt = Momentum(0.5, 0.5, [a])
    opt.step()
    opt.clear_grad()
    opt.step()  # the gradient is zero: the velocity goes on
    assert a._grad is None
    assert a._grad_is_zero
    np.testing.assert_allclose(a.item(), 0.25)
    opt.zero_grad()
    opt.step()
    np.testing.assert_allclose(a.item(), 0.25)


def test_the_update_is_in_place_and_unrecorded() -> None:
    w = Parameter([1.0, 2.0])
    memory = w._storage.payload
    (w * w).sum().backward()
    Adam(0.1, parameters=[w]).step()
    assert w._storage.payload is memory
    assert w.is_leaf
    assert not w.stop_gradient


def test_learning_rate_is_a_tensor_that_follows() -> None:
    w = Parameter([0.0])
    opt = SGD(0.5, [w])
    tensor = opt._lr_tensor
    assert (tensor.shape, tensor.dtype.name, opt.get_lr()) == ([], "float32", 0.5)
    opt.set_lr(0.25)
    assert (opt._lr_tensor is tensor, tensor.item(), opt.get_lr()) == (True, 0.25, 0.25)
    schedule = lr.ExponentialDecay(1.0, 0.5)
    opt.set_lr_scheduler(schedule)
    schedule.step()
    assert (tensor.item(), opt.get_lr()) == (0.5, 0.5)
    with pytest.raises(RuntimeError, match="set by a scheduler"):
        opt.set_lr(1.0)
    other = lr.StepDecay(0.125, 3)
    opt.set_lr_scheduler(other)
    schedule.step()
    assert tensor.item() == 0.125
    assert SGD(0.1, [Parameter([1.0], "float64")])._lr_tensor.dtype.name == "float64"


def test_accumulators_are_made_eagerly_inside_another_interpreter() -> None:
    class Tracing(EagerInterpreter):
        def constant(self, data: Any, dtype: Any) -> Any:
            raise AssertionError("an accumulator must not be made by the tracer")

    w = Parameter([1.0])
    opt = Adam(0.1, parameters=[w])
    with using(Tracing()):
        made = [opt._accumulator(n, w, **t) for n, t in opt._accumulator_types(w).items()]
    assert [m.tolist() for m in made] == [[0], [0], 1, 1]
    assert all(isinstance(m._storage.payload, np.ndarray) for m in made)


def test_schedules_are_not_moved_inside_a_captured_function() -> None:
    schedule = lr.StepDecay(0.1, 2)
    opt = SGD(0.1, [Parameter([1.0])])
    with using(EagerInterpreter()):
        with pytest.raises(CaptureError, match="inside a captured function"):
            schedule.step()
        with pytest.raises(CaptureError):
            opt.set_lr(0.5)
    with using(EAGER):
        schedule.step()
    assert (schedule.last_epoch, opt.get_lr()) == (1, 0.1)


def test_what_is_refused_inside_a_compiled_function_is_said() -> None:
    parameter = Parameter([1.0])
    opt = SGD(0.1, [parameter])

    def made(x: Any) -> Any:
        Adam(0.1, parameters=[parameter])
        return x

    def scheduled(x: Any) -> Any:
        opt.set_lr_scheduler(lr.StepDecay(0.1, 2))
        return x

    with pytest.raises(CaptureError, match="Adam was made inside a captured function") as caught:
        to_static(made)(to_tensor([1.0]))
    assert "outside" in (caught.value.remedy or "")
    with pytest.raises(CaptureError, match="the learning rate was changed inside a captured function") as caught:
        to_static(scheduled)(to_tensor([1.0]))
    assert "scheduler" in (caught.value.remedy or "")
    assert opt.get_lr() == 0.1


def net_and_optimizer() -> tuple[nn.Layer, Adam]:
    net = nn.Linear(2, 2)
    return net, Adam(lr.ExponentialDecay(0.1, 0.9), parameters=net.parameters())


def some_steps(net: nn.Layer, opt: Adam, count: int) -> None:
    for _ in range(count):
        (net(to_tensor([[1.0, 2.0]])) ** 2).sum().backward()
        opt.step()
        opt.clear_grad()
        opt._learning_rate.step()  # type: ignore[union-attr]


def test_state_goes_through_a_file(tmp_path: Path) -> None:
    net, opt = net_and_optimizer()
    some_steps(net, opt, 3)
    assert f"{net.weight.name}_moment1_0" in opt.state_dict()
    save(opt.state_dict(), tmp_path / "a.pdopt")
    twin, fresh = net_and_optimizer()  # other names: matched by order
    twin.set_state_dict(net.state_dict())
    fresh.set_state_dict(load(tmp_path / "a.pdopt"))
    assert fresh.get_lr() == opt.get_lr()
    some_steps(net, opt, 2)
    some_steps(twin, fresh, 2)
    np.testing.assert_array_equal(net.weight.numpy(), twin.weight.numpy())


def test_a_state_that_does_not_fit_changes_nothing() -> None:
    net, opt = net_and_optimizer()
    some_steps(net, opt, 1)
    before = opt.state_dict()[f"{net.weight.name}_moment1_0"].numpy()
    good = {k: v.numpy() * 2 if hasattr(v, "numpy") else v for k, v in opt.state_dict().items()}
    name = f"{net.bias.name}_moment2_0"
    with pytest.raises(StateError, match=r"is \[5\], the optimiser needs \[2\]"):
        opt.set_state_dict(good | {name: np.zeros(5, "float32")})
    with pytest.raises(StateError, match="belongs to no parameter"):
        opt.set_state_dict(good | {"other_moment1_0": np.zeros(2)})
    with pytest.raises(StateError, match="state is of 1 parameters, the optimiser has 2"):
        opt.set_state_dict({"parameter_names": ["other"]})
    np.testing.assert_array_equal(opt.state_dict()[f"{net.weight.name}_moment1_0"].numpy(), before)


def test_minimize_backward_and_apply() -> None:
    w, v = Parameter([1.0]), Parameter([1.0])
    opt = SGD(0.5, [w, v])
    loss = (w * 2.0 + v).sum()
    pairs = opt.backward(loss)
    assert [g.item() for _, g in pairs] == [2.0, 1.0]
    assert opt.minimize(loss)[0] == []
    assert (w.item(), v.item()) == (0.0, 0.5)
    opt.minimize(loss, no_grad_set={v.name})
    assert (w.item(), v.item()) == (-1.0, 0.5)
    opt.apply_gradients([(v, to_tensor([1.0]))])
    assert v.item() == 0.0
    with pytest.raises(ArgumentError, match="aren't the optimiser's"):
        opt.apply_gradients([(Parameter([1.0]), to_tensor([1.0]))])
    with pytest.raises(KindError, match="needs a loss Tensor"):
        opt.minimize(3)


def test_errors() -> None:
    w = Parameter([1.0])
    cases: list[tuple[Any, type[Exception], type[Exception], str]] = [
        (lambda: SGD(0.1), MissingError, AttributeError, "needs its parameters"),
        (lambda: SGD(0.1, w), KindError, TypeError, "not a single one"),
        (lambda: SGD(0.1, 3), KindError, TypeError, "must be a list"),
        (lambda: SGD(0.1, [3]), KindError, TypeError, "must be Tensors"),
        (lambda: SGD(0.1, []), ArgumentError, ValueError, "is empty"),
        (lambda: SGD(0.1, [w, w]), ArgumentError, ValueError, "twice"),
        (lambda: SGD(0.1, [w * 2.0]), ArgumentError, ValueError, "only leaf tensors"),
        (lambda: SGD("fast", [w]), KindError, TypeError, "learning_rate must be a number"),
        (lambda: SGD(0.1, [w], weight_decay="much"), KindError, TypeError, "weight_decay must be"),
        (lambda: SGD(0.1, [w], grad_clip=3), KindError, TypeError, "grad_clip must be"),
        (lambda: SGD(0.1, [{"params": [w]}, w]), KindError, TypeError, "dicts with an entry 'params'"),
        (lambda: SGD(0.1, [{"params": [w], "beta1": 1}]), ArgumentError, ValueError, "no option beta1"),
        (lambda: Adam(0.1, beta1=1.0, parameters=[w]), ArgumentError, ValueError, "beta1 must be"),
        (lambda: Adam(0.1, beta2="x", parameters=[w]), KindError, TypeError, "beta2 must be"),
        (lambda: AdamW(0.1, parameters=[w], weight_decay=None), KindError, TypeError, "weight_decay of AdamW"),
        (lambda: AdamW(0.1, parameters=[w], lr_ratio=3), KindError, TypeError, "lr_ratio must be"),
        (lambda: SGD(0.1, [w]).set_lr_scheduler(0.1), KindError, TypeError, "needs an LRScheduler"),
        (lambda: nn.ClipGradByNorm(0.0), ArgumentError, ValueError, "clip_norm > 0"),
        (lambda: nn.ClipGradByValue(-1.0), ArgumentError, ValueError, "max > 0"),
        (lambda: optimizer.L2Decay(-1.0), ArgumentError, ValueError, "at least 0"),
        (lambda: optimizer.RMSProp(0.1, rho=-1.0, parameters=[w]), ArgumentError, ValueError, "RMSProp needs"),
    ]
    for make, kind, builtin, part in cases:
        with pytest.raises(kind, match=part) as caught:
            make()
        assert isinstance(caught.value, builtin)


def test_repr() -> None:
    assert repr(SGD(0.5, [Parameter([1.0])])) == "SGD(learning_rate=0.5, parameters=1)"
