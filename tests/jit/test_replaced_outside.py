"""Tensors that other code replaces between calls: they are looked up where they stand, so a program serves all of them."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify import nn


class Holder:
    """An object of the user's."""

    def __init__(self, **attributes: Any) -> None:
        self.__dict__.update(attributes)


def t(*values: float) -> Any:
    return vt.to_tensor(np.array(values, "float32"))


def content(value: Any) -> Any:
    """Values, and whether gradients end here."""
    if isinstance(value, vt.Tensor):
        return value.numpy().tolist(), value.stop_gradient
    if isinstance(value, (list, tuple)):
        return [content(part) for part in value]
    return value


def both(
    make: Callable[[], tuple[Any, Callable[..., Any]]], between: Callable[[Any, int, Any], Any], calls: int = 8
) -> int:  # fmt: skip
    """Calls with changes between them, in eager mode and compiled; how many programs there are."""
    found: list[Any] = []
    count = 0
    for is_compiled in (False, True):
        state, function = make()
        fn = vt.to_static(function) if is_compiled else function
        seen = []
        for k in range(calls):
            y = fn(t(k, 1.0))
            seen.append((content(y), content(between(state, k, y))))
        found.append(seen)
        count = fn.get_traced_count() if is_compiled else 0
    assert found[0] == found[1]
    return count


module_tensor: Any = None


def attribute() -> tuple[Any, Callable[..., Any]]:
    o = Holder(w=t(1, 2))
    return o, lambda x: o.w * x


def of_layer() -> tuple[Any, Callable[..., Any]]:
    net = nn.Linear(2, 2)
    net.weight.set_value(np.eye(2, dtype="float32"))
    net.w = t(1, 2)
    return net, lambda x: net(x) + net.w


def buffer() -> tuple[Any, Callable[..., Any]]:
    net = nn.Linear(2, 2)
    net.weight.set_value(np.eye(2, dtype="float32"))
    net.register_buffer("w", t(1, 2))
    return net, lambda x: net(x) + net.w


def inside() -> tuple[Any, Callable[..., Any]]:
    o = Holder(w=t(1, 2))
    owner = Holder(inner=o)
    return o, lambda x: owner.inner.w - x


def on_a_path() -> tuple[Any, Callable[..., Any]]:
    o = Holder(w=t(1, 2))

    def fn(x: Any) -> Any:
        if o.w.sum() > 3:
            return o.w * x
        return o.w - x

    return o, fn


def in_module() -> tuple[Any, Callable[..., Any]]:
    globals()["module_tensor"] = t(1, 2)
    return Module(), lambda x: module_tensor * x


class Module:
    """Writes a variable of this module as an attribute."""

    def __setattr__(self, name: str, value: Any) -> None:
        globals()["module_tensor"] = value


@pytest.mark.parametrize("make", [attribute, of_layer, buffer, inside, on_a_path, in_module])
def test_a_replaced_tensor_has_one_more_program(make: Callable[[], tuple[Any, Callable[..., Any]]]) -> None:
    assert both(make, lambda o, k, y: setattr(o, "w", y.detach() * 0.5 + k)) == 2


def test_a_replaced_variable_of_a_closure() -> None:
    def make() -> tuple[Any, Callable[..., Any]]:
        h = t(1, 2)

        def put(value: Any) -> None:
            nonlocal h
            h = value

        return put, lambda x: h * x

    assert both(make, lambda put, k, y: put(y + k)) == 2


@pytest.mark.parametrize(
    ("first", "other"),
    [
        (lambda: (t(1, 2), t(3, 4)), lambda y: (y, y * 2)),
        (lambda: [t(1, 2), t(3, 4)], lambda y: [y, y * 2]),
        (lambda: {0: t(1, 2), 1: t(3, 4)}, lambda y: {0: y, 1: y * 2}),
        (lambda: (t(1, 2), [t(3, 4)]), lambda y: (y, [y * 2])),
    ],
    ids=["tuple", "list", "dict", "nested"],
)
def test_replaced_containers_of_tensors(first: Callable[[], Any], other: Callable[[Any], Any]) -> None:
    def make() -> tuple[Any, Callable[..., Any]]:
        o = Holder(s=first())

        def fn(x: Any) -> Any:
            h, c = o.s[0], o.s[1]
            return h * x + (c[0] if isinstance(c, list) else c)

        return o, fn

    assert both(make, lambda o, k, y: setattr(o, "s", other(y))) == 2


