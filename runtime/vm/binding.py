"""A program at concrete sizes: addresses, dims, GEMM parameters and the arena, written into the VM's tables.

Made once per combination of sizes, then reused by every call. Arguments of the VM: state, then feeds, then
fetches; wherever one of their addresses is needed the VM patches it in at the start of a call.
"""

from __future__ import annotations

import math
import weakref
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

import numpy as np

from ...base.errors import MemoryLimitError
from ...base.memory import shown_bytes
from ...base.target import current_target
from ...ir.core import Value
from ...ops.collective import WHOLE
from ...ops.dims import Dim, DimLike, concrete, evaluate
from ...ops.types import TensorType
from ...passes.memory.memory_plan import ArenaPlan, Lifetime, plan
from .. import allocations
from ..kernel.kernel_call import Kernel
from ..schedule.growing.run_sizes import RunSizes, numbered_lists
from ..schedule.program_steps import (
    ARENA,
    CONSTANT,
    FEED,
    FETCH,
    STATE,
    AddStep,
    Buffer,
    CheckStep,
    CopyStep,
    CustomGemmStep,
    GemmStep,
    HandOverStep,
    HoldStep,
    HostCallStep,
    InterpretedStep,
    JumpStep,
    KernelStep,
    Label,
    ListStep,
    LoopStep,
    ProgramStep,
    RowStep,
    SetStep,
    Steps,
)
from .gemm import gemm_blocks
from .native_source.layout import Opcode, PatchRow
from .route_cell import RouteCell
from .virtual_machine import GrowableLists, Header, Instructions

Array = np.ndarray[Any, Any]
CHECKED_BYTES = 64 << 20  # arenas from this size on are compared with the memory that is left
ROW = 8
_COPIED = 3  # the word of a copy's row that tells how many bytes
_EXTENT = 5  # the word of a kernel's row that tells how far its range goes; the next one: in how many chunks


def memory_plan(
    program: Steps, sizes: Mapping[str, int], buffers: Sequence[Buffer] | None = None
) -> tuple[list[Buffer], ArenaPlan]:
    """The buffers that own memory of the arena, and where they lie in it for these sizes. Takes no memory.

    buffers: those of the program, where they are known.
    """
    roots: dict[Buffer, None] = {}
    for buffer in program.buffers if buffers is None else buffers:
        root = buffer.owner()
        if root.role == ARENA and root not in roots and not root.is_run_sized:
            roots[root] = None
    count = _Bytes(sizes).of
    lives = [Lifetime(count(b), b.first, b.last) for b in roots]
    return list(roots), plan(lives)


class _Bytes:
    """Sizes of buffers in bytes; most share their types."""

    def __init__(self, sizes: Mapping[str, int]) -> None:
        self._sizes = sizes
        self._known: dict[int, int] = {}  # by the identity of a type, which its buffer holds

    def of(self, buffer: Buffer) -> int:
        """That of one."""
        found = self._known.get(id(buffer.kind))
        if found is None:
            count = math.prod(concrete(buffer.kind.shape, self._sizes)) * buffer.kind.dtype.itemsize
            found = self._known[id(buffer.kind)] = count
        return found


_RESIZED = {KernelStep, CheckStep, CopyStep, SetStep}


def is_resizable(program: Steps) -> bool:
    """Whether `Binding.resize` knows all that is different in its tables for other sizes."""
    fixed = not program.words and all(isinstance(dim, int) for step in program.steps for dim in step.dims())
    return fixed and not program.state and {type(step) for step in program.steps} <= _RESIZED


def _fresh(size: int) -> Array:
    """Memory for an arena. MemoryLimitError where there isn't as much."""
    left = allocations.available() if size >= CHECKED_BYTES else None
    try:
        if left is None or size <= left:
            made = np.empty(size, np.uint8)
            allocations.took(size)
            return made
    except (MemoryError, ValueError, OverflowError):  # the latter two for sizes beyond 63 bits
        pass
    there = "" if left is None else f", and {shown_bytes(left)} are left"
    raise MemoryLimitError(
        f"the program's plan needs {shown_bytes(size)} for intermediates{there}",
        remedy="use smaller batches, or to_static(memory_limit=...), which recomputes instead of keeping",
    )


