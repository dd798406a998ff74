"""The VM's shipped LLVM text: up to date, and equal in effect to what Numba makes."""

from pathlib import Path

import llvmlite.binding as llvm
import pytest

from vitrify.runtime.vm import shipped, virtual_machine

SOURCE = virtual_machine.source()


def test_the_shipped_text_is_of_this_vm() -> None:
    if not shipped.path().exists():
        pytest.skip(f"nothing shipped for {llvm.get_process_triple()}")
    head = shipped.path().read_text().partition("\n")[0]
    assert head == f"; {shipped.digest(SOURCE.identity)}", "run tools/ship_vm.py"


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
