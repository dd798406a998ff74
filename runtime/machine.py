"""The machine: one native function that runs a table of instructions, entered from Python without the GIL.

It is written in the language of kernels, compiled by the same backend and kept in the same cache. All that it knows
reaches it by address: the header of a program, its table of rows of eight int64, and the team block of this process.
The team's half of the text (claiming chunks, waiting, matrix products) is in it too: both run the same instructions.
"""

from __future__ import annotations

import ctypes
import struct
import weakref
from collections.abc import Callable, Sequence
from enum import IntEnum
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import team
from .kernel_cache import NativeSource, addresses

ROW_WORDS = 8


class Opcode(IntEnum):
    """What a row does. Addresses are absolute, targets are row numbers, ranges and counts are plain values."""

    END = 0  # -
    KERNEL = 1  # function, buffers, dims, lo, hi, chunks
    GEMM32 = 2  # parameters (see Product), chunks
    GEMM64 = 3  # parameters, chunks
    COPY = 4  # destination, source, bytes
    FILL = 5  # destination, bytes, byte value
    JUMP = 6  # target
    JUMP_IF_ZERO = 7  # address of a byte, target
    JUMP_IF_GE = 8  # address of a, address of b, target: jumps when a >= b
    SET = 9  # address, value
    ADD = 10  # address, amount
    PUSH = 11  # list, source, bytes
    POP = 12  # list, destination, bytes
    PEEK = 13  # list, address of an index, destination, bytes
    CLEAR = 14  # list
    TRAP = 15  # number
    CHECK = 16  # address of a byte, number


class Status(IntEnum):
    """Why the machine came back. After all but DONE, a further `run` goes on where it stopped."""

    DONE = 0
    TRAP = 1  # a callback is due; its number is in Word.DETAIL
    CHECK_FAILED = 2  # an assertion's byte was zero; its number is in Word.DETAIL
    INTERRUPTED = 3  # Word.INTERRUPT was set at a backward jump
    START_TEAM = 4  # handled by `run`
    OUT_OF_MEMORY = 5  # a list could not grow
    LIST_RANGE = 6  # a list was popped when empty, or read outside
    NO_BLAS = 7  # scipy_openblas32 is missing
    BAD_OPCODE = 8


class Word(IntEnum):
    """The words of a header."""

    CODE = 0  # address of the table
    PC = team.PC_WORD  # 0: from the start, patches first; else the row to go on with
    PATCHES = 2  # address of rows of three int64: argument number, destination, byte offset
    PATCH_COUNT = 3
    ARGUMENTS = 4  # address of one int64 per argument
    KINDS = 5  # address of one int64 per argument: 0 raw address, 1 id() of an ndarray; 0 here: all are ids
    INTERRUPT = 6  # not 0: stop at the next backward jump
    DETAIL = 7  # number of the trap or check that stopped
    TEAM = team.TEAM_WORD  # address of the team block
    DATA_OFFSET = 9  # where an ndarray object holds its data pointer
    COUNT = 10


class Product(IntEnum):
    """The words of a GEMM's parameters: C = alpha op(A) op(B) + beta C over two batch levels; strides in elements."""

    M = 0
    N = 1
    K = 2
    TRANSPOSE_A = 3
    TRANSPOSE_B = 4
    LDA = 5
    LDB = 6
    LDC = 7
    A = 8
    B = 9
    C = 10
    BATCH = 11
    STRIDE_A = 12
    STRIDE_B = 13
    STRIDE_C = 14
    INNER_BATCH = 15
    INNER_STRIDE_A = 16
    INNER_STRIDE_B = 17
    INNER_STRIDE_C = 18
    ALPHA = 19  # bits of a float64
    BETA = 20  # bits of a float64
    COUNT = 21


RAW_ADDRESS, ARRAY_ID = 0, 1
_START_TEAM = int(Status.START_TEAM)  # comparing with the enum itself costs 0.1 µs


