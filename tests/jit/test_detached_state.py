"""Names of one memory of which some have no gradient: detached state, truncated backpropagation, chosen parameters."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import vitrify as vt
from vitrify.errors import CaptureError
from vitrify.jit.converters.regions import decisions


class State:
    """Tensors that a function keeps from call to call."""

    def __init__(self) -> None:
        self.p = vt.create_parameter([1], "float32", default_initializer=vt.nn.initializer.Constant(2.0))
        self.q = vt.create_parameter([1], "float32", default_initializer=vt.nn.initializer.Constant(3.0))
        self.h, self.l, self.n = vt.ones([1]), [vt.ones([1])], 0


def always(st: State, x: Any) -> Any:
    st.h = st.h.detach()
    st.h = st.h * st.p + x
    return st.h


def local(st: State, x: Any) -> Any:
    h = st.h.detach()
    st.h = h * st.p + x
    return st.h


def every_second(st: State, x: Any) -> Any:
    st.n += 1
    if st.n % 2 == 0:
        st.h = st.h.detach()
    st.h = st.h * st.p + x
    return st.h


def by_value(st: State, x: Any) -> Any:
    if x.sum() > 0:
        st.h = st.h.detach()
    st.h = st.h * st.p + x
    return st.h


def stopped(st: State, x: Any) -> Any:
    h = st.h
    h.stop_gradient = True
    st.h = h * st.p + x
    return st.h


def both(st: State, x: Any) -> Any:
    y = st.h.detach() * st.h
    st.h = st.h.detach() * st.p + x
    return y * st.p + st.h


def in_a_list(st: State, x: Any) -> Any:
    st.l[0] = st.l[0].detach() * st.p + x
    return st.l[0]


def appended(st: State, x: Any) -> Any:
    st.l.append(st.l[-1].detach() * st.p + x)
    return st.l[-1]


def leaf(st: State, x: Any) -> Any:
    a = st.p.detach()
    a.stop_gradient = False
    (g,) = vt.grad((a * a * st.q).sum(), a, create_graph=True)
    return g * st.p * x


def leaf_after(st: State, x: Any) -> Any:
    y = st.p * x
    a = st.p.detach()
    a.stop_gradient = False
    (g,) = vt.grad((a * a * st.q).sum(), a)
    return g * y


def chosen(st: State, x: Any) -> Any:
    return st.p if x.sum() > 0 else st.q


def chosen_and_used(st: State, x: Any) -> Any:
    y = st.p
    if x.sum() > 0:
        y = st.q
    return y * st.p


def chosen_in_a_loop(st: State, x: Any) -> Any:
    y = st.p
    for k in range(3):
        y = y + st.p if x.sum() > k else st.q
    return y


def detached_on_a_path(st: State, x: Any) -> Any:
    w = st.p if x.sum() > 0 else st.p.detach()
    return w * 2 + st.q


CASES = [
    always, local, every_second, by_value, stopped, both, in_a_list, appended, leaf, leaf_after, chosen, chosen_and_used,
    chosen_in_a_loop, detached_on_a_path,
]  # fmt: skip
AT_THE_END = [every_second, by_value, both]  # earlier graphs are still needed: one backward()


def _train(decorate: Callable[..., Any], fn: Callable[..., Any], inside: bool) -> list[Any]:
    st, found = State(), []

    def step(x: Any) -> Any:
        r = fn(st, x)
        if inside:
            r.sum().backward()
        return r.detach() if inside else r

    run = decorate(step)
    for value in (1.0, -1.0, 2.0, 3.0):
        r = run(vt.to_tensor([value]))
        if not inside:
            r.sum().backward()
        found.append((r.tolist(), *(None if t.grad is None else t.grad.tolist() for t in (st.p, st.q))))
    return found


@pytest.mark.parametrize("fn", [c for c in CASES if c not in AT_THE_END])
@pytest.mark.parametrize("inside", [False, True])
def test_gradients_go_to_the_names_that_eager_mode_gives_them(fn: Any, inside: bool) -> None:
    assert _train(vt.to_static, fn, inside) == _train(lambda f: f, fn, inside)


@pytest.mark.parametrize("fn", [*AT_THE_END, always, stopped, local, in_a_list, appended])
def test_truncated_backpropagation_through_time(fn: Any) -> None:
    def train(decorate: Any) -> Any:
        st = State()
        run = decorate(lambda x: fn(st, x))
        total: Any = 0
        for value in (1.0, 1.0, 1.0, 1.0):
            total = run(vt.to_tensor([value]))
        total.sum().backward()
        return total.tolist(), st.p.grad.tolist()

    assert train(vt.to_static) == train(lambda f: f)


def test_two_outer_names_that_both_need_gradients_are_refused() -> None:
    p = State().p
    a = p.detach()
    a.stop_gradient = False
    with pytest.raises(CaptureError, match="share memory, and both need gradients"):
        vt.to_static(lambda x: a * p * x)(vt.ones([1]))


class _TooFar(Exception):
    pass


def _step(st: Any) -> Any:
    if (st.h * st.h).sum() > 9:
        raise _TooFar
    return st.h * 2


def _with_retries(st: Any, x: Any) -> Any:
    a = st.h.detach()
    a.stop_gradient = False
    y = (a * a).sum()
    g = vt.grad(y, a)[0]
    for _ in range(3):
        try:
            st.h = _step(st)
        except _TooFar:
            st.n = st.h * 0.5
    return g * x


def test_a_detached_leaf_is_the_same_one_in_each_piece_that_runs_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(decisions, "MOST_TAIL_COPIES", 2)

    def train(decorate: Any) -> Any:
        st = State()
        run = decorate(lambda x: _with_retries(st, x))
        return [(run(vt.to_tensor([value])).tolist(), st.h.tolist()) for value in (1.0, 3.0, 1.0)]

    assert train(vt.to_static) == train(lambda f: f)


@pytest.mark.parametrize("inside", [False, True])
@pytest.mark.parametrize("form", ["data", "detached", "held", "under no_grad"])
def test_a_leaf_that_is_written_by_a_detached_name_first(form: str, inside: bool) -> None:
    found = []
    for is_compiled in (False, True):
        w = vt.to_tensor([1.0, 2.0], stop_gradient=False)
        held = w.detach()

        def fn(x: Any, w: Any = w, held: Any = held) -> Any:
            if form == "data":
                w.data.add_(x)
            elif form == "detached":
                w.detach().add_(x)
            elif form == "held":
                held.add_(x)
            else:
                with vt.no_grad():
                    held.add_(x)
            y = (w * w).sum()
            if inside:
                y.backward()
                return y.detach()
            return y

        step, seen = vt.to_static(fn) if is_compiled else fn, []
        for _ in range(3):
            y = step(vt.ones([2]))
            seen.append((y.item(), y.stop_gradient, y.is_leaf))
            if not inside:
                y.backward()
            seen.append((w.grad.tolist(), w.tolist()))
        found.append(seen)
    assert found[0] == found[1]
