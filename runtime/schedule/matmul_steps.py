"""A matmul as a step: by a custom kernel, by the library, or by either, as the number of rows in a call decides."""

from __future__ import annotations

from collections.abc import Callable

from ...ir.core import Operation
from ...passes.fusion.custom_gemm import custom_gemm_of
from ..lower.kernel import Kernel
from .program_steps import Buffer, CustomGemmStep, GemmStep, KernelStep, ProgramStep


def matmul_step(
    operation: Operation, kernel_of: Callable[[Operation], Kernel], a: Buffer, b: Buffer, out: Buffer
) -> ProgramStep:
    """The step of a `matmul` of f32 or f64; `kernel_of` makes its kernel if it has one."""
    library = GemmStep(operation, a, b, out, operation.attrs["transpose_x"], operation.attrs["transpose_y"])
    own = custom_gemm_of(operation)
    if own is None or not own.pays_alone:
        return library
    kernel = kernel_of(operation)
    places = {own.x: a, own.y: b, operation.result: out}
    buffers = [places[slot.value] for slot in kernel.slots if slot.value is not None]
    if isinstance(own.rows, int):
        return KernelStep(operation, kernel, buffers)
    return CustomGemmStep(operation, kernel, buffers, library, own.rows, own.least_rows)
