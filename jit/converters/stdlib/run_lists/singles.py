"""The elements of a list of run-time length that stand before its first segment or behind its last one.

Their places are known, so reads and writes of them are Python's own: `xs[0]`, `xs[-1]`, `xs[:2]`, `xs[0] = v`,
`xs.pop()`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .....base.pytree import flatten
from .....dygraph.given_array import GivenArray
from .....dygraph.tensor import Tensor
from .....ops.dims import same_shape
from ....trace.state.dynamic_lists import ListSegment
from ....trace.state.traced_numbers import is_number


def first_segment(items: Sequence[Any]) -> int:
    """How many elements stand before the first segment."""
    return next((k for k, x in enumerate(items) if type(x) is ListSegment), len(items))


def behind_segments(items: Sequence[Any]) -> int:
    """How many elements stand behind the last segment."""
    return first_segment(items[::-1])


def has_place(items: Sequence[Any], key: Any) -> bool:
    """Whether a Python index names an element whose place is known."""
    if type(key) is not int:
        return False
    return key < first_segment(items) if key >= 0 else -key <= behind_segments(items)


def known_part(items: list[Any], part: slice) -> list[Any] | None:
    """A slice of the list whose bounds are places that are known; None where they aren't."""
    start, stop = part.start, part.stop
    if part.step not in (None, 1) or not all(x is None or type(x) is int for x in (start, stop)):
        return None
    front, back = first_segment(items), behind_segments(items)
    if not all(x is None or -back <= x <= front for x in (start, stop)):
        return None
    if start is not None and stop is not None and start < 0 <= stop:
        return None  # which of the two comes first is known to a run only
    return items[part]


def alike(a: list[Any], b: list[Any]) -> int:
    """How many elements at the start of two lists are of one kind, so that each pair of them is one value."""
    count = 0
    for x, y in zip(a, b, strict=False):
        if type(x) is ListSegment or type(y) is ListSegment:
            break
        (xs, tree), (ys, other) = flatten(x, _is_leaf), flatten(y, _is_leaf)
        if not xs or tree != other or not all(map(_same_kind, xs, ys)):
            break
        count += 1
    return count


def _same_kind(x: Any, y: Any) -> bool:
    if not (isinstance(x, Tensor) and isinstance(y, Tensor)):
        return type(x) is type(y)
    alike = type(x) is type(y) or {type(x), type(y)} == {Tensor, GivenArray}  # a loop carries an array as a tensor
    return alike and x.dtype is y.dtype and same_shape(x.shape, y.shape)


def _is_leaf(x: object) -> bool:
    return isinstance(x, Tensor) or is_number(x)
