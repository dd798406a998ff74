"""Calls: the callee is converted too, or called as it is; built-in functions have a meaning for tensors (builtins.py).

Called as they are: built-ins, NumPy, this package, the standard library, what `not_to_static` or `ignore_module` name,
classes, and generator functions. A layer's `__call__` asks the tracer for the converted `forward` (Tracer.forward_of).
"""

from __future__ import annotations

import collections
import contextlib
import copy
import dataclasses
import functools
import gc
import inspect
import itertools
import types
import warnings
from collections.abc import Callable, Container, Iterable
from typing import Any

from ...base.class_marks import defines
from ...base.errors import CaptureError, VitrifyError
from ...base.frame_marks import acts_for_caller
from ...base.location import caller_loc, is_library_file
from ...base.pytree import flatten
from ...base.size import is_list
from ...dygraph.given_array import GivenArray
from ...dygraph.nn.layer import Layer
from ...dygraph.number import Number
from ...dygraph.tensor import Tensor
from ...dygraph.view_functions import VIEWING
from ...ir.core import Value
from ...ops.dims import Dim
from ...ops.dispatch import bottom, using
from ...ops.op import FUNCTIONS, Op
from ..convert import convert, is_converted
from ..switches import is_left_alone
from ..trace.arrays.traced_arrays import unhidden
from ..trace.assumed.questions import Question
from ..trace.reachable import BUILTIN_METHODS, bound_parts, file_of, is_compiled, is_plain_class, roots_of
from ..trace.state.dynamic_lists import is_run_time_sized
from ..trace.state.escapes import with_origins
from ..trace.state.outside_iterators import Stepped
from ..trace.state.rollback import ATOMS, Objects
from ..trace.state.traced_numbers import as_python, handed_over
from ..trace.tracer import Tracer, active
from .debugger import stop_for_debugger
from .generators import Emit, Generated
from .logical import tells_equal
from .recursion import run_function
from .regions.markers import Maybe, Poison, Undefined
from .stdlib import builtin, dict_keys, mathematics, outside_objects, side_effects
from .stdlib.adaptors import COMPARING, DECIDING, OVER_ITERATIONS, OVER_RUN_TIME_LISTS, PLACED, SHORT_CUTS, SORTED
from .stdlib.iterations import Iterations
from .stdlib.iterators import (
    ITERATING,
    asks_once,
    entering,
    generator,
    iterated,
    iterates,
    next_of,
    over_generators,
    stepped,
)
from .stdlib.object_copies import copied_layer
from .stdlib.own_methods import is_in_library, is_made_by_library, own_method, wraps_users
from .stdlib.run_lists import lists
from .stdlib.run_lists.list_lengths import is_place_of_run, spread
from .stdlib.strings import attributes_in, in_template, run_time_string
from .stdlib.surroundings import ask_decimals, asked, is_asked, refuse_frozen
from .variables import RETURN_VALUE

__all__ = ["call", "converted", "is_foreign", "mathematics", "resolved"]  # mathematics fills the table of built-ins
# they call a function that they are given, at this place or by this name: each of its calls is one of captured code
_CALLING: dict[Any, tuple[int | None, str]] = {
    map: (0, ""), filter: (0, ""), functools.reduce: (0, "function"), sorted: (None, "key"), max: (None, "key"),
    min: (None, "key"), itertools.accumulate: (1, "func"), itertools.filterfalse: (0, ""),
    itertools.takewhile: (0, ""), itertools.dropwhile: (0, ""), itertools.starmap: (0, ""),
    itertools.groupby: (1, "key"),
}  # fmt: skip
_TELLING = ("copy", "functools", "inspect", "typing")  # modules that look at functions, without calls of them
_ASYNC = inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR

_OPEN = frozenset(
    {"__call__", "apply", "pow", "to_tensor", "where", "where_", "clip_", "clip"}
    | {"maximum", "minimum", "fmax", "fmin", "remainder", "scale", "nan_to_num"}
    | {"is_tensor", "step", "set_lr", "assign", "normal", "full"}
    | {"alpha_dropout", "dropout", "dropout2d", "dropout3d", "feature_alpha_dropout"}
)  # of this package: they take numbers of a run as they are
# what is put into them is looked at as a result or as state; functions of modules compute
_FOLLOWED = (
    list, tuple, dict, set, frozenset, collections.deque, str, bytes, types.ModuleType, type, Tensor, type(None),
)  # fmt: skip
_COPIES = (copy.copy, copy.deepcopy)
# what a context manager makes of a function that it decorates
_MANAGED = contextlib.ContextDecorator()(len).__code__


