"""The forms of to_static and its switches."""

from __future__ import annotations

import textwrap
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify import nn


def x() -> Any:
    return vt.to_tensor([1.0, 2.0])


def double(t: Any) -> Any:
    return t * 2


def test_decorator_with_and_without_arguments() -> None:
    @vt.to_static
    def f(t: Any) -> Any:
        """Doc."""
        return double(t)

    @vt.to_static(
        input_spec=[vt.InputSpec([None])], full_graph=True, build_strategy=vt.static.BuildStrategy(), backend=None
    )
    def g(t: Any) -> Any:
        return double(t)

    assert f(x()).tolist() == g(x()).tolist() == [2, 4]
    assert (f.__name__, f.__doc__) == ("f", "Doc.")
    assert isinstance(f, vt.jit.StaticFunction)


def test_wrong_options() -> None:
    with pytest.raises(ValueError, match="unknown backend 'xla'"):
        vt.to_static(double, backend="xla")
    with pytest.raises(ValueError, match="unknown fallback"):
        vt.to_static(double, fallback="never")
    with pytest.raises(ValueError, match="no option 'inputs'"):
        vt.to_static(double, inputs=[])
    with pytest.raises(TypeError, match="not int"):
        vt.to_static(3)
    with pytest.raises(TypeError, match="the class Linear"):
        vt.to_static(nn.Linear)


def test_a_layer_is_returned_with_another_forward() -> None:
    layer = nn.Linear(2, 2)
    original = layer.forward
    assert vt.to_static(layer) is layer
    assert isinstance(layer.forward, vt.jit.StaticFunction)
    assert layer(x().reshape([1, 2])).shape == [1, 2]
    assert layer.state_dict().keys() == {"weight", "bias"}
    with pytest.warns(UserWarning, match="compiled already"):
        vt.to_static(layer)
    assert layer.forward.rollback() == original
    assert not isinstance(layer.forward, vt.jit.StaticFunction)


def test_bound_methods_and_callable_objects() -> None:
    class Scaler:
        k = 3.0

        def scale(self, t: Any) -> Any:
            return t * self.k

        def __call__(self, t: Any) -> Any:
            return t + self.k

    assert vt.to_static(Scaler().scale)(x()).tolist() == [3, 6]
    assert vt.to_static(Scaler())(x()).tolist() == [4, 5]


def test_static_methods() -> None:
    class Tools:
        @vt.to_static
        @staticmethod
        def twice(t: Any) -> Any:
            return t * 2

    assert Tools.twice(x()).tolist() == [2, 4]


def test_property_is_left_alone() -> None:
    assert vt.to_static(double, property=True) is double


def test_recompiling_warns_and_starts_anew() -> None:
    f = vt.to_static(double)
    f(x())
    with pytest.warns(UserWarning, match="compiled already"):
        g = vt.to_static(f)
    assert g.get_traced_count() == 0
    assert f.dygraph_function is double


def test_what_cannot_be_captured_is_an_error_unless_eager_is_asked_for() -> None:
    def f(t: Any) -> Any:
        return t * float(np.cbrt(t.numpy()).sum())

    with pytest.raises(vt.errors.CaptureError, match="numpy"):
        vt.to_static(f)(x())
    g = vt.to_static(f, fallback="eager")
    with pytest.warns(UserWarning, match="runs uncompiled"):
        assert g(x()).tolist() == f(x()).tolist()
    assert g(x()).tolist() == f(x()).tolist()
    assert "runs uncompiled, because" in g.explain()


def test_generators_are_refused() -> None:
    @vt.to_static
    def f(t: Any) -> Any:
        yield t

    with pytest.raises(vt.errors.CaptureError, match=r"generator|yield"):
        f(x())


def test_switching_compiling_off() -> None:
    f = vt.to_static(double)
    f(x())
    vt.jit.enable_to_static(False)
    try:
        with pytest.warns(UserWarning, match="enable_to_static"):
            assert f(x()).tolist() == [2, 4]
        assert f(x()).tolist() == [2, 4]
        with pytest.raises(RuntimeError, match="enable_to_static"):
            vt.jit.save(f, "never")
    finally:
        vt.jit.enable_to_static(True)
    with pytest.raises(TypeError, match="True or False"):
        vt.jit.enable_to_static(1)  # type: ignore[arg-type]


def test_not_to_static_keeps_pythons_control_flow() -> None:
    seen: list[str] = []

    @vt.not_to_static
    def helper(t: Any) -> Any:
        seen.append("ran")
        return t + 1

    f = vt.to_static(lambda t: helper(t) * 2)
    assert f(x()).tolist() == [4, 6]
    assert f(x()).tolist() == [4, 6]
    with pytest.raises(TypeError, match="takes a function"):
        vt.not_to_static(3)  # type: ignore[call-overload]


def test_ignored_modules() -> None:
    vt.ignore_module([textwrap])
    assert vt.jit.dy2static.convert_call_func.BUILTIN_LIKELY_MODULES[-1] is textwrap
    with pytest.raises(TypeError, match="takes modules"):
        vt.ignore_module(["textwrap"])  # type: ignore[list-item]
