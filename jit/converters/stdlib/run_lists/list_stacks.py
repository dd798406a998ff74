"""What a segment of a list's elements is made of: which of them are of one kind, and the stack of each of their leaves.

A leaf that is a Python number in every element stays one: its stack has the width of Python's numbers, and what reads
an element gets a number. Beside tensors a number is a tensor, as anywhere else where code has one or the other.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias, Union

from .....base import dtype as dt
from .....base.dtype import of_scalar
from .....base.flags import flags
from .....base.pytree import Tree, flatten, number_kinds, with_number_kinds
from .....dygraph.number import KINDS, Number
from .....dygraph.tensor import Tensor
from .....ops.dims import Dim, assume_equal, same_shape
from .....ops.op import OPS
from .....ops.sizes import runtime_names
from .....ops.types import TensorType
from ....trace.rolling import Unread
from ....trace.state.aliases import link_leaves
from ....trace.state.dynamic_lists import ListSegment
from ....trace.state.traced_numbers import is_number
from ....trace.tracer import Tracer

Part: TypeAlias = Union[ListSegment, list[Any]]  # a segment, or the leaves of one element
_DTYPES = {kind: dtype for dtype, kind in KINDS.items()}


def _is_leaf(x: object) -> bool:
    return isinstance(x, Tensor) or is_number(x)


def parts_of_element(x: Any) -> tuple[list[Any], Tree]:
    """The leaves of an element, and its structure, which tells those that are Python numbers."""
    leaves, tree = flatten(x, _is_leaf)
    return leaves, with_number_kinds(tree, map(_number_kind, leaves))


def structure_of(x: Any) -> Tree:
    """The structure of an element, or of a segment's elements."""
    return x.tree if type(x) is ListSegment else parts_of_element(x)[1]


def _number_kind(x: Any) -> type | None:
    if type(x) is Number:
        return x.kind
    return type(x) if type(x) in _DTYPES else int if isinstance(x, Dim) else None


def common(a: Tree | None, b: Tree | None) -> Tree | None:
    """The structure that elements of two have; None where there is none. What is a number in one only is a tensor."""
    if a is None or b is None or a == b:
        return a or b
    kinds = [x if x is y else None for x, y in zip(number_kinds(a), number_kinds(b), strict=False)]
    if len(kinds) < max(a.leaf_count, b.leaf_count):
        return None
    ours, theirs = with_number_kinds(a, iter(kinds)), with_number_kinds(b, iter(kinds))
    return ours if ours == theirs else None


def _type_of(x: Any, number: type | None) -> TensorType:
    """What a leaf is in a stack. number: the Python number that it stays there, if it does."""
    if number is not None:
        return TensorType(_DTYPES[number], tuple(x.shape) if isinstance(x, Tensor) else ())
    if isinstance(x, Number):
        return TensorType(_weak(x.kind), ())
    if isinstance(x, Tensor):
        return TensorType(x.dtype, tuple(x.shape))
    return TensorType(dt.int64 if isinstance(x, Dim) else of_scalar(x, None, flags.default_dtype), ())


def _weak(kind: type) -> dt.DType:
    """The dtype of a Python number as a tensor."""
    return of_scalar(kind(0), None, flags.default_dtype)


@dataclass(frozen=True, slots=True)
class PendingStack:
    """One leaf of a list's elements, to be stacked where its path ends."""

    parts: tuple[Any, ...]  # ("stack", tensor) or ("element", leaf)
    type: TensorType

    @property
    def stop_gradient(self) -> bool:
        """Whether no element needs a gradient."""
        return all(x.stop_gradient for _, x in self.parts if isinstance(x, Tensor))

    def make(self, tracer: Tracer) -> Tensor:
        """The stack, recorded at the insertion point."""
        rows: list[Any] = []
        for form, x in self.parts:
            if form == "stack":
                rows.append(x if x.dtype is self.type.dtype else OPS["cast"](x, self.type.dtype))
                continue
            if type(x) is Number or not isinstance(x, Tensor):
                x = tracer.constant(x, self.type.dtype)
            x = x.snapshot() if type(x) is Number else x  # an operation would take it for one of the default dtype
            rows.append(OPS["reshape"](x, (1, *x.shape)))
        if not rows:
            made: Tensor = OPS["full"]((0, *self.type.shape[1:]), _zero(self.type), self.type.dtype)
            return made
        joined: Tensor = rows[0] if len(rows) == 1 else OPS["concat"](rows, 0)
        link_leaves(tracer, [joined], [self])
        return joined


def _zero(kind: TensorType) -> Any:
    return (False, 0, 0.0, 0j)[kind.dtype.category]


