"""Golden text of the passes: tests/passes/cases/*.ir, program before and after."""

from __future__ import annotations

from pathlib import Path

import pytest

from vitrify.passes.pipelines import PASSES
from vitrify.testing.cases import check_case

CASES = sorted((Path(__file__).parent / "cases").glob("*.ir"))
STEPS = {item.name: item().run for item in PASSES}


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_case(path: Path, pytestconfig: pytest.Config) -> None:
    check_case(path, STEPS, update=pytestconfig.getoption("--update-golden"))
