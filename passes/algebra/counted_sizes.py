"""How many elements a mask picks is counted, and then a size like any other: kernels pick the elements.

`masked_select` and `nonzero` would run on NumPy, one step each, and so would what follows on arrays that lie outside of
the VM. A count is a number of the program, and `picked` is a kernel: both fuse, or join a piece, with their neighbours.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ...ir.builder import ahead_of
from ...ir.core import Operation, Program, Value
from ...ir.walk import put_sizes
from ...ops.data_sized import count_true, index_of, picked, picked_places
from ...ops.dims import Dim, same_shape
from ...ops.index import zeros_of
from ...ops.op import OPS
from ..fusion.fusion_facts import is_native
from ..manager import Pass


@dataclass(frozen=True)
class CountedSizes(Pass):
    """Put a count, `bind_size` and kernels for `masked_select` and `nonzero` outside of loops and branches.

    What one mask picks has one size then.
    """

    name = "counted_sizes"

    def run(self, program: Program) -> bool:
        sizes: dict[Value, Dim] = {}
        same: dict[str, Dim] = {}
        found = [o for o in program.body.operations if o.name in _MEANINGS and is_native(o) and _is_whole(o)]
        for operation in found:
            (size,) = operation.attrs["defines"]
            with ahead_of(operation).active():
                mask = _mask(operation)
                if mask in sizes:
                    same[str(size)] = sizes[mask]
                else:
                    sizes[mask] = size
                    OPS["bind_size"](count_true(mask), defines=(size,))
                made = _MEANINGS[operation.name](operation, mask, size)
            operation.result.replace_by(made)
            operation.erase()
        if same:
            put_sizes(program, same)
        return bool(found)


def _is_whole(operation: Operation) -> bool:
    """Whether it has axes, and the mask all of those that are picked from."""
    x = operation.operands[0]
    return x.ndim > 0 and all(same_shape(x.shape, v.shape) for v in operation.operands)


def _mask(operation: Operation) -> Any:
    x = operation.operands[-1]
    return x if x.dtype.is_bool else OPS["not_equal"](x, zeros_of(x.shape, x.dtype))


def _select(operation: Operation, mask: Any, size: Dim) -> Any:
    return picked(operation.operands[0], mask, count=size)


def _nonzero(operation: Operation, mask: Any, size: Dim) -> Any:
    return index_of(picked_places(mask, count=size), mask.shape)


_MEANINGS = {"masked_select": _select, "nonzero": _nonzero}
