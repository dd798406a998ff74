"""How many elements a mask picks is counted, and then a size like any other: kernels pick the elements.

`masked_select`, `nonzero` and `unique` would run on NumPy, one step each, and so would what follows on arrays that lie
outside of the VM. A count is a number of the program, and `picked` is a kernel: both fuse with their neighbours.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from ...base import dtype as dt
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
    """Put a count, `bind_size` and kernels for `masked_select`, `nonzero` and `unique` outside of loops and branches.

    What one mask picks has one size then.
    """

    name = "counted_sizes"

    def run(self, program: Program) -> bool:
        sizes: dict[Value, Dim] = {}
        same: dict[str, Dim] = {}
        found = [o for o in program.body.operations if o.name in _MEANINGS and is_native(o) and _is_counted(o)]
        for operation in found:
            (size,) = operation.attrs["defines"]
            with ahead_of(operation).active():
                mask, meaning = _MEANINGS[operation.name][1](operation)
                if mask in sizes:
                    same[str(size)] = sizes[mask]
                else:
                    sizes[mask] = size
                    OPS["bind_size"](count_true(mask), defines=(size,))
                made = meaning(size)
            for result, value in zip(operation.results, made if isinstance(made, tuple) else (made,), strict=True):
                result.replace_by(value)
            operation.erase()
        if same:
            put_sizes(program, same)
        return bool(found)


_Meaning = tuple[Any, Callable[[Dim], Any]]  # a mask, and what is made of the size that it has


def _is_counted(operation: Operation) -> bool:
    return _MEANINGS[operation.name][0](operation)


def _is_whole(operation: Operation) -> bool:
    """Whether it has axes, and the mask all of those that are picked from."""
    x = operation.operands[0]
    return x.ndim > 0 and all(same_shape(x.shape, v.shape) for v in operation.operands)


def _is_line_of_numbers(operation: Operation) -> bool:
    """Whether all elements are compared, of which there are some, and a kernel sorts them."""
    x = operation.operands[0].tensor_type
    sorted_ = x.dtype.is_integer or x.dtype in (dt.float32, dt.float64)
    some = isinstance(x.size, int) and x.size > 0
    return some and sorted_ and not x.dtype.is_bool and operation.attrs.get("axis") is None


def _mask(operation: Operation) -> Any:
    x = operation.operands[-1]
    return x if x.dtype.is_bool else OPS["not_equal"](x, zeros_of(x.shape, x.dtype))


def _select(operation: Operation) -> _Meaning:
    mask = _mask(operation)
    return mask, lambda size: picked(operation.operands[0], mask, count=size)


def _nonzero(operation: Operation) -> _Meaning:
    mask = _mask(operation)
    return mask, lambda size: index_of(picked_places(mask, count=size), mask.shape)


MOST_ORDERED = 4096  # integers that `unique` orders for their places: of more, the host counts small ones in one go


def _is_ordered(operation: Operation) -> bool:
    x = operation.operands[0].tensor_type
    return _is_line_of_numbers(operation) and (x.dtype.is_floating or x.size <= MOST_ORDERED)


def _differs(line: Any) -> Any:
    """Whether each element of an ordered line differs from the one before."""
    count = line.shape[0]
    first = OPS["full"](shape=(1,), fill_value=True, dtype=dt.bool_)
    later = OPS["slice"](line, starts=(1,), sizes=(count - 1,), strides=(1,))
    before = OPS["slice"](line, starts=(0,), sizes=(count - 1,), strides=(1,))
    differs = OPS["not_equal"](later, before)
    if line.dtype.is_floating:  # all NaN are one, and stand last
        differs = OPS["logical_and"](differs, OPS["equal"](before, before))
    return OPS["concat"]([first, differs], axis=0)


def _counts(starts: Any, count: int) -> Any:
    """How long runs are that begin at `starts`, in a line of `count` elements."""
    end = OPS["full"](shape=(1,), fill_value=count, dtype=dt.int64)
    later = OPS["slice"](starts, starts=(1,), sizes=(starts.shape[0] - 1,), strides=(1,))
    return OPS["subtract"](OPS["concat"]([later, end], axis=0), starts)


def _line(operation: Operation) -> Any:
    (x,) = operation.operands
    return OPS["reshape"](x, (x.tensor_type.size,))


def _unique(operation: Operation) -> _Meaning:
    """In order, each that differs from the one before is picked."""
    line = OPS["sorted_values"](_line(operation), axis=0, descending=False)
    mask = _differs(line)
    return mask, lambda size: picked(line, mask, count=size)


def _unique_and_counts(operation: Operation) -> _Meaning:
    line = OPS["sorted_values"](_line(operation), axis=0, descending=False)
    mask = _differs(line)
    return mask, lambda size: (
        picked(line, mask, count=size), _counts(picked_places(mask, count=size), line.shape[0])
    )  # fmt: skip


def _unique_and_places(operation: Operation) -> _Meaning:
    """The same by a stable order: the first of equal elements stands first."""
    line = _line(operation)
    order = OPS["argsort"](line, axis=0, descending=False)
    mask = _differs(OPS["gather"](line, order, axis=0))

    def meaning(size: Dim) -> tuple[Any, ...]:
        starts = picked_places(mask, count=size)
        first = OPS["gather"](order, starts, axis=0)
        numbers = OPS["subtract"](
            OPS["cumsum"](OPS["cast"](mask, dt.int64), axis=0), OPS["full"](shape=(), fill_value=1, dtype=dt.int64)
        )
        inverse = OPS["put_along_axis"](zeros_of(order.shape, dt.int64), order, numbers, axis=0)
        return OPS["gather"](line, first, axis=0), first, inverse, _counts(starts, line.shape[0])

    return mask, meaning


_MEANINGS: Mapping[str, tuple[Callable[[Operation], bool], Callable[[Operation], _Meaning]]] = {
    "masked_select": (_is_whole, _select), "nonzero": (_is_whole, _nonzero),
    "unique_values": (_is_line_of_numbers, _unique), "unique_counts": (_is_line_of_numbers, _unique_and_counts),
    "unique_parts": (_is_ordered, _unique_and_places),
}  # fmt: skip
