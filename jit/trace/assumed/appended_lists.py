"""Lists from outside that a traced function only appends to: `self.losses.append(loss.detach())`.

What such a list holds doesn't matter to the program; `self.losses[-1]` after that is what the call itself appended. So
its length and items are no assumptions, and a call appends the new items in place of writing the whole list. It must be
sure that no code of the trace can learn what the list held before: all that holds the list holds it under a name, and
whatever the code loads by that name it only appends to.
"""

from __future__ import annotations

import gc
import sys
import types
from collections import deque
from collections.abc import Iterator
from dataclasses import replace
from typing import Any, Literal, NamedTuple

import numpy as np

from ....base.location import is_library_file
from ....base.pytree import TaggedValue
from ....dygraph.nn.layer import Layer
from ....dygraph.storage import Storage
from ....dygraph.tensor import Tensor
from ...call.guards import look, place_of
from ..entrances import NEVER_ENTERED, WATCHED
from ..reachable import (
    file_of,
    is_bound,
    is_plain_class,
    is_user_module,
    loaded_globals,
    named_by_strings,
    names_in,
    plain_of,
)
from ..state.containers import decision_in
from ..state.dynamic_lists import is_run_time_sized
from ..state.rollback import ATOMS, MOST_OBJECTS, same
from ..traced import Assumption, AttributeWrite
from ..tracer import Tracer
from .assumptions import MOST_ITEMS
from .layer_assumptions import LAYERS_OWN, is_of_library
from .name_uses import ANY_KEY, APPENDED, READ, TESTED, Use, merged, uses_in
from .settings import tables_of
from .structures import ALONE

# What reads attributes that it doesn't name, or a list through its bound method.
_READERS = frozenset({
    "deepcopy", "asdict", "astuple", "pickle", "dumps", "dump", "globals", "locals", "eval", "exec", "compile", "gc",
    "getmembers", "__getstate__", "__reduce__", "__reduce_ex__", "__self__",
})  # fmt: skip
_CLOSED = (
    *ATOMS, Tensor, Storage, np.ndarray, np.generic, type, range, slice, types.ModuleType, types.CodeType,
    types.FunctionType,
)  # fmt: skip
_KNOWN = "the one appended to"  # of lists at places: it, or a fresh one
_MOST_PARTS = 10_000  # of objects that nobody knows


class Growing(NamedTuple):
    """A list that a run only appends to: how long it was before; whether code asks if it has items."""

    length: int
    is_tested: bool


def appended_lists(tracer: Tracer) -> dict[int, Growing]:
    """The lists that a finished run only appended to, by identity."""
    grown = {i: k.owner for i, k in tracer.objects.kept.items() if k.only is None and _grew(tracer, k.owner, k.copy)}
    if not grown:
        return {}
    code = _Code(tracer)
    holders = None if code.is_open else _Holders(tracer, grown)
    if holders is None or holders.is_lost:
        return {}
    kept = tracer.objects.kept
    return {i: Growing(len(kept[i].copy), code.tests(holders, i)) for i in grown if code.appends(holders, i)}


def _grew(tracer: Tracer, owner: Any, before: Any) -> bool:
    if type(owner) is not list or id(owner) in tracer.arguments or is_run_time_sized(before):
        return False
    ends = list(_ends(appended_to(owner)))
    if not any(len(end) > len(before) for end in ends):
        return False
    return all(len(end) >= len(before) and all(map(same, before, end)) for end in ends)


def appended_to(owner: Any, first: int = 0) -> Any:
    """What a list holds at the end of a run from the item numbered `first` on; a `TaggedValue` by the path taken."""
    decided = decision_in(owner)
    return _from(owner if decided is None else decided.value, first)


def _from(content: Any, first: int) -> Any:
    if isinstance(content, TaggedValue):
        return TaggedValue(content.flag, _from(content.a, first), _from(content.b, first))
    return content[first:]


def _ends(content: Any) -> Iterator[list[Any]]:
    if isinstance(content, TaggedValue):
        yield from _ends(content.a)
        yield from _ends(content.b)
    else:
        yield content


def at_their_places(
    tracer: Tracer, writes: list[AttributeWrite], assumptions: list[Assumption], outside: list[Any]
) -> tuple[list[AttributeWrite], list[Assumption]]:
    """The writes and assumptions of a trace, where the lists that it appends to may be fresh ones in other calls.

    outside: containers from outside that come out.
    """
    for number, (length, is_tested) in tracer.appended.items():
        owner = tracer.objects.kept[number].owner
        places = {place_of(a): a for a in assumptions if a.value is owner}
        loosens = len(places) == 1 and not (tracer.arguments or tracer.given)  # which may be the fresh one
        out = [outside] if loosens else []
        filled = length > 0 if is_tested else None
        assumptions = [_there(a, out, filled) if a.value is owner else a for a in assumptions]
        if loosens:
            (((_, name), a),) = places.items()
            kind: Literal["item", "attribute"] = "item" if a.kind == "item" else "attribute"
            moved = [replace(w, owner=a.owner, name=name, kind=kind) for w in writes if w.owner is owner]
            writes = [*moved, *(w for w in writes if w.owner is not owner)]  # before another list is put there
        elif not places:
            assumptions.append(Assumption("length", owner, "the length of a list", length))
    return writes, assumptions


