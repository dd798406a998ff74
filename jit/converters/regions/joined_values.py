"""Tuples, lists, dicts and dataclasses that reach a point on two paths: joined part by part.

Where two lists are of different lengths, they become a list whose length only a run knows.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Protocol, TypeAlias

from ....base.class_marks import is_of_dataclass, own_dict
from ....base.dtype import DType
from ....base.pytree import (
    Rows,
    TaggedValue,
    attributes_of,
    factory_of,
    flatten,
    mapping_like,
    number_kinds,
    sequence_of,
)
from ....base.size import is_list
from ....dygraph.number import number_over
from ....dygraph.tensor import Tensor, wrap
from ....ops.op import Op
from ....ops.sizes import runtime_names
from ....ops.types import TensorType
from ...trace.state.containers import reaches
from ...trace.state.dynamic_lists import ListSegment, holds_containers, is_run_time_sized, mixed
from ...trace.tracer import Tracer
from ..stdlib.run_lists.list_stacks import common, parts_of_list, pending
from ..stdlib.run_lists.singles import alike
from .same_values import is_plain_tensor

Build: TypeAlias = Callable[[Sequence[Tensor]], Any]


def join_lists(merge: Any, name: str, a: Any, b: Any) -> Callable[[Sequence[Any]], Any] | None:
    """Two paths' contents of one list, of lengths that differ or that only a run knows; None: no such lists.

    The elements at the start that are of one kind on both paths stay elements; the rest becomes a segment.
    """
    if not is_list(a) or not is_list(b):
        return None
    if len(a) == len(b) and not is_run_time_sized(a) and not is_run_time_sized(b):
        return None
    first = alike(a, b)
    known = len(merge.pairs)
    builds = [merge.join(f"{name}[{k}]", a[k], b[k]) for k in range(first)]
    rest = _join_segments(merge, a[first:], b[first:])
    if rest is None:
        del merge.pairs[known:]
        _refuse_many_ways(merge.tracer, merge.decision, [*a, *b])
        return None
    return lambda results: [*(build(results) for build in builds), rest(results)]


_MOST_ELEMENTS = 256  # that come out as the tensors they are, over all ways
_MOST_MADE = 32  # tensors among them that a path has made: each is a result of its own
_MOST_UNEVEN = 5  # `if`s each of which doubles the ways that follow; with one more there are too many in any case


def _refuse_many_ways(tracer: Tracer, decision: Any, items: list[Any]) -> None:
    """The error for elements of sizes that a run makes, appended under so many conditions that ways only multiply."""
    if decision is None or decision.region is None or not _is_uneven(items):
        return
    region, met = decision.region, tracer.uneven
    met.add((id(region), decision.ordinal))
    if sum((id(region), choice.ordinal) in met for choice in region.forced[: decision.level]) >= _MOST_UNEVEN:
        raise mixed(items)


def _is_uneven(items: list[Any]) -> bool:
    return any(isinstance(x, Tensor) and runtime_names(tuple(x.shape)) for x in items)


def _join_segments(merge: Any, a: list[Any], b: list[Any]) -> Callable[[Sequence[Any]], ListSegment] | None:
    ours, theirs = parts_of_list(a), parts_of_list(b)
    if ours is None or theirs is None:
        return None
    tree = common(ours[1], theirs[1])
    if tree is None or (holds_containers(tree) and (getattr(merge, "at_end", False) or merge.tracer.parts_containers)):
        return None  # they stay the objects that they are
    sides = []
    for k, number in enumerate(number_kinds(tree)):
        left, right = pending(ours[0], k, number), pending(theirs[0], k, number)
        left = left or pending(ours[0], k, number, right.type if right else None)
        right = right or pending(theirs[0], k, number, left.type if left else None)
        if left is None or right is None or left.type.dtype is not right.type.dtype:
            return None
        if left.type.rank != right.type.rank:
            return None
        sides.append((left, right))
    places = [len(merge.pairs) + k for k in range(len(sides))]
    for left, right in sides:
        shape = tuple(merge._dim(x, y) for x, y in zip(left.type.shape, right.type.shape, strict=True))
        needs = not (left.stop_gradient and right.stop_gradient)
        merge._add((left, right), TensorType(left.type.dtype, shape), needs)
    merge.tracer.grew = True
    decision, joints, tag = merge.decision, merge.tracer.joints, merge.tag
    ways = _ways(merge, a, b)

    def build(results: Sequence[Any]) -> ListSegment:
        made = ListSegment(tuple(results[k] for k in places), tree, decision)
        joints.link_elements(made, [*a, *b])
        if ways is not None:
            flag = number_over(wrap(decision.flag, decision.flag.dtype)) if tag is None else tag
            made.ways = TaggedValue(flag, *[way(results) for way in ways])
        return made

    return build


def _ways(merge: Any, a: list[Any], b: list[Any]) -> list[Callable[[Sequence[Any]], Any]] | None:
    """The elements that either path of an `if` left, as results of their own; None where lists hold something else."""
    if merge.joined is None or (merge.tag is None and merge.decision is None):
        return None
    sides = [_elements(items) for items in (a, b)]
    if any(side is None or _are_too_many(merge, flatten(side, is_plain_tensor)[0]) for side in sides):
        return None
    return [merge.alone("xs[-1]", side, k) for k, side in enumerate(sides)]


def _are_too_many(merge: Any, elements: Sequence[Tensor]) -> bool:
    made = {id(x) for x in elements if not merge.tracer.is_outer(x._storage.payload)}
    return len(elements) > _MOST_ELEMENTS or len(made) > _MOST_MADE


def _elements(items: list[Any]) -> Any:
    """A tuple of a list's elements, or a `TaggedValue` of those that two paths left; None where not all are known."""
    k = next((k for k, x in enumerate(items) if not is_plain_tensor(x)), None)
    if k is None:
        return tuple(items)
    if type(items[k]) is not ListSegment or items[k].ways is None:
        return None
    rest = _elements(items[k + 1 :]) if not reaches(items[k].ways, _is_rows) else None
    return None if type(rest) is not tuple else _around(tuple(items[:k]), items[k].ways, rest)


