"""The page "looking inside": its example prints what it says, and the names in its table exist."""

from __future__ import annotations

import re
import runpy
from pathlib import Path

import pytest

import vitrify as vt

PAGE = (Path(__file__).parents[2] / "docs" / "looking-inside.md").read_text()
PROGRAM = re.search(r"^```python\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
PRINTED = re.search(r"^prints\n\n```\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)


def test_the_example_prints_what_the_page_says(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert PROGRAM is not None
    assert PRINTED is not None
    file = tmp_path / "grow.py"
    file.write_text(PROGRAM[1])
    runpy.run_path(str(file))
    assert capsys.readouterr().out.startswith(PRINTED[1])


def test_every_name_in_the_table_exists() -> None:
    fn = vt.to_static(lambda x: x * 2, input_spec=[vt.InputSpec([3])])
    names = set(re.findall(r"`fn\.(\w+)", PAGE))
    assert len(names) > 10
    assert [n for n in names if not hasattr(type(fn), n)] == []