def _there(assumed: Assumption, out: list[list[Any]], filled: bool | None) -> Assumption:
    check = ListAt(replace(assumed, value=None), assumed.value, out, filled)
    layered = assumed.layered and filled is None  # no layer counts what is appended to a list that it holds
    return Assumption("call", check, f"the list {assumed.name}", _KNOWN, layered=layered)


class ListAt:
    """Whether at a place the list stands that a program appends to.

    out: or a fresh one that nothing else holds, so that no code sees by another way what is appended. Then it is what
    comes out in the place of the one before: the containers that do, or none for the list alone. filled: whether it has
    items before the call; None: either.
    """

    __slots__ = ("filled", "known", "out", "place")

    def __init__(self, place: Assumption, known: Any, out: list[list[Any]], filled: bool | None = None) -> None:
        self.place = place
        self.known = known
        self.out = out
        self.filled = filled

    def __call__(self) -> str:
        now = look(self.place)
        if self.filled is not None and (type(now) is not list or bool(now) is not self.filled):
            return "empty" if self.filled else "filled"
        if now is not self.known:
            if not self.out or type(now) is not list or sys.getrefcount(now) > ALONE:
                return "another"
            for containers in self.out:
                containers[:] = [now if x is self.known else x for x in containers]
            self.known = now  # the one before may go, with what it holds
        return _KNOWN


class _Code:
    """What the code of a trace does with the values that it loads by name."""

    def __init__(self, tracer: Tracer) -> None:
        functions = _functions(tracer)
        codes = [plain_of(fn).__code__ for fn in functions]
        told = [named_by_strings(code) for code in codes]
        self.is_open = None in told or any(map(_reads_all, functions))
        implicit = [plain_of(fn).__code__ for fn in _implicit_functions(tracer)]
        self.uses = merged(map(uses_in, [*codes, *implicit]))
        plainly = [plain_of(fn).__code__ for fn in tracer.plain_functions.values()]
        self.uses_unseen = merged(map(uses_in, [*plainly, *implicit]))  # by code whose reads the trace doesn't see
        self.ends_read = tracer.ends_read
        self.told = frozenset().union(*(t or () for t in told))

    def appends(self, holders: _Holders, number: int) -> bool:
        """Whether all it does with a list is to append to it."""
        names, keys = holders.names[number], holders.keys[number]
        if number in holders.lost or not (names or keys):
            return False
        if not all(self._only_adds(name, number) for name in names):
            return False
        return all(self._fills(holders, owner, key) for owner, key in keys)

    def tests(self, holders: _Holders, number: int) -> bool:
        """Whether it asks if such a list has items."""
        return any(TESTED in self._of(name) for name in holders.names[number])

    def _only_adds(self, name: str, number: int) -> bool:
        """Whether all uses of a name append, or read from the end what the call itself has appended."""
        others = self._of(name) - {APPENDED, TESTED}
        if not others:
            return True
        if number in self.ends_read or not self.uses_unseen.get(name, frozenset()) <= {APPENDED}:
            return False
        return all(kind == "item read" and type(key) is int and key < 0 for kind, key in others)

    def _of(self, name: str) -> frozenset[Use]:
        return frozenset({READ}) if name in self.told else self.uses.get(name, frozenset())

    def _fills(self, holders: _Holders, owner: int, key: Any) -> bool:
        """Whether it only appends to an item of a dict."""
        names = holders.names[owner]
        if owner in holders.lost or holders.keys[owner] or not names or len(holders.sought[owner]) > MOST_ITEMS:
            return False
        uses = frozenset().union(*map(self._of, names))
        return all(
            kind == "item append" or (kind == "item read" and other is not ANY_KEY and other != key)
            for kind, other in uses
        )


