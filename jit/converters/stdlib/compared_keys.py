"""The order of keys that a run compares: tensors, numbers, and tuples of these and of values that are known."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any

from ....base.errors import CaptureError
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


def are_told_apart(keys: Sequence[Any]) -> bool:
    """Whether what is known of tuples decides their order before a comparison gets to what a run tells: names do."""
    if not all(type(key) is tuple for key in keys):
        return False
    known = [known_part(key) for key in keys]
    try:
        return len({len(part) for part in known}) == 1 and len(set(known)) == len(known)
    except TypeError:  # not hashable
        return False


def known_part(key: tuple[Any, ...]) -> tuple[Any, ...]:
    """The parts of a tuple before the first that a run tells."""
    return tuple(itertools.takewhile(lambda x: not is_of_run(x), key))


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


def less(tracer: Tracer, a: Any, b: Any) -> Any:
    """`a < b` of keys, as a bool or a tensor without axes."""
    if type(a) is not tuple or type(b) is not tuple:
        found = a < b
        return one_element(tracer, found) if isinstance(found, Tensor) else found
    found = len(a) < len(b)
    for x, y in reversed(list(zip(a, b, strict=False))):
        is_less, is_equal = less(tracer, x, y), _equal(tracer, x, y)
        found = _or(is_less, _and(is_equal, found))
    return found


def _equal(tracer: Tracer, x: Any, y: Any) -> Any:
    if type(x) is tuple and type(y) is tuple:
        if len(x) != len(y):
            return False
        found: Any = True
        for one, other in zip(x, y, strict=True):
            found = _and(found, _equal(tracer, one, other))
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
