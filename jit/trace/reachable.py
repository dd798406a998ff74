"""What the code of functions can reach by name: closure cells, globals, and through them further functions."""

from __future__ import annotations

import dis
import functools
import itertools
import sys
import types
from collections import deque
from collections.abc import Callable, Collection, Container, Iterable, Iterator
from typing import Any

from ...base.class_marks import mark_of, own_dict
from ...base.location import is_library_file

BUILTIN_METHODS = (types.BuiltinMethodType, types.MethodWrapperType)
CONTAINERS = (list, dict, set, deque)  # built-in objects that code changes by methods
plain_forms: dict[int, types.FunctionType] = {}  # functions with entrances (see entrances.py), as they were written
_KNOWN = {*sys.stdlib_module_names, "vitrify", "numpy"}


def plain_of(fn: Any) -> Any:
    """A function with its own code, where a trace has put an entrance in place of that."""
    return plain_forms.get(id(fn), fn)


def file_of(fn: Any) -> str:
    """Where the code of a function stands."""
    return str(plain_of(fn).__code__.co_filename)


def roots_of(functions: Iterable[Callable[..., Any]]) -> list[Any]:
    """Objects that the code of some functions can reach by name."""
    found: list[Any] = []
    for fn in functions:
        space = getattr(fn, "__globals__", {})
        names, known = all_names(getattr(plain_of(fn), "__code__", None)), {id(space): space}
        found += _named_behind(_held_by(fn), names, known)
        found += _named_in(space, names, known)
    return found


def _held_by(fn: Any) -> list[Any]:
    """What a function holds beside its globals."""
    held = [c.cell_contents for c in getattr(fn, "__closure__", None) or () if is_bound(c)]
    held += imported_modules(getattr(plain_of(fn), "__code__", None))
    return [*held, *(getattr(fn, "__defaults__", None) or ()), *(getattr(fn, "__kwdefaults__", None) or {}).values()]


def held_behind(fn: Callable[..., Any]) -> list[Any]:
    """What a function of this package holds in its closure, and what such functions among that hold."""
    found, stack, seen = list[Any](), [fn], set[int]()
    while stack:
        for value in _held_by(stack.pop()):
            if not isinstance(value, types.FunctionType) or is_user_function(value):
                found.append(value)
            elif id(value) not in seen:
                seen.add(id(value))
                stack.append(value)
    return found


def _named_in(space: dict[str, Any], names: Collection[str], known: dict[int, dict[str, Any]]) -> Iterator[Any]:
    """What some names stand for in a module, and in the user's own modules that they stand for; `known` has these."""
    return _named_behind([space[name] for name in names if name in space], names, known)


def _named_behind(values: Iterable[Any], names: Collection[str], known: dict[int, dict[str, Any]]) -> Iterator[Any]:
    """Some values, with what the names stand for in modules in the place of these."""
    for value in values:
        if not isinstance(value, types.ModuleType):
            yield value
        elif is_user_module(value) and id(vars(value)) not in known:
            known[id(vars(value))] = vars(value)
            yield from _named_in(vars(value), names, known)


def is_user_function(value: object) -> bool:
    """Whether `value` is a function outside this package."""
    return isinstance(value, types.FunctionType) and not is_library_file(file_of(value))


def is_plain_class(value: object) -> bool:
    """Whether `value` is a class that neither this package, NumPy nor the standard library defines."""
    if not isinstance(value, type):
        return False
    module = value.__module__
    known = _users_modules.get(module)
    if known is None:
        first = module.partition(".")[0]
        known = _users_modules[module] = first not in _KNOWN or first == "__main__"
    return known


_users_modules: dict[str, bool] = {}  # modules of classes, by name: whether they are the user's


def is_compiled(value: Any) -> bool:
    """Whether it is a compiled function, which holds the function as it was written."""
    return mark_of(type(value), "__vitrify_inline__") is not None


def bound_parts(value: Any) -> list[Any]:
    """What a bound method, a partial or a compiled function holds; nothing for others.

    Of a built-in method it is the object, if its state is followed: a container (`out.append`), or an object of a
    user's class (`x.__setattr__`). Functions of built-in modules are bound, too: to those modules.
    """
    if is_compiled(value):
        value = value.__vitrify_inline__
        return bound_parts(value) or [value]
    if isinstance(value, types.MethodType):
        return [value.__self__, value.__func__]
    if isinstance(value, functools.partial):
        return [value.func, *value.args, *value.keywords.values()]
    if isinstance(value, BUILTIN_METHODS):
        owner = value.__self__
        return [owner] if isinstance(owner, CONTAINERS) or is_plain_class(type(owner)) else []
    return []


