"""What a report is about, as plain data: those who know the user's functions hand it to `viz`, which shows it.

`jit` and `static` may not import `viz`, and `viz` not them: an object that can be reported has a method
`_as_subject()` that gives a `Subject`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ...ir.core import Program

if TYPE_CHECKING:  # it loads LLVM, which nobody needs who looks at programs
    from ..schedule.program_steps import Steps


@dataclass(frozen=True, slots=True)
class Routine:
    """A function of the user as it was written, and as it was converted.

    first: the number of its first line in the file. code_lines: for each line of the converted text the line of the
    file that it stands for, 0 where there is none.
    """

    name: str
    file: str
    first: int
    lines: tuple[str, ...]
    code: tuple[str, ...] = ()
    code_lines: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Part:
    """One program, before any pass, and the sizes of its symbols (none: those of no call are known).

    steps: what runs; None where nothing was compiled.
    """

    name: str
    program: Program
    sizes: Mapping[str, int] = field(default_factory=dict)
    steps: Steps | None = None


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of one statement (a row of the certificate)."""

    routine: str
    file: str
    line: int
    text: str
    verdict: str
    detail: str


@dataclass(frozen=True, slots=True)
class Version:
    """One captured program of a function: for which arguments, why it was made, what it holds on."""

    number: int
    arguments: str
    reason: str
    seconds: float
    guards: tuple[tuple[str, str], ...] = ()  # the instance that each is about, or "", and what holds


@dataclass(frozen=True, slots=True)
class Subject:
    """Everything that is known of a thing. kind: a word or two, as in "compiled function"."""

    name: str
    kind: str
    parts: tuple[Part, ...]
    routines: tuple[Routine, ...] = ()
    verdicts: tuple[Verdict, ...] = ()
    certificate: str = ""  # its hash
    versions: tuple[Version, ...] = ()
    notes: tuple[str, ...] = ()  # what is missing, and why
