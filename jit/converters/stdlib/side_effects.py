"""What code shows or tells while it runs: `print`, `warnings.warn`, loggers, streams. It happens when the program runs,
on the path taken, in the order of the code.
"""

from __future__ import annotations

import builtins
import dis
import functools
import io
import logging
import sys
import types
import warnings
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from ....base.causes import handled_now
from ....base.errors import CaptureError
from ....base.location import UserLine, caller_loc
from ....base.stand_in_frames import called_at
from ...serialize.shown_text import Printed
from ...trace.reachable import is_plain_class, is_user_function, methods_of, names_in, plain_of
from ...trace.state.containers import parts_of
from ...trace.state.rollback import Objects
from ...trace.state.standard_objects import shows_warnings
from ...trace.traced import Assumption
from ...trace.tracer import Tracer, active
from ..frames import places_now
from ..raising import taken_apart
from ..regions.markers import Poison
from . import strings
from .own_methods import is_users, own_method

Handler = Callable[..., Any]
_LEVELS = ("debug", "info", "warning", "error", "critical", "exception", "log")
_LOGGING = frozenset(getattr(logging, name) for name in _LEVELS)


def handler(fn: Any) -> Handler | None:
    """What a call of such a function becomes, if `fn` is one."""
    if fn is builtins.print:
        return _print
    if fn is warnings.warn:
        return _warn
    owner = getattr(fn, "__self__", None)
    if isinstance(owner, logging.Logger) and fn.__name__ in _LEVELS:
        return lambda tracer, *args, **kwargs: _log(tracer, fn, args, kwargs)
    if isinstance(owner, io.TextIOBase) and fn.__name__ in ("write", "writelines", "flush"):
        if (tracer := active()) is not None and id(owner) in tracer.standard.made:
            return None
        return functools.partial(_write, fn)
    try:
        is_logging = fn in _LOGGING
    except TypeError:  # not hashable
        return None
    return (lambda tracer, *args, **kwargs: _log(tracer, fn, args, kwargs)) if is_logging else None


def when_run(tracer: Tracer, label: str, fn: Callable[..., Any], args: Any, kwargs: Any) -> None:
    """Have the program call a function at this point of each run."""
    values, filled = strings.at_run_time(tracer, (args, kwargs))
    shown_by = tracer.standard.settings.shown_by()

    def show(*arrays: Any) -> None:
        shown, named = filled(*arrays)
        fn(*shown, **named)

    def run(*arrays: Any) -> None:
        shown_by(show, *arrays)

    name = tracer.callback_name(label)
    tracer.callbacks[name] = run
    tracer.builder.callback(name, values, [])


def _write(fn: Any, tracer: Tracer, *args: Any, **kwargs: Any) -> Any:
    """A call of a method of a stream; `write` tells how many characters these are."""
    name = _stream_of_process(tracer, fn.__self__)
    written = fn if name is None else functools.partial(_call_of_stream, name, fn.__name__)
    when_run(tracer, fn.__name__, written, args, kwargs)
    if fn.__name__ != "write" or not args or not isinstance(args[0], str):
        return None
    if not strings.holds_tensors(args[0]):
        return len(args[0])
    return Poison("write", "how long a text with a tensor in it is, only a run of the program knows", caller_loc())


def _stream_of_process(tracer: Tracer, stream: Any) -> str | None:
    """The name in `sys` of a stream that the code finds there: each run looks it up, as the caller may have led it
    elsewhere by then. The name is None for other streams, and for where the code itself led it.
    """
    for name, begun in (("stdout", tracer.standard.stdout), ("stderr", tracer.standard.stderr)):
        if stream is begun and getattr(sys, name) is begun:
            named = any(name in names_in(c.original.__code__) for c in tracer.functions.values())
            return name if named else None
    return None


def _call_of_stream(stream: str, method: str, *args: Any, **kwargs: Any) -> None:
    getattr(getattr(sys, stream), method)(*args, **kwargs)


def _print_to(stream: str, *args: Any, **kwargs: Any) -> None:
    print(*args, file=getattr(sys, stream), **kwargs)


