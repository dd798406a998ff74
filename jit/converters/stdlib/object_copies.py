"""Objects as they are at one point of the code, for what shows them when the program runs: `print`, logs, exceptions.

A program writes an object's attributes when it ends. Text that is made from the object before that would show what was
there before the call, and text of an object that the function changes later what is there at the end. So whatever the
call has made or changed is copied where it is shown, and a run puts its own values into such a copy.
"""

from __future__ import annotations

import copy
import types
from collections import OrderedDict, defaultdict, deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ....base.class_marks import mark_of, own_dict
from ....base.errors import CaptureError, VitrifyError
from ....base.location import caller_loc
from ....base.pytree import map_leaves
from ....base.size import is_list
from ....dygraph.nn.layer import Layer
from ....dygraph.storage import held
from ....dygraph.tensor import Tensor
from ....ops.dims import Dim
from ....ops.dispatch import bottom, using
from ...trace.reachable import is_plain_class
from ...trace.state.containers import parts_of
from ...trace.state.dynamic_lists import is_run_time_sized
from ...trace.state.rollback import contents, same
from ...trace.tracer import Tracer
from .own_methods import is_users

_BASES = (OrderedDict, defaultdict, dict, list, set, deque, types.SimpleNamespace, object)
_PURE = ("abc", "collections", "collections.abc", "typing")  # their classes are written in Python


@dataclass(frozen=True, slots=True)
class _Reference:
    """Stands for the copy of object `number`."""

    number: int

    def parts_of(self) -> tuple[int, list[Any]]:
        return self.number, []

    @staticmethod
    def of_parts(number: int, parts: list[Any]) -> _Reference:
        return _Reference(number)


class _Itself:
    """Stands for an object from outside that the call has left as it was: what a run makes holds that very one."""

    def __init__(self, x: Any) -> None:
        self.x = x

    def parts_of(self) -> tuple[_Itself, list[Any]]:
        return self, []

    @staticmethod
    def of_parts(facts: _Itself, parts: list[Any]) -> _Itself:
        return facts


class _Text:
    """An object of which only the text is known."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __repr__(self) -> str:
        return self.text

    def parts_of(self) -> tuple[None, list[Any]]:
        return None, [self.text]

    @staticmethod
    def of_parts(facts: None, parts: list[Any]) -> _Text:
        return _Text(*parts)


class Copies:
    """Takes objects apart while a function is traced."""

    def __init__(self, tracer: Tracer) -> None:
        self.tracer = tracer
        self.numbers: dict[int, int] = {}
        self.taken: list[Any] = []  # of each object its class, items and attributes
        self.originals: list[Any] = []
        self.inside = False  # whether an object is being taken apart
        self.changed = False
        self.has_very = False  # whether an object from outside is shown itself

    def of(self, x: Any) -> Any:
        """A value with references for the objects in it."""
        if type(x) is tuple:
            return tuple([self.of(v) for v in x])
        if _has_parts(x) and self._is_left_alone(x, set()):
            self.has_very = True
            return _Itself(x)
        if (is_list(x) and not is_run_time_sized(x)) or type(x) is dict:
            if self.inside:  # lists around the objects are made anew in any case
                self._compare(x)
            return {k: self.of(v) for k, v in x.items()} if type(x) is dict else [self.of(v) for v in x]
        if isinstance(x, Layer):
            return self._layer(x)
        if not _is_copied(x):
            self.changed |= self.inside and _is_of_a_run(x)
            return x
        if id(x) not in self.numbers:
            number = self.numbers[id(x)] = len(self.taken)
            self.taken.append(None)
            self.originals.append(x)
            self._compare(x)
            items, attributes = _parts_of(x)
            outside, self.inside = not self.inside, True
            attributes = {k: self.of(v) for k, v in attributes.items()}
            if isinstance(items, dict):
                items = [(k, self.of(v)) for k, v in items.items()]
            elif items is not None:
                items = [self.of(v) for v in items]
            self.inside = not outside
            self.taken[number] = (items, attributes)
        return _Reference(self.numbers[id(x)])

    def _compare(self, x: Any) -> None:
        """Note whether the call made or changed an object: then no other call's text is its own."""
        kept = self.tracer.objects.kept.get(id(x))
        if kept is None:
            self.changed = True
            return
        self.changed |= _differs(kept)

    def _is_left_alone(self, x: Any, seen: set[int]) -> bool:
        """Whether something is an object or container from outside, and is as it was before, with all that it holds."""
        if id(x) in seen or not _has_parts(x):
            return id(x) in seen
        kept = self.tracer.objects.kept.get(id(x))
        if kept is None or id(x) in self.tracer.arguments or _differs(kept):
            return False
        seen.add(id(x))
        parts = [v for part in parts_of(kept.copy) for v in (part if type(part) is tuple else (part,))]
        return all(not _has_parts(v) or self._is_left_alone(v, seen) for v in parts)

    def _layer(self, x: Layer) -> Any:
        """A layer is no copy's part: it would have parameters of its own."""
        shows = next((m for m in (type(x).__repr__, type(x).__str__) if is_users(m)), None)
        if shows is None:
            return x
        self._compare(x)
        return _Text(repr(x) if is_users(type(x).__repr__) else str(x))


