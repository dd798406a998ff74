"""A tensor that is an argument and that the function finds elsewhere, too: gradients and `is` as in eager mode."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest

import vitrify as vt
from vitrify import nn


class Box:
    """Holds a tensor."""


def param(value: float) -> Any:
    return vt.create_parameter([1], "float32", default_initializer=nn.initializer.Constant(value))


def shown(x: Any) -> Any:
    if isinstance(x, (list, tuple)):
        return [shown(v) for v in x]
    return x.tolist() if isinstance(x, vt.Tensor) else x


def backward_inside(wrap: Any) -> Any:
    p, q = param(2.0), param(5.0)

    def f(x: Any) -> Any:
        (p * x).sum().backward()
        g = p.grad.clone()
        p.clear_grad()
        return g

    f = wrap(f)
    return [f(p), f(p), f(q), q.grad, f(p)]


def gradient_of_the_argument(wrap: Any) -> Any:
    p, q = param(2.0), param(5.0)
    f = wrap(lambda x: vt.grad((p * x).sum(), x)[0])
    return [f(q), f(p), f(p), f(q)]


def gradient_of_the_closure_variable(wrap: Any) -> Any:
    p, q = param(2.0), param(5.0)
    f = wrap(lambda x: vt.grad((p * x).sum(), p)[0])
    return [f(q), f(p), f(p), f(q)]


def gradients_left(wrap: Any) -> Any:
    p, q = param(2.0), param(3.0)
    f = wrap(lambda x: (p * x).sum().backward())
    f(q)
    found = [p.grad.clone(), q.grad.clone()]
    p.clear_grad()
    f(p)
    f(p)
    return [*found, p.grad]


def attribute_that_is_set(wrap: Any) -> Any:
    box, other, last = Box(), param(4.0), param(1.0)
    box.w = first = param(2.0)

    def f(x: Any) -> Any:
        (box.w * x).sum().backward()
        return box.w.grad

    f = wrap(f)
    found = [f(first).clone()]
    box.w = other
    found.append(f(other).clone())
    other.clear_grad()
    return [*found, f(last), other.grad, first.grad]


def list_of_arguments(wrap: Any) -> Any:
    p, q = param(2.0), param(3.0)

    def f(given: Any) -> Any:
        (p * given[0] * given[1]).sum().backward()
        return [x.grad for x in given]

    f = wrap(f)
    first = [g.clone() for g in f([p, q])]
    p.clear_grad()
    q.clear_grad()
    return [first, f([p, p])]


def two_arguments(wrap: Any) -> Any:
    p, q = param(2.0), param(5.0)
    f = wrap(lambda a, b: vt.grad((a * b).sum(), a)[0])
    return [f(q, p), f(p, p), f(q, p), f(p, p)]


def computed_outside(wrap: Any) -> Any:
    h = param(2.0)
    y, z = h * 2, h * 5
    f = wrap(lambda x: vt.grad((y * x * x).sum(), [x])[0])
    return [f(z), f(y), f(y)]


def gradient_outside(wrap: Any) -> Any:
    p = param(2.0)
    f, found = wrap(lambda x: (p * x).sum()), []
    for _ in range(2):
        f(p).backward()
        found.append(p.grad.clone())
        p.clear_grad()
    return found


def stop_gradient_set(wrap: Any) -> Any:
    p, q = param(2.0), param(2.0)

    def f(x: Any) -> Any:
        x.stop_gradient = True
        return (p * 3).stop_gradient

    f = wrap(f)
    return [f(q), q.stop_gradient, f(p), p.stop_gradient]


def identity(wrap: Any) -> Any:
    p, q = param(2.0), param(2.0)
    f = wrap(lambda x: x * 2 if x is p else x * 3)
    return [f(q), f(p), f(q), f(p)]


def identity_in_a_list(wrap: Any) -> Any:
    p, q = param(2.0), param(2.0)
    known = [p, param(3.0)]
    f = wrap(lambda x: x * 2 if any(x is y for y in known) else x * 3)
    return [f(q), f(p), f(q), f(p)]


def identity_with_one_of_two(wrap: Any) -> Any:
    p, q = param(2.0), param(2.0)
    f = wrap(lambda x: x * 2 if x is p else x * 3 if x is q else x * 5)
    return [f(q), f(p), f(param(1.0)), f(q), f(p)]


def gradient_of_one_of_two(wrap: Any) -> Any:
    p, q = param(2.0), param(3.0)
    f = wrap(lambda x: vt.grad((p * q * x).sum(), x)[0])
    return [f(p), f(q), f(param(1.0)), f(q), f(p)]


def identity_of_two_arguments(wrap: Any) -> Any:
    p, q = param(2.0), param(2.0)
    f = wrap(lambda x, y: x * 2 if x is y else x * 3)
    return [f(q, p), f(p, p), f(q, p), f(p, p)]


def key_of_a_dict(wrap: Any) -> Any:
    p, q = param(2.0), param(2.0)
    scales = {p: 3.0}
    f = wrap(lambda x: x * scales[x] if x in scales else x * 10)
    return [f(q), f(p), f(q), f(p)]


def looked_up_in_a_dict(wrap: Any) -> Any:
    p, q = param(2.0), param(2.0)
    scales = {p: 3.0}
    f = wrap(lambda x: x * scales.get(x, 10.0))
    return [f(q), f(p), f(q), f(p)]


def among_the_keys_of_a_dict(wrap: Any) -> Any:
    p, q = param(2.0), param(2.0)
    scales = {p: 3.0}
    f = wrap(lambda x: x * (scales[x] if x in scales.keys() else 10.0))  # noqa: SIM118
    return [f(q), f(p), f(q), f(p)]


def key_that_may_be_missing(wrap: Any) -> Any:
    p, q = param(2.0), param(2.0)
    scales = {p: 3.0}

    def f(x: Any) -> Any:
        try:
            return x * scales[x]
        except KeyError:
            return x * 10

    f = wrap(f)
    return [f(q), f(p), f(q), f(p)]


def hash_of_a_tensor(wrap: Any) -> Any:
    p, q = param(2.0), param(2.0)
    f = wrap(lambda x: x * 2 if hash(x) == hash(p) else x * 3)
    return [f(q), f(p), f(q), f(p)]


def number_of_a_tensor(wrap: Any) -> Any:
    p, q = param(2.0), param(2.0)
    scales = {id(p): 3.0}
    f = wrap(lambda x: x * scales.get(id(x), 10.0))
    return [f(q), f(p), f(q), f(p)]


@pytest.mark.parametrize(
    "run",
    [
        backward_inside, gradient_of_the_argument, gradient_of_the_closure_variable, gradients_left,
        attribute_that_is_set, list_of_arguments, two_arguments, computed_outside, gradient_outside, stop_gradient_set,
        identity, identity_in_a_list, identity_with_one_of_two, gradient_of_one_of_two, identity_of_two_arguments, key_of_a_dict, looked_up_in_a_dict,
        among_the_keys_of_a_dict, key_that_may_be_missing, hash_of_a_tensor, number_of_a_tensor,
    ],
)  # fmt: skip
def test_a_compiled_function_does_as_eager_mode(run: Callable[[Any], Any]) -> None:
    assert shown(run(vt.to_static)) == shown(run(lambda fn: fn))


def test_there_is_one_program_for_all_tensors_that_are_no_argument() -> None:
    p = param(2.0)
    f = vt.to_static(lambda x: x * 2 if x is p else x * 3)
    for _ in range(4):
        f(param(1.0))
    assert f.explain().startswith(
        "test_there_is_one_program_for_all_tensors_that_are_no_argument.<locals>.<lambda>: 1 "
    )


@pytest.mark.parametrize("stops", [True, False])
def test_a_tensor_and_its_detached_alias_come_out_as_they_are(stops: bool) -> None:
    def forms(s: Any) -> list[Any]:
        def swap() -> None:
            s.w, s.d = s.d, s.w

        return [
            lambda x: (s.w, s.d),
            lambda x: (s.d, s.w),
            lambda x: list(s.l),
            lambda x: {"w": s.w, "d": s.d},
            lambda x: s.l.reverse(),
            lambda x: swap(),
            lambda x: setattr(s, "e", s.d),
        ]

    def run(k: int, compiled: Any) -> Any:
        w = vt.to_tensor([1.0], stop_gradient=stops)
        s = SimpleNamespace(w=w, d=w.detach(), e=None)
        s.l = [s.w, s.d]
        names = {id(s.w): "w", id(s.d): "d"}
        fn, seen = compiled(forms(s)[k]), []
        for _ in range(3):
            y = fn(vt.ones([1]))
            parts = list(y.values()) if isinstance(y, dict) else list(y or [])
            seen.append([names.get(id(v)) for v in (*parts, s.w, s.d, s.e, *s.l)])
        return seen

    for k in range(7):
        assert run(k, lambda f: f) == run(k, vt.to_static)


def test_two_names_of_one_memory_in_a_saved_layer(tmp_path: Any) -> None:
    class Net(nn.Layer):
        def __init__(self) -> None:
            super().__init__()
            self.w = self.create_parameter([2])
            self.register_buffer("d", self.w.detach())

        def forward(self, x: Any) -> Any:
            return self.d, x * self.w, self.w

    net = Net()
    vt.jit.save(net, tmp_path / "net", input_spec=[vt.static.InputSpec([2], "float32")])
    found = vt.jit.load(tmp_path / "net")(vt.ones([2]))
    assert [y.tolist() for y in found] == [net.w.tolist()] * 3
