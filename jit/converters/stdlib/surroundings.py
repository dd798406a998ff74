"""What code reads of its surroundings: asked again at each call (a guard), or refused, as it would be read once.

The environment's variables, the working directory, whether a file exists, a context variable: their values are part of
the assumptions of a program. Random numbers, clocks, the contents of files and what other processes give are refused.
"""

from __future__ import annotations

import builtins
import collections
import contextvars
import datetime
import gc
import locale
import logging
import math
import operator
import os
import pathlib
import random
import secrets
import sys
import threading
import time
import uuid
import weakref
from collections.abc import Callable, Container
from functools import reduce
from typing import Any, NoReturn

import numpy as np

from ....base.drawing import watchers
from ....base.errors import CaptureError
from ....base.location import caller_loc
from ....dygraph.tensor import Tensor
from ....ops.dispatch import current, innermost, trace_around
from ...trace.assumed.questions import Question
from ...trace.tracer import Tracer

_CLOCKS = {time.time, time.time_ns, time.perf_counter, time.perf_counter_ns, time.monotonic, time.monotonic_ns,
           time.process_time, time.process_time_ns, time.thread_time, time.thread_time_ns, time.localtime, time.gmtime,
           time.ctime, time.strftime}  # fmt: skip
_DRAWS = {os.urandom, os.getrandom if hasattr(os, "getrandom") else os.urandom, uuid.uuid1, uuid.uuid4,
          secrets.token_bytes, secrets.token_hex, secrets.token_urlsafe, secrets.randbits, secrets.randbelow,
          secrets.choice}  # fmt: skip
_OUTSIDE = {
    builtins.open, builtins.input, os.listdir, os.scandir, os.walk, os.stat, os.system, os.popen, os.read, os.write,
    os.remove, os.rename, os.mkdir, os.makedirs, os.rmdir, os.chdir, os.putenv, os.unsetenv, gc.get_objects,
    gc.get_count,
}  # fmt: skip
_ASKED = {
    os.getenv, os.getcwd, os.getpid, os.getppid, os.cpu_count, os.path.exists, os.path.isfile, os.path.isdir,
    os.path.islink, os.path.getsize, os.path.getmtime, os.path.abspath, os.path.realpath, os.path.expanduser,
    os.path.expandvars, os.access, sys.getrecursionlimit, sys.getswitchinterval, threading.get_ident,
    threading.get_native_id, threading.current_thread, threading.active_count, locale.getlocale, locale.localeconv,
    gc.isenabled,
}  # fmt: skip
# by name, as the modules take time to import
_OUTSIDE_NAMES = frozenset({
    ("glob", "glob"), ("glob", "iglob"), ("shutil", "copy"), ("shutil", "move"), ("shutil", "rmtree"),
    ("subprocess", "run"), ("subprocess", "call"), ("subprocess", "check_call"), ("subprocess", "check_output"),
    ("subprocess", "Popen"), ("socket", "socket"), ("socket", "create_connection"),
})  # fmt: skip
_ASKED_NAMES = frozenset({
    ("getpass", "getuser"), ("tempfile", "gettempdir"), ("socket", "gethostname"), ("_socket", "gethostname"),
    ("vitrify.compat.engine", "get_flags"),
})  # fmt: skip
_LEVELS_ASKED = frozenset({"isEnabledFor", "getEffectiveLevel", "hasHandlers"})
_PATHS_ASKED = frozenset({"exists", "is_file", "is_dir", "is_symlink", "resolve", "absolute", "expanduser"})
_PATHS_REFUSED = frozenset({
    "read_text", "read_bytes", "open", "iterdir", "glob", "rglob", "write_text", "write_bytes", "mkdir", "unlink",
    "touch", "stat", "rename", "replace", "rmdir",
})  # fmt: skip
_ENVIRON = type(os.environ)
# what takes items of iterators: functions, methods of containers, methods of the iterators themselves
_TAKING = {
    next, list, tuple, set, frozenset, dict, bytes, bytearray, sorted, sum, min, max, any, all, enumerate, zip, map,
    filter, reduce, math.prod, math.fsum, collections.deque, collections.Counter, collections.OrderedDict,
    operator.contains, operator.countOf, operator.indexOf, dict.fromkeys, np.fromiter,
}  # fmt: skip
_CONTAINERS = (list, set, frozenset, dict, collections.deque, str, bytes, bytearray)
_TAKING_METHODS = frozenset({
    "extend", "extendleft", "join", "update", "union", "intersection", "difference", "symmetric_difference",
    "intersection_update", "difference_update", "symmetric_difference_update", "issubset", "issuperset", "isdisjoint",
    "__contains__",
})  # fmt: skip
MOVING_METHODS = frozenset({"__next__", "send", "throw", "close", "__setstate__"})
_SETTING = frozenset({"__setitem__", "__delitem__", "pop", "popitem", "clear", "update", "setdefault"})