@functools.lru_cache(maxsize=1024)
def methods_of(kind: type) -> tuple[types.FunctionType, ...]:
    """The functions that users wrote in a class and its bases."""
    found = []
    for base in kind.__mro__:
        for value in vars(base).values():
            plain = getattr(value, "__func__", getattr(value, "fget", value))
            if isinstance(plain, types.FunctionType) and is_user_function(plain):
                found.append(plain)
    return tuple(found)


def stored_cells(fn: types.FunctionType) -> list[types.CellType]:
    """The closure cells that a function, or one inside it, assigns."""
    code = plain_of(fn).__code__
    stored = stored_names(code, ("STORE_DEREF", "DELETE_DEREF"))
    return [c for n, c in zip(code.co_freevars, fn.__closure__ or (), strict=True) if n in stored]


def stored_globals(code: types.CodeType) -> frozenset[str]:
    """Globals that a function, or one inside it, assigns."""
    return stored_names(code, ("STORE_GLOBAL", "DELETE_GLOBAL"))


def written_spaces(fn: types.FunctionType) -> Iterator[tuple[dict[str, Any], frozenset[str]]]:
    """The globals of modules that a function, or one inside it, may assign: its own, and `module.name = …`."""
    code = plain_of(fn).__code__
    yield fn.__globals__, stored_globals(code)
    if names := stored_names(code, ("STORE_ATTR", "DELETE_ATTR")):
        modules: dict[int, dict[str, Any]] = {id(fn.__globals__): fn.__globals__}
        for _ in _named_in(fn.__globals__, all_names(code), modules):
            pass
        for _ in _named_behind(_held_by(fn), all_names(code), modules):
            pass
        yield from ((space, names) for space in list(modules.values())[1:])


@functools.lru_cache(maxsize=4096)
def stored_names(code: types.CodeType, operations: tuple[str, ...]) -> frozenset[str]:
    """The names that operations of a code object, or of one inside it, assign."""
    own = _names_by_operation(code)
    inner = [c for c in code.co_consts if isinstance(c, types.CodeType)]
    return frozenset().union(
        *(own[name] for name in operations if name in own), *(stored_names(c, operations) for c in inner)
    )


@functools.lru_cache(maxsize=4096)
def _names_by_operation(code: types.CodeType) -> dict[str, set[str]]:
    """What the operations of a code object are about, by their names; it is taken apart once for all questions."""
    found: dict[str, set[str]] = {}
    for step in dis.get_instructions(code):
        about = found.setdefault(step.opname, set())
        if isinstance(step.argval, str):
            about.add(step.argval)
    return found


def imported_modules(code: types.CodeType | None) -> list[types.ModuleType]:
    """The modules that a code object, or one inside it, imports, as far as they are there by now."""
    names = () if code is None else sorted(stored_names(code, ("IMPORT_NAME",)))
    parts = dict.fromkeys(part for name in names for part in (name.partition(".")[0], name))
    return [module for part in parts if isinstance(module := sys.modules.get(part), types.ModuleType)]


def is_bound(cell: types.CellType) -> bool:
    """Whether a closure's variable has a value."""
    try:
        cell.cell_contents  # noqa: B018
    except ValueError:
        return False
    return True


@functools.lru_cache(maxsize=4096)
def all_names(code: types.CodeType | None) -> tuple[str, ...]:
    """Global and attribute names that a code object, or one inside it, mentions, each once."""
    return tuple(dict.fromkeys(names_in(code)))


def names_in(code: types.CodeType | None) -> Iterator[str]:
    """The same, as they come."""
    if code is None:
        return
    yield from code.co_names
    yield from _matched_names(code)
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from names_in(constant)


@functools.lru_cache(maxsize=4096)
def _matched_names(code: types.CodeType) -> tuple[str, ...]:
    """Attributes that the class patterns of a code object name: `a` of `case P(a=1)`."""
    if not any(isinstance(c, tuple) for c in code.co_consts) or "MATCH_CLASS" not in _names_by_operation(code):
        return ()
    steps = list(dis.get_instructions(code))
    before = [a.argval for a, b in itertools.pairwise(steps) if b.opname == "MATCH_CLASS"]
    return tuple(name for names in before if isinstance(names, tuple) for name in names)


