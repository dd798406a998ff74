"""Ops from outside the package: eager, compiled, differentiated, in static programs, saved and loaded."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify.base.errors import ArgumentError, ArtifactError, GradientError, KindError
from vitrify.ir.walk import walk
from vitrify.jit.custom_ops import unregister_op
from vitrify.ops.op import OPS, OWN_OPS

X = np.array([-2.0, -0.5, 0.0, 0.5, 3.0], "float32")


@pytest.fixture(autouse=True)
def tidy() -> Iterator[None]:
    yield
    for name in list(OWN_OPS):
        unregister_op(name)


def soft_step() -> Any:
    return vt.register_op(
        "soft_step", "math.exp(-{0} * {0}) * {slope} if {0} < 0.0 else 1.0 / (1.0 + {0})", attrs={"slope": 1.0},
        grad=lambda g, y, x, slope: g * vt.where(x < 0.0, -2.0 * x * y, -1.0 / (1.0 + x) ** 2),
        doc="A step with soft sides.",
    )  # fmt: skip


def expected(x: Any, slope: float = 1.0) -> Any:
    x = x.astype("float64")
    return np.where(x < 0, np.exp(-x * x) * slope, 1 / (1 + np.maximum(x, 0)))


def test_it_runs_everywhere(tmp_path: Path) -> None:
    op = soft_step()

    def net(x: Any) -> Any:
        y = op(x * 1.0)
        return (op(y, slope=0.5) + vt.tanh(y)).sum()

    def reference(x: Any) -> Any:
        y = expected(x)
        return (expected(y, 0.5) + np.tanh(y)).sum()

    x = vt.to_tensor(X, stop_gradient=False)
    np.testing.assert_allclose(net(x).numpy(), reference(X), rtol=1e-5)
    net(x).backward()
    by_tape = x.grad.numpy()
    x.clear_grad()
    compiled = vt.jit.to_static(net)
    np.testing.assert_allclose(compiled(x).numpy(), reference(X), rtol=1e-5)
    compiled(x).backward()
    np.testing.assert_allclose(x.grad.numpy(), by_tape, rtol=1e-5)
    assert any("soft_step" in name for name in compiled.kernels)  # it fused with its neighbours
    assert vt.jit.verify(net, x)
    vt.enable_static()
    try:
        main = vt.static.Program()
        with vt.static.program_guard(main):
            a = vt.static.data("a", [5], "float32")
            out = op(a)
        (found,) = vt.static.Executor().run(main, feed={"a": X}, fetch_list=[out])
    finally:
        vt.disable_static()
    np.testing.assert_allclose(found, expected(X), rtol=1e-5)


def test_a_saved_program_names_it_and_loading_asks_for_it(tmp_path: Path) -> None:
    class Net(vt.nn.Layer):
        def forward(self, x: Any) -> Any:
            return OPS["soft_step"](x) * 2.0

    soft_step()
    vt.jit.save(vt.jit.to_static(Net()), str(tmp_path / "net"), input_spec=[vt.static.InputSpec([None], "float32")])
    loaded = vt.jit.load(str(tmp_path / "net"))
    np.testing.assert_allclose(loaded(vt.to_tensor(X)).numpy(), 2 * expected(X), rtol=1e-5)
    unregister_op("soft_step")
    with pytest.raises(ArtifactError, match=r"(?s)there is no op `soft_step`.*vt.register_op"):
        vt.jit.load(str(tmp_path / "net"))


def test_an_op_of_arrays_runs_on_numpy_in_programs() -> None:
    op = vt.register_op(
        "sorted_rows", operands="x", eager=lambda x: np.sort(x, axis=-1), infer=lambda x: x, grad=None,
        doc="Every row in order.",
    )  # fmt: skip
    x = np.array([[3.0, 1.0], [2.0, 5.0]], "float32")
    compiled = vt.jit.to_static(lambda x: op(x) + 1.0)
    np.testing.assert_array_equal(compiled(vt.to_tensor(x)).numpy(), np.sort(x, axis=-1) + 1)
    assert op(vt.to_tensor(x, stop_gradient=False)).stop_gradient


def test_two_operands_broadcast_and_numbers_are_taken() -> None:
    op = vt.register_op(
        "leaning", "{0} if abs({0}) > {1} and not {1} < 0 else {0} * 0.1", operands="x y",
        grad=lambda g, y, a, b: (g * vt.where((vt.abs(a) > b) & (b >= 0), vt.ones_like(y), vt.full_like(y, 0.1)), None),
    )  # fmt: skip
    x = vt.to_tensor(X, stop_gradient=False)
    compiled = vt.jit.to_static(lambda x: op(x, 1.0))
    for run in (compiled, lambda x: op(x, 1.0)):
        np.testing.assert_allclose(run(x).numpy(), np.where(np.abs(X) > 1, X, X * np.float32(0.1)), rtol=1e-6)
    op(x.reshape([5, 1]), vt.to_tensor([1.0, 0.25])).sum().backward()
    np.testing.assert_allclose(x.grad.numpy(), [2.0, 1.1, 0.2, 1.1, 2.0], rtol=1e-6)


@pytest.mark.parametrize(
    ("arguments", "error", "said"),
    [
        ({"name": "tanh", "scalar": "{0}"}, ArgumentError, "there is an op 'tanh' already"),
        ({"name": "mul", "scalar": "{0}"}, ArgumentError, "there is an op 'mul' already"),
        ({"name": "No", "scalar": "{0}"}, ArgumentError, "can't name an op"),
        ({"name": 3, "scalar": "{0}"}, KindError, "is a str"),
        ({"name": "own", "scalar": "{0} +"}, ArgumentError, "isn't an expression"),
        ({"name": "own", "scalar": "{1}"}, ArgumentError, "there are {0}, {T}"),
        ({"name": "own", "scalar": "{0} * {slope}"}, ArgumentError, "has {slope}"),
        ({"name": "own", "scalar": "open({0})"}, ArgumentError, "'open' can't stand"),
        ({"name": "own", "scalar": "math.gamma({0})"}, ArgumentError, "math.gamma"),
        ({"name": "own", "scalar": "[{0}]"}, ArgumentError, "can't stand"),
        ({"name": "own"}, ArgumentError, "needs a scalar expression"),
        ({"name": "own", "scalar": "{0} * 2.0", "eager": lambda x: x * 2.5}, ArgumentError, "by the scalar expression"),
        ({"name": "own", "scalar": "{0} * 2.0", "grad": lambda g, y, x: g}, GradientError, "ratio 0.5"),
        ({"name": "own", "scalar": "{0} * {1}", "operands": "x y", "grad": lambda g, y, a, b: g}, GradientError,
         "1 gradients for 2 operands"),
    ],
)  # fmt: skip
def test_mistakes_are_named_and_leave_the_table_alone(
    arguments: dict[str, Any], error: type[Exception], said: str
) -> None:  # fmt: skip
    before = dict(OPS)
    with pytest.raises(error) as caught:
        vt.register_op(**{"grad": None} | arguments)
    assert said in str(caught.value)
    assert before == OPS


def test_an_op_of_ones_own_may_be_replaced() -> None:
    vt.register_op("own", "{0} * 2.0", grad=lambda g, y, x: g * 2.0)
    with pytest.raises(ArgumentError, match="replace=True"):
        vt.register_op("own", "{0} * 3.0", grad=lambda g, y, x: g * 3.0)
    second = vt.register_op("own", "{0} * 3.0", grad=lambda g, y, x: g * 3.0, replace=True)
    assert second(vt.to_tensor(2.0)).item() == 6.0
    with pytest.raises(GradientError):
        vt.register_op("own", "{0} * 3.0", grad=lambda g, y, x: g, replace=True)
    assert OPS["own"] is second
    with pytest.raises(ArgumentError, match="no op that register_op made"):
        unregister_op("tanh")


def test_its_gradient_keeps_its_own_lines() -> None:
    op = soft_step()

    @vt.to_static
    def slopes(x: Any) -> Any:
        vt.tanh(op(x)).sum().backward()
        return x.grad

    slopes(vt.to_tensor(X, stop_gradient=False))
    lines: dict[str, set[int]] = {"soft_step": set(), "tanh": set()}
    for operation in walk(slopes.concrete_trace(None).program.body):
        served = operation.loc.purpose
        if served is not None and served.of in lines:
            lines[served.of].add(operation.loc.line)
    rule = soft_step.__code__.co_firstlineno + 3
    backward = slopes.__wrapped__.__code__.co_firstlineno + 2
    assert lines["soft_step"] == {rule}
    assert lines["tanh"] == {backward}
