"""Between which numbers the integers of a result lie, given those of the operands (interval arithmetic).

A rule gets one pair (least, largest) per operand, None for an operand of floats, and gives a pair, or None where it
knows nothing. Rows have rules as their `bounds`. They compute with numbers of any size: who asks sees to dtypes that
are too narrow for what comes out.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

Bounds = tuple[int, int]
Rule = Callable[..., "Bounds | None"]


def union(*pairs: Bounds | None) -> Bounds | None:
    """Elements that are elements of the operands."""
    known = [pair for pair in pairs if pair is not None]
    return (min(a for a, _ in known), max(b for _, b in known)) if len(known) == len(pairs) else None


def first(x: Bounds | None, *_: Bounds | None) -> Bounds | None:
    """Elements that are elements of the first operand."""
    return x


def add(x: Bounds, y: Bounds) -> Bounds:
    """Sums."""
    return x[0] + y[0], x[1] + y[1]


def subtract(x: Bounds, y: Bounds) -> Bounds:
    """Differences."""
    return x[0] - y[1], x[1] - y[0]


def multiply(x: Bounds, y: Bounds) -> Bounds:
    """Products."""
    corners = [a * b for a, b in product(x, y)]
    return min(corners), max(corners)


def floor_divide(x: Bounds, y: Bounds) -> Bounds | None:
    """Quotients rounded down, of divisors above 0."""
    if y[0] <= 0:
        return None
    corners = [a // b for a, b in product(x, y)]
    return min(corners), max(corners)


def remainder(x: Bounds, y: Bounds) -> Bounds | None:
    """Remainders of divisors that aren't below 0."""
    if y[0] < 0:
        return None
    return x if x[0] >= 0 and x[1] < y[0] else (0, max(y[1] - 1, 0))  # modulo 0 is 0


def bitwise_and(x: Bounds, y: Bounds) -> Bounds | None:
    """Common bits: no more than the least operand that isn't below 0."""
    kept = [high for low, high in (x, y) if low >= 0]
    return (0, min(kept)) if kept else None


def maximum(x: Bounds, y: Bounds) -> Bounds:
    """The larger elements."""
    return max(x[0], y[0]), max(x[1], y[1])


def minimum(x: Bounds, y: Bounds) -> Bounds:
    """The smaller elements."""
    return min(x[0], y[0]), min(x[1], y[1])


def chosen(test: Bounds, x: Bounds | None, y: Bounds | None) -> Bounds | None:
    """Elements of the second operand or of the third, as the first one says."""
    return y if test == (0, 0) else x if test == (1, 1) else union(x, y)


def less_than(x: Bounds | None, y: Bounds | None) -> Bounds | None:
    """Whether elements of the first operand are smaller, where that is always so or never."""
    if x is None or y is None:
        return None
    return (int(x[1] < y[0]), int(x[0] < y[1]))


def less_equal(x: Bounds | None, y: Bounds | None) -> Bounds | None:
    """Whether elements of the first operand aren't larger, where that is always so or never."""
    if x is None or y is None:
        return None
    return (int(x[1] <= y[0]), int(x[0] <= y[1]))


def greater_than(x: Bounds | None, y: Bounds | None) -> Bounds | None:
    """Whether elements of the first operand are larger, where that is always so or never."""
    return less_than(y, x)


def greater_equal(x: Bounds | None, y: Bounds | None) -> Bounds | None:
    """Whether elements of the first operand aren't smaller, where that is always so or never."""
    return less_equal(y, x)
