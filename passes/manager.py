"""Pass, and the PassManager that runs a pipeline: times each pass, dumps on request, verifies, checks by value."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from ..base.errors import VerifyError
from ..base.events import span
from ..base.flags import flags
from ..base.log import log, wanted
from ..ir.core import Program
from ..ir.printer import print_program
from ..ir.verifier import verify
from ..ir.walk import clone_program, walk


@dataclass(frozen=True)
class Pass(ABC):
    """One transformation of programs; fields are its options. A valid program in, a valid program out."""

    name: ClassVar[str]

    @abstractmethod
    def run(self, program: Program) -> bool:
        """Transform the program in place; whether anything changed."""


Checker = Callable[[Program, Program, Pass], None]


@dataclass
class PassManager:
    """Runs passes in order. `stages` keeps (name, program text) after each when `keep` is set.

    `checker(before, after, pass)` is called in checked mode with a copy of the program from before the pass.
    """

    passes: Sequence[Pass]
    keep: bool = False
    checker: Checker | None = None
    stages: list[tuple[str, str]] = field(default_factory=list)
    seconds: dict[str, float] = field(default_factory=dict)

    def run(self, program: Program) -> bool:
        """Run all passes; whether any changed the program."""
        changed = False
        if self.keep:
            self.stages.append(("captured", print_program(program)))
        for item in self.passes:
            changed |= self._run_one(item, program)
        return changed

    def _run_one(self, item: Pass, program: Program) -> bool:
        before = clone_program(program) if self.checker is not None else None
        count = _count(program) if "passes" in wanted else 0
        start = time.perf_counter()
        with span(f"pass {item.name}"):
            changed = item.run(program)
        seconds = time.perf_counter() - start
        self.seconds[item.name] = self.seconds.get(item.name, 0.0) + seconds
        if "passes" in wanted:
            did = f"{count} -> {_count(program)} operations" if changed else "nothing to do"
            log("passes", f"{program.name}: {item.name}: {did}, {seconds * 1e3:.1f} ms")
        if flags.verify or self.checker is not None or not type(item).__module__.startswith("vitrify."):
            self._verify(item, program)
        if before is not None and self.checker is not None and changed:
            self.checker(before, program, item)
        self._record(item, program)
        return changed

    def _verify(self, item: Pass, program: Program) -> None:
        try:
            verify(program)
        except VerifyError as error:
            error.add_note(f"after the pass {item.name}")
            raise

    def _record(self, item: Pass, program: Program) -> None:
        if not self.keep and flags.dump_dir is None:
            return
        text = print_program(program)
        if self.keep:
            self.stages.append((f"after {item.name}", text))
        if flags.dump_dir is not None:
            flags.dump_dir.mkdir(parents=True, exist_ok=True)
            number = len(list(flags.dump_dir.glob("*.ir")))
            (flags.dump_dir / f"{number:03d}-{program.name}-after-{item.name}.ir").write_text(text)


def _count(program: Program) -> int:
    return sum(1 for _ in walk(program.body))
