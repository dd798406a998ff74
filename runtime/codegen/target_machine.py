"""LLVM's machine for the target that kernels are made for, and its pipeline. Knows llvmlite, not Numba."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache
from typing import Any

import llvmlite.binding as llvm
from llvmlite import ir

from ...base.target import Target, current_target, host_target
from ..kernel.call_facts import Unroll

COMPILING = threading.RLock()  # held while a module is made and optimised: LLVM's contexts serve one thread at a time


def target_machine() -> Any:
    """The target's CPU, with its widest vectors (LLVM prefers 256 bits on some CPUs that have 512)."""
    return _machine_of(current_target())


@lru_cache
def _machine_of(target: Target) -> Any:
    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    chosen = dict(cpu=target.cpu, features=target.features, opt=3)
    if is_foreign(target):  # its code goes into a library
        llvm.initialize_all_targets()
        llvm.initialize_all_asmprinters()
        kind = llvm.Target.from_triple(target.triple or f"{target.architecture}-unknown-linux-gnu")
        return kind.create_target_machine(**chosen, reloc="pic", codemodel="small", abiname=target.abi)
    kind = llvm.Target.from_default_triple()
    return kind.create_target_machine(**chosen, reloc="static", codemodel="large", jit=True)


def is_foreign(target: Target) -> bool:
    """Whether this process doesn't run the target's code."""
    return bool(target.triple) or target.architecture != host_target().architecture


def move_to_target(module: Any) -> None:
    """Give a module that was made for this machine the target's layout of data."""
    if is_foreign(current_target()):
        machine = target_machine()
        module.triple, module.data_layout = machine.triple, str(machine.target_data)


def scales_by_powers() -> bool:
    """Whether the CPU multiplies a vector by powers of two in one instruction that this LLVM knows as `llvm.ldexp`."""
    return "avx512f" in current_target().enabled and llvm.llvm_version_info >= (22,)


def adds_products() -> bool:
    """Whether the CPU has fused multiply-adds."""
    target = current_target()
    return target.architecture != "x86_64" or "fma" in target.enabled


def takes_floats_apart() -> bool:
    """Whether the CPU has instructions for the exponent and the mantissa of vectors of any length."""
    return current_target().enabled >= {"avx512f", "avx512vl"}


def converts_wide_integers() -> bool:
    """Whether the CPU makes floats of vectors of 64-bit integers, integers of such floats, and products of them."""
    return "avx512dq" in current_target().enabled


def computes_wide_integers() -> bool:
    """Whether vectors of 64-bit integers pay where the CPU has no instruction for what is asked, but for its parts."""
    return "avx2" in current_target().enabled


def emit_object(module: Any) -> bytes:
    """The target's object code of a module."""
    with _without_strength_reduction():
        return bytes(target_machine().emit_object(module))


def emit_assembly(module: Any) -> str:
    """The target's machine code of a module as text."""
    with _without_strength_reduction():
        return str(target_machine().emit_assembly(module))


@contextmanager
def _without_strength_reduction() -> Iterator[None]:
    """No search for the cheapest addresses of a loop: half the time of making code, and no measured kernel is slower.

    For x86, which adds two registers and a constant in a load. LLVM has this as an option of the process only; others
    who make code with it get it back.
    """
    if current_target().architecture != "x86_64":
        yield
        return
    with COMPILING:
        llvm.set_option("vitrify", "-disable-lsr=true")
        try:
            yield
        finally:
            llvm.set_option("vitrify", "-disable-lsr=false")


_ALONE = "+prefer-no-gather"  # of CPUs that read elements one by one
_LONGEST_STRAIGHT, _MOST_STEPS = 160, 4  # operations of a loop's steps that stand one after the other, and such steps


