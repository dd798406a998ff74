"""Rows ask for the next row's memory: it comes while this row, which is in the cache, is swept for the last time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ...ir.core import Value
from .axes import Axis
from .kernel import Parameters

LEAST, MOST = 256, 16384  # bytes of rows that are asked for: more than a few lines, a third of an L1


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
