"""Lifetimes and the plan made from them, against an analysis of their own: what is live where, along every path."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from vitrify.base import dtype as dt
from vitrify.ir.core import Program
from vitrify.ir.parser import parse_program
from vitrify.ir.walk import clone_program
from vitrify.ops.dims import Dim, evaluate
from vitrify.ops.types import TensorType
from vitrify.passes.autodiff.differentiate import differentiate
from vitrify.passes.manager import PassManager
from vitrify.passes.memory.memory_plan import Lifetime, plan
from vitrify.runtime.schedule.linearise import linearise
from vitrify.runtime.schedule.pipeline import run_schedule
from vitrify.runtime.schedule.program_steps import (
    ARENA,
    FEED,
    FETCH,
    AddStep,
    Buffer,
    CopyStep,
    GemmStep,
    JumpStep,
    KernelStep,
    Label,
    ProgramStep,
    SetStep,
    Steps,
)
from vitrify.testing.gradients import float_arguments, in_double
from vitrify.testing.programs import random_program

from .checks import PIPELINES
from .test_linearise import LISTS, LOOPS, WHILE

INT = TensorType(dt.int64, ())


def roots(buffers: Iterable[Buffer]) -> set[Buffer]:
    return {b.root()[0] for b in buffers if b.root()[0].role == ARENA}


def successors(steps: list[ProgramStep], k: int) -> list[int]:
    step = steps[k]
    if not isinstance(step, JumpStep):
        return [k + 1] if k + 1 < len(steps) else []
    target = steps.index(step.target)
    return [target, k + 1] if step.zero is not None or step.left is not None else [target]


def replaced(step: ProgramStep) -> set[Buffer]:
    """Buffers of which the step leaves nothing as it was."""
    if isinstance(step, GemmStep) and step.beta:
        return set()
    if isinstance(step, KernelStep) and step.kernel.bases:
        return set()
    return {b.root()[0] for b in step.writes() if str(b.root()[0].bytes) == str(b.bytes)}


def first_writes(steps: list[ProgramStep]) -> dict[Buffer, int]:
    found: dict[Buffer, int] = {}
    for k, step in enumerate(steps):
        for root in roots(step.writes()):
            found.setdefault(root, k)
    return found


def live_after(steps: list[ProgramStep]) -> list[set[Buffer]]:
    """For each step the arena buffers that some path from there reads before it writes them anew.

    The first step that writes a buffer can't depend on what was there, though its kernel may say that it reads it: it
    does so in later calls, as the control of a loop kernel does.
    """
    after: list[set[Buffer]] = [set() for _ in steps]
    follow = [successors(steps, k) for k in range(len(steps))]
    first = first_writes(steps)
    before: list[set[Buffer]] = [set() for _ in steps]
    changed = True
    while changed:
        changed = False
        for k in reversed(range(len(steps))):
            after[k] = set().union(*(before[j] for j in follow[k]))
            made = {r for r in roots(steps[k].writes()) if first[r] == k or r in replaced(steps[k])}
            found = (after[k] - made) | {r for r in roots(steps[k].reads()) if first.get(r) != k}
            changed |= found != before[k]
            before[k] = found
    return after


def check_plan(made: Steps, sizes: dict[str, int]) -> None:
    """No step writes where something lies that is read later, or that it reads itself as another buffer."""
    found = list(dict.fromkeys(r for b in made.buffers for r in roots([b])))
    bytes_of = {r: int(evaluate(r.bytes, sizes)) for r in found}
    offsets = dict(zip(found, plan([Lifetime(bytes_of[r], r.first, r.last) for r in found]).offsets, strict=True))
    after, first = live_after(made.steps), first_writes(made.steps)
    for k, step in enumerate(made.steps):
        begun = {r for r in after[k] | roots(step.reads()) if first[r] <= k}  # others are written piece by piece, later
        for written in roots(step.writes()):
            for other in begun - {written}:
                start, end = offsets[written], offsets[written] + bytes_of[written]
                apart = end <= offsets[other] or offsets[other] + bytes_of[other] <= start
                assert apart or not bytes_of[other] or not bytes_of[written], f"step {k} ({step}) overwrites {other}"


def check_program(program: Program, sizes: dict[str, int], pipeline: str) -> None:
    made = clone_program(program)
    PassManager(PIPELINES[pipeline]).run(made)
    steps = linearise(made)
    run_schedule(steps)
    check_plan(steps, sizes)


@settings(deadline=None, max_examples=60)
@given(st.integers(0, 2**32), st.sampled_from(sorted(PIPELINES)), st.integers(1, 9), st.integers(1, 9))
@example(675, "plain", 3, 4)  # a loop kernel in a loop: its control says when it begins anew
@example(675, "fused", 9, 9)
def test_random_programs(seed: int, pipeline: str, n: int, m: int) -> None:
    check_program(random_program(seed, 25)[0], {"N": n, "M": m}, pipeline)


@settings(deadline=None, max_examples=20)
@given(st.integers(0, 2**32), st.sampled_from(sorted(PIPELINES)))
def test_backward_programs(seed: int, pipeline: str) -> None:
    program, feeds, state = random_program(seed, 15)
    program, arrays = in_double(program, [*feeds, *state])
    twin = differentiate(program, float_arguments(arrays))
    for half in (twin.forward, twin.backward):
        check_program(half, {"N": 3, "M": 4}, pipeline)


@pytest.mark.parametrize("pipeline", PIPELINES)
def test_programs_made_to_be_wrong(pipeline: str) -> None:
    for text in (*LOOPS.values(), LISTS, WHILE):
        check_program(parse_program(text), {}, pipeline)


# -- single decisions, on steps written by hand ------------------------------------------------------------------------


def steps(*made: ProgramStep) -> Steps:
    return Steps(list(made), [], [], [], 0, [], [])


def test_a_buffer_lives_from_its_first_to_its_last_step() -> None:
    a, b = Buffer(INT), Buffer(INT, role=FETCH)
    run_schedule(steps(SetStep(None, Buffer(INT), 1), SetStep(None, a, 1), AddStep(None, a, 2), CopyStep(None, b, a)))
    assert (a.first, a.last) == (1, 3)


def test_what_a_loop_reads_from_outside_lives_to_its_end() -> None:
    iteration, count, outside, inside = Buffer(INT), Buffer(INT, role=FEED), Buffer(INT), Buffer(INT)
    start = Label(None)
    end = Label(None, start)
    made = steps(
        SetStep(None, iteration, 0), SetStep(None, outside, 7), start, JumpStep(None, end, left=iteration, right=count),
        SetStep(None, inside, 1), AddStep(None, outside, 1), AddStep(None, inside, 1), AddStep(None, iteration, 1),
        JumpStep(None, start), end,
    )  # fmt: skip
    run_schedule(made)
    assert (outside.first, outside.last) == (1, 9), "the next iteration reads it again"
    assert (inside.first, inside.last) == (4, 6), "each iteration makes it anew"


def test_a_copy_of_what_ends_there_is_left_out() -> None:
    a, b, out = Buffer(INT), Buffer(INT), Buffer(INT, role=FETCH)
    made = steps(SetStep(None, a, 1), CopyStep(None, b, a), AddStep(None, b, 1), CopyStep(None, out, b))
    run_schedule(made)
    assert [type(s) for s in made.steps] == [SetStep, AddStep, CopyStep]
    assert b.root()[0] is a


def test_a_copy_of_what_is_read_again_stays() -> None:
    a, b, out = Buffer(INT), Buffer(INT), Buffer(INT, role=FETCH)
    made = steps(
        SetStep(None, a, 1), CopyStep(None, b, a), AddStep(None, b, 1), CopyStep(None, out, a), CopyStep(None, out, b)
    )
    run_schedule(made)
    assert sum(isinstance(s, CopyStep) for s in made.steps) == 3
    assert b.root()[0] is b


def test_a_long_chain_of_pieces_lies_in_one_memory() -> None:
    n = Dim.symbol("N")
    last = whole = Buffer(TensorType(dt.float32, (n + 1, 4)))
    for k in range(2000):
        last = Buffer(last.kind, parent=last, offset=4 * n if k == 7 else 0)
    assert last.owner() is whole
    assert last.root() == (whole, 16 * n)


def test_the_checker_finds_a_wrong_plan() -> None:
    a, b, out = Buffer(INT), Buffer(INT), Buffer(INT, role=FETCH)
    made = steps(SetStep(None, a, 1), SetStep(None, b, 2), CopyStep(None, out, a), CopyStep(None, out, b))
    run_schedule(made)
    check_plan(made, {})
    a.last = 0
    with pytest.raises(AssertionError, match="overwrites"):
        check_plan(made, {})
