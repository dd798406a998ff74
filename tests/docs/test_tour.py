"""docs/tour.md holds what its code prints and draws now, and its pictures are there."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
_spec = importlib.util.spec_from_file_location("vitrify_tools_tour", ROOT / "tools" / "tour.py")
assert _spec is not None
assert _spec.loader is not None
tool = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(tool)


def test_the_tour_is_up_to_date() -> None:
    page = tool.PAGE.read_text(encoding="utf-8")
    made, files = tool.tour(page)
    assert made == page, "run `make tour`"
    for name, data in files.items():
        if name != "report.html":
            assert (tool.PICTURES / name).read_bytes() == data, f"{name}: run `make tour`"


def test_its_pictures_are_there_and_small() -> None:
    named = re.findall(r"!\[[^]]+\]\(([^)]+)\)", tool.PAGE.read_text(encoding="utf-8"))
    assert len(named) == 3
    for name in named:
        assert 0 < (ROOT / "docs" / name).stat().st_size <= 200_000


def test_it_fills_in_cuts_and_hides_times() -> None:
    page = "```python\nprint(1)\nprint('took 1.25 ms')\nprint(3)\n```\n\n```text 2\nold\n```\n"
    made, _ = tool.tour(page)
    assert made.endswith("```text 2\n1\ntook    … ms\n…\n```\n")
