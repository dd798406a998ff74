"""Run ONNX's backend node tests on our reader: print what passes, fails and is refused; with --write, docs/onnx.md."""

from __future__ import annotations

import argparse
from collections import Counter, defaultdict
from collections.abc import Sequence
from pathlib import Path

from vitrify.base.table import table
from vitrify.interchange.emit import exported
from vitrify.interchange.onnx_package import onnx_module
from vitrify.interchange.read import ROWS
from vitrify.testing.onnx_cases import Outcome, run_all

PAGE = Path(__file__).resolve().parent.parent / "docs" / "onnx.md"
WIDTH = 118


def wrapped(names: Sequence[str]) -> str:
    """Names in lines of the documents' width."""
    lines, line = [], ""
    for name in names:
        piece = f"{name}, "
        if len(line) + len(piece) > WIDTH:
            lines.append(line.rstrip())
            line = ""
        line += piece
    return "\n".join([*lines, line.rstrip(" ,")])


def reasons(outcomes: Sequence[Outcome], status: str) -> list[tuple[int, str, str]]:
    """(how many cases, one of them, why) for each reason of a status, the most frequent first."""
    found: dict[str, list[str]] = defaultdict(list)
    for outcome in outcomes:
        if outcome.status == status:
            found[outcome.reason.split(" Mismatch")[0][:90].replace("|", "/")].append(outcome.name)
    return sorted(((len(names), names[0], why) for why, names in found.items()), key=lambda row: (-row[0], row[1]))


def page(outcomes: Sequence[Outcome]) -> str:
    """docs/onnx.md."""
    counts = Counter(o.status for o in outcomes)
    fixed = sum(bool(o.fixed) and o.status == "passed" for o in outcomes)
    source = (
        f"The node tests of onnx {onnx_module().__version__} (`onnx.backend.test`), read by `vt.onnx.load` and run by\n"
        "the reference interpreter, at the tolerance that each test states (1e-3 relative, 1e-7 absolute; for\n"
        "bfloat16 two units in the last place, 2**-6, where the test asks for less):"
    )
    given = (
        f"{fixed} of those that passed take axes, shapes or scales as inputs; they were given while loading\n"
        "(`constants=`), as a model's own constants are."
    )
    further = (
        "In their versions of opset 7 to 28. Further ones that ONNX defines by others (Attention, RotaryEmbedding, …)\n"
        "are read by that definition."
    )
    parts = [
        "# ONNX: what is read and written",
        "Written by `make onnx-conformance ARGS=--write`; the guide is [interchange](guide/interchange.md).",
        "## Conformance",
        source,
        f"* passed: {counts['passed']}\n* failed: {counts['failed']}\n* refused: {counts['refused']}",
        given,
        "### Failed",
        "| cases | one of them | what |\n|--:|---|---|\n" + _rows(reasons(outcomes, "failed")),
        "### Refused",
        "| cases | one of them | why |\n|--:|---|---|\n" + _rows(reasons(outcomes, "refused")),
        f"## Operators that are read: {len(ROWS)}",
        further,
        wrapped(sorted(ROWS)),
        f"## Ops that are written: {len(exported())}",
        wrapped(exported()),
    ]
    return "\n\n".join(parts) + "\n"


def _rows(found: Sequence[tuple[int, str, str]]) -> str:
    return "\n".join(f"| {count} | {name} | {why} |" for count, name, why in found)


def main() -> None:
    """Print the counts; with --write, write the page."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--write", action="store_true", help="write docs/onnx.md")
    options = parser.parse_args()
    outcomes = list(run_all())
    counts = Counter(o.status for o in outcomes)
    for status in ("failed", "refused"):
        print(table(["cases", status, "why"], reasons(outcomes, status), right=[0]), end="\n\n")
    print(", ".join(f"{status}: {counts[status]}" for status in ("passed", "failed", "refused")))
    if options.write:
        PAGE.write_text(page(outcomes))


if __name__ == "__main__":
    main()
