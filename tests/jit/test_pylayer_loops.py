"""A PyLayer in a loop of a program: gradients from outside reach each iteration's own context."""

from __future__ import annotations

import gc
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify.base.errors import ShapeError
from vitrify.jit.call.array_lists import LISTS

CALLS: list[str] = []


def leaf(*numbers: float) -> Any:
    return vt.to_tensor(np.array(numbers, "float32"), stop_gradient=False)


class Square(vt.autograd.PyLayer):
    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        ctx.save_for_backward(x)
        ctx.number = len(CALLS)
        CALLS.append(f"forward {ctx.number}")
        return x * x

    @staticmethod
    def backward(ctx: Any, g: Any) -> Any:
        (x,) = ctx.saved_tensor()
        CALLS.append(f"backward {ctx.number}")
        return g * 2 * x


class Product(vt.autograd.PyLayer):
    @staticmethod
    def forward(ctx: Any, x: Any, w: Any) -> Any:
        ctx.save_for_backward(x, w)
        return x * w

    @staticmethod
    def backward(ctx: Any, g: Any) -> Any:
        x, w = ctx.saved_tensor()
        return g * w, g * x


def counted(x: Any, n: Any) -> Any:
    for _ in range(n):
        x = Square.apply(x) * 0.5
    return x


def conditional(x: Any, n: Any) -> Any:
    i = vt.to_tensor(0)
    while i < n:
        x = Square.apply(x) * 0.5
        i = i + 1
    return x


def collected(x: Any, n: Any) -> Any:
    rows = [x * 0]
    for _ in range(n):
        x = Square.apply(x) * 0.5
        rows.append(x)
    return vt.stack(rows)


@pytest.mark.parametrize("fn", [counted, conditional, collected])
@pytest.mark.parametrize("numerics", ["default", "reference"])
def test_gradients_from_outside_pass_a_layer_in_a_loop(fn: Any, numerics: str) -> None:
    compiled = vt.to_static(fn) if numerics == "default" else vt.to_static(fn, numerics=numerics)
    for n in (3, 0, 1, 4):
        found = []
        for call in (fn, compiled):
            x = leaf(1.5, 2.0)
            y = call(x, vt.to_tensor(n))
            y.sum().backward()
            found.append((y.tolist(), x.grad.tolist()))
        assert found[0] == found[1]


def test_each_iteration_has_a_context_of_its_own_and_runs_forward_once() -> None:
    compiled = vt.to_static(counted)
    compiled(leaf(1.0, 2.0), vt.to_tensor(1))
    CALLS.clear()
    compiled(leaf(1.0, 2.0), vt.to_tensor(3)).sum().backward()
    assert [f"{way} {k}" for way, order in (("forward", (0, 1, 2)), ("backward", (2, 1, 0))) for k in order] == CALLS


def test_backward_can_run_twice_where_the_graph_is_retained() -> None:
    x = leaf(1.5, 2.0)
    y = vt.to_static(conditional)(x, vt.to_tensor(2)).sum()
    y.backward(retain_graph=True)
    once = x.grad.tolist()
    y.backward()
    assert x.grad.tolist() == [2 * g for g in once]


def test_calls_can_be_differentiated_in_any_order() -> None:
    compiled = vt.to_static(counted)
    starts = [leaf(1.5), leaf(2.0), leaf(0.5)]
    results = [compiled(x, vt.to_tensor(n)) for n, x in enumerate(starts, 1)]
    for y in (results[1], results[2], results[0]):
        y.sum().backward()
    for n, x in enumerate(starts, 1):
        z = leaf(*x.tolist())
        counted(z, vt.to_tensor(n)).sum().backward()
        assert x.grad.tolist() == z.grad.tolist()


def test_layers_in_nested_loops_and_branches() -> None:
    weight = leaf(0.5, 0.75)

    def fn(x: Any, n: Any, m: Any) -> Any:
        for _ in range(n):
            for _ in range(m):
                if x.sum() > 1:
                    x = Product.apply(x, weight)
                else:
                    x = Square.apply(x) + 1.0
            x = x * 1.5
        return x.sum()

    compiled = vt.to_static(fn)
    for n, m in ((2, 3), (3, 0), (1, 1), (4, 2)):
        found = []
        for call in (fn, compiled):
            x = leaf(1.5, 2.0)
            weight.clear_grad()
            loss = call(x, vt.to_tensor(n), vt.to_tensor(m))
            loss.backward()
            found.append([loss.tolist(), *x.grad.tolist(), *(weight.grad.tolist() if m else [])])
        np.testing.assert_allclose(found[0][0], found[1][0], rtol=1e-6)
        np.testing.assert_allclose(found[0][1:], found[1][1:], rtol=1e-6)


def test_several_carried_values_and_a_weight() -> None:
    weight = leaf(0.5, 0.75)

    def fn(x: Any, n: Any) -> Any:
        h, c = x, x * 0
        for _ in range(n):
            c = c + Product.apply(h, weight)
            h = vt.tanh(h + c)
        return h, c

    compiled = vt.to_static(fn)
    for n in (2, 5):
        found = []
        for call in (fn, compiled):
            x = leaf(1.5, 2.0)
            weight.clear_grad()
            h, c = call(x, vt.to_tensor(n))
            (h * c).sum().backward()
            found.append([*x.grad.tolist(), *weight.grad.tolist()])
        np.testing.assert_allclose(found[0], found[1], rtol=1e-5)


@pytest.mark.usefixtures("others_set_aside")
def test_what_loops_keep_goes_with_the_results() -> None:
    compiled = vt.to_static(counted)
    gc.collect()
    before = len(LISTS)
    y = compiled(leaf(1.5), vt.to_tensor(3))
    assert len(LISTS) > before
    y.sum().backward()
    assert len(LISTS) == before
    y = compiled(leaf(1.5), vt.to_tensor(3))
    del y
    gc.collect()
    assert len(LISTS) == before


# ---- gradients of broadcast shapes


class Add(vt.autograd.PyLayer):
    @staticmethod
    def forward(ctx: Any, b: Any, x: Any) -> Any:
        return b + x

    @staticmethod
    def backward(ctx: Any, g: Any) -> Any:
        return g, g


@pytest.mark.parametrize("shapes", [([1], []), ([3], [2, 3]), ([2, 1], [2, 3]), ([4, 1], [1, 3]), ([], [2, 2])])
def test_a_gradient_that_was_broadcast_is_summed(shapes: Any) -> None:
    found = []
    for call in (Add.apply, vt.to_static(lambda b, x: Add.apply(b, x)), lambda b, x: b + x):
        b, x = (vt.to_tensor(np.ones(s, "float32"), stop_gradient=False) for s in shapes)
        (call(b, x) * 2.0).sum().backward()
        assert (b.grad.shape, x.grad.shape) == (b.shape, x.shape)
        found.append((b.grad.tolist(), x.grad.tolist()))
    assert found[0] == found[1] == found[2]


def test_a_gradient_that_can_not_be_summed_is_refused() -> None:
    class Wrong(Add):
        @staticmethod
        def backward(ctx: Any, g: Any) -> Any:
            return g, vt.ones([2, 2])

    for call in (Wrong.apply, vt.to_static(lambda b, x: Wrong.apply(b, x))):
        with pytest.raises(
            ShapeError, match=r"Wrong.backward returned a gradient of shape \[2, 2\] for input 1 of shape \[3\]"
        ):
            call(leaf(1, 2, 3), leaf(1, 2, 3)).sum().backward()
