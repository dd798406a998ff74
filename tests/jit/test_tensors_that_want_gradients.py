"""Tensors that a captured function makes with `stop_gradient=False` come out so, as in eager mode."""

from __future__ import annotations

from typing import Any

import pytest

import vitrify as vt


def single(x: Any) -> Any:
    return vt.to_tensor([1.0, 2.0], stop_gradient=False)


def whole(x: Any) -> Any:
    return vt.to_tensor([1.0, 2.0], dtype="int64", stop_gradient=False)


def several(x: Any) -> Any:
    made = vt.to_tensor([1.0, 2.0], stop_gradient=False)
    return made, made * x, made.detach(), x * 2, [vt.to_tensor(3, stop_gradient=False)]


@pytest.mark.parametrize("fn", [single, whole, several])
@pytest.mark.parametrize("stop", [True, False])
def test_as_in_eager_mode(fn: Any, stop: bool) -> None:
    compiled = vt.to_static(fn)
    x = vt.ones([2])
    x.stop_gradient = stop
    for _ in range(3):
        assert _flags(compiled(x)) == _flags(fn(x))
    x.stop_gradient = True
    with vt.no_grad():
        assert _flags(compiled(x)) == _flags(fn(x))


def _flags(made: Any) -> Any:
    return [_flags(m) for m in made] if isinstance(made, (list, tuple)) else made.stop_gradient
