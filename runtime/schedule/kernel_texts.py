"""Passes that change kernels, not steps: how they round, and which of them have one text.

Kernels of a program that differ only in sizes which cost nothing to leave open become one. Layers of a network differ
in their numbers of channels, say, which are factors of indices. Compile time then grows with the kinds of kernels, not
with layers. A kernel without another one of its kind keeps its numbers.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from ..kernel.kernel_call import Kernel
from ..kernel_cache import KernelSource
from ..lower.kernel_abstraction import abstracted, apart, merged, skeleton, with_free_sizes
from .program_steps import KernelStep, Steps
from .schedule_pass import SchedulePass


@dataclass(frozen=True)
class Numerics(SchedulePass):
    """Mark kernels as "fast" if that is the mode, unless the program needs equal values to be equal to the bit."""

    name = "numerics"
    after = ("time_tiling", "loop_kernels", "batched_launches")
    mode: str = "ieee"

    def run(self, program: Steps) -> bool:
        if self.mode != "fast" or program.is_exact:
            return False
        for step in program.steps:
            if isinstance(step, KernelStep) and step.kernel is not None:
                step.kernel = replace(step.kernel, fast=True)
        return True


@dataclass(frozen=True)
class SharedKernels(SchedulePass):
    """Give kernels that differ in free sizes only one text, which takes those sizes."""

    name = "shared_kernels"
    after = ("share_pointers", "loop_kernels", "batched_launches", "numerics")

    def run(self, program: Steps) -> bool:
        alike: dict[KernelSource, list[tuple[KernelStep, Kernel]]] = {}
        for step in program.steps:
            if type(step) is KernelStep and (kernel := step.kernel) is not None:
                alike.setdefault(kernel.source, []).append((step, kernel))
        kinds: dict[object, list[list[tuple[KernelStep, Kernel]]]] = {}
        for calls in alike.values():
            first = calls[0][1]
            if not first.rows:  # sizes of a batched launch are those of all its rows
                kinds.setdefault(skeleton(apart(first), with_free_sizes), []).append(calls)
        shared = [[call for calls in kind for call in calls] for kind in kinds.values() if len(kind) > 1]
        for calls in shared:
            kernels = merged(abstracted([apart(kernel) for _, kernel in calls], with_free_sizes))
            for (step, _), kernel in zip(calls, kernels, strict=True):
                step.kernel = kernel
        return bool(shared)
