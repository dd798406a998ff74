"""What splitting does to the program: what is traced once, what twice, what isn't split, and what is too much."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify.errors import CaptureError, LoopStateError
from vitrify.ir.walk import walk
from vitrify.jit.converters.regions import decisions


def program_of(fn: Any, *arrays: Any) -> Any:
    compiled = vt.to_static(fn)
    compiled(*[vt.to_tensor(a) for a in arrays])
    return compiled.program_cache[0].trace.program


def count(program: Any, name: str) -> int:
    return sum(o.name == name for o in walk(program.body))


ROW = np.array([0.5, 1.5], np.float32)


def parted(x):
    before = vt.exp(x)
    y = None
    if x.sum() > 0:
        y = x * 2
    between = vt.tanh(before)
    if y is None:
        return between
    return between + y


def test_what_comes_before_is_recorded_once() -> None:
    program = program_of(parted, ROW)
    assert count(program, "exp") == 1
    assert count(program, "tanh") == 2  # what follows the `if` is there for each path
    assert count(program, "if") == 1
    assert count(program, "callback") == 0


def unused(x):
    y = x if x.sum() > 0 else None
    del y
    return vt.tanh(x)


def joined(x):
    if x.sum() > 0:
        y = x * 2
    else:
        y = x * 3
    return vt.tanh(y)


@pytest.mark.parametrize("fn", [unused, joined], ids=["unused", "joined"])
def test_not_split(fn: Any) -> None:
    assert count(program_of(fn, ROW), "tanh") == 1


def nested_prefix(x):
    i = x.sum() * 0
    while i < 2:
        if x[0] > i:
            x = vt.exp(x)
        i = i + 1
    y = (x, x) if x.sum() > 0 else x
    return y[0]


def test_loops_and_branches_before_are_recorded_once() -> None:
    program = program_of(nested_prefix, ROW)
    assert count(program, "while") == 1
    assert count(program, "exp") == 1


def many(x):
    found = []
    for k in range(8):
        found.append(x if x[0] > k else None)
    return [y is None for y in found]


def test_too_many_ways(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(decisions, "MOST_STEPS", 100)
    with pytest.raises(CaptureError, match=r"more than \d+ different ways") as caught:
        program_of(many, ROW)
    assert "x if x[0] > k" in caught.value.loc.text()
    assert "same type" in caught.value.remedy


def never_closes(x):
    t = x
    while x.sum() < 3:
        t = (t,)
        x = x + 1
    return t


def test_a_loop_whose_state_never_settles() -> None:
    with pytest.raises(LoopStateError, match=r"`t` is a tensor f32\[2\] before the loop"):
        program_of(never_closes, ROW)


def hidden_state(x):
    COUNTER.append(1)
    return x if x.sum() > 0 else None


COUNTER: list[int] = []


def test_side_effects_happen_once() -> None:
    COUNTER.clear()
    compiled = vt.to_static(hidden_state)
    assert compiled(vt.to_tensor(-ROW)) is None
    assert COUNTER == [1]


def optional(x):
    y = vt.tanh(x)
    if x.sum() > 0:
        return {"y": y, "why": "up"}
    if x[0] < -1:
        return None
    return y, 3


@pytest.mark.parametrize("rows", [[1.0, 2.0], [-2.0, 0.0], [-0.5, -0.5]])
def test_saved_and_loaded(tmp_path: Path, rows: list[float]) -> None:
    vt.jit.save(vt.to_static(optional), str(tmp_path / "m"), input_spec=[vt.static.InputSpec([2], "float32")])
    x = vt.to_tensor(np.array(rows, np.float32))
    got, want = vt.jit.load(str(tmp_path / "m"))(x), optional(x)
    assert type(got) is type(want)
    if isinstance(want, dict):
        assert got["why"] == want["why"]
        np.testing.assert_allclose(got["y"].numpy(), want["y"].numpy(), rtol=1e-6)
    elif want is not None:
        assert got[1] == 3
        np.testing.assert_allclose(got[0].numpy(), want[0].numpy(), rtol=1e-6)


def energy(x):
    best = None
    i = x.sum() * 0
    while i < 3:
        if x[0] > i:
            best = x**3 if best is None else best * x
        i = i + 1
    if best is None:
        return (x**2).sum()
    return best.sum()


@pytest.mark.parametrize("rows", [[1.5, 0.5], [-1.0, 2.0]])
def test_second_derivatives(rows: list[float]) -> None:
    found = []
    for fn in (energy, vt.to_static(energy)):
        x = vt.to_tensor(np.array(rows, np.float32), stop_gradient=False)
        (first,) = vt.grad(fn(x), x, create_graph=True)
        (second,) = vt.grad((first * first).sum(), x)
        found.append((first.numpy(), second.numpy()))
    np.testing.assert_allclose(found[1][0], found[0][0], rtol=1e-5)
    np.testing.assert_allclose(found[1][1], found[0][1], rtol=1e-5)


class Cache(vt.nn.Layer):
    def __init__(self) -> None:
        super().__init__()
        self.last = None
        self.seen = {}

    def forward(self, x):
        if x.sum() > 0:
            self.last = x * 2
            self.seen["up"] = x
        if self.last is None:
            return x
        return x + self.last


def test_attributes_and_items_on_one_path() -> None:
    eager, compiled = Cache(), vt.to_static(Cache())
    for rows in (-ROW, ROW, -ROW):
        x = vt.to_tensor(rows)
        np.testing.assert_allclose(compiled(x).numpy(), eager(x).numpy())
        assert (compiled.last is None) is (eager.last is None)
        assert list(compiled.seen) == list(eager.seen)


class Own(Exception):
    """An exception of the user's."""


