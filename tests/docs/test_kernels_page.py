"""The page "From a line to instructions": its program prints what the page says at each stage."""

from __future__ import annotations

import re
import runpy
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "guide" / "kernels.md").read_text()
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def test_each_stage_is_as_the_page_says(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    blocks = [(found[1], found[2]) for found in BLOCK.finditer(PAGE)]
    (program,) = (text for kind, text in blocks if kind == "python")
    stages = [text for kind, text in blocks if kind in ("ir", "kernel")]
    file = tmp_path / "scores.py"
    file.write_text(program)
    names = runpy.run_path(str(file))
    assert capsys.readouterr().out == "\n".join(stages) + "\n"
    kernel = names["kernel"]
    assert "define void @kernel" in kernel.llvm()
    assert "kernel:" in kernel.assembly()


def test_its_files_exist() -> None:
    table = PAGE[PAGE.index("## The tree") :]
    for name in re.findall(r"`([\w/]+\.py)", table):
        folders = (ROOT, ROOT / "runtime", ROOT / "runtime" / "kernel")
        assert any((folder / name).exists() for folder in folders), name
