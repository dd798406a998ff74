"""The reference pages are up to date, and say of each of PaddlePaddle's names whether it is here, and why not."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from fnmatch import fnmatchcase
from pathlib import Path
from types import ModuleType

import pytest

TOOLS = Path(__file__).resolve().parents[2] / "tools"


@pytest.fixture(scope="module")
def reference(load_file: Callable[[Path], ModuleType]) -> ModuleType:
    return load_file(TOOLS / "reference.py")


@pytest.fixture(scope="module")
def coverage(reference: ModuleType) -> ModuleType:
    found: ModuleType = reference.coverage_table
    return found


def test_the_pages_are_up_to_date() -> None:
    told = subprocess.run([sys.executable, TOOLS / "reference.py", "--check"], capture_output=True, text=True)
    assert told.stdout.strip() == "up to date", "run `make reference` and commit what it writes"


def test_the_pages_hold_nothing_of_this_machine(reference: ModuleType) -> None:
    assert [n for n, text in reference.pages().items() if " at 0x" in text or str(TOOLS.parent) in text] == []


def test_most_of_the_frequent_names_are_here(coverage: ModuleType) -> None:
    frequent = [entry.name for entry in coverage.names() if entry.uses is not None][:400]
    absent = [name for name in frequent if coverage.state_of(name)[0] == "absent"]
    assert len(frequent) == 400
    assert len(absent) <= 20, absent


def test_every_absent_name_has_a_reason(coverage: ModuleType) -> None:
    states = {entry.name: coverage.state_of(entry.name) for entry in coverage.names()}
    assert [name for name, (state, reason) in states.items() if state == "absent" and not reason] == []


def test_no_reason_is_out_of_date(coverage: ModuleType) -> None:
    """Each reason is about names that are in the state it explains."""
    for said in coverage.differences():
        fitting = [entry.name for entry in coverage.names() if fnmatchcase(entry.name, said.pattern)]
        wanted = [name for name in fitting if coverage.is_present(name) == (said.state == "different")]
        assert wanted, f"{said.pattern} explains nothing: its names are {'here' if fitting else 'unknown'}"
        assert "*" in said.pattern or wanted == fitting, said.pattern


def test_a_row_is_described_by_its_table_entry(reference: ModuleType) -> None:
    import vitrify as vt

    text = reference.entry("vt.tanh", vt.tanh)
    assert text.startswith("### `vt.tanh(x)`")
    assert "has gradients; a kernel in compiled programs" in text


def test_examples_become_code_blocks(reference: ModuleType) -> None:
    text = reference.markdown("First.\n\n>>> f(1)\n2\n\nLast.")
    assert text == "First.\n\n```python\n>>> f(1)\n2\n```\n\nLast.\n"
