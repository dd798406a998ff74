"""A program to an Executable: passes, steps, kernels. Binding to sizes happens at the first call with them."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from typing import Any

from ..base.collection import without_collection
from ..base.errors import KernelError
from ..base.events import span
from ..base.log import log, wanted
from ..ir.core import Operation, Program
from ..ir.walk import walk
from . import cache_files, kernel_cache, program_cache
from .executable import Executable
from .kernel_cache import KernelCompileError
from .options import DEFAULT, CompileOptions
from .schedule.growing.native_pieces import NativePieces
from .schedule.program_steps import KernelStep, Steps

Callbacks = Mapping[str, Callable[..., Any]]


@dataclass(slots=True)
class CompileReport:
    """What compiling cost and what it went through: seconds per phase and per pass, text per stage."""

    seconds: dict[str, float] = field(default_factory=dict)
    passes: dict[str, float] = field(default_factory=dict)  # parts of the phase "passes"
    schedule: dict[str, float] = field(default_factory=dict)  # parts of the phase "schedule"
    stages: list[tuple[str, str]] = field(default_factory=list)


def compile_program(
    program: Program, *, callbacks: Callbacks | None = None, passes: Sequence[Any] | None = None, keep: bool = False,
    options: CompileOptions = DEFAULT,
) -> Executable:  # fmt: skip
    """Compile a copy of `program`; the program itself stays as it is. Kernels are made in other processes only where
    options.compile is "background": this thread waits for them (background.py has one that does).

    passes: those of the program, in place of the default ones; options.schedule has those of its steps.
    Errors: ArgumentError for a schedule that can't be; KernelError if a generated kernel doesn't compile (a fault of
    ours, with a file that holds its source, and its operations); MemoryLimitError, at the first call with sizes for
    which the plan doesn't fit `options.memory_limit`.
    """
    with without_collection(lives_on=True):
        return _compiled(program, callbacks, passes, keep, options)


def _compiled(
    program: Program, callbacks: Callbacks | None, passes: Sequence[Any] | None, keep: bool, options: CompileOptions
) -> Executable:
    """`compile_program`."""
    report = CompileReport()
    file = program_cache.file_of(program, options) if passes is None and not keep else None
    found, made = None if file is None else _found(file, report), None
    with ExitStack() as opened:
        if found is None:
            opened.enter_context(kernel_cache.expected(sum(1 for _ in walk(program.body))))
            from .to_steps import lowered  # all passes and generators: most of what there is to import

            found = lowered(program, passes, keep, options, report)
            made = file
        optimised, steps = found
        start = time.perf_counter()
        before = kernel_cache.stats()
        with span("kernels"):
            kernels = _addresses(steps, options.compile == "background")
        report.seconds["kernels"] = time.perf_counter() - start
    if made is not None:
        program_cache.put(made, optimised, steps)
    if "compile" in wanted or "cache" in wanted:
        _tell(program.name, report, len(kernels), before)
    fit = None
    if options.memory_limit is not None:
        from .to_steps import Fitting

        fit = Fitting(program, options, steps, kernels, _addresses)
    plain = replace(options, compile="wait", memory_limit=None)
    pieces = NativePieces(lambda piece: compile_program(piece, options=plain))
    return Executable(optimised, steps, kernels, dict(callbacks or {}), report, fit, pieces=pieces)


def _found(file: str, report: CompileReport) -> tuple[Program, Steps] | None:
    """What another process made of the program."""
    start = time.perf_counter()
    with span("find program"):
        found: tuple[Program, Steps] | None = program_cache.find(file)
    if found is not None:
        report.seconds["found"] = time.perf_counter() - start
    return found


def _tell(name: str, report: CompileReport, count: int, before: kernel_cache.Stats) -> None:
    """Log what compiling took, and where the kernels came from."""
    phases = ", ".join(f"{phase} {seconds:.3f} s" for phase, seconds in report.seconds.items())
    log("compile", f"{name}: {count} kernels; {phases}")
    now = kernel_cache.stats()
    found = {"from memory": now.memory - before.memory, "from disk": now.disk - before.disk}
    found["compiled"] = now.compiled - before.compiled
    log("cache", f"{name}: " + ", ".join(f"{n} {what}" for what, n in found.items()) + f" ({cache_files.directory()})")


class _Kernels(dict[int, int]):
    """The address of each kernel source, by the source object's identity; the code is there as long as this is."""

    codes: frozenset[kernel_cache.Code]


def _addresses(steps: Steps, background: bool = False) -> _Kernels:
    """Address of each kernel source."""
    sources = [s.kernel.source for s in steps.steps if isinstance(s, KernelStep)]
    try:
        found, codes = kernel_cache.held(sources, background=background)
    except KernelCompileError as error:
        raise _explained(error, steps) from error
    made = _Kernels({id(source): address for source, address in zip(sources, found, strict=True)})
    made.codes = codes
    return made


def _explained(error: KernelCompileError, steps: Steps) -> KernelError:
    """The error in terms of the program: which operations the kernel is for, and a file with its source."""
    of_it = (s for s in steps.steps if isinstance(s, KernelStep) and s.kernel.source == error.source)
    operation = next((s.operation for s in of_it), None)
    group = "" if operation is None else f"\nits operations:\n{_text_of(operation)}"
    place = kernel_cache.keep_source(error.source)
    where = f"its source: {place}" if place is not None else f"its source:\n{error.source.body}"
    return KernelError(
        f"{error.message}\n{where}{group}", loc=operation.loc if operation is not None else None,
        remedy="this is a fault of vitrify: please report it with the kernel's source",
    )  # fmt: skip


def _text_of(operation: Operation) -> str:
    inner = operation.blocks[0].operations[:-1] if operation.name == "group" else [operation]
    lines = []
    for one in inner:
        made = ", ".join(str(r.type) for r in one.results)
        lines.append(f"  {one.name} {', '.join(str(v.type) for v in one.operands)} : {made}  ({one.loc.short()})")
    return "\n".join(lines)
