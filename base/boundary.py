"""Tracebacks of errors that leave this package: the user's lines, without the frames of this package.

VITRIFY_FULL_TRACEBACK=1 keeps all frames.
"""

from __future__ import annotations

import functools
import os
from collections.abc import Callable
from types import FunctionType, TracebackType
from typing import Any, TypeVar

from .causes import is_handled_by_us
from .errors import VitrifyError
from .location import is_foreign, is_library_file
from .misfits import misfit

F = TypeVar("F", bound=Callable[..., Any])
C = TypeVar("C", bound=type)


def keeps_all_frames() -> bool:
    """Whether VITRIFY_FULL_TRACEBACK asks for whole tracebacks."""
    return os.environ.get("VITRIFY_FULL_TRACEBACK", "") not in ("", "0")


def shorten(error: BaseException) -> None:
    """Take the frames of this package from the traceback of an error that was raised on purpose; others are left whole.

    For an `except` clause that ends in a bare `raise`: its own frame goes, too. Errors of libraries that led to it lose
    the frames inside this package; those that it was merely handled beside are not printed.
    """
    if not isinstance(error, VitrifyError) or keeps_all_frames():
        return
    error.__traceback__ = without_ours(error.__traceback__)
    cause, context = error.__cause__, error.__context__
    if cause is not None:
        if _is_ours(cause.__traceback__):
            cause.__traceback__ = None
        return
    while context is not None and (context.__traceback__ is None or is_handled_by_us(context.__traceback__)):
        context = context.__context__
    if context is not error:
        error.__context__, error.__suppress_context__ = context, context is None


def outward(fn: F) -> F:
    """A decorator of functions and methods that users call: errors leave it without frames of this package, and
    arguments that don't fit its signature are a KindError that shows it.
    """
    owner, _, own = fn.__qualname__.rpartition(".")
    is_method = bool(owner) and not owner.endswith("<locals>")
    name = owner if own == "__init__" else fn.__qualname__

    @functools.wraps(fn)
    def call(*args: Any, **kwargs: Any) -> Any:
        try:
            return fn(*args, **kwargs)
        except VitrifyError as error:
            shorten(error)
            raise
        except TypeError:
            told = misfit(name, fn, args, kwargs, int(is_method))
            if told is None:
                raise
        raise told from None

    return call  # type: ignore[return-value]


def created(cls: C) -> C:
    """A decorator of classes that users create: `outward` for their `__init__`. Returns the class."""
    init: Any = vars(cls).get("__init__")
    if type(init) is FunctionType and is_library_file(init.__code__.co_filename):
        cls.__init__ = outward(init)  # type: ignore[misc]
    return cls


def without_ours(trace: TracebackType | None) -> TracebackType | None:
    """The part of a traceback that stands for the user's lines."""
    entries = []
    while trace is not None:
        if not is_library_file(trace.tb_frame.f_code.co_filename):
            entries.append(trace)
        trace = trace.tb_next
    chain: TracebackType | None = None
    for entry in reversed(entries):
        chain = TracebackType(chain, entry.tb_frame, entry.tb_lasti, entry.tb_lineno)
    return chain


def _is_ours(trace: TracebackType | None) -> bool:
    """Whether an error arose and was handled inside this package, perhaps in a library that it called."""
    while trace is not None:
        file = trace.tb_frame.f_code.co_filename
        if not is_library_file(file) and not is_foreign(file):
            return False
        trace = trace.tb_next
    return True


class Created:
    """Base of classes whose subclasses in this package users create: `created`, for each of them."""

    __slots__ = ()

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        created(cls)
