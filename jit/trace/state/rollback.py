"""What a trace changed of the eager world, so that it can be put back: tensors' cells, `.grad`s, and Python objects.

This is about the objects; of tensors and their cells a log is kept (write_log.py).
"""

from __future__ import annotations

import functools
import gc
import operator
import types
import weakref
from collections import deque
from collections.abc import Callable, Collection, Container, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ....base.bound_methods import BOUND
from ....base.class_marks import mark_of, own_dict
from ....base.dtype import DType
from ....base.errors import CaptureError
from ....base.location import caller_loc
from ....dygraph import storage as cells
from ....dygraph.given_array import GivenArray
from ....dygraph.hooks import users_hooks
from ....dygraph.storage import Storage
from ....dygraph.tensor import Parameter, Tensor
from ....ops.op import Op
from ..arrays.locked_arrays import Locked
from ..assumed.hidden_attributes import (
    OF_VALUES,
    Beside,
    attributes_beside,
    hidden_attributes,
    hidden_names,
    is_hidden,
    is_slot,
    parts_beside,
    slots_beside,
    slots_of,
)
from ..reachable import (
    BUILTIN_METHODS,
    bound_parts,
    is_bound,
    is_plain_class,
    is_user_function,
    methods_of,
    roots_of,
    stored_cells,
    written_spaces,
)
from .containers import WHOLE, base_of, decision_in, is_ordered, is_untouched, parts_of, raw_contents, refill
from .dynamic_lists import ListSegment, is_run_time_sized
from .outside_iterators import OutsideIterators, stand_in

CLASS = "__class__"  # the key of an object's class among what code changes
ATOMS = (bool, int, float, complex, str, bytes, type(None))
_PLAIN = frozenset(ATOMS)
_OPAQUE = (
    *ATOMS, Op, Tensor, Storage, np.ndarray, np.generic, DType, type, range, slice, types.ModuleType,
    types.FunctionType, types.MethodType, types.BuiltinFunctionType, types.CodeType, types.FrameType,
    types.GeneratorType, ListSegment,
)  # fmt: skip
# what only the garbage collector tells of: views of dicts, and keys that comparisons are made of
VIEWS: tuple[type, ...] = (
    types.MappingProxyType, type({}.keys()), type({}.values()), type({}.items()), type(functools.cmp_to_key(min)),
)  # fmt: skip
_CLASS_PARTS = (types.FunctionType, staticmethod, classmethod, property, types.MemberDescriptorType, type)
MOST_OBJECTS = 20_000
_OWN_RECORDS = ("vitrify.jit.", "vitrify.static.", "vitrify.ir.")


# ---- Python objects


@dataclass(slots=True)
class _Kept:
    owner: Any
    copy: Any  # list, or dict of items or attributes
    only: frozenset[str] | None = None  # of a module's globals, these names
    kind: type | None = None  # the class of an object, which code may change
    beside: dict[str, Any] = field(default_factory=dict)  # what a list, set or dict of a user's class has in slots

    def now(self) -> Any:
        """Its contents as they are."""
        if self.only is not None:
            return {k: v for k, v in self.owner.items() if k in self.only}
        return contents(self.owner)

    def changes_beside(self) -> Iterator[tuple[Any, Any, Any, Any]]:
        """The slots of a container that differ."""
        now = slots_beside(self.owner)
        pairs = {n: (self.beside.get(n, MISSING), now.get(n, MISSING)) for n in {**self.beside, **now}}
        yield from ((self.owner, Beside(n), a, b) for n, (a, b) in pairs.items() if not same(a, b))

    def is_the_same_table(self) -> bool:
        """Whether it is a dict or list of the very items from before: most are, and nothing else need be looked at."""
        kind, owner, copy = type(self.owner), self.owner, self.copy
        if (kind is not dict and kind is not list) or self.only is not None:
            return False
        return is_untouched(copy, owner) and (len(copy) != 1 or decision_in(owner) is None)


