"""A whole call of a small compiled function in native code: its checks, its result's tensor, and the VM between them.

In Python these take six times as long as the run of a small program. The function here is the entry stub's sibling:
one piece of code for all, which finds what it needs in a block of words. Where something isn't as the block says it
gives `miss`, for the same call in Python: another size, another mode, a run that stops half way (the program has no
effect but its result, so that it may run again). It raises nothing. Nobody else uses the program's binding meanwhile:
the GIL is held, or the binding is out of the list of those at hand.
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from types import FunctionType
from typing import Any

import numpy as np

from ..codegen.target_machine import target_machine
from ..kernel_cache import addresses
from . import virtual_machine
from .call_words import ITEMS, SIZE, TYPE, CallWord
from .entry_stub import c_method, new_function, place
from .virtual_machine import ARRAY_DATA_OFFSET, Header

NativeCall = Callable[[tuple[Any, ...], dict[str, Any]], Any]


@dataclass(frozen=True)
class TensorLayout:
    """What native code knows of tensors: the class, the names of its attributes, and the class of the cell."""

    tensor: type
    storage: type
    names: tuple[str, str, str]  # dtype, stop, storage
    payload: str  # the cell's attribute with the array
    fields: tuple[tuple[str, Any], ...]  # the others, with the values that a new cell has


@dataclass(frozen=True)
class CallFacts:
    """One way of calling a program: its arguments, what else must be as it was, and what it makes.

    leaves: class, dtype, stop flag and shape of each argument. words: (object, attribute) pairs of slots and of
    functions' code and defaults that must stay the same objects. variables: context variables that must keep their
    values. free: the list of bindings at hand. miss: the result of calls that aren't made.
    """

    leaves: Sequence[tuple[type, Any, bool, tuple[int, ...]]]
    words: Sequence[tuple[Any, str]]
    variables: Sequence[Any]
    free: list[Any]
    dtype: Any
    miss: Any


def make_native_call(facts: CallFacts, layout: TensorLayout) -> NativeCall | None:
    """A function (arguments, keywords) for one more call like the present one; None where there can't be one."""
    bound = facts.free[-1] if facts.free else None
    if bound is None or bound.made is None or bound.binding.program.state:
        return None
    plain = all(_is_plain(kind, "__getattribute__") for kind, *_ in facts.leaves)
    if not plain or not _is_possible():
        return None
    maker = _array_maker()
    words = [_slot_address(owner, name) for owner, name in [*facts.words, (bound, "made")]]
    offsets = _offsets(layout)
    if None in words or offsets is None or maker is None:
        return None
    kept: list[Any] = []

    def table(values: Sequence[int]) -> int:
        kept.append(made := np.array([*values, 0], np.int64))
        return int(made.ctypes.data)

    header, block = bound.header, np.zeros(len(CallWord), np.int64)
    _fill_machine(block, header)
    rows = [(id(k), id(d), id(s), len(shape), table(shape)) for k, d, s, shape in facts.leaves]
    pairs = [x for w in words if w is not None for x in (w, ctypes.c_int64.from_address(w).value)]
    values = [v.get() for v in facts.variables]
    block[CallWord.MISS] = id(facts.miss)
    block[CallWord.COUNT] = len(rows)
    block[CallWord.LEAVES] = table([x for row in rows for x in row])
    block[CallWord.WORDS], block[CallWord.WORD_COUNT] = table(pairs), len(words)
    block[CallWord.VARIABLES] = table([id(x) for pair in zip(facts.variables, values, strict=True) for x in pair])
    block[CallWord.VARIABLE_COUNT] = len(values)
    block[CallWord.FREE], block[CallWord.BOUND] = id(facts.free), id(bound)
    shape, element, pool = bound.made
    block[CallWord.POOL] = 0 if pool is None else id(pool)
    block[CallWord.LOUD] = not bound.is_short
    block[CallWord.NEW_ARRAY], block[CallWord.ELEMENT] = maker, id(element)
    block[CallWord.RANK], block[CallWord.SIZES] = len(shape), table(shape)
    block[CallWord.TENSOR], block[CallWord.DTYPE] = id(layout.tensor), id(facts.dtype)
    block[CallWord.STORAGE], block[CallWord.NDARRAY] = id(layout.storage), id(np.ndarray)
    block[CallWord.PAYLOAD], *others = offsets
    block[CallWord.FIELDS] = table([x for at, (_, v) in zip(others, layout.fields, strict=True) for x in (at, id(v))])
    block[CallWord.FIELD_COUNT] = len(others)
    names = tuple(sys.intern(name) for name in layout.names)
    block[[CallWord.DTYPE_NAME, CallWord.STOP_NAME, CallWord.STORAGE_NAME]] = [id(name) for name in names]
    held = (block, kept, facts, layout, bound, bound.made, values, names, [getattr(*pair) for pair in facts.words])
    made: NativeCall = new_function()(ctypes.addressof(_method()), held, None)
    return made


def _fill_machine(block: Any, header: Header) -> None:
    block[CallWord.HEADER] = header.address
    block[CallWord.DESTINATION] = header.arguments.ctypes.data
    block[CallWord.VM] = virtual_machine.address()
    block[CallWord.DIVERTED] = virtual_machine.diverted.ctypes.data
    for word in CallWord:
        if word.name.startswith("Py"):
            block[word] = place(getattr(ctypes.pythonapi, word.name))


