"""Numerics: kernels of a program compiled with "fast" numerics are marked, so that LLVM may reorder and contract."""

from __future__ import annotations

from dataclasses import dataclass, replace

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
