"""The schedule: its passes one at a time switched off, their order, the printer and the verifier of steps, what users see."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from tests.golden import examples
from tests.runtime.checks import compare, program
from tests.runtime.test_calls import BODIES, W, X
from tests.runtime.test_calls import function as function_of
from tests.runtime.test_linearise import LISTS, LOOPS, WHILE
from vitrify.base import dtype as dt
from vitrify.base.errors import ArgumentError, VerifyError
from vitrify.base.flags import flags
from vitrify.base.log import set_log
from vitrify.ir.core import Program
from vitrify.ir.walk import walk
from vitrify.ops.dims import evaluate
from vitrify.ops.types import TensorType
from vitrify.runtime.compiler import compile_program
from vitrify.runtime.options import CompileOptions
from vitrify.runtime.schedule.linearise import linearise
from vitrify.runtime.schedule.pipeline import ScheduleManager, default_schedule, run_schedule, schedule_of
from vitrify.runtime.schedule.program_steps import (
    FEED,
    FETCH,
    AddStep,
    BatchedStep,
    Buffer,
    CopyStep,
    JumpStep,
    KernelStep,
    Label,
    LoopStep,
    ProgramStep,
    SetStep,
    Steps,
    clone_steps,
)
from vitrify.runtime.schedule.schedule_pass import SchedulePass
from vitrify.runtime.schedule.shared_memory import RemoveCopies
from vitrify.runtime.schedule.step_printer import print_steps
from vitrify.runtime.schedule.step_verifier import verify_steps

INT = TensorType(dt.int64, ())
NAMES = [item.name for item in default_schedule()]
OPTIONAL = [item.name for item in default_schedule() if not item.required]

TILED = """program @tiled(%x: f32[3000], %n: i64[]) -> f32[3000] {
  %k = constant {data = dense<f32[], 0.75>} : f32[]
  %y = for %n, %x : f32[3000] (%i: i64[], %z: f32[3000]) {
    %a = multiply %z, %k : f32[3000]
    %b = sin %a : f32[3000]
    yield %b
  }
  return %y
}"""
BATCHED = """program @batched(%x: f32[8], %y: f32[9], %z: f32[7]) -> (f32[8], f32[9], f32[7]) {
  %0 = tanh %x : f32[8]
  %1 = tanh %y : f32[9]
  %2 = tanh %z : f32[7]
  return %0, %1, %2
}"""
TEXTS = {**LOOPS, "lists": LISTS, "while": WHILE, "tiled": TILED, "batched": BATCHED}


@pytest.fixture(autouse=True)
def _verified(monkeypatch: pytest.MonkeyPatch) -> None:
    """Steps are verified after each pass."""
    monkeypatch.setattr(flags, "verify", True)


def arrays_for(made: Program) -> tuple[list[Any], list[Any]]:
    """Feeds and state for a program, all from its types. Integers are small: they count iterations, or are labels."""
    generator = np.random.default_rng(11)
    sizes = dict.fromkeys(made.symbols, 3)
    found = []
    for value in made.body.args:
        shape = [int(str(evaluate(d, sizes))) for d in value.tensor_type.shape]
        kind = value.dtype.numpy
        if value.dtype.is_floating:
            found.append(generator.uniform(0.1, 1.0, shape).astype(kind))
        else:
            found.append(generator.integers(0, 2 if value.dtype.is_bool else 4, shape).astype(kind))
    return found[: len(made.feeds)], found[len(made.feeds) :]


def check_without_each(made: Program, callbacks: Any = None) -> None:
    """A program gives what the interpreter gives with the whole schedule, without each of its passes, and without all."""
    feeds, state = arrays_for(made)
    for left in [(), *((f"-{name}",) for name in OPTIONAL), tuple(f"-{name}" for name in OPTIONAL)]:
        options = CompileOptions(schedule=left or None)
        executable = compile_program(made, callbacks=callbacks, options=options)
        # weights of 2 to 3 move by sums over a batch, which tiles of another CPU add in another order
        compare(executable, made, feeds, state, callbacks, calls=1, f32=4e-4)


@pytest.mark.parametrize("name", [*examples.CAPTURED, "static_network"])
def test_golden_programs_are_right_without_each_pass(name: str) -> None:
    if name == "static_network":
        made = examples.static_network()
        called = {o.attrs["callee"] for o in walk(made.body) if o.name == "callback"}
        check_without_each(made, dict.fromkeys(called, lambda *arrays: np.abs(arrays[0])))
        return
    trace = examples.captured(name).concrete_trace()
    check_without_each(trace.program, trace.callbacks)


@pytest.mark.parametrize("name", TEXTS)
def test_programs_with_loops_are_right_without_each_pass(name: str) -> None:
    check_without_each(program(TEXTS[name]))


@pytest.mark.parametrize("name", BODIES)
def test_functions_are_right_without_each_pass(name: str) -> None:
    made = program(function_of(BODIES[name]))
    for left in OPTIONAL:
        executable = compile_program(made, options=CompileOptions(schedule=(f"-{left}",)))
        compare(executable, made, [np.array(4), X, W], [])


# ---- which passes run


def kinds(text: str, schedule: Sequence[str] | None = None) -> set[type[ProgramStep]]:
    executable = compile_program(
        program(text), options=CompileOptions(schedule=None if schedule is None else (*schedule,))
    )
    return {type(step) for step in executable.steps.steps}


def test_each_pass_does_what_it_is_for() -> None:
    assert LoopStep in kinds(TILED)
    assert LoopStep not in kinds(TILED, ["-time_tiling"])
    assert BatchedStep in kinds(BATCHED)
    assert BatchedStep not in kinds(BATCHED, ["-batched_launches"])
    assert any(LoopStep in kinds(text) for text in LOOPS.values())
    assert not any(LoopStep in kinds(text, ["-loop_kernels", "-time_tiling"]) for text in LOOPS.values())


def test_names_say_what_runs_and_in_which_order() -> None:
    assert [item.name for item in schedule_of(None)] == NAMES
    assert [item.name for item in schedule_of(["-loop_kernels"])] == [n for n in NAMES if n != "loop_kernels"]
    order = ["remove_copies", "reuse_in_place", "share_pointers"]
    assert [item.name for item in schedule_of(order)] == order
    compare(compile_program(program(TILED), options=CompileOptions(schedule=(*order,))), program(TILED),
            *arrays_for(program(TILED)))  # fmt: skip


@pytest.mark.parametrize(
    ("chosen", "message"),
    [
        (["-loop_kernel"], "no pass 'loop_kernel'"),
        (["share_pointers", "loops"], "no pass 'loops'"),
        (["-share_pointers"], "needs share_pointers: LLVM is told"),
        (["reuse_in_place"], "needs share_pointers"),
        (["share_pointers", "reuse_in_place"], "reuse_in_place stands after share_pointers"),
        (["batched_launches", "share_pointers"], "share_pointers stands after batched_launches"),
        ([3], "a SchedulePass or its name, not int"),
    ],
)
def test_a_schedule_that_cannot_be_is_refused(chosen: list[Any], message: str) -> None:
    with pytest.raises(ArgumentError if chosen != [3] else TypeError, match=message):
        schedule_of(chosen)


def test_the_flag_switches_passes_off(monkeypatch: pytest.MonkeyPatch) -> None:
    def halves(x: Any) -> Any:
        for _ in range(vt.to_tensor(5)):
            x = vt.sin(x) * 0.5
        return x

    x = vt.ones([4])
    made = []
    for schedule in (None, ("-loop_kernels",)):
        monkeypatch.setattr(flags, "schedule", schedule)
        function = vt.to_static(halves)
        made.append((function(x).tolist(), function._last.runner.executable.steps.steps, function.stages))
    (expected, with_kernel, names), (found, without, fewer) = made
    assert found == expected
    assert [any(isinstance(step, LoopStep) for step in steps) for steps in (with_kernel, without)] == [True, False]
    assert set(names) - set(fewer) == {"after loop_kernels"}


@dataclass(frozen=True)
class Forgetful(SchedulePass):
    """Leaves out the first copy."""

    name = "forgetful"

    def run(self, program: Steps) -> bool:
        program.steps.remove(next(step for step in program.steps if isinstance(step, CopyStep)))
        return True


def test_a_pass_of_ones_own_is_verified_whatever_the_flags_say(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(flags, "verify", False)
    a, b, out = Buffer(INT), Buffer(INT, hint="b"), Buffer(INT, FETCH)
    made = by_hand(SetStep(None, a, 1), CopyStep(None, b, a), AddStep(None, b, 1), CopyStep(None, out, b))
    with pytest.raises(VerifyError, match="step 1, a AddStep, is wrong: it reads `b, i64") as raised:
        run_schedule(made, [Forgetful(), *default_schedule()])
    assert "after the pass forgetful" in str(raised.value.__notes__)


# ---- the manager


def test_a_checker_sees_the_steps_from_before() -> None:
    seen = []

    def check(before: Steps, after: Steps, item: SchedulePass) -> None:
        seen.append((item.name, print_steps(before) != print_steps(after)))
        assert not {*before.steps} & {*after.steps}

    ScheduleManager(default_schedule(), checker=check).run(linearise(program(TILED)))
    assert ("time_tiling", True) in seen
    assert all(differs for _, differs in seen)


def test_a_copy_of_steps_is_as_good() -> None:
    for text in TEXTS.values():
        made = run_schedule(linearise(program(text)))
        again = clone_steps(made)
        verify_steps(again)
        assert print_steps(again) == print_steps(made)


def test_passes_are_timed_dumped_and_logged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(flags, "dump_dir", tmp_path)
    set_log("passes")
    try:
        report = compile_program(program(TILED), keep=True).report
    finally:
        set_log("")
    assert list(report.schedule) == NAMES
    assert sum(report.schedule.values()) <= report.seconds["schedule"]
    assert sum(report.passes.values()) <= report.seconds["passes"]
    stages = [name for name, _ in report.stages]
    assert stages[0] == "captured" and stages[-len(NAMES) - 1 :] == ["linearised", *(f"after {n}" for n in NAMES)]
    dumps = sorted(file.name for file in tmp_path.iterdir())
    assert [name.partition("-")[2] for name in dumps if name.endswith(".steps")] == [
        f"tiled-after-{n}.steps" for n in NAMES
    ]
    assert [int(name[:3]) for name in dumps] == list(range(len(dumps)))
    assert "tiled: time_tiling: " in (logged := capsys.readouterr().err)
    assert "tiled: batched_launches: nothing to do" in logged


# ---- the printer


def test_the_text_of_steps() -> None:
    iteration, count, x = Buffer(INT, hint="i"), Buffer(INT, FEED, hint="n"), Buffer(INT, hint="x")
    start = Label(None)
    end = Label(None, start)
    made = by_hand(
        SetStep(None, iteration, 0), SetStep(None, x, 7), start, JumpStep(None, end, left=iteration, right=count),
        AddStep(None, x, 2), AddStep(None, iteration, 1), JumpStep(None, start), end,
    )  # fmt: skip
    assert (
        print_steps(made)
        == """steps @made {
  #0 set %i = 0
  #1 set %x = 7
  #2 label L
  #3 jump to L.1 if %i >= %n
  #4 add %x += 2
  #5 add %i += 1
  #6 jump to L
  #7 label L.1, end of L
}
buffers {
  %i: i64[], arena, in use from #0 to #7
  %x: i64[], arena, in use from #1 to #7
  %n: i64[], feed 0
}"""
    )


@pytest.mark.parametrize("name", TEXTS)
def test_names_are_unique_and_stay(name: str) -> None:
    made = linearise(program(TEXTS[name]))
    manager = ScheduleManager(default_schedule(), keep=True)
    manager.run(made)
    assert len(set(made.labels.values())) == len(made.labels)
    assert all(f"label {made.labels[s]}" in manager.stages[-1][1] for s in made.steps if isinstance(s, Label))


# ---- the verifier, on steps with one fault each


def by_hand(*made: ProgramStep) -> Steps:
    return Steps(list(made), [], [], [], 0, [], [], name="made")


def kernel_step() -> tuple[Steps, KernelStep]:
    made = linearise(program(BATCHED))
    step = made.steps[0]
    assert isinstance(step, KernelStep)
    return made, step


def test_jumps_and_loops_are_checked() -> None:
    start, other = Label(None), Label(None)
    end, another = Label(None, start), Label(None, other)
    for steps, reason in (
        ([JumpStep(None, start)], "its target is no label"),
        ([start, start, end], "the label stands twice"),
        ([start, other, end, another], "ends a loop that isn't the innermost"),
        ([end], "ends a loop that isn't the innermost"),
        ([start, JumpStep(None, end, left=Buffer(INT, FEED)), end], "it compares one number"),
    ):
        with pytest.raises(VerifyError, match=reason):
            verify_steps(by_hand(*steps))
    verify_steps(by_hand(start, other, another, end))


def test_kernels_get_buffers_that_fit() -> None:
    made, step = kernel_step()
    verify_steps(made)
    short = Buffer(TensorType(dt.float32, (5,)), FETCH)
    step.buffers[1] = short
    with pytest.raises(VerifyError, match=r"takes f32\[8\] where f32\[5\] is given"):
        verify_steps(made)
    step.buffers.pop()
    with pytest.raises(VerifyError, match="takes 2 buffers, not 1"):
        verify_steps(made)


def test_a_piece_lies_in_its_whole() -> None:
    whole = Buffer(TensorType(dt.int64, (2,)))
    with pytest.raises(VerifyError, match="is no piece of"):
        verify_steps(by_hand(SetStep(None, Buffer(INT, parent=whole, offset=2), 1)))


def test_kernels_are_checked() -> None:
    made, step = kernel_step()
    step.kernel.slots.pop()
    step.buffers.pop()
    with pytest.raises(VerifyError, match="there is no buffer"):
        verify_steps(made)


def test_what_nothing_wrote_is_not_read() -> None:
    a, out = Buffer(INT, hint="a"), Buffer(INT, FETCH)
    with pytest.raises(VerifyError, match=r"reads `a, i64\[\]`, which no step has written"):
        verify_steps(by_hand(CopyStep(None, out, a), SetStep(None, a, 1)))
    start = Label(None)
    verify_steps(by_hand(SetStep(None, a, 1), start, CopyStep(None, out, a), JumpStep(None, start), Label(None, start)))


def test_memory_that_is_taken_over_too_early_is_found() -> None:
    a, b, out = Buffer(INT, hint="a"), Buffer(INT, hint="b"), Buffer(INT, FETCH)
    steps = [SetStep(None, a, 1), SetStep(None, b, 2), CopyStep(None, out, a), CopyStep(None, out, b)]
    verify_steps(by_hand(*steps))
    b.parent, b.takes_over = a, True
    with pytest.raises(VerifyError, match=r"step 1, a SetStep, is wrong: it overwrites `a, i64\[\]` by `b, i64"):
        verify_steps(by_hand(*steps))
    verify_steps(by_hand(steps[0], steps[2], steps[1], steps[3]))


# ---- what users see


def test_stages_of_a_function_go_on_with_its_steps() -> None:
    def both(x: Any, y: Any) -> Any:
        return vt.tanh(x), vt.tanh(y)

    function = vt.to_static(both, input_spec=[vt.InputSpec([5]), vt.InputSpec([6])])
    names = function.stages
    assert names[names.index("linearised") + 1 :] == [f"after {n}" for n in NAMES]
    assert function.dump("after loop_kernels").startswith("steps @")
    assert function.dump().startswith("program @")
    assert "batched tanh" in function.dump("after batched_launches")
    changed = function.dump_diff("batched_launches")
    assert "+++ after batched_launches" in changed and "\n+ " in changed
    assert changed in function.dump_diff()
    with pytest.raises(ArgumentError, match="no lines in common"):
        function.dump_diff("captured", "after loop_kernels")
    with pytest.raises(ArgumentError, match="no lines in common"):
        function.dump_diff("linearised")


def test_a_wrong_pass_of_the_schedule_is_named_by_verify_program(monkeypatch: pytest.MonkeyPatch) -> None:
    def forget(item: RemoveCopies, steps: Steps) -> bool:
        steps.steps.remove([step for step in steps.steps if isinstance(step, CopyStep)][-1])
        return True

    made = program(LOOPS["a swap"])
    feeds = [*arrays_for(made)[0][:2], np.array(3)]
    assert vt.jit.verify_program(made, feeds)
    monkeypatch.setattr(flags, "verify", False)
    monkeypatch.setattr(RemoveCopies, "run", forget)
    found = vt.jit.verify_program(made, feeds)
    assert "without the pass remove_copies of the schedule there is no difference" in str(found)
    assert vt.jit.verify_program(made, feeds, schedule=["-remove_copies"])


def test_the_environment_leaves_passes_out(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    text = "import vitrify as vt\nfn = vt.to_static(lambda x: vt.exp(x) + 1)\nfn(vt.ones([3]))\n"
    script.write_text(text)
    found = {}
    for chosen in ("-loop_kernels, -time_tiling", "share_pointers", "-loops"):
        environment = {**os.environ, "VITRIFY_LOG": "passes", "VITRIFY_SCHEDULE": chosen}
        made = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, env=environment)
        found[chosen] = [name for name in NAMES if f": {name}: " in made.stderr], made.stderr
    assert found["-loop_kernels, -time_tiling"][0] == [n for n in NAMES if n not in ("loop_kernels", "time_tiling")]
    assert found["share_pointers"][0] == ["share_pointers"]
    assert "the schedule has no pass 'loops'" in found["-loops"][1]


def test_explain_has_the_times_of_the_schedule() -> None:
    function = vt.to_static(lambda x: vt.tanh(x) * 2)
    function(vt.ones([3]))
    text = function.explain()
    assert "schedule of the last program, in ms: time_tiling 0.0" in text
    assert all(name in text for name in NAMES)
