"""Which results of a fused group may take the memory of an input."""

from __future__ import annotations

from typing import Any

from ....ir.core import Value
from ....ops.dims import same_shape


def in_place(writer: Any) -> dict[Value, tuple[Value, ...]]:
    """Results that may take an input's memory: each element is read where it is stored, nowhere else, and not later.

    writer: the GroupWriter that has written the kernel.
    """
    out: dict[Value, tuple[Value, ...]] = {}
    for value in writer.outputs:
        if not writer._is_full(value) or (writer.loops and writer.axes is not None and writer.loops[-1].kept):
            continue
        kind, later = value.tensor_type, set[Value]().union(*writer.read_in[writer.sweep_of.get(value, 0) + 1 :])
        out[value] = tuple(
            i for i, indices in writer.elements.reads.items()
            if same_shape(i.tensor_type.shape, kind.shape) and i.dtype is kind.dtype and i not in later
            and same_shape(i.tensor_type.shape, writer.domain) and indices == {writer.stored_at[value]}
        )  # fmt: skip
    return out
