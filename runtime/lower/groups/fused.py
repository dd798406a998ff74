"""The kernel of a fused group: the epilogue of its contraction, a map, rows or columns; in tiles where a map reads an
array across its rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ....base.target import current_target
from ....ir.core import Operation, Value
from ....ops.types import Shape
from ...kernel.index_sets import split_loops
from ...kernel.kernel_call import Kernel
from ..registry import contraction_kernel
from .axes import folds_outer_only
from .few_columns import FewColumnWriter
from .group_writer import GroupWriter
from .rows import RowWriter
from .short_rows import ShortRowWriter, has_wide_rows
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
    writer = _writer(operations, outputs, domain, axes)(name, operations, outputs, domain, axes)
    kernel = writer.write()
    transposed = transposed_reads(writer)
    if transposed is not None:
        return TransposedMapWriter(name, operations, outputs, domain, axes, transposed=transposed).write()
    lanes = current_target().lanes(min(value.dtype.itemsize for value in outputs))
    return replace(kernel, body=split_loops(kernel.body, kernel.extent, lanes))


def _writer(
    operations: Sequence[Operation], outputs: Sequence[Value], domain: Shape, axes: tuple[int, ...] | None
) -> type[GroupWriter]:
    if axes is None:
        return GroupWriter
    is_short = ShortRowWriter.takes(operations, outputs, domain, axes)
    if folds_outer_only(domain, axes):
        return ShortRowWriter if is_short and has_wide_rows(domain, axes) else FewColumnWriter
    return ShortRowWriter if is_short else RowWriter
