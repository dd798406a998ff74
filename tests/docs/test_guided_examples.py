"""The examples of the pages that guide through a task run as they stand, one page after the other as one program each."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from vitrify.jit.own_ops import _own, unregister_op

DOCS = Path(__file__).parents[2] / "docs"
PAGES = ("debugging", "extending", "getting-started", "porting-paddle", "porting-pytorch", "../README")
_BLOCK = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)


@pytest.mark.parametrize("page", PAGES)
def test_examples_run(page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    blocks = _BLOCK.findall((DOCS / f"{page}.md").read_text())
    assert blocks
    space: dict[str, Any] = {"__name__": "example"}
    try:
        for k, block in enumerate(blocks):
            file = tmp_path / f"{Path(page).name}_{k}.py"  # captured functions need their source
            file.write_text(block)
            exec(compile(block, str(file), "exec", dont_inherit=True), space)
    finally:
        for name in list(_own):
            unregister_op(name)