class Objects:
    """Shallow copies of every list, dict and plain object that can be reached from some roots.

    own: given for a region: cells that it carries as variables. Then what functions among the objects can reach is
    copied too; for a whole trace that is added when they are called. met: is told of functions and classes.
    is_made: tells of a tensor whether the function made it: objects that hold such ones are the function's own.
    """

    def __init__(
        self, roots: Iterable[Any] = (), *, own: Collection[int] | None = None,
        met: Callable[[Iterable[Any]], None] | None = None, is_made: Callable[[Any], bool] | None = None,
    ) -> None:  # fmt: skip
        self.kept: dict[int, _Kept] = {}
        self.own = own
        self.met = met
        self.is_made = is_made
        self.fresh: dict[int, Any] = {}  # objects that the function made: not part of the world outside
        self.functions: set[int] = set()
        self.roots: list[Any] = []  # what was given to start from, for a whole trace
        self.locked = Locked()
        self.arrays: list[Any] = []  # of NumPy's, that code of a region can reach
        self.iterators = OutsideIterators()
        self.filled = False  # whether a cache of `functools` has taken results in: those stay
        self.named: set[str] = set()  # attributes that something else than code names: an `attrgetter` from outside
        self.add(roots)

    def holds(self, x: Any) -> bool:
        """Whether something is an item or attribute of one of them."""
        return any(part is x for kept in self.kept.values() for part in parts_of(kept.copy))

    def add(self, roots: Iterable[Any]) -> None:
        """Copy what can be reached from more roots; what is known already stays as it was copied first."""
        stack = list(roots)
        if self.own is None:
            self.roots += [x for x in stack if not isinstance(x, GivenArray)]  # which see nothing, and may be alone
        while stack and len(self.kept) < MOST_OBJECTS:
            value = stack.pop()
            if type(value) in _PLAIN:
                continue
            if (
                type(value) is dict or type(value) is list
            ):  # most are the tables of layers: no other object need be ruled out
                stack += self._added_table(value)
                continue
            if self.met is not None and (isinstance(value, types.FunctionType) or is_plain_class(value)):
                self.met((value,))
            if (moved := stand_in(value)) is not None:
                stack.append(moved)
            if self.own is None:
                self.iterators.meet(value)
                if type(value) is operator.attrgetter:
                    self.named.update(part for name in value.__reduce__()[1] for part in name.split("."))
            if isinstance(value, np.ndarray):
                self._lock(value)
            if isinstance(value, np.ndarray) and value.dtype.hasobject and value.size <= MOST_OBJECTS:
                stack.extend(value.ravel().tolist())
            if isinstance(value, VIEWS):
                stack.extend(gc.get_referents(value))
                continue
            if isinstance(value, weakref.ref):  # of a WeakValueDictionary or a WeakSet, too
                stack.append(value())
                continue
            if isinstance(value, Tensor) and value._hooks:
                stack.extend(users_hooks(value._hooks))
            if mark_of(type(value), "is_union", False):
                stack.extend(value.objects)
                continue
            if self.own is not None and id(value) not in self.kept:
                stack.extend(self._behind(value))
            elif not isinstance(value, types.MethodType):  # whose object is added when it is called
                stack.extend(bound_parts(value))
            if isinstance(value, functools.partial):
                stack.append(value.keywords)
            stack.extend(parts_beside(value) if isinstance(value, (*ATOMS, tuple, frozenset)) else ())
            is_opaque = not is_plain_class(value) and isinstance(value, _OPAQUE) and not _has_attributes(value)
            if is_opaque or id(value) in self.kept or id(value) in self.fresh:
                continue
            if isinstance(value, (tuple, frozenset)):
                stack.extend(value)
                continue
            if type(value).__module__.startswith(_OWN_RECORDS) and not mark_of(type(value), "is_state", False):
                continue  # a compiled function, or a program that is being built: no state of the user's
            found = contents(value)
            if found is None or self._is_fresh(value, found):
                continue
            self.kept[id(value)] = _Kept(value, found, kind=type(value), beside=slots_beside(value))
            stack.extend(found.values() if isinstance(found, dict) else found)
            stack.extend(attributes_beside(value))
            stack += [base for base in type(value).__mro__ if is_plain_class(base)]

    def _lock(self, array: Any) -> None:
        """An array can't be written while the trace runs, or while the region's code does (see ../arrays)."""
        if self.own is None:
            self.locked.add(array)
        else:
            self.arrays.append(array)

    def _added_table(self, table: Any) -> Iterable[Any]:
        """Copy a dict or list, unless that is done; what it holds."""
        if id(table) in self.kept or id(table) in self.fresh:
            return ()
        found = contents(table)
        self.kept[id(table)] = _Kept(table, found)
        return found.values() if isinstance(found, dict) else found

    def _is_fresh(self, value: Any, held: Any) -> bool:
        """Whether an `if` or a loop has put an object together: it holds a tensor that the function made."""
        if self.is_made is None or not is_plain_class(type(value)):
            return False
        values = held.values() if isinstance(held, dict) else held
        found = any(self.is_made(x) for v in values for x in (v, *parts_of(v)))
        if found:
            self.fresh[id(value)] = value
        return found

    def _behind(self, value: Any) -> list[Any]:
        """What calling `value`, or its methods, can reach."""
        if parts := bound_parts(value):
            return parts
        found: list[Any] = []
        # whoever has a class may make an instance, and call its methods
        kind: Any = value if is_plain_class(value) else type(value)
        for fn in (value,) if isinstance(value, types.FunctionType) else methods_of(kind):
            if id(fn) in self.functions or not is_user_function(fn):
                continue
            self.functions.add(id(fn))
            found += [*roots_of([fn]), *(c for c in stored_cells(fn) if id(c) not in (self.own or ()))]
            self._add_globals(fn)
        return found

    def reach(self, fn: types.FunctionType) -> None:
        """Copy what a function that is called can reach by name."""
        self.add([*roots_of([fn]), *(fn.__closure__ or ())])
        self._add_globals(fn)

    def new(self, value: Any) -> Any:
        """An object that the function makes."""
        self.fresh[id(value)] = value
        return value

    def _add_globals(self, fn: types.FunctionType) -> None:
        """Watch those globals of modules that a function may assign."""
        for space, names in written_spaces(fn):
            known = self.kept.setdefault(-id(space), _Kept(space, {}, frozenset()))
            fresh = names - (known.only or frozenset())
            known.copy.update({k: v for k, v in space.items() if k in fresh})
            known.only = (known.only or frozenset()) | fresh

    def before(self, owner: Any, key: Any, default: Any) -> Any:
        """An item or attribute as it was when its owner was copied; `default` if it wasn't."""
        for kept in (self.kept.get(id(owner)), self.kept.get(-id(owner))):
            if kept is None:
                continue
            if key in kept.copy if isinstance(kept.copy, dict) else type(key) is int and 0 <= key < len(kept.copy):
                return kept.copy[key]
            if kept.only is not None and key in kept.only:
                return MISSING  # a global that wasn't there
        return default

    def changes(self) -> Iterator[tuple[Any, Any, Any, Any]]:
        """(owner, key, before, after) for each item or attribute that differs; MISSING where there is none.

        A list or set whose length changed, or a dict whose keys were put into another order, comes as one change with
        the key WHOLE.
        """
        for kept in self.kept.values():
            if kept.is_the_same_table():
                continue
            now = kept.now()
            if kept.kind is not None and type(kept.owner) is not kept.kind:
                yield kept.owner, CLASS, kept.kind, type(kept.owner)
            if type(kept.owner) not in OF_VALUES:
                yield from kept.changes_beside()
            if decision_in(kept.owner) is not None:
                yield kept.owner, WHOLE, kept.copy, now
            elif is_untouched(kept.copy, now):  # most are
                continue
            elif isinstance(kept.copy, dict):
                assert isinstance(now, dict)
                if kept.only is None and isinstance(kept.owner, dict) and not is_ordered(kept.copy, now):
                    yield kept.owner, WHOLE, kept.copy, now
                    continue
                for key in [*kept.copy, *(k for k in now if k not in kept.copy)]:
                    before, after = kept.copy.get(key, MISSING), now.get(key, MISSING)
                    if not same(before, after):
                        yield kept.owner, key, before, after
            elif len(now) != len(kept.copy) or isinstance(kept.owner, set) or _grew(kept.copy, now):
                if isinstance(kept.owner, set) and now == kept.copy:
                    continue
                yield kept.owner, WHOLE, kept.copy, now
            else:
                for key, (before, after) in enumerate(zip(kept.copy, now, strict=True)):
                    if not same(before, after):
                        yield kept.owner, key, before, after

    def contents(self) -> Iterator[Any]:
        """What all of them hold now."""
        for kept in self.kept.values():
            now = kept.now()
            yield from now.values() if isinstance(now, dict) else now

    def undo(self, *, keep_new: bool = True) -> list[tuple[Any, Any, Any]]:
        """Put all contents back, but keep state that was made newly (an optimiser's moments); returns that."""
        kept = []
        for owner, key, before, after in list(self.changes()):
            if keep_new and is_new_state(before, after):
                kept.append((owner, key, after))
                continue
            put(owner, key, before)
            if before is MISSING or after is not MISSING:
                continue
            whole = self.kept.get(id(owner))  # what was deleted stands behind all others now
            if whole is not None and isinstance(owner, dict) and not kept and list(owner) != list(whole.copy):
                refill(owner, whole.copy)
        return kept


