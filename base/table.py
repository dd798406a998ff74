"""Aligned text tables for reports."""

from __future__ import annotations

from collections.abc import Sequence


def table(header: Sequence[str], rows: Sequence[Sequence[object]], *, right: Sequence[int] = ()) -> str:
    """Lay out rows under a header in aligned columns; columns listed in `right` are right-aligned.

    >>> print(table(["op", "n"], [["add", 3], ["mul", 12]], right=[1]))
    op    n
    ---  --
    add   3
    mul  12
    """
    cells = [[str(c) for c in header], *([str(c) for c in row] for row in rows)]
    widths = [max(len(row[k]) for row in cells) for k in range(len(header))]

    def line(row: Sequence[str]) -> str:
        parts = [c.rjust(w) if k in right else c.ljust(w) for k, (c, w) in enumerate(zip(row, widths, strict=True))]
        return "  ".join(parts).rstrip()

    return "\n".join([line(cells[0]), line(["-" * w for w in widths]), *(line(r) for r in cells[1:])])
