"""Marks on functions: which code has one."""

from __future__ import annotations

import contextlib
import functools
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from types import CodeType
from typing import Any

import pytest

from vitrify.base.frame_marks import (
    Mark,
    PackageMark,
    acts_for_caller,
    asks_for_caller,
    fails_for_caller,
    takes_tensors,
)

mark = Mark()


def unmarked() -> Any:
    """A function that a marked class holds, and whose decorator others share."""


def wrapped(fn: Callable[..., Any]) -> Callable[..., Any]:
    """A decorator whose wrapper has no mark of its own."""

    @functools.wraps(fn)
    def wrapper(*args: Any) -> Any:
        return fn(*args)

    return wrapper


@mark
def outer() -> Any:
    """A marked function with others inside."""

    class Inner:
        def method(self) -> Any:
            return (x for x in (1, 2))

    def inner() -> Iterator[Any]:
        yield lambda: 1

    return inner, Inner


@dataclass(frozen=True)
@mark
class Marked:
    """A marked class with methods of each kind."""

    number: int = 0
    elsewhere = staticmethod(unmarked)
    kind = Mark

    def method(self) -> Any:
        """A method."""
        return lambda: self.number

    @property
    def value(self) -> int:
        """A property with a setter."""
        return self.number

    @value.setter
    def value(self, value: int) -> None:
        raise AttributeError(value)

    @functools.cached_property
    def cached(self) -> int:
        """A cached property."""
        return 1

    @staticmethod
    def static() -> int:
        """A static method."""
        return 1

    @classmethod
    def of_class(cls) -> int:
        """A class method."""
        return 1

    alias = method


@mark
@contextlib.contextmanager
def manager() -> Iterator[None]:
    """A marked context manager."""
    yield


@mark
@wrapped
def decorated() -> None:
    """A marked function with a decorator."""


def code(thing: Any) -> CodeType:
    """The code of a function."""
    found: CodeType = thing.__code__
    return found


def test_what_is_defined_inside_a_marked_function_is_marked() -> None:
    inner, kind = outer()
    assert all(code(fn) in mark for fn in (outer, inner, kind.method, *inner()))
    assert code(unmarked) not in mark


def test_all_methods_of_a_marked_class_are_marked() -> None:
    prop: Any = vars(Marked)["value"]
    cached: Any = vars(Marked)["cached"]
    methods = [Marked.method, Marked.alias, Marked.static, Marked.of_class, prop.fget, prop.fset, cached.func]
    assert all(code(fn) in mark for fn in (*methods, Marked().method()))


def test_what_a_marked_class_merely_holds_is_not() -> None:
    assert code(Marked.elsewhere) not in mark
    assert code(Mark.__call__) not in mark
    assert code(Marked.__init__) not in mark, "generated, and not written in the class"


def test_a_decorator_of_a_marked_function_is_not_marked() -> None:
    assert code(inner_of(manager)) in mark and code(inner_of(decorated)) in mark
    assert code(manager) not in mark and code(decorated) not in mark


def inner_of(fn: Any) -> Any:
    """What a decorator wraps."""
    return fn.__wrapped__


def test_equal_code_is_not_marked() -> None:
    copied = outer.__code__.replace()
    assert copied == outer.__code__ and copied not in mark


def test_a_mark_is_for_functions_and_classes() -> None:
    with pytest.raises(TypeError, match="a mark is for functions and classes, not for 3"):
        Mark()(3)


def test_what_acts_for_its_caller_asks_and_fails_for_it() -> None:
    def fn() -> None:
        pass

    assert acts_for_caller(fn) is fn
    assert fn.__code__ in asks_for_caller and fn.__code__ in fails_for_caller


def test_packages_mark_themselves() -> None:
    packages = PackageMark()
    packages("a.b")
    inside, beside = (eval("sys._getframe()", {"sys": sys, "__name__": name}) for name in ("a.b.c.d", "a.bc"))
    assert inside in packages and beside not in packages
    assert inside not in PackageMark()
    assert takes_tensors.packages == ("vitrify.ops.", "vitrify.dygraph.nn.")