def test_replaced_items_of_a_list_and_a_dict() -> None:
    def make() -> tuple[Any, Callable[..., Any]]:
        d = {"w": t(1, 2), "all": [t(0, 1), t(2, 3)]}
        return d, lambda x: d["w"] * x + d["all"][1]

    def between(d: Any, k: int, y: Any) -> None:
        d["w"] = y + 1
        d["all"][k % 2] = y - 1

    assert both(make, between) <= 3


def test_what_is_written_is_the_tensor_that_stands_there() -> None:
    def make() -> tuple[Any, Callable[..., Any]]:
        o = Holder(w=t(1, 2))

        def fn(x: Any) -> Any:
            o.w.add_(x)
            return o.w

        return o, fn

    def between(o: Any, k: int, y: Any) -> Any:
        is_same, before = y is o.w, o.w
        if k % 2:
            o.w = o.w + k
        y.add_(t(1, 1))
        return [is_same, before, o.w]

    assert both(make, between) == 2


def test_tensors_that_become_one_and_two_again() -> None:
    def make() -> tuple[Any, Callable[..., Any]]:
        o = Holder(a=t(1, 2), b=t(5, 6))

        def fn(x: Any) -> Any:
            o.a.add_(x)
            return o.b * 1

        return o, fn

    def between(o: Any, k: int, y: Any) -> Any:
        match k:
            case 3:
                o.a = o.b
            case 5:
                o.a = o.b.clone()
            case 7:
                o.b = o.a
            case _:
                o.b = o.b + 1
        return [o.a, o.b]

    both(make, between, calls=10)


def test_identity_dtype_and_shape_of_the_other_tensor() -> None:
    def make() -> tuple[Any, Callable[..., Any]]:
        o = Holder(w=t(1, 2))
        o.best = o.w
        return o, lambda x: x * 2 if o.w is o.best else x.sum() + o.w.sum()

    def between(o: Any, k: int, y: Any) -> None:
        match k % 4:
            case 0:
                o.w = y
            case 1:
                o.best = o.w
            case 2:
                o.w = vt.ones([k])
            case _:
                o.w = t(k).astype("float64")

    both(make, between, calls=6)


def test_gradients_reach_the_leaf_that_stands_there() -> None:
    def make() -> tuple[Any, Callable[..., Any]]:
        o = Holder(w=t(1, 2), leaf=t(1, 2))
        return o, lambda x: o.w * x

    def between(o: Any, k: int, y: Any) -> Any:
        found = None
        if not y.stop_gradient:
            y.sum().backward()
            found = o.leaf.grad.numpy().tolist()
        o.leaf = t(k, 1)
        o.leaf.stop_gradient = k % 3 == 2
        o.w = o.leaf if k < 5 else o.leaf * 2
        return found

    assert both(make, between, calls=12) <= 4


def test_a_training_step_of_a_parameter_that_is_replaced() -> None:
    def make() -> tuple[Any, Callable[..., Any]]:
        net = nn.Linear(2, 2)
        net.weight.set_value(np.eye(2, dtype="float32"))

        def fn(x: Any) -> Any:
            net(x).sum().backward()
            grad = net.weight.grad.clone()
            net.clear_gradients()
            return grad

        return net, fn

    def between(net: Any, k: int, y: Any) -> None:
        value = nn.initializer.Assign(np.eye(2) * k)
        net.weight = vt.create_parameter([2, 2], "float32", default_initializer=value)

    both(make, between, calls=5)


def test_two_compiled_functions_share_what_one_of_them_replaces() -> None:
    class Agent:
        def __init__(self) -> None:
            self.w = vt.ones([2])

        @vt.to_static
        def act(self, x: Any) -> Any:
            return (self.w * x).sum()

        @vt.to_static
        def learn(self, x: Any) -> None:
            self.w = self.w + 0.5 * x

    agent, expected = Agent(), np.ones(2, "float32")
    for _ in range(6):
        assert float(agent.act(t(1, 2))) == expected[0] + 2 * expected[1]
        agent.learn(t(1, 2))
        expected = expected + 0.5 * np.array([1, 2], "float32")
    assert (agent.act.get_traced_count(), agent.learn.get_traced_count()) == (2, 1)


