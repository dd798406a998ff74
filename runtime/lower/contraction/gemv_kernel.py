"""GEMV: products of one row with a small matrix of known size, as kernels that take less than a call of BLAS."""

from __future__ import annotations

from collections.abc import Sequence

from ....ir.core import Operation, Value
from ..element import ElementWriter, store_all
from ..folds import weight_of
from ..kernel import Kernel, Parameters, Writer


def gemv_kernel(name: str, head: Operation, operations: Sequence[Operation], outputs: Sequence[Value]) -> Kernel:
    """The kernel of such a product, alone or with what is done to its row afterwards."""
    x, y = head.operands
    transposed = head.attrs["transpose_y"]
    columns, depth = y.tensor_type.shape if transposed else y.tensor_type.shape[::-1]
    short, parameters, writer = x.dtype.short, Parameters(), Writer()
    a, b = parameters.pointer(x), parameters.pointer(y)
    is_plain = list(outputs) == [head.result]
    with writer.on_behalf_of(head):
        if not is_plain:
            writer.line(f"sums = local_{short}({columns})")
        out = parameters.pointer(head.result, "out") if is_plain else "sums"
        writer.line("for r in range(lo, hi):")
        writer.depth += 1
        function = "gemv_transposed" if transposed else "gemv"
        writer.line(f"{function}_{short}({depth}, {columns}, {a}, 0, {b}, 0, {out}, 0, back)")
    if not is_plain:
        elements = ElementWriter(
            parameters, writer, set(operations) - {head}, lambda value, _: _sum(value, head, elements)
        )
        writer.line(f"for c in range({columns}):")
        writer.depth += 1
        elements.push()
        store_all(outputs, ["0", "c"], elements)
    work = depth * columns + columns * sum(weight_of(o) for o in operations if o is not head)
    return Kernel(
        parameters.source(name, writer.text()), parameters.slots, parameters.dims, 1, work,
        checks=parameters.has_status, origins=writer.origins,
    )  # fmt: skip


def _sum(value: Value, head: Operation, elements: ElementWriter) -> str | None:
    return elements.bind("sums[c]") if value is head.result else None
