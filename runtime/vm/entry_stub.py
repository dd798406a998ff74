"""How a call gets from Python into the VM: one C function per bound program, that takes the call's arrays.

ctypes would check each argument, release the GIL and take it again: half of a small program's time. An entry stub is a
function as extension modules have them (METH_FASTCALL). It writes its arguments (as `id()`) behind the state in the
header's table and enters the VM at the program's beginning: where a signal's handler ended the call before, nobody
may have reset it. Only a program that may run for long releases the GIL. The stub finds all that it needs in a block of
words, through `self`, so that its code knows no address.
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum
from functools import cache
from typing import Any

import numpy as np

from ..codegen.target_machine import emit_object
from ..kernel_cache import addresses
from . import virtual_machine
from .native_source import layout
from .virtual_machine import ARRAY_DATA_OFFSET, Header

Array = np.ndarray[Any, Any]
EntryStub = Callable[..., int]

# What an entry stub gives instead of a Status while something stands for the VM: call `virtual_machine.enter`.
ELSEWHERE = -1
_FASTCALL = 0x0080  # METH_FASTCALL of Python's C interface


class StubWord(IntEnum):
    """The words of an entry stub's block."""

    HEADER = 0
    DESTINATION = 1  # where the first argument goes
    VM = 2
    AS_INTEGER = 3  # PyLong_FromLongLong
    RELEASE = 4  # PyEval_SaveThread; 0: the GIL is kept
    TAKE = 5  # PyEval_RestoreThread
    DIVERTED = 6  # address of a word that isn't 0 while something stands for the VM
    COUNT = 7


class _Method(ctypes.Structure):
    """PyMethodDef."""

    _fields_ = (
        ("name", ctypes.c_char_p),
        ("function", ctypes.c_void_p),
        ("flags", ctypes.c_int),
        ("doc", ctypes.c_char_p),
    )


@dataclass(frozen=True)
class EntryStubSource:
    """The code of every entry stub, for the cache of object code."""

    name: str = "entry_stub"
    body: str = f"PyObject *entry_stub(PyObject *self, PyObject **args, Py_ssize_t count), data at {ARRAY_DATA_OFFSET}"

    @property
    def identity(self) -> str:
        """All that tells this function from others."""
        return f"{self.body}, form 2"

    def compile(self, symbol: str) -> bytes:
        """Object code that defines `symbol`."""
        import llvmlite.binding as llvm

        assert ARRAY_DATA_OFFSET is not None
        return emit_object(llvm.parse_assembly(_text(symbol, ARRAY_DATA_OFFSET)))


def _address(array: Array) -> int:
    return int(array.ctypes.data)


# What stands for an array among the VM's arguments.
argument: Callable[[Array], int] = id if ARRAY_DATA_OFFSET is not None else _address


def make_entry_stub(header: Header, first: int, short_running: bool) -> EntryStub:
    """A function of the arrays of a call that runs the program once and gives its Status as an int, or ELSEWHERE.

    first: the VM's argument that the function's first one is. short_running: the program takes so little time that
    other threads can wait for it.
    """
    if not _is_possible():
        return _by_hand(header, first)
    code = ctypes.pythonapi
    block = np.zeros(StubWord.COUNT, np.int64)
    block[StubWord.HEADER] = header.address
    block[StubWord.DESTINATION] = header.arguments.ctypes.data + 8 * first
    block[StubWord.VM] = virtual_machine.address()
    block[StubWord.AS_INTEGER] = place(code.PyLong_FromLongLong)
    block[StubWord.RELEASE] = 0 if short_running else place(code.PyEval_SaveThread)
    block[StubWord.TAKE] = place(code.PyEval_RestoreThread)
    block[StubWord.DIVERTED] = virtual_machine.diverted.ctypes.data
    made: EntryStub = new_function()(ctypes.addressof(_method()), block, None)
    return made


