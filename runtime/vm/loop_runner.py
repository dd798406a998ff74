"""NumPy's inner loops, called one after the other by one C function: short kernels without NumPy's calls.

A call of a ufunc costs 0.3 to 1.5 us before its loop begins: operands are converted, dtypes resolved, an iterator is
made, states of errors are read. For arrays of known dtypes and sizes all of that is the same each time. Here it is a
table: the loop's address, what it is called with, counts and strides. The elements are computed by NumPy's own loops
(`PyUFuncObject.functions`, part of NumPy's C interface), so the bits are NumPy's. Floating-point flags are not
looked at: no warning is wanted.

The GIL is held all the time, so that buffers of one call may serve the next one: only for calls of microseconds.
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import cache, lru_cache
from typing import Any

import numpy as np

from ..codegen.target_machine import emit_object
from ..kernel_cache import addresses
from .entry_stub import c_method, new_function, place
from .virtual_machine import ARRAY_DATA_OFFSET

MOST_OPERANDS = 4  # of a loop, its result included


class LoopWord(IntEnum):
    """The words of a row: one loop nest of two levels. Lists have MOST_OPERANDS words."""

    LOOP = 0
    DATA = 1  # what the loop gets as its last argument
    OUTER = 2  # how often it is called
    COUNT = 3  # elements of each call
    INNER = 4  # strides in bytes from element to element
    STEP = 8  # strides from call to call
    SLOT = 12  # which buffer
    OFFSET = 16  # where in it, in bytes
    WORDS = 20


class _BlockWord(IntEnum):
    """The words of a runner's block."""

    ROWS = 0  # how many
    TABLE = 1
    SLOTS = 2
    AS_INTEGER = 3  # PyLong_FromLongLong
    MEASURED = 4  # not 0: rows count the elements of the last array that is given
    COUNT = 5


@dataclass(frozen=True)
class LoopOperand:
    """Where a loop finds the elements of an operand: a buffer, an offset, and strides from element to element and from
    call to call, in bytes.
    """

    slot: int
    inner: int
    step: int = 0
    offset: int = 0


@dataclass(frozen=True)
class LoopCall:
    """`outer` calls of one loop for `count` elements each."""

    loop: int
    data: int
    operands: Sequence[LoopOperand]
    count: int
    outer: int = 1

    def row(self) -> list[int]:
        """The words of the table."""
        words = [0] * LoopWord.WORDS
        words[LoopWord.LOOP], words[LoopWord.DATA] = self.loop, self.data
        words[LoopWord.OUTER], words[LoopWord.COUNT] = self.outer, self.count
        for k, x in enumerate(self.operands):
            words[LoopWord.INNER + k], words[LoopWord.STEP + k] = x.inner, x.step
            words[LoopWord.SLOT + k], words[LoopWord.OFFSET + k] = x.slot, x.offset
        return words


def make_runner(
    calls: Sequence[LoopCall], slots: Sequence[int], kept: Any = None, measured: bool = False
) -> Callable[..., int]:
    """A function of arrays, the first buffers, that makes the calls. slots: the addresses of all buffers, 0 for those;
    kept: what keeps the others alive; measured: each call goes over as many elements as the last array has.

    Who calls gives arrays of the right sizes.
    """
    table = np.array([c.row() for c in calls], np.int64)
    buffers = np.array(slots, np.int64)
    block = np.zeros(_BlockWord.COUNT, np.int64)
    block[_BlockWord.ROWS], block[_BlockWord.TABLE] = len(calls), table.ctypes.data
    block[_BlockWord.SLOTS] = buffers.ctypes.data
    block[_BlockWord.MEASURED] = measured
    block[_BlockWord.AS_INTEGER] = place(ctypes.pythonapi.PyLong_FromLongLong)
    owner = _Block(block.shape, np.int64)
    owner[:] = block
    owner.kept = table, buffers, kept
    made: Callable[..., int] = new_function()(ctypes.addressof(_method()), owner, None)
    return made


class _Block(np.ndarray[Any, Any]):
    """A runner's block, which keeps its tables alive."""

    kept: Any = None


@cache
def _method() -> Any:
    return c_method(b"loop_runner", addresses([LoopRunnerSource()])[0])


@lru_cache(maxsize=1024)
def loop_of(ufunc: np.ufunc, dtypes: tuple[str, ...]) -> tuple[int, int] | None:
    """Address and data of the loop of a ufunc for operands and results of these dtypes (`dtype.char`); None without."""
    if not is_possible():
        return None
    text = "".join(dtypes[: ufunc.nin]) + "->" + "".join(dtypes[ufunc.nin :])
    if text not in ufunc.types:
        return None
    k = ufunc.types.index(text)
    functions, data = _words(ufunc, _FUNCTIONS, 2)
    loop = _word(functions + 8 * k)
    return (loop, _word(data + 8 * k) if data else 0) if loop else None


