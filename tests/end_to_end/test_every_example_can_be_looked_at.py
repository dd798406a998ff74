"""Every tool takes the programs whose dumps are kept, examples/ among them: reported, drawn, costed, verified."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import vitrify as vt

from ..golden import examples
from .test_every_program_can_be_looked_at import feeds_of

# Verified are those that take less than half a second; loops like theirs are in the file beside.
VERIFIED = ("growing_list", "halve", "positive_part", "softmax_rows")


@pytest.mark.parametrize("name", examples.CAPTURED)
def test_an_example(name: str, tmp_path: Path) -> None:
    fn = examples.captured(name)
    program = fn.program
    assert str(fn.cost()) and fn.explain()
    assert Path(vt.report(program, tmp_path / "page.html")).stat().st_size > 10_000
    assert str(vt.draw(fn)).startswith("<svg")


@pytest.mark.parametrize("name", VERIFIED)
def test_an_example_after_each_pass(name: str) -> None:
    program = examples.captured(name).program
    feeds = [x if x.ndim else np.maximum(x, 1) for x in feeds_of(program)]  # no list stays empty
    found = vt.jit.verify_program(program, feeds)
    assert found, str(found)


def test_a_static_network(tmp_path: Path) -> None:
    program = examples.static_network()
    assert Path(vt.report(program, tmp_path / "page.html")).stat().st_size > 10_000
    assert str(vt.draw(program)).startswith("<svg")
