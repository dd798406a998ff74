"""Calls: the callee is converted too, or called as it is; built-in functions have a meaning for tensors (builtins.py).

Called as they are: built-ins, NumPy, this package, the standard library, what `not_to_static` or `ignore_module` name,
classes, and generator functions. A layer's `__call__` asks the tracer for the converted `forward` (Tracer.forward_of).
"""

from __future__ import annotations

import functools
import inspect
import random
import sysconfig
import types
from collections.abc import Callable, Iterable
from typing import Any

from ...base.errors import CaptureError
from ...base.location import caller_loc, is_library_file
from ...ops.dims import Dim
from ..convert import convert, is_converted
from ..marks import is_left_alone
from ..numbers import handed_over
from ..reach import roots_of, stored_globals
from ..tracer import Tracer, active
from . import builtin, lists
from .values import Maybe, Poison

_STDLIB = tuple({sysconfig.get_path("stdlib"), sysconfig.get_path("platstdlib")})

_OPEN = frozenset(
    {"__call__", "apply", "pow_", "to_tensor", "where", "where_"}
)  # of this package: they take numbers of a run as they are


def call(runtime: Any, fn: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """`fn(*args, **kwargs)` under the meaning above."""
    tracer = active()
    if tracer is None:
        return fn(*args, **kwargs)
    _refuse_frozen(fn)
    if isinstance(getattr(fn, "__self__", None), (dict, set)) and any(isinstance(a, Dim) for a in args):
        raise CaptureError("a size that changes between calls is looked up in a dict or set", loc=caller_loc())
    if not isinstance(fn, (types.FunctionType, types.MethodType)) or is_library_file(fn.__code__.co_filename):
        _part(args)  # isinstance, type, list.append, ... would take them for values
        _part(kwargs.values())
    listed = lists.handler(fn, args)
    if listed is not None:
        return listed(tracer, *args, **kwargs)
    handled = builtin.handler(fn)
    if handled is not None:
        return handled(tracer, *args, **kwargs)
    if isinstance(fn, functools.partial):
        return call(runtime, fn.func, (*fn.args, *args), {**fn.keywords, **kwargs})
    if isinstance(fn, types.MethodType):
        return _method(runtime, tracer, fn, args, kwargs)
    if isinstance(fn, types.FunctionType):
        return _function(runtime, tracer, fn, args, kwargs, None)
    inlined = getattr(fn, "__vitrify_inline__", None)
    if inlined is not None:
        return call(runtime, inlined, args, kwargs)
    if isinstance(fn, type):
        made = fn(*args, **kwargs)
        if type(made) is fn:
            tracer.objects.fresh[id(made)] = made
        return made
    if isinstance(fn, (types.BuiltinFunctionType, types.BuiltinMethodType)):
        return fn(*args, **kwargs)
    method = getattr(type(fn), "__call__", None)  # noqa: B004 (its function is wanted)
    if isinstance(method, types.FunctionType):
        return _method(runtime, tracer, types.MethodType(method, fn), args, kwargs)
    return fn(*args, **kwargs)


def _refuse_frozen(fn: Any) -> None:
    """Random numbers of Python and NumPy would be drawn once, while capturing."""
    if fn is exec or fn is eval:
        raise CaptureError(
            f"{fn.__name__}() inside a captured function: what it does can't become part of the program",
            loc=caller_loc(),
            remedy="write the code out, or call it outside of the compiled function",
        )
    owner = getattr(fn, "__self__", None)
    if isinstance(owner, random.Random) or type(owner).__module__.startswith("numpy.random"):
        raise CaptureError(
            f"{getattr(fn, '__qualname__', fn)}() would draw once, while the function is captured, and never again",
            loc=caller_loc(),
            remedy="draw with vitrify (vt.rand, vt.randint, ...), or pass the numbers as an argument",
        )


def _method(runtime: Any, tracer: Tracer, fn: types.MethodType, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    function, owner = fn.__func__, fn.__self__
    if not isinstance(function, types.FunctionType):
        return call(runtime, function, (owner, *args), kwargs)
    tracer.objects.add([owner])
    return _function(runtime, tracer, function, (owner, *args), kwargs, owner)


def _function(
    runtime: Any, tracer: Tracer, fn: types.FunctionType, args: tuple[Any, ...], kwargs: dict[str, Any], owner: Any
) -> Any:
    if is_converted(fn):
        return fn(*args, **kwargs)
    inlined = fn.__dict__.get("__vitrify_inline__")
    if inlined is not None:
        bound = inlined if owner is None else types.MethodType(inlined, owner)
        return call(runtime, bound, args if owner is None else args[1:], kwargs)
    if is_exempt(fn):
        if not is_library_file(fn.__code__.co_filename):
            tracer.plain_functions[id(fn)] = fn
        if fn.__name__ not in _OPEN:
            args = tuple([handed_over(tracer, a) for a in args])
            kwargs = {k: handed_over(tracer, a) for k, a in kwargs.items()}
        return fn(*args, **kwargs)
    return settled(converted(runtime, tracer, fn)(*args, **kwargs))


def _part(values: Iterable[Any]) -> None:
    """Variables that are one thing or another part the code that uses them."""
    for value in values:
        if isinstance(value, Poison):
            value.fail()
        if type(value) in (list, tuple):
            _part(value)


def settled(value: Any) -> Any:
    """What a function returned: a value that early returns have put together is bound by now."""
    if isinstance(value, Poison):
        value.fail()
    if isinstance(value, Maybe) and value.name == "return value":
        return settled(value.value)
    return value


def converted(runtime: Any, tracer: Tracer, fn: types.FunctionType) -> Callable[..., Any]:
    """The converted form of a function; the tracer remembers it and the objects that it can reach."""
    known = tracer.functions.get(id(fn))
    if known is None:
        tracer.objects.add([*roots_of([fn]), *(fn.__closure__ or ())])
        tracer.objects.add_globals(fn.__globals__, stored_globals(fn.__code__))
        known = tracer.functions[id(fn)] = convert(fn, runtime)
    return known.function


def is_exempt(fn: types.FunctionType) -> bool:
    """Whether a function is called as it is."""
    if is_left_alone(fn) or inspect.isgeneratorfunction(fn) or inspect.iscoroutinefunction(fn):
        return True
    if is_library_file(fn.__code__.co_filename):
        return True
    file = fn.__code__.co_filename
    return file.startswith(_STDLIB) and "site-packages" not in file
