"""Mixed precision: which ops run in which dtype, eagerly and captured; the scaler of losses."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify.base.errors import ArgumentError, KindError, StateError

pytestmark = pytest.mark.needs("ml_dtypes")

X = np.random.default_rng(0).normal(size=(4, 3)).astype("float32")


@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
@pytest.mark.parametrize(
    ("name", "fn", "short"),
    [
        ("matmul", lambda x: x @ x.T, True), ("add", lambda x: x + x, False), ("exp", lambda x: vt.exp(x @ x.T), False),
        ("relu", lambda x: vt.nn.functional.relu(x @ x.T), True), ("mixed", lambda x: x @ x.T + x.sum(), False),
        ("softmax", lambda x: vt.nn.functional.softmax(x @ x.T), False), ("int", lambda x: vt.argmax(x), None),
        ("conv", lambda x: vt.nn.functional.conv2d(x.reshape([1, 1, 4, 3]), vt.ones([1, 1, 2, 2])), True),
    ],
)  # fmt: skip
def test_dtypes_inside_auto_cast(dtype: str, name: str, fn: Any, short: bool | None) -> None:
    x = vt.to_tensor(X)
    with vt.amp.auto_cast(dtype=dtype):
        y = fn(x)
        compiled = vt.to_static(fn)(x)
    if short is not None:
        assert y.dtype == (dtype if short else "float32")
    assert compiled.dtype is y.dtype
    wide = fn(x).astype("float32").numpy()
    for made in (y, compiled):
        np.testing.assert_allclose(made.astype("float32").numpy(), wide, rtol=0.1, atol=0.1)


def test_a_captured_function_knows_its_mode() -> None:
    product = vt.to_static(lambda x: x @ x.T)
    x = vt.to_tensor(X)
    for _ in range(2):
        assert product(x).dtype == "float32"
        with vt.amp.auto_cast(dtype="bfloat16"):
            assert product(x).dtype == "bfloat16"
            with vt.amp.auto_cast(enable=False):
                assert product(x).dtype == "float32"


def test_auto_cast_inside_a_captured_function() -> None:
    @vt.to_static
    def f(x: Any) -> Any:
        with vt.amp.auto_cast(dtype="bfloat16"):
            y = x @ x.T
        return y, x @ x.T

    short, wide = f(vt.to_tensor(X))
    assert (short.dtype.name, wide.dtype.name) == ("bfloat16", "float32")


def test_the_lists_name_rows() -> None:
    from vitrify.ops.op import OPS

    assert vt.amp.white_list() | vt.amp.black_list() <= set(OPS)


@pytest.mark.parametrize("dtype", ["float16", "bfloat16"])
def test_normalisation_keeps_short_inputs_short_and_statistics_wide(dtype: str) -> None:
    images = np.random.default_rng(1).normal(3.0, 2.0, (8, 4, 5, 5)).astype("float32")
    for layer in (vt.nn.BatchNorm2D(4), vt.nn.GroupNorm(2, 4), vt.nn.InstanceNorm2D(4), vt.nn.LayerNorm([5, 5])):
        x = vt.to_tensor(images)
        y = layer(x.astype(dtype))
        assert y.dtype == dtype
        np.testing.assert_allclose(y.astype("float32").numpy(), layer(x).numpy(), atol=0.05)
        assert all(b.dtype.name == "float32" for b in layer.buffers())


def test_lists_of_ones_own() -> None:
    x = vt.to_tensor(X)
    with vt.amp.auto_cast(custom_white_list={"elementwise_add"}, custom_black_list=["matmul_v2"]):
        assert ((x + x).dtype.name, (x @ x.T).dtype.name) == ("float16", "float32")
    with vt.amp.auto_cast(level="O0"):
        assert (x @ x.T).dtype.name == "float32"


@pytest.mark.parametrize("level", ["O1", "O2"])
@pytest.mark.parametrize("compiled", [False, True], ids=["eager", "compiled"])
def test_training_reaches_the_float32_loss(level: str, compiled: bool) -> None:
    def losses(mixed: bool) -> list[float]:
        vt.seed(3)
        model = vt.nn.Sequential(vt.nn.Linear(3, 16), vt.nn.Tanh(), vt.nn.Linear(16, 1))
        optimizer = vt.optimizer.Adam(0.02, parameters=model.parameters())
        scaler = vt.amp.GradScaler(enable=mixed, init_loss_scaling=1024.0)
        if mixed:
            model, optimizer = vt.amp.decorate(model, optimizer, level, "bfloat16")
        x, y = vt.to_tensor(X), vt.to_tensor(X.sum(1, keepdims=True))

        def step() -> Any:
            with vt.amp.auto_cast(mixed, level=level, dtype="bfloat16"):
                made = model(x if level == "O1" or not mixed else x.astype("bfloat16"))
                loss = vt.nn.functional.mse_loss(made.astype("float32"), y)
            scaler.scale(loss).backward()
            scaler.step(optimizer)
            scaler.update()
            optimizer.clear_grad()
            return loss

        run = vt.to_static(step) if compiled else step
        return [float(run()) for _ in range(30)]

    mixed, plain = losses(True), losses(False)
    assert mixed[-1] < mixed[0] / 2
    assert mixed[-1] == pytest.approx(plain[-1], rel=0.3, abs=0.05)


def test_decorate_leaves_normalisation_and_what_is_excluded() -> None:
    model = vt.nn.Sequential(vt.nn.Linear(3, 4), vt.nn.LayerNorm(4), vt.nn.Linear(4, 1))
    made = vt.amp.decorate(model, level="O2", dtype="float16", excluded_layers=[model[2]])
    assert made is model
    assert [p.dtype.name for p in model.parameters()] == ["float16"] * 2 + ["float32"] * 4


def parameter() -> Any:
    return vt.create_parameter([2], "float32", default_initializer=vt.nn.initializer.Constant(1.0))


@pytest.mark.parametrize("compiled", [False, True], ids=["eager", "compiled"])
@pytest.mark.parametrize("optimizer", ["SGD", "Adam", "Momentum"])
def test_a_step_with_infinite_gradients_is_left_out(compiled: bool, optimizer: str) -> None:
    p = parameter()
    opt = getattr(vt.optimizer, optimizer)(0.1, parameters=[p])
    scaler = vt.amp.GradScaler(init_loss_scaling=8.0, incr_every_n_steps=2, decr_every_n_nan_or_inf=1)

    def step(factor: Any) -> None:
        scaler.scale((p * factor).sum()).backward()
        scaler.step(opt)
        scaler.update()
        opt.clear_grad()

    run = vt.to_static(step) if compiled else step
    run(vt.to_tensor([1.0, 2.0]))
    first = p.numpy()
    assert (first < 1.0).all()
    run(vt.to_tensor([1.0, np.inf]))
    np.testing.assert_array_equal(p.numpy(), first)
    assert scaler.state_dict()["scale"].tolist() == [4.0]
    run(vt.to_tensor([1.0, 2.0]))
    run(vt.to_tensor([1.0, 2.0]))
    assert (p.numpy() < first).all()
    assert scaler.state_dict()["scale"].tolist() == [8.0]


@pytest.mark.parametrize("compiled", [False, True], ids=["eager", "compiled"])
def test_finite_gradients_of_one_optimizer_do_not_hide_infinite_ones_of_another(compiled: bool) -> None:
    first, second = parameter(), parameter()
    optimizers = [vt.optimizer.SGD(0.1, parameters=[p]) for p in (first, second)]
    scaler = vt.amp.GradScaler(init_loss_scaling=8.0)

    def step(factor: Any) -> None:
        scaler.scale((first * factor).sum() + second.sum()).backward()
        for opt in optimizers:
            scaler.unscale_(opt)
        for opt in optimizers:
            scaler.step(opt)
        scaler.update()
        for opt in optimizers:
            opt.clear_grad()

    run = vt.to_static(step) if compiled else step
    run(vt.to_tensor([np.inf, 1.0]))
    assert first.tolist() == [1.0, 1.0]
    assert scaler.state_dict()["scale"].tolist() == [4.0]
    run(vt.to_tensor([2.0, 1.0]))
    np.testing.assert_allclose(first.numpy(), [0.8, 0.9], rtol=1e-6)


def test_gradients_are_unscaled_once() -> None:
    p = parameter()
    opt = vt.optimizer.SGD(0.5, parameters=[p])
    scaler = vt.amp.GradScaler(init_loss_scaling=16.0)
    scaled = scaler.scale((p * p).sum())
    scaled.backward()
    scaler.unscale_(opt)
    assert p.grad.tolist() == [2.0, 2.0]
    with pytest.raises(StateError, match="twice"):
        scaler.unscale_(opt)
    operations, pairs = scaler.minimize(opt, scaled)
    assert operations == [] and [(q is p, g.tolist()) for q, g in pairs] == [(True, [2.0, 2.0])]
    assert p.tolist() == [0.0, 0.0]
    p.grad = vt.to_tensor([np.inf, 1.0])
    assert scaler.minimize(opt, scaled)[0] == [] and p.tolist() == [0.0, 0.0]


def test_the_scalers_state_goes_on() -> None:
    one, other = vt.amp.GradScaler(init_loss_scaling=32.0, incr_ratio=3.0), vt.amp.GradScaler()
    other.load_state_dict(one.state_dict())
    assert other.state_dict() == one.state_dict()
    assert vt.amp.GradScaler(enable=False).state_dict() == {}
    assert float(vt.amp.GradScaler(enable=False).scale(vt.to_tensor(2.0))) == 2.0


@pytest.mark.parametrize(
    ("call", "error", "said"),
    [
        (lambda: vt.amp.auto_cast(level="O3").__enter__(), ArgumentError, "level"),
        (lambda: vt.amp.auto_cast(dtype="float32").__enter__(), ArgumentError, "float16 or bfloat16"),
        (lambda: vt.amp.auto_cast(custom_white_list="exp").__enter__(), KindError, "list or set"),
        (
            lambda: vt.amp.auto_cast(custom_white_list=["exp"], custom_black_list=["exp"]).__enter__(),
            ArgumentError,
            "both",
        ),
        (lambda: vt.amp.decorate(vt.nn.Linear(1, 1), level="O0"), ArgumentError, "level"),
        (lambda: vt.amp.GradScaler(incr_ratio=1.0), ArgumentError, "incr_ratio"),
        (lambda: vt.amp.GradScaler(decr_ratio=2.0), ArgumentError, "decr_ratio"),
    ],
)
def test_mistakes_are_named(call: Any, error: type[Exception], said: str) -> None:
    with pytest.raises(error, match=said):
        call()