def _grew(before: list[Any], now: list[Any]) -> bool:
    """Whether a list of run-time length, before or now, has changed."""
    return (is_run_time_sized(before) or is_run_time_sized(now)) and not all(
        same(a, b) for a, b in zip(before, now, strict=True)
    )


def is_new_state(before: Any, after: Any, lifted: Container[int] = ()) -> bool:
    """Whether an item or attribute is state that was made while capturing: an optimiser's moments.

    lifted: identities of cells that are concrete outside of the trace, whatever they hold now.
    """
    if before is not MISSING:
        return False
    if isinstance(after, dict):
        return bool(after) and all(is_new_state(MISSING, v, lifted) for v in after.values())
    if not isinstance(after, Tensor) or isinstance(after, Parameter):
        return False
    return after.persistable and (isinstance(cells.held(after), np.ndarray) or id(after._storage) in lifted)


def drop(new_state: Iterable[tuple[Any, Any, Any]]) -> None:
    """Remove items and attributes again, unless they are others by now."""
    for owner, key, value in new_state:
        if (contents(owner) or {}).get(key, MISSING) is value:
            put(owner, key, MISSING)


class _Missing:
    def __repr__(self) -> str:
        return "nothing"


MISSING = _Missing()


def same(a: Any, b: Any) -> bool:
    """Whether two values are one object, or equal numbers or strings of one type."""
    if a is b:
        return True
    if isinstance(a, types.MethodType) and isinstance(b, types.MethodType):
        return a.__func__ is b.__func__ and a.__self__ is b.__self__
    if isinstance(a, BUILTIN_METHODS) and isinstance(b, BUILTIN_METHODS):
        return a == b  # as above: of one object
    if type(a) is not type(b) or not isinstance(a, ATOMS):
        return False
    return repr(a) == repr(b) if isinstance(a, (float, complex)) else bool(a == b)  # NaN is NaN, and 0.0 isn't -0.0


