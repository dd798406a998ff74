"""Guards: the assumptions of a trace about Python values, checked again before its program is used again."""

from __future__ import annotations

import dis
import enum
import types
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache, partial
from itertools import chain
from operator import is_
from typing import Any, NamedTuple

import numpy as np

from ...base.changes import layer_epoch
from ...base.class_marks import own_dict
from ...base.location import Loc
from ...base.pytree import constants_of
from ...dygraph import storage as cells
from ...dygraph.nn.layer import Layer
from ...dygraph.tensor import Tensor
from ..trace.assumed.hidden_attributes import OF_VALUES, attributes_beside, same_beside
from ..trace.assumed.layer_assumptions import HooksIn, MethodsOf
from ..trace.assumed.own_attributes import is_made_up, looked_up
from ..trace.reachable import BUILTIN_METHODS, raw_attributes
from ..trace.state.containers import WHOLE, is_token, part_at, path_shown
from ..trace.state.rollback import MISSING
from ..trace.traced import Assumption, AttributeWrite, StateTensor, tensor_of

_ATOMS = (bool, int, float, complex, str, bytes, type(None))
_BUILT_IN, _TELLING = frozenset(OF_VALUES), frozenset({str, bytes, type(None)})
_MOST_WRITTEN = 12  # assumptions that a function of its own is written for
_PLACES = ("attribute", "item", "cell")
_OF_ONE_NAME = ("attribute", "item", "static")  # kinds of assumptions that other names of the same owner don't change


class NativeGuards(NamedTuple):
    """Assumptions as native code takes them: slots and parts of functions that stay the same objects, pairs of slots
    that hold one object, and a function that tells whether the rest is as it was.
    """

    words: list[tuple[Any, str]]
    pairs: list[tuple[tuple[Any, str], tuple[Any, str]]]
    rest: Callable[[], bool] | None


@lru_cache(maxsize=256)
def _code(text: str) -> types.CodeType:
    return compile(text, f"{__file__}:hold", "exec")  # a file of this package: no line of the user's


def written(name: str, parameters: str, lines: Sequence[str], known: dict[str, Any]) -> Callable[..., bool]:
    """A function of these lines, which name the objects in `known`."""
    text = "\n  ".join([f"def {name}({parameters}):", *lines])
    space: dict[str, Any] = {}
    exec(_code(f"def make({', '.join(known)}):\n {text}\n return {name}"), space)
    made: Callable[..., bool] = space["make"](**known)
    return made


