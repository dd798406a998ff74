"""Which gradients there are after `backward()` inside a compiled function: those of eager mode, on each path."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import vitrify as vt

PATHS = [(c, d, n) for c in (1.0, -1.0) for d in (1.0, -1.0) for n in (0, 1, 3)]


def leaf(*numbers: float) -> Any:
    return vt.to_tensor(np.array(numbers, "float32"), stop_gradient=False)


def shown(x: Any) -> Any:
    if isinstance(x, (list, tuple)):
        return [shown(item) for item in x]
    return x if x is None else np.asarray(x, "float64").round(4).tolist()


def outcomes(fn: Callable[..., Any]) -> list[Any]:
    """What a function returns and leaves in `.grad`, path by path, and again on the first of them."""
    found: list[Any] = []
    for c, d, n in [*PATHS, *PATHS[:2]]:
        given = [leaf(1, 2), leaf(3, 4), leaf(0.5, 0.25)]
        try:
            returned = fn(*given, vt.to_tensor(c), vt.to_tensor(d), vt.to_tensor(n))
        except vt.errors.ArgumentError as error:
            returned = type(error).__name__
        found.append((returned if isinstance(returned, str) else shown(returned), [shown(x.grad) for x in given]))
    return found


# ---- backward() in loops and branches


def in_a_loop(x: Any, y: Any, p: Any, c: Any, d: Any, n: Any) -> None:
    for _ in range(n):
        (x * p).sum().backward()


def in_a_while(x: Any, y: Any, p: Any, c: Any, d: Any, n: Any) -> None:
    i = vt.to_tensor(0)
    while i < n:
        (x * p).sum().backward()
        if c > 0:
            break
        (y * p).sum().backward()
        i = i + 1


def in_branches_of_a_loop(x: Any, y: Any, p: Any, c: Any, d: Any, n: Any) -> None:
    for i in range(n):
        x.clear_grad(False)
        h = x * p if i % 2 == 0 else x * y
        if c > 0:
            if i > 1:
                h.sum().backward()


def in_a_loop_of_a_branch(x: Any, y: Any, p: Any, c: Any, d: Any, n: Any) -> None:
    if c > 0:
        for _ in range(n):
            if d > 0:
                (x * p).sum().backward()
            else:
                (y * p).sum().backward()


def behind_operations_on_two_paths(x: Any, y: Any, p: Any, c: Any, d: Any, n: Any) -> None:
    z, h = vt.tanh(p) * y, x * 1
    if c > 0:
        h = h * z
    h = vt.exp(h * 0.1)
    if d > 0:
        h = h * z
    h.sum().backward()


def twice_over_loops_in_loops(x: Any, y: Any, p: Any, c: Any, d: Any, n: Any) -> None:
    for _ in range(n):
        for _ in range(n):
            x = vt.tanh(x)
    (x * p).sum().backward(retain_graph=True)
    x.sum().backward()


def twice(x: Any, y: Any, p: Any, c: Any, d: Any, n: Any) -> None:
    s = (x * p).sum() if c > 0 else (x * y).sum()
    s.backward(retain_graph=True)
    if d > 0:
        s.backward()


def onto_one_that_is_there(x: Any, y: Any, p: Any, c: Any, d: Any, n: Any) -> None:
    (x * p).sum().backward()
    s = (x * y).sum() if c > 0 else (x * x).sum()
    s.backward()


def of_a_tensor_made_inside(x: Any, y: Any, p: Any, c: Any, d: Any, n: Any) -> Any:
    w, kept = leaf(1, 1), x * 2
    kept.retain_grads()
    s = (kept * w).sum() if c > 0 else (x * y).sum()
    s.backward()
    return [None if t.grad is None else t.grad * 1 for t in (w, kept)]


def without_what_zeros_become(x: Any, y: Any, p: Any, c: Any, d: Any, n: Any) -> None:
    z = vt.sqrt(p * 0)  # its gradient at 0 is infinite: zeros that go through it are NaN
    s = (x * z).sum() if c > 0 else (x * p).sum()
    s.backward()


# ---- gradients that Python decides about


class First(vt.autograd.PyLayer):
    @staticmethod
    def forward(ctx: Any, a: Any, b: Any) -> Any:
        return a * b

    @staticmethod
    def backward(ctx: Any, g: Any) -> Any:
        return g * 2, None


class Second(vt.autograd.PyLayer):
    @staticmethod
    def forward(ctx: Any, a: Any, b: Any, c: Any) -> Any:
        ctx.c = c
        return a * b

    @staticmethod
    def backward(ctx: Any, g: Any) -> Any:
        return g * 2, g * 3 if float(ctx.c) > 0 else None, None


def layer_that_gives_none(x: Any, y: Any, p: Any, c: Any, d: Any, n: Any) -> None:
    First.apply(x, y).sum().backward()


def layer_that_decides(x: Any, y: Any, p: Any, c: Any, d: Any, n: Any) -> None:
    Second.apply(x * 1, vt.tanh(y * p), c).sum().backward()


def layer_in_a_branch(x: Any, y: Any, p: Any, c: Any, d: Any, n: Any) -> None:
    s = Second.apply(x, y, c).sum() if d > 0 else (p * x).sum()
    s.backward()


def layer_in_a_loop(x: Any, y: Any, p: Any, c: Any, d: Any, n: Any) -> None:
    for _ in range(n):
        x = Second.apply(x, y, c)
    x.sum().backward()


def layer_and_backward_in_a_loop(x: Any, y: Any, p: Any, c: Any, d: Any, n: Any) -> None:
    for _ in range(n):
        First.apply(x, y).sum().backward()


def hooks(x: Any, y: Any, p: Any, c: Any, d: Any, n: Any) -> None:
    z = p * 2
    z.register_hook(lambda g: g + 1)
    s = (x * z).sum() if c > 0 else (x * y).sum()
    s.backward()


# ---- cleared, detached, stopped on one path


def hooks_of_an_argument(x: Any, y: Any, p: Any, c: Any, d: Any, n: Any) -> Any:
    p.register_hook(lambda g: g + 1)
    s = (x * p).sum() if c > 0 else (x * y).sum()
    s.backward()
    return None if p.grad is None else p.grad * 2


def cleared(x: Any, y: Any, p: Any, c: Any, d: Any, n: Any) -> None:
    s = (x * y).sum() if d > 0 else (x * p).sum()
    s.backward()
    if c > 0:
        x.clear_gradient(False)
        y.clear_gradient(True)


def detached(x: Any, y: Any, p: Any, c: Any, d: Any, n: Any) -> None:
    h = x * 1
    for i in range(n):
        h = h.detach() * p if i > 0 else h * p
    if c > 0:
        h = h.detach()
    (h * y).sum().backward()


def without_recording(x: Any, y: Any, p: Any, c: Any, d: Any, n: Any) -> None:
    if c > 0:
        with vt.no_grad():
            h = x * p
    else:
        h = x * p
    (h * y).sum().backward()


def stopped(x: Any, y: Any, p: Any, c: Any, d: Any, n: Any) -> None:
    h, k = x * 1, p * 2
    if c > 0:
        h.stop_gradient = True
        if d > 0:
            k.detach_()
    else:
        k.stop_gradient = True
    (h * y + k).sum().backward()


def stopped_in_a_loop(x: Any, y: Any, p: Any, c: Any, d: Any, n: Any) -> None:
    h = x * 1
    for i in range(n):
        h = h * p
        if i == 1:
            h.stop_gradient = True
    (h * y).sum().backward()


# ---- code that asks


def asks(x: Any, y: Any, p: Any, c: Any, d: Any, n: Any) -> Any:
    s = (x * y).sum() if c > 0 else (x * x).sum()
    s.backward()
    if y.grad is None:
        return x * 0
    y.grad = y.grad * 0.5
    return y.grad * 2


def asks_after_a_loop(x: Any, y: Any, p: Any, c: Any, d: Any, n: Any) -> Any:
    for _ in range(n):
        x = x * p
    x.sum().backward()
    return 1.0 if p.grad is None else 2.0


def asks_in_a_loop(x: Any, y: Any, p: Any, c: Any, d: Any, n: Any) -> Any:
    total = vt.zeros([2])
    for i in range(n):
        if i > 0:
            (x * y).sum().backward()
        g = y.grad
        if g is not None:
            total = total + g
    return total


def norm_by_hand(x: Any, y: Any, p: Any, c: Any, d: Any, n: Any) -> Any:
    s = (x * y).sum() if c > 0 else (x * p).sum()
    s.backward()
    total = vt.zeros([])
    for t in (x, y, p):
        if t.grad is not None:
            total = total + (t.grad**2).sum()
    return vt.sqrt(total)


def list_of_those_there(x: Any, y: Any, p: Any, c: Any, d: Any, n: Any) -> Any:
    s = (x * y).sum() if c > 0 else (x * p).sum()
    s.backward()
    return vt.stack([t.grad for t in (x, y, p) if t.grad is not None]).sum()


def hands_on(x: Any, y: Any, p: Any, c: Any, d: Any, n: Any) -> Any:
    def scale(g: Any) -> Any:
        return 0.0 if g is None else g.sum()

    s = (x * y).sum() if c > 0 else (x * p).sum()
    s.backward()
    return scale(y.grad) + scale(p.grad)


def clips(x: Any, y: Any, p: Any, c: Any, d: Any, n: Any) -> None:
    s = (x * y).sum() if c > 0 else (x * p).sum()
    s.backward()
    vt.nn.utils.clip_grad_norm_([x, y, p], 1.0)


def by_grad(x: Any, y: Any, p: Any, c: Any, d: Any, n: Any) -> Any:
    s = x
    for _ in range(n):
        s = s * p
    return vt.grad(s.sum(), [x, p], allow_unused=True)


def by_grad_in_a_loop(x: Any, y: Any, p: Any, c: Any, d: Any, n: Any) -> Any:
    total = vt.zeros([2])
    for _ in range(n):
        s = (x * y).sum() if c > 0 else (x * x).sum()
        gx, gy = vt.grad(s, [x, y], allow_unused=True)
        total = total + gx if gy is None else total + gy
    return total


def by_grad_that_must_be_there(x: Any, y: Any, p: Any, c: Any, d: Any, n: Any) -> Any:
    s = (x * y).sum() if c > 0 else (x * x).sum()
    gx, gy = vt.grad(s, [x, y])
    return gx + gy


def of_gradients(x: Any, y: Any, p: Any, c: Any, d: Any, n: Any) -> None:
    s = (x * x * y).sum() if c > 0 else (x * x * p).sum()
    gx, gy = vt.grad(s, [x, y], create_graph=True, allow_unused=True)
    t = (gx * gx).sum()
    if gy is not None:
        t = t + gy.sum()
    t.backward()


def chosen_by_value(x: Any, y: Any, p: Any, c: Any, d: Any, n: Any) -> None:
    if c > 0:
        (x * y).sum().backward()
    y.grad = None if d > 0 else vt.ones([2])


FUNCTIONS = [
    in_a_loop, in_a_while, in_branches_of_a_loop, in_a_loop_of_a_branch, behind_operations_on_two_paths, twice, twice_over_loops_in_loops,
    onto_one_that_is_there, of_a_tensor_made_inside, without_what_zeros_become, layer_that_gives_none,
    layer_that_decides, layer_in_a_branch, layer_in_a_loop, layer_and_backward_in_a_loop, hooks, hooks_of_an_argument,
    cleared, detached, without_recording, stopped, stopped_in_a_loop, asks, asks_after_a_loop, asks_in_a_loop, norm_by_hand, list_of_those_there, hands_on, clips,
    by_grad, by_grad_in_a_loop, by_grad_that_must_be_there, of_gradients, chosen_by_value,
]  # fmt: skip


@pytest.mark.parametrize("fn", FUNCTIONS)
def test_each_path_has_the_gradients_of_eager_mode(fn: Callable[..., Any]) -> None:
    assert repr(outcomes(vt.to_static(fn))) == repr(outcomes(fn))  # as text: NaN is NaN


@pytest.mark.parametrize("fn", [in_a_while, layer_in_a_loop, behind_operations_on_two_paths, layer_that_decides])
@pytest.mark.parametrize("path", PATHS[2::4])
def test_verify_looks_at_what_is_there(fn: Callable[..., Any], path: tuple[float, float, int]) -> None:
    found = vt.jit.verify(fn, leaf(1, 2), leaf(3, 4), leaf(0.5, 0.25), *map(vt.to_tensor, path))
    assert found, found


def test_verify_names_a_gradient_that_should_not_be_there(monkeypatch: pytest.MonkeyPatch) -> None:
    from vitrify.jit.trace.gradients.partial_gradients import PartialGradients

    monkeypatch.setattr(PartialGradients, "flag", lambda self, grad: None)
    found = vt.jit.verify(by_path, leaf(1, 2), leaf(3, 4), vt.to_tensor(-1.0))
    assert not found and "whether there is" in str(found)


def by_path(x: Any, y: Any, c: Any) -> None:
    s = (x * y).sum() if c > 0 else (x * x).sum()
    s.backward()


@pytest.mark.parametrize("some", [(0,), (1,), (0, 1)])
@pytest.mark.parametrize("compiled", [False, True])
def test_of_several_results_those_count_that_a_gradient_arrives_at(some: tuple[int, ...], compiled: bool) -> None:
    def two(x: Any, y: Any, p: Any, c: Any) -> Any:
        if c > 0:
            return (x * p).sum(), (y * 2).sum()
        return (y * p).sum(), (x * x).sum()

    used = {(1.0, 0): "xp", (1.0, 1): "y", (-1.0, 0): "yp", (-1.0, 1): "x"}
    fn = vt.to_static(two) if compiled else two
    for c in (1.0, -1.0):
        given = [leaf(1, 2), leaf(3, 4), leaf(0.5, 0.25)]
        results = fn(*given, vt.to_tensor(c))
        sum(results[k] for k in some).backward()
        expected = {name for k in some for name in used[c, k]}
        assert {name for name, x in zip("xyp", given, strict=True) if x.grad is not None} == expected


def test_gradients_from_outside_are_free_of_what_zeros_become() -> None:
    def fn(x: Any, p: Any, c: Any) -> Any:
        z = vt.sqrt(p * 0)
        return (x * z).sum() if c > 0 else (x * p).sum()

    p = leaf(0.5, 0.25)
    vt.to_static(fn)(leaf(1, 2), p, vt.to_tensor(-1.0)).backward()
    assert p.grad.tolist() == [1.0, 2.0]


def test_a_layer_before_a_branch_is_not_asked_on_the_other_path() -> None:
    calls: list[int] = []

    class Counted(vt.autograd.PyLayer):
        @staticmethod
        def forward(ctx: Any, a: Any) -> Any:
            return a * 2

        @staticmethod
        def backward(ctx: Any, g: Any) -> Any:
            calls.append(1)
            return g * 2

    def fn(x: Any, p: Any, c: Any) -> None:
        z = Counted.apply(p)
        s = (x * z).sum() if c > 0 else (x * x).sum()
        s.backward()

    compiled = vt.to_static(fn)
    for c, expected in ((1.0, 1), (-1.0, 1), (1.0, 2)):
        compiled(leaf(1, 2), leaf(3, 4), vt.to_tensor(c))
        assert len(calls) == expected


def _none(g: Any) -> Any:
    return None


class Hidden(vt.autograd.PyLayer):
    @staticmethod
    def forward(ctx: Any, a: Any) -> Any:
        return a * 2

    @staticmethod
    def backward(ctx: Any, g: Any) -> Any:
        return _none(g)


def test_a_none_that_the_source_of_a_layer_does_not_show_is_refused() -> None:
    compiled = vt.to_static(lambda x: Hidden.apply(x).sum().backward())
    with pytest.raises(vt.errors.CallbackError, match="returned None for input 0") as caught:
        compiled(leaf(1, 2))
    assert "write the None in backward itself" in str(caught.value)


def test_stop_gradient_of_an_argument_on_one_path_is_refused() -> None:
    def fn(x: Any, c: Any) -> Any:
        if c > 0:
            x.stop_gradient = True
        return (x * x).sum()

    with pytest.raises(vt.errors.CaptureError, match="x gets stop_gradient=True in a branch") as caught:
        vt.to_static(fn)(leaf(1, 2), vt.to_tensor(1.0))
    assert "x.stop_gradient = True" in str(caught.value) and "x.detach()" in str(caught.value)
