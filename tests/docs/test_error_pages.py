"""The pages about errors: each wrong example raises what it says, each right one runs."""

from __future__ import annotations

import builtins
import linecache
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import vitrify as vt
from vitrify import errors
from vitrify.errors import CaptureError, VitrifyError

PAGES = Path(__file__).parents[2] / "docs" / "errors"
BLOCK = re.compile(r"^```python (wrong|right)([^\n]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def _blocks() -> Iterator[tuple[str, str, str, str]]:
    for page in sorted(PAGES.glob("*.md")):
        for number, found in enumerate(BLOCK.finditer(page.read_text())):
            yield f"{page.stem}-{number}", found[1], found[2].strip(), found[3]


BLOCKS = list(_blocks())


def _run(name: str, text: str) -> None:
    file = f"<{name}>"
    linecache.cache[file] = (len(text), None, text.splitlines(True), file)
    exec(compile(text, file, "exec"), {"vt": vt, "__name__": name})


@pytest.mark.parametrize(("name", "kind", "wanted", "text"), BLOCKS, ids=[b[0] for b in BLOCKS])
def test_example(name: str, kind: str, wanted: str, text: str) -> None:
    if kind == "right":
        _run(name, text)
        return
    class_name, _, message = wanted.partition(": ")
    expected: Any = getattr(errors, class_name, None) or getattr(builtins, class_name)
    with pytest.raises(expected, match=message) as caught:
        _run(name, text)
    assert type(caught.value) is expected
    if isinstance(caught.value, CaptureError):
        assert caught.value.remedy
        place = caught.value.loc or caught.value.raised_at
        assert place is not None
        assert place.text()
    elif isinstance(caught.value, VitrifyError):
        assert "-->" in str(caught.value)


def test_each_page_is_listed_and_has_both_kinds() -> None:
    index = (PAGES / "README.md").read_text()
    for page in sorted(PAGES.glob("*.md")):
        if page.stem != "README":
            assert f"({page.name})" in index
            kinds = [k for name, k, *_ in BLOCKS if name.startswith(f"{page.stem}-")]
            assert kinds[::2] == ["wrong"] * (len(kinds) // 2), page.name
            assert kinds[1::2] == ["right"] * (len(kinds) // 2), page.name
            assert kinds, page.name
            if page.stem != "python":
                assert hasattr(errors, page.stem)