def parts_of_list(items: Sequence[Any]) -> tuple[list[Part], Tree | None] | None:
    """A list's segments and elements, with the one structure of its elements; None where they aren't of one kind."""
    parts: list[Part] = []
    found: Tree | None = None
    for x in items:
        if type(x) is ListSegment:
            if isinstance(x.decision, Unread):
                x.fail()
            parts.append(x)
            tree = x.tree
        else:
            leaves, tree = parts_of_element(x)
            if not leaves or any(c.kind in ("const", "own") for c in _nodes(tree)):
                return None
            parts.append(leaves)
        known, found = found, common(found, tree)
        if known is not None and found is None:
            return None
    return parts, found


def _nodes(tree: Tree) -> Iterator[Tree]:
    yield tree
    for child in tree.children:
        yield from _nodes(child)


def pending(parts: Sequence[Part], k: int, number: type | None, like: TensorType | None = None) -> PendingStack | None:
    """Leaf `k` of all elements; None where they differ in type. number: the Python number that it is in all of them.
    like: a stack's type, for a list without elements.
    """
    size: Any = 0
    kind = None
    if like is not None:  # sizes that a run makes where there are elements are known there alone
        kind = TensorType(like.dtype, tuple(0 if runtime_names(d) else d for d in like.shape[1:]))
    given: list[tuple[str, Any]] = []
    for part in parts:
        if isinstance(part, ListSegment):
            x, own = part.stacks[k], _type_of_rows(part, k, number)
            size = size + x.shape[0]
        else:
            x, own = part[k], _type_of(part[k], number)
            size = size + 1
        if kind is not None and (own.dtype is not kind.dtype or not same_shape(own.shape, kind.shape)):
            return None  # rows whose sizes only a run knows can't be said to be alike
        kind = kind or own
        given.append(("stack" if isinstance(part, ListSegment) else "element", x))
    return None if kind is None else PendingStack(tuple(given), TensorType(kind.dtype, (size, *kind.shape)))


def _type_of_rows(segment: ListSegment, k: int, number: type | None) -> TensorType:
    stack, own = segment.stacks[k], number_kinds(segment.tree)[k]
    return TensorType(stack.dtype if own is None or number is not None else _weak(own), tuple(stack.shape[1:]))


def as_tensors(segment: ListSegment, tree: Tree) -> ListSegment:
    """A segment whose elements have a structure that is common to its own and others: with tensors for some numbers."""
    if tree == segment.tree:
        return segment
    stacks = tuple(
        x if own is kind or own is None else OPS["cast"](x, _weak(own))
        for x, own, kind in zip(segment.stacks, number_kinds(segment.tree), number_kinds(tree), strict=True)
    )
    return ListSegment(stacks, tree, segment.decision, segment.most)


def with_room(segment: ListSegment, tree: Tree, leaves: Sequence[Any]) -> tuple[ListSegment, bool] | None:
    """The segment in types that take in an element, and whether its numbers are others in them: floats for ints. None
    where its elements and the new one have no common type.
    """
    shared = common(tree, segment.tree)
    if shared is None:
        return None
    kinds = zip(number_kinds(segment.tree), number_kinds(tree), number_kinds(shared), strict=True)
    stacks, changed = [], False
    made = list(number_kinds(shared))
    for k, (x, leaf, (ours, theirs, kind)) in enumerate(zip(segment.stacks, leaves, kinds, strict=True)):
        pairs = (tuple(x.shape[1:]), tuple(leaf.shape) if isinstance(leaf, Tensor) else ())
        if len(set(map(len, pairs))) > 1 or any(assume_equal(a, b) is False for a, b in zip(*pairs, strict=True)):
            return None
        if ours is not None and theirs is not None and kind is None:  # numbers of two kinds: those of the larger one
            dtype = max(_DTYPES[ours], _DTYPES[theirs], key=lambda d: d.category)
            made[k] = KINDS[dtype]
        elif ours is not None and kind is None:
            dtype = of_scalar(ours(0), leaf.dtype, flags.default_dtype)
            if dtype is not leaf.dtype:
                return None
        else:
            dtype = x.dtype
            given = of_scalar(theirs(0), dtype, flags.default_dtype) if theirs is not None else leaf.dtype
            if kind is None and given is not dtype:
                return None
        stacks.append(x if x.dtype is dtype else OPS["cast"](x, dtype))
        changed |= ours is not None and dtype.category > _DTYPES[ours].category
    return ListSegment(tuple(stacks), with_number_kinds(shared, iter(made)), segment.decision, segment.most), changed


def summed(x: Tensor) -> Tensor:
    """The sum of a tensor's rows as Python adds them: of the rows' dtype, but for bools."""
    total = OPS["sum"](x, 0)
    return total if x.dtype.is_bool else OPS["cast"](total, x.dtype)  # type: ignore[no-any-return]
