"""Keys of dicts that only a run knows, as in `d[int(t)]`: they are compared with the dict's own keys, one by one.

Which keys a dict has is known while the function is captured: a run that would add one ends with CaptureError.

The paths end with the values there; where these can't be one value of a program, what follows is traced once per key.
"""

from __future__ import annotations

import functools
from collections import defaultdict
from collections.abc import Callable
from enum import Enum, EnumType, Flag
from types import BuiltinMethodType, FunctionType
from typing import Any

from ....base.dtype import int64
from ....base.errors import CaptureError
from ....base.frame_marks import raises_for_caller
from ....base.location import caller_loc
from ....base.pytree import TaggedValue
from ....dygraph.number import Number, number_over
from ....dygraph.tensor import Tensor
from ....ir.core import Value
from ....ops.dims import Dim
from ....ops.op import OPS
from ....ops.sizes import runtime_names
from ...convert import convert
from ...trace.reachable import is_plain_class
from ...trace.state.dynamic_lists import is_run_time_sized
from ...trace.state.escapes import origins_in, with_origins
from ...trace.tracer import Tracer
from ..regions.tagged_unions import undecided

_ADDED = "a dict gets a new key that only a run of the program knows"
_KEEP = "give the dict all its keys before, or keep its values in a tensor"
_MISSING = "_missing_"  # what an Enum of the user's may do with values that no member has
MOST_KEYS = 64  # of one dict: each is a condition of the program
_TEXTS = (str, bytes, type(None))  # of which no tensor is made


def is_asked(tracer: Tracer, owner: Any, key: Any) -> bool:
    """Whether only a run knows which of a dict's items a key stands for. Numbers of the call are bound instead."""
    if not isinstance(owner, dict) or type(owner).__getitem__ is not dict.__getitem__:
        return False
    return not hasattr(type(owner), "__missing__") and len(owner) <= MOST_KEYS and _is_of_run(tracer, key)


def is_place_of_text(tracer: Tracer, owner: Any, key: Any) -> bool:
    """Whether only a run knows which of a list's or tuple's texts a number stands for."""
    if type(owner) not in (list, tuple) or not 0 < len(owner) <= MOST_KEYS:
        return False
    return all(type(x) in _TEXTS for x in owner) and _is_of_run(tracer, key)


def _is_of_run(tracer: Tracer, key: Any) -> bool:
    if type(key) is not Number or not isinstance(key._storage.payload, Value):
        return False
    return origins_in(with_origins(tracer, CaptureError("a key"), [key])) is None


def as_number(tracer: Tracer, owner: Any, key: Any) -> Any:
    """A size that only a run knows is a number where a dict, list or tuple of known length is subscripted."""
    if isinstance(key, Dim) and runtime_names(key) and isinstance(owner, (dict, list, tuple)):
        return key if is_run_time_sized(owner) else number_over(tracer.constant(key, int64))
    return key


def identify(tracer: Tracer, owner: Any, key: Any) -> None:
    """A tensor is looked for among the keys of a dict or the elements of a set, which are told by their identity."""
    if isinstance(key, Tensor) and type(key) is not Number and isinstance(owner, (dict, set, frozenset)):
        tracer.identity.ask(key, *[x for x in owner if isinstance(x, Tensor)])


def looked_up(runtime: Any, owner: dict[Any, Any], key: Any) -> Any:
    """`owner[key]`; KeyError, with the key, when the program runs."""
    return _call(runtime, _item, owner, _numbers(owner), key)


def chosen(runtime: Any, tracer: Tracer, owner: Any, key: Any) -> Any:
    """A text of a dict or list as an element of a new list, in doubt as long as nothing reads it; None for others.

    Only where the code runs in no branch or loop of the program: what leaves those is decided there.
    """
    if tracer.style.in_steps or not (tracer.regions and tracer.regions[-1].at_top):
        return None
    if is_asked(tracer, owner, key) and all(type(owner[known]) in _TEXTS for known in _numbers(owner)):
        options = [(OPS["equal"](key, known), owner[known]) for known in _numbers(owner)]
    elif is_place_of_text(tracer, owner, key):
        options = [(_is_at(key, k, len(owner)), x) for k, x in enumerate(owner)]
    else:
        return None
    if len(options) < 2:
        return None
    is_there = number_over(functools.reduce(OPS["logical_or"], [flag for flag, _ in options]))
    _call(runtime, _require, is_there, key if isinstance(owner, dict) else None, type(owner).__name__)
    *rest, (_, value) = options
    for flag, text in reversed(rest):
        value = TaggedValue(number_over(flag), text, value)
    return undecided(tracer, "an element of a list", value)


