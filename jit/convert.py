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
from dataclasses import dataclass
from functools import cached_property
from types import CodeType, FunctionType

from .logs import is_told, tell_of
from .source.loader import bind, class_of, compile_tree, inner_codes, is_block
from .source.names import Names, names_in
from .source.reader import Tree, read
from .transformers import transform


@dataclass(frozen=True)
class Conversion:
    """The converted form of one code object, not yet bound to globals and cells."""

    code: CodeType
    tree: Tree
    rt: str

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
_conversions: dict[tuple[str, CodeType], Conversion] = {}
_converted_codes: dict[int, CodeType] = {}  # by identity: code that needed no change equals its original


def convert(fn: FunctionType, rt: object) -> ConvertedFunction:
    """Convert `fn`; the converted function calls `rt` for control flow, calls and boolean operators.

    `rt` has the methods listed in tests/jit/plain_runtime.py.
    Errors: CaptureError for generators, missing source, and what can't be rewritten.
    """
    key = (fn.__code__.co_filename, fn.__code__)
    conversion = _conversions.get(key)
    if conversion is None:
        conversion = _conversions[key] = _convert(fn)
        if is_told():
            tell_of(fn.__qualname__, conversion.text)
    return ConvertedFunction(fn, bind(conversion.code, fn, conversion.rt, rt), conversion)


def is_converted(fn: FunctionType) -> bool:
    """Whether `fn` is a converted function, or one defined inside a converted function."""
    return id(fn.__code__) in _converted_codes


def _convert(fn: FunctionType) -> Conversion:
    original = fn.__code__
    tree = read(fn)
    names = Names(set(names_in(original)))
    rt = names.plain("vt_rt")
    transform(tree, names, rt=rt, file=original.co_filename, class_name=class_of(original))
    code = compile_tree(tree, original, rt, names.generated)
    _converted_codes.update((id(inner), inner) for inner in inner_codes(code))
    return Conversion(code, tree, rt)


__all__ = ["Conversion", "ConvertedFunction", "convert", "is_block", "is_converted"]
