"""Between which numbers the integers of a result lie, given those of the operands (interval arithmetic).

A rule gets one pair (least, largest) per operand, None for an operand of floats, and gives a pair, or None where it
knows nothing. Rules compute with numbers of any size: who asks sees to dtypes that are too narrow for what comes out.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

Bounds = tuple[int, int]
Rule = Callable[..., "Bounds | None"]


def _union(*pairs: Bounds | None) -> Bounds | None:
    """Elements that are elements of the operands."""
    known = [pair for pair in pairs if pair is not None]
    return (min(a for a, _ in known), max(b for _, b in known)) if len(known) == len(pairs) else None


def _first(x: Bounds | None, *_: Bounds | None) -> Bounds | None:
    """Elements that are elements of the first operand."""
    return x


def _add(x: Bounds, y: Bounds) -> Bounds:
    return x[0] + y[0], x[1] + y[1]


def _subtract(x: Bounds, y: Bounds) -> Bounds:
    return x[0] - y[1], x[1] - y[0]


def _multiply(x: Bounds, y: Bounds) -> Bounds:
    corners = [a * b for a, b in product(x, y)]
    return min(corners), max(corners)


def _floor_divide(x: Bounds, y: Bounds) -> Bounds | None:
    if y[0] <= 0:
        return None
    corners = [a // b for a, b in product(x, y)]
    return min(corners), max(corners)


def _remainder(x: Bounds, y: Bounds) -> Bounds | None:
    if y[0] < 0:
        return None
    return x if x[0] >= 0 and x[1] < y[0] else (0, max(y[1] - 1, 0))  # modulo 0 is 0


def _bitwise_and(x: Bounds, y: Bounds) -> Bounds | None:
    kept = [high for low, high in (x, y) if low >= 0]
    return (0, min(kept)) if kept else None


def _maximum(x: Bounds, y: Bounds) -> Bounds:
    return max(x[0], y[0]), max(x[1], y[1])


def _minimum(x: Bounds, y: Bounds) -> Bounds:
    return min(x[0], y[0]), min(x[1], y[1])


def _where(test: Bounds, x: Bounds | None, y: Bounds | None) -> Bounds | None:
    return y if test == (0, 0) else x if test == (1, 1) else _union(x, y)


def _less_than(x: Bounds | None, y: Bounds | None) -> Bounds | None:
    if x is None or y is None:
        return None
    return (int(x[1] < y[0]), int(x[0] < y[1]))


def _less_equal(x: Bounds | None, y: Bounds | None) -> Bounds | None:
    if x is None or y is None:
        return None
    return (int(x[1] <= y[0]), int(x[0] <= y[1]))


RULES: dict[str, Rule] = {
    "add": _add,
    "bitwise_and": _bitwise_and,
    "broadcast_to": _first,
    "cast": _first,
    "concat": _union,
    "floor_divide": _floor_divide,
    "gather": _first,
    "greater_equal": lambda x, y: _less_equal(y, x),
    "greater_than": lambda x, y: _less_than(y, x),
    "less_equal": _less_equal,
    "less_than": _less_than,
    "max": _first,
    "maximum": _maximum,
    "min": _first,
    "minimum": _minimum,
    "multiply": _multiply,
    "remainder": _remainder,
    "reshape": _first,
    "slice": _first,
    "subtract": _subtract,
    "transpose": _first,
    "where": _where,
}