def product(m: int, n: int, k: int, *, alpha: float = 1.0, beta: float = 0.0, **words: int) -> NDArray[np.int64]:
    """The parameters of a GEMM; the other words by their names in lower case, contiguous row-major by default."""
    given = {Product[name.upper()]: value for name, value in words.items()}
    block = np.zeros(Product.COUNT, np.int64)
    block[[Product.M, Product.N, Product.K, Product.BATCH, Product.INNER_BATCH]] = m, n, k, 1, 1
    block[Product.LDA] = m if given.get(Product.TRANSPOSE_A) else k
    block[Product.LDB] = k if given.get(Product.TRANSPOSE_B) else n
    block[Product.LDC] = n
    block[[Product.ALPHA, Product.BETA]] = np.array([alpha, beta], np.float64).view(np.int64)
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

    Patches are rows (argument number, destination address, byte offset). The machine writes each argument's address
    plus the offset to the destination before the first instruction.
    """

    def __init__(
        self, table: NDArray[np.int64], patches: Sequence[tuple[int, int, int]] = (), arguments: int = 0
    ) -> None:
        self.table = table
        self.words = np.zeros(Word.COUNT, np.int64)
        self.arguments = np.zeros(max(arguments, 1), np.int64)
        self.kinds: NDArray[np.int64] | None = None
        self._slots = self.arguments.data
        self._patches = np.array(patches, np.int64).reshape(-1, 3)
        self._view = self.words.data
        self._write = struct.Struct(f"{arguments}q").pack_into
        self.address: int = self.words.ctypes.data
        self.pointer = ctypes.c_int64(self.address)  # what `enter` takes: converting an int takes longer than the call
        self._fill()

    def _fill(self) -> None:
        words = self.words
        words[Word.CODE] = self.table.ctypes.data
        words[Word.PATCHES] = self._patches.ctypes.data
        words[Word.PATCH_COUNT] = len(self._patches)
        words[Word.ARGUMENTS] = self.arguments.ctypes.data
        words[Word.TEAM] = team.block()
        words[Word.DATA_OFFSET] = ARRAY_DATA_OFFSET or 0
        if ARRAY_DATA_OFFSET is None:  # then `set_arrays` passes raw addresses
            self.set_kinds([RAW_ADDRESS] * len(self.arguments))

    def set_kinds(self, kinds: Sequence[int]) -> None:
        """Say of each argument whether it is RAW_ADDRESS or ARRAY_ID; unless said, all are ARRAY_ID."""
        self.kinds = np.array(kinds, np.int64)
        self.words[Word.KINDS] = self.kinds.ctypes.data

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
        return self._view[Word.PC]

    @property
    def detail(self) -> int:
        """The number of the trap or check that stopped the machine."""
        return self._view[Word.DETAIL]

    def reset(self) -> None:
        """Forget a run that stopped half way: the next one starts at the beginning."""
        self._view[Word.PC] = 0

    def interrupt(self, on: bool = True) -> None:
        """Ask a running machine, from another thread, to stop at its next backward jump."""
        self._view[Word.INTERRUPT] = int(on)


def run(header: int) -> int:
    """Run the program at this header address, or go on with it; the Status says why it came back."""
    pointer = ctypes.c_int64(header)
    status = enter(pointer)
    while status == _START_TEAM:
        team.start(plainly)
        status = enter(pointer)
    return status


class GrowableLists:
    """Blocks of three int64 (data, capacity, used) for PUSH and POP; their memory goes when this object does."""

    def __init__(self, count: int) -> None:
        self.blocks = np.zeros((count, 3), np.int64)
        self._finalizer = weakref.finalize(self, _free_blocks, self.blocks)

    def address(self, index: int) -> int:
        """The address that instructions name list `index` by."""
        return int(self.blocks.ctypes.data) + 24 * index

    def used(self, index: int) -> int:
        """Bytes in list `index`."""
        return int(self.blocks[index, 2])

    def free(self) -> None:
        """Give the memory of all lists back; they are empty then, and may be used again."""
        _free_blocks(self.blocks)


def _free_blocks(blocks: NDArray[np.int64]) -> None:
    for block in blocks:
        if block[0]:
            team.c_library().free(ctypes.c_void_p(int(block[0])))
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
    # Compiles or loads the machine, then puts it in its own place.
    global enter
    enter = _native()
    return enter(pointer)


# Runs or goes on with a program, given its header's `pointer`; gives a Status as an int. START_TEAM is left to `run`.
enter: Callable[..., int] = _first_enter
diverted = np.zeros(1, np.int64)  # not 0 while something stands for the native function: doors look here (door.py)


def enter_by(other: Callable[[int], int] | None) -> None:
    """Let `other(header)` stand for the native function from here on; None: that function again."""
    global enter
    diverted[0] = other is not None
    enter = _first_enter if other is None else lambda pointer: other(pointer.value)


def plainly(header: int) -> int:
    """Enter the native function itself, whatever stands for it."""
    return _native()(ctypes.c_int64(header))


@cache
def address() -> int:
    """Where the native function is."""
    return addresses([NativeSource("machine", MACHINE_TEXT, "machine")])[0]


@cache
def _native() -> Callable[..., int]:
    return ctypes.CFUNCTYPE(ctypes.c_int64)(address())  # no declared arguments: pointers pass as they are


def _constants() -> str:
    lines = [f"{opcode.name} = {int(opcode)}" for opcode in Opcode]
    lines += [f"STATUS_{status.name} = {int(status)}" for status in Status]
    lines += [f"WORD_{word.name} = {8 * word}" for word in Word]
    return "\n".join(lines) + "\n"


MACHINE_TEXT = (
    _constants()
    + team.TEAM_TEXT
    + '''

@helper
def patch(header):
    """Write the addresses of the arguments where instructions expect them."""
    rows = load(header + WORD_PATCHES)
    arguments = load(header + WORD_ARGUMENTS)
    kinds = load(header + WORD_KINDS)
    data_offset = load(header + WORD_DATA_OFFSET)
    for k in range(load(header + WORD_PATCH_COUNT)):
        row = rows + 24 * k
        which = 8 * load(row)
        base = load(arguments + which)
        is_array = 1
        if kinds != 0:
            is_array = load(kinds + which)
        if is_array != 0:
            base = load(base + data_offset)
        store(load(row + 8), base + load(row + 16))


@helper
def push(team, block, source, count):
    """Append bytes to a list; false when memory is out."""
    used = load(block + 16)
    needed = used + count
    if needed > load(block + 8):
        capacity = max(2 * load(block + 8), needed, 256)
        moved = call_realloc(load(team + TEAM_REALLOC), load(block), capacity)
        if moved == 0:
            return False
        store(block, moved)
        store(block + 8, capacity)
    copy_bytes(load(block) + used, source, count)
    store(block + 16, needed)
    return True


@helper
def pop(block, target, count):
    """Take the last bytes off a list; false when it has fewer."""
    left = load(block + 16) - count
    if left < 0:
        return False
    copy_bytes(target, load(block) + left, count)
    store(block + 16, left)
    return True


@helper
def peek(block, index, target, count):
    """Copy entry `index` of a list whose entries have `count` bytes; false when there is none."""
    if index < 0 or (index + 1) * count > load(block + 16):
        return False
    copy_bytes(target, load(block) + index * count, count)
    return True


@helper
def wake(team, count):
    """Post for as many sleeping workers as there are chunks for."""
    called = 0
    while True:
        sleepers = atomic_load(team + TEAM_SLEEPERS)
        called = min(sleepers, count)
        if called <= 0:
            return
        if compare_and_swap(team + TEAM_SLEEPERS, sleepers, sleepers - called):
            break
    for _ in range(called):
        call_p(load(team + TEAM_POST), load(team + TEAM_SEMAPHORE))


@helper
def split(team, row, chunks):
    """Run an instruction on the team; false when another thread has the team."""
    if not compare_and_swap(team + TEAM_BUSY, 0, 1):
        return False
    sequence = ((atomic_load(team + TEAM_JOB) >> 32) + 1) & 0xFFFFFFFF
    atomic_store(team + TEAM_ROW, row)
    atomic_store(team + TEAM_DONE, 0)
    atomic_exchange(team + TEAM_JOB, (sequence << 32) | chunks)
    wake(team, chunks - 1)
    work(team)
    spins = 0
    while atomic_load(team + TEAM_DONE) < chunks:
        spins += 1
        if spins < 2000:
            pause()
        else:
            call_void(load(team + TEAM_YIELD))
    atomic_store(team + TEAM_BUSY, 0)
    return True


@helper
def spread(team, row, wanted):
    """Run an instruction in as many chunks as asked for, or alone; false when the team has to be started first."""
    chunks = min(wanted, 0xFFFF)
    if chunks > 1 and load(team + TEAM_THREADS) > 1:
        if load(team + TEAM_WORKERS) == 0:
            return False
        if split(team, row, chunks):
            return True
    for chunk in range(chunks):  # the same pieces as with a team: the result doesn't depend on who is free
        run_chunk(team, row, chunk, chunks)
    return True


@helper
def leave(header, pc, status, detail):
    """Note where to go on, and return to Python."""
    store(header + WORD_PC, pc)
    store(header + WORD_DETAIL, detail)
    return status


def machine(header):
    """Run the table from the row where the header says."""
    code = load(header + WORD_CODE)
    team = load(header + WORD_TEAM)
    pc = load(header + WORD_PC)
    if pc < 0:
        return worker(team)
    if pc == 0:
        patch(header)
    while True:
        row = code + 64 * pc
        opcode = load(row)
        a = load(row + 8)
        b = load(row + 16)
        c = load(row + 24)
        target = pc + 1
        if opcode == KERNEL:
            chunks = load(row + 48)
            if chunks <= 1:
                call_kernel(a, b, c, load(row + 32), load(row + 40))
            elif not spread(team, row, chunks):
                return leave(header, pc, STATUS_START_TEAM, 0)
        elif opcode == GEMM32 or opcode == GEMM64:
            if load(team + TEAM_SGEMM) == 0:
                return leave(header, pc, STATUS_NO_BLAS, 0)
            if not spread(team, row, b):
                return leave(header, pc, STATUS_START_TEAM, 0)
        elif opcode == COPY:
            copy_bytes(a, b, c)
        elif opcode == FILL:
            fill_bytes(a, b, c)
        elif opcode == JUMP:
            target = a
        elif opcode == JUMP_IF_ZERO:
            if load_u8(a) == 0:
                target = b
        elif opcode == JUMP_IF_GE:
            if load(a) >= load(b):
                target = c
        elif opcode == SET:
            store(a, b)
        elif opcode == ADD:
            store(a, load(a) + b)
        elif opcode == PUSH:
            if not push(team, a, b, c):
                return leave(header, pc, STATUS_OUT_OF_MEMORY, 0)
        elif opcode == POP:
            if not pop(a, b, c):
                return leave(header, pc, STATUS_LIST_RANGE, 0)
        elif opcode == PEEK:
            if not peek(a, load(b), c, load(row + 32)):
                return leave(header, pc, STATUS_LIST_RANGE, load(b))
        elif opcode == CLEAR:
            store(a + 16, 0)
        elif opcode == TRAP:
            return leave(header, target, STATUS_TRAP, a)
        elif opcode == CHECK:
            if load_u8(a) == 0:
                return leave(header, target, STATUS_CHECK_FAILED, b)
        elif opcode == END:
            return leave(header, 0, STATUS_DONE, 0)
        else:
            return leave(header, pc, STATUS_BAD_OPCODE, opcode)
        if target <= pc and load(header + WORD_INTERRUPT) != 0:
            return leave(header, target, STATUS_INTERRUPTED, 0)
        pc = target
'''
)