def contents(owner: Any) -> Any:
    """The items of a list, set or dict, or the attributes of an object, as a new list or dict; None for others.

    The compiled methods that are kept with an object are none of its attributes.
    """
    if isinstance(owner, (dict, list, set, deque)):
        found = raw_contents(owner)
        if isinstance(owner, dict):
            found.pop(BOUND, None)  # of `vars(object)`
        return found
    if isinstance(owner, type):
        return {k: v for k, v in vars(owner).items() if not k.startswith("__") and not isinstance(v, _CLASS_PARTS)}
    if isinstance(owner, types.CellType):
        return {"cell_contents": owner.cell_contents} if is_bound(owner) else {}
    attributes = own_dict(owner)
    slots = slots_of(type(owner))  # type: ignore[arg-type]  # mypy takes a class of Any for unhashable
    hidden = hidden_names(type(owner))
    if not slots and not hidden and not isinstance(attributes, dict):
        return None
    found = {}
    for name, member in slots.items():
        with suppress(AttributeError):
            found[name] = member.__get__(owner)  # past a `__getattr__`, which may give more
    found |= {**(hidden_attributes(owner) if hidden else {}), **(attributes or {})}
    found.pop(BOUND, None)
    return found


def _has_attributes(value: Any) -> bool:
    """Whether `value` may have attributes of its own, such as a counter: a user's function."""
    return isinstance(value, types.FunctionType) and is_user_function(value)


def put(owner: Any, key: Any, value: Any) -> None:
    """Set or remove one item or attribute, without the owner's own setters."""
    if key is CLASS:
        if not isinstance(value, type):
            raise CaptureError(
                f"the class of a {type(owner).__name__} is another one on one path of a condition or loop",
                loc=caller_loc(),
                remedy="make a new object of the other class, or keep in an attribute what tells them apart",
            )
        object.__setattr__(owner, "__class__", value)
    elif type(key) is Beside:
        _put_slot(owner, key.name, value)
    elif isinstance(owner, set) or (key is WHOLE and isinstance(owner, (list, deque, dict))):
        refill(owner, value)
    elif isinstance(owner, (list, deque)):
        base_of(owner).__setitem__(owner, key, value)
    elif isinstance(owner, types.CellType):
        if value is MISSING:
            del owner.cell_contents
        else:
            owner.cell_contents = value
    elif isinstance(owner, type):
        if value is not MISSING:
            setattr(owner, key, value)
        elif key in vars(owner):
            delattr(owner, key)
    elif mark_of(type(owner), "is_followed", False):
        owner.put(key, value)
    elif is_hidden(owner, key):
        if value is not MISSING:
            setattr(owner, key, value)
    elif is_slot(owner, key):
        _put_slot(owner, key, value)
    else:
        target = owner if isinstance(owner, dict) else owner.__dict__
        base = base_of(target)
        if value is MISSING:
            base.pop(target, key, None)
        else:
            base.__setitem__(target, key, value)


def _put_slot(owner: Any, name: str, value: Any) -> None:
    if value is not MISSING:
        object.__setattr__(owner, name, value)
    else:
        with suppress(AttributeError):
            object.__delattr__(owner, name)


def describe(owner: Any, key: Any) -> str:
    """How messages call an item or attribute."""
    if type(key) is Beside:
        return f"{type(owner).__name__}{key}"
    if isinstance(owner, (list, set, deque)) or (key is WHOLE and isinstance(owner, dict)):
        return f"a {type(owner).__name__}" if key is WHOLE else f"item {key} of a list"
    return f"item {key!r} of a dict" if isinstance(owner, dict) else f"{type(owner).__name__}.{key}"
