"""Run the tests on every supported Python with the oldest and the newest libraries, and count what ran and what didn't.

    python tools/matrix.py                      # all tests, six combinations (noxfile.py)
    python tools/matrix.py tests/ir tests/jit   # these only
    python tools/matrix.py --python 3.13 --libraries lowest
    python tools/matrix.py --reuse              # with the environments of the last run
    python tools/matrix.py --need-all           # an interpreter that is absent is a failure (for CI)

An interpreter that isn't there is named and counted as not run, never as passed. Needs nox (`pip install '.[matrix]'`).
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from vitrify.base.table import table

ROOT = Path(__file__).resolve().parent.parent
PYTHONS = ("3.11", "3.12", "3.13")
LIBRARIES = ("lowest", "newest")
SUMMARY = re.compile(r"^[= ]*((?:\d+ (?:passed|failed|skipped|errors?|xfailed|deselected|warnings?)(?:, )?)+)", re.M)


@dataclass(frozen=True)
class Outcome:
    """What one combination came to. status: passed, failed or not run."""

    python: str
    libraries: str
    status: str
    versions: str = ""
    told: str = ""  # pytest's counts, or the reason

    @property
    def row(self) -> list[str]:
        return [self.python, self.libraries, self.versions or "–", self.status, self.told]


def interpreter(version: str) -> Path | None:
    """A Python of this version that starts: on PATH, or in pyenv's folder."""
    places = [shutil.which(f"python{version}"), *_pyenv(version)]
    for place in filter(None, places):
        code = "import sys; print('%d.%d' % sys.version_info[:2])"
        try:
            done = subprocess.run([place, "-c", code], capture_output=True, text=True, timeout=60)
        except OSError:
            continue
        if done.returncode == 0 and done.stdout.strip() == version:
            return Path(place)
    return None


def _pyenv(version: str) -> Iterator[str]:
    root = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    yield from sorted((str(p) for p in root.glob(f"{version}.*/bin/python{version}")), reverse=True)


def combination(python: str, libraries: str, tests: Sequence[str], *, reuse: bool = False) -> Outcome:
    """Install and run one; the output goes through as it comes."""
    found = interpreter(python)
    if found is None:
        return Outcome(python, libraries, "not run", told=f"there is no python{python} here")
    environment = os.environ | {"PATH": f"{found.parent}{os.pathsep}{os.environ['PATH']}"}
    options = ["-R"] if reuse else []  # nox: reuse environments, install nothing
    session = f"tests-{python}(libraries='{libraries}')"
    command = [sys.executable, "-m", "nox", *options, "--session", session, "--", *tests]
    with subprocess.Popen(
        command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as process:
        assert process.stdout is not None
        lines = []
        for line in process.stdout:
            print(line, end="", flush=True)
            lines.append(line)
    return judged(python, libraries, process.returncode, "".join(lines))


def judged(python: str, libraries: str, code: int, output: str) -> Outcome:
    """Passed only where the exit status is 0 and pytest says that tests passed."""
    versions = next(iter(re.findall(r"^numpy \S+ numba \S+$", output, re.M)), "")
    counts = SUMMARY.findall(output)
    told = counts[-1].strip(" ,") if counts else "no count of tests"
    passed = code == 0 and "passed" in told
    return Outcome(python, libraries, "passed" if passed else "failed", versions, told)


def verdict(outcomes: Sequence[Outcome], *, need_all: bool) -> int:
    """The exit status: 1 where something failed, nothing passed, or (need_all) something didn't run."""
    counts = Counter(o.status for o in outcomes)
    return int(bool(counts["failed"]) or not counts["passed"] or (need_all and bool(counts["not run"])))


def main(arguments: Sequence[str] | None = None) -> int:
    """Run, then print the table and the counts."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tests", nargs="*", help="paths for pytest; all, without")
    parser.add_argument("--python", action="append", choices=PYTHONS, help="may be repeated")
    parser.add_argument("--libraries", action="append", choices=LIBRARIES, help="may be repeated")
    parser.add_argument("--reuse", action="store_true", help="take the environments of the last run as they are")
    parser.add_argument("--need-all", action="store_true", help="fail where an interpreter is absent")
    given = parser.parse_args(arguments)
    outcomes = [
        combination(python, libraries, given.tests, reuse=given.reuse)
        for python in given.python or PYTHONS
        for libraries in given.libraries or LIBRARIES
    ]
    print(table(["Python", "libraries", "versions", "result", "tests"], [o.row for o in outcomes]))
    counts = Counter(o.status for o in outcomes)
    print(", ".join(f"{counts[status]} {status}" for status in ("passed", "failed", "not run")))
    return verdict(outcomes, need_all=given.need_all)


if __name__ == "__main__":
    sys.exit(main())
