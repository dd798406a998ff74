"""GEMV: products of one row with a small matrix of known size, as kernels that take less than a call of BLAS."""

from __future__ import annotations

from collections.abc import Sequence

from ....ir.core import Operation, Value
from ....ops.kernel_expressions import ZERO, Expr
from ....ops.lowering import Index
from ...kernel.kernel_builder import KernelBuilder
from ...kernel.statements import LoopKind
from ..element import ElementWriter, store_all
from ..folds import weight_of
from ..kernel import Kernel, Parameters


def gemv_kernel(name: str, head: Operation, operations: Sequence[Operation], outputs: Sequence[Value]) -> Kernel:
    """The kernel of such a product, alone or with what is done to its row afterwards."""
    x, y = head.operands
    transposed, short = head.attrs["transpose_y"], x.dtype.short
    columns, depth = y.tensor_type.shape if transposed else y.tensor_type.shape[::-1]
    assert isinstance(columns, int) and isinstance(depth, int), head
    function = f"gemv_transposed_{short}" if transposed else f"gemv_{short}"
    parameters, builder = Parameters(), KernelBuilder()
    a, b = parameters.pointer(x), parameters.pointer(y)
    after = [o for o in operations if o is not head]
    with builder.on_behalf_of(head):
        is_plain = list(outputs) == [head.result]
        out = parameters.pointer(head.result, "out") if is_plain else builder.local("sums", short, columns)
        with builder.loop("r", "lo", "hi", kind=LoopKind.PARALLEL):
            builder.do(function, depth, columns, a, 0, b, 0, out, 0, "back")
            if not is_plain:
                _finish(builder, parameters, head, (after, outputs), out)
    work = depth * columns + columns * sum(map(weight_of, after))
    return parameters.kernel(name, builder, 1, work)


def _finish(
    builder: KernelBuilder, parameters: Parameters, head: Operation,
    what: tuple[Sequence[Operation], Sequence[Value]], sums: Expr,
) -> None:  # fmt: skip
    """What is done to the row of sums."""
    operations, outputs = what
    with builder.on_behalf_of(None), builder.loop("c", 0, parameters.dim(head.result.tensor_type.shape[-1])) as c:

        def sum_of(value: Value, index: Index) -> Expr | None:
            return elements.bind(sums[c]) if value is head.result else None

        elements = ElementWriter(parameters, builder, set(operations), sum_of)
        store_all(outputs, [ZERO, c], elements)
