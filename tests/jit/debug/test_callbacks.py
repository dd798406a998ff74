"""Wrong PyLayers are found, and named with the input and the ratio."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify.autograd import PyLayer
from vitrify.base.errors import CallbackError


class Right(PyLayer):
    @staticmethod
    def forward(ctx: Any, x: Any, y: Any) -> Any:
        ctx.save_for_backward(x, y)
        return x * x * y

    @staticmethod
    def backward(ctx: Any, g: Any) -> Any:
        x, y = ctx.saved_tensor()
        return g * 2.0 * x * y, g * x * x


class WrongGradient(Right):
    @staticmethod
    def backward(ctx: Any, g: Any) -> Any:
        x, y = ctx.saved_tensor()
        return g * 2.0 * x * y, g * x * x * 3.0


class Changing(Right):
    @staticmethod
    def forward(ctx: Any, x: Any, y: Any) -> Any:
        ctx.save_for_backward(x, y)
        result = x * x * y
        x.set_value(x.numpy() * 2.0)
        return result


class Counting(Right):
    calls = 0

    @staticmethod
    def forward(ctx: Any, x: Any, y: Any) -> Any:
        ctx.save_for_backward(x, y)
        Counting.calls += 1
        return x * x * y + float(Counting.calls)


class SpoilingGradients(Right):
    @staticmethod
    def backward(ctx: Any, g: Any) -> Any:
        x, y = ctx.saved_tensor()
        grads = g * 2.0 * x * y, g * x * x
        g.set_value(np.zeros(g.shape, str(g.numpy().dtype)))
        return grads


class WithoutGradient(Right):
    @staticmethod
    def backward(ctx: Any, g: Any) -> Any:
        x, y = ctx.saved_tensor()
        return g * 2.0 * x * y, None


class Failing(Right):
    @staticmethod
    def backward(ctx: Any, g: Any) -> Any:
        raise KeyError("lost")


def called(layer: Any) -> Any:
    def through(x: Any, y: Any) -> Any:
        for _ in range(2):
            x = layer.apply(x, y)
        return x

    return through


def inputs() -> tuple[Any, Any]:
    x = vt.to_tensor([[1.0, -2.0], [0.5, 3.0]], stop_gradient=False)
    return x, vt.to_tensor([[0.25, 1.0], [2.0, -1.0]], stop_gradient=False)


@pytest.mark.parametrize(
    ("layer", "kind", "operand", "said"),
    [
        (WrongGradient, "gradient", 1, "ratio 3"),
        (WithoutGradient, "gradient", 1, "ratio"),
        (Changing, "mutation", 0, "forward changes input 0"),
        (Counting, "determinism", None, "something else for the same inputs"),
        (SpoilingGradients, "mutation", 0, "backward changes incoming gradient 0"),
        (Failing, "failure", None, "lost"),
    ],
)
def test_what_is_wrong_is_named(layer: Any, kind: str, operand: int | None, said: str) -> None:
    x, y = inputs()
    before = x.numpy().copy()
    found = vt.jit.check_callbacks(called(layer), x, y)
    assert not found
    assert found.checked == [layer.__name__]
    finding = found.findings[0]
    assert (finding.kind, finding.operand) == (kind, operand)
    assert said in str(found)
    assert finding.loc.text() == "x = layer.apply(x, y)"
    np.testing.assert_array_equal(x.numpy(), before)
    with pytest.raises(CallbackError, match=layer.__name__):
        found.raise_for_findings()


def test_a_right_layer_passes_compiled_or_not() -> None:
    x, y = inputs()
    found = vt.jit.check_callbacks(vt.jit.to_static(called(Right)), x, y)
    assert found
    assert found.checked == ["Right"]
    found.raise_for_findings()


def test_the_ratio_is_given() -> None:
    ratio = vt.jit.check_callbacks(called(WrongGradient), *inputs()).findings[0].ratio
    assert ratio == pytest.approx(3.0, rel=1e-3)


def test_a_layer_of_float32_alone_is_tried_in_float32() -> None:
    class Single(PyLayer):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            assert x.dtype == vt.float32
            return x * 3.0

        @staticmethod
        def backward(ctx: Any, g: Any) -> Any:
            return g * 2.0

    found = vt.jit.check_callbacks(lambda x: Single.apply(x), inputs()[0])
    assert found.findings[0].ratio == pytest.approx(2 / 3, rel=1e-2)


def test_py_func_is_tried_too() -> None:
    def cube(x: Any) -> Any:
        return x.numpy() ** 3

    def wrong(x: Any, y: Any, g: Any) -> Any:
        return g.numpy() * 3.0 * x.numpy()

    def through(x: Any) -> Any:
        out = vt.zeros([2, 2])
        return vt.static.py_func(cube, x, out, backward_func=wrong)

    found = vt.jit.check_callbacks(through, inputs()[0])
    assert found.checked == ["cube"]
    assert found.findings[0].kind == "gradient"
