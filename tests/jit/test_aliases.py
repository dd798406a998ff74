"""Tensors that share memory: what is written into one is seen by the others, as in eager mode.

Each scenario runs twice, plain and compiled; what it observes must be the same.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify.base.errors import CaptureError

Wrap = Callable[[Callable[..., Any]], Callable[..., Any]]
Scenario = Callable[[Wrap], list[Any]]
SCENARIOS: dict[str, Scenario] = {}


def scenario(fn: Scenario) -> Scenario:
    SCENARIOS[fn.__name__] = fn
    return fn


def t(*numbers: float) -> Any:
    return vt.to_tensor(np.array(numbers, "float32"))


def needs_gradient(*numbers: float) -> Any:
    return vt.to_tensor(np.array(numbers, "float32"), stop_gradient=False)


def seen(x: Any) -> Any:
    if isinstance(x, (list, tuple)):
        return [seen(part) for part in x]
    return x.tolist() if isinstance(x, vt.Tensor) else x


def now(*tensors: Any) -> list[Any]:
    """The elements at this moment."""
    return [seen(x) for x in tensors]


@scenario
def a_write_is_seen_through_a_detached_argument_beside(wrap: Wrap) -> list[Any]:
    def f(a: Any, b: Any) -> Any:
        a[0] = 5.0
        return b * 1

    g, found = wrap(f), []
    for other in ("detach", "distinct", "detach", "same", "data", "distinct", "detach"):
        a = t(1, 2)
        b = {"detach": a.detach(), "data": a.data, "same": a, "distinct": t(7, 8)}[other]
        found += now(g(a, b), a, b)
    return found


@scenario
def distinct_arguments_first_and_aliases_later(wrap: Wrap) -> list[Any]:
    def f(a: Any, b: Any) -> Any:
        b.add_(a)
        return a * 1

    g = wrap(f)
    found = now(g(t(1, 2), t(7, 8)), g(t(3, 4), t(7, 8)))
    for _ in range(2):
        a = t(1, 2)
        d = a.detach()
        found += now(g(a, d), a, d)
    return found + now(g(t(1, 2), t(7, 8)))


@scenario
def every_pattern_among_three_arguments(wrap: Wrap) -> list[Any]:
    def f(a: Any, b: Any, c: Any) -> Any:
        a.add_(b)
        return c * 1

    g, found = wrap(f), []
    for pattern in ("abc", "aab", "aba", "abb", "aaa", "abc"):
        memory = {name: t(ord(name) - 96, 1) for name in set(pattern)}
        given = [memory[name].detach() if k else memory[name] for k, name in enumerate(pattern)]
        found += now(g(*given), *given)
    return found


@scenario
def aliases_in_lists_dicts_and_keywords(wrap: Wrap) -> list[Any]:
    def f(xs: Any, *, named: Any) -> Any:
        xs[0][0] = 4.0
        return xs[1] * 1, named["k"] * 1

    g, a = wrap(f), t(1, 2)
    found = now(g([a, t(3, 4)], named={"k": t(5, 6)}))
    found += now(g([a, a.detach()], named={"k": t(5, 6)}), a)
    b = t(1, 2)
    return found + now(g([b, t(3, 4)], named={"k": b.detach()}), b)


@scenario
def many_aliases(wrap: Wrap) -> list[Any]:
    def f(a: Any, b: Any, c: Any, d: Any, e: Any) -> Any:
        a.add_(1.0)
        return b + c + d + e

    g, found = wrap(f), []
    for shared in (False, True, False, True):
        a = t(1, 2)
        found += now(g(a, t(1, 1), t(2, 2), t(3, 3), a.detach() if shared else t(4, 4)), a)
    return found


@scenario
def writes_in_a_branch(wrap: Wrap) -> list[Any]:
    def f(a: Any, b: Any, c: Any) -> Any:
        if c.sum() > 0:
            a.add_(1.0)
        else:
            b.add_(10.0)
        return a * 1, b * 1

    g, found = wrap(f), []
    for kind in (0, 1, 0, 1, 2):
        for c in (t(1.0), t(-1.0)):
            a = t(1, 2)
            b = (t(3, 4), a.detach(), a)[kind]
            found += now(g(a, b, c), a, b)
    return found


@scenario
def writes_in_a_loop(wrap: Wrap) -> list[Any]:
    def f(a: Any, b: Any, n: Any) -> Any:
        i = vt.to_tensor(0)
        while i < n:
            a.add_(b)
            i = i + 1
        return a * 1, b * 1

    g, found = wrap(f), []
    for kind in (0, 1, 0, 1, 2):
        a = t(1, 2)
        b = (t(3, 4), a.detach(), a)[kind]
        found += now(g(a, b, vt.to_tensor(3)), a, b)
    return found


@scenario
def detached_inside_and_written(wrap: Wrap) -> list[Any]:
    def f(a: Any) -> Any:
        d = a.detach()
        a[0] = 5.0
        e = d.detach()
        e[1] = 6.0
        return d * 1, a * 1

    g, a = wrap(f), t(1, 2)
    return now(g(a), a, g(a), a)


@scenario
def detached_values_of_the_function_under_branches_and_loops(wrap: Wrap) -> list[Any]:
    def f(x: Any, c: Any, n: Any) -> Any:
        y = x * 2
        z = [y.detach()]
        if c.sum() > 0:
            z[0].add_(1.0)
        for _ in range(n):
            y.add_(z[0])
        return y, z[0]

    g = wrap(f)
    return [now(*g(t(1, 2), t(c), vt.to_tensor(n))) for c in (1.0, -1.0) for n in (0, 2)]


@scenario
def a_returned_detached_tensor_shares_memory(wrap: Wrap) -> list[Any]:
    def f(x: Any) -> Any:
        return x.detach(), x.data, {"x": x}

    g, x = wrap(f), t(1, 2)
    d, e, back = g(x)
    x[0] = 9.0
    found = now(d, e)
    d[1] = 4.0
    return [*found, *now(x, d, e), back["x"] is x, d is x, d.stop_gradient]


@scenario
def a_returned_detached_parameter_shares_memory(wrap: Wrap) -> list[Any]:
    p = needs_gradient(1, 2)
    g = wrap(lambda: (p.detach(), p))
    d, q = g()
    d[0] = 5.0
    return [*now(p), q is p, d is p, d.stop_gradient, q.stop_gradient, g()[1] is p]


@scenario
def a_returned_new_tensor_and_its_detached_form(wrap: Wrap) -> list[Any]:
    def f(x: Any) -> Any:
        y = x * 2
        return y, y.detach(), y

    y, d, again = wrap(f)(t(1, 2))
    y[0] = 9.0
    found = now(d)
    d[1] = 4.0
    return [*found, *now(y), d is y, again is y]


@scenario
def returned_copies_do_not_share_memory(wrap: Wrap) -> list[Any]:
    def f(x: Any) -> Any:
        y = x * 2
        return y, y.reshape([2]), y[:], y.flatten(), y.clone(), y.unsqueeze(0), y.astype("float32")

    first, *others = wrap(f)(t(1, 2))
    first[0] = 9.0
    found = now(*others)
    for other in others:
        other.add_(1.0)
    return found + now(first, *others)


@scenario
def views_of_an_argument_are_copies(wrap: Wrap) -> list[Any]:
    def f(x: Any) -> Any:
        return x[0], x.reshape([4]), x.t(), x.transpose([1, 0]), x[:], x.squeeze(), x.flatten(), vt.assign(x)

    g, x = wrap(f), vt.to_tensor(np.arange(4, dtype="float32").reshape(2, 2))
    made = g(x)
    x[0, 0] = 9.0
    found = now(*made)
    for y in made:
        y.add_(1.0)
    return [*found, *now(x, *made), [y is x for y in made]]


@scenario
def a_detached_tensor_that_is_kept(wrap: Wrap) -> list[Any]:
    kept: dict[str, Any] = {}

    class Owner:
        made: Any = None

    owner = Owner()

    def f(x: Any) -> Any:
        y = x * 2
        kept["x"], owner.made = x.detach(), y.detach()
        return y

    g, found = wrap(f), []
    for start in (1, 3):
        x = t(start, 2)
        y = g(x)
        x[0] = 9.0
        y[0] = 8.0
        found += now(kept["x"], owner.made)
    return found


@scenario
def attributes_that_share_memory(wrap: Wrap) -> list[Any]:
    class Owner:
        a: Any = t(1, 2)
        b: Any = t(1, 2)

    owner = Owner()
    owner.a, owner.b = t(1, 2), t(1, 2)

    def f(x: Any) -> Any:
        owner.a.add_(x)
        return owner.b * 1

    g = wrap(f)
    found = now(g(t(1, 1)), g(t(1, 1)))
    owner.b = owner.a.detach()
    return found + now(g(t(1, 1)), owner.a, owner.b, g(t(1, 1)), owner.a, owner.b)


@scenario
def an_argument_that_is_a_tensor_from_outside(wrap: Wrap) -> list[Any]:
    outside = [t(1, 2)]

    def writes_argument(x: Any) -> Any:
        x.add_(1.0)
        return outside[0] * 1

    def writes_outside(x: Any) -> Any:
        outside[0].add_(1.0)
        return x * 1

    found = []
    for f in (writes_argument, writes_outside):
        g = wrap(f)
        found += now(g(t(5, 5)), g(t(5, 5)), g(outside[0]), g(outside[0].detach()), g(t(5, 5)), outside[0])
    return found


@scenario
def a_training_step_given_its_own_buffer(wrap: Wrap) -> list[Any]:
    class Model(vt.nn.Layer):
        def __init__(self) -> None:
            super().__init__()
            self.register_buffer("total", t(0, 0))
            self.w = self.create_parameter([2], default_initializer=vt.nn.initializer.Constant(1.0))

        def forward(self, x: Any) -> Any:
            self.total.add_(x.detach())
            return (x * self.w).sum()

    model = Model()
    optimizer = vt.optimizer.SGD(0.125, parameters=model.parameters())
    total, w = model.total.detach(), model.w.detach()

    def step(x: Any) -> Any:
        loss = model(x)
        loss.backward()
        optimizer.step()
        optimizer.clear_grad()
        return loss

    g, found = wrap(step), []
    for x in (t(1, 2), t(1, 2), model.total, total, t(1, 2)):
        found += now(g(x), model.total, total, model.w, w)
    return found


@scenario
def a_write_that_is_not_recorded_leaves_the_gradient(wrap: Wrap) -> list[Any]:
    def by_no_grad(p: Any, x: Any) -> Any:
        with vt.no_grad():
            p.multiply_(t(2, 3))
        return (p * x).sum()

    def by_data(p: Any, x: Any) -> Any:
        p.data.multiply_(t(2, 3))
        return (p * x).sum()

    def twice(p: Any, x: Any) -> Any:
        q = p * 2
        with vt.no_grad():
            q.multiply_(t(3, 3))
            q.add_(t(1, 1))
        s = (q + x).sum()
        q.detach().multiply_(t(5, 5))
        return s + (q * q).sum()

    def returned(p: Any, x: Any) -> Any:
        q = p * x
        d = q.detach()
        d[0] = 3.0
        return q

    def in_a_branch(p: Any, x: Any) -> Any:
        with vt.no_grad():
            if x.sum() > 0:
                p.multiply_(t(2, 3))
        return (p * x).sum()

    def in_a_loop(p: Any, x: Any) -> Any:
        for _ in range((x > 0).sum()):
            with vt.no_grad():
                p.multiply_(t(2, 3))
        return (p * x).sum()

    found = []
    for f in (by_no_grad, by_data, twice, returned, in_a_branch, in_a_loop):
        g = wrap(f)
        for x in (t(3, 4), t(-3, -4)):
            p = needs_gradient(1, 2)
            loss = g(p, x)
            loss.sum().backward()
            found += now(loss, p, p.grad)
    return found


@scenario
def a_value_from_outside_that_is_written_without_being_recorded(wrap: Wrap) -> list[Any]:
    online, target = needs_gradient(1, 2), needs_gradient(0, 0)

    def loss(x: Any) -> Any:
        with vt.no_grad():
            target.set_value(online)
        return ((online * x - target * x * 2) ** 2).sum()

    g, found = wrap(loss), []
    for _ in range(2):
        made = g(t(1, 1))
        made.backward()
        found += now(made, online.grad, target.grad, target)
        online.clear_grad()
        target.clear_grad()
    return found


@scenario
def a_recorded_write_has_a_gradient_of_its_own(wrap: Wrap) -> list[Any]:
    def f(p: Any, x: Any) -> Any:
        q = p * 2
        q.multiply_(x)
        r = q.detach()
        q[0] = 0.0
        return (q * r).sum()

    g, p = wrap(f), needs_gradient(1, 2)
    loss = g(p, t(3, 4))
    loss.backward()
    return now(loss, p.grad)


@scenario
def a_write_that_is_not_recorded_and_backward_inside(wrap: Wrap) -> list[Any]:
    p = needs_gradient(1, 2)

    def step(x: Any) -> Any:
        with vt.no_grad():
            p.clip_(-1.5, 1.5)
        loss = (p * p * x).sum()
        loss.backward()
        return loss

    g = wrap(step)
    found = now(g(t(3, 4)), p.grad)
    p.clear_grad()
    return found + now(g(t(3, 4)), p.grad)


@scenario
def an_argument_that_needs_a_gradient_beside_its_detached_form(wrap: Wrap) -> list[Any]:
    def f(a: Any, b: Any) -> Any:
        return (a * b).sum()

    g, found = wrap(f), []
    for swapped in (False, True, False):
        p = needs_gradient(1, 2)
        loss = g(p.detach(), p) if swapped else g(p, p.detach())
        loss.backward()
        found += now(loss, p.grad)
    return found


@pytest.mark.parametrize("name", SCENARIOS)
def test_compiled_code_sees_aliases_as_plain_code_does(name: str) -> None:
    plain = SCENARIOS[name](lambda f: f)
    assert SCENARIOS[name](vt.to_static) == plain
    assert SCENARIOS[name](lambda f: vt.to_static(f, numerics="reference")) == plain


def test_arguments_that_share_memory_and_both_need_gradients_are_refused() -> None:
    a = needs_gradient(1, 2)
    b = a.detach()
    b.stop_gradient = False
    with pytest.raises(CaptureError, match="share memory, and both need gradients") as caught:
        vt.to_static(lambda x, y: x * y)(a, b)
    assert "clone()" in str(caught.value)


def test_calls_without_aliases_reuse_one_program() -> None:
    @vt.to_static
    def f(a: Any, b: Any) -> Any:
        a.add_(b)
        return a

    for _ in range(4):
        f(t(1, 2), t(3, 4))
    assert f.get_traced_count() == 1
    a = t(1, 2)
    for _ in range(3):
        f(a, a.detach())
    assert f.get_traced_count() == 2
    f(t(1, 2), t(3, 4))
    assert f.get_traced_count() == 2


def test_a_saved_function_returns_aliases_too(tmp_path: Any) -> None:
    class Model(vt.nn.Layer):
        def forward(self, x: Any) -> Any:
            y = x * 2
            return y, y.detach()

    path = str(tmp_path / "model")
    vt.jit.save(vt.to_static(Model()), path, input_spec=[vt.static.InputSpec([2], "float32")])
    y, d = vt.jit.load(path)(t(1, 2))
    y[0] = 9.0
    assert d.tolist() == [9.0, 4.0]
