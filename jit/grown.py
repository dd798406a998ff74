"""What stands in a Python list for elements whose number only a run knows: as many of them as their stacks have rows.

A list that grows under a tensor's test or in a loop of the program stays the user's list object; inside it a `Grown`
stands for a stretch of elements of one kind. So aliases, attributes and closures hold, and `xs.append(x)`, `xs + ys` or
`xs.extend(…)` need no help. What reads such a list (converters/lists.py) looks through it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NoReturn

from ..base.errors import CaptureError
from ..base.location import caller_loc
from ..base.pytree import Tree


class Grown:
    """A stretch of elements: row k of the stacks are the leaves of element k, whose structure is `tree`."""

    __slots__ = ("stacks", "tree")

    def __init__(self, stacks: tuple[Any, ...], tree: Tree) -> None:
        self.stacks = stacks
        self.tree = tree

    def parts_of(self) -> tuple[Tree, tuple[Any, ...]]:
        """What stays and what varies (see base/pytree.py)."""
        return self.tree, self.stacks

    @classmethod
    def of_parts(cls, tree: Tree, stacks: Sequence[Any]) -> Grown:
        """A stretch from its parts."""
        return cls(tuple(stacks), tree)

    def fail(self, *_: Any, **__: Any) -> NoReturn:
        """Raise the error for code that takes this for an element."""
        raise CaptureError(
            "a list whose length only a run of the program knows is read by code that isn't captured",
            loc=caller_loc(),
            remedy="use append, extend, insert, pop, xs[i], xs[a:b], len, for, sum, stack and concat on it",
        )

    def __getattr__(self, name: str) -> NoReturn:
        if name.startswith("__"):
            raise AttributeError(name)
        self.fail()

    __bool__ = __call__ = __iter__ = __len__ = __getitem__ = __setitem__ = __contains__ = __neg__ = __int__ = fail
    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = __rtruediv__ = __matmul__ = fail
    __pow__ = __lt__ = __le__ = __gt__ = __ge__ = __float__ = __index__ = fail


def is_late(value: object) -> bool:
    """Whether a value is a list whose length only a run knows."""
    return type(value) is list and any(type(x) is Grown for x in value)
