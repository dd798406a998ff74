"""Marks on functions of this package: what their frames mean to code that looks at the stack, or at a traceback.

A function that does for the user's code what Python does by itself (a call, a comparison, a truth test) stands between
the user's line and what that line asks or raises. Its mark says so, wherever the function is moved. What is defined
inside a marked function has the mark, too; a marked class is one all of whose methods have it.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Iterator
from types import CodeType, FrameType, FunctionType
from typing import Any, TypeVar

T = TypeVar("T")


class Mark:
    """A decorator of functions and classes; `code in mark` says whether the code of a frame has the mark.

    >>> mark = Mark()
    >>> @mark
    ... def outer():
    ...     return lambda: 1
    >>> outer.__code__ in mark, outer().__code__ in mark, (lambda: 1).__code__ in mark
    (True, True, False)
    """

    def __init__(self) -> None:
        self.codes: dict[int, CodeType] = {}  # by identity: the hash of code goes through all of its constants

    def __call__(self, marked: T) -> T:
        self.codes |= {id(code): code for code in _codes_of(marked)}
        return marked

    def __contains__(self, code: CodeType) -> bool:
        return id(code) in self.codes


class PackageMark:
    """A mark of whole packages, each of which gives it to itself: `frame in mark` says whether it runs code of one."""

    def __init__(self) -> None:
        self.packages: tuple[str, ...] = ()

    def __call__(self, package: str) -> None:
        self.packages = (*self.packages, f"{package}.")

    def __contains__(self, frame: FrameType) -> bool:
        return str(frame.f_globals.get("__name__")).startswith(self.packages)


def _codes_of(marked: Any) -> Iterator[CodeType]:
    """The code of a function or of the methods of a class, with that of the functions inside."""
    if isinstance(marked, CodeType):
        yield marked
        for constant in marked.co_consts:
            if isinstance(constant, CodeType):
                yield from _codes_of(constant)
    elif isinstance(marked, FunctionType):  # not the code of a decorator, which other functions share
        yield from _codes_of(inspect.unwrap(marked).__code__)
    elif isinstance(marked, type):
        for fn in _methods_of(marked):
            yield from _codes_of(fn)
    else:
        raise TypeError(f"a mark is for functions and classes, not for {marked!r}")


def _methods_of(cls: type) -> Iterator[FunctionType]:
    """The functions that are written in a class; those from elsewhere that it holds, too, have marks of their own."""
    for member in vars(cls).values():
        if isinstance(member, property):
            found = [member.fget, member.fset, member.fdel]
        elif isinstance(member, functools.cached_property):
            found = [member.func]
        else:
            found = [getattr(member, "__func__", member)]  # of class methods and static ones
        for fn in found:
            if isinstance(fn, FunctionType) and fn.__qualname__.startswith(f"{cls.__qualname__}."):
                yield fn


capture_entry = Mark()  # the user's code is captured inside: frames around it aren't
asks_for_caller = Mark()  # what it asks about sizes and tensors is a question of the code that calls it
fails_for_caller = Mark()  # an error that Python raises in it is one of the code that calls it
raises_for_caller = Mark()  # an error that it raises counts as raised by a statement in the user's line
captured = Mark()  # converted code of functions of this package: it is captured as the user's code is
opaque = Mark()  # what runs inside is no part of the program, nor are the errors there
wrapper = Mark()  # stands around functions for users, in their name
takes_tensors = PackageMark()  # its functions are over tensors: arrays among their arguments are mistakes in programs


def acts_for_caller(marked: T) -> T:
    """A decorator of what asks and fails in the place of its caller: calls, iteration, Python's built-in functions."""
    return asks_for_caller(fails_for_caller(marked))
