"""The fuzzer: fixed seeds agree in every way; seeded faults are found, shrunk and written down as tests that fail."""

from __future__ import annotations

import functools
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from vitrify.ir.core import Program
from vitrify.ir.interpret import interpret
from vitrify.ir.parser import parse_program
from vitrify.ir.walk import walk
from vitrify.jit import function as jit_function
from vitrify.ops.op import OPS
from vitrify.passes.algebra.cse import CommonSubexpressions
from vitrify.runtime.compiler import compile_program
from vitrify.runtime.options import CompileOptions
from vitrify.testing.fuzz import KINDS, compositions, fuzz, random_model, rich_program
from vitrify.testing.fuzz.__main__ import main
from vitrify.testing.fuzz.callbacks import CALLBACKS, called, same_calls
from vitrify.testing.fuzz.checks import Coverage
from vitrify.testing.fuzz.compositions import ROOTS
from vitrify.testing.fuzz.files import FORMS, check_file, intact_file
from vitrify.testing.fuzz.programs import RichMaker, check_program
from vitrify.testing.fuzz.shrink import shrink_text
from vitrify.testing.programs import Maker

FAST = CompileOptions(numerics="fast")


@pytest.mark.parametrize("first", range(0, 16, 4))
def test_programs(first: int) -> None:
    report = fuzz(["programs"], seed=first, count=4)
    assert not report.found, str(report)
    assert report.counts["programs", "equal"] == 4


def test_functions() -> None:
    report = fuzz(["functions"], seed=20_001, count=4)  # seed 20,000 alone takes twenty seconds
    assert not report.found, str(report)


@pytest.mark.parametrize("first", [0, 3])
def test_models(first: int) -> None:
    report = fuzz(["models"], seed=first, count=3)
    assert not report.found, str(report)
    assert report.counts["models", "equal"] == 3


@pytest.mark.parametrize("first", [0, 5, 10, 15])
def test_compositions(first: int) -> None:
    report = fuzz(["compositions"], seed=first, count=5)  # 500 compositions in all
    assert not report.found, str(report)
    assert report.counts["compositions", "equal"] * ROOTS == 125


