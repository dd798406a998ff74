"""Kernels are compiled once, kept on disk; no trouble with the disk is an error."""

import gc
import os
import re
import subprocess
import sys
import textwrap
import threading
from dataclasses import replace
from pathlib import Path
from typing import Any

import llvmlite.binding as llvm
import numpy as np
import pytest
from numpy.typing import NDArray

import vitrify as vt
from vitrify.base.target import Core, current_target, using_target
from vitrify.runtime import kernel_cache
from vitrify.runtime.codegen import llvm_backend
from vitrify.runtime.kernel_cache import KernelCompileError, KernelSource
from vitrify.runtime.vm import symbols
from vitrify.runtime.vm.virtual_machine import Header, Instructions, Opcode, Status, run

SCALE = """\
def body(p0, p1, d0, lo, hi):
    for i in range(lo, hi):
        p1[i] = p0[i] * f32({0}) + f32(d0)
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    run(Header(Instructions().table()).address)  # the VM itself is not to be counted
    monkeypatch.setenv("VITRIFY_CACHE_DIR", str(tmp_path))
    monkeypatch.setattr(kernel_cache, "_CACHE", kernel_cache._Cache())
    return tmp_path


def scale(factor: float) -> KernelSource:
    return KernelSource("scale", SCALE.format(factor), ("f32", "f32"), 1)


def test_prelude_functions(folder: Path) -> None:
    body = "def body(p0, p1, lo, hi):\n    for i in range(lo, hi):\n        p1[i] = exp_f32(p0[i])\n"
    x = np.linspace(-3, 3, 41, dtype=np.float32)
    y = np.zeros_like(x)
    call(kernel_cache.addresses([KernelSource("exp", body, ("f32", "f32"), 0)])[0], [x, y], [], 0, len(x))
    np.testing.assert_allclose(y, np.exp(x), rtol=1e-6)


def forget() -> None:
    """As in a new process: nothing is known but what is on disk."""
    kernel_cache._CACHE = kernel_cache._Cache()


def call(address: int, arrays: list[NDArray[np.generic]], dims: list[int], lo: int, hi: int) -> None:
    buffers = np.array([array.ctypes.data for array in arrays], np.int64)
    sizes = np.array(dims, np.int64)
    table = Instructions()
    table.emit(Opcode.KERNEL, address, buffers.ctypes.data, sizes.ctypes.data, lo, hi)
    assert run(Header(table.table()).address) == Status.DONE


def check(address: int, factor: float) -> None:
    x = np.arange(37, dtype=np.float32)
    y = np.zeros_like(x)
    call(address, [x, y], [5], 3, 30)
    np.testing.assert_allclose(y[3:30], x[3:30] * np.float32(factor) + 5)
    assert not y[:3].any() and not y[30:].any()


def test_compiled_then_memory_then_disk(folder: Path) -> None:
    (first,) = kernel_cache.addresses([scale(2.5)])
    check(first, 2.5)
    assert kernel_cache.addresses([scale(2.5)]) == [first]
    assert kernel_cache.stats().compiled == 1 and kernel_cache.stats().memory == 1
    forget()
    check(kernel_cache.addresses([scale(2.5)])[0], 2.5)
    assert kernel_cache.stats().disk == 1 and kernel_cache.stats().compiled == 0


def test_the_name_is_no_part_of_the_key(folder: Path) -> None:
    source = scale(1.25)
    other = KernelSource("another", source.body, source.buffers, source.dims)
    assert kernel_cache.key(source) == kernel_cache.key(other) != kernel_cache.key(scale(1.5))
    assert len(set(kernel_cache.addresses([source, other]))) == 1
    assert kernel_cache.stats().compiled == 1


@pytest.mark.parametrize("damage", ["truncated", "flipped", "empty", "foreign"])
def test_a_corrupt_file_is_compiled_again(folder: Path, damage: str, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("DEBUG", "vitrify.cache")
    kernel_cache.addresses([scale(3.5)])
    (file,) = folder.glob("*.o")
    content = bytearray(file.read_bytes())
    content[len(content) // 2] ^= 1
    damaged = {"truncated": content[:-9], "flipped": content, "empty": b"", "foreign": b"hello" * 50}[damage]
    file.write_bytes(bytes(damaged))
    forget()
    check(kernel_cache.addresses([scale(3.5)])[0], 3.5)
    assert (kernel_cache.stats().corrupt, kernel_cache.stats().compiled) == (1, 1)
    assert [record.getMessage() for record in caplog.records] == [
        f"{file} is torn or not ours: its kernel is compiled anew"
    ]
    forget()
    kernel_cache.addresses([scale(3.5)])
    assert kernel_cache.stats().disk == 1, "the good code replaced the bad file"


def test_a_folder_that_cannot_be_written(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    blocker = folder / "file"
    blocker.write_text("not a folder")
    monkeypatch.setenv("VITRIFY_CACHE_DIR", str(blocker / "below"))
    check(kernel_cache.addresses([scale(4.5)])[0], 4.5)
    assert kernel_cache.stats().unwritable == 1


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may write everywhere")
def test_a_read_only_folder(folder: Path) -> None:
    folder.chmod(0o500)
    check(kernel_cache.addresses([scale(4.25)])[0], 4.25)
    assert kernel_cache.stats().unwritable == 1


def test_a_full_disk(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    check(kernel_cache.addresses([scale(4.75)])[0], 4.75)
    assert kernel_cache.stats().unwritable == 1
    assert list(folder.iterdir()) == [], "no half-written file is left"


def test_a_kernel_that_does_not_compile_shows_its_text(folder: Path) -> None:
    source = KernelSource("broken", "def body(p0, lo, hi):\n    p0[lo] = undefined_name\n", ("f32",), 0)
    with pytest.raises(KernelCompileError, match=r"kernel broken(.|\n)*p0\[lo\] = undefined_name"):
        kernel_cache.addresses([source])


@pytest.mark.parametrize("kind", ["f32", "f64", "i8", "i16", "i32", "i64", "u8", "bool"])
def test_every_element_type(folder: Path, kind: str) -> None:
    numpy_kind = {"f32": "f4", "f64": "f8", "u8": "u1", "bool": "?"}.get(
        kind, f"i{int(kind[1:] or 8) // 8}" if kind[0] == "i" else ""
    )
    body = "def body(p0, p1, lo, hi):\n    for i in range(lo, hi):\n        p1[i] = p0[hi - 1 - i]\n"
    x = np.array([0, 1, 1, 0, 1], numpy_kind)
    y = np.zeros_like(x)
    (address,) = kernel_cache.addresses([KernelSource("reverse", body, (kind, kind), 0)])
    call(address, [x, y], [], 0, 5)
    np.testing.assert_array_equal(y, x[::-1])


def test_local_arrays_and_comparisons(folder: Path) -> None:
    body = textwrap.dedent("""\
        def body(p0, p1, lo, hi):
            kept = local_f32(4)
            for k in range(4):
                kept[k] = f32(0.0)
            for i in range(lo, hi):
                kept[i % 4] += p0[i]
                p1[i] = kept[i % 4] > f32(2.0)
        """)
    x = np.ones(12, np.float32)
    y = np.zeros(12, np.bool_)
    (address,) = kernel_cache.addresses([KernelSource("locals", body, ("f32", "bool"), 0)])
    call(address, [x, y], [], 0, 12)
    np.testing.assert_array_equal(y, [False] * 8 + [True] * 4)


def test_nan_and_infinity_survive(folder: Path) -> None:
    body = "def body(p0, p1, lo, hi):\n    for i in range(lo, hi):\n        p1[i] = p0[i] * f32(2.0) - p0[i]\n"
    x = np.array([np.nan, np.inf, -np.inf, 1.0] * 8, np.float32)
    y = np.zeros_like(x)
    (address,) = kernel_cache.addresses([KernelSource("special", body, ("f32", "f32"), 0)])
    call(address, [x, y], [], 0, len(x))
    # reassociation may turn 2x - x into x, or compute inf - inf: both keep the NaN and what is finite
    assert np.isnan(y[0::4]).all() and (y[3::4] == 1.0).all() and not np.isfinite(y[1::4]).any()


def test_twelve_buffers_are_vectorised_without_overlap_checks() -> None:
    names = [f"p{k}" for k in range(12)]
    total = " + ".join(f"{name}[i]" for name in names[:-1])
    body = f"def body({', '.join(names)}, lo, hi):\n    for i in range(lo, hi):\n        p11[i] = {total}\n"
    text = llvm_backend.llvm_text(body, ("f32",) * 12, 0)
    assert " x float>" in text and "memcheck" not in text


def test_the_widest_vectors_of_this_cpu() -> None:
    target = current_target()
    register = {64: "zmm", 32: "ymm", 16: "xmm"}[target.core.vector_bytes] if target.architecture == "x86_64" else ""
    assert register in llvm_backend.assembly(SCALE.format(2.0), ("f32", "f32"), 1)


def test_arithmetic_is_fast_only_where_that_is_asked_for_and_knows_nan_and_infinity() -> None:
    exact, fast = (llvm_backend.llvm_text(SCALE.format(2.0), ("f32", "f32"), 1, fast=fast) for fast in (False, True))
    assert "reassoc" in fast
    assert "nnan" not in fast
    assert "ninf" not in fast
    assert not re.search(r"= f(add|sub|mul|div) (reassoc|contract|arcp|nsz|afn|fast)", exact)


@pytest.mark.usefixtures("others_set_aside")
def test_code_that_nobody_holds_is_freed_and_shared_code_stays(folder: Path) -> None:
    cache = kernel_cache._CACHE
    (first,), holds = kernel_cache.held([scale(1.75)])
    (shared, _other), others = kernel_cache.held([scale(1.75), scale(2.75)])
    assert shared == first and len(others) == 2
    engine = next(iter(holds)).engine
    del holds
    gc.collect()
    kernel_cache.held([scale(3.75)])
    check(first, 1.75)
    assert not engine.closed, "another program has the same kernel"
    del others
    gc.collect()
    kernel_cache.held([])
    assert engine.closed
    assert kernel_cache.key(scale(1.75)) not in cache._by_key
    (pinned,) = kernel_cache.addresses([scale(1.75)])
    gc.collect()
    kernel_cache.held([])
    check(pinned, 1.75)


@pytest.mark.usefixtures("others_set_aside")
def test_kernels_of_dropped_functions_go(folder: Path) -> None:
    def made(factor: float) -> Any:
        def fn(x: Any) -> Any:
            return vt.tanh(x * factor).sum()

        return vt.jit.to_static(fn)

    x = vt.to_tensor([0.5, 1.0])
    kept = made(0.25)
    expected = kept(x).item()
    for k in range(30):
        made(k + 1.5)(x)
        gc.collect()
        assert len(kernel_cache._CACHE._by_key) <= 8
    assert kept(x).item() == expected


def test_many_threads_ask_at_once(folder: Path) -> None:
    found: list[int] = []
    sources = [scale(10.0 + k) for k in range(3)]
    threads = [threading.Thread(target=lambda: found.extend(kernel_cache.addresses(sources))) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 18 and len(set(found)) == 3
    assert kernel_cache.stats().compiled == 3


WARM = """
import sys
import llvmlite.binding as llvm
import numpy as np
from vitrify.runtime import kernel_cache; from vitrify.runtime.vm import team
from vitrify.runtime.kernel_cache import KernelSource
from vitrify.runtime.vm import symbols
from vitrify.runtime.vm.virtual_machine import Header, Instructions, Opcode, run
team.set_num_threads(2)
body = "def body(p0, lo, hi):\\n    for i in range(lo, hi):\\n        p0[i] = p0[i] % f32(3.0) + f32(1.0)\\n"
(address,) = kernel_cache.addresses([KernelSource("warm", body, ("f32",), 0)])
x = np.full(1000, 7, np.float32)
buffers = np.array([x.ctypes.data])
table = Instructions()
table.emit(Opcode.KERNEL, address, buffers.ctypes.data, 0, 0, 1000, 4)
assert run(Header(table.table()).address) == 0
assert (x == 2).all()
print(kernel_cache.stats().compiled, 'numba' in sys.modules)
"""


def test_kernels_are_compiled_without_numba(tmp_path: Path) -> None:
    environment = {**os.environ, "VITRIFY_CACHE_DIR": str(tmp_path)}
    said = [
        subprocess.run([sys.executable, "-c", WARM], env=environment, capture_output=True, text=True, check=True).stdout
        for _ in range(2)
    ]
    assert said == ["2 False\n", "0 False\n"]  # the VM's text is shipped, and kernels don't need it


def test_fast_and_exact_kernels_of_one_text_are_two(folder: Path) -> None:
    exact, fast = (KernelSource("scale", SCALE.format(2.5), ("f32", "f32"), 1, fast) for fast in (False, True))
    assert kernel_cache.key(exact) != kernel_cache.key(fast)
    first, second = kernel_cache.addresses([fast, exact])
    assert first != second
    assert kernel_cache.stats().compiled == 2


@pytest.mark.parametrize("what", ["llvm_version_info", "get_process_triple"])
def test_a_kernel_of_another_llvm_has_another_name(what: str, monkeypatch: pytest.MonkeyPatch) -> None:
    source = KernelSource("k", "a[0] = 1.0", ("f32",), 0)
    before = kernel_cache.key(source)
    values = {"llvm_version_info": (1, 2, 3)}
    monkeypatch.setattr(kernel_cache.llvm, what, values.get(what, lambda: "other"))
    kernel_cache._environment.cache_clear()
    try:
        assert kernel_cache.key(source) != before
    finally:
        monkeypatch.undo()
        kernel_cache._environment.cache_clear()
    assert kernel_cache.key(source) == before


def test_a_kernel_for_another_target_has_another_name_and_other_code(folder: Path) -> None:
    source = KernelSource("scale", SCALE.format(1.5), ("f32", "f32"), 1)
    own = kernel_cache.key(source), *kernel_cache.addresses([source])
    caches = replace(current_target().caches, second=3 << 20)
    with using_target(replace(current_target(), caches=caches)):
        other = kernel_cache.key(source), *kernel_cache.addresses([source])
    assert own[0] != other[0] and own[1] != other[1]
    assert kernel_cache.stats().compiled == 2
    assert (kernel_cache.key(source), *kernel_cache.addresses([source])) == own
    for changed in ({"cpu": "other"}, {"features": "+other"}, {"core": Core(16, 8)}, {"caches": caches}):
        with using_target(replace(current_target(), **changed)):
            assert kernel_cache.key(source) != own[0], changed


@pytest.mark.skipif(sys.platform != "linux", reason="reads ELF files")
def test_names_from_outside_are_those_that_llvm_tells() -> None:
    source = KernelSource("scaled", SCALE.format(3.0), ("f32", "f32"), 1)
    code = kernel_cache._compile_here(source, kernel_cache.key(source))
    assert symbols._undefined_symbols(code) == []
    module = llvm.parse_assembly(
        "declare void @first_of_two(i8*)\ndeclare double @other(double)\n"
        "define double @inside(double %x) {\n  call void @first_of_two(i8* null)\n"
        "  %y = call double @other(double %x)\n  ret double %y\n}"
    )
    machine = llvm.Target.from_default_triple().create_target_machine()
    assert sorted(symbols._undefined_symbols(machine.emit_object(module))) == ["first_of_two", "other"]