# PyArrayObject: after the pointer to the elements, the number of axes and a pointer to the sizes.
_RANK, _SIZES = 8, 16

# PyUFuncObject: after the object's head, four ints (nin, nout, nargs, identity), two tables, the number of loops.
_COUNTS, _FUNCTIONS, _LOOPS = 16, 32, 48


@cache
def is_possible() -> bool:
    """Whether loops can be called here: CPython with its lock, and ufuncs as NumPy's C interface describes them."""
    has_lock = getattr(sys, "_is_gil_enabled", lambda: True)()
    if sys.implementation.name != "cpython" or not has_lock or ARRAY_DATA_OFFSET is None or sys.byteorder != "little":
        return False
    probe = np.zeros((2, 3, 1))
    rank, sizes = _words(probe, ARRAY_DATA_OFFSET + _RANK, 2)
    if rank & 0xFFFFFFFF != probe.ndim or tuple(_word(sizes + 8 * k) for k in range(probe.ndim)) != probe.shape:
        return False
    return all(_is_described(ufunc) for ufunc in (np.add, np.exp, np.maximum, np.equal))


def _is_described(ufunc: np.ufunc) -> bool:
    first, second = _words(ufunc, _COUNTS, 2)
    (loops,) = _words(ufunc, _LOOPS, 1)
    counts = first & 0xFFFFFFFF, first >> 32, second & 0xFFFFFFFF
    return counts == (ufunc.nin, ufunc.nout, ufunc.nargs) and loops & 0xFFFFFFFF == ufunc.ntypes


def _words(owner: Any, offset: int, count: int) -> list[int]:
    return [_word(id(owner) + offset + 8 * k) for k in range(count)]


def _word(address: int) -> int:
    return ctypes.c_uint64.from_address(address).value


@dataclass(frozen=True)
class LoopRunnerSource:
    """The code of all runners, for the cache of object code."""

    name: str = "loop_runner"
    body: str = f"PyObject *loop_runner(PyObject *self, PyObject **args, Py_ssize_t count), data at {ARRAY_DATA_OFFSET}"

    @property
    def identity(self) -> str:
        """All that tells this function from others."""
        return f"{self.body}, {int(LoopWord.WORDS)} words, form 2"

    def compile(self, symbol: str) -> bytes:
        """Object code that defines `symbol`."""
        import llvmlite.binding as llvm

        assert ARRAY_DATA_OFFSET is not None
        return emit_object(llvm.parse_assembly(_text(symbol, ARRAY_DATA_OFFSET)))


@dataclass(frozen=True)
class MoveSource:
    """A loop as NumPy's are, over elements of `size` bytes: a copy, or a choice (bool, element, element) of them."""

    size: int
    chooses: bool

    @property
    def name(self) -> str:
        """What messages call it."""
        return f"{'choose' if self.chooses else 'copy'}{self.size}"

    @property
    def body(self) -> str:
        """Its meaning."""
        return f"void {self.name}(char **args, npy_intp *count, npy_intp *strides, void *data)"

    @property
    def identity(self) -> str:
        """All that tells this function from others."""
        return f"{self.body}, form 1"

    def compile(self, symbol: str) -> bytes:
        """Object code that defines `symbol`."""
        import llvmlite.binding as llvm

        return emit_object(llvm.parse_assembly(_move_text(symbol, self.size, self.chooses)))


def moving_loop(size: int, chooses: bool = False) -> tuple[int, int]:
    """Address and data of a loop that moves elements of 1, 2, 4 or 8 bytes."""
    return addresses([MoveSource(size, chooses)])[0], 0


class _Builder:
    """A function of words, in the spelling of the LLVM at hand."""

    def __init__(self, symbol: str, parameters: int, gives: bool) -> None:
        from llvmlite import ir

        self.ir, self.word = ir, ir.IntType(64)
        self.module = ir.Module()
        kind = ir.FunctionType(self.word if gives else ir.VoidType(), [self.word] * parameters)
        self.function = ir.Function(self.module, kind, symbol)
        self.build = ir.IRBuilder(self.function.append_basic_block())

    def number(self, value: int) -> Any:
        return self.ir.Constant(self.word, value)

    def load(self, at: Any, offset: Any = 0, kind: Any = None) -> Any:
        return self.build.load(self.pointer(at, offset, kind))

    def store(self, value: Any, at: Any, offset: Any = 0) -> None:
        self.build.store(value, self.pointer(at, offset, value.type))

    def pointer(self, at: Any, offset: Any, kind: Any = None) -> Any:
        offset = offset if isinstance(offset, self.ir.Value) else self.number(offset)
        return self.build.inttoptr(self.build.add(at, offset), (kind or self.word).as_pointer())

    def repeat(self, count: Any, body: Callable[[Any], None]) -> None:
        """`body(k)` for k below `count`."""
        before, ir, build = self.build.block, self.ir, self.build
        test, inside, after = (self.function.append_basic_block() for _ in range(3))
        build.branch(test)
        build.position_at_end(test)
        at = build.phi(self.word)
        at.add_incoming(ir.Constant(self.word, 0), before)
        build.cbranch(build.icmp_signed("<", at, count), inside, after)
        build.position_at_end(inside)
        body(at)
        at.add_incoming(build.add(at, self.number(1)), build.block)
        build.branch(test)
        build.position_at_end(after)