class _Holders:
    """What holds some lists, and the dicts that hold these.

    names: of each, names of attributes, globals and closure variables. keys: of each, identities of dicts, and keys.
    lost: those that something else holds. is_lost: there was too much to look through.
    """

    def __init__(self, tracer: Tracer, grown: dict[int, Any]) -> None:
        self.tracer = tracer
        kept = tracer.objects.kept
        dicts = {i: k.owner for i, k in kept.items() if k.only is None and isinstance(k.owner, dict)}
        around = {i: d for i, d in dicts.items() if any(id(v) in grown for v in (*d.values(), *kept[i].copy.values()))}
        self.sought: dict[int, Any] = {**grown, **around}
        self.names: dict[int, set[str]] = {i: set() for i in self.sought}
        self.keys: dict[int, set[tuple[int, Any]]] = {i: set() for i in self.sought}
        others = {*tables_of((k.owner, k.copy) for k in kept.values()), *tracer.arguments, *tracer.given}
        self.lost: set[int] = others & self.sought.keys()
        self.is_lost = len(kept) >= MOST_OBJECTS
        self.seen: set[int] = set()
        self._spaces()
        for k in kept.values():
            now = k.now()
            for copy in (k.copy, now):
                self._kept(k.owner, copy, is_space=k.only is not None)

    def _spaces(self) -> None:
        """Modules' globals, and what functions hold."""
        functions = _functions(self.tracer)
        spaces = {id(fn.__globals__): fn.__globals__ for fn in functions}
        spaces.update((id(vars(m)), vars(m)) for m in list(sys.modules.values()) if _is_users(m))
        for space in spaces.values():
            if not self.sought.keys().isdisjoint(map(id, list(space.values()))):
                self._named(dict(space).items())
        for fn in functions:
            self._opaque([fn.__defaults__, fn.__kwdefaults__])
            cells = zip(plain_of(fn).__code__.co_freevars, fn.__closure__ or (), strict=True)
            self._named((name, cell.cell_contents) for name, cell in cells if is_bound(cell))
        self._opaque(self.tracer.objects.roots)

    def _named(self, items: Any) -> None:
        sought = self.sought
        for name, value in items:
            if (number := id(value)) in sought:
                self.names[number].add(name)

    def _kept(self, owner: Any, copy: Any, *, is_space: bool) -> None:
        if isinstance(owner, types.CellType):
            return  # of a function: see there
        if not (isinstance(owner, (dict, list, set, deque, type, Layer, types.FunctionType)) or _is_own(owner)):
            self._opaque(self._parts(owner))
        if isinstance(owner, dict) and not is_space:
            for key, value in copy.items():
                if id(value) not in self.sought:
                    self._opaque([value])
                elif is_plain_class(type(owner)):
                    self.lost.add(id(value))
                else:
                    self.keys[id(value)].add((id(owner), key))
        elif isinstance(copy, dict):
            readable = is_space or _is_own(owner)
            for name, value in copy.items():
                if id(value) not in self.sought:
                    self._opaque([value])
                elif readable and not (isinstance(owner, Layer) and name in LAYERS_OWN):
                    self.names[id(value)].add(name)
                else:
                    self.lost.add(id(value))
        else:
            self.lost.update(id(value) for value in copy if id(value) in self.sought)
            self._opaque(value for value in copy if id(value) not in self.sought)

    def _opaque(self, values: Any) -> None:
        """Whatever tuples, iterators, partials, bound methods and generators hold."""
        stack = [v for v in values if not self._is_closed(v)]
        while stack:
            value = stack.pop()
            if id(value) in self.seen:
                continue
            self.seen.add(id(value))
            self.is_lost |= len(self.seen) > _MOST_PARTS
            if self.is_lost:
                return
            is_adding = isinstance(value, types.BuiltinMethodType) and value.__name__ in ("append", "extend")
            stack += [] if is_adding else self._parts(value)

    def _parts(self, value: Any) -> list[Any]:
        """What else a value holds, that may hold more."""
        parts = gc.get_referents(value)
        self.lost.update(id(part) for part in parts if id(part) in self.sought)
        return [part for part in parts if not self._is_closed(part)]

    def _is_closed(self, value: Any) -> bool:
        """Whether it holds nothing, or is looked through otherwise."""
        if isinstance(value, _CLOSED) or id(value) in self.tracer.objects.kept or id(value) in self.seen:
            return True
        if isinstance(value, dict) and "__builtins__" in value:
            return True
        return type(value).__module__.startswith("vitrify.")


def _functions(tracer: Tracer) -> list[types.FunctionType]:
    """The user's functions that ran."""
    found = [c.original for c in tracer.functions.values()] + list(tracer.plain_functions.values())
    return [fn for fn in found if not is_library_file(file_of(fn))]


def _reads_all(fn: types.FunctionType) -> bool:
    """Whether a function names what reads attributes without their names, under its own name or another."""
    code = plain_of(fn).__code__
    if not _READERS.isdisjoint((*names_in(code), *code.co_freevars)):
        return True
    values = [fn.__globals__.get(name) for name in loaded_globals(code)]
    return any(isinstance(v, types.FunctionType) and v.__name__ in _READERS for v in values)


def _is_users(module: Any) -> bool:
    return isinstance(module, types.ModuleType) and is_user_module(module)


def _is_own(owner: Any) -> bool:
    """Whether only the user's code reads the attributes of an object, or of a class."""
    kind = owner if isinstance(owner, type) else type(owner)
    if issubclass(kind, Layer):
        return not is_of_library(kind)
    return all(is_plain_class(base) or base.__module__ in ("builtins", "abc", "typing") for base in kind.__mro__[:-1])


def _implicit_functions(tracer: Tracer) -> Iterator[types.FunctionType]:
    """Methods of the objects around that Python may have called without the trace's knowledge."""
    kinds = {id(k): k for kept in tracer.objects.kept.values() for k in type(kept.owner).__mro__ if is_plain_class(k)}
    for kind in kinds.values():
        for name, member in vars(kind).items():
            if name in NEVER_ENTERED | WATCHED and isinstance(member, types.FunctionType):
                yield member
