"""Objects of the standard library that code outside shares: queues, arrays, writers, streams of bytes.

A call whose result nobody uses is made for its effect. Of such an object, or a function of the standard library, it
runs when the program runs, in the order of the code, as `print` does. Any other call of a method of such an object is
made while capturing, and asked again before each use of the program (a guard); if it changes the object it is refused,
since it would happen once.
"""

from __future__ import annotations

import array
import collections
import io
import operator
import queue
import sys
import types
from collections.abc import Callable
from typing import Any, NoReturn

from ....base.errors import CaptureError
from ....base.location import caller_loc, is_library_file
from ....base.pytree import flatten
from ....dygraph.tensor import Tensor
from ...trace.assumed.questions import Question
from ...trace.reachable import file_of
from ...trace.tracer import Tracer, active
from .own_methods import is_in_library
from .side_effects import when_run

# Functions that write to a stream: the number of the argument that is one, and its name.
_WRITING = {
    ("pprint", "pprint"): (1, "stream"), ("pprint", "pp"): (1, "stream"), ("json", "dump"): (1, "fp"),
    ("pickle", "dump"): (1, "file"), ("_pickle", "dump"): (1, "file"), ("marshal", "dump"): (1, "file"),
    ("traceback", "print_stack"): (2, "file"), ("time", "sleep"): (None, ""),
}  # fmt: skip
_HANDLED = frozenset({("traceback", "print_exc"), ("traceback", "print_exception"), ("traceback", "print_last")})
_BUFFERS = (array.array, bytearray)
# their state is followed as that of the user's objects, or they have none, or a construct of their own is about them
_OTHERS = (
    list, dict, set, frozenset, tuple, str, bytes, collections.deque, type, types.ModuleType, types.FunctionType,
    types.GeneratorType, types.CodeType, io.TextIOBase, types.MappingProxyType, types.SimpleNamespace,
)  # fmt: skip
_MODULES = frozenset({
    "array", "asyncio", "csv", "io", "multiprocessing", "queue", "shelve", "socket", "sqlite3", "threading", "unittest",
})  # fmt: skip
_PAIRED = frozenset({"acquire", "release", "__enter__", "__exit__"})  # around code, which is captured
# methods of text streams
_MOVING_STREAMS = frozenset({"read", "readline", "readlines", "seek", "truncate", "close", "detach", "reconfigure"})
_TOLD_BY_STREAMS = frozenset({"getvalue", "tell", "isatty", "readable", "writable", "seekable", "fileno"})


class UnusedCall:
    """A call that is made for what it does alone."""

    __slots__ = ("fn",)

    def __init__(self, fn: Callable[..., Any]) -> None:
        self.fn = fn


def unused(fn: Any) -> Any:
    """A function that a statement calls without a use for its result: an `UnusedCall` if of an object."""
    return UnusedCall(fn) if active() is not None and (_is_of_object(fn) or _name_of(fn) in _WRITING) else fn


def called(tracer: Tracer, fn: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, bool, Any]:
    """(the function, whether the call is done, what it gave): of calls of outside objects of the standard library."""
    effect = type(fn) is UnusedCall
    fn = fn.fn if effect else fn
    owner = _owner_of(fn)
    name = getattr(fn, "__name__", type(fn).__name__)
    if _name_of(fn) in _HANDLED:
        _refuse(f"{name}() shows an exception that is handled while the function is captured")
    if isinstance(owner, io.TextIOBase) and id(owner) not in tracer.standard.made:
        _of_stream(tracer, fn, owner, name)
    if _name_of(fn) in _WRITING and _is_outside(tracer, _stream_of(fn, args, kwargs)):
        when_run(tracer, name, fn, args, kwargs)
        return fn, True, None
    is_of_object = _is_of_object(fn) and _is_outside(tracer, owner)
    if owner is not None and not is_of_object:
        refuse_on_one_path(tracer, owner)
    if is_of_object and effect and name not in _PAIRED:
        when_run(tracer, name, fn, args, kwargs)
        tracer.standard.changed[id(owner)] = (owner, caller_loc())
        return fn, True, None
    if tracer.standard.changed:
        _refuse_changed(tracer, (owner, *args, *kwargs.values()))
    if not is_of_object or name in _PAIRED:
        return fn, False, None
    before = _state_of(owner)
    made = None if before is None else fn(*args, **kwargs)
    if before is None or before != _state_of(owner):
        _refuse(f"{_shown(owner)}.{name}() changes an object from outside, and its result is used")
    if not _has_tensors((args, kwargs)):
        question = Question(fn, args, kwargs)
        tracer.reads.append((question, question()))
    return fn, True, made


def _of_stream(tracer: Tracer, fn: Any, owner: Any, name: str) -> None:
    """A call of a method of a text stream from outside: reads and moves are refused, what it tells is guarded."""
    if name in _MOVING_STREAMS:
        _refuse(f"{name}() of a {_shown(owner)} from outside would move it on once, while the function is captured")
    if name in _TOLD_BY_STREAMS:
        if id(owner) in tracer.standard.written:
            line = tracer.standard.written[id(owner)][1].line
            _refuse(f"a {_shown(owner)} from outside is used after line {line} changed it")
        question = Question(fn, (), {})
        tracer.reads.append((question, question()))
    elif name in ("write", "writelines"):
        tracer.standard.written[id(owner)] = (owner, caller_loc())


