"""The table of deliberate faults stays applicable, and the tool tells caught faults from missed ones."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def mutation(load_file: Callable[[Path], ModuleType]) -> ModuleType:
    return load_file(ROOT / "tools" / "mutation.py")


def test_each_fault_applies_and_leaves_python(mutation: ModuleType) -> None:
    for fault in mutation.faults():
        text = (ROOT / fault.file).read_text()
        made = fault.applied(text)
        assert made != text, fault.name
        compile(made, fault.file, "exec")
        for tests in fault.tests:
            assert (ROOT / shlex.split(tests)[0]).exists(), f"{fault.name}: there is no {tests}"


def test_all_areas_have_faults(mutation: ModuleType) -> None:
    areas = Counter(fault.area for fault in mutation.faults())
    assert set(areas) == {"passes", "gradients", "kernels", "machine", "converters", "loaders"}
    assert areas.total() >= 40
    assert len({fault.name for fault in mutation.faults()}) == areas.total()


def fault(mutation: ModuleType, old: str, new: str, test: str) -> object:
    return mutation.Fault("a fault", "passes", "code.py", old, new, [test])


@pytest.mark.parametrize(
    ("new", "test", "result"),
    [("2", "test_it.py", "caught"), ("1 + 0", "test_it.py", "missed"), ("2", "absent.py", "error")],
)
def test_outcomes(mutation: ModuleType, tmp_path: Path, new: str, test: str, result: str) -> None:
    (tmp_path / "code.py").write_text("VALUE = 1\n")
    (tmp_path / "test_it.py").write_text(
        "from pathlib import Path\n\n\ndef test_value():\n    scope = {}\n"
        "    exec(Path('code.py').read_text(), scope)\n    assert scope['VALUE'] == 1\n"
    )
    made = fault(mutation, "VALUE = 1", f"VALUE = {new}", test)
    found, where = mutation.outcome(made, tmp_path, {}, 60.0)
    assert found == result, where
    assert (tmp_path / "code.py").read_text() == "VALUE = 1\n"


def test_a_text_that_moved_is_refused(mutation: ModuleType) -> None:
    with pytest.raises(ValueError, match="occurs 0 times"):
        fault(mutation, "gone", "x", "t").applied("text")
