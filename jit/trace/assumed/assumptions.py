"""What a trace read in Python and took for granted: names, closure cells, attributes, items of containers.

From the functions that ran, the walk follows what their code can name: globals, closure variables, attributes with a
name that occurs in the code, and everything in containers. Values are those from before the trace.
"""

from __future__ import annotations

import builtins
import collections.abc
import gc
import os
import sys
import types
import weakref
from abc import ABCMeta, get_cache_token
from array import array
from collections import defaultdict, deque
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np

from ....base.changes import Counted, CountedTable, LayerType
from ....base.class_marks import defines, mark_of, own_dict
from ....base.location import is_library_file
from ....base.pytree import TaggedValue
from ....dygraph.nn.layer import Layer
from ....dygraph.number import Number
from ....dygraph.optimizer.lr import LRScheduler
from ....dygraph.tensor import Tensor
from ...converters.stdlib.surroundings import is_environment, same_environment
from ..reachable import (
    BUILTIN_METHODS,
    asked_names,
    bound_parts,
    imported_modules,
    is_bound,
    is_compiled,
    is_implicit,
    is_plain_class,
    is_user_function,
    is_user_module,
    loaded_globals,
    names_in,
    raw_attributes,
    stored_globals,
    takes_apart,
)  # fmt: skip
from ..state.containers import WHOLE, is_read_otherwise, raw_parts
from ..state.outside_iterators import stand_in
from ..state.rollback import ATOMS, MISSING, VIEWS
from ..traced import Assumption
from ..tracer import Tracer
from .hidden_attributes import hidden_names, is_hidden, is_slot, parts_beside, slots_beside, slots_of
from .layer_assumptions import (
    HOOKS,
    LAYERS_OWN,
    TABLES,
    MethodsOf,
    is_of_library,
    layer_assumptions,
    lists_in,
    names_of,
)
from .own_attributes import Absent
from .settings import (
    LISTS_OF_SYS,
    grad_assumptions,
    held_by,
    is_found_outside,
    is_read_elsewhere,
    items_of,
    list_of_sys,
    names_read_by_bases,
    never_again,
    parts_of_function,
    parts_read_elsewhere,
    read,
    read_behind,
    shows_names,
    tables_of,
    tensor_assumptions,
    updates_parameters,
)
from .structures import found_twice, held_items, is_guarded, loosened

_KNOWN_DESCRIPTORS = (types.FunctionType, property, staticmethod, classmethod, types.MemberDescriptorType)
MOST_ITEMS = 64  # of a container, guarded one by one; larger ones as a whole
_MATCHED = "__match_args__"
_MOST_ELEMENTS = 8192  # of an array, guarded by its contents


def assumptions_of(tracer: Tracer, outside: Sequence[Any] = ()) -> list[Assumption]:
    """The assumptions of a finished trace, with the values from before it.

    outside: containers from outside that the function gives out.
    """
    tracer.tables = tables_of((k.owner, k.copy) for k in tracer.objects.kept.values())
    changes = list(tracer.objects.changes())  # what the walk adds is as it was
    tracer.written, tracer.found_twice = {(id(owner), key) for owner, key, *_ in changes}, found_twice(tracer)
    found = [loosened(tracer, a) for a in _Walk(tracer, outside).assumptions() if id(a.owner) not in tracer.arguments]
    found += [read(x, value) for x, value in tracer.reads]
    found += [never_again(f"the parameter {x.name} that the function makes", loc) for x, loc in tracer.parameters[:1]]
    found += [never_again("what the function draws", loc) for loc in (tracer.apart.first,) if loc is not None]
    found += [*tracer.met_hooks.assumptions(tracer.lifted), *tracer.asked.assumptions()]
    found += [*tracer.tuples.assumptions(), *tracer.conditions.assumptions()]
    return [*found, *_absences(changes), *grad_assumptions(tracer)]


def _absences(changes: Sequence[tuple[Any, Any, Any, Any]]) -> Iterator[Assumption]:
    """Items and attributes that weren't there, where some path of the function leaves that as it is."""
    for owner, key, before, after in changes:
        if (
            before is not MISSING
            or key is WHOLE
            or not isinstance(after, TaggedValue)
            or isinstance(owner, types.CellType)
        ):
            continue
        space = owner if isinstance(owner, dict) else None if is_slot(owner, key) else own_dict(owner)
        yield Assumption("attribute", owner, key, MISSING) if space is None else Assumption("item", space, key, MISSING)


