"""The attributes that an object has itself, not by its class or code of the user's, and those that it lacks."""

from __future__ import annotations

import functools
import types
from collections.abc import Iterator
from typing import Any

from ....base.class_marks import defines, own_dict
from ....dygraph.nn.layer import Layer
from ..reachable import is_plain_class
from ..state.rollback import MISSING
from ..traced import Assumption

_TABLES = ("_parameters", "_buffers", "_sub_layers")
_HARMLESS = (types.FunctionType, types.BuiltinFunctionType, types.MethodDescriptorType, staticmethod, classmethod, type)


def own_attribute(owner: Any, name: str) -> Any:
    """An attribute as it stands in its object; MISSING where the object has none of its own.

    A class may give it all the same: as a default, by `__getattr__`, or as a property that the first use computes.
    """
    space = own_dict(owner)
    if space is not None and name in space:
        return space[name]
    if isinstance(owner, Layer):
        table = space_of(owner, name)
        return MISSING if table is owner else table[name]
    member = _member(type(owner), name)
    is_plain = isinstance(owner, (type, types.ModuleType)) or is_plain_class(type(owner))
    if not defines(type(member), "__set__") and (is_plain or member is not None):
        return MISSING
    try:
        return getattr(owner, name) if member is None else member.__get__(owner, type(owner))
    except AttributeError:
        return MISSING


def space_of(owner: Any, name: str) -> Any:
    """Where an attribute stands: in a layer's table of parameters, buffers or sublayers, or in the object itself."""
    if not isinstance(owner, Layer):
        return owner
    tables = (owner.__dict__.get(table) for table in _TABLES)
    return next((table for table in tables if table is not None and name in table), owner)


def is_kept_elsewhere(owner: Any, name: str) -> bool:
    """Whether setting an attribute is code of the user's: a property, a descriptor, or a `__setattr__`.

    It keeps state elsewhere, and that needn't be what reading the attribute gives.
    """
    member = _member(type(owner), name)
    if isinstance(member, property) or (is_plain_class(type(member)) and defines(type(member), "__set__")):
        return True
    return any(
        is_plain_class(base) and ("__setattr__" in vars(base) or "__delattr__" in vars(base))
        for base in type(owner).__mro__
    )


def is_made_up(owner: Any, name: str) -> bool:
    """Whether looking at an attribute that its object hasn't itself may run code, as the first use of a cached one."""
    kind: Any = type(owner)
    return not isinstance(owner, type) and _makes_up(kind, name)


@functools.lru_cache(maxsize=4096)
def _makes_up(kind: Any, name: str) -> bool:
    if any("__getattribute__" in vars(b) and is_plain_class(b) for b in kind.__mro__):
        return not issubclass(kind, Layer)
    member = _member(kind, name)
    if member is None or isinstance(member, types.MemberDescriptorType):
        getters = (b for b in kind.__mro__ if "__getattr__" in vars(b))
        return not issubclass(kind, Layer) and any(map(is_plain_class, getters))
    kept = type(member)
    return defines(kept, "__get__") and not defines(kept, "__set__") and not isinstance(member, _HARMLESS)


def looked_up(owner: Any, name: str) -> Any:
    """An attribute, without the user's code that makes it up; MISSING, or AttributeError, where there is none."""
    return own_attribute(owner, name) if is_made_up(owner, name) else getattr(owner, name)


def _member(kind: type, name: str) -> Any:
    """What a class defines under a name, as it stands there."""
    return next((vars(base)[name] for base in kind.__mro__ if name in vars(base)), None)


class Absent:
    """Attributes that tensors, functions, modules and partials didn't have, where code asks whether they have them.

    It is told of the objects that a walk meets (assumptions.py).
    """

    def __init__(self) -> None:
        self.spaces: list[dict[str, Any]] = []

    def add(self, space: dict[str, Any]) -> None:
        """Those of an object."""
        self.spaces.append(space)

    def assumptions(self, names: set[str]) -> Iterator[Assumption]:
        """That none of these names has come up; one assumption for all objects that have none of them."""
        if not names:
            return
        without = Without(frozenset(names), [s for s in self.spaces if names.isdisjoint(s)])
        if without.spaces:
            yield Assumption("call", without, "whether attributes are there", True)
        for space in self.spaces:
            if not names.isdisjoint(space):
                yield from (Assumption("item", space, name, MISSING) for name in sorted(names - space.keys()))


class Without:
    """Whether some attributes are still missing."""

    __slots__ = ("names", "spaces")

    def __init__(self, names: frozenset[str], spaces: list[dict[str, Any]]) -> None:
        self.names, self.spaces = names, spaces

    def __call__(self) -> bool:
        return all(map(self.names.isdisjoint, self.spaces))
