"""Calls of objects that begin in native code, without a frame of Python around them.

A class whose objects are called has `__call__` in Python: a frame, a tuple and a dict are made before it can hand the
call on to native code, a third of a small call's time. Here the place in the class where the interpreter finds what
calls its objects gets machine code in front: it tries the object's native call at once, and goes on to `__call__`
where that gives `miss`. Assigning `__call__` to the class, and deriving from it, put the usual code there again.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from ctypes import addressof
from dataclasses import dataclass
from types import BuiltinFunctionType
from typing import Any, ClassVar

import numpy as np

from ...codegen.target_machine import emit_object
from ...kernel_cache import addresses
from ..virtual_machine import ARRAY_DATA_OFFSET
from .call_words import EntryWord
from .native_call import COUNTS_ARE_WORDS, is_possible, native_method, set_functions, slot_offset

_TP_CALL = 50  # Py_tp_call of PyType_GetSlot


class NativelyCalled:
    """A base of classes whose calls begin in native code, as soon as `call_natively_first` has said so.

    `_first` is an object's native call, or any function instead.
    """

    __slots__ = ("_first", "_known")

    _first: Any
    _known: tuple[Any, ...]  # its first item: `EntryWord`s, the same ones for all objects of a class
    _known_of_class: ClassVar[tuple[Any, ...]]

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        cls._known_of_class = (np.zeros(len(EntryWord), np.int64), list[Any]())

    def __new__(cls, *given: Any, **named: Any) -> Any:
        """An object that machine code may call."""
        made = object.__new__(cls)
        made._known = cls._known_of_class
        return made


def call_natively_first(
    kind: type[NativelyCalled], miss: Any, show: Callable[[Any, tuple[Any, ...], dict[str, Any], BaseException], None]
) -> None:
    """Let calls of a class's objects begin in native code, where that can be.

    miss: what native calls give that aren't made. show: called with an object, its arguments and keywords, and an
    exception that its native call has raised; raises it.
    """
    place = _place_of_call(kind) if is_possible() else None
    owner: Any = kind
    first, known = slot_offset(owner, "_first"), slot_offset(owner, "_known")
    if place is None or first is None or known is None:
        return
    words, kept = kind._known_of_class
    no_keywords = dict[str, Any]()
    kept += no_keywords, miss, show
    words[EntryWord.USUAL], words[EntryWord.MISS] = place.value, id(miss)
    words[EntryWord.FUNCTIONS], words[EntryWord.DEFINITION] = id(BuiltinFunctionType), addressof(native_method())
    words[EntryWord.NO_KEYWORDS], words[EntryWord.SHOW] = id(no_keywords), id(show)
    set_functions(words, EntryWord)
    (place.value,) = addresses([CallEntrySource(first, known)])


@dataclass(frozen=True)
class CallEntrySource:
    """The code with which calls begin, for the cache of object code. first, known: where objects have these."""

    first: int
    known: int
    name: str = "call_entry"
    body: str = f"PyObject *call_entry(PyObject *, PyObject *args, PyObject *kwargs), data at {ARRAY_DATA_OFFSET}"

    @property
    def identity(self) -> str:
        """All that tells this function from others."""
        return f"{self.body}, {len(EntryWord)} words, {self.first}, {self.known}, form 1, {COUNTS_ARE_WORDS}"

    def compile(self, symbol: str) -> bytes:
        """Object code that defines `symbol`."""
        import llvmlite.binding as llvm

        from ...codegen.calls.entry_code import EntryWriter
        from ...codegen.target_machine import run_pipeline

        assert ARRAY_DATA_OFFSET is not None
        writer = EntryWriter(symbol, ARRAY_DATA_OFFSET, COUNTS_ARE_WORDS)
        module = llvm.parse_assembly(writer.text(self.first, self.known))
        run_pipeline(module)
        return emit_object(module)


def _place_of_call(kind: type) -> Any:
    """Where a class keeps what calls its objects; None where that isn't known, or isn't `__call__` in Python."""

    class Probe:
        def __call__(self) -> None:
            """Nothing."""

    get = ctypes.pythonapi.PyType_GetSlot
    get.restype, get.argtypes = ctypes.c_void_p, (ctypes.py_object, ctypes.c_int)
    usual = get(Probe, _TP_CALL)
    meta: Any = type
    words = (ctypes.c_void_p * (meta.__basicsize__ // 8)).from_address(id(Probe))
    places = [k for k, word in enumerate(words) if word == usual]
    if len(places) != 1 or get(kind, _TP_CALL) != usual:
        return None
    return ctypes.c_void_p.from_address(id(kind) + 8 * places[0])
