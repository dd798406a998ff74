"""Kernels for a CPU that isn't here, run by qemu: some of each kind. `make emulate` runs the tests of all kernels so."""

from __future__ import annotations

import shutil
from collections.abc import Iterator

import numpy as np
import pytest

import vitrify as vt
from vitrify.base.errors import KernelError, MissingDependencyError
from vitrify.base.target import TARGETS, is_swapped
from vitrify.runtime.kernel_cache import KernelSource
from vitrify.testing.emulation import Emulator, call_kernel, emulated, missing_tools

from .test_targets import CASES, check

TARGET = "neon"


@pytest.fixture(scope="module")
def emulator() -> Iterator[Emulator]:
    missing = missing_tools(TARGETS[TARGET])
    if missing or is_swapped():
        pytest.skip(f"{', '.join(missing)} isn't installed" if missing else "--emulate emulates already")
    with emulated(TARGET) as running:
        yield running


@pytest.mark.parametrize("name", CASES)
def test_emulated_kernels_equal_eager_mode(name: str, emulator: Emulator) -> None:
    before = len(emulator.kernels), emulator.calls
    check(name)
    assert len(emulator.kernels) > before[0]
    assert emulator.calls > before[1]


def source(line: str) -> KernelSource:
    return KernelSource(
        "one", f"def body(p0, p1, lo, hi):\n    for i in range(lo, hi):\n        {line}\n", ("f32", "f32"), 0
    )


def test_what_a_kernel_writes_outside_of_its_memory_is_found(emulator: Emulator) -> None:
    x, y = np.ones(4, "float32"), np.zeros(4, "float32")
    call_kernel(source("p1[i] = p0[i] + f32(1)"), [x, y], [], 4)
    np.testing.assert_array_equal(y, 2.0)
    with pytest.raises(KernelError, match="one wrote outside of its buffers"):
        call_kernel(source("p1[i + 4] = p0[i]"), [x, y], [], 4)
    np.testing.assert_array_equal(y, 2.0)


def test_a_kernel_that_crashes_is_named_and_others_run_afterwards(emulator: Emulator) -> None:
    x, y = np.ones(4, "float32"), np.zeros(4, "float32")
    with pytest.raises(KernelError, match="one ended the emulator"):
        call_kernel(source("p1[i + (1 << 44)] = p0[i]"), [x, y], [], 4)
    call_kernel(source("p1[i] = p0[i] - f32(1)"), [x, y], [], 4)
    np.testing.assert_array_equal(y, 0.0)


def test_checks_lists_and_calls_of_python_stay_with_the_vm(emulator: Emulator) -> None:
    @vt.to_static
    def powers(x: vt.Tensor, count: vt.Tensor, at: vt.Tensor) -> vt.Tensor:
        made = []
        for _ in range(count):
            x = x @ x * 0.5
            made.append(x[at])
        return vt.stack(made)

    x = np.eye(3, dtype="float32") * 2.0
    found = powers(vt.to_tensor(x), vt.to_tensor(4), vt.to_tensor(1))
    np.testing.assert_array_equal(found.numpy(), np.tile([0.0, 2.0, 0.0], (4, 1)))
    with pytest.raises(IndexError):
        powers(vt.to_tensor(x), vt.to_tensor(4), vt.to_tensor(7))


def test_missing_tools_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda tool: None)
    with pytest.raises(MissingDependencyError, match=r"qemu-aarch64 \(package qemu-user\), aarch64-linux-gnu-gcc"):
        Emulator(TARGETS[TARGET])