def run_pipeline(module: Any, *, unroll: Unroll = "early") -> None:
    """Optimise a module in place. unroll: when short loops are made straight.

    Early, a loop of a few vectors is straight code before LLVM looks for vectors. Late, it is vectors first, which can
    then stay in registers; for that a few passes run once more, or all of them ("again": without them sorting networks
    are a fifth slower). Never, it stays a loop of vectors. LLVM's third level would take a twentieth longer, for copies
    of loops that made no measured kernel faster.
    """
    for unrolling in (False, True) if unroll == "again" else (unroll == "early",):
        options = llvm.create_pipeline_tuning_options(speed_level=2)
        options.loop_vectorization = True
        options.loop_unrolling = unrolling
        options.slp_vectorization = False
        builder = llvm.create_pass_builder(target_machine(), options)
        builder.getModulePassManager().run(module, builder)
    if unroll == "late":
        _unroll(module)


def _unroll(module: Any) -> None:
    """Make straight code of short loops, and keep in registers what they leave in local arrays."""
    passes = llvm.create_new_function_pass_manager()
    for name in (
        "loop_simplify", "lcssa", "loop_unroll", "sroa", "instruction_combine", "simplify_cfg", "new_gvn",
        "dead_store_elimination", "simplify_cfg",
    ):  # fmt: skip
        getattr(passes, f"add_{name}_pass")()
    builder = llvm.create_pass_builder(target_machine(), llvm.create_pipeline_tuning_options(speed_level=2))
    for function in module.functions:
        if not function.is_declaration:
            passes.run(function, builder)


def interleave(back: ir.Instruction, operations: int, picks: int, iterations: int | None) -> None:
    """Have an innermost loop with so many operations computed for several vectors at once, if the target gains by it.

    back: the jump to its head. picks: elements that it reads one by one. iterations: how many there are, if that is
    known. What is left over becomes shorter vectors, then single ones.
    """
    target = current_target()
    core = target.core
    if (
        core.abreast == 1
        or operations - picks * core.picked < core.chain
        or (iterations is not None and iterations < target.iterations_abreast)
    ):
        return
    _ask(back, "interleave", core.abreast)


def find_places_abreast(function: ir.Function) -> None:
    """Have the places of elements that a function reads one by one, where numbers say, computed as vectors.

    Where LLVM loads elements one by one it computes all that their places are made of one by one, too, unless gathers
    were fast. Loads stay what they are. Not of functions whose places are all known: those take additions at most.
    """
    target = current_target()
    if _ALONE in target.features.split(","):
        set.add(function.attributes, f'"target-features"="{target.features},+fast-gather"')  # llvmlite knows a part


def found_abreast(function: ir.Function) -> bool:
    """Whether a function's places are."""
    return any("+fast-gather" in attribute for attribute in function.attributes)


def repeat_straight(back: ir.Instruction, operations: int) -> None:
    """Have so many steps of an innermost loop one after the other, as many as make no long code.

    For loops that no vectors compute: going on takes as much as a short step. back: the jump to a loop's head.
    """
    count = min(_LONGEST_STRAIGHT // max(operations, 1), _MOST_STEPS)
    if count > 1:
        _ask(back, "unroll", count)


def _ask(back: ir.Instruction, what: str, count: int) -> None:
    """Tell LLVM how often to do something with the loop that ends with a jump."""
    module = back.parent.parent.module
    hint = module.add_metadata([f"llvm.loop.{what}.count", ir.Constant(ir.IntType(32), count)])
    mark = ir.values.MDValue(module, [hint], name=str(len(module.metadata)))
    mark.operands = (mark, hint)  # itself: no two loops share theirs
    back.set_metadata("llvm.loop", mark)


def inline_functions(module: Any) -> None:
    """Make functions that ask for it part of their callers, and nothing else."""
    builder = llvm.create_pass_builder(target_machine(), llvm.create_pipeline_tuning_options(speed_level=0))
    builder.getModulePassManager().run(module, builder)


def hide_all_but(module: Any, symbol: str, prefix: str = "") -> None:
    """Let nobody outside a module see what it defines, but for `symbol` and functions with the prefix."""
    for function in module.functions:
        is_kept = function.name == symbol or (prefix and function.name.startswith(prefix))
        if not function.is_declaration and not is_kept:
            function.linkage = "internal"
    for variable in module.global_variables:
        if not variable.is_declaration:
            variable.linkage = "internal"
