"""Keys of dicts that only a run knows, as in `d[int(t)]`: they are compared with the dict's own keys, one by one.

Which keys a dict has is known while the function is captured: a run that would add one ends with CaptureError.

The paths end with the values there; where these can't be one value of a program, what follows is traced once per key.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from enum import Enum, EnumType, Flag
from types import BuiltinMethodType
from typing import Any

from ....base.dtype import int64
from ....base.errors import CaptureError
from ....base.frame_marks import raises_for_caller
from ....base.location import caller_loc
from ....dygraph.number import Number, number_over
from ....dygraph.tensor import Tensor
from ....ir.core import Value
from ....ops.dims import Dim
from ....ops.op import OPS
from ....ops.sizes import runtime_names
from ...convert import convert
from ...trace.state.dynamic_lists import is_run_time_sized
from ...trace.state.escapes import origins_in, with_origins
from ...trace.tracer import Tracer

_ADDED = "a dict gets a new key that only a run of the program knows"
_KEEP = "give the dict all its keys before, or keep its values in a tensor"
_MISSING = "_missing_"  # what an Enum of the user's may do with values that no member has
MOST_KEYS = 64  # of one dict: each is a condition of the program


def is_asked(tracer: Tracer, owner: Any, key: Any) -> bool:
    """Whether only a run knows which of a dict's items a key stands for. Numbers of the call are bound instead."""
    if type(key) is not Number or not isinstance(owner, dict) or not isinstance(key._storage.payload, Value):
        return False
    if type(owner).__getitem__ is not dict.__getitem__ or hasattr(type(owner), "__missing__"):
        return False
    return len(owner) <= MOST_KEYS and origins_in(with_origins(tracer, CaptureError("a key"), [key])) is None


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


def _call(runtime: Any, fn: Any, *args: Any) -> Any:
    return convert(fn, runtime).function(*args)


def _item(owner: Any, numbers: Any, key: Any) -> Any:
    for known in numbers:
        if key == known:
            return owner[known]
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
