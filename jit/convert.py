"""A plain Python function -> one whose control flow and calls go through a run-time (jit/converters).

    def f(x):                          def f(x):
        if x > 0:                          y = vt_rt.Undefined("y")
            y = g(x)             ->        def then_1():
        else:                                  nonlocal y
            y = -x                             y = vt_rt.call(g, x)
        return y                           ...
                                           vt_rt.if_else(x > 0, then_1, else_1, get_state_1, set_state_1, …)
                                           return y

Conversions are kept per code object; a conversion bound to a function costs a few microseconds.
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from types import CodeType, FunctionType

import gast

from ..base.frame_marks import captured
from ..base.location import is_library_file
from .code_logs import is_told, tell_of
from .source.loader import bind, class_of, compile_tree, inner_codes, is_block
from .source.names import Names, names_in
from .source.reader import read
from .trace.reachable import plain_of
from .transformers import PLAIN, Form, Style, transform
from .transformers.generator import can_push


@dataclass(frozen=True)
class Conversion:
    """The converted form of one code object, not yet bound to globals and cells."""

    code: CodeType
    tree: ast.FunctionDef | ast.Lambda  # of Python's own nodes
    rt: str
    emit: str = ""  # the name of what the pushed form of a generator calls

    @cached_property
    def text(self) -> str:
        """The converted function as Python text."""
        return ast.unparse(self.tree)


@dataclass(frozen=True)
class ConvertedFunction:
    """A converted function and where it came from."""

    original: FunctionType
    function: FunctionType
    conversion: Conversion

    @property
    def code(self) -> str:
        """The converted function as Python text."""
        return self.conversion.text


# Code objects of the same text compare equal, so the file belongs to the key.
_conversions: dict[tuple[str, CodeType, Form, Style], Conversion | None] = {}
_converted_codes: dict[int, CodeType] = {}  # by identity: code that needed no change equals its original


def convert(fn: FunctionType, rt: object, style: Style = PLAIN) -> ConvertedFunction:
    """Convert `fn`; the converted function calls `rt` for control flow, calls and boolean operators.

    `rt` has the methods listed in tests/jit/plain_runtime.py.
    Errors: CaptureError for generators, missing source, and what can't be rewritten.
    """
    return _bound(fn, _conversion(fn, "plain", style), rt)


def convert_generator(
    fn: FunctionType, rt: object, emit: Callable[[object], object], style: Style = PLAIN
) -> ConvertedFunction | None:
    """A generator function as one that hands each value to `emit`, until that returns false; None where it can't be."""
    conversion = _conversion(fn, "push", style)
    return None if conversion is None else _bound(fn, conversion, rt, emit)


def convert_suspended(fn: FunctionType, rt: object) -> ConvertedFunction:
    """A generator function that stays one: what stands between its `yield`s is converted."""
    return _bound(fn, _conversion(fn, "pull"), rt)


def is_converted(fn: FunctionType) -> bool:
    """Whether `fn` is a converted function, or one defined inside a converted function."""
    return id(fn.__code__) in _converted_codes


def _bound(fn: FunctionType, conversion: Conversion | None, rt: object, emit: object = None) -> ConvertedFunction:
    assert conversion is not None, "only the pushed form may be missing"
    own = {conversion.rt: rt, conversion.emit: emit} if conversion.emit else {conversion.rt: rt}
    return ConvertedFunction(fn, bind(conversion.code, plain_of(fn), own), conversion)


def _conversion(fn: FunctionType, form: Form, style: Style = PLAIN) -> Conversion | None:
    fn = plain_of(fn)
    key = (fn.__code__.co_filename, fn.__code__, form, style)
    if key not in _conversions:
        conversion = _conversions[key] = _convert(fn, form, style)
        if is_told() and conversion is not None:
            tell_of(fn.__qualname__, conversion.text)
    return _conversions[key]


def _convert(fn: FunctionType, form: Form, style: Style) -> Conversion | None:
    original = fn.__code__
    tree = read(fn, generators=form != "plain")
    if form == "push" and not (isinstance(tree, gast.FunctionDef) and can_push(tree)):
        return None
    names = Names(set(names_in(original)))
    rt = names.plain("vt_rt")
    emit = names.plain("vt_emit") if form == "push" else ""
    own = replace(style, tail_calls=style.tail_calls and _names_itself(fn))
    transform(
        tree, names, rt=rt, file=original.co_filename, class_name=class_of(original), form=form, emit=emit, style=own
    )
    code, converted = compile_tree(tree, original, (rt, emit) if emit else (rt,), names.generated)
    _converted_codes.update((id(inner), inner) for inner in inner_codes(code))
    if is_library_file(code.co_filename):
        captured(code)
    return Conversion(code, converted, rt, emit)


def _names_itself(fn: FunctionType) -> bool:
    """Whether its own name, as its code sees it, is this function, or a compiled form of it."""
    known = inspect.getclosurevars(fn)
    found = {**known.globals, **known.nonlocals}.get(fn.__name__)
    return any(plain_of(known) is fn for known in (found, getattr(found, "_function", None)))


__all__ = [
    "PLAIN", "Conversion", "ConvertedFunction", "Style", "convert", "convert_generator", "convert_suspended",
    "is_block", "is_converted",
]  # fmt: skip
