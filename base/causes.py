"""What an exception came from, its `__cause__` and `__context__`: as data of a program, and across the program's edge.

A program's exception is raised when the code around it, converted, has long run. So what it came from is told by links,
and put to the exception before it is raised.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from types import TracebackType
from typing import Any, NoReturn

from .location import is_library_file

Links = tuple[tuple[int, int, bool], ...]  # of each exception: where its cause and context stand (-1: none), suppressed


def is_handled_by_us(trace: TracebackType | None) -> bool:
    """Whether the frame that handles an exception with this traceback is one of this package."""
    return trace is not None and is_library_file(trace.tb_frame.f_code.co_filename)


def context_of(error: BaseException) -> BaseException | None:
    """What the user's code handled when an exception was raised: contexts that this package handled are passed over."""
    context = error.__context__
    while context is not None and is_handled_by_us(context.__traceback__):
        context = context.__context__
    return context


def handled_now() -> BaseException | None:
    """The exception that the user's code is handling."""
    error = sys.exception()
    return context_of(error) if error is not None and is_handled_by_us(error.__traceback__) else error


def chain_of(error: BaseException, outside: BaseException | None = None) -> tuple[list[BaseException], Links]:
    """An exception and those that it came from, and how they are linked; outside: a context that ends the chain."""
    found: list[BaseException] = [error]
    links = []
    for each in found:
        context = context_of(each)
        ends = []
        for other in (each.__cause__, None if context is outside else context):
            if other is not None and not any(other is x for x in found):
                found.append(other)
            ends.append(-1 if other is None else next(k for k, x in enumerate(found) if x is other))
        links.append((ends[0], ends[1], each.__suppress_context__))
    return found, tuple(links)


def link(errors: Sequence[BaseException], links: Links) -> BaseException:
    """Give exceptions their causes and contexts; the first one is returned.

    >>> error = link([ValueError("b"), KeyError("a")], ((1, 1, True), (-1, -1, False)))
    >>> error, error.__cause__
    (ValueError('b'), KeyError('a'))
    """
    for error, (cause, context, suppressed) in zip(errors, links, strict=True):
        error.__cause__ = None if cause < 0 else errors[cause]
        error.__context__ = None if context < 0 else errors[context]
        error.__suppress_context__ = suppressed
    return errors[0]


def made(kind: type[BaseException], args: tuple[Any, ...], attributes: dict[str, Any]) -> BaseException:
    """An exception with these arguments and attributes, whatever its `__init__` takes."""
    error = kind.__new__(kind, *args)
    error.args = args
    vars(error).update(attributes)
    return error


def raise_linked(error: BaseException) -> NoReturn:
    """Raise an exception that has its context, perhaps again: what is handled around ends the chain of contexts."""
    context = error.__context__
    try:
        raise error
    except BaseException:  # broad: it is this very exception
        around = error.__context__
        if context is not None and around is not context:
            last = context
            while last is not around and last.__context__ is not None:
                last = last.__context__
            error.__context__ = context
            if last is not around:
                last.__context__ = around
        raise


def hide_ours(error: BaseException) -> None:
    """Take what this package handled out of an exception's contexts, and theirs."""
    seen: list[BaseException] = []
    each: BaseException | None = error
    while each is not None and not any(each is x for x in seen):
        seen.append(each)
        context = context_of(each)
        if context is not each.__context__:
            each.__context__ = context
        each = context
