"""The VM's shipped LLVM text and machine code: up to date, and what LLVM makes of each other."""

from pathlib import Path

import llvmlite.binding as llvm
import pytest

from vitrify.base.target import TARGETS, host_target, using_target
from vitrify.runtime.vm import shipped, virtual_machine

SOURCE = virtual_machine.source()


def test_the_shipped_text_is_of_this_vm() -> None:
    if not shipped.path().exists():
        pytest.skip(f"nothing shipped for {llvm.get_process_triple()}")
    head = shipped.path().read_text().partition("\n")[0]
    assert head == f"; {shipped.digest(SOURCE.identity)}", "run tools/ship_vm.py"


def test_the_shipped_code_is_what_llvm_makes_of_the_text() -> None:
    if not shipped.object_path().exists():
        pytest.skip(f"no machine code shipped for {llvm.get_process_triple()}")
    head, _, code = shipped.object_path().read_bytes().partition(b"\n")
    version = ".".join(map(str, llvm.llvm_version_info))
    assert head.decode().startswith(f"; {shipped.digest(SOURCE.identity)}, LLVM "), "run tools/ship_vm.py"
    if not head.decode().endswith(f" {version}"):
        pytest.skip(f"the code was made by another LLVM than {version}")
    *_, least = (target for target in TARGETS.values() if target.architecture == host_target().architecture)
    with using_target(least):
        assert shipped.object_code(shipped.path().read_text().partition("\n")[2]) == code


def test_the_shipped_code_gets_the_name_that_is_asked_for() -> None:
    if not shipped.object_path().exists():
        pytest.skip(f"no machine code shipped for {llvm.get_process_triple()}")
    name = "vitrify_" + "a" * 32
    code = shipped.compile_shipped(SOURCE.identity, name)
    assert code is not None
    assert name.encode() in code
    assert shipped.OBJECT_PLACEHOLDER.encode() not in code


def test_a_text_is_compiled_where_no_code_is_shipped(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(shipped, "object_path", lambda: tmp_path / "none.o")
    code = shipped.compile_shipped(SOURCE.identity, "entry_of_another_name")
    assert code is None or b"entry_of_another_name" in code


def test_another_source_has_no_shipped_text() -> None:
    assert shipped.compile_shipped("native function\ndef vm(header): ...", "entry") is None


def test_a_changed_primitive_has_no_shipped_text(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    changed = tmp_path / "native.py"
    changed.write_bytes(shipped.PRIMITIVES.read_bytes() + b"#")
    before = shipped.digest(SOURCE.identity)
    monkeypatch.setattr(shipped, "PRIMITIVES", changed)
    assert shipped.digest(SOURCE.identity) != before
    assert shipped.compile_shipped(SOURCE.identity, "entry") is None


def test_a_damaged_text_is_left_to_numba(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    damaged = tmp_path / "vm.ll"
    damaged.write_text(f"; {shipped.digest(SOURCE.identity)}\ndefine nonsense")
    monkeypatch.setattr(shipped, "path", lambda: damaged)
    assert shipped.compile_shipped(SOURCE.identity, "entry") is None


def test_the_shipped_text_is_optimised() -> None:
    """Its helpers are part of their callers: what is left to a first run is the machine code."""
    if not shipped.path().exists():
        pytest.skip(f"nothing shipped for {llvm.get_process_triple()}")
    module = llvm.parse_assembly(shipped.path().read_text())
    assert sum(not function.is_declaration for function in module.functions) < 8
