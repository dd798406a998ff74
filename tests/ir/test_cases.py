"""Golden text of the parser, the printer and the verifier."""

from __future__ import annotations

from pathlib import Path

import pytest

from vitrify.ir.verifier import verify
from vitrify.testing.cases import check_case, read_case, run_case

CASES = sorted((Path(__file__).parent / "cases").glob("*.ir"))
STEPS = {"parse": lambda program: None, "verify": verify}


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_case(path: Path, pytestconfig: pytest.Config) -> None:
    check_case(path, STEPS, update=pytestconfig.getoption("--update-golden"))


def test_a_wrong_expectation_is_found(tmp_path: Path) -> None:
    path = tmp_path / "wrong.ir"
    path.write_text("// run: parse\nprogram @f() { return }\n// ---\nprogram @g() -> () {\n  return\n}\n")
    with pytest.raises(AssertionError, match=r"(?s)- program @g.*\+ program @f"):
        check_case(path, STEPS)
    check_case(path, STEPS, update=True)
    check_case(path, STEPS)


def test_a_file_without_steps_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "bare.ir"
    path.write_text("program @f() { return }\n")
    with pytest.raises(ValueError, match="must begin with"):
        read_case(path)


def test_an_unknown_step_is_named(tmp_path: Path) -> None:
    path = tmp_path / "step.ir"
    path.write_text("// run: nonsense\nprogram @f() { return }\n// ---\n")
    with pytest.raises(ValueError, match="nonsense"):
        run_case(read_case(path), STEPS)
