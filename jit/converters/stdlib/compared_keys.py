"""The order of keys that a run compares: tensors, numbers, and tuples of these and of values that are known."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ....base.errors import CaptureError
from ....base.frame_marks import acts_for_caller
from ....base.location import caller_loc
from ....base.pytree import flatten
from ....dygraph.tensor import Tensor
from ....ops.dims import Dim
from ....ops.infer import require_one
from ....ops.op import FUNCTIONS, OPS
from ...trace.tracer import Tracer


def is_of_run(key: Any) -> bool:
    """Whether a run compares a key."""
    return isinstance(key, (Tensor, Dim)) or (type(key) is tuple and any(map(is_of_run, key)))


class _RunDecides(Exception):
    """Two keys whose order only a run knows."""


@acts_for_caller
class _Key:
    """A key that is compared with others as far as what is known of both decides."""

    __slots__ = ("key",)

    def __init__(self, key: Any) -> None:
        self.key = key

    def __lt__(self, other: _Key) -> Any:
        return _known_less(self.key, other.key)


@acts_for_caller
def known_order(keys: Sequence[Any], *, descending: bool) -> list[int] | None:
    """The places of keys in the order that `sorted` finds; None where a run decides between some of them.

    What differs before the values of a run decides the order of tuples: names do.
    """
    if len(keys) < 2 or not any(map(is_of_run, keys)):
        return sorted(range(len(keys)), key=lambda k: keys[k], reverse=descending)
    try:
        return sorted(range(len(keys)), key=lambda k: _Key(keys[k]), reverse=descending)
    except _RunDecides:
        return None


@acts_for_caller
def _known_less(a: Any, b: Any) -> Any:
    if not (is_of_run(a) or is_of_run(b)):
        return a < b
    if type(a) is not tuple or type(b) is not tuple:
        raise _RunDecides
    for x, y in zip(a, b, strict=False):
        if not _is_known_equal(x, y):
            return _known_less(x, y)
    return len(a) < len(b)


@acts_for_caller
def _is_known_equal(x: Any, y: Any) -> bool:
    if x is y:  # as Python compares what tuples hold
        return True
    if not (is_of_run(x) or is_of_run(y)):
        return bool(x == y)
    if type(x) is not tuple or type(y) is not tuple:
        raise _RunDecides
    return all(map(_is_known_equal, x, y)) and len(x) == len(y)


def order_of(tracer: Tracer, keys: Sequence[Any], *, descending: bool) -> Tensor:
    """The places of keys in the order that `sorted` finds. A run ends where one of them is NaN."""
    columns = _columns(keys)
    if columns is None:
        raise CaptureError(
            "sorted() by keys of different types, of which a run compares some",
            loc=caller_loc(),
            remedy="give all keys one structure: numbers, or tuples of them",
        )
    order: Any = None
    for column in reversed([_numbers(tracer, column) for column in columns]):
        ranks = column if order is None else FUNCTIONS["gather"](column, order)
        found = FUNCTIONS["argsort"](ranks, 0, descending, True)
        order = found if order is None else FUNCTIONS["gather"](order, found)
    return order  # type: ignore[no-any-return]


def _columns(keys: Sequence[Any]) -> list[list[Any]] | None:
    leaves = [flatten(key, lambda v: type(v) is not tuple) for key in keys]
    if any(tree != leaves[0][1] for _, tree in leaves):
        return None
    columns = [list(column) for column in zip(*[found for found, _ in leaves], strict=True)]
    return None if any(not _are_alike(column) for column in columns) else columns


def _are_alike(column: Sequence[Any]) -> bool:
    if any(map(is_of_run, column)):
        return all(is_of_run(x) or isinstance(x, (int, float)) for x in column)
    return all(isinstance(x, (int, float)) for x in column) or len({type(x) for x in column}) == 1


def _numbers(tracer: Tracer, column: list[Any]) -> Tensor:
    """Numbers that stand in the order of a column's values."""
    if not any(map(is_of_run, column)):
        known = sorted(column)
        return tracer.constant([known.index(x) for x in column], None)  # type: ignore[no-any-return]
    parts = [one_element(tracer, tracer.constant(x, None)) for x in column]
    found: Tensor = tracer.constant(parts, None).detach()
    if found.dtype.is_floating:
        is_number = OPS["logical_not"](OPS["any"](OPS["isnan"](found), 0))
        tracer.require(is_number, _NAN, "CaptureError")
    return found


_NAN = (
    "sorted() compares a tensor's value that is NaN: where that stands, Python's comparisons decide; sort by a number"
)


@acts_for_caller
def less(tracer: Tracer, a: Any, b: Any) -> Any:
    """`a < b` of keys, as a bool or a tensor without axes."""
    if type(a) is not tuple or type(b) is not tuple:
        found = a < b
        return one_element(tracer, found) if isinstance(found, Tensor) else found
    found = len(a) < len(b)
    told_late = []
    for x, y in zip(a, b, strict=False):
        is_equal = _equal(tracer, x, y)
        if is_equal is False:  # what stands behind isn't compared
            found = less(tracer, x, y)
            break
        if is_equal is not True:
            told_late.append((less(tracer, x, y), is_equal))
    for is_less, is_equal in reversed(told_late):
        found = _or(is_less, _and(is_equal, found))
    return found


@acts_for_caller
def _equal(tracer: Tracer, x: Any, y: Any) -> Any:
    if x is y:
        return True
    if type(x) is tuple and type(y) is tuple:
        if len(x) != len(y):
            return False
        found: Any = True
        for one, other in zip(x, y, strict=True):
            found = _and(found, _equal(tracer, one, other))
            if found is False:
                return False
        return found
    same = x == y
    return one_element(tracer, same) if isinstance(same, Tensor) else bool(same)


def _and(a: Any, b: Any) -> Any:
    if isinstance(a, Tensor) and isinstance(b, Tensor):
        return OPS["logical_and"](a, b)
    a, b = (b, a) if isinstance(a, Tensor) else (a, b)
    return b if a else False


def _or(a: Any, b: Any) -> Any:
    if isinstance(a, Tensor) and isinstance(b, Tensor):
        return OPS["logical_or"](a, b)
    a, b = (b, a) if isinstance(a, Tensor) else (a, b)
    return True if a else b


def one_element(tracer: Tracer, x: Tensor) -> Any:
    """A tensor's only element, as a tensor without axes."""
    tracer.value_of(x)
    x = tracer.only_element(x)
    require_one(x.shape)
    return x if not x.ndim else OPS["reshape"](x, ())