@cache
def _is_possible() -> bool:
    """Whether this is CPython with a lock and its usual objects: a tuple's items, a dict's count, an array's sizes."""
    if sys.implementation.name != "cpython" or ARRAY_DATA_OFFSET is None or hasattr(sys, "gettotalrefcount"):
        return False
    if not getattr(sys, "_is_gil_enabled", lambda: True)() or ctypes.sizeof(ctypes.c_void_p) != 8:
        return False
    read, probe, one = ctypes.c_int64.from_address, (object(), object()), {"a": 1}
    items = [probe[0]]
    sizes = np.zeros((3, 5))
    place = id(sizes) + ARRAY_DATA_OFFSET
    rank, dims = ctypes.c_int32.from_address(place + 8).value, place + 16
    return (
        read(id(probe) + SIZE).value == 2
        and read(id(probe) + ITEMS).value == id(probe[0])
        and read(id(probe) + ITEMS + 8).value == id(probe[1])
        and read(id(one) + SIZE).value == 1
        and read(id({}) + SIZE).value == 0
        and read(id(items) + SIZE).value == 1
        and read(read(id(items) + ITEMS).value).value == id(probe[0])
        and read(id(probe) + TYPE).value == id(tuple)
        and rank == 2
        and read(read(dims).value + 8).value == 5
    )


def _is_plain(kind: type, method: str) -> bool:
    """Whether a class has the method of `object`."""
    return bool(getattr(kind, method) is getattr(object, method))


def _slot_address(owner: Any, name: str) -> int | None:
    """Where an object keeps an attribute of its own memory; None where that isn't known."""
    kind: Any = type(owner)
    offset = _slot_offset(kind, name)
    return None if offset is None else id(owner) + offset


@cache
def _slot_offset(kind: Any, name: str) -> int | None:
    """The offset of a slot, or of a function's code or defaults, in objects of this class; None if it isn't found."""
    if kind is FunctionType:
        return _function_offset(name)
    descriptor: Any = getattr(kind, name, None)
    if type(descriptor).__name__ != "member_descriptor":
        return None
    probe: Any = object.__new__(kind)
    value = object()
    found = _where(probe, kind.__basicsize__, value, lambda: descriptor.__set__(probe, value))
    descriptor.__delete__(probe)
    return found


def _where(probe: Any, size: int, value: Any, write: Callable[[], None]) -> int | None:
    """The offset of the only word of an object that `write` makes the address of `value`."""
    words = (ctypes.c_int64 * (size // 8)).from_address(id(probe))
    before = list(words)
    write()
    found = [8 * k for k, word in enumerate(words) if word == id(value) and before[k] != word]
    return found[0] if len(found) == 1 else None


@cache
def _function_offset(name: str) -> int | None:
    def probe() -> None:
        """A function whose parts are replaced."""

    value: Any = (lambda: None).__code__ if name == "__code__" else (0,) if name == "__defaults__" else {"a": 0}
    return _where(probe, type(probe).__basicsize__, value, lambda: setattr(probe, name, value))


_NEW_FROM_DESCR = 94  # of the table of NumPy's C interface, in which functions keep their numbers


@cache
def _array_maker() -> int | None:
    """The address of PyArray_NewFromDescr; None where NumPy has no such table."""
    try:
        table = import_module("._multiarray_umath", getattr(np, "_core", np).__name__)._ARRAY_API
    except (ImportError, AttributeError):
        return None
    find = ctypes.pythonapi.PyCapsule_GetPointer
    find.restype, find.argtypes = ctypes.c_void_p, (ctypes.py_object, ctypes.c_char_p)
    functions = (ctypes.c_void_p * (_NEW_FROM_DESCR + 1)).from_address(find(table, None))
    return functions[_NEW_FROM_DESCR] if functions[2] == id(np.ndarray) else None


@cache
def _offsets(layout: TensorLayout) -> tuple[int, ...] | None:
    """Where a cell has its payload and its other fields; None where that isn't known, or tensors are made elsewhere."""
    found = [_slot_offset(layout.storage, name) for name in (layout.payload, *(name for name, _ in layout.fields))]
    plain = all(_is_plain(kind, "__new__") for kind in (layout.tensor, layout.storage))
    known = tuple([f for f in found if f is not None])
    return known if plain and len(known) == len(found) else None


@dataclass(frozen=True)
class NativeCallSource:
    """The code of every native call, for the cache of object code."""

    name: str = "native_call"
    body: str = f"PyObject *native_call(PyObject *self, PyObject **args, Py_ssize_t count), data at {ARRAY_DATA_OFFSET}"

    @property
    def identity(self) -> str:
        """All that tells this function from others."""
        return f"{self.body}, {len(CallWord)} words, form 2"

    def compile(self, symbol: str) -> bytes:
        """Object code that defines `symbol`."""
        import llvmlite.binding as llvm

        from ..codegen.call_code import CallWriter
        from ..codegen.target_machine import run_pipeline

        assert ARRAY_DATA_OFFSET is not None
        module = llvm.parse_assembly(CallWriter(symbol, ARRAY_DATA_OFFSET).text())
        run_pipeline(module)
        return bytes(target_machine().emit_object(module))


@cache
def _method() -> ctypes.Structure:
    return c_method(b"native_call", addresses([NativeCallSource()])[0])
