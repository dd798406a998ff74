"""The CPU that code is made for, and LLVM's pipeline for it. Knows llvmlite, not Numba."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import llvmlite.binding as llvm

from ..kernel.call_facts import Unroll


@lru_cache(maxsize=1)
def target_machine() -> Any:
    """This CPU, by name, with its widest vectors (LLVM prefers 256 bits on some CPUs that have 512)."""
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    features = llvm.get_host_cpu_features().flatten() + target_features()
    target = llvm.Target.from_default_triple()
    return target.create_target_machine(
        cpu=llvm.get_host_cpu_name(), features=features, opt=3, reloc="static", codemodel="large", jit=True
    )


def target_features() -> str:
    """Features added to those of the CPU."""
    return ",-prefer-256-bit" if llvm.get_process_triple().startswith("x86_64") else ""


@lru_cache(maxsize=1)
def vector_bytes() -> int:
    """Bytes of this CPU's widest vectors."""
    features = _features()
    return 64 if features.get("avx512f") else 32 if features.get("avx") else 16


@lru_cache(maxsize=1)
def vector_registers() -> int:
    """How many vectors the CPU's registers hold."""
    wide = _features().get("avx512f") or not llvm.get_process_triple().startswith("x86_64")
    return 32 if wide else 16


@lru_cache(maxsize=1)
def scales_by_powers() -> bool:
    """Whether this CPU multiplies a vector by powers of two in one instruction that this LLVM knows as `llvm.ldexp`."""
    return bool(_features().get("avx512f")) and llvm.llvm_version_info >= (22,)


@lru_cache(maxsize=1)
def _features() -> dict[str, bool]:
    return dict(llvm.get_host_cpu_features())


def run_pipeline(module: Any, *, unroll: Unroll = "early") -> None:
    """Optimise a module in place. unroll: when short loops are made straight.

    Early, a loop of a few vectors is straight code before LLVM looks for vectors. Late, it is vectors first, which can
    then stay in registers; that takes a second run of the pipeline. Never, it stays a loop of vectors.
    """
    for unrolling in {"early": [True], "late": [False, True], "never": [False]}[unroll]:
        options = llvm.create_pipeline_tuning_options(speed_level=3)
        options.loop_vectorization = True
        options.loop_unrolling = unrolling
        options.slp_vectorization = False
        builder = llvm.create_pass_builder(target_machine(), options)
        builder.getModulePassManager().run(module, builder)


def inline_functions(module: Any) -> None:
    """Make functions that ask for it part of their callers, and nothing else."""
    builder = llvm.create_pass_builder(target_machine(), llvm.create_pipeline_tuning_options(speed_level=0))
    builder.getModulePassManager().run(module, builder)
