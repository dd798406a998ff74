"""`vitrify report`: a page of a function and of an artifact, with times on request; mistakes leave no file."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Cli = Callable[..., Any]


def parts_of(page: Path) -> list[dict[str, Any]]:
    """The programs in a page."""
    (found,) = re.findall(r'id="data">(.*?)</script>', page.read_text(encoding="utf-8"), re.DOTALL)
    return json.loads(found)["parts"]  # type: ignore[no-any-return]


@pytest.mark.parametrize("what", ["function", "artifact"])
def test_a_page_with_times(cli: Cli, module: Path, artifact: Path, tmp_path: Path, what: str) -> None:
    target = artifact if what == "artifact" else f"{module}:described"
    answer = cli("report", target, "--profile", "--json", "-o", tmp_path / "page.html")
    assert answer.code == 0, answer.err
    assert answer.json["output"] == str(tmp_path / "page.html")
    part = parts_of(tmp_path / "page.html")[0]
    assert {calls for _, calls, _ in part["profile"]["steps"]} == {5}
    assert any(name in ("tanh", "relu") for name, *_ in part["ops"])


def test_without_a_profile_there_are_no_times(cli: Cli, module: Path, tmp_path: Path) -> None:
    assert cli("report", f"{module}:described", "-o", tmp_path / "page.html").code == 0
    assert [part["profile"] for part in parts_of(tmp_path / "page.html")] == [None]


def test_a_page_that_cannot_be_written(cli: Cli, module: Path, tmp_path: Path) -> None:
    answer = cli("report", f"{module}:described", "-o", tmp_path / "missing" / "page.html")
    assert answer.code != 0
    assert "there is no folder" in answer.err
    assert "Traceback" not in answer.err