def _is_at(key: Any, place: int, size: int) -> Any:
    return OPS["logical_or"](OPS["equal"](key, place), OPS["equal"](key, place - size))


def got(runtime: Any, owner: dict[Any, Any], key: Any, default: Any = None) -> Any:
    """`owner.get(key, default)`."""
    return _call(runtime, _got, owner, _numbers(owner), key, default)


def search(runtime: Any, tracer: Tracer, fn: Any, args: tuple[Any, ...]) -> Callable[[], Any] | None:
    """A call that looks up a number that only a run knows: `d.get(n)`, and the member of an Enum, `Kind(n)`."""
    owner: Any = getattr(fn, "__self__", None)
    if isinstance(fn, BuiltinMethodType) and fn.__name__ == "get" and args and is_asked(tracer, owner, args[0]):
        return lambda: got(runtime, owner, *args)
    if not isinstance(fn, EnumType) or len(args) != 1 or issubclass(fn, Flag):
        return None
    kind: Any = fn
    members: dict[Any, Any] = {m.value: m for m in kind if isinstance(m.value, (int, float))}
    if any(_MISSING in vars(c) for c in kind.__mro__ if c is not Enum) or not is_asked(tracer, members, args[0]):
        return None
    return lambda: _call(runtime, _member, members, _numbers(members), args[0], kind.__qualname__)


@raises_for_caller
def put(runtime: Any, tracer: Tracer, owner: dict[Any, Any], key: Any, value: Any) -> None:
    """`owner[key] = value` of a key that is there."""
    numbers = _numbers(owner)
    if not numbers:
        raise with_origins(tracer, CaptureError(_ADDED, loc=caller_loc(), remedy=_KEEP), [key])
    is_there = functools.reduce(OPS["logical_or"], [OPS["equal"](key, known) for known in numbers])
    tracer.require(is_there, f"{_ADDED}\n  help: {_KEEP}", "CaptureError")
    _call(runtime, _put, owner, numbers, key, value)


def removed(runtime: Any, owner: dict[Any, Any], key: Any) -> None:
    """`del owner[key]`; KeyError, with the key, when the program runs."""
    _call(runtime, _removed, owner, _numbers(owner), key)


def _numbers(owner: dict[Any, Any]) -> list[Any]:
    return [known for known in owner if isinstance(known, (int, float))]


def make_item(runtime: Any, owner: Any, key: Any) -> None:
    """Have a defaultdict make the item of a key that it lacks: what a factory of the user's makes is the call's own."""
    if not isinstance(owner, defaultdict) or not _is_of_user(owner.default_factory):
        return
    kind = type(owner)
    is_pythons = kind.__getitem__ is dict.__getitem__ and kind.__missing__ is defaultdict.__missing__
    if is_pythons and not runtime.contains(key, owner):
        runtime.set_item(runtime.call(owner.default_factory), owner, key)


def _is_of_user(factory: Any) -> bool:
    return is_plain_class(factory) if isinstance(factory, type) else isinstance(factory, FunctionType)


def _call(runtime: Any, fn: Any, *args: Any) -> Any:
    return convert(fn, runtime).function(*args)


def _item(owner: Any, numbers: Any, key: Any) -> Any:
    for known in numbers:
        if key == known:
            return owner[known]
    raise KeyError(key)


def _require(is_there: Any, key: Any, kind: str) -> None:
    if not is_there:
        if key is None:
            raise IndexError(f"{kind} index out of range")
        raise KeyError(key)


def _put(owner: Any, numbers: Any, key: Any, value: Any) -> None:
    for known in numbers:
        if key == known:
            owner[known] = value
            return


def _removed(owner: Any, numbers: Any, key: Any) -> None:
    for known in numbers:
        if key == known:
            del owner[known]
            return
    raise KeyError(key)


def _member(members: Any, numbers: Any, value: Any, name: str) -> Any:
    for known in numbers:
        if value == known:
            return members[known]
    raise ValueError(f"{value} is not a valid {name}")


def _got(owner: Any, numbers: Any, key: Any, default: Any) -> Any:
    for known in numbers:
        if key == known:
            return owner[known]
    return default
