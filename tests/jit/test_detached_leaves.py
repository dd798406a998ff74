"""Leaves that a function makes over what it has computed: backward passes of its caller end there, as in eager mode."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import vitrify as vt


def leaf(x: Any) -> Any:
    made = x.detach()
    made.stop_gradient = False
    return made


def over_a_result(w: Any) -> Any:
    return (leaf(w * 3) * w).sum()


def over_an_argument(w: Any) -> Any:
    return (leaf(w) * w).sum()


def beside_the_result(w: Any) -> Any:
    y = w * 3
    a = leaf(y)
    (a * a).sum().backward()
    return (y * a.grad).sum() + (a * w).sum()


def over_a_leaf(w: Any) -> Any:
    a = leaf(w * 3)
    b = leaf(a)
    (a * b * b).sum().backward()
    return (w * a.grad + b.grad * w).sum()


def on_one_path(w: Any) -> Any:
    a = leaf(w * 3)
    if w.sum() > 0:
        z = (a * w).sum()
    else:
        z = (a * a).sum()
    return z + w.sum()


def descended(w: Any) -> Any:
    a = leaf(w * 3)
    for _ in range(3):
        ((a - w) ** 2).sum().backward()
        a = leaf(a - 0.1 * a.grad)
    return (a * w).sum()


def descended_in_a_loop(w: Any) -> Any:
    a, k = leaf(w * 3), 0
    while k < w.sum():
        (slope,) = vt.grad(((a - w) ** 2).sum(), [a])
        a, k = leaf(a - 0.1 * slope), k + 1
    return (a * w).sum()


FUNCTIONS = [
    over_a_result, over_an_argument, beside_the_result, over_a_leaf, on_one_path, descended, descended_in_a_loop,
]  # fmt: skip


@pytest.mark.parametrize("fn", FUNCTIONS, ids=lambda fn: fn.__name__)
def test_gradients_end_at_leaves(fn: Callable[..., Any]) -> None:
    found = []
    for each in (fn, vt.to_static(fn)):
        w = vt.to_tensor([1.0, 2.0], stop_gradient=False)
        results = []
        for _ in range(2):
            result = each(w)
            result.backward()
            results.append((result.item(), w.grad.tolist()))
        found.append(results)
    assert found[0] == found[1]


def test_a_result_that_is_to_keep_its_gradient_is_refused() -> None:
    @vt.to_static
    def step(x: Any) -> Any:
        y = x * 2
        y.retain_grads()
        return y, (y**2).sum()

    x = vt.to_tensor([1.0, 2.0], stop_gradient=False)
    with pytest.raises(vt.errors.CaptureError, match="retain_grads"):
        step(x)


def test_a_gradient_that_was_kept_inside_comes_out() -> None:
    @vt.to_static
    def step(x: Any) -> Any:
        y = x * 2
        y.retain_grads()
        (y**2).sum().backward()
        return y, y.grad

    x = vt.to_tensor([1.0, 2.0], stop_gradient=False)
    assert step(x)[1].tolist() == [4.0, 8.0]


@vt.to_static
def in_between(x: Any) -> Any:
    h = x * 2
    return h, (h * h).sum(), (h.detach() * x).sum()


def test_gradients_between_results_of_a_call_are_refused() -> None:
    x = vt.to_tensor([1.0, 2.0], stop_gradient=False)
    h, loss, _ = in_between(x)
    h.register_hook(lambda grad: grad * 10)
    with pytest.raises(vt.errors.GradientError, match="isn't known outside"):
        (h.sum() + loss).backward()
    h, loss, _ = in_between(x)
    h.retain_grads()
    with pytest.raises(vt.errors.GradientError, match="compute that gradient in the function"):
        (h.sum() + loss).backward()


def test_what_is_computed_outside_from_a_result_has_its_gradients() -> None:
    x = vt.to_tensor([1.0, 2.0], stop_gradient=False)
    h, _, beside = in_between(x)
    seen: list[Any] = []
    h.register_hook(lambda grad: seen.append(grad.tolist()))
    ((h * 3).sum() + beside).backward()
    assert seen == [[3.0, 3.0]]
    assert x.grad.tolist() == [8.0, 10.0]
    h, loss, _ = in_between(x)
    assert vt.grad((h * 3).sum(), h)[0].tolist() == [3.0, 3.0]
    assert vt.grad(loss, x)[0].tolist() == [8.0, 16.0]


def attacked(x: Any) -> Any:
    for _ in range(3):
        x = leaf(x)
        x = x - 0.1 * vt.grad((x**2).sum(), x)[0]
        if x.sum() < 1.0:
            break
    return x.detach()


def projected(x: Any) -> Any:
    while x.sum() > 1.0:
        z = leaf(x)
        x = x - 0.1 * vt.grad((z**2).sum(), z)[0]
    return x


@pytest.mark.parametrize("fn", [attacked, projected])
def test_leaves_over_what_a_loop_carries(fn: Callable[..., Any]) -> None:
    compiled = vt.to_static(fn)
    for start in (1.0, 0.6, 0.1):
        assert vt.allclose(compiled(vt.full([2], start)), fn(vt.full([2], start)))


@pytest.mark.parametrize("inside", [True, False])
def test_a_parameter_that_is_set_to_what_is_computed_from_it_keeps_its_gradient(inside: bool) -> None:
    found = []
    for decorate in (lambda fn: fn, vt.to_static):
        layer = vt.nn.Linear(2, 1, bias_attr=False)
        layer.weight.set_value(vt.to_tensor([[1.0], [2.0]]))
        rate = vt.optimizer.SGD(0.1, parameters=layer.parameters())

        def loss(x: Any, layer: Any = layer) -> Any:
            layer.weight.set_value(layer.weight * 0.9)
            made = layer(x).mean()
            if inside:
                made.backward()
            return made

        compiled, results = decorate(loss), []
        for _ in range(3):
            made = compiled(vt.ones([3, 2]))
            if not inside:
                made.backward()
            results.append(layer.weight.grad.tolist())
            rate.step()
        found.append((results, layer.weight.tolist()))
    assert found[0] == found[1]


def used_in_a_branch(x: Any, c: Any) -> Any:
    a = x * 2
    b = a * 3
    v = leaf(a)
    s = (v * v).sum() if c > 0 else (b * 1).sum()
    s.backward()
    return v.grad


def of_one_constant(x: Any, c: Any) -> Any:
    a, b = (vt.to_tensor([1.0, 1.0], stop_gradient=False) for _ in range(2))
    s = (a * x).sum() + (b * x * 2).sum() if c > 0 else (b * x).sum()
    s.backward()
    return a.grad, b.grad


def used_in_a_loop(x: Any, c: Any) -> Any:
    a = x * 2
    b = a * 3
    v = leaf(a)
    for _ in range(3):
        if c > 0:
            (v * b).sum().backward(retain_graph=True)
    return v.grad


@pytest.mark.parametrize("fn", [used_in_a_branch, of_one_constant, used_in_a_loop])
def test_leaves_used_in_a_branch_have_gradients_behind_it(fn: Callable[..., Any]) -> None:
    found = []
    for step in (fn, vt.to_static(fn)):
        for c in (1.0, -1.0, 1.0):
            x = vt.to_tensor([1.0, 2.0], stop_gradient=False)
            made = step(x, vt.to_tensor(c))
            found.append(
                [None if g is None else g.tolist() for g in [*(made if isinstance(made, tuple) else [made]), x.grad]]
            )
    assert found[:3] == found[3:]


def test_a_write_through_a_detached_alias_leaves_a_tensor_in_its_graph() -> None:
    def doubled(x: Any, y: Any) -> Any:
        x.detach().add_(y)
        return x * 2

    found = []
    for step in (doubled, vt.to_static(doubled)):
        x, y = (vt.to_tensor(numbers, stop_gradient=False) for numbers in ([1.0, 2.0], [3.0, 4.0]))
        out = step(x, y)
        out.sum().backward()
        found.append((out.tolist(), x.grad.tolist(), y.grad))
    assert found[0] == found[1]


def test_a_leaf_over_a_view_of_a_flat_buffer_that_the_function_writes():
    def run(mode, rate):
        flat = vt.arange(6).astype("float32")
        weight = flat[:4]

        @mode
        def step():
            x = weight.detach()
            x.stop_gradient = False
            loss = x.square().sum()
            (grad,) = vt.grad(loss, [x])
            with vt.no_grad():
                weight.subtract_(rate * grad)
            return loss.item()

        return [step() for _ in range(3)], flat.tolist(), weight.tolist()

    for rate in (1.0, 0.125):
        assert run(vt.to_static, rate) == run(lambda fn: fn, rate)