def made_inside(tracer: Tracer, made: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
    """Note an object that a call made: it isn't one from outside, unless it may hold one."""
    given = (*args, *kwargs.values())
    if (isinstance(made, io.IOBase) or _is_shared_kind(made)) and not any(_is_outside(tracer, x) for x in given):
        tracer.standard.made[id(made)] = made, list(tracer.regions)


def refuse_on_one_path(tracer: Tracer, value: Any) -> None:
    """An object that the function made is there while capturing: one path, or a loop, can't use it alone."""
    _, regions = tracer.standard.made.get(id(value), (None, tracer.regions))
    if len(regions) != len(tracer.regions) or any(a is not b for a, b in zip(regions, tracer.regions, strict=True)):
        _refuse(f"a {_shown(value)} is used under a tensor's condition or in a loop of the program, but made before it")


def set_in_buffer(tracer: Tracer, buffer: Any, key: Any, value: Any) -> bool:
    """`buffer[key] = value` of an outside array or bytearray, when the program runs; whether it is one."""
    if not isinstance(buffer, _BUFFERS):
        return False
    refuse_on_one_path(tracer, buffer)
    if not _is_outside(tracer, buffer):
        return False
    when_run(tracer, "set", operator.setitem, (buffer, key, value), {})
    tracer.standard.changed[id(buffer)] = (buffer, caller_loc())
    return True


def read_of_buffer(tracer: Tracer, buffer: Any) -> None:
    """Before `buffer[key]` of an outside array or bytearray: it is compared before each use of the program."""
    if isinstance(buffer, _BUFFERS) and _is_outside(tracer, buffer):
        _refuse_changed(tracer, (buffer,))
        question = Question(bytes, (buffer,), {})
        tracer.reads.append((question, question()))


def _name_of(fn: Any) -> tuple[Any, Any]:
    return getattr(fn, "__module__", None), getattr(fn, "__name__", None)


def _owner_of(fn: Any) -> Any:
    """The object that a call of a method is about; a callable object of the standard library itself."""
    return fn if _is_shared_kind(fn) else getattr(fn, "__self__", None)


def _is_of_object(fn: Any) -> bool:
    """Whether a function is, or is a method of, an object of the standard library that has a state."""
    if _is_shared_kind(fn):
        return True
    if isinstance(fn, types.MethodType):
        inner = fn.__func__
        return isinstance(inner, types.FunctionType) and _is_standard(inner) and _is_shared_kind(fn.__self__)
    return isinstance(fn, types.BuiltinMethodType) and _is_shared_kind(fn.__self__)


def _is_standard(fn: types.FunctionType) -> bool:
    return is_in_library(fn) and not is_library_file(file_of(fn))


def _is_shared_kind(value: Any) -> bool:
    """Whether a value is an object of the standard library whose state Python's containers don't show."""
    kind = type(value)
    if isinstance(value, _BUFFERS):
        return True
    module = kind.__module__.partition(".")[0].lstrip("_")
    return module in _MODULES and module in sys.stdlib_module_names and not isinstance(value, _OTHERS)


def _is_outside(tracer: Tracer, value: Any) -> bool:
    """Whether an object, or a stream (None: that of the process), was there before the function was captured."""
    return (isinstance(value, io.IOBase) or _is_shared_kind(value)) and id(value) not in tracer.standard.made


def _stream_of(fn: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    place, name = _WRITING[_name_of(fn)]
    found = None if place is None else args[place] if len(args) > place else kwargs.get(name)
    return sys.stdout if found is None else found


def _state_of(owner: Any) -> Any:
    """What of an object a call can change; None if nothing of it can be seen."""
    if isinstance(owner, _BUFFERS):
        return bytes(owner)
    if isinstance(owner, io.IOBase):
        return (owner.closed, not owner.closed and owner.seekable() and owner.tell())
    if isinstance(owner, queue.SimpleQueue):
        return owner.qsize()
    parts = getattr(owner, "__dict__", None)
    return None if parts is None else {k: _parts_of(v) for k, v in parts.items()}


def _parts_of(value: Any) -> Any:
    if isinstance(value, dict):
        return [(k, id(v)) for k, v in value.items()]
    if isinstance(value, (list, collections.deque)):
        return [id(v) for v in value]
    return value if type(value) in (int, float, bool, str) else id(value)


def _has_tensors(value: Any) -> bool:
    return any(isinstance(x, Tensor) for x in flatten(value, lambda x: isinstance(x, Tensor))[0])


def _shown(owner: Any) -> str:
    return type(owner).__qualname__


def _refuse_changed(tracer: Tracer, values: tuple[Any, ...]) -> None:
    """Code looks at an object that calls before it change, though only when the program runs."""
    for value in values:
        found = tracer.standard.changed.get(id(value))
        if found is not None:
            _refuse(f"a {_shown(value)} from outside is used after line {found[1].line} changed it")


def _refuse(message: str) -> NoReturn:
    raise CaptureError(
        message,
        loc=caller_loc(),
        remedy="do it around the call of the compiled function, or in a PyLayer; calls whose results aren't used "
        "(`q.put(x)`) run at each call",
    )