def refuse_frozen(tracer: Tracer, fn: Any, args: tuple[Any, ...]) -> None:
    """Random numbers, clocks and files would be read once, while capturing; so would texts of code be run."""
    if fn is exec or fn is eval:
        raise CaptureError(
            f"{fn.__name__}() inside a captured function: what it does can't become part of the program",
            loc=caller_loc(),
            remedy="write the code out, or call it outside of the compiled function",
        )
    owner = getattr(fn, "__self__", None)
    if isinstance(owner, random.Random) or type(owner).__module__.startswith("numpy.random") or _is_among(fn, _DRAWS):
        _refuse_draw(f"{getattr(fn, '__qualname__', fn)}()")
    is_date = isinstance(owner, type) and issubclass(owner, datetime.date)
    if (is_date and fn.__name__ in ("now", "utcnow", "today")) or _is_among(fn, _CLOCKS):
        raise CaptureError(
            f"{fn.__qualname__}() would look at the clock once, while the function is captured, and never again",
            loc=caller_loc(),
            remedy="take the time around the call of the compiled function, or pass it as an argument",
        )
    if (
        _is_among(fn, _OUTSIDE)
        or _full_name(fn) in _OUTSIDE_NAMES
        or _name_is(fn, owner, pathlib.PurePath, _PATHS_REFUSED)
    ):
        _refuse_outside(fn)
    if _name_is(fn, owner, _ENVIRON, _SETTING) or (owner is not None and owner is sys.stdin):
        _refuse_outside(fn)
    if isinstance(owner, set) and fn.__name__ == "pop" and len(owner) > 1:
        _refuse_any_member(tracer, owner)


def _refuse_draw(what: str, otherwise: str = "pass the numbers as an argument") -> NoReturn:
    raise CaptureError(
        f"{what} would draw once, while the function is captured, and never again",
        loc=caller_loc(),
        remedy=f"draw with vitrify (vt.rand, vt.randint, ...), or {otherwise}",
    )


def _watch_draws(source: Any) -> None:
    """Code of this package's own draws from there: samplers, random transforms."""
    around: Any = trace_around() or innermost(current())
    if not around.is_trace or around.is_static:
        return
    name = source if isinstance(source, str) else getattr(source, "__name__", "a generator of random numbers")
    _refuse_draw(name, "do this outside of the compiled function, and pass what it gives as an argument")


watchers.append(_watch_draws)


def _refuse_any_member(tracer: Tracer, members: set[Any]) -> None:
    """`pop()` takes any member: which one follows from all that was done to the set before."""
    if id(members) in tracer.standard.refilled or id(members) in tracer.objects.kept:
        is_known = id(members) not in tracer.standard.refilled
        raise CaptureError(
            "pop() of a set takes any member, and which one isn't known "
            + ("of a set from outside" if is_known else "where a condition or loop of the program has changed the set"),
            loc=caller_loc(),
            remedy="take a certain one, as `min(members)`, and discard() it; or keep a list",
        )


def takes_items(fn: Any) -> bool:
    """Whether a function or method takes items of the iterators among its arguments."""
    owner = getattr(fn, "__self__", None)
    is_of_container = isinstance(owner, _CONTAINERS) and fn.__name__ in _TAKING_METHODS
    return is_of_container or _is_among(fn, _TAKING) or getattr(fn, "__module__", None) == "itertools"


def _refuse_outside(fn: Any) -> NoReturn:
    raise CaptureError(
        f"{fn.__name__}() would be called once, while the function is captured, and never again",
        loc=caller_loc(),
        remedy="read and write around the call of the compiled function, or put it into a PyLayer",
    )


def is_asked(fn: Any) -> bool:
    """Whether what a function gives is guarded by calling it again."""
    owner = getattr(fn, "__self__", None)
    return (
        _is_among(fn, _ASKED)
        or _full_name(fn) in _ASKED_NAMES
        or isinstance(fn, weakref.ref)
        or (isinstance(owner, contextvars.ContextVar) and fn.__name__ == "get")
        or _name_is(fn, owner, pathlib.PurePath, _PATHS_ASKED)
        or _name_is(fn, owner, logging.Logger, _LEVELS_ASKED)
        or (owner is not None and isinstance(owner, type) and issubclass(owner, pathlib.PurePath))
    )


def asked(tracer: Tracer, fn: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """`fn(*args, **kwargs)`, which becomes an assumption of the program."""
    if not any(isinstance(a, Tensor) for a in (*args, *kwargs.values())):
        question = Question(fn, args, kwargs)
        tracer.reads.append((question, question()))
    found = fn(*args, **kwargs)
    if isinstance(fn, weakref.ref):
        tracer.objects.add([found])
    return found


def of_decimals(fn: Any) -> Question | None:
    """A question about the context, where a call makes or computes with decimal numbers; None for other calls."""
    owner = getattr(fn, "__self__", fn)
    module = (owner if isinstance(owner, type) else type(owner)).__module__
    if module != "decimal" and getattr(fn, "__module__", None) not in ("decimal", "_decimal"):
        return None
    return Question(_decimal_context, (), {})


def _decimal_context() -> str:
    now: Any = sys.modules["decimal"].getcontext()
    raising = sorted(kind.__name__ for kind, is_set in now.traps.items() if is_set)
    return repr((now.prec, now.rounding, now.Emin, now.Emax, now.capitals, now.clamp, raising))


def is_environment(value: object) -> bool:
    """Whether a value is `os.environ` or `os.environb`."""
    return issubclass(type(value), _ENVIRON)  # not isinstance: that asks the value for its class


def same_environment(environ: Any, known: dict[Any, Any]) -> bool:
    """Whether the variables of the environment are those that a trace found."""
    return bool(environ._data == known)


def _full_name(fn: Any) -> tuple[Any, Any]:
    return getattr(fn, "__module__", None), getattr(fn, "__name__", None)


def _name_is(fn: Any, owner: Any, kind: type, names: Container[str]) -> bool:
    return isinstance(owner, kind) and getattr(fn, "__name__", "") in names


def _is_among(fn: Any, functions: Container[Any]) -> bool:
    try:
        return fn in functions
    except TypeError:  # not hashable
        return False
