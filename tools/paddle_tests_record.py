"""A pytest plugin that writes each outcome at once: files that crash or run out of time tell what they had."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

WHOLE = "(file)"


def _write(name: str, outcome: str, message: str) -> None:
    with Path(os.environ["PADDLE_TESTS_RECORD"]).open("a", encoding="utf-8") as file:
        file.write(json.dumps([name, outcome, message]) + "\n")


def _message(report: Any) -> str:
    """The error's first line and the last places of its traceback."""
    crash = getattr(report.longrepr, "reprcrash", None)
    text = str(report.longrepr)
    places = [line for line in text.splitlines() if ".py:" in line and not line.startswith(("E ", " "))]
    ends = [line[1:].strip() for line in text.splitlines() if line.startswith("E ")]
    first = crash.message if crash is not None else ("\n".join(ends) if ends else text[-200:])
    return first + "\n" + " < ".join(places[:-4:-1])


def pytest_runtest_logreport(report: Any) -> None:
    """A test's call, and what went wrong before or after it."""
    if report.when == "call" or report.outcome != "passed":
        name = report.nodeid.partition("::")[2]
        _write(name, report.outcome, _message(report) if report.outcome == "failed" else _reason(report))


def _reason(report: Any) -> str:
    """Why a test is skipped."""
    return str(report.longrepr[2]) if isinstance(report.longrepr, tuple) else ""


def pytest_collectreport(report: Any) -> None:
    """A file that can't be imported."""
    if report.outcome == "failed":
        _write(WHOLE, "failed", _message(report))
