"""Attributes that no `__dict__` shows: `value` of a number of ctypes or multiprocessing, `text` of an XML element.

They are followed as plain attributes are: guarded where code reads them, put back after a trace, written by each run.

And those that objects of users' classes over Python's own (`class Batch(list)`) have beside what they hold, by which
Python tells them apart.
"""

from __future__ import annotations

import enum
import functools
import types
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from ....base.bound_methods import BOUND
from ....base.class_marks import defines, own_dict
from ....base.errors import CaptureError
from ....base.location import caller_loc
from ....dygraph.number import Number
from ..reachable import is_plain_class

_BUILT_IN: frozenset[type] = frozenset({bool, int, float, complex, str, bytes, type(None)})
OF_VALUES: tuple[type, ...] = (*_BUILT_IN, tuple, frozenset, list, dict, set, deque)  # told apart by what they hold
_OF_MEMBERS = frozenset({"_value_", "_name_", "__objclass__", "_sort_order_"})  # of an enumeration

F = TypeVar("F", bound=Callable[..., Any])
_PLAIN = (bool, int, float, complex, str, bytes, type(None), Number)
# modules of the standard library whose objects never change, or that a construct of their own is about
_OTHERS = frozenset({
    "abc", "ast", "base64", "binascii", "bisect", "builtins", "calendar", "cmath", "collections",
    "collections_abc", "contextlib", "contextvars", "copy", "copyreg", "dataclasses", "datetime", "decimal",
    "enum", "fractions", "functools", "gc", "genericpath", "heapq", "inspect", "io", "ipaddress", "itertools",
    "json", "locale", "logging", "math", "numbers", "numpy", "operator", "os", "pathlib", "posixpath", "pprint",
    "random", "re", "statistics", "string", "struct", "sys", "textwrap", "time", "tokenize", "traceback",
    "types", "typing", "unittest", "uuid", "vitrify", "warnings", "weakref", "weakrefset", "zoneinfo",
})  # fmt: skip


def _remembered(fn: F) -> F:
    return functools.lru_cache(maxsize=4096)(fn)  # type: ignore[return-value]


@_remembered
def is_opaque_class(kind: Any) -> bool:
    """Whether a class isn't the user's, and its objects may hold a state that Python's containers don't show."""
    if is_plain_class(kind):
        return not _has_functions(kind) and _is_built(kind)
    return is_opaque_module(kind.__module__)


def is_opaque_module(name: str | None) -> bool:
    """Whether objects of a module of the standard library may hold such a state."""
    return name is not None and name.partition(".")[0].lstrip("_") not in _OTHERS


@_remembered
def has_opaque_base(kind: Any) -> bool:
    """Whether objects of a class hold such a state: of one itself, or of a user's over one that isn't in Python."""
    return is_opaque_class(kind) or any(
        b.__module__ != "builtins" and is_opaque_class(b) and not _has_functions(b) for b in kind.__mro__[1:]
    )


def _has_functions(kind: type) -> bool:
    return any(isinstance(v, types.FunctionType) for v in vars(kind).values())


def _is_built(kind: type) -> bool:
    """Whether a class is no Python class: it is made where its module is compiled."""
    return not kind.__flags__ & 1 << 9 or any(isinstance(v, types.MethodDescriptorType) for v in vars(kind).values())


@_remembered
def hidden_names(kind: Any) -> tuple[str, ...]:
    """The attributes of a class's objects that a descriptor keeps elsewhere, and that code can set."""
    found: dict[str, None] = {}
    for base in kind.__mro__:
        if base.__module__ == "builtins" or not (is_plain_class(base) or is_opaque_class(base)):
            continue
        for name, member in vars(base).items():
            if not name.startswith("__") and _keeps(base, member):
                found[name] = None
    return tuple(found)


def _keeps(base: type, member: Any) -> bool:
    if isinstance(member, property):
        return member.fset is not None and is_opaque_class(base)
    if isinstance(member, types.MemberDescriptorType):
        return not is_plain_class(base)  # slots of the user's classes are followed by themselves
    return defines(type(member), "__set__") and not is_plain_class(type(member))


