"""Updates of parameters alike are traced once and copied: the program is the one without copies, to the last place."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import vitrify as vt
import vitrify.nn.functional as F
from vitrify import nn
from vitrify.ir.core import Operation
from vitrify.ir.walk import walk
from vitrify.jit.trace import alike_updates
from vitrify.jit.trace.tracer import Tracer
from vitrify.ops.interpreter import Interpreter

X = np.linspace(-1, 1, 20).reshape(5, 4).astype("float32")
Y = np.array([0, 1, 2, 0, 1])


class Net(nn.Layer):
    """Parameters of several shapes, one without axes, some of their own rate."""

    def __init__(self) -> None:
        super().__init__()
        slow = vt.ParamAttr(learning_rate=0.5)
        self.layers = nn.LayerList(
            [nn.Linear(4, 8), nn.LayerNorm(8), nn.Linear(8, 8), nn.Linear(8, 8, bias_attr=slow), nn.Linear(8, 3)]
        )
        self.scale = self.create_parameter([])

    def forward(self, x: Any) -> Any:
        for layer in self.layers:
            x = F.tanh(layer(x))
        return x * (1 + self.scale)


def decays(name: str) -> bool:
    return "w_0" in name


def spared(param: Any) -> bool:
    return not decays(param.name)


OPTIMIZERS: dict[str, tuple[bool, Callable[[Any], Any]]] = {  # whether updates are copied
    "Adam": (True, lambda ps: vt.optimizer.Adam(0.1, parameters=ps)),
    "Adam, clipped": (
        True, lambda ps: vt.optimizer.Adam(0.1, parameters=ps, weight_decay=0.1, grad_clip=nn.ClipGradByGlobalNorm(0.5))
    ),
    "amsgrad": (True, lambda ps: vt.optimizer.Adam(0.1, parameters=ps, amsgrad=True)),
    "multi_precision": (True, lambda ps: vt.optimizer.Adam(0.1, parameters=ps, multi_precision=True)),
    "AdamW": (True, lambda ps: vt.optimizer.AdamW(0.1, parameters=ps, weight_decay=0.2, apply_decay_param_fun=decays)),
    "AdamW, rates": (
        True, lambda ps: vt.optimizer.AdamW(0.1, parameters=ps, lr_ratio=lambda p: 0.5 if len(p.shape) == 1 else 1.0)
    ),
    "Momentum": (True, lambda ps: vt.optimizer.Momentum(0.1, parameters=ps, weight_decay=0.01, use_nesterov=True)),
    "SGD": (True, lambda ps: vt.optimizer.SGD(0.1, parameters=ps, grad_clip=nn.ClipGradByNorm(0.1))),
    "scheduler": (True, lambda ps: vt.optimizer.Adam(vt.optimizer.lr.StepDecay(0.1, 1), parameters=ps)),
    "groups": (
        True, lambda ps: vt.optimizer.Adam(0.1, parameters=[{"params": ps[:4]}, {"params": ps[4:], "learning_rate": 0.1}])
    ),
    "Lamb": (
        True, lambda ps: vt.optimizer.Lamb(0.1, parameters=ps, exclude_from_weight_decay_fn=spared)
    ),
    "a beta of a tensor": (True, lambda ps: vt.optimizer.Adam(0.1, vt.to_tensor(0.8), parameters=ps)),
    "ASGD": (False, lambda ps: vt.optimizer.ASGD(0.1, parameters=ps, batch_num=2)),
} | {
    name: (True, lambda ps, name=name: getattr(vt.optimizer, name)(0.1, parameters=ps))
    for name in ("Adamax", "NAdam", "RAdam", "Adagrad", "RMSProp", "Adadelta", "Rprop")
}  # fmt: skip


@pytest.fixture
def copies() -> Iterator[list[str]]:
    """The names of the parameters whose updates are copies. A function of a test around it would be seen in places."""
    found: list[str] = []

    def look(frame: Any, event: str, _: Any) -> None:
        if event == "call" and frame.f_code is alike_updates._copy.__code__:
            found.append(frame.f_locals["tensors"][0].name)

    before = sys.getprofile()
    sys.setprofile(look)
    yield found
    sys.setprofile(before)


def traced(make: Callable[[Any], Any], runs: int, twice: bool) -> tuple[Any, list[Any], Any]:
    """The trace of a training step, what some runs of it leave, the optimiser."""
    with vt.utils.unique_name.guard():
        vt.seed(3)
        net = Net()
        optimizer = make(net.parameters())

    @vt.to_static
    def step(x: Any, y: Any) -> Any:
        for _ in range(2 if twice else 1):
            loss = F.cross_entropy(net(x), y)
            loss.backward()
            optimizer.step()
            optimizer.clear_grad()
        return loss

    losses = [step(vt.to_tensor(X), vt.to_tensor(Y)) for _ in range(runs)]
    state = [x for x in optimizer.state_dict().values() if isinstance(x, vt.Tensor)]
    specs = [vt.static.InputSpec([5, 4], "float32"), vt.static.InputSpec([5], "int64")]
    trace = step.concrete_trace(None if runs else specs)
    return trace, [x.numpy() for x in (*losses, *net.parameters(), *state)], optimizer


def facts_of(operation: Operation) -> Any:
    loc = operation.loc
    return operation.name, loc, loc.layer, loc.purpose, [v.hint for v in operation.results]


def assert_one_program(
    monkeypatch: pytest.MonkeyPatch, make: Callable[[Any], Any], runs: int = 0, twice: bool = False
) -> Any:
    trace, found, optimizer = traced(make, runs, twice)
    monkeypatch.setattr(Tracer, "update_alike", Interpreter.update_alike)
    plain, wanted, other = traced(make, runs, twice)
    assert str(trace.program) == str(plain.program)
    assert [facts_of(o) for o in walk(trace.program.body)] == [facts_of(o) for o in walk(plain.program.body)]
    assert [s.name for s in trace.program.state] == [s.name for s in plain.program.state]
    assert list(optimizer.state_dict()) == list(other.state_dict())
    for a, b in zip(found, wanted, strict=True):
        np.testing.assert_array_equal(a, b)
    return trace


@pytest.mark.parametrize("kind", OPTIMIZERS)
def test_the_program_is_the_one_without_copies(kind: str, copies: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    is_copied, make = OPTIMIZERS[kind]
    trace = assert_one_program(monkeypatch, make)
    assert bool(copies) == is_copied
    served = {o.loc.purpose.target for o in walk(trace.program.body) if o.loc.purpose}
    assert set(copies) <= served


def test_runs_leave_what_those_of_the_program_without_copies_leave(monkeypatch: pytest.MonkeyPatch) -> None:
    assert_one_program(monkeypatch, OPTIMIZERS["AdamW"][1], runs=2)


def test_a_second_step_in_one_call_reads_what_the_first_wrote(
    copies: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert_one_program(monkeypatch, OPTIMIZERS["AdamW"][1], twice=True)
    assert copies


def test_the_update_of_a_users_class_is_traced_each_time(copies: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[str] = []

    class Own(vt.optimizer.Adam):
        def _update(self, param: Any, grad: Any, rate: Any, group: Any) -> None:
            seen.append(param.name)
            super()._update(param, grad if "b_0" in param.name else grad * 2.0, rate, group)

    assert_one_program(monkeypatch, lambda ps: Own(0.1, parameters=ps))
    assert not copies


def test_a_rule_that_a_user_replaced_is_traced_each_time(copies: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    """Its operations have places in the user's code."""

    def update(self: Any, param: Any, grad: Any, rate: Any, group: Any) -> None:
        param._write(param - grad * (rate * (2.0 if len(param.shape) == 1 else 1.0)), fresh=True)

    monkeypatch.setattr(vt.optimizer.SGD, "_update", update)
    assert_one_program(monkeypatch, OPTIMIZERS["SGD"][1])
    assert not copies


