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
import warnings
from collections.abc import Callable, Sequence
from typing import Any

from ....base.causes import handled_now
from ....base.location import UserLine, caller_loc
from ....base.stand_in_frames import called_at
from ...serialize.shown_text import Printed
from ...trace.reachable import names_in, plain_of
from ...trace.state.standard_objects import shows_warnings
from ...trace.tracer import Tracer, active
from ..frames import places_now
from ..raising import taken_apart
from ..regions.markers import Poison
from . import strings
from .own_methods import own_method

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
    shows = kwargs.get("exc_info", fn.__name__ == "exception")
    error = shows if isinstance(shows, BaseException) else handled_now() if shows is True else None
    if error is None or error is tracer.standard.handled:
        when_run(tracer, "log", functools.partial(_record, places, fn), args, kwargs)
        return
    parts, assembled = taken_apart(tracer, error)

    def log(parts: Any, *args: Any, **kwargs: Any) -> None:
        _record(places, fn, *args, **kwargs | {"exc_info": assembled(parts)})

    when_run(tracer, "log", log, (parts, *args), {k: v for k, v in kwargs.items() if k != "exc_info"})


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
    elif file is not None or tracer.standard.settings.shown_by():
        when_run(tracer, "print", print, args, {"file": file, **kwargs})
    else:
        values, shown = strings.at_run_time(tracer, (args, kwargs))
        name = tracer.callback_name("print")
        tracer.callbacks[name] = Printed(shown)
        tracer.builder.callback(name, values, [])


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
