"""Methods of users' classes that Python calls by itself (`__len__`, `__bool__`, …), in converted form."""

from __future__ import annotations

import functools
import operator
import sysconfig
import types
from typing import Any

from ....base.location import is_library_file
from ...trace.reachable import file_of

_STDLIB = tuple({sysconfig.get_path("stdlib"), sysconfig.get_path("platstdlib")})
_METHODS: dict[Any, str] = {
    len: "__len__", bool: "__bool__", str: "__str__", repr: "__repr__", format: "__format__", abs: "__abs__",
    int: "__int__", float: "__float__", round: "__round__", operator.getitem: "__getitem__",
    operator.setitem: "__setitem__", operator.delitem: "__delitem__", operator.contains: "__contains__",
}  # fmt: skip


def own_method(fn: Any, x: Any) -> types.MethodType | None:
    """The user's method behind `fn(x)`, such as `__len__` behind `len(x)`, where the class of `x` has one in Python."""
    try:
        name = _METHODS.get(fn)
    except TypeError:  # not hashable
        return None
    if name is None or type(x).__module__ == "builtins":
        return None
    method: Any = getattr(type(x), name, None)
    if not is_users(method):
        return own_method(len, x) if fn is bool and method is None else None
    return None if file_of(method) == "<string>" else types.MethodType(method, x)


def own_check(tracer: Any, fn: Any, x: Any, kinds: Any) -> Any:
    """What `isinstance(x, kinds)` or `issubclass(x, kinds)` is where a metaclass of the user's says it; else None."""
    name = "__instancecheck__" if fn is isinstance else "__subclasscheck__"
    if type(kinds) is tuple and any(is_users(getattr(type(kind), name, None)) for kind in kinds):
        return any(tracer.call(fn, x, kind) for kind in kinds)
    method: Any = getattr(type(kinds), name, None)
    if not is_users(method) or (fn is isinstance and type(x) is kinds):
        return None
    return tracer.call(bool, tracer.call(types.MethodType(method, kinds), x))


def is_users(fn: Any) -> bool:
    """Whether a function is the user's, in Python."""
    return isinstance(fn, types.FunctionType) and not is_in_library(fn)


# what `functools.total_ordering` makes comparisons of: they call a method of the user's
_ORDERINGS = frozenset(fn for made in functools._convert.values() for _, fn in made)  # type: ignore[attr-defined]


def is_in_library(fn: types.FunctionType) -> bool:
    """Whether a function is part of this package, of one beside it, or of the standard library."""
    if fn in _ORDERINGS:
        return False
    file = file_of(fn)
    is_standard = file.startswith("<frozen ") or (file.startswith(_STDLIB) and "site-packages" not in file)
    return is_standard or is_library_file(file)


def wraps_users(fn: types.FunctionType) -> bool:
    """Whether a decorator of this package, or of the standard library, made a function out of one of the user's."""
    inner = getattr(fn, "__wrapped__", None)
    return isinstance(inner, types.FunctionType) and is_in_library(fn) and not is_in_library(inner)


_MADE = frozenset({
    "__init__", "__eq__", "__repr__", "__lt__", "__le__", "__gt__", "__ge__", "__hash__", "__setattr__", "__delattr__",
    "__new__",
})  # fmt: skip


def is_made_by_library(fn: types.FunctionType) -> bool:
    """Whether it is a method that `dataclass` or `namedtuple` makes from text: it only stores or compares."""
    return file_of(fn) == "<string>" and fn.__name__ in _MADE
