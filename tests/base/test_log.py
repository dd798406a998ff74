"""The log: topics, lines, and silence."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify.base.errors import ArgumentError
from vitrify.base.log import TOPICS, log, set_log, wanted


@pytest.fixture(autouse=True)
def _quiet() -> Iterator[None]:
    before = ",".join(wanted)
    yield
    set_log(before)


def called() -> Any:
    """A function that is traced twice: for one size, then for any."""
    fn = vt.to_static(lambda x: (vt.tanh(x) * 2).sum())
    fn(vt.to_tensor(np.zeros(3, "float32")))
    fn(vt.to_tensor(np.zeros(4, "float32")))
    return fn


def test_each_topic_tells_of_its_own(capsys: pytest.CaptureFixture[str]) -> None:
    words = {
        "capture": "operations from",
        "guards": "its size became a symbol",
        "passes": "fuse: ",
        "compile": "kernels; passes",
        "cache": "from disk",
    }
    for topic in TOPICS:
        set_log(topic)
        called()
        lines = capsys.readouterr().err.splitlines()
        assert lines
        assert all(line.startswith("[vitrify ") and f" s {topic}] " in line for line in lines)
        assert any(words[topic] in line for line in lines)


def test_nothing_is_told_unasked(capsys: pytest.CaptureFixture[str]) -> None:
    set_log("")
    called()
    log("capture", "unheard")
    assert capsys.readouterr().err == ""


def test_topics_are_checked() -> None:
    set_log("all")
    assert wanted == set(TOPICS)
    set_log(" guards , cache")
    assert wanted == {"guards", "cache"}
    with pytest.raises(ArgumentError, match="no topic 'gards'"):
        set_log("gards")
    assert wanted == {"guards", "cache"}


def run_with(tmp_path: Path, **switches: str) -> subprocess.CompletedProcess[str]:
    script = tmp_path / "script.py"
    script.write_text("import vitrify as vt\nfn = vt.to_static(lambda x: vt.exp(x) + 1)\nfn(vt.ones([3]))\n")
    environment = {**os.environ, **switches}
    return subprocess.run([sys.executable, str(script)], capture_output=True, text=True, env=environment, check=True)


def test_the_environment_switches_topics_on_and_dumps_stages(tmp_path: Path) -> None:
    made = run_with(tmp_path, VITRIFY_LOG="capture,passes", VITRIFY_DUMP=str(tmp_path / "dumps"))
    assert " s capture] " in made.stderr
    assert " s passes] " in made.stderr
    assert " s cache] " not in made.stderr
    dumps = sorted(p.name for p in (tmp_path / "dumps").iterdir())
    assert any("after-fuse" in name for name in dumps)
    assert [int(name[:3]) for name in dumps] == list(range(len(dumps)))


def test_a_misspelt_switch_says_so_and_stops_nothing(tmp_path: Path) -> None:
    made = run_with(tmp_path, VITRIFY_LOG="captures")
    assert "VITRIFY_LOG names no topic 'captures'" in made.stderr
    assert "capture, guards" in made.stderr
