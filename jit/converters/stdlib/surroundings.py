"""What code reads of its surroundings: asked again at each call (a guard), or refused, as it would be read once.

The environment's variables, the working directory, whether a file exists, a context variable: their values are part of
the assumptions of a program. Random numbers, clocks, the contents of files and what other processes give are refused.
Settings of the process may be set for a while only: a piece of a program leaves them as it found them.
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
import warnings
import weakref
from collections.abc import Callable, Container
from functools import lru_cache, reduce
from typing import Any, NoReturn

import numpy as np

from ....base import unique_name
from ....base.causes import handled_now
from ....base.drawing import watchers
from ....base.errors import CaptureError
from ....base.flags import get_default_dtype, set_default_dtype
from ....base.location import caller_loc
from ....dygraph import printing
from ....dygraph.nn.initializer import global_initializers, set_global_initializer
from ....dygraph.tensor import Tensor
from ....ops.dispatch import current, innermost, trace_around
from ....runtime.vm.team import get_num_threads, set_num_threads
from ...call.guards import same
from ...call.recompiles import get_recompile_limit, set_recompile_limit
from ...trace.assumed.questions import Question
from ...trace.state.standard_objects import KNOWN_SETTINGS, Setting
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
    ("vitrify.compat.engine", "get_flags"), ("dataclasses", "fields"),
    ("inspect", "signature"), ("inspect", "getfullargspec"),
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


def _decimal_context() -> dict[str, Any]:
    """What of the context of decimal numbers decides results: not its flags, which computations set."""
    if "decimal" not in sys.modules:
        return {}
    now: Any = sys.modules["decimal"].getcontext()
    names = ("prec", "rounding", "Emin", "Emax", "capitals", "clamp")
    return {name: getattr(now, name) for name in names} | {"traps": dict(now.traps)}


def _put_decimals(facts: dict[str, Any]) -> None:
    now: Any = sys.modules["decimal"].getcontext()
    for name, value in facts.items():
        setattr(now, name, value)


class _Held:
    """What a context variable holds: the same object, or an equal plain value."""

    def __init__(self, variable: contextvars.ContextVar[Any]) -> None:
        self.value = variable.get(None)

    def __eq__(self, other: object) -> bool:
        assert isinstance(other, _Held)
        return self.value is other.value or (type(self.value) in _PLAIN and same(self.value, other.value))

    __hash__ = None  # type: ignore[assignment]


_PLAIN = (bool, int, float, str, bytes, type(None))


@lru_cache(maxsize=256)
def _variable(variable: contextvars.ContextVar[Any]) -> Setting:
    """A context variable as a setting; one that has no value gets None where an error ends a piece of a program."""
    return Setting(
        lambda: _Held(variable), lambda held: variable.set(held.value), f"{variable.name}.reset(token)",
        counts=True, what=f"the context variable {variable.name}",
    )  # fmt: skip


def _warning_filters() -> list[Any]:
    return list(warnings.filters)


def _put_filters(filters: list[Any]) -> None:
    warnings.resetwarnings()  # so that what it knows of earlier ones is forgotten
    warnings.filters[:] = filters  # type: ignore[index]


def _engine_flags() -> dict[str, Any]:
    return dict(sys.modules["vitrify.compat.engine"].all_flags())


def _put_flags(flags: dict[str, Any]) -> None:
    sys.modules["vitrify.compat.engine"].put_flags(flags)


_FILTERS = Setting(_warning_filters, _put_filters, "with warnings.catch_warnings():")
_DECIMALS = Setting(_decimal_context, _put_decimals, "with decimal.localcontext():")
_NAMES = Setting(unique_name.state, unique_name.put_state, "with unique_name.guard():", counts=True)
_SET_BY = {
    set_default_dtype: Setting(get_default_dtype, set_default_dtype),
    set_num_threads: Setting(get_num_threads, set_num_threads),
    set_global_initializer: Setting(global_initializers, lambda both: set_global_initializer(*both)),
    set_recompile_limit: Setting(get_recompile_limit, set_recompile_limit),
    printing.set_printoptions: Setting(printing.get_printoptions, printing.put_printoptions, shows=True),
    unique_name.generate: _NAMES, unique_name.switch: _NAMES,
    np.seterr: Setting(np.geterr, lambda known: np.seterr(**known), "with np.errstate(...):"),
    np.set_printoptions: Setting(
        np.get_printoptions, lambda known: np.set_printoptions(**known), "with np.printoptions(...):", shows=True
    ),
    warnings.simplefilter: _FILTERS, warnings.filterwarnings: _FILTERS, warnings.resetwarnings: _FILTERS,
    sys.setrecursionlimit: Setting(sys.getrecursionlimit, sys.setrecursionlimit),
    sys.setswitchinterval: Setting(sys.getswitchinterval, sys.setswitchinterval),
}  # fmt: skip
# by name, as the modules take time to import, or stand above this one
_SET_BY_NAMES = {
    ("vitrify.compat.engine", "set_flags"): Setting(_engine_flags, _put_flags),
    **{(module, name): _DECIMALS for module in ("decimal", "_decimal") for name in ("getcontext", "setcontext")},
}  # fmt: skip
KNOWN_SETTINGS.extend({*_SET_BY.values(), *_SET_BY_NAMES.values()})


def ask_settings(tracer: Tracer) -> None:
    """The settings that the function sets for a while, or to what they are, become an assumption of the program."""
    for setting in tracer.standard.settings.noted:
        if not setting.counts:
            tracer.ask(setting.read)


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
    if (fn is sys.exc_info or fn is sys.exception) and handled_now() is tracer.standard.handled:
        tracer.reads.append((Question(handled_now, (), {}), tracer.standard.handled))  # what the caller handles
    setting = _SET_BY.get(fn) if _is_among(fn, _SET_BY) else _SET_BY_NAMES.get(_full_name(fn))
    if isinstance(owner, contextvars.ContextVar) and fn.__name__ == "set":
        setting = _variable(owner)
    if setting is not None:
        tracer.standard.settings.note(setting, fn.__name__, caller_loc())
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
        if not _is_own(tracer, fn):
            question = Question(fn, args, kwargs)
            tracer.reads.append((question, question()))
    found = fn(*args, **kwargs)
    if isinstance(fn, weakref.ref):
        tracer.objects.add([found])
    return found


def _is_own(tracer: Tracer, fn: Any) -> bool:
    """Whether what is read of a context variable is what the function has put there."""
    owner = getattr(fn, "__self__", None)
    return isinstance(owner, contextvars.ContextVar) and tracer.standard.settings.is_set(_variable(owner))


def ask_decimals(tracer: Tracer, fn: Any) -> None:
    """Where a call makes or computes with decimal numbers, their context from before the call becomes an assumption."""
    owner = getattr(fn, "__self__", fn)
    module = (owner if isinstance(owner, type) else type(owner)).__module__
    if module == "decimal" or getattr(fn, "__module__", None) in ("decimal", "_decimal"):
        known = tracer.standard.settings.begun[_DECIMALS] or _decimal_context()
        tracer.reads.append((Question(_decimal_context, (), {}), Question(dict, (known,), {})()))


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
