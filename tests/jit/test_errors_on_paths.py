"""Errors of operations on one of several paths: they come when that path runs, as in eager mode."""

from __future__ import annotations

import math
import re
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import vitrify as vt
from vitrify.errors import ArgumentError, AxisError, ShapeError, SubscriptError, VitrifyError


def several_truths(x: Any) -> Any:
    if x.sum() > 0:
        if vt.ones([3]) * x.sum() < 2:
            x = x * 2
    else:
        x = x + 1
    return x


def shapes(x: Any) -> Any:
    return x @ vt.ones([5, 2]) if x.sum() > 0 else x


def an_axis(x: Any) -> Any:
    if x.sum() > 0:
        return x.sum(3)
    return x


def a_kind(x: Any) -> Any:
    if x.sum() > 0:
        vt.nn.Linear(2, 2)(x, x, x)
    return x


def a_dtype(x: Any) -> Any:
    if x.sum() > 0:
        x = vt.ones([2])[x]
    return x


CASES = [
    (several_truths, ArgumentError), (shapes, ShapeError), (an_axis, AxisError), (a_dtype, SubscriptError),
]  # fmt: skip


@pytest.mark.parametrize(("fn", "kind"), CASES, ids=lambda v: v.__name__)
def test_only_the_path_that_runs_fails(fn: Callable[[Any], Any], kind: type[VitrifyError]) -> None:
    compiled = vt.to_static(fn)
    bad, good = vt.to_tensor([1.0, 2.0]), vt.to_tensor([-1.0, -2.0])
    for _ in range(2):
        assert compiled(good).tolist() == fn(good).tolist()
        with pytest.raises(kind) as caught:
            compiled(bad)
        assert type(caught.value) is kind
        assert f"--> {Path(__file__).name}" in str(caught.value)
    assert compiled.get_traced_count() == 1


def test_the_only_path_fails_at_once() -> None:
    compiled = vt.to_static(lambda x: x @ vt.ones([5, 2]), input_spec=[vt.InputSpec([2], "float32")])
    with pytest.raises(ShapeError):
        compiled.concrete_program


def test_python_s_own_error_keeps_its_class() -> None:
    compiled = vt.to_static(a_kind)
    assert compiled(vt.to_tensor([-1.0, -2.0])).tolist() == [-1, -2]
    with pytest.raises(TypeError, match="argument"):
        compiled(vt.to_tensor([1.0, 2.0]))


def test_saved(tmp_path: Path) -> None:
    fn = vt.to_static(shapes, input_spec=[vt.InputSpec([2], "float32")])
    vt.jit.save(fn, str(tmp_path / "m"))
    loaded = vt.jit.load(str(tmp_path / "m"))
    assert loaded(vt.to_tensor([-1.0, -2.0])).tolist() == [-1, -2]
    with pytest.raises(ShapeError, match="2 columns against 5 rows") as caught:
        loaded(vt.to_tensor([1.0, 2.0]))
    assert caught.value.remedy


@pytest.mark.parametrize(
    "compute",
    [
        lambda t: math.log(t), lambda t: math.sqrt(t - 1), lambda t: math.ceil(t / 1 - math.inf + math.inf),
        lambda t: math.exp(1000 + t), lambda t: math.acos(t + 2),
    ],
)  # fmt: skip
def test_errors_of_math_stay_on_their_path(compute: Callable[[Any], Any]) -> None:
    state = types.SimpleNamespace(t=0)

    def step(x: Any) -> Any:
        if x.sum() > 0:
            return x
        return x * compute(state.t)

    compiled = vt.to_static(step)
    assert compiled(vt.to_tensor([1.0])).tolist() == [1.0]
    with pytest.raises((ValueError, OverflowError)) as expected:
        step(vt.to_tensor([-1.0]))
    with pytest.raises(type(expected.value), match=re.escape(str(expected.value))):
        compiled(vt.to_tensor([-1.0]))
    assert compiled(vt.to_tensor([1.0])).tolist() == [1.0]
