"""Faults sown into rules, passes, kernels and gradient rules are found and named, and reproduced by scripts."""

from __future__ import annotations

import mmap
import runpy
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify.base.dtype import FLOATS
from vitrify.base.errors import MiscompileError, VerifyError
from vitrify.ir.core import Program
from vitrify.ir.interpret import interpret
from vitrify.ir.walk import walk
from vitrify.jit.debug import passes
from vitrify.jit.debug.comparison import deviation, largest_ulp
from vitrify.jit.debug.slopes import check_rules
from vitrify.jit.debug.trail import Trail
from vitrify.ops.lowering import Scalar
from vitrify.ops.op import OPS, Op
from vitrify.passes.algebra import simplify
from vitrify.passes.algebra.rules import rule
from vitrify.passes.manager import Pass
from vitrify.runtime.compiler import compile_program
from vitrify.testing.ops import program_rows, row_program

LINE = "y = vt.tanh(vt.abs(vt.abs(x))) * 2.0"


def model(x: Any, turns: Any) -> Any:
    i = vt.to_tensor(0)
    y = x
    while i < turns:
        y = vt.tanh(vt.abs(vt.abs(x))) * 2.0
        x = y + x.mean()
        i = i + 1
    return vt.nn.functional.softmax(y, axis=-1)


def inputs(gradient: bool = True) -> tuple[Any, Any]:
    x = vt.to_tensor(np.linspace(-2.0, 2.0, 12, dtype="float32").reshape(3, 4), stop_gradient=not gradient)
    return x, vt.to_tensor(3)


@pytest.fixture
def sow() -> Iterator[Callable[[Op, str, Any], None]]:
    """Put something wrong into a row's field until the test ends."""
    before: list[tuple[Op, str, Any]] = []

    def put(op: Op, name: str, value: Any) -> None:
        before.append((op, name, getattr(op, name)))
        object.__setattr__(op, name, value)

    yield put
    for op, name, value in before:
        object.__setattr__(op, name, value)


def exit_code(script: Path) -> int:
    with pytest.raises(SystemExit) as caught:
        runpy.run_path(str(script), run_name="__main__")
    return int(caught.value.code or 0)


def test_nothing_differs_and_nothing_is_left_behind() -> None:
    vt.seed(7)
    layer = vt.nn.Sequential(vt.nn.Linear(4, 4), vt.nn.BatchNorm1D(4), vt.nn.Dropout(0.5))
    optimizer = vt.optimizer.Adam(parameters=layer.parameters())
    seen: list[int] = []

    @vt.jit.to_static
    def step(x: Any) -> Any:
        loss = layer(x).pow(2).mean()
        loss.backward()
        optimizer.step()
        optimizer.clear_grad()
        seen.append(1)
        return loss

    x = vt.to_tensor(np.arange(12, dtype="float32").reshape(3, 4))
    before = {k: v.numpy().copy() for k, v in layer.state_dict().items()}
    vt.seed(1)
    found = vt.jit.verify(step, x)
    assert found, str(found)
    assert {s.name.split(": ")[1].split()[0] for s in found.stages} == {"captured", "gradient", "after", "kernels"}
    assert all(np.array_equal(v.numpy(), before[k]) for k, v in layer.state_dict().items())
    drawn = vt.rand([2]).numpy()
    vt.seed(1)
    np.testing.assert_array_equal(drawn, vt.rand([2]).numpy())
    assert seen == []
    assert vt.jit.verify(layer, x)
    found.raise_for_difference()


def test_a_wrong_rule_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    @rule(dtypes=FLOATS)
    def absolute_twice_wrongly(x: Any) -> tuple[Any, Any]:
        return abs(abs(x)), -x

    table = {"abs": [absolute_twice_wrongly, *simplify._TABLE.rules["abs"]]}
    monkeypatch.setattr(simplify._TABLE, "rules", simplify._TABLE.rules | table)
    x, turns = inputs(gradient=False)
    found = vt.jit.verify(model, x, turns, script=tmp_path / "rule.py")
    fault = found.difference
    assert fault is not None
    assert (fault.pass_name, fault.rule, fault.operation, fault.became) == (
        "simplify", "absolute_twice_wrongly", "abs", "neg",
    )  # fmt: skip
    assert fault.loc is not None
    assert fault.loc.text() == LINE
    assert fault.where.startswith("iteration 0 of the loop at test_verify.py")
    assert fault.deviation is not None
    assert fault.deviation.index == (1, 2)  # the first that is positive
    assert LINE in str(found)
    with pytest.raises(MiscompileError, match="absolute_twice_wrongly"):
        found.raise_for_difference()
    assert found.script is not None
    assert found.script.read_text().count(" = abs ") == 2  # no more than the fault takes
    assert exit_code(found.script) == 1
    monkeypatch.undo()
    assert exit_code(found.script) == 0


