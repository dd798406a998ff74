"""`stop_gradient` that a captured function sets on tensors from outside: it stays set, as in eager mode."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify import nn
from vitrify.base.errors import CaptureError


def weight() -> Any:
    made = vt.to_tensor(np.array([1.0, 2.0], np.float32))
    made.stop_gradient = False
    return made


def before(w: Any, x: Any) -> Any:
    w.stop_gradient = True
    loss = (w * x).sum()
    loss.backward()


def after(w: Any, x: Any) -> Any:
    (w * x).sum().backward()
    w.stop_gradient = True


def asked(w: Any, x: Any) -> Any:
    x.stop_gradient = False
    (w * x * x).sum().backward()


def for_a_while(w: Any, x: Any) -> Any:
    w.stop_gradient = True
    frozen = (w * x).sum()
    w.stop_gradient = False
    (frozen + (w * x * 2).sum()).backward()


@pytest.mark.filterwarnings("ignore:backward.. has no effect")
@pytest.mark.parametrize("needs", [True, False])
@pytest.mark.parametrize("fn", [before, after, asked, for_a_while])
def test_of_an_argument(fn: Any, needs: bool) -> None:
    found = []
    for step in (fn, vt.to_static(fn)):
        w, told = weight(), []
        for k in range(3):
            x = vt.to_tensor(np.array([3.0, 4.0 + k], np.float32))
            x.stop_gradient = not needs
            step(w, x)
            grads = [None if t.grad is None else t.grad.tolist() for t in (w, x)]
            told.append((w.stop_gradient, x.stop_gradient, grads))
        found.append(told)
    assert found[0] == found[1]


@pytest.mark.parametrize("frozen_from", [1, 3])
def test_layers_are_frozen_by_a_counter(frozen_from: int) -> None:
    found = []
    for compiled in (False, True):
        vt.seed(0)
        first, second = nn.Linear(3, 3), nn.Linear(3, 1)
        optimizer = vt.optimizer.Momentum(0.1, parameters=[*first.parameters(), *second.parameters()])
        count = [0]

        def step(
            x: Any, first: Any = first, second: Any = second, count: Any = count, optimizer: Any = optimizer
        ) -> Any:
            count[0] += 1
            if count[0] >= frozen_from:
                for p in first.parameters():
                    p.stop_gradient = True
            loss = second(nn.functional.relu(first(x))).mean()
            loss.backward()
            optimizer.step()
            optimizer.clear_grad()
            return loss

        run = vt.to_static(step) if compiled else step
        losses = [float(run(vt.to_tensor(np.full((2, 3), 0.5 + k, np.float32)))) for k in range(5)]
        found.append((losses, first.weight.numpy(), second.weight.numpy(), first.weight.stop_gradient))
    for one, other in zip(*found, strict=True):
        np.testing.assert_allclose(one, other, rtol=1e-5)


def test_a_capture_leaves_flags_alone_until_it_runs() -> None:
    layer = nn.Linear(2, 2)

    @vt.to_static
    def freeze(x: Any) -> Any:
        layer.weight.stop_gradient = True
        return layer(x)

    freeze.concrete_program_specify_input_spec([vt.static.InputSpec([1, 2], "float32")])
    assert layer.weight.stop_gradient is False
    freeze(vt.ones([1, 2]))
    assert layer.weight.stop_gradient is True


def test_a_branch_cannot_and_leaves_the_flag_alone() -> None:
    layer = nn.Linear(2, 2)

    @vt.to_static
    def freeze(x: Any) -> Any:
        if x.sum() > 0:
            layer.weight.stop_gradient = True
        return layer(x)

    with pytest.raises(CaptureError, match="gets stop_gradient=True in a branch"):
        freeze(vt.ones([1, 2]))
    assert layer.weight.stop_gradient is False


def over_an_argument(x: Any) -> Any:
    a = x.detach()
    a.stop_gradient = False
    return a, (a * 2).sum()


def of_a_result(x: Any) -> Any:
    a = (x * 3).detach()
    a.stop_gradient = False
    return [a], {"loss": (a * 2).sum()}


def of_numbers(x: Any) -> Any:
    made = vt.to_tensor([1.0, 2.0], stop_gradient=False)
    return made, made * x


@pytest.mark.parametrize("fn", [over_an_argument, of_a_result, of_numbers])
def test_a_leaf_that_comes_out_with_what_is_computed_from_it_is_refused(fn: Any) -> None:
    with pytest.raises(CaptureError, match="made by the function as a leaf"):
        vt.to_static(fn)(vt.ones([2]))


def test_a_leaf_comes_out_behind_a_backward_pass_or_alone() -> None:
    def inside(x: Any) -> Any:
        a = x.detach()
        a.stop_gradient = False
        loss = (a * 2).sum()
        loss.backward()
        return a, a.grad, loss

    def alone(x: Any) -> Any:
        a = (x * 3).detach()
        a.stop_gradient = False
        return a, x + 1

    x = vt.ones([2])
    assert vt.to_static(inside)(x)[1].tolist() == [2.0, 2.0]
    assert vt.to_static(alone)(x)[0].tolist() == [3.0, 3.0]


def unfrozen(x: Any, w: Any) -> Any:
    x.stop_gradient = False
    return (x * w).sum()


def switched(x: Any, w: Any) -> Any:
    w.stop_gradient = not w.stop_gradient
    return (x * w).sum()


def frozen_behind_a_use(x: Any, w: Any) -> Any:
    y = x * w
    w.stop_gradient = True
    z = (y * w).sum()
    w.stop_gradient = False
    return z


@pytest.mark.parametrize("fn", [unfrozen, switched, frozen_behind_a_use])
@pytest.mark.parametrize("stop", [True, False])
def test_a_backward_pass_of_the_caller_sees_what_the_call_has_set(fn: Any, stop: bool) -> None:
    found = []
    for each in (fn, vt.to_static(fn)):
        w, results = vt.to_tensor([3.0, 4.0], stop_gradient=stop), []
        for _ in range(4):
            x = vt.to_tensor([1.0, 2.0], stop_gradient=stop)
            made = each(x, w)
            if not made.stop_gradient:
                made.backward()
            results.append([(t.stop_gradient, None if t.grad is None else t.grad.tolist()) for t in (x, w)])
        found.append(results)
    assert found[0] == found[1]


def test_the_same_of_a_parameter_that_the_function_finds() -> None:
    found = []
    for decorate in (lambda fn: fn, vt.to_static):
        layer, results = nn.Linear(2, 1), []
        layer.weight.set_value(np.float32([[1.0], [2.0]]))

        def step(x: Any, freeze: bool, layer: Any = layer) -> Any:
            layer.weight.stop_gradient = freeze
            return layer(x).sum()

        compiled = decorate(step)
        for freeze in (True, False, False, True, False):
            compiled(vt.ones([1, 2]), freeze).backward()
            results.append(None if layer.weight.grad is None else layer.weight.grad.tolist())
        found.append(results)
    assert found[0] == found[1]


def test_a_use_before_and_behind_is_refused() -> None:
    @vt.to_static
    def both(x: Any) -> Any:
        y = x * 2
        x.stop_gradient = False
        return (y * x).sum()

    with pytest.raises(CaptureError, match="is used before its stop_gradient is set to False"):
        both(vt.ones([2]))


def unfrozen_for_a_while(x: Any, w: Any) -> Any:
    x.stop_gradient = False
    y = (x * x * w).sum()
    x.stop_gradient = True
    return y


def not_used_meanwhile(x: Any, w: Any) -> Any:
    x.stop_gradient = False
    x.stop_gradient = True
    return (x * w).sum()


@pytest.mark.parametrize("fn", [unfrozen_for_a_while, not_used_meanwhile])
def test_what_needed_a_gradient_for_a_while_gets_it(fn: Any) -> None:
    found = []
    for each in (fn, vt.to_static(fn)):
        w, results = vt.to_tensor([2.0], stop_gradient=False), []
        for _ in range(3):
            x = vt.to_tensor([3.0])
            each(x, w).backward()
            results.append((x.stop_gradient, None if x.grad is None else x.grad.tolist(), w.grad.tolist()))
        found.append(results)
    assert found[0] == found[1]


def after_a_write(x: Any, y: Any) -> Any:
    if y.sum() > 3:
        with vt.no_grad():
            x.add_(y)
    x.stop_gradient = True


def after_its_last_use(x: Any, y: Any) -> Any:
    out = x * y
    y.stop_gradient = False
    return out.sum()


@pytest.mark.parametrize("fn", [after_a_write, after_its_last_use])
@pytest.mark.parametrize("numbers", [(1.0, 1.0), (3.0, 4.0)])
def test_of_an_argument_that_was_written_or_used_before(fn: Any, numbers: Any) -> None:
    found = []
    for step in (fn, vt.to_static(fn)):
        for _ in range(2):
            x, y = weight(), vt.to_tensor(list(numbers))
            out = step(x, y)
            if out is not None:
                out.backward()
            grads = [None if t.grad is None else t.grad.tolist() for t in (x, y)]
            found.append((x.stop_gradient, y.stop_gradient, x.tolist(), grads))
    assert found[:2] == found[2:]


def in_a_branch(x: Any, y: Any) -> Any:
    if x.sum() > 0:
        y.stop_gradient = False


def of_one_of_two(x: Any, y: Any) -> Any:
    chosen = x if x.sum() > 0 else y
    chosen.stop_gradient = not chosen.stop_gradient
    return x * y


@pytest.mark.parametrize("fn", [in_a_branch, of_one_of_two])
def test_of_a_tensor_that_only_a_run_knows_is_refused(fn: Any) -> None:
    with pytest.raises(CaptureError, match=r"gets stop_gradient=.* in a branch or loop"):
        vt.to_static(fn)(weight(), vt.ones([2]))


def of_one_of_two_inside(x: Any, y: Any) -> Any:
    a, b = x * 2, x * 3
    chosen = a if y.sum() > 3 else b
    chosen.stop_gradient = True
    return (a + b).sum()


def gradient_of_one_of_two(x: Any, y: Any) -> Any:
    (x * w_outside * y).sum().backward()
    chosen = x if y.sum() > 3 else w_outside
    chosen.clear_grad()
    return (x * 2).sum()


w_outside = weight()


@pytest.mark.parametrize("fn", [of_one_of_two_inside, gradient_of_one_of_two])
def test_of_one_of_two_tensors_each_path_has_its_own(fn: Any) -> None:
    found = []
    for step in (fn, vt.to_static(fn)):
        w_outside.clear_grad(set_to_zero=False)
        for numbers in ((1.0, 1.0), (3.0, 4.0), (1.0, 1.0)):
            x = weight()
            step(x, vt.to_tensor(list(numbers))).backward()
            found.append([None if t.grad is None else t.grad.tolist() for t in (x, w_outside)])
    assert found[:3] == found[3:]