@pytest.mark.parametrize("kind", ["AdamW", "Lamb"])
def test_a_users_function_is_asked_once_per_parameter(kind: str) -> None:
    asked: list[str] = []

    def look(frame: Any, event: str, _: Any) -> None:
        if event == "call" and frame.f_code in (decays.__code__, spared.__code__):
            asked.append(getattr(frame.f_locals.get("param"), "name", frame.f_locals.get("name")))

    before = sys.getprofile()
    sys.setprofile(look)
    try:
        trace, _, _ = traced(OPTIMIZERS[kind][1], 0, False)
    finally:
        sys.setprofile(before)
    served = {o.loc.purpose.target for o in walk(trace.program.body) if o.loc.purpose}
    assert sorted(asked) == sorted(served - {""})


def test_under_autocast_updates_are_traced_each_time(copies: list[str]) -> None:
    with vt.utils.unique_name.guard():
        net = Net()
        optimizer = vt.optimizer.Adam(0.1, parameters=net.parameters())

    @vt.to_static
    def step(x: Any, y: Any) -> Any:
        with vt.amp.auto_cast(level="O1"):
            F.cross_entropy(net(x), y).backward()
            optimizer.step()

    step(vt.to_tensor(X), vt.to_tensor(Y))
    assert not copies


def test_parameters_in_two_dtypes_are_two_kinds(copies: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    def run() -> list[Any]:
        with vt.utils.unique_name.guard():
            ps = [vt.to_tensor(np.ones(2, d), stop_gradient=False) for d in ("float32", "float64") * 3]
            for k, p in enumerate(ps):
                p.name = f"p{k}"
        optimizer = vt.optimizer.Adam(0.1, parameters=ps)

        @vt.to_static
        def step() -> None:
            sum((p * p).sum().astype("float64") for p in ps).backward()
            optimizer.step()
            optimizer.clear_grad()

        step()
        return [p.numpy() for p in ps]

    found = run()
    assert copies == ["p2", "p3", "p4", "p5"]
    monkeypatch.setattr(Tracer, "update_alike", Interpreter.update_alike)
    for a, b in zip(found, run(), strict=True):
        np.testing.assert_array_equal(a, b)