@functools.lru_cache(maxsize=4096)
def loaded_globals(code: types.CodeType) -> tuple[str, ...]:
    """Names that a code object, or one inside it, reads as globals or builtins."""
    return tuple(sorted(stored_names(code, ("LOAD_GLOBAL", "LOAD_NAME"))))


_CATCHING = frozenset({"AttributeError", "Exception", "BaseException", "suppress"})
_ASKING = frozenset({"hasattr", "getattr", "setattr", "delattr", "__dict__", "vars", "attrgetter", "__getattribute__"})


@functools.lru_cache(maxsize=4096)
def asked_names(code: types.CodeType) -> frozenset[str] | None:
    """Names of attributes that code may find missing, as in `hasattr(x, "y")` and in `try: x.y`; None where it makes
    names up.
    """
    tried = _tried_names(code)
    if not _ASKING.intersection(names_in(code)):
        return tried
    texts = frozenset(c for c in _constants(code) if c.isidentifier())
    made_up = not texts or {"__dict__", "vars", "attrgetter"}.intersection(names_in(code))
    return None if made_up else texts | tried


def named_by_strings(code: types.CodeType) -> frozenset[str] | None:
    """Names of attributes that code gives as strings, as in `getattr(x, "y")`; None where it may mean any."""
    if takes_apart(code):
        return None
    if _ASKING.intersection(names_in(code)) <= {"hasattr"}:  # which gives no attribute
        return frozenset()
    return asked_names(code)


@functools.lru_cache(maxsize=4096)
def takes_apart(code: types.CodeType) -> bool:
    """Whether a code object, or one inside it, matches objects by their classes, which reads attributes."""
    inner = [c for c in code.co_consts if isinstance(c, types.CodeType)]
    return "MATCH_CLASS" in _names_by_operation(code) or any(map(takes_apart, inner))


def _tried_names(code: types.CodeType) -> frozenset[str]:
    """Attributes that code reads in a function that catches what a missing one raises."""
    inner = [c for c in code.co_consts if isinstance(c, types.CodeType)]
    found = frozenset().union(*map(_tried_names, inner))
    if not code.co_exceptiontable or not _CATCHING.intersection(code.co_names):
        return found
    return found | stored_names(code, ("LOAD_ATTR", "LOAD_METHOD"))


def _constants(code: types.CodeType) -> Iterator[str]:
    for constant in code.co_consts:
        if isinstance(constant, str):
            yield constant
        elif isinstance(constant, types.CodeType):
            yield from _constants(constant)


def raw_attributes(kind: type) -> dict[str, Any]:
    """What users' classes among a class and its bases define, as it stands there; later bases don't count."""
    found: dict[str, Any] = {}
    for base in reversed(kind.__mro__):
        if is_plain_class(base):
            found.update(vars(base))
        else:
            for name in vars(base).keys() & found.keys():
                del found[name]
    return found


_LIBRARIES = ("site-packages", "dist-packages")


def is_from_package(value: Any) -> bool:
    """Whether a function or class comes from a package that is installed, not from the user's own code."""
    if isinstance(value, types.FunctionType):
        file = file_of(value)
    else:
        file = (own_dict(sys.modules.get(value.__module__)) or {}).get("__file__") or ""
    return any(part in file for part in _LIBRARIES)


def is_user_module(module: types.ModuleType) -> bool:
    """Whether a module belongs to the user's own code: its names are guarded."""
    return _is_users(module.__name__, vars(module).get("__file__") or "")  # past a `__getattr__` of the module


@functools.lru_cache(maxsize=16384)
def _is_users(name: str, file: str) -> bool:
    first = name.partition(".")[0]
    return (first not in _KNOWN or first == "__main__") and not any(part in file for part in _LIBRARIES)


_COPYING = frozenset({"__reduce__", "__reduce_ex__", "__getstate__", "__setstate__", "__copy__", "__deepcopy__"})
_SELDOM = _COPYING | {
    "__module__", "__doc__", "__dict__", "__weakref__", "__slots__", "__annotations__", "__qualname__",
    "__init_subclass__", "__dir__", "__sizeof__", "__del__", "__set_name__",
}  # fmt: skip


def is_implicit(name: str, value: Any, names: Container[str]) -> bool:
    """Whether Python itself looks up a method of a class (`__len__`, `__init__`, …) that a user wrote, or `dataclass`
    for the user. names: those in the code, which tell whether it copies objects.
    """
    if not (name.startswith("__") and name.endswith("__")):
        return False
    if name in _SELDOM and not (name in _COPYING and ("copy" in names or "deepcopy" in names)):
        return False
    return is_user_function(getattr(value, "__func__", value))