def _is_possible() -> bool:
    return sys.implementation.name == "cpython" and ARRAY_DATA_OFFSET is not None


def _by_hand(header: Header, first: int) -> EntryStub:
    """An entry stub in Python."""
    slots = header.arguments.data

    def stub(*arrays: Any) -> int:
        for k, array in enumerate(arrays, first):
            slots[k] = argument(array)
        header.reset()
        return virtual_machine.enter(header.pointer)

    return stub


def place(function: Any) -> int:
    """The address of a C function."""
    return ctypes.cast(function, ctypes.c_void_p).value or 0


@cache
def new_function() -> Any:
    """PyCFunction_NewEx: a function of Python from the address of a method's definition, `self` and a module."""
    make = ctypes.pythonapi.PyCFunction_NewEx
    make.argtypes = (ctypes.c_void_p, ctypes.py_object, ctypes.c_void_p)
    make.restype = ctypes.py_object
    return make


@cache
def _method() -> ctypes.Structure:
    return c_method(b"entry_stub", addresses([EntryStubSource()])[0])


_methods: list[ctypes.Structure] = []  # functions know theirs by its address: none is ever freed


def c_method(name: bytes, address: int) -> ctypes.Structure:
    """The definition of a function (PyObject *self, PyObject **args, Py_ssize_t count).

    It lives for good: where two threads ask for one at once, `cache` forgets one of the two, which functions may use.
    """
    _methods.append(made := _Method(name, address, _FASTCALL, None))
    return made


def _text(symbol: str, data_offset: int) -> str:
    """The LLVM of `symbol`, in the spelling of the LLVM at hand."""
    from llvmlite import ir

    word = ir.IntType(64)
    module = ir.Module()
    function = ir.Function(module, ir.FunctionType(word, [word] * 3), symbol)
    start, test, copy, enter, loud, held, freed, elsewhere = (function.append_basic_block() for _ in range(8))
    build = ir.IRBuilder(start)
    me, arguments, count = function.args

    def load(at: Any, offset: Any) -> Any:
        offset = offset if isinstance(offset, ir.Value) else ir.Constant(word, offset)
        return build.load(build.inttoptr(build.add(at, offset), word.as_pointer()))

    def call(address: Any, *given: Any) -> Any:
        kind = ir.FunctionType(word, [word] * len(given))
        return build.call(build.inttoptr(address, kind.as_pointer()), given)

    block = load(me, data_offset)
    header, to, run, as_integer, release, take, diverted = (load(block, 8 * k) for k in range(StubWord.COUNT))
    size = build.shl(count, ir.Constant(word, 3))
    build.branch(test)

    build.position_at_end(test)
    at = build.phi(word)
    at.add_incoming(ir.Constant(word, 0), start)
    build.cbranch(build.icmp_signed("<", at, size), copy, enter)

    build.position_at_end(copy)
    build.store(load(arguments, at), build.inttoptr(build.add(to, at), word.as_pointer()))
    at.add_incoming(build.add(at, ir.Constant(word, 8)), copy)
    build.branch(test)

    build.position_at_end(enter)
    place = build.inttoptr(build.add(header, ir.Constant(word, 8 * layout.HeaderWord.PC)), word.as_pointer())
    build.store(ir.Constant(word, 0), place)
    build.cbranch(build.icmp_signed("!=", load(diverted, 0), ir.Constant(word, 0)), elsewhere, loud)

    build.position_at_end(loud)
    build.cbranch(build.icmp_signed("==", release, ir.Constant(word, 0)), held, freed)

    build.position_at_end(held)
    build.ret(call(as_integer, call(run, header)))

    build.position_at_end(freed)
    thread = call(release)
    status = call(run, header)
    call(take, thread)
    build.ret(call(as_integer, status))

    build.position_at_end(elsewhere)
    build.ret(call(as_integer, ir.Constant(word, ELSEWHERE)))
    return str(module)
