"""Passes, and the managers that run pipelines of them: time each pass, dump on request, verify, check by value.

A manager knows nothing of what its passes transform: `PassManager` below is the one of programs,
`runtime/schedule/pipeline.py` has the one of steps.
"""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Generic, TypeVar

from ..base.errors import VerifyError
from ..base.events import span
from ..base.flags import flags
from ..base.log import log, wanted
from ..ir.core import Program
from ..ir.printer import print_program
from ..ir.verifier import verify
from ..ir.walk import clone_program, walk

Subject = TypeVar("Subject")


class Transformation(ABC, Generic[Subject]):
    """One transformation of a subject, valid before and after. Its fields are its options.

    idempotent: run again on what it left, it would change nothing. Where nothing else has changed the subject since, a
    manager doesn't run it.
    """

    name: ClassVar[str]
    idempotent: ClassVar[bool] = False

    @abstractmethod
    def run(self, subject: Subject, /) -> bool:
        """Transform the subject in place; whether anything changed."""


@dataclass(frozen=True)
class Pass(Transformation[Program]):
    """One transformation of programs; fields are its options. A valid program in, a valid program out."""

    @abstractmethod
    def run(self, program: Program) -> bool:
        """Transform the program in place; whether anything changed."""


@dataclass
class Manager(ABC, Generic[Subject]):
    """Runs passes in order. `stages` keeps (name, text) after each when `keep` is set; `seconds` the time of each.

    `checker(before, after, pass)` is called in checked mode with a copy of the subject from before the pass.
    """

    passes: Sequence[Transformation[Subject]]
    keep: bool = False
    checker: Callable[[Subject, Subject, Any], None] | None = None
    stages: list[tuple[str, str]] = field(default_factory=list)
    seconds: dict[str, float] = field(default_factory=dict)
    _idle: set[Transformation[Subject]] = field(default_factory=set, init=False, repr=False)

    first: ClassVar[str]  # the name of the stage before all passes
    suffix: ClassVar[str]  # of the files with dumps
    unit: ClassVar[str]  # what `count` counts

    @abstractmethod
    def title(self, subject: Subject) -> str:
        """The name of a subject."""

    @abstractmethod
    def text(self, subject: Subject) -> str:
        """A subject as text."""

    @abstractmethod
    def count(self, subject: Subject) -> int:
        """How large a subject is."""

    @abstractmethod
    def clone(self, subject: Subject) -> Subject:
        """A copy of a subject."""

    @abstractmethod
    def verify(self, subject: Subject) -> None:
        """Check a subject. Errors: VerifyError."""

    def run(self, subject: Subject) -> bool:
        """Run all passes; whether any changed the subject."""
        changed = False
        self._idle.clear()
        if self.keep:
            self.stages.append((self.first, self.text(subject)))
        for item in self.passes:
            changed |= self._run_one(item, subject)
        return changed

    def _run_one(self, item: Transformation[Subject], subject: Subject) -> bool:
        before = self.clone(subject) if self.checker is not None else None
        count = self.count(subject) if "passes" in wanted else 0
        start = time.perf_counter()
        with span(f"pass {item.name}"):
            changed = item not in self._idle and item.run(subject)
        if changed:
            self._idle.clear()
        if item.idempotent:
            self._idle.add(item)
        seconds = time.perf_counter() - start
        self.seconds[item.name] = self.seconds.get(item.name, 0.0) + seconds
        if "passes" in wanted:
            did = f"{count} -> {self.count(subject)} {self.unit}" if changed else "nothing to do"
            log("passes", f"{self.title(subject)}: {item.name}: {did}, {seconds * 1e3:.1f} ms")
        if flags.verify or self.checker is not None or not type(item).__module__.startswith("vitrify."):
            self._verify_after(item, subject)
        if before is not None and self.checker is not None and changed:
            self.checker(before, subject, item)
        self._record(item, subject)
        return changed

    def _verify_after(self, item: Transformation[Subject], subject: Subject) -> None:
        try:
            self.verify(subject)
        except VerifyError as error:
            error.add_note(f"after the pass {item.name}")
            raise

    def _record(self, item: Transformation[Subject], subject: Subject) -> None:
        if not self.keep and flags.dump_dir is None:
            return
        text = self.text(subject)
        if self.keep:
            self.stages.append((f"after {item.name}", text))
        if flags.dump_dir is not None:
            flags.dump_dir.mkdir(parents=True, exist_ok=True)
            number = sum(1 for _ in flags.dump_dir.glob("[0-9]*-after-*"))
            name = f"{number:03d}-{self.title(subject)}-after-{item.name}.{self.suffix}"
            (flags.dump_dir / name).write_text(text)


@dataclass
class PassManager(Manager[Program]):
    """Runs passes over a program in order. `stages` keeps (name, program text) after each when `keep` is set.

    `checker(before, after, pass)` is called in checked mode with a copy of the program from before the pass.
    """

    first = "captured"
    suffix = "ir"
    unit = "operations"

    def title(self, subject: Program) -> str:
        """The name of the program."""
        return subject.name

    def text(self, subject: Program) -> str:
        """The program as text."""
        return print_program(subject)

    def count(self, subject: Program) -> int:
        """How many operations it has, nested ones included."""
        return sum(1 for _ in walk(subject.body))

    def clone(self, subject: Program) -> Program:
        """A copy of the program."""
        return clone_program(subject)

    def verify(self, subject: Program) -> None:
        """Check the program. Errors: VerifyError."""
        verify(subject)
