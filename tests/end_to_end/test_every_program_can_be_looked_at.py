"""Every tool takes every program: what is kept as golden text, and functions with loops, recurrence, callbacks, gradients.

Verified, reported, drawn, costed, profiled. What is verified is also run by the interpreter after each pass.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify import nn
from vitrify.distributed import run_ranks
from vitrify.ir.core import Program
from vitrify.ir.parser import parse_program
from vitrify.runtime.observe.cost import cost_of, steps_of
from vitrify.testing.cases import read_case

TESTS = Path(__file__).parents[1]
CASES = sorted((TESTS / "passes" / "cases").glob("*.ir"))


class Square(vt.autograd.PyLayer):
    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        ctx.save_for_backward(x)
        return x * x

    @staticmethod
    def backward(ctx: Any, g: Any) -> Any:
        (x,) = ctx.saved_tensor()
        return g * 2 * x


def recurrent(kind: str, **options: Any) -> Callable[..., Any]:
    layer = getattr(nn, kind)(16, 32, **options)

    def run(x: Any) -> Any:
        return (layer(x)[0] ** 2).sum()

    return run


def cell_loop(kind: str) -> Callable[..., Any]:
    cell = getattr(nn, kind)(16, 32)

    def run(x: Any) -> Any:
        state, total = cell.get_initial_states(x[:, 0]), vt.zeros([])
        for t in range(x.shape[1]):
            y, state = cell(x[:, t], state)
            total = total + y.sum()
        return total

    return run


def hidden_states() -> Callable[..., Any]:
    w = vt.to_tensor(np.full((8, 8), 0.1, "float32"), stop_gradient=False)

    def run(x: Any) -> Any:
        h = x[0]
        for t in range(64):
            h = vt.tanh(x[t] + h @ w)
        return h.sum()

    return run


def training_step() -> Callable[..., Any]:
    layer = nn.LSTM(16, 32)
    optimizer = vt.optimizer.Adam(parameters=layer.parameters())

    def step(x: Any) -> Any:
        loss = layer(x)[0].square().mean()
        loss.backward()
        optimizer.step()
        optimizer.clear_grad()
        return loss

    return step


def with_branch(x: Any, n: Any) -> Any:
    i, s = vt.zeros([], "int64"), x
    while i < n:
        if s.sum() > 0:
            s = vt.sin(s) * x
        else:
            s = vt.cos(s) + x
        i += 1
    return s.mean()


def with_callback(x: Any) -> Any:
    if x.mean() > 0:
        return (Square.apply(x) * 2.0).sum()
    return Square.apply(vt.exp(x)).sum()


def growing(x: Any, n: Any) -> Any:
    out = []
    for _ in range(n):
        x = vt.tanh(x) * 1.5
        out.append(x.sum(axis=0))
    return vt.stack(out).sum()


def many_turns(x: Any, n: Any) -> Any:
    i = vt.zeros([], "int64")
    while i < n and vt.max(vt.abs(x)) < 1e6:
        x = x * 1.5 - x * x * 0.01
        i += 1
    return x.sum()


def some_elements(x: Any) -> Any:
    y = x[x > 0]
    return (y * y).sum()


def early(x: Any, n: Any) -> Any:
    for i in range(n):
        x = x * 1.1
        if x.sum() > 100:
            return x.sum() - i
    return x.mean()


def wanted(*shape: int) -> Any:
    return vt.to_tensor(np.random.default_rng(1).normal(size=shape).astype("float32"), stop_gradient=False)


FUNCTIONS: dict[str, tuple[Callable[[], Any], Callable[[], list[Any]]]] = {
    "lstm": (lambda: recurrent("LSTM"), lambda: [wanted(4, 32, 16)]),
    "lstm both ways": (lambda: recurrent("LSTM", direction="bidirect"), lambda: [wanted(2, 5, 16)]),
    "gru cell": (lambda: cell_loop("GRUCell"), lambda: [wanted(4, 40, 16)]),
    "hidden states": (hidden_states, lambda: [wanted(64, 2, 8)]),
    "training step": (training_step, lambda: [wanted(4, 40, 16)]),
    "branch in a loop": (lambda: with_branch, lambda: [wanted(3, 4), vt.to_tensor(5)]),
    "callback": (lambda: with_callback, lambda: [wanted(3, 4)]),
    "growing list": (lambda: growing, lambda: [wanted(3, 4), vt.to_tensor(5)]),
    "many turns": (lambda: many_turns, lambda: [wanted(100, 80), vt.to_tensor(9)]),
    "run-time size": (lambda: some_elements, lambda: [wanted(5, 4)]),
    "early return": (lambda: early, lambda: [wanted(3, 4), vt.to_tensor(5)]),
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_a_function_with_its_gradient(name: str, tmp_path: Path) -> None:
    make, arguments = FUNCTIONS[name]
    vt.seed(0)
    fn, args = vt.jit.to_static(make()), arguments()
    with vt.profiler.profile() as profile:
        loss = fn(*args)
        if not loss.stop_gradient:
            loss.backward()
    assert profile.steps
    assert "<html" in Path(vt.report(fn, tmp_path / "page.html", profile=profile)).read_text()
    assert str(vt.draw(fn)).startswith("<svg")
    assert str(fn.cost()) and str(fn.memory_plan) and fn.explain() and fn.kernels is not None
    found = vt.jit.verify(fn, *args)
    assert found, str(found)


def feeds_of(program: Program) -> list[np.ndarray[Any, Any]]:
    """Arrays for a program's arguments: open sizes are 4, numbers small, so that integers are likely indices."""
    rng = np.random.default_rng(3)
    made = []
    for value in program.body.args:
        shape = tuple(d if isinstance(d, int) else 4 for d in value.tensor_type.shape)
        kind = value.dtype.numpy
        made.append(
            np.asarray(rng.integers(0, 2, shape) if kind.kind in "biu" else rng.normal(size=shape)).astype(kind)
        )
    return made


def ranks_of(program: Program) -> int:
    """How many ranks a program's exchanges are written for."""
    return max((o.attrs.get("ranks", 1) for o in program.body.operations), default=1)


def golden_programs() -> dict[str, str]:
    """The text of each program that tests keep, before and after its passes."""
    found = {}
    for path in CASES:
        case = read_case(path)
        found[f"{path.stem} before"] = case.before
        if not case.after.startswith("//"):
            found[f"{path.stem} after"] = case.after
    return found


GOLDEN = golden_programs()


@pytest.mark.parametrize("name", GOLDEN)
def test_a_program_from_its_text(name: str, tmp_path: Path) -> None:
    program = parse_program(GOLDEN[name])
    assert str(cost_of(steps_of(program)))
    assert Path(vt.report(program, tmp_path / "page.html")).stat().st_size > 10_000
    assert str(vt.draw(program)).startswith("<svg")
    for found in run_ranks(vt.jit.verify_program, program, feeds_of(program), ranks=ranks_of(program)):
        assert found, str(found)
