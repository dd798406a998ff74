"""A pytest plugin: refusals that tests expect of PaddlePaddle for reasons that don't hold here.

With PaddlePaddle it writes down what each expected error said (one line an expectation: test, number, message). With
vitrify an expected error that doesn't come is let pass where PaddlePaddle's words are among the rules of
`paddle_refusals.tsv`, or where PaddlePaddle wrote nothing down, as its test ends before (tests of programs in its
older form): the test goes on, and what fails behind it shows. If nothing does, it fails with `COMPUTED` and the words;
the tool leaves such tests out.
"""

from __future__ import annotations

import csv
import json
import os
import sys
import unittest.case
from collections.abc import Iterator
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path
from typing import Any

import pytest

REFUSALS = "PADDLE_TESTS_REFUSALS"
COMPUTED = "computed here, refused by PaddlePaddle"
NOT_REACHED = "an error that PaddlePaddle's run doesn't get to"
RULES = Path(__file__).resolve().parent / "paddle_refusals.tsv"

_counts: dict[str, int] = {}
_let_pass: list[str] = []


@cache
def rules() -> list[tuple[str, str]]:
    """Patterns of PaddlePaddle's messages, with reasons."""
    with RULES.open(encoding="utf-8", newline="") as file:
        return [(row[0], row[1]) for row in csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE)]


def is_left_out(message: str) -> bool:
    """Whether a rule says that PaddlePaddle's refusal is no failure of ours."""
    return any(fnmatchcase(message, pattern) for pattern, _ in rules())


def pytest_configure(config: Any) -> None:
    """Watch `assertRaises`."""
    context: Any = unittest.case._AssertRaisesContext  # type: ignore[attr-defined]
    leave, ours = context.__exit__, "vitrify" in sys.modules

    def noting(self: Any, kind: Any, error: Any, traceback: Any) -> Any:
        test = os.environ.get("PYTEST_CURRENT_TEST", "").rpartition(" ")[0].partition("::")[2]
        number = _counts[test] = _counts.get(test, 0) + 1
        if not ours and error is not None:
            with Path(os.environ[REFUSALS]).open("a", encoding="utf-8") as file:
                file.write(json.dumps([test, number, " ".join(str(error).split())]) + "\n")
        told = _told().get((test, number), _nothing()) if ours and error is None else None
        if told is None or not (told == NOT_REACHED or is_left_out(told)):
            return leave(self, kind, error, traceback)
        _let_pass.append(told)
        self.exception = self.expected() if isinstance(self.expected, type) else AssertionError(told)
        return True

    context.__exit__ = noting


@cache
def _told() -> dict[tuple[str, int], str]:
    path = Path(os.environ[REFUSALS])
    lines = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    return {(test, number): message for test, number, message in map(json.loads, lines)}


def _nothing() -> str | None:
    """What stands for words that PaddlePaddle didn't write down: nothing where it didn't run at all."""
    return NOT_REACHED if Path(os.environ[REFUSALS]).exists() else None


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_call(item: Any) -> Iterator[None]:
    """A test that passes but for refusals says so."""
    _let_pass.clear()
    outcome: Any = yield
    outcome.get_result()
    if _let_pass:
        raise AssertionError(f"{COMPUTED}: {_let_pass[0]}")
