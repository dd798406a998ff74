"""Branches and loops under a trace: the captured program gives what eager mode gives, on every path, with gradients."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify.dygraph.grad import grad as grad_of
from vitrify.dygraph.modes import no_grad
from vitrify.dygraph.tensor import Tensor
from vitrify.ops.op import FUNCTIONS

Agrees = Callable[..., Any]


def t(*values: float, grad: bool = False) -> Any:
    return Tensor(np.array(values, "float32"), stop_gradient=not grad)


def n(value: int) -> Any:
    return Tensor(np.array(value))


def straight(x: Any) -> Any:
    y = x * 2 + 1
    return y.exp().sum(), {"y": y, "k": 3}


def branch(x: Any) -> Any:
    if x.sum() > 0:
        y = x * 2
        k = 1
    else:
        y = x - 1
        k = 2
    return y + k


def chain(x: Any) -> Any:
    if x.sum() > 5:
        y = x * 3
    elif x.sum() > 0:
        y = x * x
    else:
        y = -x
    return y


def nested(x: Any) -> Any:
    y = x
    if x[0] > 0:
        if x[1] > 0:
            y = x * 2
        else:
            y = y + 1
        y = y * y
    return y


def early(x: Any) -> Any:
    if x.sum() > 3:
        return x * 2
    x = x + 1
    if x.sum() > 3:
        return x.exp()
    return x - 1


def ternary(x: Any) -> Any:
    return (x * 2 if x.sum() > 0 else x / 2) + (1 if x[0] > 0 else 2.5)


def logic(x: Any) -> Any:
    a = x[0] > 0 and x[1] > 0
    b = x[0] > 0 or x[1] > 0
    y = x
    if a and not b:
        y = x * 2
    if (x[0] > 1 or x[1] > 1) and x.sum() < 10:
        y = y * 3
    if 0 < x[0] < 2 <= x[1]:
        y = y + 10
    return y


def lazy(x: Any) -> Any:
    k = 0
    if x[0] > 0 and x.exp().sum() > 4:
        k = 1
    return x + k


def in_place(x: Any) -> Any:
    y = x * 1
    if x.sum() > 0:
        y[0] = 5.0
        y += 1
    else:
        y *= 2
    return y


def alias(x: Any) -> Any:
    y = x + 0
    z = y
    if x.sum() > 0:
        z += 1
        w = z
    else:
        w = x
    return y, z, w


def argument_written(x: Any) -> Any:
    if x.sum() > 0:
        x[0] = 7.0
    return x * 2


def tuples(x: Any) -> Any:
    pair = (x, x + 1)
    if x.sum() > 0:
        pair = (pair[1], pair[0])
    a, b = pair
    d = {"a": a}
    if x[0] > 1:
        d = {"a": b}
    return d["a"] - b


@pytest.mark.parametrize(
    "fn",
    [straight, branch, chain, nested, early, ternary, logic, lazy, in_place, alias, tuples],
    ids=lambda f: f.__name__,
)
@pytest.mark.parametrize("values", [(1.0, 2.0), (-1.0, -2.0), (3.0, 4.0), (1.5, -2.0), (0.5, 0.25)])
def test_branches(agrees: Agrees, fn: Any, values: Any) -> None:
    agrees(fn, t(*values), gradients=False)
    agrees(fn, t(*values, grad=True), gradients=True)


@pytest.mark.parametrize("values", [(1.0, 2.0), (-1.0, -2.0)])
def test_a_written_argument(agrees: Agrees, values: Any) -> None:
    agrees(argument_written, t(*values))


def count_up(x: Any, k: Any) -> Any:
    i = 0
    s = 0.0
    while i < k:
        s = s + x[i] * i
        i += 1
    return s, i


def doubling(x: Any, k: Any) -> Any:
    while x.sum() < k:
        x = x * 2 + 0.1
    return x


def with_break(x: Any, k: Any) -> Any:
    s = x[0] * 0
    i = 0
    while i < k:
        s = s + x[i]
        if s > 4:
            break
        i += 1
    return s, i


def with_continue(x: Any, k: Any) -> Any:
    s = x[0] * 0
    for i in range(k):
        if x[i] < 1:
            continue
        s = s + x[i] * x[i]
    return s


def returns_inside(x: Any, k: Any) -> Any:
    for i in range(k):
        if x[i] > 2:
            return x[i] * 10
    return x.sum()


def endless(x: Any, k: Any) -> Any:
    i = k * 0
    while True:
        i = i + 1
        x = x * 1.5
        if x.sum() > 20:
            return x, i


def python_count(x: Any, k: Any) -> Any:
    for i in range(4):
        x = x + i
        if x.sum() > k:
            break
    return x


def listed(x: Any, k: Any) -> Any:
    for a in [1.0, 2.0, 3.0]:
        x = x + a
        if x.sum() > k:
            break
    else:
        x = x * 100
    return x


def rows(x: Any, k: Any) -> Any:
    s = x[0] * 0
    for row in x:
        s = s * 0.5 + row
    return s


def enumerated(x: Any, k: Any) -> Any:
    s = x[0] * 0
    for i, row in enumerate(x):
        if i < k:
            s = s + row * i
    return s


def zipped(x: Any, k: Any) -> Any:
    s = x[0] * 0
    for a, b in zip(x, x * x):  # noqa: B905
        s = s + a * b
    for a in reversed(x):
        s = s * 0.5 + a
    return s


def nested_loops(x: Any, k: Any) -> Any:
    s = x.sum() * 0
    for i in range(k):
        for j in range(i):
            s = s + x[i] * x[j]
            if s > 10:
                break
    return s


def collected(x: Any, k: Any) -> Any:
    out = []
    for row in x:
        out.append(row * 2)
    return FUNCTIONS["stack"](out)


def swapped(x: Any, k: Any) -> Any:
    a, b = x[0], x[1]
    for _ in range(k):
        a, b = b, a + b
    return a


def bound_in_loop(x: Any, k: Any) -> Any:
    for i in range(k):
        y = x * (i + 1)
    return y


def stepped(x: Any, k: Any) -> Any:
    s = x.sum() * 0
    for i in range(1, k, 2):
        s = s + x[i]
    for i in range(k - 1, -1, -1):
        s = s * 0.5 + x[i]
    return s


LOOPS = [
    count_up, doubling, with_break, with_continue, returns_inside, endless, python_count, listed, rows, enumerated,
    zipped, nested_loops, collected, swapped, bound_in_loop, stepped,
]  # fmt: skip


@pytest.mark.parametrize("fn", LOOPS, ids=lambda f: f.__name__)
@pytest.mark.parametrize(
    ("values", "k"), [((1.0, 2.0, 0.5, 3.0), 4), ((0.1, 0.2, 0.3, 0.4), 3), ((2.5, 1.0, 1.0, 1.0), 2)]
)
def test_loops(agrees: Agrees, fn: Any, values: Any, k: int) -> None:
    agrees(fn, t(*values), n(k))
    agrees(fn, t(*values, grad=True), n(k), gradients=True)


def test_no_turns(agrees: Agrees) -> None:
    for fn in (count_up, with_continue, swapped, with_break, returns_inside):
        agrees(fn, t(1.0, 2.0), n(0))


def test_unbound_at_run_time(traced: Any) -> None:
    made = traced(bound_in_loop, t(1.0, 2.0), n(0))
    with pytest.raises(UnboundLocalError, match="y"):
        made.run()


def one_path(x: Any) -> Any:
    if x.sum() > 0:
        y = x * 2
    return y


def test_bound_on_one_path(traced: Any, agrees: Agrees) -> None:
    agrees(one_path, t(1.0))
    with pytest.raises(UnboundLocalError, match="y"):
        traced(one_path, t(-1.0)).run()


def in_trace_gradient(x: Any, k: Any) -> Any:
    h = x
    for i in range(k):
        if h.sum() > 5:
            h = h * 0.5
        else:
            h = h * x + i
    h.sum().backward()
    return h


@pytest.mark.parametrize("k", [0, 1, 3])
def test_backward_inside(agrees: Agrees, k: int) -> None:
    agrees(in_trace_gradient, t(1.0, 2.0, 0.5, grad=True), n(k))


def detached(x: Any, k: Any) -> Any:
    h = x
    for _ in range(k):
        h = h * x.detach() + x
        with no_grad():
            scale = h.sum()
        h = h / (scale + 1)
    return h


def test_detach_and_no_grad(agrees: Agrees) -> None:
    agrees(detached, t(1.0, 2.0, 0.5, grad=True), n(3), gradients=True)


def grad_of_gradient(x: Any) -> Any:
    y = (x * x * x).sum()
    (g,) = grad_of(y, x, create_graph=True)
    return g


def test_second_order(agrees: Agrees) -> None:
    agrees(grad_of_gradient, t(1.0, 2.0, grad=True), gradients=True)


def curvature(x: Any, k: Any) -> Any:
    h = x
    for _ in range(k):
        if h.sum() > 2:
            h = h * x
        else:
            h = h * h + x
    (g,) = grad_of(h.sum(), x, create_graph=True)
    (g * g).sum().backward()
    return g


@pytest.mark.parametrize("k", [1, 2, 3])
def test_second_order_through_control_flow(agrees: Agrees, k: int) -> None:
    agrees(curvature, t(0.6, 0.5, 0.7, grad=True), n(k))


def third(x: Any) -> Any:
    y = x * x * x * x if x.sum() > 0 else x * x * x
    (a,) = grad_of(y.sum(), x, create_graph=True)
    (b,) = grad_of(a.sum(), x, create_graph=True)
    (c,) = grad_of(b.sum(), x, create_graph=True)
    return a, b, c


@pytest.mark.parametrize("value", [0.7, -0.7])
def test_third_order(agrees: Agrees, value: float) -> None:
    agrees(third, t(value, grad=True))


def backward_in_branches(x: Any) -> Any:
    h = (x * x).exp()
    if x.sum() > 0:
        loss = h.sum()
        loss.backward()
    else:
        loss = (h * 2).mean()
        loss.backward()
    return loss


@pytest.mark.parametrize("value", [0.7, -0.7])
def test_backward_in_both_branches(agrees: Agrees, value: float) -> None:
    agrees(backward_in_branches, t(value, 0.1, grad=True))


def prints(x: Any) -> Any:
    if x.sum() > 0:
        print("positive", x.sum())
    assert x[0] < 5, "too large"
    return x


def test_print_and_assert(traced: Any, capsys: Any) -> None:
    made = traced(prints, t(1.0, 2.0))
    assert capsys.readouterr().out == ""
    made.run()
    assert "positive Tensor(shape=[]" in capsys.readouterr().out
    traced(prints, t(-1.0, -2.0)).run()
    assert capsys.readouterr().out == ""
    with pytest.raises(AssertionError, match="too large"):
        traced(prints, t(9.0)).run()


def builtins_used(x: Any, k: Any) -> Any:
    a = int(x[0]) + len(x)
    b = float(k) + abs(x[1])
    c = max(x[0], x[1], 1.5) + min(x[0], 0.5) + sum([x[0], x[1]]) + sum(x)
    d = sorted([x[1], x[0]])
    e = any([x[0] > 1, x[1] > 1]), all([x[0] > 0, x[1] > 0])
    return a, b, c, d, e, bool(k), k.item()


def test_builtins(agrees: Agrees) -> None:
    agrees(builtins_used, t(1.2, -2.7), n(3))
    agrees(builtins_used, t(-0.2, 2.7), n(0))


def test_what_needs_a_gradient_only_after_some_iterations_gets_one() -> None:
    """`a` takes over what `b` was: a constant at first, and from the second iteration on something of `w`."""

    def shifted(n: Any, w: Tensor) -> Tensor:
        a, b, c = vt.zeros([2]), vt.zeros([2]), vt.ones([2])
        for _ in range(n):
            a, b, c = b, c, c * w
        return a.sum()

    for count in (0, 2, 3, 5):
        gradients = []
        for fn, n in ((shifted, count), (vt.to_static(shifted), vt.to_tensor(count))):
            w = vt.to_tensor([2.0, 3.0], stop_gradient=False)
            made = fn(n, w)
            if not made.stop_gradient:
                made.backward()
            gradients.append(np.zeros(2) if w.grad is None else w.grad.numpy())
        np.testing.assert_allclose(gradients[1], gradients[0])


def test_a_write_in_place_on_one_path_only_is_kept() -> None:
    def joined(flag: Tensor, x: Tensor, z: Tensor) -> Any:
        a, b = x * 1.0, z * 1.0
        y = a
        if flag:
            a.add_(vt.ones([2]))
            y = a
        else:
            y = b
        return y * 1.0, a * 1.0, b * 1.0

    def replaced(flag: Tensor, x: Tensor, z: Tensor) -> Any:
        a, b = x * 1.0, z * 1.0
        if flag:
            a.add_(vt.ones([2]))
        else:
            a = b
        return a * 2.0, b * 1.0

    for fn in (joined, replaced):
        for flag in (True, False):
            given = vt.to_tensor(flag), vt.to_tensor([1.0, 2.0]), vt.to_tensor([5.0, 6.0])
            assert [y.tolist() for y in vt.to_static(fn)(*given)] == [y.tolist() for y in fn(*given)]