def own_error(x):
    try:
        if x.sum() > 0:
            raise Own("up", 3)
        return x
    except ValueError:
        return None


def test_an_exception_that_no_handler_takes() -> None:
    compiled = vt.to_static(own_error)
    np.testing.assert_allclose(compiled(vt.to_tensor(-ROW)).numpy(), -ROW)
    with pytest.raises(Own, match="up"):
        compiled(vt.to_tensor(ROW))


def step(x, layer, optimiser):
    out = layer(x)
    aux = None
    if out.sum() > 0:
        loss = (out * out).sum()
        loss.backward()
        optimiser.step()
        optimiser.clear_grad()
        aux = loss.detach()
    return aux


def test_training_on_one_path() -> None:
    found = []
    for compile_it in (False, True):
        vt.seed(3)
        layer = vt.nn.Linear(2, 2)
        optimiser = vt.optimizer.Adam(parameters=layer.parameters(), learning_rate=0.1)
        fn = vt.to_static(step) if compile_it else step
        results = [fn(vt.to_tensor(np.array([rows], np.float32)), layer, optimiser) for rows in (ROW, -ROW, 3 * ROW)]
        found.append(([None if r is None else r.item() for r in results], layer.weight.numpy()))
    (ours, weight), (theirs, expected) = found[1], found[0]
    assert [r is None for r in ours] == [r is None for r in theirs]
    np.testing.assert_allclose([r or 0.0 for r in ours], [r or 0.0 for r in theirs], rtol=1e-4)
    np.testing.assert_allclose(weight, expected, rtol=1e-4)


def test_operations_know_their_line() -> None:
    found = [o for o in walk(program_of(parted, ROW).body) if o.name == "if"]
    assert "if x.sum() > 0" in found[0].loc.text()


def test_one_program_for_all_sizes() -> None:
    compiled = vt.to_static(optional)
    for size in (2, 3, 4, 5):
        assert compiled(vt.ones([size]))["why"] == "up"
        assert compiled(-2 * vt.ones([size])) is None
    assert compiled.get_traced_count() <= 2


def test_paths_of_long_code_are_bounded_by_what_is_recorded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(decisions, "MOST_PLACED", 500)
    with pytest.raises(CaptureError, match=r"more than 3\d different ways"):  # 64 pieces and more have two sides each
        program_of(many, ROW)


def view_of_an_earlier_path(st: Any, x: Any) -> None:
    w, a = st.w, st.w
    if w[0, 0] > 1:
        if x[0, 0] < w.max():
            st.c = st.b[0]
        print("between", w.sum().item() > 5)
        if w[0, 0] > 2:
            w = w * 1.5
        w[0], w[1] = w[1], w[0]
    else:
        a = x
    a[...] = a + 1


def test_where_paths_meet_an_earlier_decision_may_turn_out_to_come_first(capsys: pytest.CaptureFixture[str]) -> None:
    def run(fn: Any) -> Any:
        found = []
        for first, least in ((0.0, 1.0), (1.5, 0.0), (1.5, 9.0), (2.5, 0.0), (2.5, 9.0)):
            w = vt.arange(6, dtype="float32").reshape([2, 3]) + first
            st = SimpleNamespace(w=w, b=vt.ones([2, 3]), c=vt.zeros([3]))
            fn(st, vt.full([2, 3], least))
            found.append([v.tolist() for v in (st.w, st.b, st.c)])
        return found, capsys.readouterr().out

    assert run(vt.to_static(view_of_an_earlier_path)) == run(view_of_an_earlier_path)
