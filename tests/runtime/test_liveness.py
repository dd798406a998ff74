"""What may be read later: on steps written by hand, and with all that a call doesn't keep overwritten after it."""

from __future__ import annotations

import numpy as np
import pytest

from tests.runtime.checks import check
from tests.runtime.poison import Poison
from vitrify.runtime.schedule.lifetimes import Liveness
from vitrify.runtime.schedule.program_steps import (
    WORD,
    AddStep,
    Buffer,
    CopyStep,
    HoldStep,
    JumpStep,
    Label,
    ProgramStep,
    SetStep,
)

from .test_calls import BODIES, W, X, function


def live_at(
    steps: list[ProgramStep], label: Label, *buffers: Buffer, finally_read: tuple[Buffer, ...] = ()
) -> list[bool]:
    found = Liveness(steps, {}, {}, finally_read)
    return [found.at(label, b) for b in buffers]


def test_what_is_overwritten_first_is_not_live() -> None:
    a, b, c, here = Buffer(WORD), Buffer(WORD), Buffer(WORD), Label()
    steps = [SetStep(None, a, 1), here, SetStep(None, b, 1), AddStep(None, a), CopyStep(None, c, b)]
    assert live_at(steps, here, a, b, c) == [True, False, False]
    assert live_at(steps, here, a, b, c, finally_read=(b, c)) == [True, False, False]


def test_both_ways_of_a_jump_count_and_only_the_way_of_one_that_is_always_taken() -> None:
    a, b, c, here, target = Buffer(WORD), Buffer(WORD), Buffer(WORD), Label(), Label()
    ways = [AddStep(None, a), target, AddStep(None, b)]
    assert live_at([here, JumpStep(None, target, zero=c), *ways], here, a, b, c) == [True, True, True]
    assert live_at([here, JumpStep(None, target, left=c, right=c), *ways], here, a, b, c) == [True, True, True]
    assert live_at([here, JumpStep(None, target), *ways], here, a, b, c) == [False, True, False]
    assert live_at([here, JumpStep(None, Label()), *ways], here, a, b, c) == [False, False, False]


def test_what_the_next_iteration_of_a_loop_reads_is_live() -> None:
    a, b, start, here = Buffer(WORD), Buffer(WORD), Label(), Label()
    end = Label(None, start)
    steps = [
        start,
        JumpStep(None, end, zero=b),
        AddStep(None, a),
        here,
        SetStep(None, b, 1),
        JumpStep(None, start),
        end,
    ]
    assert live_at(steps, here, a, b) == [True, False]


def test_a_step_that_writes_a_part_leaves_the_rest() -> None:
    whole, here = Buffer(WORD), Label()
    piece = Buffer(WORD, parent=whole)
    for step in (SetStep(None, piece, 1), HoldStep(None, whole)):
        assert live_at([here, step, AddStep(None, whole)], here, whole) == [True]
    assert live_at([here, SetStep(None, whole, 1), AddStep(None, piece)], here, whole) == [False]
    assert live_at([here, AddStep(None, piece)], here, whole) == [True]


@pytest.mark.parametrize("body", BODIES)
def test_what_a_call_does_not_keep_nothing_reads(body: str, monkeypatch: pytest.MonkeyPatch) -> None:
    poison = Poison(monkeypatch)
    for n in (0, 1, 4):
        check(function(BODIES[body]), np.int64(n), X, W, calls=1)
    assert poison.left


def test_the_check_finds_a_value_that_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    Poison(monkeypatch)
    monkeypatch.setattr(Liveness, "at", lambda self, label, buffer: buffer.hint == "site")
    with pytest.raises(AssertionError):
        check(function(BODIES["what comes before and after"]), np.int64(4), X, W, calls=1)