class _Walk:
    """One walk over all that the code of a trace can name."""

    def __init__(self, tracer: Tracer, outside: Sequence[Any]) -> None:
        self.tracer = tracer
        self.whole = {i for i, _ in tracer.written}.union(map(id, outside))  # containers that are these very objects
        self.functions = [c.original for c in tracer.functions.values()] + list(tracer.plain_functions.values())
        self.names: set[str] = {"training", "forward", *tracer.objects.named}
        self.asked: set[str] = set()  # attributes that the code may find missing
        self.every = False  # the code makes up names of attributes
        self.absent = Absent()
        self.is_abstract = False  # some class that the code can reach is
        self.seen: set[int] = set()
        self.layer_classes: set[int] = set()
        self.updates = updates_parameters(k.owner for k in tracer.objects.kept.values())
        for fn in self.functions:
            self._learn(fn)
        self.matches = any(takes_apart(fn.__code__) for fn in self.functions)
        if self.matches:
            kinds = {id(kind): kind for k in tracer.objects.kept.values() if defines(kind := type(k.owner), _MATCHED)}
            self.names.update(*(getattr(kind, _MATCHED) for kind in kinds.values()))

    def _learn(self, fn: types.FunctionType) -> None:
        self.names.update(names_in(fn.__code__))
        asked = asked_names(fn.__code__)
        self.every |= asked is None
        for names in (self.asked, self.names):
            names.update(asked or ())

    def assumptions(self) -> list[Assumption]:
        """All assumptions."""
        self._learn_getters()
        self.names.update(f"_{n}_" for n in self.names & {"name", "value"})  # where members of enumerations keep these
        found: list[Assumption] = []
        stack: deque[Any] = deque(self.tracer.objects.roots)
        for fn in self.functions:
            if not is_library_file(fn.__code__.co_filename):
                found += self._function(fn, stack)
        while stack:
            value = stack.popleft()
            if isinstance(value, ATOMS) or id(value) in self.seen:
                stack += parts_beside(value) if isinstance(value, ATOMS) else ()
                continue
            self.seen.add(id(value))
            kind = type(value)
            if kind is dict or kind is list:  # most are the tables of layers: no other object need be ruled out
                found += self._kept(value, stack)
            else:
                found += self._tensor(value, stack) if isinstance(value, Tensor) else self._object(value, stack)
        if self.is_abstract and self._asks_for_kinds():
            found.append(Assumption("call", get_cache_token, "what abstract classes take", get_cache_token()))
        return [*found, *self.absent.assumptions(self.asked | (self.names & {"persistable"}))]

    def _asks_for_kinds(self) -> bool:
        """Whether code asks of what class objects are; an abstract one may take others later (`register`)."""
        return self.matches or not self.names.isdisjoint(("isinstance", "issubclass"))

    def _learn_getters(self) -> None:
        """Code behind properties and other descriptors runs without being called by name."""
        known: set[int] = set()
        for kept in list(self.tracer.objects.kept.values()):
            kind = kept.owner if isinstance(kept.owner, type) else type(kept.owner)
            if id(kind) in known or not is_plain_class(kind):
                continue
            known.add(id(kind))
            for name, value in raw_attributes(kind).items():
                getter = getattr(value, "fget", None) or getattr(type(value), "__get__", None)
                code = value if name in ("__getattr__", "__getattribute__") else getter if name in self.names else None
                if isinstance(code, types.FunctionType) and is_user_function(code):
                    self._learn(code)

    def _function(self, fn: types.FunctionType, stack: deque[Any]) -> Iterator[Assumption]:
        before, space = self.tracer.objects.before, fn.__globals__
        yield Assumption("code", fn, fn.__qualname__, (fn.__code__, fn.__defaults__, fn.__kwdefaults__))
        stack += [*(fn.__defaults__ or ()), *imported_modules(fn.__code__), fn]
        if fn.__kwdefaults__:
            yield from (Assumption("item", fn.__kwdefaults__, k, v) for k, v in fn.__kwdefaults__.items())
        for name in loaded_globals(fn.__code__):
            value = before(space, name, space.get(name, MISSING))
            if not isinstance(value, types.ModuleType):
                yield Assumption("item", space, name, value)
            if value is MISSING and getattr(vars(builtins).get(name), "__module__", "") != "builtins":
                value = vars(builtins).get(name, MISSING)  # what others have put there
                yield Assumption("item", vars(builtins), name, value)
            stack.append(value)
        for name in sorted(stored_globals(fn.__code__)):
            if (id(space), name) not in self.tracer.written:  # it was left as it was: another value has to be replaced
                yield Assumption("item", space, name, before(space, name, space.get(name, MISSING)))
        for name, cell in zip(fn.__code__.co_freevars, fn.__closure__ or (), strict=True):
            if is_bound(cell):
                value = before(cell, "cell_contents", cell.cell_contents)
                yield Assumption("cell", cell, name, value)
                stack.append(value)

    def _tensor(self, x: Tensor, stack: deque[Any]) -> Iterator[Assumption]:
        if is_found_outside(self.tracer, x):
            self.absent.add(vars(x))
        for assumed in tensor_assumptions(self.tracer, x, self.names, self.updates):
            yield assumed
            if not isinstance(assumed.value, (*ATOMS, Tensor)):
                self.tracer.objects.add([assumed.value])
                stack.append(assumed.value)

    def _object(self, value: Any, stack: deque[Any]) -> Iterator[Assumption]:
        self.is_abstract |= isinstance(value, ABCMeta) or value is collections.abc
        if isinstance(value, (tuple, frozenset)):
            stack += (*value, *parts_beside(value))
        elif isinstance(value, np.ndarray) and not value.dtype.hasobject:
            if value.size <= _MOST_ELEMENTS:
                yield Assumption("array", value, "an array", value.copy())
        elif isinstance(value, np.ndarray):
            if value.size <= _MOST_ELEMENTS:
                items = partial(items_of, value)
                yield Assumption("call", items, "the items of an array", items())
                stack += items()
        elif is_environment(value):
            same = partial(same_environment, value, dict(value._data))
            yield Assumption("call", same, "os.environ is the same", True)
        elif isinstance(value, (bytearray, memoryview, array)):
            yield Assumption("call", partial(bytes, value), f"a {type(value).__name__}", bytes(value))
        elif isinstance(value, types.ModuleType):
            if value is os:
                stack += [vars(os)[n] for n in ("environ", "environb") if n in self.names]
            if value is sys:
                asked = [n for n in LISTS_OF_SYS if n in self.names]
                yield from (Assumption("call", partial(list_of_sys, n), f"sys.{n}", list_of_sys(n)) for n in asked)
            if is_user_module(value):
                yield from self._module(value, stack)
        elif isinstance(value, (types.MethodType, *BUILTIN_METHODS)) or is_compiled(value):
            stack += bound_parts(value)
        elif isinstance(value, VIEWS):
            stack += gc.get_referents(value)
        elif isinstance(value, weakref.ref):
            stack += read_behind(self.tracer, value, self._follows)
        elif (moved := stand_in(value)) is not None:
            stack.append(moved)
        elif isinstance(value, types.FunctionType) and not is_user_function(value):
            return
        elif isinstance(value, types.FunctionType) and id(value) not in self.tracer.objects.kept:
            self.absent.add(vars(value))
        elif isinstance(value, partial):
            yield Assumption("call", partial(held_by, value), "what a partial holds", held_by(value))
            stack += held_by(value)
            self.absent.add(vars(value))
        else:
            yield from self._kept(value, stack)
        if isinstance(value, types.FunctionType):
            yield from parts_of_function(value, self.names)

    def _kept(self, owner: Any, stack: deque[Any]) -> Iterator[Assumption]:
        kept = self.tracer.objects.kept.get(id(owner))
        if kept is None or kept.only is not None or isinstance(owner, types.CellType):
            return
        if id(owner) in self.tracer.appended:
            return
        copy = kept.copy
        stack += parts_beside(owner)
        yield from (Assumption("attribute", owner, n, v) for n, v in slots_beside(owner).items() if self._follows(n))
        if isinstance(owner, Layer):
            yield from self._layer_class(owner)
            before = self.tracer.objects.before
            yield from layer_assumptions(owner, copy, self.names, before, self._keys_before)
            yield from self._layer_lists(owner, copy)
            stack += [v for n, v in copy.items() if self._follows(n) or n in (*TABLES, *HOOKS)]
            stack += parts_read_elsewhere(owner, copy)
            yield from self._class_assumptions(owner, copy)
            stack.append(type(owner))
        elif is_read_otherwise(owner):
            yield Assumption("call", partial(raw_parts, owner), f"a {type(owner).__name__}", raw_parts(copy))
            stack += copy.values() if isinstance(copy, dict) else copy
        elif isinstance(owner, dict):
            yield from self._dict(owner, copy)
            stack += copy.values()
        elif isinstance(owner, (list, deque)):
            yield from self._list(owner, copy)
            stack += copy
        elif isinstance(owner, set):
            yield Assumption("members", owner, "a set", frozenset(copy))
            stack += copy
        elif isinstance(owner, type):
            yield from self._type(owner, stack)
        else:
            if is_plain_class(type(owner)):
                yield Assumption("attribute", owner, "__class__", type(owner))
            every, beside = is_read_elsewhere(owner), names_read_by_bases(owner)
            late: frozenset[str] = mark_of(type(owner), "read_by_runs", frozenset())
            plain = [
                n for n in copy
                if ((every and n not in late) or n in beside or self._is_plain(owner, n))
                and not self._is_read_by_runs(owner, copy[n])
            ]  # fmt: skip
            counted = isinstance(owner, Counted)
            yield from (Assumption("attribute", owner, n, copy[n], layered=counted and n not in late) for n in plain)
            if counted:
                what = f"the names of the attributes of a {type(owner).__name__}"
                yield Assumption("call", partial(names_of, owner), what, frozenset(copy), layered=True)
            stack += [v for n, v in copy.items() if every or n in beside or self._follows(n)]
            yield from self._class_assumptions(owner, copy)
            stack.append(type(owner))

    def _keys_before(self, table: dict[Any, Any]) -> tuple[Any, ...]:
        kept = self.tracer.objects.kept.get(id(table))
        return tuple(table if kept is None else kept.copy)

    def _follows(self, name: str) -> bool:
        return self.every or name in self.names

    def _is_read_by_runs(self, owner: Any, value: Any) -> bool:
        """Whether the program's runs read a value, a number of a scheduler."""
        number = isinstance(value, (int, float, Number))
        return number and self.tracer.scheduler_reads.late and isinstance(owner, LRScheduler)

    def _is_plain(self, owner: Any, name: str) -> bool:
        """Whether the instance's own attribute is what a look-up of the name finds."""
        inherited = raw_attributes(type(owner)).get(name)
        return self._follows(name) and (
            is_hidden(owner, name)
            or isinstance(inherited, types.MemberDescriptorType)
            or not hasattr(inherited, "__set__")
        )

    def _dict(self, owner: Any, copy: dict[Any, Any]) -> Iterator[Assumption]:
        tracer = self.tracer
        if isinstance(owner, defaultdict):
            yield Assumption("attribute", owner, "default_factory", owner.default_factory)
        if len(copy) > MOST_ITEMS:
            yield Assumption("whole", owner, "a large dict", (*copy, *copy.values()))
            return
        counted = isinstance(owner, CountedTable)
        yield from self._items(owner, copy.items(), layered=counted)
        if id(owner) not in tracer.tables:
            yield Assumption("keys", owner, "the keys of a dict", tuple(copy), layered=counted)

    def _list(self, owner: Any, copy: list[Any]) -> Iterator[Assumption]:
        if len(copy) > MOST_ITEMS:
            yield Assumption("whole", owner, "a large list", tuple(copy))
            return
        yield from self._items(owner, enumerate(copy))
        yield Assumption("length", owner, "the length of a list", len(copy))

    def _items(self, owner: Any, items: Iterable[tuple[Any, Any]], *, layered: bool = False) -> Iterator[Assumption]:
        """Each as it was; of those that hold only tensors that the program doesn't read, what code can see of them."""
        tracer, held = self.tracer, []
        is_table = id(owner) in tracer.tables
        for name, value in items:
            if is_guarded(tracer, owner, value) or (not is_table and (id(owner), name) in tracer.written):
                yield Assumption("item", owner, name, value, layered=layered)
            elif not is_table:
                held.append((name, value))
        if held and id(owner) not in tracer.arguments:  # of which the call tells
            yield held_items(tracer, owner, held, self.whole)

    def _layer_lists(self, layer: Layer, copy: dict[str, Any]) -> Iterator[Assumption]:
        """The elements of lists that only code of this package reads, from its layers."""
        if not is_of_library(type(layer)):
            return
        for name, value in copy.items():
            if name in LAYERS_OWN or self._follows(name):
                continue
            for part in lists_in(value):
                kept = self.tracer.objects.kept.get(id(part))
                before = part if kept is None else kept.copy
                if len(before) <= MOST_ITEMS:
                    yield Assumption("list", part, f"{name} of {type(layer).__name__}", tuple(before))

    def _layer_class(self, layer: Layer) -> Iterator[Assumption]:
        """The class of a layer, with all methods of it and of its bases: looked at only when some layer has changed."""
        kind = type(layer)
        yield Assumption("attribute", layer, "__class__", kind, layered=True)
        if id(kind) not in self.layer_classes:
            self.layer_classes.add(id(kind))
            what = f"the methods of {kind.__name__}"
            methods = MethodsOf(kind)
            yield Assumption("call", methods, what, methods(), layered=True)

    def _type(self, owner: type, stack: deque[Any]) -> Iterator[Assumption]:
        yield from self._defined(owner, raw_attributes(owner), stack)
        if not isinstance(owner, LayerType):
            yield from self._plain_class(owner)
            stack.append(type(owner))
        for base in owner.__mro__:
            kept = self.tracer.objects.kept.get(id(base))
            if kept is not None:
                stack += [v for n, v in kept.copy.items() if self._follows(n)]

    def _plain_class(self, kind: type) -> Iterator[Assumption]:
        """How many names a class and its bases define, and what `super()` finds in these."""
        for base in kind.__mro__:
            if not is_plain_class(base) or any(i == id(base) for i, _ in self.tracer.written):
                continue
            yield Assumption("length", vars(base), f"the number of attributes of {base.__name__}", len(vars(base)))
            if base is kind or "super" not in self.names:
                continue
            for name in sorted(self.names & vars(base).keys()):
                value = vars(base)[name]
                if isinstance(value, _KNOWN_DESCRIPTORS):
                    yield Assumption("item", vars(base), name, value)

    def _class_assumptions(self, owner: Any, copy: dict[str, Any]) -> Iterator[Assumption]:
        """What an instance finds in its class, and doesn't find."""
        kind = type(owner)
        raw = raw_attributes(kind)
        own = own_dict(owner)
        layered = isinstance(owner, Layer)
        known = copy.keys() | (self._names_in_tables(copy) if layered else set())
        for name in sorted(slots_of(kind).keys() - known):  # type: ignore[arg-type]  # as in is_slot
            if self._follows(name):
                yield Assumption("attribute", owner, name, MISSING, layered=layered)
        for name in sorted(self.names - known) if own is not None else ():
            wanted = name in raw or (layered and isinstance(getattr(kind, name, None), types.FunctionType))
            wanted = wanted or "__getattr__" in raw or (not layered and name in self.asked)
            if wanted:
                yield Assumption("item", own, name, MISSING, layered=layered)
            elif layered and name in self.asked and not hasattr(kind, name):
                yield Assumption("attribute", owner, name, MISSING, layered=True)
        if self.every and own is not None and (layered or shows_names(owner)):
            what = f"the names of a {kind.__name__}'s attributes"
            yield Assumption(
                "call", partial(names_of, owner), what, frozenset(known).difference(hidden_names(kind)), layered=layered
            )

    def _names_in_tables(self, copy: dict[str, Any]) -> set[str]:
        """The names of a layer's parameters, buffers and sublayers before the trace."""
        tables = [copy[t] for t in TABLES if t in copy]
        kept = [self.tracer.objects.kept.get(id(t)) for t in tables]
        return {n for t, k in zip(tables, kept, strict=True) for n in (t if k is None else k.copy)}

    def _defined(self, kind: type, raw: dict[str, Any], stack: deque[Any]) -> Iterator[Assumption]:
        """What a class and its bases define under the names that occur, and under those that Python looks up itself."""
        layered = all(isinstance(b, LayerType) or not is_plain_class(b) for b in kind.__mro__)
        bases = set(map(id, kind.__mro__))
        written = {n for i, n in self.tracer.written if i in bases and n in self.names}
        names = self.names
        for name in sorted(written.union(n for n, v in raw.items() if n in names or is_implicit(n, v, names))):
            value = raw.get(name, MISSING)
            if name not in written and not isinstance(value, (*ATOMS, Number)):
                known = isinstance(value, _KNOWN_DESCRIPTORS) or not defines(type(value), "__get__")
                if not known:
                    stack.append(type(value))
                    yield Assumption("static", kind, name, value, layered=layered)
                else:
                    yield Assumption("attribute", kind, name, getattr(kind, name), layered=layered)
                continue
            for base in kind.__mro__:
                before = self._in_class(base, name)
                if before is not MISSING:
                    yield Assumption("attribute", base, name, before, layered=layered)
                    break
                yield Assumption("item", vars(base), name, MISSING, layered=layered)

    def _in_class(self, base: type, name: str) -> Any:
        """What a class itself defined under a name before the trace."""
        if (id(base), name) in self.tracer.written:
            return self.tracer.objects.kept[id(base)].copy.get(name, MISSING)
        return vars(base).get(name, MISSING)

    def _module(self, module: types.ModuleType, stack: deque[Any]) -> Iterator[Assumption]:
        space = vars(module)
        self.absent.add(space)
        for name in sorted(self.names if "__getattr__" in space else self.names & space.keys()):
            value = self.tracer.objects.before(space, name, space.get(name, MISSING))
            if not isinstance(value, types.ModuleType):
                yield Assumption("item", space, name, value)
            stack.append(value)