@dataclass(frozen=True, slots=True)
class Location:
    """Where a buffer lies: an absolute address, or an offset into an argument of the VM."""

    argument: int | None
    address: int


_alive: weakref.WeakValueDictionary[int, Binding] = weakref.WeakValueDictionary()


def binding_at(header: int) -> Binding | None:
    """The binding whose header lies at this address."""
    return _alive.get(header)


class Binding:
    """Tables for one set of sizes. Not for two threads at once: it owns the arena that calls work in."""

    def __init__(self, program: Steps, kernels: Mapping[int, int], sizes: Mapping[str, int]) -> None:
        self.program = program
        self.sizes = dict(sizes)
        self._kernels = kernels
        self._patches: list[tuple[int, Array | None, int, int]] = []
        self._tables: list[Array] = []
        self._bases: dict[int, int] = {}  # addresses of tables by identity: NumPy takes a microsecond for each
        self._views: dict[Buffer, Array] = {}  # of memory that is the binding's own
        self._whole: dict[Buffer, int] = {}  # arguments that are buffers as they are: their numbers
        self._argument_base = {STATE: 0, FEED: len(program.state), FETCH: len(program.state) + len(program.feeds)}
        self.host_calls: list[tuple[HostCallStep | InterpretedStep, list[Any], list[Any]]] = []
        self.cells: dict[int, RouteCell] = {}  # of host calls that are exchanges
        self.checks: list[CheckStep] = []
        self._sized: list[tuple[int, KernelStep, Array]] = []  # rows of kernels, and their dims
        self._copied: list[tuple[int, Buffer]] = []  # rows of copies, and what they copy
        self._moved: list[tuple[Array | None, int, Buffer]] = []  # words that are addresses which sizes decide
        self._moved_patches: list[tuple[int, Buffer]] = []  # patches whose offsets they decide
        buffers = program.buffers
        self.plan = self._allocate(buffers)
        numbers = numbered_lists(program, buffers)
        self.lists = GrowableLists(max(1, program.lists, *(n + 1 for n in numbers.values())))
        self.run_sizes = RunSizes(program, self.sizes, self.lists, numbers, self._location)
        self.steps_of_rows: list[ProgramStep] = []
        self.header = self._build()
        allocations.owns(self)
        self.fetch_types = [self._shape(b.kind) for b in program.fetches]
        _alive[self.header.address] = self

    # -- memory ------------------------------------------------------------------------------------

    def _allocate(self, buffers: Sequence[Buffer]) -> ArenaPlan:
        self.roots, made = memory_plan(self.program, self.sizes, buffers)
        self._room = [*map(_Bytes(self.sizes).of, self.roots)]
        memory = _fresh(made.peak + 64)
        start = -memory.ctypes.data % 64
        self.arena = memory[start : start + made.peak]
        begin = self.arena.ctypes.data
        self._address = {b: begin + o for b, o in zip(self.roots, made.offsets, strict=True)}
        return made

    def _size(self, dim: DimLike) -> int:
        return dim if type(dim) is int else int(cast(int, evaluate(dim, self.sizes)))

    def bytes_of(self, buffer: Buffer) -> int:
        """The size of a buffer at the sizes of this binding."""
        return _Bytes(self.sizes).of(buffer)

    def _shape(self, kind: TensorType) -> tuple[tuple[int, ...], np.dtype[Any]]:
        return tuple(self._size(d) for d in kind.shape), kind.dtype.numpy

    def location(self, buffer: Buffer) -> Location:
        """Where a buffer lies."""
        return self._location(*buffer.root())

    def _location(self, root: Buffer, offset: DimLike) -> Location:
        distance = self._size(offset)
        if root.role == ARENA:
            return Location(None, self._address[root] + distance)
        if root.role == CONSTANT:
            assert root.data is not None
            return Location(None, root.data.ctypes.data + distance)
        return Location(self._argument_base[root.role] + root.number, distance)

    def view(self, buffer: Buffer, arguments: list[Array]) -> Array:
        """A buffer as a NumPy array over its memory, given the arrays of the current call."""
        known = self._views.get(buffer)
        if known is not None:
            return known
        if self.program.words and self.run_sizes.is_open(buffer):
            return self.run_sizes.view(buffer, arguments)
        number = self._whole.get(buffer)
        if number is not None:
            return arguments[number].view()
        shape, dtype = self._shape(buffer.kind)
        root, offset = buffer.root()
        location = self.location(buffer)
        count = math.prod(shape)
        if location.argument is not None:
            whole = arguments[location.argument]
            if location.address == 0 and whole.shape == shape and whole.dtype == dtype:
                if root is buffer:
                    self._whole[buffer] = location.argument
                return whole.view()
            flat = whole.reshape(-1).view(np.uint8)
            return flat[location.address : location.address + count * dtype.itemsize].view(dtype).reshape(shape)
        if root.role == CONSTANT:
            assert root.data is not None
            flat = root.data.reshape(-1).view(np.uint8)
            distance = self._size(offset)
        else:
            flat, distance = self.arena, location.address - self.arena.ctypes.data
        made = flat[distance : distance + count * dtype.itemsize].view(dtype).reshape(shape)
        self._views[buffer] = made
        return made

    def is_short_running(self) -> bool:
        """Whether a run takes so little time that other threads of Python can wait for it."""
        if self.program.words:
            return False
        work = 0
        for step in self.program.steps:
            match step:
                case LoopStep() | JumpStep() | HostCallStep() | InterpretedStep() | ListStep() | RowStep():
                    return False
                case KernelStep(kernel=kernel):
                    work += self._size(kernel.work)
                case GemmStep(a=a, out=out):
                    inner = a.kind.shape[-2 if step.transpose_a else -1]
                    work += self._size(out.kind.size) * self._size(inner)
                case CopyStep(target=target):
                    work += self.bytes_of(target)
                case SetStep() | AddStep() | HoldStep() | HandOverStep() | CheckStep() | Label():
                    pass
                case _:
                    raise AssertionError(step)
        return work <= current_target().threads.short

    # -- tables ------------------------------------------------------------------------------------

    def _table(self, words: list[int]) -> Array:
        table = np.array(words or [0], np.int64)
        self._tables.append(table)
        self._bases[id(table)] = table.ctypes.data
        return table

    def _write(self, table: Array | None, position: int, buffer: Buffer) -> int:
        """The address word of a buffer; remembers a patch when it depends on an argument (None: the code table)."""
        root, offset = buffer.root()
        location, moves = self._location(root, offset), isinstance(offset, Dim)
        if location.argument is not None:
            if moves:
                self._moved_patches.append((len(self._patches), buffer))
            self._patches.append((location.argument, table, position, location.address))
            return 0
        if moves:
            self._moved.append((table, position, buffer))
        return location.address

    def _build(self) -> Header:
        code = Instructions()
        rows: dict[Label, int] = {}
        jumps: list[tuple[int, Label]] = []
        for step in self.program.steps:
            if isinstance(step, Label):
                rows[step] = len(code)
            elif isinstance(step, JumpStep):
                jumps.append((self._jump(code, step), step.target))
            else:
                self._emit(code, step)
            self.steps_of_rows += [step] * (len(code) - len(self.steps_of_rows))
        for row, label in jumps:
            code.aim(row, rows[label])
        table = code.table()
        for position, other in self.run_sizes.own:
            table.reshape(-1)[position] = table.ctypes.data + 8 * other
        bases, base = self._bases, int(table.ctypes.data)
        patches = []
        for argument, owner, position, distance in self._patches:
            patches.append((argument, (base if owner is None else bases[id(owner)]) + 8 * position, distance))
        patches += [(argument, address, 0) for argument, address in self.run_sizes.arguments.items()]
        count = len(self.program.state) + len(self.program.feeds) + len(self.program.fetches)
        return Header(table, patches, count)

    def _jump(self, code: Instructions, step: JumpStep) -> int:
        row = len(code)
        if step.zero is not None:
            return code.emit(Opcode.JUMP_IF_ZERO, self._write(None, row * ROW + 1, step.zero), 0)
        if step.left is not None and step.right is not None:
            left, right = self._write(None, row * ROW + 1, step.left), self._write(None, row * ROW + 2, step.right)
            return code.emit(Opcode.JUMP_IF_GE, left, right, 0)
        return code.emit(Opcode.JUMP, 0)

    def _emit(self, code: Instructions, step: ProgramStep) -> None:
        if step.words and isinstance(step, (KernelStep, CopyStep)):
            self.run_sizes.emit(code, step, self._kernels, self._table, self._write)
            return
        row = len(code) * ROW
        match step:
            case CustomGemmStep() if (way := step.way(self._size(step.size))) is not step:
                if way is not None:
                    self._emit(code, way)
            case KernelStep():
                self._emit_kernel(code, step)
            case GemmStep():
                self._emit_gemm(code, step)
            case CopyStep(target=target, source=source):
                to, origin = self._write(None, row + 1, target), self._write(None, row + 2, source)
                self._copied.append((len(code), target))
                code.emit(Opcode.COPY, to, origin, self.bytes_of(target))
            case SetStep(target=target, value=value):
                code.emit(Opcode.SET, self._write(None, row + 1, target), self._size(value))
            case AddStep(target=target, amount=amount):
                code.emit(Opcode.ADD, self._write(None, row + 1, target), amount)
            case ListStep():
                self._emit_list(code, step, row)
            case RowStep():
                self._emit_rows(code, step, row)
            case CheckStep(buffer=buffer):
                self.checks.append(step)
                code.emit(Opcode.CHECK, self._write(None, row + 1, buffer), len(self.checks) - 1)
            case InterpretedStep():
                self.host_calls.append((step, [], []))
                code.emit(Opcode.HOST_CALL, len(self.host_calls) - 1)
            case HostCallStep():
                self.host_calls.append((step, list(step.inputs), list(step.outputs)))
                self._emit_host_call(code, step, row)
            case HoldStep() | HandOverStep():
                pass
            case Label() | JumpStep() | _:  # `_build` places those two
                raise AssertionError(step)

    def _emit_host_call(self, code: Instructions, step: HostCallStep, row: int) -> None:
        """A return to Python; in the place of a whole exchange, native code that does it where it can."""
        number = len(self.host_calls) - 1
        if step.operation is None or step.operation.name not in WHOLE:
            code.emit(Opcode.HOST_CALL, number)
            return
        cell = self.cells[number] = RouteCell()
        source = self._write(None, row + 2, step.inputs[0]) if step.inputs else 0
        target = self._write(None, row + 3, step.outputs[0]) if step.outputs else 0
        code.emit(Opcode.EXCHANGE, cell.address, source, target, number)

    def _emit_list(self, code: Instructions, step: ListStep, row: int) -> None:
        block = self.lists.address(step.number)
        if step.action == "clear":
            code.emit(Opcode.CLEAR, block)
            return
        assert step.buffer is not None
        address = self._write(None, row + 2, step.buffer)
        code.emit(Opcode.PUSH if step.action == "push" else Opcode.POP, block, address, self.bytes_of(step.buffer))

    def _emit_rows(self, code: Instructions, step: RowStep, row: int) -> None:
        block, size = self.lists.address(step.number), self.row_bytes(step.row)

        def word(place: int, buffer: Buffer | None) -> int:
            return 0 if buffer is None else self._write(None, row + place, buffer)

        match step.action:
            case "clear":
                code.emit(Opcode.CLEAR, block)
            case "push":
                code.emit(Opcode.PUSH, block, word(2, step.buffer), self._size(step.many) * size)
            case "extend":
                other = self.lists.address(step.other)
                code.emit(Opcode.EXTEND, block, other, word(3, step.at), word(4, step.count), size)
            case "cut":
                other = self.lists.address(step.other)
                code.emit(Opcode.CUT, block, other, word(3, step.at), word(4, step.count), size)
            case "repeat":
                code.emit(Opcode.REPEAT, block, word(2, step.count), word(3, step.buffer), size)
            case "peek":
                moved = self._size(step.many) * size
                code.emit(Opcode.PEEK, block, word(2, step.at), word(3, step.buffer), size, moved)
            case "poke":
                code.emit(Opcode.POKE, block, word(2, step.at), word(3, step.buffer), size)
            case "trim" | "expect":
                code.emit(Opcode[step.action.upper()], block, word(2, step.count), size)
            case "length":
                code.emit(Opcode.LENGTH, block, word(2, step.buffer), size)
            case _:
                raise AssertionError(step.action)

    def row_bytes(self, row: TensorType) -> int:
        """How many bytes a row takes in a list: at least one, so that rows without elements are counted."""
        return max(1, self._size(row.size) * row.dtype.itemsize)

    def rows_of(self, step: RowStep) -> int:
        """How many rows the list of a step has."""
        return self.lists.used(step.number) // self.row_bytes(step.row)

    def read(self, number: int, value: Value) -> Array:
        """The array that list `number` holds, over its memory, which later steps use again."""
        kind = value.tensor_type
        shape, dtype = tuple([self._size(d) for d in kind.shape[1:]]), kind.dtype.numpy
        used = self.lists.used(number) // max(1, math.prod(shape) * dtype.itemsize)
        return self.lists.memory(number, (used, *shape), dtype)

    def write(self, number: int, array: Array) -> None:
        """Have list `number` hold the rows of an array."""
        row = math.prod(array.shape[1:]) * array.itemsize
        self.lists.fill(number, np.ascontiguousarray(array).reshape(-1).view(np.uint8), len(array) * max(1, row))

    def _emit_kernel(self, code: Instructions, step: KernelStep) -> None:
        kernel = step.kernel
        buffers = self._table([0] * len(step.buffers))
        buffers[: len(step.buffers)] = [self._write(buffers, k, buffer) for k, buffer in enumerate(step.buffers)]
        dims = self._table([self._size(d) for d in kernel.dims])
        self._sized.append((len(code), step, dims))
        code.emit(
            Opcode.KERNEL, self._kernels[id(kernel.source)], self._bases[id(buffers)], self._bases[id(dims)], 0,
            *self._extent_and_chunks(kernel),
        )  # fmt: skip

    def _extent_and_chunks(self, kernel: Kernel) -> tuple[int, int]:
        extent, work = self._size(kernel.extent), self._size(kernel.work)
        threads = current_target().threads
        parts = max(work // threads.chunk, 2 if work >= threads.pair else 1)
        chunks = min(extent, parts, kernel.parts) if kernel.splittable else 1
        return extent, max(1, chunks)

    def resize(self, sizes: Mapping[str, int]) -> bool:
        """Put other sizes into the tables of a program that `is_resizable`; False where its memory doesn't hold them,
        or a call would take the lock that a short one doesn't: nothing has changed then.
        """
        before, short = self.sizes, self.is_short_running()
        self.sizes = dict(sizes)
        fits = all(self.bytes_of(b) <= size for b, size in zip(self.roots, self._room, strict=True))
        if not fits or self.is_short_running() is not short:
            self.sizes = before
            return False
        for row, step, dims in self._sized:
            dims[: len(step.kernel.dims)] = [self._size(d) for d in step.kernel.dims]
            self.header.table[row, _EXTENT : _EXTENT + 2] = self._extent_and_chunks(step.kernel)
        for row, buffer in self._copied:
            self.header.table[row, _COPIED] = self.bytes_of(buffer)
        for table, position, buffer in self._moved:
            words = self.header.table.reshape(-1) if table is None else table
            words[position] = self.location(buffer).address
        for number, buffer in self._moved_patches:
            self.header.patches[number, PatchRow.OFFSET] = self.location(buffer).address
        self._views.clear()
        self.fetch_types = [self._shape(b.kind) for b in self.program.fetches]
        return True

    def _emit_gemm(self, code: Instructions, step: GemmStep) -> None:
        a, b, out = (self._shape(x.kind)[0] for x in (step.a, step.b, step.out))
        itemsize = step.out.kind.dtype.itemsize
        opcode = Opcode.GEMM32 if itemsize == 4 else Opcode.GEMM64
        for item in gemm_blocks(a, b, out, step.transpose_a, step.transpose_b, step.alpha, step.beta):
            if item is None:
                row = len(code) * ROW
                code.emit(Opcode.FILL, self._write(None, row + 1, step.out), self.bytes_of(step.out), 0)
                continue
            block, chunks, (shift_a, shift_b, shift_c) = item
            self._tables.append(block)
            self._bases[id(block)] = block.ctypes.data
            for word, buffer, shift in ((8, step.a, shift_a), (9, step.b, shift_b), (10, step.out, shift_c)):
                location = self.location(buffer)
                block[word] = location.address + shift * itemsize
                if location.argument is not None:
                    self._patches.append((location.argument, block, word, location.address + shift * itemsize))
            code.emit(opcode, self._bases[id(block)], chunks)
