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
            if isinstance(step, KernelStep):
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
            if type(step) is KernelStep:
                alike.setdefault(step.kernel.source, []).append((step, step.kernel))
        kinds: dict[object, list[_Text]] = {}
        for calls in alike.values():
            if not calls[0][1].rows:  # sizes of a batched launch are those of all its rows
                text = _Text.of(calls)
                kinds.setdefault(text.skeleton, []).append(text)
        shared = [texts for texts in kinds.values() if len(texts) > 1]
        for texts in shared:
            made = abstracted([text.kernel for text in texts], [text.sizes for text in texts], with_free_sizes)
            calls = [call for text, kernel in zip(texts, made, strict=True) for call in text.calls_with(kernel)]
            for (step, _), kernel in zip(calls, merged([kernel for _, kernel in calls]), strict=True):
                step.kernel = kernel
        return bool(shared)


@dataclass(frozen=True)
class _Text:
    """A text, the kernel with arguments of their own, which sizes those are, and the steps that call it."""

    kernel: Kernel
    numbers: list[int]
    skeleton: object
    sizes: list[int]
    calls: list[tuple[KernelStep, Kernel]]

    @classmethod
    def of(cls, calls: list[tuple[KernelStep, Kernel]]) -> _Text:
        kernel, numbers = apart(calls[0][1])
        return cls(kernel, numbers, *skeleton(kernel, with_free_sizes), calls)

    def calls_with(self, made: Kernel) -> list[tuple[KernelStep, Kernel]]:
        """The steps, each with its kernel's own sizes and those that were added, for the body that was made."""
        added = made.dims[len(self.numbers) :]
        return [
            (step, replace(kernel, body=made.body, dims=[*(kernel.dims[n] for n in self.numbers), *added]))
            for step, kernel in self.calls
        ]
