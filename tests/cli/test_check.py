"""`vitrify check`: names here, different and absent, with files and lines."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from vitrify.cli.outcome import Exit

Cli = Callable[..., Any]


def _project(folder: Path, **files: str) -> Path:
    for name, text in files.items():
        (folder / f"{name}.py").write_text(text)
    return folder


def test_each_state_with_its_lines(cli: Cli, tmp_path: Path) -> None:
    one = "import paddle\nnet = paddle.nn.Linear(2, 3)\npaddle.DataParallel(net)\n" + "paddle.nn.Linaer(2)\n" * 5
    found = cli("check", _project(tmp_path, one=one, two="from paddle import float8_e4m3fn\n"))
    assert found.code == Exit.FOUND
    assert f"absent    paddle.nn.Linaer nearest: paddle.nn.Linear\n          {tmp_path}/one.py:4" in found.out
    assert "absent    paddle.float8_e4m3fn (8-bit floats are for GPUs)" in found.out and "and 2 more" in found.out
    assert "different paddle.DataParallel (ranks are" in found.out and f"{tmp_path}/one.py:3" in found.out
    assert "4 names of PaddlePaddle in 2 files: 1 here, 1 different, 2 absent" in found.out
    assert "one.py:8" in cli("check", tmp_path, "--all-lines").out
    data = cli("check", tmp_path, "--json").json
    assert data["counts"] == {"absent": 2, "different": 1, "here": 1} and data["files"] == 2
    entry = next(entry for entry in data["names"] if entry["name"] == "paddle.nn.Linaer")
    assert [place["line"] for place in entry["places"]] == [4, 5, 6, 7, 8] and entry["nearest"] == "paddle.nn.Linear"


def test_a_project_that_needs_nothing_else(cli: Cli, tmp_path: Path) -> None:
    tried = "try:\n    from paddle import nothing\nexcept ImportError:\n    pass\nimport paddle\npaddle.ones([2])\n"
    found = cli("check", _project(tmp_path, one=tried) / "one.py")
    assert (found.code, found.err) == (Exit.DONE, "")
    assert "absent    paddle.nothing" in found.out and "(only tried)" in found.out


def test_files_that_cannot_be_read(cli: Cli, tmp_path: Path) -> None:
    found = cli("check", _project(tmp_path, two="print 'python 2'\n"))
    assert found.code == Exit.FOUND and f"not read  {tmp_path}/two.py: SyntaxError" in found.out
    wrong = cli("check", tmp_path / "none")
    assert wrong.code == Exit.TARGET and "there is no" in wrong.err