def _has_parts(x: Any) -> bool:
    return not isinstance(x, (Tensor, Dim, Layer, type)) and contents(x) is not None


def _differs(kept: Any) -> bool:
    """Whether an object has other items or attributes than before the call."""
    now, before = kept.now(), kept.copy
    if isinstance(now, dict):
        return list(now) != list(before) or not all(same(now[k], before[k]) for k in now)
    return len(now) != len(before) or not all(map(same, now, before))


def _parts_of(x: Any) -> tuple[Any, Any]:
    """The items (of an exception its arguments) and the attributes of an object."""
    if isinstance(x, (dict, list, set, deque)):
        return contents(x), own_dict(x) or {}
    return list(x.args) if isinstance(x, BaseException) else None, contents(x)


def _is_copied(x: Any) -> bool:
    """Whether an object is made of its items and attributes: a user's, or a container of Python's library."""
    kind = type(x)
    if isinstance(x, BaseException):
        return _has_text_of_a_run(x)
    if isinstance(x, (Tensor, Dim, Layer, type)) or mark_of(kind, "parts_of") is not None or contents(x) is None:
        return False
    known = [b for b in kind.__mro__ if not is_plain_class(b)]
    return kind is not object and all(b in _BASES or b.__module__ in _PURE for b in known)


def _is_of_a_run(x: Any) -> bool:
    return isinstance(x, (Tensor, Dim)) or (isinstance(x, str) and str.__contains__(x, "\x00"))


def _has_text_of_a_run(x: BaseException) -> bool:
    """Whether an exception's text is that of its arguments, and only a run knows these."""
    shows = type(x).__str__
    plain = shows in (BaseException.__str__, KeyError.__str__, VitrifyError.__str__) or is_users(shows)
    return plain and any(map(_is_of_a_run, (*x.args, *vars(x).values())))


def _base_of(x: Any) -> Any:
    return next(b for b in _BASES if isinstance(x, b))


def _shell_of(x: Any) -> Any:
    """An empty object of the class of `x`, made without the class's own code."""
    if isinstance(x, BaseException):
        return type(x).__new__(type(x))
    made = _base_of(x).__new__(type(x))
    if isinstance(x, defaultdict):
        made.default_factory = x.default_factory
    if isinstance(x, deque) and x.maxlen is not None:
        deque.__init__(made, (), x.maxlen)
    return made


def is_changed(tracer: Tracer, value: Any) -> bool:
    """Whether the call made or changed an object in a value."""
    copies = Copies(tracer)
    copies.of(value)
    return copies.changed and bool(copies.taken)


def copied(tracer: Tracer, value: Any) -> tuple[Any, Callable[[Any], Any] | None]:
    """What a value is made of, and a function that puts it together; the value itself where the call left it alone."""
    copies = Copies(tracer)
    structure = copies.of(value)
    if not (copies.taken and copies.changed) and not copies.has_very:
        return value, None
    originals = copies.originals

    def assembled(parts: Any) -> Any:
        whole, taken = parts
        made = [_shell_of(x) for x in originals]

        def find(r: Any) -> Any:
            return made[r.number] if isinstance(r, _Reference) else r.x

        def put(v: Any) -> Any:
            return map_leaves(find, v, lambda r: isinstance(r, (_Reference, _Itself)))

        for x, (items, attributes) in zip(made, taken, strict=True):
            if items is not None:
                _fill(x, [put(v) for v in items])
            for name, v in attributes.items():
                object.__setattr__(x, name, put(v))
        return put(whole)

    return (structure, copies.taken), assembled


def _fill(x: Any, items: list[Any]) -> None:
    if isinstance(x, BaseException):
        x.args = tuple(items)
        return
    base = _base_of(x)
    if isinstance(x, dict):
        for key, value in items:
            base.__setitem__(x, key, value)
    elif isinstance(x, set):
        set.update(x, items)
    else:
        base.extend(x, items)


def copied_layer(tracer: Tracer, layer: Layer, memo: dict[int, Any] | None = None) -> Layer:
    """`copy.deepcopy(layer)`: its parameters and buffers are as concrete as those that a call makes (a target network).

    The program is one for this call then. CaptureError where the function has written one of them before.
    """
    held_ones = {id(x): x for x in (*layer.parameters(), *layer.buffers())}
    for x in held_ones.values():
        if not isinstance(held(x), np.ndarray):
            raise CaptureError(
                f"{type(layer).__name__} is deep-copied after the function has written {x.name}",
                loc=caller_loc(),
                remedy="copy it before, or outside of the function, and take the values over with set_state_dict()",
            )
    known: dict[int, Any] = {} if memo is None else memo
    with using(bottom()):
        made: Layer = copy.deepcopy(layer, known)
    for key in held_ones:
        tracer.made_parameter(known[key])
    return made
