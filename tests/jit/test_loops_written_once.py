"""What a loop writes happens once an iteration, also where code behind the loop is captured once per path."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

import vitrify as vt


class Run:
    """Sums, with the last one beside; None before the first."""

    def __init__(self) -> None:
        self.total = vt.zeros([])
        self.count = 0
        self.last: Any = None
        self.seen: dict[str, Any] = {}

    def step(self, v: Any) -> Any:
        self.total = self.total + v
        self.count += 1
        self.last = self.total * 2
        return self.last


def methods(run: Run, rows: Any) -> Any:
    return [run.step(v) for v in rows]


def appended(run: Run, rows: Any) -> Any:
    out = []
    for v in rows:
        out.append(run.step(v))
    return out


def in_place(run: Run, rows: Any) -> Any:
    out, t = [], vt.zeros([2])
    for v in rows:
        t.add_(1.0)
        run.last = v
        out.append(v)
    return out, t


def items(run: Run, rows: Any) -> Any:
    out = []
    for v in rows:
        run.total.add_(v)
        run.seen["a"] = v * 3
        out.append(v)
    return out


def forgotten(run: Run, rows: Any) -> Any:
    run.last = None
    out = []
    for v in rows:
        run.total.add_(v)
        run.last = v
        out += [v]
    return out


def closures(run: Run, rows: Any) -> Any:
    counts, out = [0], []

    def more() -> None:
        counts[0] += 1

    for v in rows:
        more()
        run.last = v
        out.append(v)
    return counts, out


def shown(run: Run, found: Any) -> Any:
    parts = list(found) if isinstance(found, (list, tuple)) else [found]
    flat = [y for x in parts for y in (x if isinstance(x, list) else [x])]
    numbers = [vt.to_tensor(x).tolist() for x in flat]
    last = None if run.last is None else run.last.tolist()
    return numbers, run.total.tolist(), run.count, last, {k: v.tolist() for k, v in run.seen.items()}


@pytest.mark.parametrize("function", [methods, appended, in_place, items, forgotten, closures])
def test_each_iteration_writes_once(function: Callable[..., Any]) -> None:
    found = []
    for compiles in (False, True):
        run = Run()

        def step(rows: Any, run: Run = run) -> Any:
            return function(run, rows)

        called = vt.to_static(step) if compiles else step
        found.append([shown(run, called(vt.to_tensor(rows))) for rows in ([1.0, 2.0, 3.0], [4.0, 5.0, 6.0], [7.0])])
    assert found[1] == found[0]


def test_a_training_loop_steps_once_an_iteration(capsys: pytest.CaptureFixture[str]) -> None:
    weights = []
    for compiles in (False, True):
        net = vt.nn.Linear(1, 1)
        net.weight.set_value(vt.zeros([1, 1]))
        net.bias.set_value(vt.zeros([1]))
        opt = vt.optimizer.SGD(0.1, parameters=net.parameters())
        state = Run()

        def train(rows: Any, net: Any = net, opt: Any = opt, state: Run = state) -> Any:
            losses = []
            for v in rows:
                print("step", float(v))
                loss = (net(v.reshape([1, 1])) - 1).sum()
                loss.backward()
                opt.step()
                opt.clear_grad()
                state.last = loss.detach()
                losses.append(state.last)
            return losses

        called = vt.to_static(train) if compiles else train
        losses = [float(x) for x in called(vt.to_tensor([1.0, 2.0, 3.0]))]
        weights.append((losses, float(net.weight), float(state.last), capsys.readouterr().out))
    assert weights[1] == weights[0]


class Kept:
    def __init__(self) -> None:
        self.total = vt.zeros([])
        self.last: Any = None
        self.buffer = vt.zeros([3])

    def update(self, z: Any) -> None:
        if self.total > 2:
            self.buffer[0] = self.total * 0.5
            if self.last is None:
                self.last = z - vt.ones([2])
        self.total = self.total + z


def test_what_a_call_of_another_length_writes() -> None:
    found = []
    for compiles in (False, True):
        kept = Kept()

        def step(rows: Any, kept: Kept = kept) -> None:
            for i in range(len(rows)):
                kept.update(rows[i])

        called = vt.to_static(step) if compiles else step
        found.append([])
        for rows in ([0.5, 0.5, 0.5], [0.1, 0.1, 0.1], [0.0, 0.0, 0.0, 0.0], [1.0, 2.0, 3.0], [1.0, 1.0]):
            called(vt.to_tensor(rows))
            last = None if kept.last is None else kept.last.tolist()
            found[-1].append((kept.buffer.tolist(), pytest.approx(float(kept.total)), last))
    assert found[1] == found[0]
