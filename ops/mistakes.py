"""What functions for users do with errors on their way out: no frames of this package, public names, hints."""

from __future__ import annotations

import functools
import inspect
import sys
from collections.abc import Callable
from types import FunctionType
from typing import Any, TypeVar, cast

from ..base.boundary import shorten
from ..base.errors import MissingError, OperandError, VitrifyError
from ..base.frame_marks import wrapper
from ..base.location import is_library_file
from ..base.misfits import misfit, numbers_of, refuse_texts
from .argument_names import names_of
from .arith import is_value
from .dispatch import current, interpreters

F = TypeVar("F", bound=Callable[..., Any])
_shown: dict[Any, Any] = {}  # function -> what users call
MISTAKES = (VitrifyError, TypeError, AttributeError)  # what calls with wrong arguments end in


def plain(
    error: Exception, name: str, fn: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any], skip: int = 0
) -> Exception | None:
    """The error to raise in place of `error`, which ended `fn(*args, **kwargs)`; None: `error` itself, cut short.

    A call that doesn't fit the signature, and an argument that lacks what tensors have, become errors that name the
    argument. Any other error is a fault of ours, or of the user's own code, and is left as it is.
    skip: parameters at the beginning that users don't give: `self`.
    """
    if type(error) in (AttributeError, MissingError):
        told = _foreign(error, name, fn, args, kwargs)
        if told is not None:
            return told
    if isinstance(error, VitrifyError):
        shorten(error)
        return None
    return misfit(name, fn, args, kwargs, skip) if type(error) is TypeError else None


def _foreign(
    error: Any, name: str, fn: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]
) -> OperandError | None:
    """The error for an argument that isn't a tensor and, or whose dtype, was asked for something that tensors have."""
    given = error.obj if error.obj is not None else getattr(error, "owner", None)
    try:
        bound = inspect.signature(fn).bind(*args, **kwargs)
    except TypeError:
        return None
    if given is None:
        return _of_none(error, name, bound)
    for parameter, value in bound.arguments.items():
        asked = given is not None and (value is given or getattr(value, "dtype", None) is given)
        if asked and not is_value(value):
            return not_a_tensor(name, parameter, value)
    return None


def _of_none(error: Any, name: str, bound: inspect.BoundArguments) -> OperandError | None:
    """The error for a None where a tensor is needed."""
    if "'NoneType' object has no attribute" not in str(error):
        return None
    parameters = bound.signature.parameters
    for parameter, value in bound.arguments.items():
        if value is None and parameters[parameter].default is inspect.Parameter.empty:
            return OperandError(
                f"{name}: {parameter} must be a tensor, not None",
                remedy="look whether the function that made it ends without a `return`",
            )
    return None


def not_a_tensor(name: str, parameter: str, given: Any) -> OperandError:
    """The error for an argument that is no tensor."""
    kind = type(given).__name__
    article = "an" if kind[0].lower() in "aeiou" else "a"
    return OperandError(
        f"{name}: {parameter} must be a tensor, not {article} {kind}", remedy=f"make one of it: to_tensor({parameter})"
    )


@wrapper
def public(fn: F) -> F:
    """`fn` as users call it: errors leave it in plain terms, and its argument `name` is for the variable that it makes
    in a static program. A function that sees to that itself (`planned`) stays.
    """
    if type(fn) is not FunctionType or hasattr(fn, "tells_plainly"):  # ops do, too
        return fn
    if fn in _shown:
        return cast(F, _shown[fn])
    numbers = numbers_of(fn)

    @functools.wraps(fn)
    def call(*args: Any, **kwargs: Any) -> Any:
        try:
            if kwargs and not (names := names_of(fn)).others.isdisjoint(kwargs):
                return names.call(fn.__name__, call, args, kwargs)
            if numbers:
                refuse_texts(fn.__name__, numbers, args, kwargs)
            made = fn(*args, **kwargs)
            return named(made, fn.__name__, args, kwargs) if kwargs or interpreters() else made
        except MISTAKES as error:
            told = plain(error, fn.__name__, fn, args, kwargs)
            if told is None:
                raise
        raise told from None

    call.tells_plainly = True  # type: ignore[attr-defined]
    _shown[fn] = call
    return call  # type: ignore[return-value]


def named(made: Any, function: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """A function's result in a program under the name that a user gave it, or that of the function, unless it is one
    of the arguments.
    """
    if not current().is_static:
        return made
    name = kwargs.get("name")
    listed = (v if isinstance(v, list | tuple) else (v,) for v in (*args, *kwargs.values()))
    given = {id(x) for part in listed for x in part}
    for x in made if isinstance(made, list | tuple) else (made,):
        if id(x) not in given:
            if name is None:
                current().made_by(x, function)
            else:
                current().named(x, name)
    return made


def publish(module: str) -> None:
    """Put the functions of a module's `__all__` in place as users call them."""
    names = vars(sys.modules[module])
    for name in names["__all__"]:
        names[name] = public(names[name])


def of_forward(error: Exception, layer: Any, inputs: tuple[Any, ...], kwargs: dict[str, Any]) -> Exception | None:
    """As `plain`, for a call of a layer. Inside a user's `forward` Python's own words are left as they are."""
    forward, name = layer.forward, type(layer).__name__
    if isinstance(error, VitrifyError) or is_library_file(getattr(_code_of(forward), "co_filename", "")):
        return plain(error, name, forward, inputs, kwargs)
    return misfit(name, forward, inputs, kwargs) if type(error) is TypeError else None


@wrapper
def of_creation(cls: type) -> None:
    """Let wrong arguments of a class of this package be told in plain terms: `Linear(bias=...)`."""
    init: Any = cls.__dict__.get("__init__")
    if type(init) is not FunctionType or not is_library_file(init.__code__.co_filename):
        return

    @functools.wraps(init)
    def create(self: Any, *args: Any, **kwargs: Any) -> None:
        try:
            init(self, *args, **kwargs)
            return
        except MISTAKES as error:
            told = plain(error, cls.__name__, init, (self, *args), kwargs, 1)
            if told is None:
                raise
        raise told from None

    cls.__init__ = create  # type: ignore[misc]


def _code_of(fn: Any) -> Any:
    return getattr(inspect.unwrap(fn) if callable(fn) else fn, "__code__", None)


def rename(fn: Any, name: str) -> None:
    """Give a function, with what it wraps, the name that users know: it stands in Python's messages and tracebacks."""
    while fn is not None:
        if hasattr(fn, "__code__") and fn.__code__.co_name == fn.__name__:
            fn.__code__ = fn.__code__.replace(co_name=name, co_qualname=name)
        fn.__name__ = fn.__qualname__ = name
        fn = getattr(fn, "__wrapped__", None)
