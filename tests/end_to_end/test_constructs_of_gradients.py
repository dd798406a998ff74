"""What `.grad` is after a compiled call: added to what was there, and None where eager code leaves it None."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import vitrify as vt

UP = np.array([1.0, 2.0, 3.0], np.float32)
DOWN = -UP


def show(x: vt.Tensor) -> Any:
    """A gradient's elements, or None."""
    return None if x.grad is None else x.grad.numpy().tolist()


def run(fn: Callable[..., Any], calls: list[np.ndarray[Any, Any]], prepare: Callable[[Any], None]) -> list[Any]:
    """What a function leaves of the gradients of a weight and of its argument, call by call; the weight stays."""
    weight = vt.to_tensor(UP, stop_gradient=False)
    argument = vt.to_tensor(UP, stop_gradient=False)
    found = []
    for k, row in enumerate(calls):
        if k == 1:
            prepare(argument)
            prepare(weight)
        argument.set_value(row)
        out = fn(argument, weight)
        found.append((show(argument), show(weight), None if out is None else out.numpy().tolist()))
    return found


def keep(x: vt.Tensor) -> None:
    pass


def to_zero(x: vt.Tensor) -> None:
    x.clear_grad()


def to_none(x: vt.Tensor) -> None:
    x.clear_grad(set_to_zero=False)


def to_ones(x: vt.Tensor) -> None:
    x.grad = vt.ones([3])


def straight(x, w):
    (x * x * w).sum().backward()


def on_one_path(x, w):
    if x.sum() > 0:
        (x * w).sum().backward()


def one_or_the_other(x, w):
    if x.sum() > 0:
        (x.detach() * w).sum().backward()
    else:
        (x * w.detach()).sum().backward()


def path_then_another_backward(x, w):
    if x.sum() > 0:
        (x * w).sum().backward()
    (x * 2).sum().backward()


def cleared_on_one_path(x, w):
    (x * w).sum().backward()
    if x.sum() > 0:
        w.clear_grad()
    else:
        w.clear_grad(set_to_zero=False)


def looks_whether_it_is_there(x, w):
    if x.sum() > 0:
        (x * w).sum().backward()
    if w.grad is None:
        return x * 100
    return w.grad * 2


def reads_at_first(x, w):
    return x * 1 if w.grad is None else x + w.grad


def reads_the_argument(x, w):
    if x.grad is not None:
        return x.grad * 3
    return None


def backward_after_the_branch(x, w):
    y = (x * w).sum() if x.sum() > 0 else x.sum()
    y.backward()


def backward_after_two_branches(x, w):
    y = x * 1
    if x.sum() > 0:
        y = y * w
    if x[0] > 2:
        y = y + w * 3
    y.sum().backward()


def used_besides(x, w):
    y = x * w
    if x.sum() > 0:
        y = y * w
    y.sum().backward()


def backward_after_then_cleared(x, w):
    y = (x * w).sum() if x.sum() > 0 else x.sum()
    y.backward()
    w.clear_grad()
    if w.grad is not None:
        return w.grad + 1
    return x * 1


def backward_twice_after_the_branch(x, w):
    y = (x * w).sum() if x.sum() > 0 else x.sum()
    y.backward()
    z = (x * w * 2).sum() if x[0] < 0 else x.sum()
    z.backward()


def in_a_loop(x, w):
    k = x.sum().detach() * 0
    while k < x.sum():
        (x * w * k).sum().backward()
        k = k + 2


def in_a_loop_on_one_path(x, w):
    for k in range(3):
        if x.sum() > k:
            (x * w).sum().backward()


def zeroed_in_a_loop(x, w):
    k = x.sum().detach() * 0
    while k < x.sum():
        (x * w * k).sum().backward()
        w.clear_grad()
        k = k + 2


def steps_by_hand(x, w):
    if x.sum() > 0:
        (x * w).sum().backward()
    with vt.no_grad():
        if w.grad is not None:
            return w - 0.1 * w.grad
    return None


def writes_the_gradient(x, w):
    (x * w).sum().backward()
    x.grad.scale_(0.5)
    w.grad = w.grad + 1