class Guards:
    """The assumptions of one entry. `hold()`, whether every assumption is as it was, is on the path of every call."""

    __slots__ = (
        "_added", "_attributes", "_codes", "_elements", "_flags", "_functions", "_grads", "_hold_values", "_items",
        "_keys", "_layered", "_lengths", "_lists", "_members", "_others", "_places", "_sizes", "_stops", "_touched",
        "assumptions", "epoch", "hold",
    )  # fmt: skip

    def __init__(
        self,
        assumptions: Sequence[Assumption],
        flags: Sequence[tuple[Tensor | StateTensor, bool]] = (),
        codes: Sequence[types.CodeType] = (),
    ) -> None:
        self.assumptions = list(assumptions)
        self._codes = tuple(codes)
        self._layered = tuple([f for f in assumptions if f.layered])
        assumptions = [f for f in assumptions if not f.layered]
        made_up = {id(f): f for f in assumptions if f.kind == "attribute" and is_made_up(f.owner, f.name)}
        self.epoch = self._touched = self._stops = -1
        rest = {
            k: [f for f in assumptions if f.kind == k and id(f) not in made_up]
            for k in ("attribute", "item", "code", "keys", "length", "list", "members", "grad", "added")
        }
        self._attributes = tuple([(f.owner, f.name, f.value) for f in rest["attribute"]])
        self._items = tuple([(_getter(f.owner), f.name, f.value) for f in rest["item"] if isinstance(f.owner, dict)])
        self._places = tuple([(f.owner, f.name, f.value) for f in rest["item"] if not isinstance(f.owner, dict)])
        self._functions = tuple([(f.owner, *f.value) for f in rest["code"]])
        self._lists = tuple([f.owner for f in rest["list"]])
        self._sizes = [len(f.value) for f in rest["list"]]
        self._elements = tuple([part for f in rest["list"] for part in f.value])
        self._keys = tuple([(f.owner, f.value, _tells(f.value)) for f in rest["keys"]])
        self._lengths = tuple([(f.owner, f.value) for f in rest["length"]])
        self._members = tuple([(f.owner, f.value, _tells(f.value)) for f in rest["members"]])
        self._grads = tuple([(f.owner, f.value) for f in rest["grad"]])
        self._added = tuple([(f.owner, f.value) for f in rest["added"]])
        self._others = (*made_up.values(), *(f for f in assumptions if f.kind not in rest))
        self._flags = tuple(flags)
        self._hold_values = self._written_out()
        self.hold = self._quickest()

    def __bool__(self) -> bool:
        return bool(self.assumptions or self._flags)

    def _quickest(self) -> Callable[[], bool]:
        """`_hold_all`, or a form of it for entries with few kinds of assumptions."""
        simple = self.simple()
        if simple is None:
            return self._hold_all
        function, layered = simple
        if self._lists:
            return self._hold_all
        if function is None:
            return self.hold_layers if layered else lambda: True
        if layered:
            return self._hold_all
        fn, code, defaults, named = function
        return lambda: fn.__code__ is code and fn.__defaults__ is defaults and fn.__kwdefaults__ is named

    def simple(self) -> tuple[tuple[Any, ...] | None, bool] | None:
        """Without other assumptions (but those of `hold_lists`): the function whose code and defaults are one, and
        whether layers are.

        The function comes with its code, defaults and keyword defaults.
        """
        kinds: list[tuple[Any, ...]] = [self._flags, self._attributes, self._items, self._places, self._lengths]
        kinds += [self._keys, self._members, self._grads, self._added, self._others, self._functions[1:]]
        if any(kinds):
            return None
        return (self._functions[0] if self._functions else None), bool(self._layered)

    def for_native_code(self) -> NativeGuards | None:
        """What native code compares, and a function for the rest; None where the assumptions don't hold now."""
        if not self.hold():
            return None
        names = ("__code__", "__defaults__", "__kwdefaults__")
        words = [(fn, name) for fn, *_ in self._functions for name in names]
        pairs: list[tuple[tuple[Any, str], tuple[Any, str]]] = []
        if self._layered:
            pairs.append(((layer_epoch, "value"), (self, "epoch")))
        if self._flags:
            pairs.append(((cells.counters, "stops"), (self, "_stops")))
        if self._grads or self._added:
            pairs.append(((cells.counters, "touched"), (self, "_touched")))
        rest = [self._attributes, self._items, self._places, self._lengths, self._lists, self._keys, self._members]
        return NativeGuards(words, pairs, self._hold_values if any([*rest, self._others]) else None)

    def _hold_stops(self) -> bool:
        """Whether each `stop_gradient` is as it was; looked at only when some tensor's has changed."""
        now = cells.counters.stops
        for found, flag in self._flags:
            if tensor_of(found)._stop is not flag:
                return False
        self._stops = now
        return True

    def _hold_touched(self) -> bool:
        """Whether gradients are as they were; looked at only when some tensor's have changed."""
        now = cells.counters.touched
        for owner, absent in self._grads:
            if (owner._grad is None and not owner._grad_is_zero) is not absent:
                return False
        for owner, first in self._added:
            if (owner._grad is None) is not first:
                return False
        self._touched = now
        return True

    @property
    def has_lists(self) -> bool:
        """Whether there are assumptions about the elements of layers' lists."""
        return bool(self._lists)

    def hold_lists(self) -> bool:
        """Whether the lists of layers have the elements that they had."""
        if list(map(len, self._lists)) != self._sizes:
            return False
        return all(map(is_, chain.from_iterable(self._lists), self._elements)) or all(
            map(same, chain.from_iterable(self._lists), self._elements)
        )

    def hold_layers(self) -> bool:
        """Whether the assumptions about layers are as they were; `epoch` is the layers' epoch when they last were."""
        epoch = layer_epoch.value
        if self.epoch == epoch:
            self.epoch = epoch  # the very object: native code compares those
            return True
        # some layer changed: was it one of ours?
        return self._follow(self._layered, epoch)

    def _follow(self, layered: Iterable[Assumption], epoch: int) -> bool:
        """Whether these assumptions hold. A list in place of an equal one may change later without being counted."""
        is_same = True
        for assumed in layered:
            now, value = look(assumed), assumed.value
            if now is not value:
                if not same(now, value):
                    return False
                is_same = is_same and not _has_lists(now)
        if is_same:
            self.epoch = epoch
        return True

    def beside(self, writes: Sequence[AttributeWrite]) -> Callable[[int], None]:
        """A function for after these writes of the entry's own program, given the layers' epoch that there is then.

        Where the guards held before, only the assumptions that the writes may concern are looked at again.
        """
        names, owners = {w.name for w in writes}, {id(w.owner) for w in writes}
        anywhere = any(is_token(w.owner) or w.name is WHOLE for w in writes)
        if not any(c is MISSING for w in writes for c in constants_of(w.value.tree)):  # no write takes a name away
            gaining = {id(f.owner) for f in self._layered if f.kind == "keys" and not names.issubset(f.value)}
        else:
            gaining = owners
        again = [f for f in self._layered if anywhere or _may_concern(f, names, owners, gaining)]

        def follow(epoch: int) -> None:
            self._follow(again, epoch)

        return follow

    def _hold_all(self) -> bool:
        if self._stops != cells.counters.stops and not self._hold_stops():
            return False
        if self._touched != cells.counters.touched and not self._hold_touched():
            return False
        for fn, code, defaults, named in self._functions:
            if fn.__code__ is not code or fn.__defaults__ is not defaults or fn.__kwdefaults__ is not named:
                return False
        return self._hold_values() and self.hold_layers()

    def _hold_values_one_by_one(self) -> bool:
        """Whether attributes, items and containers that belong to no layer are as they were."""
        for owner, name, value in self._attributes:
            now = getattr(owner, name, MISSING)
            if now is not value and not same(now, value):
                return False
        for get, name, value in self._items:
            now = get(name, MISSING)
            if now is not value and not same(now, value):
                return False
        for owner, name, value in self._places:
            try:
                now = owner[name]
            except (KeyError, IndexError):
                now = MISSING
            if now is not value and not same(now, value):
                return False
        for owner, count in self._lengths:
            if len(owner) != count:
                return False
        if self._lists and not self.hold_lists():
            return False
        for owner, keys, told in self._keys:
            if tuple(owner) != keys or not (told or same(tuple(owner), keys)):
                return False
        for owner, members, told in self._members:
            if owner != members or not (told or same(frozenset(owner), members)):
                return False
        return all(same(look(assumed), assumed.value) for assumed in self._others)

    def _written_out(self) -> Callable[[], bool]:
        """`_hold_values_one_by_one` without its loops, where there are few assumptions of few kinds."""
        count = len(self._attributes) + len(self._items) + len(self._lengths) + len(self._others)
        if count > _MOST_WRITTEN or self._places or self._lists or self._keys or self._members:
            return self._hold_values_one_by_one
        known: dict[str, Any] = {"MISSING": MISSING, "same": same, "look": look}
        lines = []
        for k, found in enumerate(self._attributes + self._items):
            known |= zip((f"o{k}", f"n{k}", f"v{k}"), found, strict=True)
            now = f"getattr(o{k}, n{k}, MISSING)" if k < len(self._attributes) else f"o{k}(n{k}, MISSING)"
            lines += [f"now = {now}", f"if now is not v{k} and not same(now, v{k}): return False"]
        for k, (owner, size) in enumerate(self._lengths):
            known |= {f"c{k}": owner, f"s{k}": size}
            lines += [f"if len(c{k}) != s{k}: return False"]
        for k, assumed in enumerate(self._others):
            known |= {f"f{k}": assumed, f"w{k}": assumed.value}
            lines += [f"now = look(f{k})", f"if now is not w{k} and not same(now, w{k}): return False"]
        return written("hold", "", [*lines, "return True"], known)

    def broken_assumptions(self) -> list[tuple[Assumption, Any]]:
        """The assumptions that don't hold, each with what there is now."""
        seen = [(assumed, look(assumed)) for assumed in self.assumptions]
        return [(assumed, now) for assumed, now in seen if not same(now, assumed.value)]

    def broken(self) -> list[str]:
        """What is no longer as it was, in words."""
        found = []
        for assumed, now in self.broken_assumptions():
            found.append(f"{describe(assumed)} was {_show(assumed.value)}, now {_show(now)}{self._read_at(assumed)}")
        for at, flag in self._flags:
            if (tensor := tensor_of(at))._stop is not flag:
                found.append(f"stop_gradient of {tensor.name} was {flag}, now {not flag}")
        return found

    def _read_at(self, assumed: Assumption) -> str:
        """Where the code that was traced reads it, for messages."""
        loc = place_read(assumed, self._codes)
        return f" (read at {loc.short()}: {loc.text()})" if loc is not None else ""

    def describe(self) -> list[tuple[str, str]]:
        """The assumptions about plain values in words, each with the layer that it is about ("" for none).

        Those about objects' identity are left out.
        """
        names, found = InstanceNames(self.assumptions), []
        holders = {id(a.value): a for a in self.assumptions if a.kind in _PLACES and isinstance(a.value, (dict, list))}
        for assumed in self.assumptions:
            if isinstance(assumed.value, _ATOMS):
                owner, attribute = names.of(assumed)
                holder = holders.get(id(assumed.owner)) if assumed.kind == "item" else None
                what = f"{describe(holder)}[{assumed.name!r}]" if holder else attribute or describe(assumed)
                text = assumed.value if assumed.kind == "call" else None  # a list's, as the assumption compares it
                found.append((owner, f"{what} is {text if isinstance(text, str) else _show(assumed.value)}"))
        return found