def _log(tracer: Tracer, fn: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
    """A record of a logger: it names the line of the call, and shows the exception that is handled there."""
    places = places_now()
    for handler_of in _handlers_of(fn):
        _note_told(tracer, handler_of, "a handler or filter of a logger")
    shows = kwargs.get("exc_info", fn.__name__ == "exception")
    error = shows if isinstance(shows, BaseException) else handled_now() if shows is True else None
    if error is None or error is tracer.standard.handled:
        when_run(tracer, "log", functools.partial(_record, places, fn), args, kwargs)
        return
    parts, assembled = taken_apart(tracer, error)

    def log(parts: Any, *args: Any, **kwargs: Any) -> None:
        _record(places, fn, *args, **kwargs | {"exc_info": assembled(parts)})

    when_run(tracer, "log", log, (parts, *args), {k: v for k, v in kwargs.items() if k != "exc_info"})


def _handlers_of(fn: Any) -> list[Any]:
    """The handlers and filters that records of a logger come to."""
    logger = getattr(fn, "__self__", None) or logging.getLogger()
    found: list[Any] = list(logger.filters) if isinstance(logger, logging.Logger) else []
    while isinstance(logger, logging.Logger):
        found += [x for h in logger.handlers for x in (h, *h.filters, h.formatter)]
        logger = logger.parent if logger.propagate else None
    return found


def _record(places: Sequence[UserLine], fn: Callable[..., Any], *args: Any, **kwargs: Any) -> None:
    """Log from a line; `stacklevel` may lead to who called the function."""
    around = places_now(within=False) if kwargs.get("stacklevel", 1) > len(places) else []
    called_at([*places, *around], functools.partial(fn, *args, **kwargs))


def _print(tracer: Tracer, *args: Any, file: Any = None, **kwargs: Any) -> None:
    if file is None and sys.stdout is not tracer.standard.stdout:
        file = sys.stdout  # where `redirect_stdout` leads
    args = tuple(tracer.call(own) if (own := _writing_text(x)) is not None else x for x in args)
    if id(file) in tracer.standard.made:
        print(*map(strings.shown, args), file=file, **kwargs)
    elif file is not None and (name := _stream_of_process(tracer, file)) is not None:
        when_run(tracer, "print", functools.partial(_print_to, name), args, kwargs)
    elif file is not None and _inlined(tracer, args, file, kwargs):
        return
    elif file is not None or tracer.standard.settings.shown_by():
        _note_told(tracer, file, "what `print` writes to")
        when_run(tracer, "print", print, args, {"file": file, **kwargs})
    else:
        values, shown = strings.at_run_time(tracer, (args, kwargs))
        name = tracer.callback_name("print")
        tracer.callbacks[name] = Printed(shown)
        tracer.builder.callback(name, values, [])


def _inlined(tracer: Tracer, args: tuple[Any, ...], file: Any, options: dict[str, Any]) -> bool:
    """Print to an object of a user's class whose `write` is captured code, where the text is known; whether it was."""
    write = getattr(file, "write", None)
    if not (isinstance(write, types.MethodType) and is_users(write.__func__)) or options.get("flush"):
        return False
    texts = [str(strings.shown(x)) for x in args]
    sep, end = (options.get(name) for name in ("sep", "end"))
    sep, end = " " if sep is None else sep, "\n" if end is None else end
    if any(strings.holds_tensors(x) for x in (*texts, sep, end)):
        return False
    for k, text in enumerate(texts):
        for part in (text,) if k == 0 else (sep, text):
            tracer.call(write, part)
    tracer.call(write, end)
    return True


def _note_told(tracer: Tracer, told: Any, what: str) -> None:
    """An object's own code runs with the program, as Python code: see `refuse_told`."""
    kind: Any = type(told)
    if told is not None and is_plain_class(kind):
        tracer.standard.told.append((told, what, caller_loc()))


def refuse_told(tracer: Tracer, written: Iterable[Any], assumptions: Iterable[Assumption]) -> None:
    """At the end of a trace: CaptureError where objects to which the program shows something, by Python code of theirs,
    share what changes with the function, whose own state is written at the end of the program.
    """
    for told, what, loc in tracer.standard.told:
        found = Objects([told], own=()).kept
        stored = _stored_by(found)
        for owner in written:
            kept = found.get(id(owner))
            if kept is not None and (isinstance(owner, (dict, list, set, deque)) or stored):
                raise _shared(what, loc)
        inside = {id(part) for kept in found.values() for part in parts_of(kept.copy) if kept.owner is told}
        for a in assumptions:
            is_read = id(a.owner) in inside and a.kind in ("length", "list", "members", "whole", "keys", "item")
            if is_read or (a.kind == "attribute" and a.name in stored and id(a.owner) in found):
                raise _shared(what, loc)


def _stored_by(found: dict[int, Any]) -> set[str]:
    """The attributes that methods of some objects set."""
    classes: set[Any] = {type(kept.owner) for kept in found.values()}
    kinds = filter(is_plain_class, classes)
    methods = [fn for kind in kinds for fn in methods_of(kind) if fn.__name__ != "__init__" and is_user_function(fn)]
    codes = [plain_of(fn).__code__ for fn in methods]
    return {i.argval for code in codes for i in dis.get_instructions(code) if i.opname == "STORE_ATTR"}


def _shared(what: str, loc: Any) -> CaptureError:
    return CaptureError(
        f"{what} shares an object or list that changes with the compiled function, which writes its own at its end",
        loc=loc,
        remedy="let them have apart what changes, or show it outside of the compiled function",
    )


def _writing_text(x: Any) -> Any:
    """The method that gives an object's text, if it also changes something: code that follows sees that."""
    own = own_method(str, x) or own_method(repr, x)
    code = None if own is None else plain_of(own.__func__).__code__
    return own if code is not None and any(i.opname.startswith(_WRITING) for i in dis.get_instructions(code)) else None


_WRITING = ("STORE_ATTR", "STORE_SUBSCR", "STORE_GLOBAL", "STORE_DEREF", "DELETE_ATTR", "DELETE_SUBSCR")


def _warn(
    tracer: Tracer, message: Any, category: Any = None, stacklevel: int = 1, source: Any = None, **options: Any
) -> None:
    loc = caller_loc()  # the line of the call; lines further up are those of other calls at each run
    filters = list(warnings.filters)

    def warn(message: Any) -> None:
        kind = type(message) if isinstance(message, Warning) else category or UserWarning
        warnings.warn_explicit(message, kind, loc.file, loc.line)

    def warn_there(message: Any) -> None:
        with warnings.catch_warnings():
            warnings.resetwarnings()
            warnings.filters[:] = filters  # type: ignore[index]
            warn(message)

    if shows_warnings() is not tracer.standard.shows_warnings:  # into the code's own list, or another function
        warn(strings.shown(message))
    elif filters == tracer.standard.filters:
        when_run(tracer, "warn", warn, (message,), {})
    else:
        with warnings.catch_warnings(record=True):
            warn_there(strings.shown(message))  # raises what the code's own filters make an error
        when_run(tracer, "warn", warn_there, (message,), {})
