"""Objects that code outside shares, and whose state Python's containers don't show: queues, arrays, streams of bytes,
locks, elements of XML, hashes, memory that processes share; objects of any class that isn't written in Python.

A call whose result nobody uses is made for its effect. Of such an object, or a function of the standard library, it
runs when the program runs, in the order of the code, as `print` does. Any other call that is about such an object is
made while capturing, and asked again before each use of the program (a guard); if it changes the object, or nobody
knows that it doesn't, it is refused, since it would happen once. So are items and `in`.
"""

from __future__ import annotations

import array
import collections
import contextlib
import io
import operator
import queue
import sys
import types
from collections.abc import Callable, Iterator
from typing import Any, NoReturn

from ....base.class_marks import own_dict
from ....base.errors import CaptureError
from ....base.location import caller_loc, is_library_file
from ....base.pytree import flatten
from ....dygraph.tensor import Tensor
from ...trace.assumed.hidden_attributes import has_opaque_base, is_opaque_module
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
_METHODS = (types.BuiltinMethodType, types.MethodType)
# their state is followed as that of the user's objects, or they have none, or a construct of their own is about them
_OTHERS = (
    list, dict, set, frozenset, tuple, str, bytes, collections.deque, type, types.ModuleType, types.FunctionType,
    types.GeneratorType, types.CodeType, io.TextIOBase, types.MappingProxyType, types.SimpleNamespace,
)  # fmt: skip
_MODULES = frozenset({
    "array", "asyncio", "csv", "io", "multiprocessing", "queue", "shelve", "socket", "sqlite3", "threading", "unittest",
})  # fmt: skip
# methods that only tell something, by the names that they have in all of the standard library
_TELLING = frozenset({
    "cancelled", "digest", "done", "empty", "exception", "find", "findall", "findtext", "full", "hexdigest",
    "is_alive", "is_set", "items", "iter", "iterfind", "itertext", "keys", "locked", "qsize", "rfind", "result",
    "running", "size", "tell", "tobytes", "tolist", "values",
})  # fmt: skip
# of queues, which hold what they give elsewhere; of pipes and sockets
_TAKING = frozenset({"get", "get_nowait"})
_RECEIVING = frozenset({"recv", "recv_bytes", "recv_into", "recvfrom", "accept"})
# functions that only look at their arguments
_LOOKING = frozenset({
    all, any, bool, bytes, dict, enumerate, float, frozenset, int, len, list, max, min, repr, reversed, set, sorted,
    str, sum, tuple, zip,
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
    if active() is None or not (_is_of_object(fn) or _name_of(fn) in _WRITING or _is_of_opaque_module(fn)):
        return fn
    return UnusedCall(fn)


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
    given = [owner] if is_of_object else _given_to(tracer, fn, (*args, *kwargs.values()))
    if given and effect and not is_of_object:
        when_run(tracer, name, fn, args, kwargs)
        tracer.standard.changed |= {id(x): (x, caller_loc()) for x in given}
        return fn, True, None
    if tracer.standard.changed:
        _refuse_changed(tracer, (owner, *args, *kwargs.values()))
    if not given or name in _PAIRED:
        return fn, False, None
    if (name in _TAKING and hasattr(owner, "put")) or name in _RECEIVING:
        _refuse(f"{_shown(owner)}.{name}() takes what is in an object from outside, and its result is used")
    is_known = isinstance(fn, _METHODS) and name in _TELLING if is_of_object else _only_looks(fn)
    before = [None if x is fn and not _runs_python(fn) else _state_of(x) for x in given]
    made = fn(*args, **kwargs) if is_known or None not in before else None
    if (None in before and not is_known) or before != [_state_of(x) for x in given]:
        _put_back(given, before)
        about = f"{_shown(owner)}.{name}()" if is_of_object else f"{name}() of a {_shown(given[0])}"
        _refuse(f"{about} changes an object from outside, and its result is used")
    if not _has_tensors((args, kwargs)):
        _ask(tracer, fn, args, kwargs)
    if isinstance(made, Iterator):
        made = iter(items := list(made))
        tracer.objects.add(items)
    else:
        tracer.objects.add([made])
    return fn, True, made


def _runs_python(fn: Any) -> bool:
    """Whether a call of an object is one of a Python method: what others do, such as functions of C, nobody knows."""
    return isinstance(getattr(type(fn), "__call__", None), types.FunctionType)  # noqa: B004 (its function is wanted)


def _given_to(tracer: Tracer, fn: Any, values: tuple[Any, ...]) -> list[Any]:
    """The outside objects among what a function is given that looks at them, or may change them."""
    if not (_is_of_opaque_module(fn) or (isinstance(fn, (type, types.BuiltinFunctionType)) and _only_looks(fn))):
        return []
    return [x for x in values if not isinstance(x, (io.IOBase, *_BUFFERS)) and _is_outside(tracer, x)]


def _only_looks(fn: Any) -> bool:
    return fn in _LOOKING or fn.__module__ in ("numpy", "_struct", "_operator")


def _ask(tracer: Tracer, fn: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    question = Question(fn, args, kwargs)
    tracer.reads.append((question, found := question()))
    return found


def looked_at(tracer: Tracer, value: Any) -> None:
    """Before a loop over an outside object: its items are compared before each use of the program."""
    if _is_shared_kind(value) and not hasattr(value, "__next__") and _is_outside(tracer, value):
        _refuse_changed(tracer, (value,))
        tracer.objects.add([_ask(tracer, tuple, (value,), {})])


def read_of_part(tracer: Tracer, fn: Any, owner: Any, part: Any) -> None:
    """Before `owner[part]` or `part in owner` of an outside object: it is asked before each use of the program."""
    if isinstance(owner, _BUFFERS):
        read_of_buffer(tracer, owner)
    elif _is_shared_kind(owner) and _is_outside(tracer, owner):
        _refuse_changed(tracer, (owner,))
        if not isinstance(part, Tensor):
            tracer.objects.add([_ask(tracer, fn, (owner, part), {})])


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
    """`buffer[key] = value` of an outside array, or other such object, when the program runs; whether it is one."""
    if not _is_shared_kind(buffer):
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
    if isinstance(value, (*_BUFFERS, memoryview)):
        return True
    if isinstance(value, _OTHERS) or kind.__name__ == "cython_function_or_method":
        return False
    module = kind.__module__.partition(".")[0].lstrip("_")
    return (module in _MODULES and module in sys.stdlib_module_names) or has_opaque_base(kind) or _is_polynomial(kind)


def _is_polynomial(kind: type) -> bool:
    return kind.__module__.startswith("numpy") and (kind.__name__ == "poly1d" or "polynomial" in kind.__module__)


def _is_of_opaque_module(fn: Any) -> bool:
    """Whether a function of the standard library may keep or change objects: not one of a module that computes."""
    if isinstance(fn, types.BuiltinFunctionType):
        return isinstance(fn.__self__, types.ModuleType) and is_opaque_module(fn.__module__)
    return isinstance(fn, types.FunctionType) and is_opaque_module(fn.__module__) and _is_standard(fn)


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
    with contextlib.suppress(TypeError, ValueError, NotImplementedError):
        return memoryview(owner).tobytes()
    is_told = getattr(type(owner), "__getstate__", None) is not getattr(object, "__getstate__", None)
    parts = owner.__getstate__() if is_told else own_dict(owner)
    return None if type(parts) is not dict else {k: _parts_of(v) for k, v in parts.items()}


def _put_back(owners: list[Any], states: list[Any]) -> None:
    """Undo what a call that is refused has done to buffers, which nothing else puts back."""
    for owner, state in zip(owners, states, strict=True):
        if isinstance(owner, array.array):
            del owner[:]
            owner.frombytes(state)
        elif isinstance(owner, (bytearray, memoryview)):
            owner[:] = state
        elif type(owner).__module__ == "xml.etree.ElementTree":
            owner.__setstate__(owner.__getstate__() | {k: v for k, v in state.items() if k != "_children"})
            del owner[len(state["_children"]) :]


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
