"""Functions that not the user's converted code calls: decorated ones, `__init__`, getters, operators.

A decorator of this package or of the standard library calls the function that it decorates; Python itself calls
`__init__`, a property's getter, `__setattr__`, `__add__`. While a trace runs, each function that it meets has *an
entrance* in place of its code: it has the same signature, and enters the converted form, so that conditions, writes,
prints and refusals are those of any captured function. What can't be converted (there is no source), or is not to be
(`not_to_static`), runs as it is; what it can reach is watched, as it is for converted functions: its writes are part
of the program, and what it reads is guarded. Other threads, and all code after the trace, meet the user's function.
"""

from __future__ import annotations

import builtins
import functools
import inspect
import threading
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from types import CodeType, FunctionType, MethodType, ModuleType
from typing import Any

from ...base.class_marks import own_dict
from ...base.errors import CaptureError
from ...dygraph.tensor import Tensor
from ...ops.dispatch import current, innermost
from ..convert import convert, convert_suspended, is_converted
from ..converters.stdlib.own_methods import is_in_library
from ..switches import is_left_alone
from .reachable import (
    is_from_package,
    is_plain_class,
    loaded_globals,
    names_in,
    plain_forms,
    plain_of,
)

_ASYNC = inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR
_DEEPEST = 8  # wrappers around wrappers
_ENTER = "the function that enters the converted form stands here"
# Python, and this package, call them for reasons of their own, so often that eager code has no order of these calls:
# they run as they are, and what they read is guarded once they are called.
WATCHED = frozenset({"__hash__", "__eq__", "__ne__", "__repr__", "__str__", "__format__"})
NEVER_ENTERED = frozenset({
    "__getattribute__", "__del__", "__init_subclass__", "__set_name__", "__instancecheck__", "__subclasscheck__",
    "__subclasshook__", "__reduce__", "__reduce_ex__", "__getstate__", "__setstate__", "__sizeof__", "__dir__",
    "__prepare__",
})  # fmt: skip
_OUTSIDE = frozenset({"random", "secrets", "time", "datetime", "uuid", "logging", "warnings", "numpy.random"})
_LEAVES = (bool, int, float, complex, str, bytes, type(None), Tensor, ModuleType)

_lock = threading.Lock()


