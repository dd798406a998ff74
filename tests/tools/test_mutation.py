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


@pytest.mark.parametrize(
    "table", ["mutations.toml", "mutations_unseen.toml", "mutations_third.toml", "mutations_fourth.toml"]
)
def test_each_fault_applies_and_leaves_python(mutation: ModuleType, table: str) -> None:
    faults = mutation.faults(path=ROOT / "tools" / table)
    assert len({fault.name for fault in faults}) == len(faults) >= 40
    for fault in faults:
        text = (ROOT / fault.file).read_text()
        made = fault.applied(text)
        assert made != text, fault.name
        compile(made, fault.file, "exec")
        for tests in fault.tests:
            assert (ROOT / shlex.split(tests)[0]).exists(), f"{fault.name}: there is no {tests}"


def test_all_areas_have_faults(mutation: ModuleType) -> None:
    areas = Counter(fault.area for fault in mutation.faults())
    assert set(areas) == {"passes", "gradients", "kernels", "vm", "converters", "loaders"}
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


def test_the_whole_suite_follows_the_tests_of_a_fault(mutation: ModuleType, tmp_path: Path) -> None:
    (tmp_path / "code.py").write_text("VALUE = 1\n")
    (tmp_path / "tests").mkdir()
    (tmp_path / "test_blind.py").write_text("def test_nothing():\n    pass\n")
    (tmp_path / "tests" / "test_value.py").write_text(
        "from pathlib import Path\n\n\ndef test_value():\n    assert '1' in Path('code.py').read_text()\n"
    )
    made = fault(mutation, "VALUE = 1", "VALUE = 2", "test_blind.py")
    assert mutation.outcome(made, tmp_path, {}, 60.0) == ("missed", "")
    found, where = mutation.outcome(made, tmp_path, {}, 60.0, whole=True)
    assert (found, where) == ("caught", "tests/test_value.py::test_value")


def test_the_tests_of_a_faults_folder_come_first(mutation: ModuleType) -> None:
    one = mutation.Fault("a fault", "passes", "passes/algebra/cse.py", "old", "new")
    first, rest = one.all_tests()
    assert first.startswith("tests/passes ")
    assert rest.startswith("tests --ignore=tests/passes --ignore=tests/tools/test_mutation.py ")


def test_another_table(mutation: ModuleType, tmp_path: Path) -> None:
    table = tmp_path / "more.toml"
    table.write_text('[[fault]]\nname = "n"\narea = "a"\nfile = "f.py"\nold = "x"\nnew = "y"\n')
    assert mutation.faults(path=table) == [mutation.Fault("n", "a", "f.py", "x", "y", [])]
    assert mutation.faults("m", table) == []


def test_a_text_that_moved_is_refused(mutation: ModuleType) -> None:
    with pytest.raises(ValueError, match="occurs 0 times"):
        fault(mutation, "gone", "x", "t").applied("text")
