"""GEMV: products of one row with a small matrix of known size, as kernels that take less than a call of BLAS."""

from __future__ import annotations

from ....ops.kernel_expressions import ZERO
from ...kernel.kernel_builder import KernelBuilder
from ...kernel.kernel_call import Kernel
from ...kernel.statements import LoopKind
from ..parameters import Parameters
from ..registry import ContractionGroup
from .epilogue import Epilogue


def gemv_kernel(group: ContractionGroup) -> Kernel:
    """The kernel of such a product, alone or with what is done to its row afterwards."""
    head = group.head
    x, y = head.operands
    transposed, short = head.attrs["transpose_y"], x.dtype.short
    columns, depth = y.tensor_type.shape if transposed else y.tensor_type.shape[::-1]
    assert isinstance(columns, int) and isinstance(depth, int), head
    function = f"gemv_transposed_{short}" if transposed else f"gemv_{short}"
    parameters, builder = Parameters(), KernelBuilder()
    a, b = parameters.pointer(x), parameters.pointer(y)
    epilogue = Epilogue(group, parameters, builder)
    with builder.on_behalf_of(head):
        is_plain = epilogue.is_empty
        out = parameters.pointer(head.result, "out") if is_plain else builder.local("sums", short, columns)
        with builder.loop("r", "lo", "hi", kind=LoopKind.PARALLEL):
            builder.do(function, depth, columns, a, 0, b, 0, out, 0, "back")
            if not is_plain:
                with epilogue.loop("c", 0, parameters.dim(head.result.tensor_type.shape[-1])) as c:
                    epilogue.store(out[c], [ZERO, c])
    return parameters.kernel(group.name, builder, 1, depth * columns + columns * epilogue.weight)
