"""Dumps of the examples, kept in this folder: `pytest tests/golden --update-golden` writes them anew, reviewed as a diff.

For each example, after each pass and for its gradient: the text reads back, and each operation has a line of the user.
"""

from __future__ import annotations

import functools
import inspect
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from vitrify.base.location import is_library_file
from vitrify.ir.core import Program
from vitrify.ir.parser import parse_program
from vitrify.ir.printer import print_program
from vitrify.ir.walk import clone_program, walk
from vitrify.passes.autodiff.differentiate import differentiate
from vitrify.passes.pipelines import default_pipeline

from . import examples

FOLDER = Path(__file__).parent
STEPS = [name for name in examples.CAPTURED if name.endswith("_step")]  # they hold their gradients already
FUNCTIONS = [name for name in examples.CAPTURED if name not in STEPS]


@functools.cache
def function(name: str) -> Any:
    return examples.captured(name)


@functools.cache
def programs(name: str) -> dict[str, Program]:
    """The programs of an example by what they are."""
    if name == "static_network":
        return {"captured": examples.static_network()}
    program = function(name).program
    if name in STEPS:
        return {"captured": program}
    wrt = [k for k, v in enumerate(program.body.args) if v.dtype.is_differentiable]
    made = differentiate(program, wrt)
    return {"captured": program, "forward": made.forward, "backward": made.backward}


@functools.cache
def stages(name: str, kind: str) -> dict[str, tuple[Program, str]]:
    """The program as captured and after each pass that changes anything, places of operations included; with its text."""
    made = clone_program(programs(name)[kind])
    found = {"captured": (clone_program(made), print_program(made))}
    last = print_program(made, locs=True)
    for k, item in enumerate(default_pipeline()):
        item.run(made)
        text = print_program(made, locs=True)
        if text != last:
            found[f"{k} {item.name}"] = clone_program(made), print_program(made)
            last = text
    return found


@pytest.mark.parametrize("name", [*examples.CAPTURED, "static_network"])
def test_the_text_reads_back_after_every_pass(name: str) -> None:
    for kind in programs(name):
        for stage, (_, text) in stages(name, kind).items():
            assert print_program(parse_program(text)) == text, f"{kind}: {stage}"


@pytest.mark.parametrize("name", [*examples.CAPTURED, "static_network"])
def test_every_operation_has_a_line_of_the_user_after_every_pass(name: str) -> None:
    lines, first = inspect.getsourcelines(examples.captured)
    around = {(examples.__file__, k) for k in range(first, first + len(lines))}  # where capturing was asked for
    for kind in programs(name):
        for stage, (made, _) in stages(name, kind).items():
            for operation in walk(made.body):
                loc = operation.loc
                where = f"{operation.name} of {kind} after {stage}: {loc.short()}"
                assert loc.file, where
                assert not is_library_file(loc.file), where
                assert loc.text(), where
                assert (loc.file, loc.line) not in around, where


@pytest.mark.parametrize("name", FUNCTIONS)
def test_dumps_of_functions(name: str, golden: Callable[[Path, str], None]) -> None:
    parts = []
    for kind in programs(name):
        shown = [text for _, text in stages(name, kind).values()]
        parts += [f"// {kind}\n{shown[0]}"] if kind != "forward" else []
        parts += [f"// {kind}, after the last pass\n{shown[-1]}"] if kind != "captured" else []
    golden(FOLDER / f"{name}.ir", _numbered("\n".join(parts)))


def _numbered(text: str) -> str:
    """The text with sizes of the run numbered from 0: how many were given out before depends on the tests before."""
    known: dict[str, str] = {}
    return re.sub(r"\bu[0-9]+\b", lambda found: known.setdefault(found[0], f"u{len(known)}"), text)


@pytest.mark.parametrize("name", [*STEPS, "static_network"])
def test_dumps_of_steps(name: str, golden: Callable[[Path, str], None]) -> None:
    golden(FOLDER / f"{name}.ir", print_program(programs(name)["captured"], constants={}))


@pytest.mark.parametrize("name", FUNCTIONS)
def test_gradients_as_python(name: str, golden: Callable[[Path, str], None]) -> None:
    golden(FOLDER / f"{name}.py.txt", str(function(name).backward_source()))
