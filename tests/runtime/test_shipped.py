"""The machine's shipped LLVM text: up to date, and equal in effect to what Numba makes."""

import llvmlite.binding as llvm
import pytest

from vitrify.runtime import shipped
from vitrify.runtime.kernel_cache import NativeSource
from vitrify.runtime.machine import MACHINE_TEXT

SOURCE = NativeSource("machine", MACHINE_TEXT, "machine")


def test_the_shipped_text_is_of_this_machine() -> None:
    if not shipped.path().exists():
        pytest.skip(f"nothing shipped for {llvm.get_process_triple()}")
    head = shipped.path().read_text().partition("\n")[0]
    assert head == f"; {shipped.digest(SOURCE.identity)}", "run tools/ship_machine.py"


def test_another_source_has_no_shipped_text() -> None:
    assert shipped.compile_shipped("native machine\ndef machine(header): ...", "entry") is None


def test_a_damaged_text_is_left_to_numba(monkeypatch: pytest.MonkeyPatch, tmp_path: object) -> None:
    from pathlib import Path

    damaged = Path(str(tmp_path)) / "machine.ll"
    damaged.write_text(f"; {shipped.digest(SOURCE.identity)}\ndefine nonsense")
    monkeypatch.setattr(shipped, "path", lambda: damaged)
    assert shipped.compile_shipped(SOURCE.identity, "entry") is None