def _is_rows(x: object) -> bool:
    return type(x) is Rows


def _around(first: tuple[Any, ...], ways: Any, last: tuple[Any, ...]) -> Any:
    if isinstance(ways, TaggedValue):
        return TaggedValue(ways.flag, _around(first, ways.a, last), _around(first, ways.b, last))
    return (*first, *ways, *last)


# ---- of one length


class Joiner(Protocol):
    """What joins the parts."""

    tracer: Tracer

    def join(self, name: str, a: Any, b: Any) -> Build:
        """What becomes of two values."""
        ...


def join_structures(joiner: Joiner, name: str, a: Any, b: Any) -> Build | None:
    """What makes the joint structure of the results; None where the two aren't of one structure."""
    if isinstance(a, (tuple, list)) and len(a) == len(b):
        return _sequence(joiner, name, a, b)
    if isinstance(a, dict):
        return _mapping(joiner, name, a, b)
    if is_of_dataclass(a) and not isinstance(a, (type, DType, Op)):
        return _dataclass(joiner, name, a, b)
    return None


def _sequence(joiner: Joiner, name: str, a: Any, b: Any) -> Build | None:
    """Two tuples or lists of one class and length, with the attributes that those of a user's class have."""
    own_a, own_b = (own_dict(x) or {} for x in (a, b))
    if list(own_a) != list(own_b):
        return None
    parts = [joiner.join(f"{name}[{k}]", x, y) for k, (x, y) in enumerate(zip(a, b, strict=True))]
    own = {k: joiner.join(f"{name}.{k}", own_a[k], own_b[k]) for k in own_a}

    def rebuild(r: Sequence[Tensor]) -> Any:
        made = sequence_of(type(a), [p(r) for p in parts])
        for key, part in own.items():
            vars(made)[key] = part(r)
        return made

    return rebuild


def _mapping(joiner: Joiner, name: str, a: dict[Any, Any], b: dict[Any, Any]) -> Build | None:
    """Two dicts of one class, with the attributes that objects of a user's class have beside the items."""
    (own_a, own_b) = (own_dict(x) or {} for x in (a, b))
    own_a, own_b = ({} if own_a is a else own_a), ({} if own_b is b else own_b)
    if list(a) != list(b) or list(own_a) != list(own_b) or factory_of(a) is not factory_of(b):
        return None
    items = {k: joiner.join(f"{name}[{k!r}]", a[k], b[k]) for k in a}
    own = {k: joiner.join(f"{name}.{k}", own_a[k], own_b[k]) for k in own_a}

    def rebuild(r: Sequence[Tensor]) -> Any:
        made = mapping_like(a, [(k, p(r)) for k, p in items.items()])
        for key, part in own.items():
            vars(made)[key] = part(r)
        return made

    return rebuild


def _dataclass(joiner: Joiner, name: str, a: Any, b: Any) -> Build | None:
    names = attributes_of(a)
    if names != attributes_of(b):
        return None
    fields = {n: joiner.join(f"{name}.{n}", getattr(a, n), getattr(b, n)) for n in names}

    def rebuild(r: Sequence[Tensor]) -> Any:
        made = joiner.tracer.objects.new(object.__new__(type(a)))
        for key, part in fields.items():
            object.__setattr__(made, key, part(r))
        return made

    return rebuild
