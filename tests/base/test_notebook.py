"""Lines of notebooks are named by their cells."""

from __future__ import annotations

import sys
from types import SimpleNamespace

import pytest

import vitrify as vt
from vitrify.base.errors import CaptureError
from vitrify.base.location import Loc
from vitrify.base.notebook import cell_of

CELL = "/tmp/ipykernel_77/2385374380.py"


@pytest.fixture
def ipython(monkeypatch: pytest.MonkeyPatch) -> None:
    """IPython as far as this package asks it: which cell a file name stands for."""

    def format_code_name(name: str) -> tuple[str, str] | None:
        return ("Cell", "In[3]") if name == CELL else None

    shell = SimpleNamespace(compile=SimpleNamespace(format_code_name=format_code_name))
    monkeypatch.setitem(sys.modules, "IPython", SimpleNamespace(get_ipython=lambda: shell))


@pytest.mark.usefixtures("ipython")
def test_a_line_is_named_by_its_cell() -> None:
    assert Loc(CELL, 4).short() == "cell 3, line 4"
    assert Loc("model.py", 4).short() == "model.py:4"


def test_outside_of_ipython_files_keep_their_names() -> None:
    assert cell_of(CELL) == ""
    assert Loc(CELL, 4).short() == "2385374380.py:4"


def test_ipython_without_a_shell_names_no_cell(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "IPython", SimpleNamespace(get_ipython=lambda: None))
    assert cell_of(CELL) == ""


@pytest.mark.parametrize(("file", "advice"), [("<string>", "python step.py"), ("<stdin>", "python -i step.py")])
def test_code_without_a_source_says_what_to_do(file: str, advice: str) -> None:
    space: dict[str, object] = {}
    exec(compile("def f(x):\n    return x * 2\n", file, "exec"), space)
    with pytest.raises(CaptureError, match="isn't available") as caught:
        vt.to_static(space["f"])(vt.ones([2]))  # type: ignore[operator]
    assert advice in caught.value.remedy
