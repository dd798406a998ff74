"""The native functions are files: linters and types read what Numba compiles, and every name in them is a real one."""

from __future__ import annotations

import ast
import inspect
import shutil
import subprocess
import sys
from pathlib import Path
from types import FunctionType
from typing import Any

import pytest

from vitrify.runtime.vm import clocked, native, native_source, virtual_machine
from vitrify.runtime.vm.native_source import clock, primitives, unclocked, vm_loop

types = pytest.importorskip("numba.core.types", reason="Numba compiles what is tested here")
FOLDER = Path(native_source.__file__).parent
NOT_COMPILED = {"__init__", "primitives"}
KINDS = {types.int64: int, types.float32: float, types.float64: float, types.boolean: bool, types.void: None}


def functions(module: Any) -> dict[str, FunctionType]:
    return {
        name: thing
        for name, thing in vars(module).items()
        if isinstance(thing, FunctionType) and thing.__module__ == module.__name__
    }


STAND_INS = functions(primitives)
NAMED_DIRECTLY = {"helper", "f32"}  # a decorator and a type of Numba's


def test_every_primitive_has_a_stand_in() -> None:
    assert set(STAND_INS) == set(native.functions())


@pytest.mark.parametrize("name", sorted(set(STAND_INS) - NAMED_DIRECTLY))
def test_a_stand_in_has_the_types_of_its_primitive(name: str) -> None:
    made: Any = native.functions()[name]
    parameters = list(inspect.signature(made._defn).parameters)[1:]
    signature = made._defn(None, *parameters)[0]
    stated = inspect.signature(STAND_INS[name])
    assert [one.annotation for one in stated.parameters.values()] == [KINDS[kind] for kind in signature.args]
    assert stated.return_annotation == KINDS[signature.return_type]


@pytest.mark.parametrize("name", sorted(set(STAND_INS) - {"helper"}))
def test_python_cannot_run_a_stand_in(name: str) -> None:
    stand_in = STAND_INS[name]
    with pytest.raises(NotImplementedError, match="native code"):
        stand_in(*[0] * len(inspect.signature(stand_in).parameters))


def test_the_clock_and_its_absence_have_the_same_functions() -> None:
    hooks = functions(unclocked)
    assert {"header_of", "before_steps", "after_step"} == set(hooks)
    for name, hook in hooks.items():
        assert inspect.signature(hook) == inspect.signature(functions(clock)[name])


def test_every_file_is_part_of_a_vm() -> None:
    texts = {file.stem: file.read_text("utf-8") for file in FOLDER.glob("*.py") if file.stem not in NOT_COMPILED}
    both = virtual_machine.source().body, clocked.source().body
    assert {name for name, text in texts.items() if not any(text in body for body in both)} == set()
    assert {name for name, text in texts.items() if text not in both[0]} == {"clock"}
    assert {name for name, text in texts.items() if text not in both[1]} == {"unclocked"}


def test_a_name_is_defined_once_in_a_vm() -> None:
    for source in (virtual_machine.source(), clocked.source()):
        body = ast.parse(source.body).body
        names = [one.name for one in body if isinstance(one, ast.FunctionDef | ast.ClassDef)]
        names += [
            one.targets[0].id for one in body if isinstance(one, ast.Assign) and isinstance(one.targets[0], ast.Name)
        ]
        assert len(names) == len(set(names))
        assert source.entry == vm_loop.vm.__name__ in names


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        ("layout", "BAD_OPCODE = 8", "BAD_OPCODE = 9"),
        ("byte_lists", "if left < 0:", "if left < 1:"),
        ("vm_loop", "target = pc + 1", "target = pc + 2"),
    ],
)
def test_what_is_compiled_follows_the_files(
    file: str, old: str, new: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = virtual_machine.source().identity, clocked.source().identity
    copied = Path(shutil.copytree(FOLDER, tmp_path / "copied"))
    text = (copied / f"{file}.py").read_text("utf-8")
    assert text.count(old) == 1
    (copied / f"{file}.py").write_text(text.replace(old, new), "utf-8")
    monkeypatch.setattr(native_source, "__file__", str(copied / "__init__.py"))
    assert new in virtual_machine.source().body
    assert not {virtual_machine.source().identity, clocked.source().identity} & set(before)


def test_who_runs_the_vm_imports_only_the_layout() -> None:
    code = (
        "import sys, vitrify as vt\n"
        "from vitrify.runtime.vm import virtual_machine\n"
        "virtual_machine.address()\n"
        "print(sorted(name for name in sys.modules if name.startswith('vitrify.runtime.vm.native_source.')))"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=300)
    assert found.stdout.strip() == "['vitrify.runtime.vm.native_source.layout']"