@dataclass(slots=True)
class _Entrance:
    """A function of the user's whose code is another while traces run."""

    fn: FunctionType
    code: CodeType  # its own
    plain: FunctionType  # the same function with its own code
    is_method: bool
    holders: int = 0  # traces

    def enter(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """A call by something other than converted code."""
        tracer: Any = innermost(current())
        if not getattr(tracer, "is_trace", False):
            return self.plain(*args, **kwargs)
        if self.fn.__name__ == "__getattr__" and str(args[-1]).startswith("__"):
            return self.plain(*args, **kwargs)  # this package asks for marks of its own
        entrances: Entrances = tracer.entrances
        if self.fn.__name__ in WATCHED:
            entrances.watch(self.fn)
            return self.plain(*args, **kwargs)
        if self.is_method and args:
            entrances.know_owner(self.fn, args[0])
        if self.code.co_flags & inspect.CO_GENERATOR and entrances.is_converted(self.fn):
            return entrances.call(self.fn, *args, **kwargs).pull()
        if entrances.is_converted(self.fn):
            return entrances.call(self.fn, *args, **kwargs)
        entrances.watch(self.fn)
        return entrances.plainly(self, args, kwargs)


_held: dict[int, _Entrance] = {}  # by the identity of the function


class Entrances:
    """Those of one trace."""

    def __init__(self, tracer: Any) -> None:
        self.tracer = tracer
        self.own: dict[int, FunctionType] = {}  # functions that this trace has met
        self.met: dict[int, Any] = {}
        self.forced: tuple[FunctionType, ...] = ()  # an earlier attempt ended in them
        self.convertible: dict[int, tuple[CodeType, bool]] = {}  # by the identities of codes
        self.unconverted = 0  # how many functions that run as they are stand around
        self.is_open = False

    def __enter__(self) -> Entrances:
        self.is_open = True
        for fn in self.forced:
            self._arm(fn, is_method=False)
        return self

    def __exit__(self, *_: object) -> None:
        self.is_open = False
        with _lock:
            for fn in self.own.values():
                entrance = _held[id(fn)]
                entrance.holders -= 1
                if not entrance.holders:
                    fn.__code__ = entrance.code
                    del _held[id(fn)], plain_forms[id(fn)]
        self.own = {}
        self.met = {}

    # ---- what is met

    def meet(self, values: Iterable[Any], depth: int = 0) -> None:
        """Functions, classes and objects that code outside of the trace may call."""
        if self.is_open and depth < _DEEPEST:
            for value in values:
                if not isinstance(value, _LEAVES):
                    self._meet(value, depth)

    def _meet(self, value: Any, depth: int) -> None:
        if isinstance(value, MethodType):
            self.meet((value.__func__, value.__self__), depth + 1)
        elif isinstance(value, functools.partial):
            self.meet((value.func, *value.args, *value.keywords.values()), depth + 1)
        elif isinstance(value, FunctionType):
            self._function(value, depth)
        else:
            kind = value if isinstance(value, type) else type(value)
            if id(kind) not in self.met and is_plain_class(kind):
                self._class(kind, depth)
            if isinstance(value, type) and type(value) is not type:
                self.meet((type(value),), depth + 1)
            elif not isinstance(value, type) and id(value) not in self.met and not is_plain_class(kind):
                self.met[id(value)] = value  # a manager, as a decorator, holds the generator function behind it
                self.meet((own_dict(value) or {}).values(), depth + 1)

    def _function(self, fn: FunctionType, depth: int) -> None:
        if id(fn) in self.met:
            return
        self.met[id(fn)] = fn
        if is_in_library(fn):  # a wrapper
            self.meet(roots_of_closure(fn), depth + 1)
        else:
            self._arm(fn, is_method=False)

    def _class(self, kind: type, depth: int) -> None:
        for base in kind.__mro__:
            if id(base) in self.met:
                continue
            self.met[id(base)] = base
            if is_plain_class(base) and not is_from_package(base):
                for name, member in vars(base).items():
                    for fn in _functions_of(member):
                        if is_in_library(fn):
                            self.meet(roots_of_closure(fn), depth + 1)
                        elif name not in NEVER_ENTERED:
                            self._arm(fn, is_method=not isinstance(member, staticmethod))

    def _arm(self, fn: FunctionType, *, is_method: bool) -> None:
        """Put the entrance in place of the code."""
        with _lock:
            entrance = _held.get(id(fn))
            if entrance is None:
                made = _entrance(fn, is_method)
                if made is None:
                    return
                entrance = _held[id(fn)] = made
                plain_forms[id(fn)] = made.plain
                fn.__code__ = _code(made)
            elif id(fn) in self.own:
                return
            entrance.holders += 1
            self.own[id(fn)] = fn

    # ---- what is called

    def call(self, fn: FunctionType, *args: Any, **kwargs: Any) -> Any:
        """The converted form."""
        return self.tracer.call(fn, *args, **kwargs)

    def know_owner(self, fn: FunctionType, owner: Any) -> None:
        """What a method is called for: an object from outside, or one that the function just makes."""
        objects = self.tracer.objects
        if fn.__name__ in ("__init__", "__post_init__") and not isinstance(owner, type):
            if id(owner) not in objects.kept:
                objects.fresh[id(owner)] = owner
        else:
            objects.add([owner])

    def is_converted(self, fn: FunctionType) -> bool:
        """Whether a function enters its converted form. A marked one, and a generator, which library code asks for
        single values, run as they are, unless that would show, draw or ask the time while capturing only.
        """
        code = plain_of(fn).__code__
        is_generator = bool(code.co_flags & inspect.CO_GENERATOR)
        if (self.unconverted or is_left_alone(fn) or is_generator) and not _asks_and_tells(fn):
            return False
        known = self.convertible.get(id(code))
        if known is None:
            known = self.convertible[id(code)] = code, self._can_convert(fn, is_generator)
        return known[1]

    def _can_convert(self, fn: FunctionType, is_generator: bool) -> bool:
        try:
            convert_suspended(fn, None) if is_generator else convert(fn, None, self.tracer.style)
        except CaptureError:
            return False
        return True

    def watch(self, fn: FunctionType) -> None:
        """What a function that runs as it is can reach is guarded, and its writes are part of the program."""
        if id(fn) not in self.tracer.plain_functions:
            self.tracer.plain_functions[id(fn)] = fn
            self.tracer.objects.reach(fn)

    def plainly(self, entrance: _Entrance, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        """The function as it is; those that a marked one calls are, too."""
        if not is_left_alone(entrance.fn):
            return entrance.plain(*args, **kwargs)
        self.unconverted += 1
        try:
            return entrance.plain(*args, **kwargs)
        finally:
            self.unconverted -= 1


def roots_of_closure(fn: FunctionType) -> Iterator[Any]:
    """What a wrapper holds."""
    for cell in fn.__closure__ or ():
        try:
            yield cell.cell_contents
        except ValueError:  # not bound yet
            continue


def _asks_and_tells(fn: FunctionType) -> bool:
    """Whether a function names what shows something, draws, or asks the time."""
    code = plain_of(fn).__code__
    for name in loaded_globals(code):
        value = fn.__globals__.get(name, getattr(builtins, name, None))
        if isinstance(value, ModuleType):
            found = value.__name__
        elif value is builtins.print or value is builtins.input:
            return True
        else:
            found = getattr(value, "__module__", None) or type(getattr(value, "__self__", value)).__module__
        if found in _OUTSIDE or (found == "numpy" and "random" in names_in(code)):
            return True
    return False


def _functions_of(member: Any) -> Iterator[FunctionType]:
    """The functions behind what a class defines under a name."""
    if isinstance(member, property):
        found = [member.fget, member.fset, member.fdel]
    elif isinstance(member, functools.singledispatchmethod):
        found = [member.func, *member.dispatcher.registry.values()]
    else:  # methods, class methods, and what functools makes of them: cached properties, partial methods
        found = [member, getattr(member, "__func__", None), getattr(member, "func", None)]
    yield from (fn for fn in found if isinstance(fn, FunctionType))


def _entrance(fn: FunctionType, is_method: bool) -> _Entrance | None:
    """None where it has to stay as it is."""
    code = fn.__code__
    if is_converted(fn) or code.co_flags & _ASYNC or is_from_package(fn):
        return None
    if not all(name.isidentifier() for name in (*code.co_varnames, *code.co_freevars)):
        return None  # of code that no source gives: its signature can't be written down
    plain = FunctionType(code, fn.__globals__, fn.__name__, fn.__defaults__, fn.__closure__)
    plain.__kwdefaults__, plain.__qualname__ = fn.__kwdefaults__, fn.__qualname__
    plain.__module__, plain.__doc__, plain.__annotations__ = fn.__module__, fn.__doc__, fn.__annotations__
    plain.__dict__.update(fn.__dict__)
    return _Entrance(fn, code, plain, is_method)


# ---- the code of an entrance

_templates: dict[int, tuple[CodeType, CodeType]] = {}  # by the identity of a code: it, and its entrance's


def _code(entrance: _Entrance) -> CodeType:
    own = entrance.code
    known = _templates.get(id(own))
    if known is None:
        known = _templates[id(own)] = own, _template(own)
    made = known[1]
    return made.replace(co_consts=tuple(entrance.enter if c == _ENTER else c for c in made.co_consts))


def _template(code: CodeType) -> CodeType:
    """Code with the signature and the name of another, which calls a constant. No traceback shows it as the user's."""
    names = code.co_varnames
    positional, keywords = names[: code.co_argcount], names[code.co_argcount :][: code.co_kwonlyargcount]
    rest = list(names[code.co_argcount + code.co_kwonlyargcount :])
    many = rest.pop(0) if code.co_flags & inspect.CO_VARARGS else ""
    named = rest.pop(0) if code.co_flags & inspect.CO_VARKEYWORDS else ""
    cut = code.co_posonlyargcount
    parameters = [*positional[:cut], *(["/"] if cut else []), *positional[cut:]]
    parameters += [f"*{many}"] if many else ["*"] if keywords else []
    parameters += [*keywords, *([f"**{named}"] if named else [])]
    enter = "vt_enter"
    while enter in names or enter in code.co_freevars:
        enter += "_"
    args = ", ".join([*positional, *([f"*{many}"] if many else [])])
    kwargs = ", ".join([*(f"{name!r}: {name}" for name in keywords), *([f"**{named}"] if named else [])])
    given = f"{enter}([{args}], {{{kwargs}}})"
    text = (
        f"def outer({', '.join(code.co_freevars)}):\n"
        f" def function({', '.join(parameters)}):\n"
        f"  {enter} = {_ENTER!r}\n"
        f"  return {f'(yield from {given})' if code.co_flags & inspect.CO_GENERATOR else given}\n"
        + (f"  {', '.join(code.co_freevars)}\n" if code.co_freevars else "")
    )
    scope: Callable[..., Any] = compile(text, __file__, "exec", dont_inherit=True)  # type: ignore[assignment]
    (outer,) = (c for c in scope.co_consts if isinstance(c, CodeType))  # type: ignore[attr-defined]
    (made,) = (c for c in outer.co_consts if isinstance(c, CodeType))
    return made.replace(co_name=code.co_name, co_qualname=code.co_qualname, co_firstlineno=code.co_firstlineno)
