"""Every example has a report: each program, and its gradient, in every view's data."""

from __future__ import annotations

import json
from typing import Any

import pytest

from vitrify.runtime.observe.subject import Part, Subject
from vitrify.viz.page.data import page_data
from vitrify.viz.report import json_for_html, page_text

from .test_golden_dumps import FUNCTIONS, STEPS, programs


@pytest.mark.parametrize("name", [*FUNCTIONS, *STEPS, "static_network"])
def test_each_example_can_be_reported(name: str) -> None:
    subject = Subject(name, "program", tuple(Part(title, program) for title, program in programs(name).items()))
    data: dict[str, Any] = page_data(subject)
    assert data["summary"]["steps"] == sum(len(part["steps"]) for part in data["parts"]) > 0
    for part in data["parts"]:
        assert part["folded"][""]["boxes"], "a picture that can be read"
        assert all(step["title"] for step in part["steps"] if step["kind"] in ("kernel", "gemm"))
    assert json.loads(json_for_html(data)) == json.loads(json.dumps(data))
    assert page_text(subject).startswith("<!doctype html>")