class InstanceNames:
    """The names of the layers that some assumptions are about."""

    def __init__(self, assumptions: Sequence[Assumption]) -> None:
        self._names: dict[int, str] = {}
        for assumed in assumptions:  # what a variable of the function holds
            if assumed.kind in ("cell", "item") and isinstance(assumed.value, Layer) and isinstance(assumed.name, str):
                if not assumed.layered:
                    self._name(assumed.value, assumed.name)
        held = [a.owner for a in assumptions if isinstance(a.owner, Layer)]
        inner = {id(part) for layer in held for part in layer.sublayers()}
        for layer in (*(layer for layer in held if id(layer) not in inner), *held):
            self._name(layer, type(layer).__name__)

    def _name(self, layer: Layer, name: str) -> None:
        if id(layer) in self._names:
            return
        for path, part in layer.named_sublayers(include_self=True):
            self._names.setdefault(id(part), f"{name}.{path}" if path else name)

    def of(self, assumed: Assumption) -> tuple[str, str]:
        """The instance that an assumption is about, and what of it; an empty name for what is no layer's."""
        owner, name = assumed.owner, str(assumed.name)
        if assumed.kind == "call":  # about an attribute of a layer, which the call is bound to
            owner, name = (getattr(owner, "args", None) or (None,))[0], name.partition(" of ")[0]
        if not isinstance(owner, Layer) or id(owner) not in self._names:
            return "", ""
        return f"{self._names[id(owner)]} ({type(owner).__name__})", name


