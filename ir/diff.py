"""A readable difference of two texts: lines that differ only by the numbers of values or of steps count as equal."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator

from .core import Program
from .printer import print_program

_POSITION = re.compile(r"[%#][0-9]+\b")  # of values, and of steps of a compiled program


def diff(a: Program | str, b: Program | str, context: int = 2) -> str:
    """Lines of `a` (-) and of `b` (+) that differ, with some lines around them; empty for the same program.

    One operation, or step, more or less shifts the numbers of all behind it. So lines are matched without the numbers,
    and a matched line is shown as a change only if its values are really others.
    """
    left, right = (p if isinstance(p, str) else print_program(p) for p in (a, b))
    pairs = list(_paired(left.splitlines(), right.splitlines()))
    shown = {j for k, (sign, _) in enumerate(pairs) if sign != " " for j in range(k - context, k + context + 1)}
    out: list[str] = []
    for k, (sign, line) in enumerate(pairs):
        if k in shown:
            if k and k - 1 not in shown:
                out.append("  ...")
            out.append(f"{sign} {line}")
    return "\n".join(out)


def _paired(left: list[str], right: list[str]) -> Iterator[tuple[str, str]]:
    """(sign, line) for all lines: `-` only left, `+` only right, ` ` in both."""
    bare = [[_POSITION.sub(lambda found: found[0][0], line) for line in lines] for lines in (left, right)]
    names: dict[str, str] = {}
    for tag, i0, i1, j0, j1 in difflib.SequenceMatcher(None, bare[0], bare[1], autojunk=False).get_opcodes():
        if tag != "equal":
            yield from (("-", line) for line in left[i0:i1])
            yield from (("+", line) for line in right[j0:j1])
            continue
        for old, new in zip(left[i0:i1], right[j0:j1], strict=True):
            if _same_values(old, new, names):
                yield " ", new
            else:
                yield "-", old
                yield "+", new


def _same_values(old: str, new: str, names: dict[str, str]) -> bool:
    """Whether the numbered values of two lines correspond; `names` learns each pair at its definition."""
    pairs = list(zip(_POSITION.findall(old), _POSITION.findall(new), strict=True))
    known = [names.setdefault(x, y) == y for x, y in pairs]
    return all(known)
