"""Golden text tests of programs: one file is one test.

    // run: cse,dce            the steps, in order
    program @f(...) { ... }    the input
    // ---
    program @f(...) { ... }    what the steps make of it, as printed; or `// ` and each line of the error they raise

`check_case` compares; with `update=True` (pytest --update-golden) it rewrites the part behind the line.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from ..base.errors import VitrifyError
from ..base.target import TARGETS, using_target
from ..ir.core import Program
from ..ir.diff import diff
from ..ir.parser import parse_program
from ..ir.printer import print_program
from ..ir.verifier import verify

Step = Callable[[Program], object]  # changes a program in place; its result is ignored
SEPARATOR = "// ---\n"


@dataclass(frozen=True, slots=True)
class Case:
    """One golden file: its steps, input text and expected text."""

    path: Path
    run: tuple[str, ...]
    before: str
    after: str

    def text(self, after: str) -> str:
        """The whole file with another expectation."""
        return f"// run: {','.join(self.run)}\n{self.before}{SEPARATOR}{after}"


def read_case(path: Path) -> Case:
    """Read a golden file; ValueError when it doesn't begin with `// run:`."""
    head, _, rest = path.read_text(encoding="utf-8").partition("\n")
    if not head.startswith("// run:"):
        raise ValueError(f"{path} must begin with a line like `// run: cse,dce`")
    before, _, after = rest.partition(SEPARATOR)
    return Case(path, tuple(name.strip() for name in head.removeprefix("// run:").split(",")), before, after)


def run_case(case: Case, steps: Mapping[str, Step]) -> str:
    """What the steps make of the input, on any machine for one CPU: the printed program, or the error as a comment."""
    try:
        program = parse_program(case.before)
        for name in case.run:
            if name not in steps:
                raise ValueError(f"{case.path} asks for the step {name!r}; known are {', '.join(sorted(steps))}")
            with using_target(TARGETS["avx512"]):
                steps[name](program)
        verify(program)
    except VitrifyError as error:
        error.raised_at = None  # the line of the test says nothing here
        return "".join(f"// {line}".rstrip() + "\n" for line in str(error).splitlines())
    return print_program(program)


def check_case(path: Path, steps: Mapping[str, Step], update: bool = False) -> None:
    """Run one golden file; AssertionError with a readable difference, or the file rewritten when `update`."""
    case = read_case(path)
    found = run_case(case, steps)
    if update:
        path.write_text(case.text(found), encoding="utf-8")
        return
    if found != case.after:
        shown = diff(case.after, found) or "(only the numbering of values)"
        help_ = "if the change is wanted: pytest --update-golden"
        raise AssertionError(f"{path} expects (-), the steps give (+); {help_}\n{shown}")
