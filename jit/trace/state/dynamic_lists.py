"""What stands in a Python list for elements whose number only a run knows: as many of them as their stacks have rows.

A list that grows under a condition on a tensor or in a loop of the program stays the user's list object; inside it a
`ListSegment` stands for a segment of elements of one kind. So aliases, attributes and closures hold, and
`xs.append(x)`, `xs + ys` or `xs.extend(…)` need no help. What reads such a list (converters/lists.py) looks through it.
"""

from __future__ import annotations

import operator
from collections import deque
from collections.abc import Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any, NoReturn, Protocol

from ....base.errors import CaptureError
from ....base.location import caller_loc
from ....base.pytree import Tree
from ....base.size import is_list
from ....dygraph.tensor import Tensor
from ....ops.infer import show_shape
from ....ops.sizes import runtime_names


class Forkable(Protocol):
    """What can trace the code after an `if` once per path (converters/decisions.py)."""

    def fork(self, message: str) -> None:
        """Do so, if the code that it belongs to still runs; else nothing happens."""


@dataclass(frozen=True, slots=True)
class SegmentType:
    """What stays of a segment: the structure of its elements, and the `if` that made it, if one did.

    ways: see `ListSegment`, with the stacks that they are of.
    """

    element: Tree
    decision: Forkable | None = field(default=None, compare=False)
    ways: tuple[tuple[Any, ...], Any] = field(default=((), None), compare=False)


class ListSegment:
    """A segment of elements: row k of the stacks are the leaves of element k, whose structure is `tree`.

    decision: the `if` one of whose paths appended. On each path the length is known, so a use that nobody follows is
    traced once per path. most: how many elements there are at most, of a slice with fixed ends. ways: a `TaggedValue`
    of the elements themselves, of what an `if` left.
    """

    __slots__ = ("decision", "most", "stacks", "tree", "ways")

    def __init__(
        self, stacks: tuple[Any, ...], tree: Tree, decision: Forkable | None = None, most: int | None = None
    ) -> None:
        self.stacks = stacks
        self.tree = tree
        self.decision = decision
        self.most = most
        self.ways: Any = None

    def parts_of(self) -> tuple[SegmentType, tuple[Any, ...]]:
        """What stays and what varies (see base/pytree.py)."""
        return SegmentType(self.tree, self.decision, (self.stacks, self.ways)), self.stacks

    @classmethod
    def of_parts(cls, kind: SegmentType, stacks: Sequence[Any]) -> ListSegment:
        """A segment from its parts."""
        made = cls(tuple(stacks), kind.element, kind.decision)
        known, ways = kind.ways
        made.ways = ways if ways is not None and all(map(operator.is_, known, made.stacks)) else None
        return made

    def __copy__(self) -> ListSegment:
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> ListSegment:
        return ListSegment(deepcopy(self.stacks, memo), self.tree, self.decision, self.most)

    def fail(self, *_: Any, **__: Any) -> NoReturn:
        """What a use does that takes this for an element: back to where the paths diverge, or an error."""
        message = "a list whose length only a run of the program knows is read by code that isn't captured"
        if self.decision is not None:
            self.decision.fork(message)
        raise CaptureError(
            message,
            loc=caller_loc(),
            remedy="use append, extend, insert, pop, xs[i], xs[a:b], len, for, sum, vt.stack and vt.concat on it",
        )

    def __getattr__(self, name: str) -> NoReturn:
        if name.startswith("__"):
            raise AttributeError(name)
        self.fail()

    __bool__ = __call__ = __iter__ = __len__ = __getitem__ = __setitem__ = __contains__ = __neg__ = __int__ = fail
    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = __rtruediv__ = __matmul__ = fail
    __pow__ = __lt__ = __le__ = __gt__ = __ge__ = __float__ = __index__ = __eq__ = __ne__ = fail
    __hash__ = object.__hash__


def holds_containers(tree: Tree) -> bool:
    """Whether values of a structure are, or hold, lists, dicts or dataclasses, which code can write into."""
    return tree.kind in ("list", "dict", "mapping", "dataclass") or any(map(holds_containers, tree.children))


def is_run_time_sized(value: object) -> bool:
    """Whether a value is a list whose length only a run knows."""
    return is_list(value) and any(type(x) is ListSegment for x in value)


def is_run_time_deque(value: object) -> bool:
    """Whether a value is a deque whose length only a run knows: it is read as a list of its elements."""
    return isinstance(value, deque) and any(type(x) is ListSegment for x in value)


def segment_in(value: Any) -> ListSegment | None:
    """The first segment in a value, its lists, tuples and dicts; None if there is none."""
    if type(value) is ListSegment:
        return value
    if isinstance(value, (list, tuple, deque)):
        return next((found for x in value if (found := segment_in(x)) is not None), None)
    return segment_in(list(value.values())) if isinstance(value, dict) else None


def mixed(items: list[Any]) -> CaptureError:
    """The error for elements that differ; it names dtype and shape of tensors, the type of anything else, each once."""
    tensors = [(x.dtype, x.shape) for x in items if isinstance(x, Tensor)]
    tensors += [(t.dtype, t.shape[1:]) for x in items if isinstance(x, ListSegment) for t in x.stacks]
    kinds = [f"{dtype.name}{show_shape(shape)}" for dtype, shape in tensors]
    kinds += [type(x).__name__ for x in items if not isinstance(x, (Tensor, ListSegment))]
    remedy = "give its elements one dtype and shape, or use an `if` per element"
    if any(t.is_integer for t, _ in tensors) or int in map(type, items):
        if any(t.is_floating for t, _ in tensors) or float in map(type, items):
            remedy += "; begin with floats where floats come later: `[0.0] * n` for `[0] * n`"
    if any(runtime_names(tuple(shape)) for _, shape in tensors):
        remedy = "pad what has a size of the run's own, or concat it to one tensor in each iteration"
    return CaptureError(
        "a list that a tensor indexes, or that grows in a loop of the program, must hold tensors or numbers of one "
        f"dtype and shape; this one holds {' and '.join(list(dict.fromkeys(kinds))[:3])}",
        loc=caller_loc(),
        remedy=remedy,
    )