@dataclass(frozen=True)
class Careless(Pass):
    """A pass that takes every `tanh` for its operand, and may say that it changes nothing."""

    name = "careless"
    says: bool = True

    def run(self, program: Program) -> bool:
        for operation in walk(program.body):
            if operation.name == "tanh":
                operation.result.replace_by(operation.operands[0])
                operation.erase()
        return self.says


@pytest.mark.parametrize("says", [True, False])
def test_a_wrong_pass_is_named_for_a_program_alone(says: bool) -> None:
    text = "program @f(%x: f32[2]) -> f32[2] {\n  %0 = neg %x : f32[2]\n  %1 = tanh %0 : f32[2]\n  return %1\n}"
    program = vt.ir.parse(text)
    x = np.array([0.0, 1.0], "float32")
    found = vt.jit.verify_program(program, [x], passes=["cse", "cse", Careless(says)], script="careless.py")
    assert found.difference is not None
    assert found.script is None  # it would need the pass
    assert (found.difference.pass_name, found.difference.operation, found.difference.became) == (
        "careless", "tanh", "neg",
    )  # fmt: skip
    assert found.difference.deviation is not None
    assert found.difference.deviation.index == (1,)
    assert str(program).strip() == text


def test_a_program_that_a_pass_leaves_alone_is_not_run_again(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "program @f(%x: f32[2]) -> f32[2] {\n  %0 = neg %x : f32[2]\n  %1 = neg %0 : f32[2]\n  return %1\n}"
    runs = []
    monkeypatch.setattr(passes, "interpret", lambda *given: runs.append(given) or interpret(*given))
    x = [np.array([0.0, 1.0], "float32")]
    found = vt.jit.verify_program(vt.ir.parse(text), x, passes=["cse", "dce", "simplify", "dce", "cse"], kernels=False)
    assert found, str(found)
    assert len(found.stages) == 5
    assert len(runs) == 4  # as it is, after the first pass, and after the two that change it


def test_a_wrong_kernel_is_named(sow: Any, tmp_path: Path) -> None:
    sow(OPS["tanh"], "lowering", Scalar("tanh_{t}({0}) * {T}(1.001)"))
    x, turns = inputs()
    found = vt.jit.verify(model, x, turns, script=tmp_path / "kernel.py")
    fault = found.difference
    assert fault is not None
    assert fault.stage.endswith(": kernels")
    assert (fault.operation, fault.pass_name) == ("tanh", None)
    assert fault.loc is not None
    assert fault.loc.text() == LINE
    assert fault.deviation is not None
    assert 1e3 < fault.deviation.ulp < 1e5
    assert found.script is not None
    assert exit_code(found.script) == 1


def test_a_wrong_gradient_rule_is_named(sow: Any, tmp_path: Path) -> None:
    sow(OPS["tanh"], "vjp", lambda g, y, x: (g * (1.0 - y),))
    x, turns = inputs()
    found = vt.jit.verify(model, x, turns, script=tmp_path / "vjp.py")
    fault = found.difference
    assert fault is not None
    assert (fault.stage, fault.operation) == ("model: gradient rules", "tanh")
    assert fault.loc is not None
    assert fault.loc.text() == LINE
    assert "finite differences give" in fault.note
    assert "ratio" in fault.note
    assert found.script is not None
    assert exit_code(found.script) == 1
    assert vt.jit.verify(model, x, turns, gradients=False)


def test_a_script_runs_alone(sow: Any, tmp_path: Path) -> None:
    sow(OPS["tanh"], "vjp", lambda g, y, x: (g * 2.0,))
    found = vt.jit.verify(model, *inputs(), script=tmp_path / "alone.py")
    done = subprocess.run([sys.executable, "alone.py"], cwd=tmp_path, capture_output=True, text=True, timeout=120)
    assert found.script == tmp_path / "alone.py"
    assert done.returncode == 0, done.stderr  # there, nothing is wrong with the row
    assert "nothing differs" in done.stdout


def test_what_capture_got_wrong_is_named_by_its_line() -> None:
    count = mmap.mmap(-1, 8)  # of which capture knows nothing

    @vt.jit.not_to_static
    def hidden() -> float:
        count[0] += 1
        return float(count[0])

    def drifting(x: Any) -> Any:
        y = x + 1.0
        return y * hidden()

    found = vt.jit.verify(drifting, inputs()[0])
    assert found.difference is not None
    assert found.difference.stage == "drifting: captured"
    assert found.difference.operation == "multiply"
    assert found.difference.loc is not None
    assert found.difference.loc.text() == "return y * hidden()"


def test_gradient_rules_of_the_table_hold_where_they_are_smooth() -> None:
    for op in program_rows():
        made = row_program(op)
        trail = Trail.of(made.program, made.feeds, ())
        assert trail.failure is None, op.name
        assert check_rules(made.program, trail, op.name)[1] is None


@pytest.mark.parametrize(
    ("expected", "found", "said"),
    [
        ([1.0, 2.0], [1.0, 2.0], None),
        ([1.0, np.nan, np.inf], [1.0, np.nan, np.inf], None),
        ([1.0, np.nan], [1.0, 0.0], "element [1]: expected nan, found 0.0; 1 of 2 differ"),
        ([1, 2], [1, 3], "element [1]: expected 2, found 3; 1 of 2 differ"),
        ([1.0], [1.0, 1.0], "expected float64[1], found float64[2]"),
        ([1000.0, 0.0], [1000.0, 1e-9], None),
    ],
)
def test_deviations_in_words(expected: Any, found: Any, said: str | None) -> None:
    apart = deviation(np.array(expected), np.array(found), 1e-4)
    assert (None if apart is None else str(apart)) == said


def test_distances_in_units_in_the_last_place() -> None:
    one = np.ones(1, "float32")
    assert largest_ulp(one, np.nextafter(one, 2)) == 1.0
    assert largest_ulp(one, one.astype("float64")) == np.inf


def test_pylayers_inside_differ_in_nothing() -> None:
    class Sine(vt.autograd.PyLayer):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            ctx.save_for_backward(x)
            return vt.to_tensor(np.sin(x.numpy()))

        @staticmethod
        def backward(ctx: Any, g: Any) -> Any:
            (x,) = ctx.saved_tensor()
            return g * vt.cos(x)

    def net(x: Any) -> Any:
        y = Sine.apply(x)
        if y.sum() > 0:
            y = y * 2.0
        return y.mean(), {"all": [y]}

    found = vt.jit.verify(net, vt.to_tensor([0.5, 1.0, -0.25], stop_gradient=False))
    assert found, str(found)
    assert max(stage.ulp for stage in found.stages) < 1e4


@dataclass(frozen=True)
class Failing(Pass):
    """A pass that raises `error`, or leaves a program that does when it runs."""

    name = "failing"
    at_once: bool = True

    def run(self, program: Program) -> bool:
        if self.at_once:
            raise ZeroDivisionError("nothing to divide by")
        operation = next(o for o in walk(program.body) if o.name == "full")
        operation.attrs["fill_value"] = "one"
        return True


@pytest.mark.parametrize(
    ("at_once", "kind"), [(True, "ZeroDivisionError"), (False, "fill_value of `full` must be a number")]
)
def test_a_pass_is_named_whatever_the_exception(at_once: bool, kind: str) -> None:
    text = (
        "program @f(%x: f32[2]) -> f32[2] {\n  %0 = full {dtype = f32, fill_value = 1.0, shape = (2)} : f32[2]\n"
        "  %1 = add %x, %0 : f32[2]\n  return %1\n}"
    )
    x = np.array([0.0, 1.0], "float32")
    found = vt.jit.verify_program(vt.ir.parse(text), [x], passes=["cse", Failing(at_once)])
    assert found.difference is not None
    assert found.difference.pass_name == "failing"
    assert kind in str(found)


def test_a_list_that_is_popped_when_empty_is_an_error_of_the_program() -> None:
    text = (
        "program @f(%x: f32[2]) -> f32[2] {\n  %0 = list_new {element = f32[2]} : list<f32[2]>\n"
        "  %1, %2 = list_pop %0 : list<f32[2]>, f32[2]\n  return %2\n}"
    )
    program, x = vt.ir.parse(text), np.zeros(2, "float32")
    with pytest.raises(VerifyError, match="from a list that is empty"):
        interpret(program, [x])
    with pytest.raises(VerifyError, match="from a list that is empty"):
        compile_program(program, passes=()).run([x])


def test_a_recurrent_layer_with_a_gradient_is_verified_in_full() -> None:
    layer = vt.nn.LSTM(16, 32)
    x = vt.to_tensor(np.linspace(-1, 1, 4 * 32 * 16, dtype="float32").reshape(4, 32, 16), stop_gradient=False)
    found = vt.jit.verify(lambda x: layer(x)[0].sum(), x)
    assert found, str(found)
    assert any("backward: after promote_rows" in stage.name for stage in found.stages)
