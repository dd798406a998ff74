"""Whether the tests notice deliberate faults: each one of mutations.toml, in turn, in a copy of the tree.

    python tools/mutation.py                    # all of them, about half an hour on two cores
    python tools/mutation.py --only cse         # those whose name or area contains a text
    python tools/mutation.py --write FILE       # the result as a Markdown table, too
    python tools/mutation.py --table FILE --whole   # faults of another table, against all tests: an hour or more

A fault is caught when a test named for it fails. Where its tests can't run (no tests, a broken copy), that is an error.
With --whole, all tests follow those named for a fault, until the first that fails: those of the folder that mirrors the
fault's, then the rest. A table for --whole needs no `tests`.
"""

from __future__ import annotations

import argparse
import os
import shlex
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
TABLE = ROOT / "tools" / "mutations.toml"
LEFT_OUT = (
    ".git",
    ".venv",
    ".typeview",
    "__pycache__",
    ".mypy_cache",
    ".ruff_cache",
    ".pytest_cache",
    ".hypothesis",
    "out",
)
PARALLEL = "--numprocesses auto --dist worksteal"
TABLES = "--ignore=tests/tools/test_mutation.py"  # it looks for the text of every fault: each would count as caught
# Imports `vitrify` from the copy, whatever is installed: run by every interpreter whose path holds it.
HOOK = """\
import importlib.util
import sys
from pathlib import Path

ROOT = Path({root!r})


class Copy:
    @staticmethod
    def find_spec(name, path=None, target=None):
        if name == "vitrify":
            folder = ROOT / "facade"
        elif name.startswith("vitrify.") and name.count(".") == 1:
            folder = ROOT / name.partition(".")[2]
        else:
            return None
        if not (folder / "__init__.py").is_file():
            return None
        return importlib.util.spec_from_file_location(
            name, folder / "__init__.py", submodule_search_locations=[str(folder)]
        )


sys.meta_path.insert(0, Copy)
"""


@dataclass(frozen=True)
class Fault:
    """One deliberate fault, and the tests that have to notice it."""

    name: str
    area: str
    file: str
    old: str
    new: str
    tests: list[str] = field(default_factory=list)

    def all_tests(self) -> list[str]:
        """Arguments of pytest that run every test, the likeliest first."""
        near = f"tests/{Path(self.file).parts[0]}"
        first = [f"{near} {PARALLEL}"] if (ROOT / near).is_dir() else []
        rest = f"tests --ignore={near} {TABLES}" if first else f"tests {TABLES}"
        return [*self.tests, *first, f"{rest} {PARALLEL}"]

    def applied(self, text: str) -> str:
        """The file's text with the fault. ValueError unless `old` occurs exactly once."""
        count = text.count(self.old)
        if count != 1:
            raise ValueError(f"{self.name}: its text occurs {count} times in {self.file}")
        return text.replace(self.old, self.new)


def faults(only: str = "", path: Path = TABLE) -> list[Fault]:
    """The faults of a table whose name contains a text, or whose area it is."""
    table = tomllib.loads(path.read_text(encoding="utf-8"))["fault"]
    return [f for f in (Fault(**entry) for entry in table) if only in f.name or only == f.area]


def make_copy(folder: Path) -> dict[str, str]:
    """Copy the tree into a folder; the environment in which its tests run."""
    shutil.copytree(ROOT, folder / "tree", ignore=shutil.ignore_patterns(*LEFT_OUT), symlinks=True)
    hook = folder / "hook"
    hook.mkdir()
    (hook / "sitecustomize.py").write_text(HOOK.format(root=str(folder / "tree")), encoding="utf-8")
    path = os.pathsep.join(filter(None, [str(hook), os.environ.get("PYTHONPATH")]))
    return os.environ | {"PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1"}


def outcome(
    fault: Fault, tree: Path, environment: dict[str, str], limit: float, *, whole: bool = False
) -> tuple[str, str]:
    """("caught", the failed test), ("missed", "") or ("error", why) for one fault; the copy is mended afterwards."""
    file = tree / fault.file
    text = file.read_text(encoding="utf-8")
    file.write_text(fault.applied(text), encoding="utf-8")
    try:
        for tests in fault.all_tests() if whole else fault.tests:
            found = _run(tests, tree, environment, limit)
            if found is not None:
                return found
        return "missed", ""
    finally:
        file.write_text(text, encoding="utf-8")


def _run(tests: str, tree: Path, environment: dict[str, str], limit: float) -> tuple[str, str] | None:
    command = [sys.executable, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", *shlex.split(tests)]
    try:
        done = subprocess.run(command, cwd=tree, env=environment, capture_output=True, text=True, timeout=limit)
    except subprocess.TimeoutExpired:
        return "caught", f"{tests}: no end after {limit:.0f} seconds"
    if done.returncode == 0:
        return None
    lines = [line for line in done.stdout.splitlines() if line.startswith(("FAILED ", "ERROR "))]
    if done.returncode < 0:
        return "caught", f"{tests}: ended by signal {-done.returncode}"
    if done.returncode != 1 and not any("::" in line for line in lines):
        return "error", (done.stdout + done.stderr).strip().splitlines()[-1]
    return "caught", lines[0].split(" - ")[0].partition(" ")[2] if lines else tests


def report(results: list[tuple[Fault, str, str, float]]) -> str:
    """A Markdown table of the faults and what noticed them."""
    caught = sum(result == "caught" for _, result, _, _ in results)
    rows = [f"| {f.area} | {f.name} | {result} | {where} |" for f, result, where, _ in results]
    head = ["| area | fault | result | by |", "|---|---|---|---|"]
    return "\n".join([f"{caught} of {len(results)} faults caught.", "", *head, *rows]) + "\n"


def main() -> int:
    """The command line; 1 unless every fault was caught."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", help="a text in the fault's name, or an area")
    parser.add_argument("--limit", type=float, help="seconds for one run of tests; 300, or 3600 with --whole")
    parser.add_argument("--table", type=Path, default=TABLE, help="a table of faults in the form of mutations.toml")
    parser.add_argument("--whole", action="store_true", help="run all tests, until the first that fails")
    parser.add_argument("--write", type=Path, help="write the table to this file")
    given = parser.parse_args()
    limit = given.limit or (3600.0 if given.whole else 300.0)
    results: list[tuple[Fault, str, str, float]] = []
    with tempfile.TemporaryDirectory(prefix="vitrify-mutation-") as name:
        environment = make_copy(Path(name))
        for fault in faults(given.only, given.table):
            start = time.monotonic()
            result, where = outcome(fault, Path(name) / "tree", environment, limit, whole=given.whole)
            results.append((fault, result, where, time.monotonic() - start))
            print(f"{result:7} {results[-1][3]:5.0f} s  {fault.name}  {where}", flush=True)
            if given.write is not None:
                given.write.write_text(report(results), encoding="utf-8")
    print(report(results).splitlines()[0])
    return 0 if all(result == "caught" for _, result, _, _ in results) else 1


if __name__ == "__main__":
    sys.exit(main())
