"""The VM: one native function that runs a table of instructions, entered from Python without the GIL.

The function is native_source/vm_loop.py, compiled by the backend of kernels and kept in the same cache. All that it
knows reaches it by address: the header of a program, its table of rows of eight int64, and the team block of this
process. The team's half (claiming chunks, waiting, matrix products) is in it too: both run the same instructions.
"""

from __future__ import annotations

import ctypes
import struct
import weakref
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...base.errors import MemoryLimitError
from ...base.memory import shown_bytes
from ..kernel_cache import NativeSource, addresses
from . import native_source, team
from .native_source.layout import ROW_WORDS, GemmWord, HeaderWord, ListWord, Opcode, PatchRow, Status

RAW_ADDRESS, ARRAY_ID = 0, 1
_START_TEAM = int(Status.START_TEAM)  # comparing with the enum itself costs 0.1 µs


def gemm_block(m: int, n: int, k: int, *, alpha: float = 1.0, beta: float = 0.0, **words: int) -> NDArray[np.int64]:
    """The parameters of a GEMM; the other words by their names in lower case, contiguous row-major by default."""
    given = {GemmWord[name.upper()]: value for name, value in words.items()}
    block = np.zeros(GemmWord.COUNT, np.int64)
    block[[GemmWord.M, GemmWord.N, GemmWord.K, GemmWord.BATCH, GemmWord.INNER_BATCH]] = m, n, k, 1, 1
    block[GemmWord.LDA] = m if given.get(GemmWord.TRANSPOSE_A) else k
    block[GemmWord.LDB] = k if given.get(GemmWord.TRANSPOSE_B) else n
    block[GemmWord.LDC] = n
    block[[GemmWord.ALPHA, GemmWord.BETA]] = np.array([alpha, beta], np.float64).view(np.int64)
    for word, value in given.items():
        block[word] = value
    return block


class Instructions:
    """Builds a table row by row; a jump may be given its target later."""

    def __init__(self) -> None:
        self._rows: list[list[int]] = []

    def __len__(self) -> int:
        return len(self._rows)

    def emit(self, opcode: Opcode, *operands: int) -> int:
        """Append a row and return its number."""
        row = [int(opcode), *(int(operand) for operand in operands)]
        self._rows.append(row + [0] * (ROW_WORDS - len(row)))
        return len(self._rows) - 1

    def aim(self, row: int, target: int | None = None) -> None:
        """Set the target of the jump at `row`, by default to the row that comes next."""
        place = _TARGET_WORD[Opcode(self._rows[row][0])]
        self._rows[row][place] = len(self._rows) if target is None else target

    def table(self) -> NDArray[np.int64]:
        """The rows as one array, closed by END. Keep it alive while a header points at it."""
        return np.array([*self._rows, [int(Opcode.END)] + [0] * (ROW_WORDS - 1)], np.int64)


_TARGET_WORD = {Opcode.JUMP: 1, Opcode.JUMP_IF_ZERO: 2, Opcode.JUMP_IF_GE: 3}


class Header:
    """One program bound to its tables; keeps them alive. Not for two threads at once.

    Patches are rows (argument number, destination address, byte offset). The VM writes each argument's address
    plus the offset to the destination before the first instruction.
    """

    def __init__(
        self, table: NDArray[np.int64], patches: Sequence[tuple[int, int, int]] = (), arguments: int = 0
    ) -> None:
        self.table = table
        self.words = np.zeros(HeaderWord.COUNT, np.int64)
        self.arguments = np.zeros(max(arguments, 1), np.int64)
        self.kinds: NDArray[np.int64] | None = None
        self._slots = self.arguments.data
        self.patches = np.array(patches, np.int64).reshape(-1, PatchRow.COUNT)
        self._view = self.words.data
        self._write = struct.Struct(f"{arguments}q").pack_into
        self.address: int = self.words.ctypes.data
        self.pointer = ctypes.c_int64(self.address)  # what `enter` takes: converting an int takes longer than the call
        self._fill()

    def _fill(self) -> None:
        words = self.words
        words[HeaderWord.CODE] = self.table.ctypes.data
        words[HeaderWord.PATCHES] = self.patches.ctypes.data
        words[HeaderWord.PATCH_COUNT] = len(self.patches)
        words[HeaderWord.ARGUMENTS] = self.arguments.ctypes.data
        words[HeaderWord.TEAM] = team.block()
        words[HeaderWord.DATA_OFFSET] = ARRAY_DATA_OFFSET or 0
        if ARRAY_DATA_OFFSET is None:  # then `set_arrays` passes raw addresses
            self.set_kinds([RAW_ADDRESS] * len(self.arguments))

    def set_kinds(self, kinds: Sequence[int]) -> None:
        """Say of each argument whether it is RAW_ADDRESS or ARRAY_ID; unless said, all are ARRAY_ID."""
        self.kinds = np.array(kinds, np.int64)
        self.words[HeaderWord.KINDS] = self.kinds.ctypes.data

    def set_arguments(self, *values: int) -> None:
        """Write all arguments: `id(array)` or an address, as the kinds say. The arrays must outlive the run."""
        self._write(self._slots, 0, *values)

    def set_arrays(self, *arrays: NDArray[Any]) -> None:
        """Write all arguments, all of them arrays."""
        if ARRAY_DATA_OFFSET is None:
            self.set_arguments(*(array.ctypes.data for array in arrays))
        else:
            self.set_arguments(*map(id, arrays))

    @property
    def pc(self) -> int:
        """The row to go on with; 0 before and after a run."""
        return self._view[HeaderWord.PC]

    @property
    def detail(self) -> int:
        """The number of the host call or check that stopped the VM."""
        return self._view[HeaderWord.DETAIL]

    def reset(self) -> None:
        """Forget a run that stopped half way: the next one starts at the beginning."""
        self._view[HeaderWord.PC] = 0

    def interrupt(self, on: bool = True) -> None:
        """Ask a running VM, from another thread, to stop at its next backward jump."""
        self._view[HeaderWord.INTERRUPT] = int(on)


