"""The kernel of a fused group: as the epilogue of its contraction, or as group.py writes it, or in tiles where it reads
an array across its rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ...ir.core import Operation, Value
from ...ops.types import Shape
from ..kernel.index_sets import split_loops
from ..kernel.kernel_call import Kernel
from .group import GroupWriter
from .registry import contraction_kernel
from .transposed_maps import TransposedMapWriter, transposed_reads


def group_kernel(
    name: str,
    operations: Sequence[Operation],
    outputs: Sequence[Value],
    domain: Shape,
    axes: tuple[int, ...] | None,
) -> Kernel:
    """The kernel of a group; `outputs` are results of its operations to store."""
    contraction = contraction_kernel(name, operations, outputs)
    if contraction is not None:
        return contraction
    writer = GroupWriter(name, operations, outputs, domain, axes)
    kernel = writer.write()
    transposed = transposed_reads(writer)
    if transposed is not None:
        return TransposedMapWriter(name, operations, outputs, domain, axes, transposed=transposed).write()
    return replace(kernel, body=split_loops(kernel.body, kernel.extent))