@acts_for_caller
def call(runtime: Any, fn: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """`fn(*args, **kwargs)` under the meaning above."""
    tracer = active()
    if tracer is None:
        return fn(*args, **kwargs)
    fn, is_done, gave = _before(tracer, fn, args, kwargs)
    if is_done:
        return gave
    fn, args = entering(tracer, fn, args)
    if isinstance(fn, types.MethodType) and isinstance(fn.__func__, functools._lru_cache_wrapper):
        return call(runtime, fn.__func__, (fn.__self__, *args), kwargs)
    if not isinstance(fn, (types.FunctionType, types.MethodType)) or is_library_file(file_of(fn)):
        _diverge(args)  # isinstance, type, list.append, ... would take them for values
        _diverge(kwargs.values())
    if type(fn) is Emit:
        return fn(*args)
    if tracer.grew:
        args = spread(tracer, args)
    method = own_method(fn, args[0]) if args else None
    if method is not None:
        made = call(runtime, method, args[1:], kwargs)
        return call(runtime, bool, (made,), {}) if fn is bool and type(made) is not bool else made  # of a length
    if (fn is next or fn is iter) and args and (isinstance(args[0], Stepped) or asks_once(args[0])):
        return resolved(next_of(runtime, *args)) if fn is next else args[0]
    if _is_among(fn, ITERATING) and not (len(args) > 1 and (fn is min or fn is max)):  # which compare several values
        args = tuple([iterated(tracer, a) if iterates(fn, k, a) else a for k, a in enumerate(args)])
    if _is_among(fn, DECIDING) or fn is zip or any(type(a) is Generated for a in args):
        if _is_among(fn, SHORT_CUTS):
            return resolved(convert(SHORT_CUTS[fn], runtime).function(*args, **kwargs))
        lazy, args = over_generators(runtime, tracer, fn, args, kwargs)
        if lazy is not None:
            return lazy
    if args and (_is_over_iterations(fn, args[0]) or lists.takes_rows(fn, args[0])):
        return _over_iterations(runtime, fn, args, kwargs)
    if _is_among(fn, OVER_RUN_TIME_LISTS) and args and is_run_time_sized(args[0]):
        return resolved(convert(OVER_RUN_TIME_LISTS[fn], runtime).function(*args, **kwargs))
    owner = getattr(fn, "__self__", None)
    if is_list(owner) and fn.__name__ == "sort" and not is_run_time_sized(owner):
        owner[:] = call(runtime, sorted, (owner,), kwargs)
        return None
    of_list = _of_list(tracer, fn, owner, args)
    if of_list is not None:
        return resolved(convert(of_list, runtime).function(owner, *args, **kwargs))
    listed = lists.handler(tracer, fn, args)
    if listed is not None:
        return listed(tracer, *args, **kwargs)
    if not isinstance(fn, (types.FunctionType, types.MethodType, functools.partial)) and not _runs_python(fn):
        lists.follow(tracer, fn, args, kwargs)
    if _is_among(fn, _CALLING) or (fn is iter and len(args) == 2):
        place, name = _CALLING.get(fn, (0, ""))
        args = tuple([_to_be_called(runtime, a) if k == place else a for k, a in enumerate(args)])
        kwargs = {k: _to_be_called(runtime, a) if k == name else a for k, a in kwargs.items()}
    args = _as_tensors(fn, args)
    handled = builtin.handler(fn) or side_effects.handler(fn)
    if handled is not None:
        return stepped(tracer, fn, args, handled(tracer, *args, **kwargs))
    wrapped = _standard_wrapper(runtime, tracer, fn, args, kwargs) or _searching(runtime, tracer, fn, args, kwargs)
    if wrapped is not None:
        return wrapped()
    return stepped(tracer, fn, args, _by_kind(runtime, tracer, fn, args, kwargs))


def _of_list(tracer: Tracer, fn: Any, owner: Any, args: tuple[Any, ...]) -> Any:
    """What stands for a method of a list of known length, where only a run knows which elements it is about."""
    if not isinstance(fn, types.BuiltinMethodType) or not isinstance(owner, (list, tuple)) or is_run_time_sized(owner):
        return None
    if fn.__name__ in PLACED and args and is_place_of_run(tracer, owner, args[0]):
        return PLACED[fn.__name__]
    return COMPARING[fn.__name__] if fn.__name__ in COMPARING and _is_told_late((list(owner), args)) else None


def _is_over_iterations(fn: Any, x: Any) -> bool:
    return isinstance(x, Iterations) and _is_among(fn, OVER_ITERATIONS)


@acts_for_caller
def _over_iterations(runtime: Any, fn: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """A function of a range, or of rows, whose number only a run knows: of the list of these."""
    made = resolved(convert(OVER_ITERATIONS[list], runtime).function(args[0]))
    return made if fn is list else call(runtime, fn, (made, *args[1:]), kwargs)


@acts_for_caller
def _before(tracer: Tracer, fn: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> tuple[Any, bool, Any]:
    """(the function, whether the call is done, what it gave): calls about what is outside of a program."""
    fn, is_done, gave = outside_objects.called(tracer, fn, args, kwargs)
    if is_done:
        return fn, True, gave
    if fn is copy.deepcopy and args and isinstance(args[0], Layer):
        return fn, True, copied_layer(tracer, *args, **kwargs)
    stop_for_debugger(fn)
    refuse_frozen(tracer, fn, args)
    if isinstance(getattr(fn, "__self__", None), str) and fn.__name__ in ("format", "format_map"):
        tracer.objects.named |= attributes_in(fn.__self__)
    if fn is dataclasses.asdict or fn is dataclasses.astuple:
        kinds = {kind for k in tracer.objects.kept.values() if defines(kind := type(k.owner), "__dataclass_fields__")}
        tracer.objects.named |= {f.name for kind in kinds for f in dataclasses.fields(kind)}
    ask_decimals(tracer, fn)
    return (fn, True, asked(tracer, fn, *args, **kwargs)) if is_asked(fn) else (fn, False, None)


def _as_tensors(fn: Any, args: tuple[Any, ...]) -> tuple[Any, ...]:
    """The arguments of a function of this package, which gives tensors where it is given arrays."""
    known = isinstance(fn, types.FunctionType) and fn in (FUNCTIONS.get(fn.__name__), VIEWING.get(fn.__name__))
    if not isinstance(fn, Op) and not known:
        return args
    return tuple([a.detach() if isinstance(a, GivenArray) else a for a in args])


@acts_for_caller
def _by_kind(runtime: Any, tracer: Tracer, fn: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """A call that is none of the special ones: by what `fn` is to Python."""
    if isinstance(fn, functools.partial):
        return call(runtime, fn.func, (*fn.args, *args), {**fn.keywords, **kwargs})
    if isinstance(fn, types.MethodType):
        return _method(runtime, tracer, fn, args, kwargs)
    if isinstance(fn, types.FunctionType):
        return _function(runtime, tracer, fn, args, kwargs, None)
    if is_compiled(fn):
        return call(runtime, fn.__vitrify_inline__, args, kwargs)
    if isinstance(fn, type):
        tracer.entrances.meet((fn, *args, *kwargs.values()))
        made = fn(*args, **kwargs) if is_plain_class(fn) else _natively(tracer, fn, args, kwargs)
        if type(made) is fn:
            tracer.objects.fresh[id(made)] = made
        outside_objects.made_inside(tracer, made, args, kwargs)
        return made
    tracer.entrances.meet((fn, *args, *kwargs.values()))
    if isinstance(fn, (types.BuiltinFunctionType, types.BuiltinMethodType)):
        if not isinstance(getattr(fn, "__self__", None), _FOLLOWED):  # it may keep what it gets, out of any sight
            args = tuple([_known(a) for a in args])
        if isinstance(getattr(fn, "__self__", None), str) and fn.__name__ == "format":
            args = tuple([in_template(tracer, a) for a in args])
            kwargs = {k: in_template(tracer, a) for k, a in kwargs.items()}
        made = _natively(tracer, fn, args, kwargs)
        outside_objects.made_inside(tracer, made, args, kwargs)
        return run_time_string(made) if isinstance(getattr(fn, "__self__", None), str) else made
    call_of = getattr(type(fn), "__call__", None)  # noqa: B004 (its function is wanted)
    if isinstance(call_of, types.FunctionType):
        return _method(runtime, tracer, types.MethodType(call_of, fn), args, kwargs)
    return _natively(tracer, fn, args, kwargs)


@acts_for_caller
def _natively(tracer: Tracer, fn: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """A call of code that isn't captured. Where it fails with numbers that only a run knows, that isn't an error of the
    program's, which its `except` would catch.
    """
    try:
        return unhidden(tracer, fn, *args, **kwargs)
    except (TypeError, ValueError, AttributeError, OverflowError) as error:
        numbers = flatten((args, kwargs), _is_of_run)[0]
        if not numbers or isinstance(error, VitrifyError) or getattr(fn, "__module__", "") == "_operator":
            raise
        name = getattr(fn, "__qualname__", type(fn).__name__)
        message = f"{name}() isn't captured, and gets a number that only a run of the program knows"
        remedy = "compute with operations, or call it in a py_func or a PyLayer"
        raise with_origins(tracer, CaptureError(message, loc=caller_loc(), remedy=remedy), numbers) from error


def _is_of_run(x: object) -> bool:
    """Whether it is a number or a range that only a run knows."""
    return isinstance(x, (Dim, Iterations)) or (type(x) is Number and isinstance(x._storage.payload, Value))


def _known(x: Any) -> Any:
    """A number or size as Python's own, bound."""
    return int(x) if isinstance(x, Dim) else as_python(x)


def _is_among(fn: Any, functions: Container[Any]) -> bool:
    try:
        return fn in functions
    except TypeError:  # not hashable
        return False


@acts_for_caller
def _to_be_called(runtime: Any, value: Any) -> Any:
    """A function, as one that code which isn't captured calls: each call is as if captured code made it."""
    if not callable(value):
        return value

    def called(*args: Any, **kwargs: Any) -> Any:
        return call(runtime, value, args, kwargs)

    return functools.update_wrapper(called, value, updated=())


def _acts(value: Any) -> bool:
    """Whether a call of a built-in function isn't only what Python makes of it: it shows or changes something."""
    if isinstance(value, functools.partial):
        return _acts(value.func)
    if isinstance(value, (types.FunctionType, type)):
        return value is warnings.warn
    return side_effects.handler(value) is not None or (isinstance(value, BUILTIN_METHODS) and bool(bound_parts(value)))


def _given(runtime: Any, fn: types.FunctionType, value: Any) -> Any:
    """An argument of a function that runs as it is: what acts is captured where a function of Python's calls it."""
    is_told = fn.__module__ in _TELLING or is_library_file(file_of(fn)) or not is_in_library(fn)
    return _to_be_called(runtime, value) if not is_told and callable(value) and _acts(value) else value


def _runs_python(fn: Any) -> bool:
    """Whether an object's call is a Python method, which is looked at as such."""
    return not isinstance(fn, type) and isinstance(getattr(type(fn), "__call__", None), types.FunctionType)  # noqa: B004


def _reached(tracer: Tracer, fn: types.FunctionType, owner: Any) -> list[Any]:
    """Lists that a user's function which runs as it is can reach by itself."""
    if not tracer.grew or is_library_file(file_of(fn)):
        return []
    found = Objects([*roots_of([fn]), *([] if owner is None else [owner])])
    return [kept.owner for kept in found.kept.values() if is_run_time_sized(kept.owner)]


def _holds_values(args: Any) -> bool:
    return any(isinstance(x, (Tensor, Dim)) for x in flatten(args, lambda v: isinstance(v, (Tensor, Dim)))[0])


def _is_told_late(values: Any) -> bool:
    """Whether tensors may tell if some values are equal."""
    return _holds_values(values) or any(tells_equal(x) for part in values for x in part)


@acts_for_caller
def _standard_wrapper(
    runtime: Any, tracer: Tracer, fn: Any, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> Callable[[], Any] | None:  # fmt: skip
    """What `functools.lru_cache`, `singledispatch` and decorating context managers wrap, where it is to be converted.

    A cache would keep tensors of the trace, so a call with tensors passes it by. Others run eagerly, and are asked
    again before the program is used again: the cache may be empty by then.
    """
    if isinstance(fn, functools._lru_cache_wrapper):
        args = tuple([x.plain() if _is_of_call(x) else x for x in args])
        kwargs = {name: x.plain() if _is_of_call(x) else x for name, x in kwargs.items()}
        if _holds_values((args, kwargs)):
            return lambda: call(runtime, fn.__wrapped__, args, kwargs)
        return lambda: _cached(tracer, fn, args, kwargs)
    if isinstance(fn, types.FunctionType) and args and file_of(fn) == functools.__file__:
        kind = args[0].kind if type(args[0]) is Number else int if isinstance(args[0], Dim) else type(args[0])
        if hasattr(fn, "registry") and hasattr(fn, "dispatch"):
            chosen = tracer.ask(functools.partial(fn.dispatch, kind))  # others may be registered later
            return lambda: call(runtime, chosen, args, kwargs)
        held = inspect.getclosurevars(fn).nonlocals
        of_method = held.get("dispatch")  # from Python 3.13 on
        if isinstance(held.get("self"), functools.singledispatchmethod):
            of_method = held["self"].dispatcher.dispatch
        if of_method is not None and held.keys() >= {"obj", "cls"}:
            chosen = tracer.ask(functools.partial(of_method, kind))
            return lambda: call(runtime, chosen.__get__(held["obj"], held["cls"]), args, kwargs)
    if isinstance(fn, types.FunctionType) and fn.__code__ is _MANAGED:
        return lambda: convert(fn, runtime).function(*args, **kwargs)
    return None


@acts_for_caller
def _searching(
    runtime: Any, tracer: Tracer, fn: Any, args: tuple[Any, ...], kwargs: dict[str, Any]
) -> Callable[[], Any] | None:  # fmt: skip
    """What looks a number up in a dict, an Enum or a sorted list, where only a run knows the number."""
    owner: Any = getattr(fn, "__self__", None)
    if isinstance(fn, types.BuiltinMethodType) and args:
        args = (dict_keys.as_number(tracer, owner, args[0]), *args[1:]) if isinstance(owner, dict) else args
        dict_keys.identify(tracer, owner, args[0])
    found = dict_keys.search(runtime, tracer, fn, args) if not kwargs else None
    if found is not None:
        return lambda: resolved(found())
    if _is_among(fn, SORTED) and _holds_values((args, kwargs)):
        return lambda: resolved(convert(SORTED[fn], runtime).function(*args, **kwargs))
    return None


def _is_of_call(x: Any) -> bool:
    """Whether it is a number that the call gives, and no computation."""
    return type(x) is Number and x.origin is not None


@acts_for_caller
def _cached(tracer: Tracer, fn: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    missed = fn.cache_info().misses  # type: ignore[attr-defined]
    with using(bottom()):
        found = fn(*args, **kwargs)
    tracer.objects.filled |= fn.cache_info().misses != missed  # type: ignore[attr-defined]
    tracer.objects.add([found])  # others have it, too: what is written to it is written in each call

    def gives_the_same() -> bool:
        if not _may_hold(fn, args, kwargs):
            return False  # the function would run, with all that it does
        now = fn(*args, **kwargs)
        return now is found or (type(now) is type(found) and isinstance(now, ATOMS) and now == found)

    tracer.reads.append((Question(gives_the_same, (), {}), True))
    return found


def _may_hold(fn: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool:
    """Whether a cache may have an answer for these arguments already; it is looked at without a call."""
    parameters, held = fn.cache_parameters(), fn.cache_info().currsize
    tables = [x for x in gc.get_referents(fn) if type(x) is dict and x is not vars(fn)]
    if kwargs or parameters["typed"] or parameters["maxsize"] == 0 or len(tables) != 1:
        return True
    key = args[0] if len(args) == 1 and type(args[0]) in (int, str) else args
    return len(tables[0]) != held or key in tables[0]


@acts_for_caller
def _method(runtime: Any, tracer: Tracer, fn: types.MethodType, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    function, owner = fn.__func__, fn.__self__
    if not isinstance(function, types.FunctionType):
        return call(runtime, function, (owner, *args), kwargs)
    tracer.objects.add([owner])
    return _function(runtime, tracer, function, (owner, *args), kwargs, owner)


@acts_for_caller
def _function(
    runtime: Any, tracer: Tracer, fn: types.FunctionType, args: tuple[Any, ...], kwargs: dict[str, Any], owner: Any
) -> Any:
    if fn.__code__.co_flags & inspect.CO_GENERATOR and not _is_exempt(tracer, fn):
        return generator(runtime, tracer, fn, args, kwargs)
    if is_converted(fn):
        return run_function(tracer, fn, fn, args, kwargs)
    inlined = fn.__dict__.get("__vitrify_inline__")
    if inlined is not None:
        bound = inlined if owner is None else types.MethodType(inlined, owner)
        return call(runtime, bound, args if owner is None else args[1:], kwargs)
    if _is_exempt(tracer, fn):
        tracer.entrances.meet((fn, *args, *kwargs.values()))
        if wraps_users(fn):
            return fn(*args, **kwargs)
        if fn.__name__ != "__call__":  # a layer's, which runs its converted `forward`
            lists.follow(tracer, fn, args, kwargs, _reached(tracer, fn, owner))
        beside = type(owner) is Number or (is_library_file(file_of(fn)) and _has_tensor(args, kwargs))
        if not (beside or fn.__name__ in _OPEN or fn in _COPIES or not is_library_file(file_of(fn))):
            args = tuple([handed_over(tracer, a) for a in args])
            kwargs = {k: handed_over(tracer, a) for k, a in kwargs.items()}
        args = tuple([_given(runtime, fn, a) for a in args])
        kwargs = {k: _given(runtime, fn, a) for k, a in kwargs.items()}
        given = _natively(tracer, fn, args, kwargs) if is_in_library(fn) else fn(*args, **kwargs)
        outside_objects.made_inside(tracer, given, args, kwargs)
        return given
    made = converted(runtime, tracer, fn)

    def run(*args: Any, **kwargs: Any) -> Any:
        tracer.depth += 1
        try:
            returned = made(*args, **kwargs)
            return returned if isinstance(returned, Poison) else resolved(returned)  # a use makes the paths diverge
        finally:
            tracer.depth -= 1

    return run_function(tracer, fn, run, args, kwargs)


def _has_tensor(args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool:
    """Whether numbers of a run stand beside a tensor: operations take them as Python's, with their weak dtype."""
    leaves, _ = flatten((args, kwargs), lambda v: isinstance(v, Tensor))
    return any(isinstance(x, Tensor) and type(x) is not Number for x in leaves)


def _diverge(values: Iterable[Any]) -> None:
    """Variables that are one thing or another make the paths diverge where code uses them."""
    for value in values:
        if isinstance(value, Poison):
            value.fail()
        if type(value) in (list, tuple):
            _diverge(value)


def resolved(value: Any) -> Any:
    """What a function returned: a value that early returns have put together is bound by now."""
    if isinstance(value, Poison):
        value.fail()
    if isinstance(value, Maybe) and value.name == RETURN_VALUE:
        return resolved(value.value)
    return Undefined(RETURN_VALUE) if type(value) is Undefined else value  # a variable of the user's is bound by now


def converted(runtime: Any, tracer: Tracer, fn: types.FunctionType) -> Callable[..., Any]:
    """The converted form of a function; the tracer remembers it and the objects that it can reach."""
    known = tracer.functions.get(id(fn))
    if known is None:
        tracer.objects.reach(fn)
        known = tracer.functions[id(fn)] = convert(fn, runtime, tracer.style)
    return known.function


def is_foreign(fn: types.FunctionType) -> bool:
    """Whether a function can't be captured, or is this package's or the standard library's."""
    return bool(fn.__code__.co_flags & _ASYNC or is_in_library(fn))


def _is_exempt(tracer: Tracer, fn: types.FunctionType) -> bool:
    """Whether a function is called as it is."""
    return is_foreign(fn) or is_made_by_library(fn) or (is_left_alone(fn) and not tracer.entrances.is_converted(fn))
