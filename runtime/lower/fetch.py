"""Rows ask for the next row's memory: it comes while this row, which is in the cache, is swept for the last time.

Rows of large results that the program doesn't read again are made in a local array and go to memory past the caches:
an ordinary store would bring each line into the cache first.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ...ir.core import Operation, Value
from .axes import Axis
from .kernel import Parameters

LEAST, MOST = 256, 16384  # bytes of rows that are asked for: more than a few lines, a third of an L1
STREAMED = 8 << 20  # bytes of a result from which on it doesn't stay in a core's cache anyway


def fetch_lines(
    parameters: Parameters, reads: Mapping[Value, set[tuple[str, ...]]], index: Sequence[str], kept: Axis, folded: Axis
) -> list[str]:
    """Lines before the last sweep of row `r`, of all inputs that the sweeps before have read element by element."""
    place, size = list(index), folded.size
    place[folded.members[-1]] = "j0"
    read = [value for value, places in reads.items() if places == {tuple(place)}]
    if not isinstance(size, int) or not LEAST <= size * sum(v.dtype.itemsize for v in read) <= MOST:
        return []
    place[folded.members[-1]], place[kept.members[-1]] = "0", "q"
    asked = [f"fetch({parameters.pointer(v)}, {parameters.at(v, place)}, {size})" for v in read]
    return ["q = min(r + 1, hi - 1)", *asked]


def streamed_rows(results: Sequence[Value], folded: Sequence[Axis]) -> dict[Value, str]:
    """The results of a last sweep whose rows go past the caches, with the local array of each."""
    size = folded[0].size if len(folded) == 1 else None
    if not isinstance(size, int):
        return {}
    chosen = []
    for value in results:
        whole, row = value.tensor_type.size * value.dtype.itemsize, size * value.dtype.itemsize
        fits = LEAST <= row <= MOST and row % 64 == 0 and isinstance(whole, int) and whole >= STREAMED
        if fits and value.dtype.is_floating and _is_only_returned(value):
            chosen.append(value)
    return {value: f"o{k}" for k, value in enumerate(chosen)}


def _is_only_returned(value: Value) -> bool:
    """Whether nothing reads it but the program's return, seen out of the group that makes it."""
    for user, place in value.uses:
        owner = user.parent.parent if user.parent is not None else None
        outside = user.name == "yield" and isinstance(owner, Operation) and owner.name == "group"
        if not (user.name == "return" or (outside and _is_only_returned(owner.results[place]))):  # type: ignore[union-attr]
            return False
    return True


def stream_lines(
    parameters: Parameters, streamed: Mapping[Value, str], index: Sequence[str], folded: Sequence[Axis]
) -> list[str]:
    """Lines behind the last sweep of row `r`."""
    lines = []
    for value, local in streamed.items():
        place = ["0" if k in folded[0].members else i for k, i in enumerate(index)]
        pointer = parameters.pointer(value, "out")
        lines.append(f"stream({pointer}, {parameters.at(value, place)}, {local}, {folded[0].size})")
    return lines