def hidden_attributes(owner: Any) -> dict[str, Any]:
    """Those of an object, with plain values, or the lists and dicts that stand there."""
    found = {}
    for name in hidden_names(type(owner)):
        try:
            value = getattr(owner, name)
            is_followed = isinstance(value, _PLAIN) or (type(value) in (dict, list) and getattr(owner, name) is value)
        except Exception:  # broad: a closed or unfinished object may raise any
            continue
        if is_followed:
            found[name] = value
    return found


def is_hidden(owner: Any, name: Any) -> bool:
    """Whether an attribute is one of them: it takes plain values only."""
    return name in hidden_names(type(owner))


# ---- beside what an object holds


@dataclass(frozen=True, slots=True)
class Beside:
    """A step of a path to such an attribute."""

    name: str

    def __repr__(self) -> str:
        return f".{self.name}"


def attributes_beside(owner: Any) -> list[dict[str, Any]]:
    """The attributes of a list, tuple, dict, string, … of a user's class, which its items don't hold: a dict to be
    watched too.
    """
    if type(owner) in _BUILT_IN or not isinstance(owner, OF_VALUES) or not is_plain_class(type(owner)):
        return []
    own = own_dict(owner)
    if not isinstance(own, dict) or own is owner or (isinstance(owner, enum.Enum) and own.keys() <= _OF_MEMBERS):
        return []
    return [own]


def slots_beside(owner: Any) -> dict[str, Any]:
    """What such a list, set or dict has in slots."""
    kind: Any = type(owner)
    is_one = kind not in (list, dict) and isinstance(owner, (list, set, dict, deque)) and is_plain_class(kind)
    return {n: getattr(owner, n) for n in slots_of(kind) if hasattr(owner, n)} if is_one else {}


def parts_beside(owner: Any) -> list[Any]:
    """The same, with the class of such an object, where code finds attributes too."""
    found = attributes_beside(owner)
    return [*found, type(owner)] if found else []


def same_beside(a: Any, b: Any, same: Callable[[Any, Any], bool]) -> bool:
    """Whether two objects of one class have the same attributes: the very objects, or plain ones that are equal."""
    ours, others = values_beside(a), values_beside(b)
    if ours.keys() != others.keys():
        return False
    return all(x is (y := others[n]) or (type(x) in _BUILT_IN and same(x, y)) for n, x in ours.items())


def refuse_slot(owner: Any, key: Any) -> None:
    """Errors: CaptureError where what was changed stands in a slot of a container: a program writes no such ones."""
    if type(key) is Beside:
        raise CaptureError(
            f"the slot {key.name!r} of a {type(owner).__name__}, which is a container, is written",
            loc=caller_loc(),
            remedy="leave `__slots__` out of the class, or keep the value in an item or in another object",
        )


def values_beside(owner: Any) -> dict[str, Any]:
    """Such attributes with those in slots, as they are now."""
    kind: Any = type(owner)
    if not isinstance(owner, OF_VALUES):
        return {}
    found = {n: getattr(owner, n) for n in slots_of(kind) if hasattr(owner, n)}
    own = own_dict(owner)
    if isinstance(own, dict) and own is not owner:
        found |= own
        found.pop(BOUND, None)
    return found


@functools.lru_cache(maxsize=1024)
def slots_of(kind: type) -> dict[str, Any]:
    """The slots that users' classes among a class and its bases have, and what reads them."""
    found: dict[str, Any] = {}
    for base in filter(is_plain_class, kind.__mro__):
        found = {n: v for n, v in vars(base).items() if isinstance(v, types.MemberDescriptorType)} | found
    return found


def is_slot(owner: Any, name: Any) -> bool:
    """Whether an attribute stands in a slot of its object, not in its `__dict__`."""
    return name in slots_of(type(owner))  # type: ignore[arg-type]  # mypy takes a class of Any for unhashable