def run(header: int) -> int:
    """Run the program at this header address, or go on with it; the Status says why it came back."""
    pointer = ctypes.c_int64(header)
    status = enter(pointer)
    while status == _START_TEAM:
        team.start(plainly)
        status = enter(pointer)
    return status


class _Memory:
    """Memory at an address, as NumPy takes it for an array."""

    __slots__ = ("__array_interface__",)

    def __init__(self, place: int, shape: tuple[int, ...], kind: str) -> None:
        self.__array_interface__ = {"data": (place, False), "shape": shape, "typestr": kind, "version": 3}


def memory_at(place: int, shape: tuple[int, ...], dtype: np.dtype[Any]) -> NDArray[Any]:
    """Memory at an address as an array; who asks for it sees to it that it lives long enough."""
    return np.asarray(_Memory(place, shape, dtype.str)) if place else np.zeros(shape, dtype)


class GrowableLists:
    """Blocks (see ListWord) for PUSH and POP; their memory goes when this object does."""

    def __init__(self, count: int) -> None:
        self.blocks = np.zeros((count, ListWord.COUNT), np.int64)
        self._words = self.blocks.reshape(-1).data
        self._finalizer = weakref.finalize(self, _free_blocks, self.blocks)

    def address(self, index: int) -> int:
        """The address that instructions name list `index` by."""
        return int(self.blocks.ctypes.data) + 8 * ListWord.COUNT * index

    def place(self, index: int) -> int:
        """Where the memory of list `index` is; 0 where it has none."""
        return self._words[ListWord.COUNT * index + ListWord.DATA]

    def room(self, index: int) -> int:
        """Bytes that list `index` has memory for."""
        return self._words[ListWord.COUNT * index + ListWord.CAPACITY]

    def used(self, index: int) -> int:
        """Bytes in list `index`."""
        return self._words[ListWord.COUNT * index + ListWord.USED]

    def memory(self, index: int, shape: tuple[int, ...], dtype: np.dtype[Any]) -> NDArray[Any]:
        """What list `index` holds, as an array of this shape over its memory; it must not outlive the next step."""
        return memory_at(self.place(index), shape, dtype)

    def fill(self, index: int, source: NDArray[np.uint8], used: int) -> None:
        """Have list `index` hold these bytes, and count `used` of them. MemoryLimitError where there is no memory."""
        block = self.blocks[index]
        if used > block[ListWord.CAPACITY]:
            moved = team.c_library().realloc(int(block[ListWord.DATA]), used)
            if not moved:
                raise MemoryLimitError(f"there is no memory for an array of {shown_bytes(used)}")
            block[[ListWord.DATA, ListWord.CAPACITY]] = moved, used
        self.memory(index, source.shape, source.dtype)[:] = source
        block[ListWord.USED] = used

    def trim(self, most: int) -> None:
        """Give back the memory of lists that have more than `most` bytes; all are empty then."""
        words = self._words
        if any(words[k] > most for k in range(ListWord.CAPACITY, len(words), ListWord.COUNT)):
            self.free()

    def free(self) -> None:
        """Give the memory of all lists back; they are empty then, and may be used again."""
        _free_blocks(self.blocks)


def _free_blocks(blocks: NDArray[np.int64]) -> None:
    for block in blocks:
        if block[ListWord.DATA]:
            team.c_library().free(ctypes.c_void_p(int(block[ListWord.DATA])))
    blocks[:] = 0


def _array_data_offset() -> int | None:
    """Where an ndarray object holds its data pointer: behind the object head, if this Python keeps to that."""
    offset = object.__basicsize__
    for probe in (np.zeros(3), np.zeros((4, 5))[1:, 2:]):
        found = ctypes.c_int64.from_address(id(probe) + offset).value
        if found != probe.__array_interface__["data"][0]:
            return None
    return offset


ARRAY_DATA_OFFSET = _array_data_offset()


def _first_enter(pointer: ctypes.c_int64) -> int:
    # Compiles or loads the VM, then puts it in its own place.
    global enter
    enter = _native()
    return enter(pointer)


# Runs or goes on with a program, given its header's `pointer`; gives a Status as an int. START_TEAM is left to `run`.
enter: Callable[..., int] = _first_enter
# Not 0 while something stands for the native function; entry stubs check it (entry_stub.py).
diverted = np.zeros(1, np.int64)


def enter_by(other: Callable[[int], int] | None) -> None:
    """Let `other(header)` stand for the native function from here on; None: that function again."""
    global enter
    diverted[0] = other is not None
    enter = _first_enter if other is None else lambda pointer: other(pointer.value)


def plainly(header: int) -> int:
    """Enter the native function itself, whatever stands for it."""
    return _native()(ctypes.c_int64(header))


def source() -> NativeSource:
    """The native function, to compile."""
    return NativeSource("VM", native_source.vm_text(), native_source.ENTRY)


@cache
def address() -> int:
    """Where the native function is."""
    return addresses([source()])[0]


@cache
def _native() -> Callable[..., int]:
    return ctypes.CFUNCTYPE(ctypes.c_int64)(address())  # no declared arguments: pointers pass as they are
