"""The examples of the guide and of the pages about a task run as they stand, each page as one program."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import vitrify as vt
from vitrify.jit.custom_ops import unregister_op
from vitrify.ops.op import OWN_OPS

DOCS = Path(__file__).parents[2] / "docs"
GUIDE = sorted((DOCS / "guide").glob("*.md"))
_BLOCK = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)
TASKS = (
    "compile",
    "constructs",
    "debugging",
    "deploy",
    "extending",
    "getting-started",
    "porting-paddle",
    "porting-pytorch",
    "types",
    "tutorials/pass",
    "tutorials/pylayer",
    "../README",
)
PAGES = (*TASKS, *(f"guide/{file.stem}" for file in GUIDE if _BLOCK.search(file.read_text())))


@pytest.mark.parametrize("page", PAGES)
def test_examples_run(page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if page == "guide/interchange":
        pytest.importorskip("onnx", reason="onnx isn't installed")
    if page == "deploy":
        pytest.importorskip("ziglang", reason="ziglang isn't installed")
    monkeypatch.chdir(tmp_path)
    blocks = _BLOCK.findall((DOCS / f"{page}.md").read_text())
    assert blocks
    space: dict[str, Any] = {"__name__": "example"}
    try:
        with (  # the default ones stay empty
            vt.utils.unique_name.guard(),
            vt.static.scope_guard(vt.static.Scope()),
            vt.static.program_guard(vt.static.Program(), vt.static.Program()),
        ):
            for k, block in enumerate(blocks):
                file = tmp_path / f"{Path(page).name}_{k}.py"  # captured functions need their source
                file.write_text(block)
                exec(compile(block, str(file), "exec", dont_inherit=True), space)
    finally:
        vt.disable_static()
        for name in list(OWN_OPS):
            unregister_op(name)


def test_the_readme_prints_what_it_says(tmp_path: Path) -> None:
    """In a folder of its own, as a reader does it: `python collapse.py`."""
    text = (DOCS / "../README.md").read_text()
    block, printed = _BLOCK.findall(text)[0], re.findall(r"^```text\n(.*?)^```", text, re.MULTILINE | re.DOTALL)[0]
    (tmp_path / "collapse.py").write_text(block)
    done = subprocess.run([sys.executable, "collapse.py"], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout.rstrip() == printed.rstrip()
