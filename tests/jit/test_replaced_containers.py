"""An attribute or item that gets a fresh container of tensors in each call: one program, and the values of eager mode."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import pytest

import vitrify as vt


class Holder:
    """Where a function keeps what it knows from call to call."""

    def __init__(self) -> None:
        self.state: Any = None
        self.log: Any = None
        self.table: dict[str, Any] = {"state": None}


class Pair(NamedTuple):
    a: Any
    b: Any


@dataclass
class Both:
    a: Any
    b: Any


def one_tuple(s, x):
    h = x if s.state is None else s.state[0] * 2 + x
    s.state = (h,)
    return h


def two_in_a_tuple(s, x):
    h, c = (x, x + 1) if s.state is None else s.state
    s.state = (h + c, c * 2)
    return h


def nested(s, x):
    (h, c), d = ((x, x), {"k": x}) if s.state is None else s.state
    s.state = ((h + c, c + 1), {"k": d["k"] + h})
    return h + d["k"]


def in_a_list(s, x):
    h = x if not s.state else s.state[-1]
    s.state = [h, h + x]
    return h


def in_a_dict(s, x):
    h = x if s.state is None else s.state["h"]
    s.state = {"h": h + x, "kind": "plain"}
    return h


def in_a_named_tuple(s, x):
    p = Pair(x, x) if s.state is None else s.state
    s.state = Pair(p.b, p.a + p.b)
    return s.state.b


def in_a_dataclass(s, x):
    p = Both(x, x) if s.state is None else s.state
    s.state = Both(p.b, p.a + p.b)
    return s.state.b


def in_an_item(s, x):
    h = x if s.table["state"] is None else s.table["state"][0]
    s.table["state"] = (h + x, h)
    return h


def only_written(s, x):
    s.log = [x.mean(), x * 2]
    s.state = {"x": x}
    return x


def written_on_one_path(s, x):
    h = x * 0 if s.state is None else s.state[0]
    if x.sum() > 2:
        s.state = (h + x,)
    else:
        s.state = (h,)
    return h


def in_place_of_another(s, x):
    h = x if s.state is None else s.state[0]
    s.log = s.state  # holds it, too
    s.state = (h + x,)
    return h if s.log is None else s.log[0] + h


def changed_in_place(s, x):
    if s.state is None:
        s.state = [x]
    s.state[0] = s.state[0] + x
    s.state = [s.state[0]]
    return s.state[0]


def returned_as_it_is(s, x):
    old = s.state
    s.state = [x if old is None else old[0] + x]
    return old


STABLE = [
    one_tuple, two_in_a_tuple, nested, in_a_list, in_a_dict, in_a_named_tuple, in_a_dataclass, in_an_item, only_written,
    written_on_one_path,
]  # fmt: skip
OTHERS = [in_place_of_another, changed_in_place, returned_as_it_is]


def run(fn: Callable[..., Any], s: Holder, calls: int, between: Callable[[int, Holder], None]) -> list[Any]:
    found = []
    for k in range(calls):
        between(k, s)
        given = fn(vt.to_tensor([1.0 + k % 3, 0.5]))
        found.append((str(given), str(s.state), str(s.log), str(s.table)))
    return found


def nothing(k: int, s: Holder) -> None:
    """The function alone changes the object."""


@pytest.mark.parametrize("fn", [*STABLE, *OTHERS], ids=lambda fn: fn.__name__)
def test_a_container_that_each_call_replaces(fn: Any) -> None:
    eager, captured = Holder(), Holder()
    compiled = vt.to_static(lambda x: fn(captured, x))
    found = run(compiled, captured, 7, nothing)
    assert found == run(lambda x: fn(eager, x), eager, 7, nothing)
    if fn in STABLE:
        assert compiled.get_traced_count() <= 2, compiled.explain()


def others_outside(k: int, s: Holder) -> None:
    """Code outside puts other values, structures, sizes and kinds there."""
    if k == 2:
        s.state = (vt.full([2], 7.0),)
    elif k == 3:
        s.state = (vt.full([1, 2], 3.0), vt.full([2], 5.0))
    elif k == 4:
        s.state = [vt.full([2], 3.0)]
    elif k == 5:
        s.state = None
    elif k == 7:
        s.state[0].add_(vt.to_tensor([10.0, 10.0]))
    elif k == 8:
        s.state = (vt.full([2], 3.0, "float64"),)


def test_what_stands_there_is_looked_at_in_each_call() -> None:
    eager, captured = Holder(), Holder()
    compiled = vt.to_static(lambda x: one_tuple(captured, x))
    found = run(compiled, captured, 10, others_outside)
    assert found == run(lambda x: one_tuple(eager, x), eager, 10, others_outside)


def test_gradients_through_the_state_of_a_layer() -> None:
    class Net(vt.nn.Layer):
        def __init__(self):
            super().__init__()
            self.cell = vt.nn.GRUCell(2, 2)
            self.state = None
            self.seen = {}

        def forward(self, x):
            y, h = self.cell(x, None if self.state is None else self.state[0])
            self.state = (h.detach(),)
            self.seen = {"h": h.mean().detach()}
            return y

    def train(compiles: bool) -> list[Any]:
        vt.seed(3)
        net = Net()
        call = vt.to_static(net) if compiles else net
        found = []
        for k in range(5):
            call(vt.ones([1, 2]) * k).sum().backward()
            found.append([p.grad.tolist() for p in net.parameters()])
            found.append([net.state[0].tolist(), net.seen["h"].tolist()])
            net.clear_gradients()
        return found

    for ours, theirs in zip(train(True), train(False), strict=True):
        for a, b in zip(ours, theirs, strict=True):
            assert vt.allclose(vt.to_tensor(a), vt.to_tensor(b), atol=1e-6)


def test_the_state_keeps_its_graph() -> None:
    def train(compiles: bool) -> Any:
        s, w = Holder(), vt.to_tensor([0.5, 2.0], stop_gradient=False)

        def step(x):
            h = x * w if s.state is None else s.state[0] * w + x
            s.state = (h,)
            return h

        fn = vt.to_static(step) if compiles else step
        for k in range(4):
            last = fn(vt.to_tensor([1.0, k]))
        last.sum().backward()
        return w.grad.tolist()

    assert train(True) == train(False)