CASES = [
    straight, on_one_path, one_or_the_other, path_then_another_backward, cleared_on_one_path, looks_whether_it_is_there,
    reads_at_first, reads_the_argument, backward_after_the_branch, backward_after_two_branches, used_besides,
    backward_after_then_cleared, backward_twice_after_the_branch, in_a_loop, in_a_loop_on_one_path, zeroed_in_a_loop, steps_by_hand,
    writes_the_gradient,
]  # fmt: skip


@pytest.mark.parametrize("prepare", [keep, to_zero, to_none, to_ones], ids=lambda f: f.__name__)
@pytest.mark.parametrize("fn", CASES, ids=[f.__name__ for f in CASES])
def test_left_as_eager_leaves_it(fn: Any, prepare: Any) -> None:
    calls = [DOWN, UP, DOWN, UP, UP]
    assert run(vt.to_static(fn), calls, prepare) == run(fn, calls, prepare)


CLIPS = [None, vt.nn.ClipGradByGlobalNorm(0.5), vt.nn.ClipGradByNorm(0.5)]


@pytest.mark.parametrize("zero", [True, False])
@pytest.mark.parametrize("clip", CLIPS, ids=lambda c: type(c).__name__)
@pytest.mark.parametrize("kind", [vt.optimizer.Momentum, vt.optimizer.Adam], ids=lambda k: k.__name__)
def test_an_optimiser_passes_over_what_has_no_gradient(kind: Any, clip: Any, zero: bool) -> None:
    def train(compiled: bool) -> list[Any]:
        vt.seed(1)
        first, second = vt.nn.Linear(3, 1), vt.nn.Linear(3, 1)
        parameters = [*first.parameters(), *second.parameters()]
        opt = kind(0.1, parameters=parameters, grad_clip=clip, weight_decay=0.01)

        def step(x):
            if x.sum() > 0:
                loss = first(x).sum()
            else:
                loss = second(x).sum()
            loss.backward()
            opt.step()
            opt.clear_grad(set_to_zero=zero)
            return loss.detach()

        fn = vt.to_static(step) if compiled else step
        found = []
        for row in (UP, DOWN, DOWN, UP):
            found.append(float(fn(vt.to_tensor(row))))
            found += [p.numpy().copy() for p in parameters]
        return found

    for ours, theirs in zip(train(True), train(False), strict=True):
        np.testing.assert_allclose(ours, theirs, rtol=1e-5, atol=1e-6)


def test_the_program_says_why_it_was_made_again() -> None:
    fn = vt.to_static(lambda x: (x * x).sum().backward())
    x = vt.to_tensor(UP, stop_gradient=False)
    for _ in range(4):
        fn(x)
    assert fn.get_traced_count() == 2
    assert "x.grad is now tensor" in fn.explain()
    np.testing.assert_allclose(x.grad.numpy(), 8 * UP)


class Both(vt.autograd.PyLayer):
    """Two results, of whose gradients those that nobody asks for are None."""

    @staticmethod
    def forward(ctx, x):
        ctx.set_materialize_grads(False)
        return x * 2, x * 3

    @staticmethod
    def backward(ctx, first, second):
        if first is None:
            return second * 30
        return first * 20 if second is None else first + second


def first_of_both(x):
    return Both.apply(x)[0].sum()


def second_of_both(x):
    return Both.apply(x)[1].sum()


def both_of_both(x):
    first, second = Both.apply(x)
    return (first * second).sum()


@pytest.mark.parametrize("inside", [True, False], ids=["inside", "outside"])
@pytest.mark.parametrize("fn", [first_of_both, second_of_both, both_of_both], ids=lambda f: f.__name__)
def test_gradients_that_nobody_asks_for_are_none_in_a_pylayer(fn: Any, inside: bool) -> None:
    def gradient(call: Callable[..., Any], backward: bool) -> Any:
        x = vt.to_tensor(UP, stop_gradient=False)
        out = call(x)
        if backward:
            out.backward()
        return x.grad.numpy()

    compiled = vt.to_static((lambda x: fn(x).backward()) if inside else fn)
    np.testing.assert_allclose(gradient(compiled, not inside), gradient(fn, True))
