"""`stop_gradient` and `.grad` of tensors from outside that a function doesn't use otherwise: asked at each call."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import vitrify as vt
from vitrify import nn


class Box:
    """Holds a tensor."""

    w: Any


def param(value: float) -> Any:
    return vt.create_parameter([1], "float32", default_initializer=nn.initializer.Constant(value))


def boxed(value: float) -> Box:
    made = Box()
    made.w = param(value)
    return made


def give_gradient(w: Any) -> None:
    (w * 2).sum().backward()


def x() -> Any:
    return vt.to_tensor([1.0])


def shown(found: Any) -> Any:
    if isinstance(found, (list, tuple)):
        return [shown(v) for v in found]
    return found.tolist() if isinstance(found, vt.Tensor) else found


def stop_of_an_attribute(wrap: Any) -> Any:
    box, found = boxed(2.0), []
    f = wrap(lambda x: x * 2 if box.w.stop_gradient else x * 3)
    for stop in (False, True, True, False):
        box.w.stop_gradient = stop
        found.append(f(x()))
    return found


def trainable_of_a_closure_variable(wrap: Any) -> Any:
    w, found = param(2.0), []
    f = wrap(lambda x: x * 2 if w.trainable else x * 3)
    for trainable in (True, False, True):
        w.trainable = trainable
        found.append(f(x()))
    return found


def stop_in_a_list(wrap: Any) -> Any:
    ws = [param(2.0), param(3.0)]
    f = wrap(lambda x: x * len([w for w in ws if not w.stop_gradient]))
    found = [f(x())]
    ws[0].stop_gradient = True
    found.append(f(x()))
    ws[0] = param(1.0)
    return [*found, f(x())]


def stop_that_the_function_sets(wrap: Any) -> Any:
    w = param(2.0)

    def f(x: Any) -> Any:
        y = x * 2 if w.stop_gradient else x * 3
        w.stop_gradient = not w.stop_gradient
        return y

    f = wrap(f)
    return [f(x()), w.stop_gradient, f(x()), w.stop_gradient, f(x()), f(x())]


def stop_by_getattr(wrap: Any) -> Any:
    w = param(2.0)
    name = "stop_gradient"
    f = wrap(lambda x: x * 2 if getattr(w, name) else x * 3)
    found = [f(x())]
    w.stop_gradient = True
    return [*found, f(x())]


def stop_of_what_is_replaced(wrap: Any) -> Any:
    box = boxed(2.0)

    def f(x: Any) -> Any:
        box.w = x * (2.0 if box.w.stop_gradient else 3.0)
        return box.w

    f = wrap(f)
    found = [f(x()), f(x()), f(x())]
    box.w = param(1.0)
    return [*found, f(x()), f(x())]


def gradient_of_a_closure_variable(wrap: Any) -> Any:
    w = param(2.0)
    f = wrap(lambda x: x * 2 if w.grad is None else x * 3)
    found = [f(x())]
    give_gradient(w)
    found += [f(x()), f(x())]
    w.clear_gradient(False)
    found += [f(x())]
    give_gradient(w)
    w.clear_grad()
    return [*found, f(x())]


def gradient_of_another_tensor_in_its_place(wrap: Any) -> Any:
    box = boxed(2.0)
    f = wrap(lambda x: x * 2 if box.w.grad is None else x * 3)
    found = [f(x())]
    give_gradient(box.w)
    found.append(f(x()))
    box.w = param(3.0)
    return [*found, f(x())]


def gradient_of_what_is_replaced(wrap: Any) -> Any:
    box = boxed(2.0)

    def f(x: Any) -> Any:
        box.w = x * (2.0 if box.w.grad is None else 3.0)
        return box.w

    f = wrap(f)
    found = [f(x()), f(x()), f(x())]
    box.w = param(1.0)
    give_gradient(box.w)
    return [*found, f(x()), f(x())]


def elements_of_a_gradient(wrap: Any) -> Any:
    w = param(2.0)
    f = wrap(lambda x: x if w.grad is None else x + w.grad)
    found = [f(x())]
    for _ in range(3):
        give_gradient(w)
        found.append(f(x()))
    w.clear_gradient(False)
    return [*found, f(x())]


def gradients_of_a_layer(wrap: Any) -> Any:
    layer = nn.Linear(2, 2)
    f = wrap(lambda x: x * sum(1 for p in layer.parameters() if p.grad is not None))
    found = [f(x())]
    layer(vt.ones([1, 2])).sum().backward()
    found.append(f(x()))
    layer.weight.clear_gradient(False)
    return [*found, f(x())]


def asked_before_backward(wrap: Any) -> Any:
    w = param(2.0)

    def f(x: Any) -> Any:
        first = 0.0 if w.grad is None else 1.0
        (w * x).sum().backward()
        return w.grad.clone() + first * 100

    f = wrap(f)
    found = [f(x()), f(x())]
    w.clear_gradient(False)
    return [*found, f(x()), f(x())]


def asked_on_paths(wrap: Any) -> Any:
    w = param(2.0)

    def f(x: Any) -> Any:
        if x.sum() > 0:
            y = x * 2 if w.stop_gradient else x * 3
        else:
            y = x if w.grad is None else x * 7
        return y

    f, found = wrap(f), []
    for stop, has_gradient in ((False, False), (True, False), (False, True)):
        w.stop_gradient = stop
        if has_gradient:
            give_gradient(w)
        found += [f(x()), f(-x())]
    return found


@pytest.mark.parametrize(
    "run",
    [
        stop_of_an_attribute, trainable_of_a_closure_variable, stop_in_a_list, stop_that_the_function_sets,
        stop_by_getattr, stop_of_what_is_replaced, gradient_of_a_closure_variable,
        gradient_of_another_tensor_in_its_place, gradient_of_what_is_replaced, elements_of_a_gradient,
        gradients_of_a_layer, asked_before_backward, asked_on_paths,
    ],
)  # fmt: skip
def test_a_compiled_function_does_as_eager_mode(run: Callable[[Any], Any]) -> None:
    assert shown(run(vt.to_static)) == shown(run(lambda fn: fn))


def test_programs_are_kept_for_either_answer() -> None:
    w = param(2.0)
    f = vt.to_static(lambda x: x * 2 if w.stop_gradient else x * 3)
    for k in range(6):
        w.stop_gradient = k % 2 == 0
        f(x())
    assert ": 2 programs" in f.explain()


def test_flags_that_nobody_asks_for_do_not_count() -> None:
    w, other = param(2.0), param(1.0)
    f = vt.to_static(lambda x: x * w)
    for stop in (False, True):
        other.stop_gradient = stop
        f(x())
    assert ": 1 program" in f.explain()
