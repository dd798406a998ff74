"""What a verification says: stages with their distances, and the first difference."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from html import escape
from pathlib import Path
from typing import Any

from ...base.errors import MiscompileError
from ...base.html import code, grid
from ...base.location import Loc
from ...base.table import table
from .comparison import Deviation


@dataclass(frozen=True, slots=True)
class Stage:
    """One comparison: its name, the largest distance of two results in units in the last place, how long it took."""

    name: str
    ulp: float
    seconds: float


@dataclass(frozen=True)
class Difference:
    """The first thing that differs.

    stage: between which two ways of running. operation: the op's name; loc: the user's line. pass_name and rule: whose
    work it is, where a pass did it; became: what the pass made of the operation. where: the iterations of the loops
    around.
    deviation: the first element, expected and found.
    """

    stage: str
    operation: str
    loc: Loc | None
    deviation: Deviation | None
    pass_name: str | None = None
    rule: str | None = None
    became: str | None = None
    where: str = ""
    result: int = 0
    note: str = ""
    program: Any = field(default=None, repr=False)  # what to reproduce it with
    event: Any = field(default=None, repr=False)
    passes: Sequence[Any] | None = field(default=None, repr=False)
    arrays: Sequence[Any] | None = field(default=None, repr=False)

    @property
    def line(self) -> int | None:
        """The number of the user's line."""
        return None if self.loc is None or not self.loc.file else self.loc.line

    def __str__(self) -> str:
        by = f" (rule {self.rule})" if self.rule else ""
        became = f", which became {self.became}" if self.became and self.became != self.operation else ""
        inside = f", in {self.where}" if self.where else ""
        lines = [f"{self.stage}{by}: {self.operation}{became}{inside}"]
        if self.deviation is not None:
            lines.append(f"  {self.deviation}")
        if self.note:
            lines.append(f"  {self.note}")
        if self.loc is not None and self.loc.file:
            lines.append(self.loc.excerpt())
        return "\n".join(lines)


@dataclass(frozen=True)
class Verification:
    """The outcome of `verify`: true if nothing differs. Prints as a table of stages and the first difference.

    script: a file that reproduces the difference without the user's code, where one was asked for.
    """

    name: str
    stages: list[Stage]
    difference: Difference | None = None
    script: Path | None = None

    def __bool__(self) -> bool:
        return self.difference is None

    def raise_for_difference(self) -> None:
        """Errors: MiscompileError that names the first difference, if there is one."""
        if self.difference is not None:
            raise MiscompileError(
                f"{self.name} differs, {self.difference}",
                loc=self.difference.loc,
                remedy="this is a fault of vitrify or of your own rule, pass or row: report it with the script of "
                "verify(…, script=path)",
            )

    def __str__(self) -> str:
        rows = [[name, f"{ulp:.3g}", f"{seconds:.2f} s"] for name, ulp, seconds in _summed(self.stages)]
        text = table(["stage", "largest ULP", "took"], rows, right=[1, 2])
        if self.difference is None:
            return f"{self.name}: nothing differs\n{text}"
        script = "" if self.script is None else f"\nreproduced by {self.script}"
        return f"{self.name} differs\n{text}\n\n{self.difference}{script}"

    __repr__ = __str__

    def _repr_html_(self) -> str:
        rows = [(name, f"{ulp:.3g}", f"{seconds:.2f} s") for name, ulp, seconds in _summed(self.stages)]
        head = "nothing differs" if self.difference is None else "differs"
        found = "" if self.difference is None else code(str(self.difference))
        script = "" if self.script is None else f"<p>reproduced by {escape(str(self.script))}</p>"
        stages = grid(["stage", "largest ULP", "took"], rows)
        return f"<p>{escape(self.name)}: {head}</p>{found}{script}{stages}"


def _summed(stages: Sequence[Stage]) -> list[tuple[str, float, float]]:
    """Name, distance and seconds of each stage; passes of one program that change no value as one."""
    out: list[tuple[str, float, float]] = []
    count = 0
    for stage in stages:
        label, _, kind = stage.name.rpartition(": ")
        if not kind.startswith("after ") or stage.ulp:
            out.append((stage.name, stage.ulp, stage.seconds))
            count = 0
        elif count:
            count += 1
            out[-1] = (f"{label}: after {count} passes", 0.0, out[-1][2] + stage.seconds)
        else:
            count = 1
            out.append((stage.name, stage.ulp, stage.seconds))
    return out
