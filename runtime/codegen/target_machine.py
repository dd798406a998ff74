"""LLVM's machine for the target that kernels are made for, and its pipeline. Knows llvmlite, not Numba."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import llvmlite.binding as llvm

from ...base.target import Target, current_target, host_target
from ..kernel.call_facts import Unroll


def target_machine() -> Any:
    """The target's CPU, with its widest vectors (LLVM prefers 256 bits on some CPUs that have 512)."""
    return _machine_of(current_target())


@lru_cache
def _machine_of(target: Target) -> Any:
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    chosen = dict(cpu=target.cpu, features=target.features, opt=3)
    if _is_foreign(target):  # its code goes into a library
        llvm.initialize_all_targets()
        llvm.initialize_all_asmprinters()
        kind = llvm.Target.from_triple(target.triple or f"{target.architecture}-unknown-linux-gnu")
        return kind.create_target_machine(**chosen, reloc="pic", codemodel="small", abiname=target.abi)
    kind = llvm.Target.from_default_triple()
    return kind.create_target_machine(**chosen, reloc="static", codemodel="large", jit=True)


def _is_foreign(target: Target) -> bool:
    """Whether this process doesn't run the target's code."""
    return bool(target.triple) or target.architecture != host_target().architecture


def move_to_target(module: Any) -> None:
    """Give a module that was made for this machine the target's layout of data."""
    if _is_foreign(current_target()):
        machine = target_machine()
        module.triple, module.data_layout = machine.triple, str(machine.target_data)


def scales_by_powers() -> bool:
    """Whether the CPU multiplies a vector by powers of two in one instruction that this LLVM knows as `llvm.ldexp`."""
    return "avx512f" in current_target().enabled and llvm.llvm_version_info >= (22,)


def run_pipeline(module: Any, *, unroll: Unroll = "early") -> None:
    """Optimise a module in place. unroll: when short loops are made straight.

    Early, a loop of a few vectors is straight code before LLVM looks for vectors. Late, it is vectors first, which can
    then stay in registers; that takes a second run of the pipeline. Never, it stays a loop of vectors. LLVM's third
    level would take a twentieth longer, for copies of loops that made no measured kernel faster.
    """
    for unrolling in {"early": [True], "late": [False, True], "never": [False]}[unroll]:
        options = llvm.create_pipeline_tuning_options(speed_level=2)
        options.loop_vectorization = True
        options.loop_unrolling = unrolling
        options.slp_vectorization = False
        builder = llvm.create_pass_builder(target_machine(), options)
        builder.getModulePassManager().run(module, builder)


def inline_functions(module: Any) -> None:
    """Make functions that ask for it part of their callers, and nothing else."""
    builder = llvm.create_pass_builder(target_machine(), llvm.create_pipeline_tuning_options(speed_level=0))
    builder.getModulePassManager().run(module, builder)