def _text(symbol: str, data_offset: int) -> str:
    """The LLVM of a runner."""
    to = _Builder(symbol, 3, gives=True)
    build, ir = to.build, to.ir
    me, arguments, count = to.function.args
    block = to.load(me, data_offset)
    rows, table, slots, as_integer, measured = (to.load(block, 8 * k) for k in range(_BlockWord.COUNT))
    space = build.ptrtoint(build.alloca(to.word, MOST_OPERANDS), to.word)

    def bind(k: Any) -> None:
        at = build.mul(k, to.number(8))
        to.store(to.load(to.load(arguments, at), data_offset), slots, at)

    def call(row: Any) -> None:
        base = build.add(table, build.mul(row, to.number(8 * LoopWord.WORDS)))
        for k in range(MOST_OPERANDS):
            slot = build.mul(to.load(base, 8 * (LoopWord.SLOT + k)), to.number(8))
            where = build.add(to.load(slots, slot), to.load(base, 8 * (LoopWord.OFFSET + k)))
            to.store(where, space, 8 * k)
        kind = ir.FunctionType(ir.VoidType(), [to.word] * 4).as_pointer()
        loop = build.inttoptr(to.load(base, 8 * LoopWord.LOOP), kind)
        rest = [build.add(base, to.number(8 * w)) for w in (LoopWord.COUNT, LoopWord.INNER)]
        data = to.load(base, 8 * LoopWord.DATA)

        def once(_: Any) -> None:
            build.call(loop, [space, *rest, data])
            for k in range(MOST_OPERANDS):
                moved = build.add(to.load(space, 8 * k), to.load(base, 8 * (LoopWord.STEP + k)))
                to.store(moved, space, 8 * k)

        to.repeat(to.load(base, 8 * LoopWord.OUTER), once)

    def measure(_: Any) -> None:
        last = to.load(arguments, build.mul(build.sub(count, to.number(1)), to.number(8)))
        sizes = to.load(last, data_offset + _SIZES)
        rank = build.zext(to.load(last, data_offset + _RANK, ir.IntType(32)), to.word)
        elements = build.alloca(to.word)
        build.store(to.number(1), elements)

        def multiply(k: Any) -> None:
            size = to.load(sizes, build.mul(k, to.number(8)))
            build.store(build.mul(build.load(elements), size), elements)

        def note(row: Any) -> None:
            base = build.add(table, build.mul(row, to.number(8 * LoopWord.WORDS)))
            to.store(build.load(elements), base, 8 * LoopWord.COUNT)

        to.repeat(rank, multiply)
        to.repeat(rows, note)

    to.repeat(count, bind)
    to.repeat(measured, measure)
    to.repeat(rows, call)
    answer = ir.FunctionType(to.word, [to.word]).as_pointer()
    build.ret(build.call(build.inttoptr(as_integer, answer), [to.number(0)]))
    return str(to.module)


def _move_text(symbol: str, size: int, chooses: bool) -> str:
    """The LLVM of a loop that copies, or chooses by a bool."""
    to = _Builder(symbol, 4, gives=False)
    build, element = to.build, to.ir.IntType(8 * size)
    args, count, strides, _ = to.function.args
    sources = 3 if chooses else 1
    places = [to.load(args, 8 * k) for k in range(sources + 1)]
    steps = [to.load(strides, 8 * k) for k in range(sources + 1)]

    def body(k: Any) -> None:
        at = [build.add(p, build.mul(k, s)) for p, s in zip(places, steps, strict=True)]
        if chooses:
            byte = to.ir.IntType(8)
            holds = build.icmp_unsigned("!=", to.load(at[0], 0, byte), to.ir.Constant(byte, 0))
            value = build.select(holds, to.load(at[1], 0, element), to.load(at[2], 0, element))
        else:
            value = to.load(at[0], 0, element)
        to.store(value, at[-1])

    to.repeat(to.load(count), body)
    build.ret_void()
    return str(to.module)
