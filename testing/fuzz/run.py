"""The loop: cases of each kind in turn, counts, coverage, and a script for each disagreement."""

from __future__ import annotations

import sys
import time
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from ...base.table import table
from ...ir.printer import print_program
from ...ops.op import OPS
from ...passes.pipelines import PASSES
from ..functions import random_function
from .checks import Coverage, Disagreement
from .compositions import check_composition, composition, runs_of
from .equal import Pair, check_equal, random_pair, shrink_pair
from .files import Damaged, check_file, damaged_file
from .functions import check_function
from .models import check_model, random_model
from .programs import check_program, rich_program
from .shrink import Case, shrink_program, shrink_text


class Kind(ABC):
    """One kind of case: how it is made from a seed, checked, shrunk and written down."""

    name: str

    @abstractmethod
    def make(self, seed: int) -> Any:
        """The case of a seed."""

    @abstractmethod
    def check(self, case: Any, seed: int, coverage: Coverage) -> str:
        """Run it in every way: "equal" or "refused"; Disagreement otherwise."""

    @abstractmethod
    def script(self, case: Any, seed: int, stage: str) -> str:
        """A test that fails as the case does."""

    @abstractmethod
    def shrink(self, case: Any, seed: int, stage: str) -> Any:
        """A smaller case that fails at the same stage."""

    def fails(self, case: Any, seed: int, stage: str) -> bool:
        """Whether the case has a disagreement at this stage."""
        try:
            self.check(case, seed, Coverage())
        except Disagreement as error:
            return error.stage == stage
        except Exception:  # broad: a smaller case may be wrong in its own ways
            return False
        return False


class _Texts(Kind):
    checker: str

    def shrink(self, case: Any, seed: int, stage: str) -> Any:
        return shrink_text(case, lambda text: self.fails(text, seed, stage), most=120)

    def script(self, case: Any, seed: int, stage: str) -> str:
        quoted = _quoted(case.rstrip())
        return (
            f'"""Found by fuzzing ({self.name}, seed {seed}), at: {stage}."""\n\n'
            f"from vitrify.testing.fuzz import {self.checker}\n\n"
            f'TEXT = """\\\n{quoted}\n"""\n\n\n'
            f"def test_it_runs_alike_in_every_way() -> None:\n"
            f'    assert {self.checker}(TEXT, {seed}) in ("equal", "refused")\n'
        )


class Functions(_Texts):
    """Random Python functions."""

    name = "functions"
    checker = "check_function"

    def make(self, seed: int) -> str:
        return random_function(seed, size=8 + seed % 8)

    def check(self, case: Any, seed: int, coverage: Coverage) -> str:
        return check_function(case, seed, coverage)


class Equal(Kind):
    """Random functions and the same ones rewritten."""

    name = "equal"

    def make(self, seed: int) -> Pair:
        return random_pair(seed)

    def check(self, case: Any, seed: int, coverage: Coverage) -> str:
        return check_equal(case.text, case.steps, seed, coverage)

    def shrink(self, case: Any, seed: int, stage: str) -> Pair:
        return shrink_pair(case, lambda smaller: self.fails(smaller, seed, stage))

    def script(self, case: Any, seed: int, stage: str) -> str:
        quoted, other = (_quoted(t.rstrip()) for t in (case.text, case.other))
        return (
            f'"""Found by fuzzing (equal, seed {seed}), at: {stage}."""\n\n'
            "from vitrify.testing.fuzz import check_pair\n\n"
            f'ONE = """\\\n{quoted}\n"""\n'
            f'OTHER = """\\\n{other}\n"""  # by {", ".join(name for name, _ in case.steps)}\n\n\n'
            "def test_equal_functions_agree() -> None:\n"
            f'    assert check_pair(ONE, OTHER, {seed}) in ("equal", "refused")\n'
        )