def place_read(assumed: Assumption, codes: Sequence[types.CodeType]) -> Loc | None:
    """The first line of some functions that mentions the name, attribute or key of an assumption."""
    for code in codes:
        for instruction in dis.get_instructions(code):
            if type(instruction.argval) is type(assumed.name) and instruction.argval == assumed.name:
                line = instruction.positions.lineno if instruction.positions is not None else None
                if line is not None:
                    return Loc(code.co_filename, line)
    return None


def look(assumed: Assumption) -> Any:
    """The present value of an assumption; MISSING where there is none."""
    try:
        match assumed.kind:
            case "attribute":
                space = own_dict(assumed.owner)
                if type(space) is dict and assumed.name in space:
                    return space[assumed.name]
                return looked_up(assumed.owner, assumed.name)
            case "item":
                owner, name = assumed.owner, assumed.name
                return dict.get(owner, name, MISSING) if isinstance(owner, dict) else owner[name]
            case "cell":
                return assumed.owner.cell_contents
            case "part":
                return part_at(look(assumed.owner), assumed.name)
            case "static":
                return raw_attributes(assumed.owner).get(assumed.name, MISSING)
            case "keys":
                return tuple(assumed.owner)
            case "length":
                return len(assumed.owner)
            case "members":
                return frozenset(assumed.owner)
            case "list":
                return tuple(assumed.owner)
            case "whole":
                owner = assumed.owner
                return (*owner, *owner.values()) if isinstance(owner, dict) else tuple(owner)
            case "array":
                return assumed.owner
            case "code":
                return assumed.owner.__code__, assumed.owner.__defaults__, assumed.owner.__kwdefaults__
            case "grad":
                return assumed.owner._grad is None and not assumed.owner._grad_is_zero
            case "added":
                return assumed.owner._grad is None
            case "call":
                return assumed.owner()
    except (AttributeError, KeyError, IndexError, ValueError):
        return MISSING


