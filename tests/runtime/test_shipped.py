"""The shipped machine code of the VM and of native calls: up to date, what Numba and LLVM make of the source, and enough without Numba."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import llvmlite.binding as llvm
import pytest

from vitrify.base.errors import MissingDependencyError
from vitrify.runtime import kernel_cache
from vitrify.runtime.kernel_cache import NativeSource
from vitrify.runtime.vm import clocked, shipped, virtual_machine
from vitrify.runtime.vm.calls.native_call import NativeCallSource

SOURCES = [virtual_machine.source(), clocked.source()]
CALLS = [NativeCallSource(counted) for counted in (True, False)]
both = pytest.mark.parametrize("source", SOURCES, ids=[source.name for source in SOURCES])
NAME = "vitrify_" + "a" * 32


def shipped_for(source: NativeSource) -> tuple[str, str, bytes]:
    found = shipped.read(source.name)
    if found is None:
        pytest.skip(f"nothing shipped for {llvm.get_process_triple()}")
    return found


@both
def test_the_shipped_code_is_of_this_vm(source: NativeSource) -> None:
    assert shipped_for(source)[0] == shipped.digest(source.identity), "run tools/ship_vm.py"


@pytest.mark.parametrize("source", CALLS, ids=[source.shipped_as for source in CALLS])
def test_native_calls_are_shipped(source: NativeCallSource, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without LLVM, for the Pythons that count every reference and for those that don't."""
    found = shipped.read(source.shipped_as)
    if found is None:
        pytest.skip(f"nothing shipped for {llvm.get_process_triple()}")
    assert found[0] == shipped.digest(source.identity, shipped.call_writers()), "run tools/ship_vm.py"
    monkeypatch.setattr(NativeCallSource, "compile_anew", None)
    code = source.compile(NAME)
    assert NAME.encode() in code
    assert shipped.PLACEHOLDER.encode() not in code


def test_native_calls_written_by_other_code_are_compiled(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    changed = tmp_path / "call_code.py"
    changed.write_text("# another writer\n")
    monkeypatch.setattr(shipped, "call_writers", lambda: [changed])
    monkeypatch.setattr(NativeCallSource, "compile_anew", lambda source, symbol: f"anew {symbol}".encode())
    assert CALLS[0].compile(NAME) == f"anew {NAME}".encode()


def test_the_shipped_code_is_what_numba_and_llvm_make() -> None:
    """On any CPU, in a process that hasn't used Numba yet."""
    pytest.importorskip("numba")
    for source in SOURCES:
        _, version, _ = shipped_for(source)
        if version != ".".join(map(str, llvm.llvm_version_info)):
            pytest.skip(f"the code was made by LLVM {version}")
    tool = Path(__file__).parents[2] / "tools" / "ship_vm.py"
    done = subprocess.run([sys.executable, str(tool), "--check"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout.count("the same code")) == (0, len(SOURCES) + len(CALLS)), (
        done.stdout + done.stderr
    )


@both
def test_the_shipped_code_gets_the_name_that_is_asked_for(source: NativeSource) -> None:
    shipped_for(source)
    code = shipped.compile_shipped(source.name, source.identity, NAME)
    assert code is not None
    assert NAME.encode() in code
    assert shipped.PLACEHOLDER.encode() not in code


def test_another_source_has_no_shipped_code() -> None:
    assert shipped.compile_shipped("VM", "native function\ndef vm(header): ...", NAME) is None
    assert shipped.compile_shipped("no VM", SOURCES[0].identity, NAME) is None


def test_a_changed_primitive_has_no_shipped_code(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    changed = tmp_path / "native.py"
    changed.write_bytes(shipped.PRIMITIVES.read_bytes() + b"#")
    before = shipped.digest(SOURCES[0].identity)
    monkeypatch.setattr(shipped, "PRIMITIVES", changed)
    assert shipped.digest(SOURCES[0].identity) != before
    assert shipped.compile_shipped("VM", SOURCES[0].identity, NAME) is None


def test_a_damaged_file_is_not_used(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    damaged = tmp_path / "vm.o"
    monkeypatch.setattr(shipped, "path", lambda name: damaged)
    for content in (b"", b"\xff\xfe\n\x00", f"; {'0' * 64}, LLVM 1.2.3\ncode".encode()):
        damaged.write_bytes(content)
        assert shipped.compile_shipped("VM", SOURCES[0].identity, NAME) is None


def test_without_shipped_code_and_numba_there_is_a_remedy(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(shipped, "path", lambda name: tmp_path / "none.o")
    monkeypatch.setattr(kernel_cache, "find_spec", lambda name: None)
    with pytest.raises(MissingDependencyError, match="Numba, which compiles it, is not installed") as caught:
        SOURCES[0].compile(NAME)
    assert caught.value.remedy == "pip install numba"


PROGRAM = """
import sys

class Blocked:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] == "numba":
            raise ModuleNotFoundError(f"No module named {name!r}", name="numba")

sys.meta_path.insert(0, Blocked())
import numpy as np
import vitrify as vt

net = vt.nn.Sequential(vt.nn.Conv2D(1, 4, 3), vt.nn.ReLU(), vt.nn.Flatten(), vt.nn.Linear(4 * 36, 3))
adam = vt.optimizer.Adam(parameters=net.parameters())

@vt.to_static
def step(x, y):
    loss = vt.nn.functional.cross_entropy(net(x), y)
    loss.backward()
    adam.step()
    adam.clear_grad()
    return loss

x, y = vt.rand([16, 1, 8, 8]), vt.randint(0, 3, [16])
first = step(x, y).item()
with vt.profiler.profile() as p:
    for _ in range(50):
        last = step(x, y).item()
print(last < 0.9 * first, len(p.kernels) > 3, "numba" in sys.modules)
"""


def test_training_and_profiles_work_without_numba(tmp_path: Path) -> None:
    for source in SOURCES:
        shipped_for(source)
    program = tmp_path / "program.py"
    program.write_text(PROGRAM)
    found = subprocess.run(
        [sys.executable, str(program)], env={**os.environ, "VITRIFY_CACHE_DIR": str(tmp_path)}, text=True,
        capture_output=True, timeout=300, check=False,
    )  # fmt: skip
    assert found.stdout.split() == ["True", "True", "False"], found.stderr
