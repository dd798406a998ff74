"""What a trace takes for granted of a layer: its attributes, tables, hooks and class, and what library code reads."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from functools import partial
from operator import is_
from typing import Any

from ....base.class_marks import defines
from ....base.pytree import flatten
from ....dygraph.nn.layer import Layer
from ....dygraph.tensor import Tensor
from ..state.rollback import ATOMS
from ..traced import Assumption

LAYERS_OWN = frozenset(vars(Layer("assumptions")))  # a scope of its own: users count their layers
_NO_KINDS = frozenset(Layer.__mro__)  # what all layers are
TABLES = ("_parameters", "_buffers", "_sub_layers")
HOOKS = ("_forward_pre_hooks", "_forward_post_hooks")


def layer_assumptions(
    layer: Layer, copy: dict[str, Any], names: set[str], before: Callable[[Any, Any, Any], Any],
    keys: Callable[[Any], tuple[Any, ...]],
) -> Iterator[Assumption]:  # fmt: skip
    """A layer's own attributes, the entries of its tables, and its hooks.

    copy: its attributes before the trace; before, keys: an entry of a table then, and all its names.
    """
    own = is_of_library(type(layer))
    for name, value in copy.items():
        if name in LAYERS_OWN and name != "training":
            continue
        if own and isinstance(value, (list, tuple)) and name not in names:
            where = f"{name} of {type(layer).__name__}"
            yield Assumption("call", partial(_plain_at, layer, name), where, _plain(value), layered=True)
        if name in names or own:  # of an equal list in its place it matters that it is another one
            yield Assumption("attribute", layer, name, value, layered=True)
    for table in TABLES:
        entries = copy.get(table)
        if entries is None:
            continue
        there = keys(entries)  # the trace may have added names, and put others there
        known = ((n, before(entries, n, entries.get(n))) for n in there)
        yield from (Assumption("item", entries, n, v, layered=True) for n, v in known if _is_object(v))
        what = f"the names in {table} of {type(layer).__name__}"
        yield Assumption("keys", entries, what, there, layered=True)
    for table in HOOKS:
        hooks = copy.get(table)
        if hooks is not None:
            yield Assumption(
                "call", HooksIn(hooks), f"the hooks of {type(layer).__name__}", tuple(hooks.values()), layered=True
            )


@functools.lru_cache(maxsize=4096)
def is_of_library(kind: type) -> bool:
    """Whether a class is one of this package's, or derived from one (of layers, from a kind of layer): attributes of
    its objects are read by our code, under names that the user's code doesn't mention.
    """
    return any(base.__module__.startswith("vitrify.") for base in kind.__mro__ if base not in _NO_KINDS)


def lists_in(value: Any) -> Iterator[list[Any]]:
    """The lists in a list or tuple, itself included."""
    if isinstance(value, list):
        yield value
    if isinstance(value, (list, tuple)):
        for part in value:
            yield from lists_in(part)


def _plain(value: Any) -> str:
    """A list or tuple of plain values in writing; of others only their identities."""
    parts = flatten(value, lambda part: not isinstance(part, (list, tuple, dict)))[0]
    return repr(value) if all(isinstance(part, ATOMS) for part in parts) else repr([id(part) for part in parts])


def _plain_at(layer: Layer, name: str) -> Any:
    return _plain(vars(layer).get(name))


def _is_object(value: Any) -> bool:
    return value is None or isinstance(value, (Tensor, Layer))


class HooksIn:
    """The hooks of a layer's table of them."""

    __slots__ = ("table",)

    def __init__(self, table: dict[Any, Any]) -> None:
        self.table = table

    def __call__(self) -> tuple[Any, ...]:
        return tuple(self.table.values())


class MethodsOf:
    """The functions and other descriptors of a class and its bases, with their names; one object while they stay."""

    __slots__ = ("kind", "parts", "seen")

    def __init__(self, kind: type) -> None:
        self.kind = kind
        self.seen: list[Any] = []  # all names and values when `parts` was made
        self.parts: tuple[Any, ...] = ()

    def __call__(self) -> tuple[Any, ...]:
        spaces = [vars(base) for base in self.kind.__mro__[:-1]]
        now = [part for space in spaces for part in (*space, *space.values())]
        if len(now) != len(self.seen) or not all(map(is_, now, self.seen)):
            self.seen = now
            self.parts = tuple([p for s in spaces for p in s.items() if defines(type(p[1]), "__get__")])
        return self.parts


def names_of(owner: Any) -> frozenset[str]:
    """The attributes that an object has itself; of a layer, its parameters, buffers and sublayers, too."""
    own = vars(owner)
    tables = [own.get(t, {}) for t in TABLES] if isinstance(owner, Layer) else []
    return frozenset(own).union(*tables)
