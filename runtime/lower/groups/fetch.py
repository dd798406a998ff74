"""Rows ask for the next row's memory: it comes while this row, which is in the cache, is swept for the last time.

Rows of large results that the program doesn't read again are made in a local array and go to memory past the caches:
an ordinary store would bring each line into the cache first.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ....base.target import current_target
from ....ir.core import Value
from ....ops.kernel_expressions import ZERO, Expr, Name, smaller
from ...kernel.kernel_builder import KernelBuilder
from ..parameters import Parameters
from .axes import Axis


def fetch_rows(
    builder: KernelBuilder, parameters: Parameters, reads: Mapping[Value, set[tuple[Expr, ...]]],
    index: Sequence[Expr], kept: Axis, folded: Axis,
) -> None:  # fmt: skip
    """Ask, before the last sweep of row `r`, for all inputs that the sweeps before have read element by element."""
    place, size = list(index), folded.size
    place[folded.members[-1]] = Name("j0")
    read = [value for value, places in reads.items() if places == {tuple(place)}]
    least, most = current_target().fetched_bytes
    if not isinstance(size, int) or not least <= size * sum(v.dtype.itemsize for v in read) <= most:
        return
    place[folded.members[-1]] = ZERO
    place[kept.members[-1]] = builder.let("q", smaller(Name("r") + 1, Name("hi") - 1))
    for value in read:
        builder.do("fetch", parameters.pointer(value), parameters.at(value, place), size)


def streamed_rows(results: Sequence[Value], folded: Sequence[Axis], costliest: int) -> dict[Value, Name]:
    """The results of a last sweep whose rows go past the caches, with the local array of each.

    costliest: the arithmetic cost of the costliest operation on an element.
    """
    size = folded[0].size if len(folded) == 1 else None
    target = current_target()
    if not isinstance(size, int) or costliest > target.core.streams_up_to:
        return {}
    chosen = []
    least, most = target.fetched_bytes
    for value in results:
        whole, row = value.tensor_type.size * value.dtype.itemsize, size * value.dtype.itemsize
        fits = least <= row <= most and row % target.caches.line == 0
        fits = fits and isinstance(whole, int) and whole >= target.streamed_bytes
        if fits and value.dtype.is_floating and is_only_returned(value):
            chosen.append(value)
    return {value: Name(f"o{k}") for k, value in enumerate(chosen)}


def is_only_returned(value: Value) -> bool:
    """Whether nothing reads it but the program's return, seen out of the group that makes it."""
    for user, place in value.uses:
        group = user.holder if user.name == "yield" else None
        outside = group is not None and group.name == "group" and is_only_returned(group.results[place])
        if user.name != "return" and not outside:
            return False
    return True


def store_rows(
    builder: KernelBuilder, parameters: Parameters, streamed: Mapping[Value, Name], index: Sequence[Expr],
    folded: Sequence[Axis],
) -> None:  # fmt: skip
    """Store, behind the last sweep of row `r`, the rows that were made in local arrays."""
    for value, local in streamed.items():
        place = [ZERO if k in folded[0].members else i for k, i in enumerate(index)]
        pointer = parameters.pointer(value, "out")
        builder.do("stream", pointer, parameters.at(value, place), local, parameters.dim(folded[0].size))