@pytest.mark.parametrize("writes", [False, True], ids=["by others", "by the function"])
def test_gradients_are_added_to_the_tensor_that_stands_there(writes: bool) -> None:
    def make() -> tuple[Any, Callable[..., Any]]:
        o = Holder(w=leaf(1.0))

        def fn(x: Any) -> Any:
            loss = (o.w * o.w * x).sum()
            loss.backward()
            if writes:
                o.w = leaf(0.5, (o.w - 0.1 * o.w.grad).detach())
            return loss.detach()

        return o, fn

    def between(o: Any, k: int, y: Any) -> Any:
        o.__dict__.setdefault("olds", []).append(o.w)
        if k in (1, 3, 4):
            o.w = leaf(1.0 + k)
        if k in (3, 5):
            o.w.grad = t(100.0)
        return [None if w.grad is None else w.grad.tolist() for w in (*o.olds, o.w)]

    both(make, between, calls=7)


def leaf(value: float, tensor: Any = None) -> Any:
    x = t(value) if tensor is None else tensor
    x.stop_gradient = False
    return x


def answers(order: str, is_compiled: bool) -> list[Any]:
    w = t(1)
    v = w

    def ask(x: Any) -> Any:
        return w * x + v, w is v

    fn, seen = vt.to_static(ask) if is_compiled else ask, []
    for step in order:
        match step:
            case "0":
                seen.append(fn(t(1))[1])
            case "u":
                v = t(6)
            case "v":
                v = w
            case "w":
                w = t(5)
            case _:
                w = w + 1
    return seen


@pytest.mark.parametrize("order", ["0u0v0", "0w0v0w0v0", "0+0v0u0v0"])
def test_whether_two_names_are_one_tensor(order: str) -> None:
    assert answers(order, False) == answers(order, True)


def test_attributes_of_the_user_and_gradients_that_are_there() -> None:
    def make() -> tuple[Any, Callable[..., Any]]:
        o = Holder(w=leaf(1.0))
        o.w.tag = 0
        return o, lambda x: (o.w * x * (2 if o.w.tag == 3 else 1), o.w.grad is None)

    def between(o: Any, k: int, y: Any) -> None:
        o.w = leaf(1.0 + k)
        o.w.tag = k
        if k in (2, 4):
            o.w.grad = t(1)

    both(make, between, calls=6)


@pytest.mark.parametrize("kind", ["Adam", "Momentum"])
@pytest.mark.parametrize("order", ["000111010", "0011220"])
def test_an_optimizer_and_weights_that_take_turns(kind: str, order: str) -> None:
    def run(is_compiled: bool) -> list[Any]:
        weights = [leaf(1.0 + k) for k in range(3)]
        optimizer = getattr(vt.optimizer, kind)(0.1, parameters=weights)
        o = Holder(w=weights[0])

        def step(x: Any) -> Any:
            loss = (o.w * x).square().mean()
            loss.backward()
            optimizer.step()
            optimizer.clear_grad()
            return loss.detach()

        fn, seen = vt.to_static(step) if is_compiled else step, []
        for k in order:
            o.w = weights[int(k)]
            fn(t(1 + int(k)))
            seen.append([w.item() for w in weights])
        return seen

    assert np.allclose(run(False), run(True), atol=1e-5)


def test_arguments_that_are_the_tensors_which_are_looked_up() -> None:
    known = [t(k, k + 1) for k in (1, 2, 3)]
    chosen = np.random.default_rng(0).integers(0, 3, (30, 3))
    found = []
    for is_compiled in (False, True):
        h = Holder(w=known[0], v=known[1])

        def fn(x: Any, h: Any = h) -> Any:
            return h.w * 3 if x is h.v else h.w - h.v

        step, seen = vt.to_static(fn) if is_compiled else fn, []
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", vt.jit.RecompileWarning)
            for row in chosen:
                h.w, h.v, x = (known[k] for k in row)
                seen.append(content(step(x)))
        found.append(seen)
    assert found[0] == found[1]


def test_shapes_that_take_turns_have_a_program_each() -> None:
    def make() -> tuple[Any, Callable[..., Any]]:
        o = Holder(w=t(1))
        return o, lambda x: o.w.sum() * x

    def between(o: Any, k: int, y: Any) -> None:
        o.w = vt.ones([k % 3 + 1])

    assert both(make, between, calls=12) <= 5