def test_a_composition_that_is_rounded_otherwise_is_found(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(compositions, "compile_program", functools.partial(compile_program, options=FAST))
    monkeypatch.setattr("vitrify.runtime.schedule.linearise.needs_exact", lambda program: False)
    compositions._kernel.cache_clear()
    report = fuzz(["compositions"], seed=0, count=8, into=tmp_path, shrink=False)
    compositions._kernel.cache_clear()
    assert report.found
    assert "check_composition(parse_program(TEXT)" in report.scripts[0].read_text()


def test_an_operation_beyond_its_bound_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(compositions, "bound", lambda op, dtype: 0.0)
    report = fuzz(["compositions"], seed=0, count=4)
    assert report.found
    assert all(message.startswith("alone: ") for _, _, message in report.found)


def test_files() -> None:
    report = fuzz(["files"], seed=0, count=300)
    assert not report.found, str(report)
    assert report.counts["files", "refused"] > 200
    assert report.counts["files", "equal"] > 5


@pytest.mark.parametrize("form", FORMS)
def test_intact_files_are_let_in(form: str) -> None:
    if form == "onnx":
        pytest.importorskip("onnx")
    assert check_file(intact_file(form)) == "equal"


def test_a_loader_that_fails_otherwise_is_found(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def careless(data: bytes) -> None:
        raise KeyError("dtype")

    monkeypatch.setattr("vitrify.runtime.tensor_file.from_bytes", careless)
    report = fuzz(["files"], seed=FORMS.index("tensors"), count=1, into=tmp_path)
    assert [message for _, _, message in report.found] == ["tensors loaded: KeyError: 'dtype'"]
    with pytest.raises(AssertionError, match="tensors loaded"):
        _run_script(report.scripts[0].read_text(), "test_it_is_refused_or_runs_alike")


def test_a_seed_gives_one_case() -> None:
    one, other = (re.sub(r"\bu\d+\b", "u", str(rich_program(3)[0])) for _ in range(2))
    assert one == other  # but for the numbers of run-time sizes, which a process counts on
    assert random_model(3) == random_model(3) != random_model(4)


def test_coverage_is_told() -> None:
    report = fuzz(["programs"], seed=2, count=6)
    text = str(report)
    assert "ops never met: " in text
    assert "passes that never did: " in text
    assert ("add", "float32", "top") in report.coverage.operations


class _Wrong(CommonSubexpressions):
    """A pass that takes `max(a, b)` for `min(a, b)`."""

    def run(self, program: Program) -> bool:
        found = [operation for operation in walk(program.body) if operation.name == "maximum"]
        for operation in found:
            operation.op = OPS["minimum"]
        return bool(found)


def test_a_wrong_pass_is_found_and_shrunk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("vitrify.testing.fuzz.checks.default_pipeline", lambda: (_Wrong(),))
    report = fuzz(["programs"], seed=15, count=12, into=tmp_path)
    assert report.found
    text = report.scripts[0].read_text()
    shrunk = text[text.index("program @") : text.index("ARRAYS")]
    assert shrunk.count("=") <= 8, text  # of about thirty operations
    with pytest.raises(AssertionError, match="pass cse"):
        _run_script(text)
    monkeypatch.undo()
    _run_script(text)


def test_a_wrong_result_of_a_function_is_found_and_shrunk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    original = jit_function.StaticFunction.__call__

    def wrong(self: Any, *args: Any, **kwargs: Any) -> Any:
        made = original(self, *args, **kwargs)
        return made if not isinstance(made, tuple) else (made[0] * 1.5, *made[1:])

    monkeypatch.setattr(jit_function.StaticFunction, "__call__", wrong)
    kind = KINDS["functions"]
    text = "def f(x, y, k, m):\n    a = x * 2.0\n    b = a + y\n    if m > 100:\n        b = b * 2\n    return a, b\n"
    assert kind.fails(text, 0, "compiled, 1 threads")
    small = kind.shrink(text, 0, "compiled, 1 threads")
    assert "if m" not in small
    assert "return (a, b)" in small
    with pytest.raises(AssertionError, match="compiled"):
        _run_script(kind.script(small, 0, "compiled, 1 threads"))


def _run_script(text: str, name: str = "test_it_runs_alike_in_every_way") -> None:
    scope: dict[str, Any] = {"__name__": "script"}
    exec(compile(text, "script.py", "exec"), scope)
    scope[name]()


def test_scripts_shrink_to_what_fails() -> None:
    text = "import math\n\ndef f(x):\n    for k in range(3):\n        if k:\n            x = x + 1\n    return x\n"
    assert shrink_text(text, lambda t: "x + 1" in t) == "def f(x):\n    x = x + 1"


def test_arrays_come_back_to_the_bit() -> None:
    program, _, state = rich_program(1)
    feeds = [np.array([np.nan, -0.0, 1e-42], np.float32), np.array([[True]]), np.zeros((0, 3))]
    text = KINDS["programs"].script((program, feeds, state), 1, "here")
    scope: dict[str, Any] = {}
    exec(text[: text.index("def test")], scope)
    for a, b in zip([*feeds, *state], scope["ARRAYS"], strict=True):
        assert (a.dtype, a.shape, a.tobytes()) == (b.dtype, b.shape, b.tobytes())


def test_the_command_line(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main(["--kind", "programs", "--count", "1", "--seed", "1", "--into", str(tmp_path)]) == 0
    assert "programs  equal        1" in capsys.readouterr().out


def test_it_runs_as_a_module() -> None:
    done = subprocess.run([sys.executable, "-m", "vitrify.testing.fuzz", "--help"], capture_output=True, text=True)
    assert done.returncode == 0
    assert "--seconds" in done.stdout


class _Only(RichMaker):
    """A maker whose programs hold one kind of step only, some of them in a branch or a loop."""

    step = "call_back"

    def choices(self) -> Any:
        return [getattr(RichMaker, self.step), Maker.unary, Maker.if_, Maker.for_], [8, 2, 1, 1]


def _made_of(step: str, seed: int, size: int) -> tuple[Program, list[Any], list[Any]]:
    maker = type("_Steps", (_Only,), {"step": step})(seed, 2)
    maker.arguments()
    with maker.builder.active():
        maker.operations(size)
        maker.finish()
    return maker.program, maker.feeds, maker.state


@pytest.mark.parametrize("seed", range(3))
def test_programs_that_call_back(seed: int) -> None:
    coverage = Coverage()
    program, feeds, state = _made_of("call_back", seed, 8)
    check_program(program, feeds, state, coverage)
    assert "callback" in coverage.ops


def test_passes_that_look_for_rare_programs() -> None:
    coverage = Coverage()
    for seed in range(3):
        check_program(*_made_of("rarely", seed, 4), coverage)
    assert all(coverage.passes[name] for name in ("merge_sums", "gather_pushdown", "split_reductions"))


def test_other_calls_back_are_a_difference() -> None:
    text = """program @p(%x: f32[3]) -> f32[3] {
      %a = callback %x {callee = "fuzz.soft", form = "array", gradient = none, outputs = (f32[3])} : f32[3]
      return %x
    }"""
    program = parse_program(text)
    check_program(program, [np.ones(3, np.float32)], [])
    with called() as calls:
        interpret(program, [np.ones(3, np.float32)], [], CALLBACKS)
    assert [name for name, _ in calls] == ["fuzz.soft"]
    with pytest.raises(AssertionError, match="calls back of"):
        same_calls(calls, [], {"relative": 0.0, "absolute": 0.0})
    with pytest.raises(AssertionError, match="operand 0"):
        same_calls(calls, [("fuzz.soft", [np.zeros(3, np.float32)])], {"relative": 0.0, "absolute": 0.0})
