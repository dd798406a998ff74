"""What a trace knows of functions that call themselves: how deep each one was entered, and which are functions of the
program (see converters/recursion.py).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import FunctionType
from typing import Any, TypeAlias

from ...base.location import Loc
from ...base.pytree import Tree
from ...ir.core import Value
from ...ops.types import TensorType
from .reachable import plain_of
from .state.rollback import ATOMS, same

Key: TypeAlias = tuple[str, int, str]  # file, first line, name: equal for each closure that a `def` makes
LEAST_DEPTH = 4  # calls within each other, from which on a function may be why Python's limit was met
MANY = 16


class Recurses(Exception):
    """A call whose result isn't known yet: what its path gives is that of the other paths."""

    def __init__(self, opened: Opened, loc: Loc) -> None:
        super().__init__(f"`{opened.name}` calls itself")
        self.opened = opened
        self.loc = loc


@dataclass(frozen=True, slots=True)
class TensorSignature:
    """A tensor among arguments or results. is_number: it stands for a Python number."""

    type: TensorType
    is_number: bool
    needs_gradient: bool

    def takes(self, other: TensorSignature) -> bool:
        """Whether `other` is one of these, gradients aside."""
        return self.is_number == other.is_number and self.type == other.type


@dataclass(slots=True)
class Shape:
    """Arguments or results: their structure, with all Python values in it, and the types of their tensors."""

    tree: Tree
    leaf_types: list[TensorSignature]

    def takes(self, other: Shape) -> bool:
        """Whether `other` has the same structure, Python values and types."""
        return (
            len(self.leaf_types) == len(other.leaf_types)
            and same_tree(self.tree, other.tree)
            and all(a.takes(b) for a, b in zip(self.leaf_types, other.leaf_types, strict=True))
        )


@dataclass(slots=True)
class Opened:
    """A function whose block is being recorded. result: what it gives, as far as that is known."""

    fn: FunctionType
    key: Key
    name: str
    arguments: Shape
    values: Sequence[Value] = ()
    result: Shape | None = None
    recurses: bool = False
    is_stale: bool = False  # an argument turned out to need gradients


@dataclass(slots=True)
class Recursion:
    """functions: those that become functions of the program. open: those being recorded, one inside the other.

    deep: what calls within MANY others or more of the same function were given, on sides of as many conditions.
    """

    functions: frozenset[Key] = frozenset()
    open: list[Opened] = field(default_factory=list)
    running: dict[Key, int] = field(default_factory=dict)
    deepest: dict[Key, int] = field(default_factory=dict)
    deep: dict[tuple[Key, int], Shape] = field(default_factory=dict)
    varies: str = ""  # why a function was opened within itself again and again

    @contextmanager
    def entered(self, key: Key) -> Iterator[None]:
        """Count a call of a function."""
        depth = self.running.get(key, 0) + 1
        self.running[key] = depth
        self.deepest[key] = max(depth, self.deepest.get(key, 0))
        try:
            yield
        finally:
            self.running[key] = depth - 1

    def compare(self, fn: FunctionType, given: Shape) -> None:
        """Note in what a call differs from the call of the same function around it."""
        around = [o for o in self.open if o.key == key_of(fn)]
        if len(around) < LEAST_DEPTH:
            return
        last, name = around[-1], fn.__name__
        pair = difference(last.arguments.tree, given.tree)
        if last.fn is not fn:
            self.varies = f"each call makes a function `{name}` of its own"
        elif pair is None:
            self.varies = f"each call of `{name}` has arguments of another structure"
        elif all(isinstance(x, ATOMS) for x in pair):
            self.varies = f"each call of `{name}` has another Python value: {pair[0]!r}, then {pair[1]!r}, and so on"
        else:
            self.varies = f"each call of `{name}` has another {type(pair[1]).__name__}"

    def repeats(self) -> bool:
        """Whether functions were called in themselves so often that only a tensor's value may end it."""
        return max(self.deepest.values(), default=0) >= MANY

    def endless(self) -> frozenset[Key]:
        """The functions that were entered about as often as the one that was entered most often."""
        most = max(self.deepest.values(), default=0)
        return frozenset(k for k, n in self.deepest.items() if n >= LEAST_DEPTH and 2 * n >= most)


def key_of(fn: FunctionType) -> Key:
    """What tells a function from others, in each attempt of a capture."""
    code = plain_of(fn).__code__
    return code.co_filename, code.co_firstlineno, code.co_name


def same_tree(a: Tree, b: Tree) -> bool:
    """Whether two structures are the same: Python's own numbers and strings by value, all else by identity."""
    if a.kind != b.kind or len(a.children) != len(b.children):
        return False
    if a.kind == "const":
        return a.data is b.data or same(a.data, b.data)
    return bool(a.data == b.data) and all(same_tree(x, y) for x, y in zip(a.children, b.children, strict=True))


def difference(a: Tree, b: Tree) -> tuple[Any, Any] | None:
    """The first Python values in which two structures of one form differ."""
    if a.kind == b.kind == "const":
        return None if same_tree(a, b) else (a.data, b.data)
    found = (difference(x, y) for x, y in zip(a.children, b.children, strict=False))
    return next((pair for pair in found if pair is not None), None)
