"""Targets: the kinds of CPU, this machine's, and the one that the environment names."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import llvmlite.binding as llvm
import pytest

from vitrify.base import target as module
from vitrify.base.errors import ArgumentError
from vitrify.base.memory import ALIGNMENT
from vitrify.base.target import TARGETS, Caches, Target, current_target, host_target, named_target, using_target


def host_like(name: str) -> Target:
    """A machine that has what a kind has, and more."""
    kind = TARGETS[name]
    return replace(kind, name="host", features=f"{kind.features},+more")


def test_this_machine_has_its_own_name_and_its_widest_vectors() -> None:
    host = host_target()
    features = llvm.get_host_cpu_features()
    assert (host.name, host.cpu) == ("host", llvm.get_host_cpu_name())
    tuning = {"prefer-no-gather"} if host.cpu.startswith("znver") and llvm.llvm_version_info >= (18,) else set()
    assert host.enabled == {name for name, there in features.items() if there} | tuning
    widest = 64 if features.get("avx512f") else 32 if features.get("avx") else 16
    assert host.core.vector_bytes == widest


@pytest.mark.parametrize("name", TARGETS)
def test_tiles_leave_registers_for_their_factors(name: str) -> None:
    target = TARGETS[name]
    for rows, vectors in (target.gemm_tile, target.attention_tile, (target.winograd_rows, 3)):
        assert rows * vectors + vectors + 1 <= target.core.registers
    assert 8 % target.winograd_rows == 0
    assert target.sums_at_once + 2 <= target.core.registers


@pytest.mark.parametrize("name", TARGETS)
def test_memory_is_aligned_for_every_target(name: str) -> None:
    target = TARGETS[name]
    assert ALIGNMENT % target.core.vector_bytes == 0
    assert ALIGNMENT % target.caches.line == 0


@pytest.mark.parametrize(
    ("features", "kind"),
    [
        ({"sse2", "avx", "avx2", "avx512f"}, "avx512"),
        ({"sse2", "avx", "avx2"}, "avx2"),
        ({"sse2", "avx"}, "avx2"),
        ({"sse2"}, "sse4"),
    ],
)
def test_the_kind_follows_from_the_features(features: set[str], kind: str) -> None:
    assert module._kind_of("x86_64", features).name == kind


def test_other_architectures_have_vectors_of_16_bytes() -> None:
    assert module._kind_of("aarch64", {"neon"}).name == "neon"
    assert module._kind_of("riscv64", set()).core.vector_bytes == 16


def test_caches_are_what_the_system_tells(tmp_path: Path) -> None:
    told = {"index0": ("1", "Data", "48K"), "index1": ("1", "Instruction", "64K"), "index2": ("2", "Unified", "2048K")}
    for folder, words in told.items():
        (tmp_path / folder).mkdir()
        for name, word in zip(("level", "type", "size"), words, strict=True):
            (tmp_path / folder / name).write_text(f"{word}\n")
    assert module._read_caches(tmp_path, Caches()) == Caches(first=48 << 10, second=2 << 20)


def test_caches_that_nobody_tells_are_as_usual(tmp_path: Path) -> None:
    assert module._read_caches(tmp_path / "absent", Caches()) == Caches()
    (tmp_path / "index0").mkdir()
    (tmp_path / "index1").mkdir()
    for name, word in (("level", "2"), ("type", "Unified"), ("size", "some")):
        (tmp_path / "index1" / name).write_text(word)
    assert module._read_caches(tmp_path, Caches()) == Caches()


def test_a_named_target_needs_the_machine_to_have_its_features(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "host_target", lambda: host_like("avx2"))
    assert named_target("avx2") is TARGETS["avx2"]
    assert named_target("sse4") is TARGETS["sse4"]
    with pytest.raises(ArgumentError, match=r"code for it doesn't run here, this machine lacks avx512bw, .*") as caught:
        named_target("avx512")
    assert caught.value.remedy == "use one of 'host', 'avx2', 'sse4', or unset it"
    with pytest.raises(ArgumentError, match="this machine is x86_64"):
        named_target("neon")


def test_an_unknown_target_is_an_error_that_names_the_nearest() -> None:
    with pytest.raises(ArgumentError, match="VITRIFY_TARGET is 'avx521'") as caught:
        named_target("avx521")
    assert caught.value.remedy is not None and "did you mean 'avx512'?" in caught.value.remedy


@pytest.mark.parametrize(("text", "said"), [("", "host"), ("host", "host"), ("nene", "did you mean 'neon'?")])
def test_the_environment_names_the_target(text: str, said: str) -> None:
    code = """
from vitrify.base.errors import ArgumentError
from vitrify.base.target import current_target
from vitrify.ir.parser import parse_program
from vitrify.runtime.compiler import compile_program
try:
    compile_program(parse_program("program @f(%x: f32[4]) -> f32[4] {\\n  return %x\\n}"))
    print(current_target().name)
except ArgumentError as error:
    print(error)
"""
    environment = {**os.environ, "VITRIFY_TARGET": text}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    assert said in done.stdout


def test_another_target_is_current_while_it_is_used() -> None:
    before = current_target()
    with using_target(TARGETS["neon"]):
        assert current_target() is TARGETS["neon"]
    assert current_target() is before
