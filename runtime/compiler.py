"""A program to an Executable: passes, steps, kernels. Binding to sizes happens at the first call with them."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ..base.errors import KernelError
from ..base.events import span
from ..ir.core import Program
from ..ir.walk import clone_program
from ..passes.manager import PassManager
from ..passes.pipelines import default_pipeline
from . import kernel_cache
from .executor import Executable
from .kernel_cache import KernelCompileError
from .lifetimes import set_lifetimes
from .linearise import linearise
from .steps import KernelStep, Steps

Callbacks = Mapping[str, Callable[..., Any]]


@dataclass(slots=True)
class CompileReport:
    """What compiling cost and what it went through: seconds per phase, program text per stage."""

    seconds: dict[str, float] = field(default_factory=dict)
    stages: list[tuple[str, str]] = field(default_factory=list)


def compile_program(
    program: Program, *, callbacks: Callbacks | None = None, passes: Sequence[Any] | None = None, keep: bool = False
) -> Executable:
    """Compile a copy of `program`; the program itself stays as it is.

    Errors: KernelError if a generated kernel doesn't compile (a fault of ours, with the kernel's text).
    """
    report = CompileReport()
    optimised = clone_program(program)
    start = time.perf_counter()
    manager = PassManager(default_pipeline() if passes is None else passes, keep=keep)
    manager.run(optimised)
    report.stages, report.seconds["passes"] = manager.stages, time.perf_counter() - start
    start = time.perf_counter()
    with span("lower"):
        steps = linearise(optimised)
        set_lifetimes(steps)
    report.seconds["lower"] = time.perf_counter() - start
    start = time.perf_counter()
    with span("kernels"):
        kernels = _addresses(steps)
    report.seconds["kernels"] = time.perf_counter() - start
    return Executable(optimised, steps, kernels, dict(callbacks or {}), report)


def _addresses(steps: Steps) -> dict[int, int]:
    """Address of each kernel source, by the source object's identity."""
    sources = [s.kernel.source for s in steps.steps if isinstance(s, KernelStep) and s.kernel is not None]
    try:
        found = kernel_cache.addresses(sources)
    except KernelCompileError as error:
        raise KernelError(str(error), remedy="this is a fault of vitrify: please report it with the program") from error
    return {id(source): address for source, address in zip(sources, found, strict=True)}