def _getter(owner: dict[Any, Any]) -> Callable[[Any, Any], Any]:
    """What looks an item up, past the methods of the dict's own class."""
    return owner.get if type(owner).get is dict.get else partial(dict.get, owner)


def place_of(assumed: Assumption) -> tuple[Any, Any]:
    """Which item, attribute or closure variable an assumption is about, or which part of its value."""
    if assumed.kind == "part":
        return place_of(assumed.owner), assumed.name
    return id(assumed.owner), "cell_contents" if assumed.kind == "cell" else assumed.name


def is_place(a: tuple[Any, Any], b: tuple[Any, Any]) -> bool:
    """Whether two such places are one. Keys may be tensors, whose `==` is an operation: hashes are asked first."""
    return a in {b}


def _may_concern(assumed: Assumption, names: set[Any], owners: set[int], gaining: set[int]) -> bool:
    """Whether an assumption about a layer may be about items or attributes of these names, of these owners.

    gaining: tables that may get or lose names.
    """
    if assumed.kind == "keys":
        return id(assumed.owner) in owners and id(assumed.owner) in gaining
    if assumed.kind == "call":
        return not isinstance(assumed.owner, (MethodsOf, HooksIn))
    return assumed.name in names or (assumed.kind not in _OF_ONE_NAME and id(assumed.owner) in owners)


def _tells(values: Iterable[Any]) -> bool:
    """Whether each of them is equal only to values of its own type and bits: strings and objects, but no numbers."""
    return not any(type(v) not in _TELLING and isinstance(v, (*OF_VALUES, np.generic)) for v in values)


def same(a: Any, b: Any) -> bool:
    """Whether two values are one object, one bound method, or equal plain values of one type and sign."""
    if a is b:
        return True
    if isinstance(a, types.MethodType) and isinstance(b, types.MethodType):
        return a.__func__ is b.__func__ and a.__self__ is b.__self__
    if isinstance(a, BUILTIN_METHODS) and isinstance(b, BUILTIN_METHODS):
        return a == b
    if type(a) is not type(b):
        return False
    if type(a) not in _BUILT_IN and isinstance(a, OF_VALUES) and not same_beside(a, b, same):
        return False
    if isinstance(a, _ATOMS):
        signed = isinstance(a, complex) or (isinstance(a, float) and not a)
        return repr(a) == repr(b) if signed else bool(a == b or (a != a and b != b))
    if isinstance(a, np.ndarray):
        return bool(a.dtype == b.dtype) and a.shape == b.shape and a.tobytes() == b.tobytes()
    if isinstance(a, frozenset):
        ours = {x: x for x in b}
        return bool(a == b) and all(type(ours[x]) is type(x) and (_tells((x,)) or same(ours[x], x)) for x in a)
    if isinstance(a, (tuple, list)):
        return len(a) == len(b) and all(same(x, y) for x, y in zip(a, b, strict=True))
    return False


def _has_lists(value: Any) -> bool:
    inside = isinstance(value, (tuple, frozenset)) and any(map(_has_lists, value))
    return inside or isinstance(value, list) or bool(attributes_beside(value))


def describe(assumed: Assumption) -> str:
    """How reports call an assumption."""
    match assumed.kind:
        case "attribute":
            owner = assumed.owner if isinstance(assumed.owner, type) else type(assumed.owner)
            return f"{owner.__name__}.{assumed.name}"
        case "item":
            is_space = isinstance(assumed.owner, dict) and "__builtins__" in assumed.owner
            return f"global {assumed.name}" if is_space else f"item {assumed.name!r}"
        case "cell":
            return f"closure variable {assumed.name}"
        case "grad":
            return f"whether {assumed.owner.name}.grad is None"
        case "added":
            return f"whether {assumed.owner.name}.grad is to be added to"
        case "static":
            return f"{assumed.owner.__name__}.{assumed.name}"
        case "code":
            return f"the code of {assumed.name}"
        case "keys" | "length" | "list" | "members" | "whole" | "array" | "call":
            return str(assumed.name)
        case "argument":
            return f"argument {assumed.name}"
        case "part":
            return describe(assumed.owner) + path_shown(assumed.name)


def _show(value: Any) -> str:
    is_plain = isinstance(value, (*_ATOMS, tuple, frozenset)) or value is MISSING
    other = str(value) if isinstance(value, enum.Enum) else f"a {type(value).__name__}"
    text = repr(value) if is_plain else other
    return text if len(text) <= 60 else text[:57] + "..."
