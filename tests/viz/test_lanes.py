"""The page of lanes: one lane for each rank, of timed runs and forecasts, without scripts."""

from __future__ import annotations

from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

import vitrify as vt
from vitrify import distributed as dist


class _Texts(HTMLParser):
    """The texts of a page, and the names of its elements."""

    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = []
        self.names: list[str] = []

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self.names.append(tag)

    def handle_data(self, data: str) -> None:
        self.texts.append(data)


def read(path: str) -> _Texts:
    page = _Texts()
    page.feed(Path(path).read_text(encoding="utf-8"))
    return page


def test_a_timed_run_has_a_lane_for_each_rank(tmp_path: Path) -> None:
    lanes = dist.run_timed(lambda: dist.all_reduce(vt.ones([1000])), ranks=3, network="10GbE")
    page = read(vt.report(lanes, tmp_path / "<lanes>.html"))
    for rank in range(3):
        assert page.texts.count(f"rank {rank}") >= 2  # in the picture and in the table
    assert "all_reduce" in page.texts and "4,000" in page.texts
    assert page.names.count("rect") > 6 and "script" not in page.names


def test_a_forecast_has_the_lanes_of_its_ranks(tmp_path: Path) -> None:
    def make() -> Any:
        net = vt.DataParallel(vt.nn.Linear(8, 8))
        return lambda: net(vt.ones([2, 8])).mean().backward()

    page = read(vt.report(dist.simulate(make, ranks=4, calls=1), tmp_path / "lanes.html"))
    assert "rank 0" in page.texts and any("predicted for 10GbE" in text for text in page.texts)


def test_other_objects_are_refused(tmp_path: Path) -> None:
    with pytest.raises(TypeError, match="report can't show a int"):
        vt.report(3, tmp_path / "x.html")
