"""A manager runs a pass again only where something may have changed; idempotent passes are idempotent."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest

from vitrify.ir.core import Program
from vitrify.ir.parser import parse_program
from vitrify.ir.walk import clone_program, equal_programs
from vitrify.passes.manager import Pass, PassManager
from vitrify.passes.pipelines import PASSES, default_pipeline

TEXT = """program @f(%x: f32[4, 3], %n: i64[]) -> (f32[4, 3], f32[4, 3]) {
  %a = tanh %x : f32[4, 3]
  %b = tanh %x : f32[4, 3]
  %c = exp %x : f32[4, 3]
  %d = add %a, %b : f32[4, 3]
  %r, %s = for %n, %x, %d : f32[4, 3], f32[4, 3] (%i: i64[], %e: f32[4, 3], %g: f32[4, 3]) {
    %h = exp %e : f32[4, 3]
    %j = exp %e : f32[4, 3]
    %k = add %g, %h : f32[4, 3]
    yield %j, %k
  }
  return %d, %s
}"""


@dataclass(frozen=True)
class Counted(Pass):
    """Counts its runs, and says that it changed something as often as it is told."""

    name = "counted"
    idempotent = True
    changes: list[bool] = field(default_factory=list, hash=False, compare=False)
    runs: list[int] = field(default_factory=list, hash=False, compare=False)

    def run(self, program: Program) -> bool:
        self.runs.append(1)
        return self.changes.pop(0) if self.changes else False


@dataclass(frozen=True)
class Other(Counted):
    """A pass that may have more to do each time."""

    name = "other"
    idempotent = False


@pytest.mark.parametrize(
    ("first", "between", "runs"), [(False, False, 1), (True, False, 1), (False, True, 2), (True, True, 2)]
)
def test_an_idempotent_pass_runs_again_after_a_change(first: bool, between: bool, runs: int) -> None:
    one, other = Counted([first]), Other([between])
    manager = PassManager((one, other, one), keep=True)
    assert manager.run(parse_program(TEXT)) == (first or between)
    assert len(one.runs) == runs
    assert len(other.runs) == 1
    assert [name for name, _ in manager.stages] == ["captured", "after counted", "after other", "after counted"]
    manager.run(parse_program(TEXT))  # another program
    assert len(one.runs) == runs + 1


def test_other_passes_run_as_often_as_they_stand_there() -> None:
    one = Other()
    PassManager((one, one, one)).run(parse_program(TEXT))
    assert len(one.runs) == 3


@pytest.mark.parametrize("kind", [kind for kind in PASSES if kind.idempotent])
@pytest.mark.parametrize("before", range(len(default_pipeline())))
def test_run_again_they_change_nothing(kind: type[Pass], before: int) -> None:
    program = parse_program(TEXT)
    PassManager(default_pipeline()[:before]).run(program)
    kind().run(program)
    left = clone_program(program)
    assert not kind().run(program)
    assert equal_programs(left, program)