def _quoted(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"""', '\\"\\"\\"')


class Models(_Texts):
    """Random models with a training step."""

    name = "models"
    checker = "check_model"

    def make(self, seed: int) -> str:
        return random_model(seed)

    def check(self, case: Any, seed: int, coverage: Coverage) -> str:
        return check_model(case, seed, coverage)


class Programs(Kind):
    """Random IR programs."""

    name = "programs"
    checker = "check_program"

    def make(self, seed: int) -> Case:
        return rich_program(seed)

    def check(self, case: Any, seed: int, coverage: Coverage) -> str:
        program, feeds, state = case
        check_program(program, feeds, state, coverage)
        return "equal"

    def shrink(self, case: Any, seed: int, stage: str) -> Case:
        return shrink_program(case, lambda *smaller: self.fails(smaller, seed, stage))

    def script(self, case: Any, seed: int, stage: str) -> str:
        program, feeds, state = case
        lines = [f"    {_spelled(a)}," for a in (*feeds, *state)]
        return (
            f'"""Found by fuzzing ({self.name}, seed {seed}), at: {stage}."""\n\n'
            "import numpy as np\n\nfrom vitrify.ir.parser import parse_program\n"
            f"from vitrify.testing.fuzz import {self.checker}\n\n"
            f'TEXT = """\\\n{print_program(program).rstrip()}\n"""\n'
            "ARRAYS = [\n" + "\n".join(lines) + "\n]\n\n\n"
            "def test_it_runs_alike_in_every_way() -> None:\n"
            f"    {self.checker}(parse_program(TEXT), ARRAYS[:{len(feeds)}], ARRAYS[{len(feeds)}:])\n"
        )


class Compositions(Programs):
    """Random compositions of element-wise operations; a case has many (compositions.py)."""

    name = "compositions"
    checker = "check_composition"

    def make(self, seed: int) -> Case:
        return composition(seed)

    def check(self, case: Any, seed: int, coverage: Coverage) -> str:
        program, feeds, state = case
        check_composition(program, feeds, state, coverage)
        return "equal"

    def shrink(self, case: Any, seed: int, stage: str) -> Case:
        program, feeds, state = case
        runs = [(program, given, state) for given in runs_of(program, feeds)]
        one = next((one for one in runs if self.fails(one, seed, stage)), None)
        return case if one is None else super().shrink(one, seed, stage)


class Files(Kind):
    """Damaged files."""

    name = "files"

    def make(self, seed: int) -> Damaged:
        return damaged_file(seed)

    def check(self, case: Any, seed: int, coverage: Coverage) -> str:
        return check_file(case, coverage)

    def shrink(self, case: Any, seed: int, stage: str) -> Damaged:
        return case  # type: ignore[no-any-return]  # it is an intact file with up to three changes

    def script(self, case: Any, seed: int, stage: str) -> str:
        return (
            f'"""Found by fuzzing (files, seed {seed}), at: {stage}."""\n\n'
            "from vitrify.testing.fuzz import check_file\nfrom vitrify.testing.fuzz.files import Damaged\n\n"
            f"CASE = Damaged({case.form!r}, {case.data!r}, {case.parts!r})\n\n\n"
            "def test_it_is_refused_or_runs_alike() -> None:\n"
            '    assert check_file(CASE) in ("equal", "refused")\n'
        )


def _spelled(array: Any) -> str:
    """An array as an expression that gives it again, to the bit."""
    if array.dtype.kind in "biu" and array.size <= 64:
        return f"np.array({array.tolist()}, np.{array.dtype.name}).reshape({array.shape})"
    data = np.ascontiguousarray(array).tobytes().hex()
    kind = f"np.dtype({array.dtype.name!r})"
    return f"np.frombuffer(bytes.fromhex({data!r}), {kind}).reshape({array.shape})"


KINDS: dict[str, Kind] = {
    kind.name: kind for kind in (Programs(), Functions(), Equal(), Models(), Files(), Compositions())
}


@dataclass
class Report:
    """What a session of fuzzing tried and found."""

    counts: Counter[tuple[str, str]] = field(default_factory=Counter)  # (kind, outcome)
    coverage: Coverage = field(default_factory=Coverage)
    found: list[tuple[str, int, str]] = field(default_factory=list)  # (kind, seed, message)
    scripts: list[Path] = field(default_factory=list)
    seconds: float = 0.0

    def __str__(self) -> str:
        rows = [[*key, count] for key, count in sorted(self.counts.items())]
        parts = [f"{self.seconds:.0f} seconds", table(["kind", "outcome", "cases"], rows, right=(2,)), self._coverage()]
        parts += [f"{kind}, seed {seed}: {message.splitlines()[0]}" for kind, seed, message in self.found]
        parts += [f"script: {path}" for path in self.scripts]
        return "\n\n".join(parts)

    def _coverage(self) -> str:
        met = self.coverage.ops
        pairs = {(name, dtype) for name, dtype, _ in self.coverage.operations}
        inside = {(name, place) for name, _, place in self.coverage.operations}
        never = sorted(set(OPS) - met)
        idle = [p.name for p in PASSES if p.name in self.coverage.passes and not self.coverage.passes[p.name]]
        idle += [p.name for p in PASSES if p.name not in self.coverage.passes]
        passes = ", ".join(f"{name} {count}" for name, count in sorted(self.coverage.passes.items()))
        constructs = ", ".join(f"{name} {n}" for name, n in self.coverage.constructs.most_common(40))
        refusals = "; ".join(f"{reason} … ({n})" for reason, n in self.coverage.refusals.most_common())
        return (
            f"ops met: {len(met)} of {len(OPS)}; pairs (op, dtype): {len(pairs)}; pairs (op, block): {len(inside)}\n"
            f"ops never met: {', '.join(never) or 'none'}\n"
            f"passes that changed a program: {passes or 'none'}\npasses that never did: {', '.join(idle) or 'none'}\n"
            f"constructs: {constructs or 'none'}\n"
            f"refused for: {refusals or 'nothing'}"
        )


def fuzz(
    kinds: Sequence[str] = tuple(KINDS), *, seed: int = 0, count: int | None = None, seconds: float | None = None,
    into: Path | None = None, shrink: bool = True, progress: bool = False,
) -> Report:  # fmt: skip
    """Try cases of these kinds in turn, from `seed` on, until `count` of each or `seconds` are through.

    into: a folder for the scripts of disagreements. shrink: make them small first (up to a minute or so each).
    progress: a bar on the terminal, where tqdm is installed.

    >>> fuzz(["programs"], seed=1, count=1).counts["programs", "equal"]
    1
    """
    report, start, number = Report(), time.monotonic(), 0
    most = count if count is not None or seconds is not None else 20
    bar = _bar(progress, None if most is None else most * len(kinds))
    while (most is None or number < most) and (seconds is None or time.monotonic() - start < seconds):
        for name in kinds:
            _try(KINDS[name], seed + number, report, into, shrink)
            if bar is not None:
                bar.set_postfix(found=len(report.found))
                bar.update()
        number += 1
    if bar is not None:
        bar.close()
    report.seconds = time.monotonic() - start
    return report


def _bar(wanted: bool, total: int | None) -> Any:
    if not wanted:
        return None
    try:
        from tqdm import tqdm
    except ImportError:
        print("no progress bar: tqdm isn't installed", file=sys.stderr)
        return None
    return tqdm(total=total, unit="case")


def _try(kind: Kind, seed: int, report: Report, into: Path | None, shrink: bool) -> None:
    case = kind.make(seed)
    try:
        report.counts[kind.name, kind.check(case, seed, report.coverage)] += 1
    except Disagreement as error:
        report.counts[kind.name, "disagreement"] += 1
        report.found.append((kind.name, seed, str(error)))
        if into is not None:
            small = kind.shrink(case, seed, error.stage) if shrink else case
            into.mkdir(parents=True, exist_ok=True)
            path = into / f"test_{kind.name}_{seed}.py"
            path.write_text(kind.script(small, seed, error.stage), encoding="utf-8")
            report.scripts.append(path)
