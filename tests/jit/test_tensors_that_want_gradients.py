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
    return made, made.detach(), x * 2, [vt.to_tensor(3, stop_gradient=False)]


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


class State:
    """What a hand-written training step keeps."""

    def __init__(self) -> None:
        self.w = vt.to_tensor([2.0], stop_gradient=False)


def test_a_parameter_that_the_function_replaces_is_a_leaf() -> None:
    def run(decorate: Any) -> list[Any]:
        o = State()

        def step(x: Any) -> Any:
            (o.w * x).sum().backward()
            grad = o.w.grad.clone()
            o.w = (o.w - 0.1 * o.w.grad).detach()
            o.w.stop_gradient = False
            return grad

        compiled = decorate(step)
        return [(compiled(vt.to_tensor([k])).tolist(), o.w.tolist(), o.w.is_leaf, o.w.grad) for k in (1.0, 2.0, 3.0)]

    assert run(vt.to_static) == run(lambda f: f)


@pytest.mark.parametrize("leaf_first", [True, False])
def test_a_leaf_beside_the_tensor_that_it_was_detached_from(leaf_first: bool) -> None:
    def apart(x: Any) -> Any:
        y = x * 2
        z = y.detach()
        z.stop_gradient = False
        return (z, y) if leaf_first else (y, z)

    def run(decorate: Any) -> list[Any]:
        x = vt.to_tensor([1.0], stop_gradient=False)
        compiled, seen = decorate(apart), []
        for _ in range(3):
            made = compiled(x)
            z, y = made if leaf_first else made[::-1]
            (z * 5).sum().backward()
            seen.append((z.is_leaf, y.is_leaf, z.grad.tolist(), x.grad is None or x.grad.tolist()))
            (y * 3).sum().backward()
            seen.append(x.grad.tolist())
        return seen

    assert run(vt.to_static) == run(lambda f: f)
