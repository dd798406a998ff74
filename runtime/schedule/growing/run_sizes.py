"""Native steps over sizes that only a run knows: the VM computes their sizes and addresses just before it runs them.

An array of such a size lies in a list of the VM, which has room for it from the first step that writes it on; arrays
that aren't in use at the same time share one. The sizes are numbers in memory (`Steps.words`). Rows of the VM that
stand before a kernel's make its sizes, range and addresses of them, in nanoseconds each, and write them into its row.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Protocol

import numpy as np

from ....base.errors import ShapeError
from ....base.target import current_target
from ....ops.dims import Dim, DimLike, concrete, evaluate, product, same_dim
from ....ops.sizes import runtime_names
from ...kernel.kernel_call import Kernel
from ...vm.native_source.layout import ROW_WORDS, ListWord, Opcode
from ...vm.virtual_machine import GrowableLists, Instructions, memory_at
from ..program_steps import Buffer, CopyStep, KernelStep, ProgramStep, Steps

Array = np.ndarray[Any, Any]
WORDS = Array
_AT_ONCE = 64  # words that are allocated together


def names_in(step: ProgramStep) -> set[str]:
    """The sizes in a step's buffers, kernel and instruction that only a run knows."""
    kernel = getattr(step, "kernel", None)
    found = runtime_names(tuple(step.dims()))
    if isinstance(kernel, Kernel):
        found |= runtime_names((*kernel.dims, kernel.extent, kernel.work))
    for buffer in (*step.reads(), *step.writes()):
        at: Buffer | None = buffer
        while at is not None:
            found |= runtime_names((*at.kind.shape, at.offset))
            at = at.parent
    return found


def numbered_lists(program: Steps, buffers: Sequence[Buffer] | None = None) -> dict[Buffer, int]:
    """The list that each buffer of such a size lies in, beside those that the program has; lifetimes are known."""
    owners = dict.fromkeys([b.owner() for b in (program.buffers if buffers is None else buffers)])
    roots = [owner for owner in owners if owner.is_run_sized]
    ends: list[int] = []  # for each list the last step that needs what is in it
    found: dict[Buffer, int] = {}
    for root in sorted(roots, key=lambda b: b.first):
        free = next((k for k, end in enumerate(ends) if end < root.first), len(ends))
        ends[free:] = [*([root.last] if free == len(ends) else [root.last, *ends[free + 1 :]])]
        found[root] = program.lists + free
    return found


class Placed(Protocol):
    """Where a buffer lies: an absolute address, or an offset into an argument of the VM."""

    @property
    def argument(self) -> int | None: ...

    @property
    def address(self) -> int: ...


class RunSizes:
    """Writes the rows of one binding that compute what only a run knows."""

    def __init__(
        self, program: Steps, sizes: Mapping[str, int], lists: GrowableLists, numbers: Mapping[Buffer, int],
        location: Callable[[Buffer, DimLike], Placed],
    ) -> None:  # fmt: skip
        self.program = program
        self._words = program.words
        self._sizes = sizes
        self._lists = lists
        self._numbers = numbers
        self._location = location
        self._blocks: list[WORDS] = []
        self._used = _AT_ONCE
        self._constants: dict[int, int] = {}
        self.arguments: dict[int, int] = {}  # of the VM: the words that say where they lie
        self._pending: list[tuple[int, int]] = []  # words of rows that are addresses of words of the next step's row
        self.own: list[tuple[int, int]] = []  # words of the table that are addresses of others of it
        self._cells: dict[str, memoryview] = {}  # where the sizes are that Python has asked for
        self._asked: dict[Buffer, tuple[Buffer, DimLike, tuple[str, ...]]] = {}

    def is_open(self, buffer: Buffer) -> bool:
        """Whether only a run knows how large a buffer is, or where it lies."""
        return bool(runtime_names(buffer.kind.shape)) or self._is_moving(buffer)

    # -- for Python

    def list_of(self, root: Buffer) -> int | None:
        """The list that a buffer lies in."""
        return self._numbers.get(root)

    def at_start(self, dim: DimLike) -> DimLike:
        """A size with those put in that are known before a run."""
        return evaluate(dim, self._sizes)

    def word(self, name: str) -> memoryview:
        """The number in memory that says what a size is."""
        return memory_at(self.word_of(name), (1,), np.dtype(np.int64)).data

    def word_of(self, size: str | int) -> int:
        """The address of the number in memory that says what a size is."""
        return self._constant(size) if isinstance(size, int) else self._location(*self._words[size].root()).address

    def view(self, buffer: Buffer, arguments: list[Array]) -> Array:
        """An open buffer as a NumPy array over its memory, given the arrays of the current call."""
        known = self._asked.get(buffer)
        if known is None:
            root, offset = buffer.root()
            known = self._asked[buffer] = root, offset, self._names((*buffer.kind.shape, offset))
        root, offset, names = known
        sizes = self.now(names)
        distance = offset if type(offset) is int else int(evaluate(offset, sizes))
        if root in self._numbers:
            base = self._lists.place(self._numbers[root])
        else:
            found = self._location(root, 0)
            base = found.address if found.argument is None else int(arguments[found.argument].ctypes.data)
        return memory_at(base + distance, concrete(buffer.kind.shape, sizes), buffer.kind.dtype.numpy)

    def _names(self, dims: tuple[DimLike, ...]) -> tuple[str, ...]:
        """The sizes in these that only the run knows."""
        return tuple(sorted(runtime_names(dims) & self._words.keys()))

    def now(self, names: Iterable[str]) -> Mapping[str, int]:
        """The sizes known before, and some that only the run knows as it knows them by now."""
        cells, found = self._cells, dict(self._sizes)
        for name in names:
            cell = cells.get(name)
            if cell is None:
                cell = cells[name] = self.word(name)
            found[name] = cell[0]
        return found

    def put(self, buffer: Buffer, array: Array, target: Callable[[], Array]) -> None:
        """Have a buffer hold an array. ShapeError for one that isn't as large as the run says."""
        if self._words and self.is_open(buffer):
            expected = concrete(buffer.kind.shape, self.now(self._names(buffer.kind.shape)))
            if array.shape != expected:
                raise ShapeError(f"sizes that only a run knows don't fit: {list(array.shape)}, not {list(expected)}")
            if buffer in self._numbers:
                content = np.ascontiguousarray(array).reshape(-1).view(np.uint8)
                self._lists.fill(self._numbers[buffer], content, array.nbytes)
                return
        np.copyto(target(), array)

    # -- rows of the VM

    def emit(
        self, code: Instructions, step: ProgramStep, kernels: Mapping[int, int], table: Callable[[list[int]], WORDS],
        write: Callable[[WORDS, int, Buffer], int],
    ) -> None:  # fmt: skip
        """A kernel or a copy, some of whose sizes only the run knows, behind rows that compute what isn't known yet.

        kernels: where they are. table, write: as those of the binding.
        """
        self._reserve(code, step.writes())
        if isinstance(step, CopyStep):
            self._place(code, step.target, -1)
            self._place(code, step.source, -2)
            self.compute(code, step.target.bytes, -3)
            self._attach(len(code))
            code.emit(Opcode.COPY, 0, 0, 0)
            return
        assert isinstance(step, KernelStep)
        buffers = table([0] * len(step.buffers))
        for k, buffer in enumerate(step.buffers):
            if self._is_moving(buffer):
                self._place(code, buffer, int(buffers.ctypes.data) + 8 * k)
            else:
                buffers[k] = write(buffers, k, buffer)
        dims = table([0] * len(step.kernel.dims))
        for k, dim in enumerate(step.kernel.dims):
            self.compute(code, dim, int(dims.ctypes.data) + 8 * k)
        self._extent(code, step.kernel)
        self._attach(len(code))
        function = kernels[id(step.kernel.source)]
        code.emit(Opcode.KERNEL, function, buffers.ctypes.data, dims.ctypes.data, 0, 0, 1)

    def _attach(self, row: int) -> None:
        """Say which row the step has that all rows since the last one stand before."""
        self.own += [(position, row * ROW_WORDS + word) for position, word in self._pending]
        self._pending = []

    def _is_moving(self, buffer: Buffer) -> bool:
        """Whether only a run knows where a buffer lies."""
        root, offset = buffer.root()
        return root in self._numbers or bool(runtime_names(offset))

    def _reserve(self, code: Instructions, buffers: Iterable[Buffer]) -> None:
        """Have the lists that buffers lie in be long enough for what is written there."""
        for root in dict.fromkeys(b.owner() for b in buffers):
            if root not in self._numbers:
                continue
            open_sizes = [self.compute(code, dim) for dim in root.kind.shape if runtime_names(dim)]
            known = product([d for d in root.kind.shape if not runtime_names(d)]) * root.kind.dtype.itemsize
            size = self.compute(code, known)
            for open_size in open_sizes:
                size = self._two(code, Opcode.MULTIPLY, size, open_size, 0)
            for open_size in open_sizes:
                code.emit(Opcode.RESERVE, self._list(root), size, open_size)

    def _place(self, code: Instructions, buffer: Buffer, target: int) -> None:
        """Write the address of a buffer to `target` (see `compute`)."""
        root, offset = buffer.root()
        distance = self._constant(0) if same_dim(offset, 0) else self.compute(code, offset)
        self._two(code, Opcode.SUM, self._base(root), distance, target)

    def _extent(self, code: Instructions, kernel: Kernel) -> None:
        """Write how far the range of a kernel goes, and in how many chunks, into its row, which comes next."""
        threads = current_target().threads
        parts = kernel.parts if kernel.splittable else 1
        extent, work = self.compute(code, kernel.extent), self.compute(code, kernel.work)
        self._pending.append((len(code) * ROW_WORDS + 1, 0))
        code.emit(Opcode.EXTENT, 0, extent, work, parts, threads.chunk, threads.pair)

    def compute(self, code: Instructions, dim: DimLike, target: int = 0) -> int:
        """The address of the word in which a size is from here on.

        target: the address of a word that it has to be; below zero, minus the number of a word of the row that comes
        next; 0: any.
        """
        known = evaluate(dim, self._sizes)
        if not isinstance(known, Dim):
            return self._copied(code, self._constant(int(known)), target)
        total = 0
        for number, (monomial, factor) in enumerate(known.terms):
            is_last = number == len(known.terms) - 1
            parts = [self._atom(code, atom) for atom in monomial]
            if factor != 1 or not parts:
                parts.append(self._constant(factor))
            product = parts[0]
            for k, part in enumerate(parts[1:], 2):
                ends = is_last and not total and k == len(parts)
                product = self._two(code, Opcode.MULTIPLY, product, part, target if ends else 0)
            total = self._two(code, Opcode.SUM, total, product, target if is_last else 0) if total else product
        return self._copied(code, total, target)

    def _atom(self, code: Instructions, atom: str | tuple[str, Dim, Dim]) -> int:
        if isinstance(atom, str):
            return self._location(*self._words[atom].root()).address
        opcode = Opcode.DIVIDE if atom[0] == "//" else Opcode.MAXIMUM
        return self._two(code, opcode, self.compute(code, atom[1]), self.compute(code, atom[2]), 0)

    def _two(self, code: Instructions, opcode: Opcode, left: int, right: int, target: int) -> int:
        made = target or self._word(0)
        if target < 0:
            self._pending.append((len(code) * ROW_WORDS + 1, -target))
        code.emit(opcode, max(made, 0), left, right)
        return made

    def _copied(self, code: Instructions, source: int, target: int) -> int:
        return self._two(code, Opcode.SUM, source, self._constant(0), target) if target not in (0, source) else source

    def _base(self, root: Buffer) -> int:
        """The address of the word that says where a buffer without a parent lies."""
        if root in self._numbers:
            return self._list(root) + 8 * ListWord.DATA
        found = self._location(root, 0)
        if found.argument is None:
            return self._constant(found.address)
        if found.argument not in self.arguments:
            self.arguments[found.argument] = self._word(0)
        return self.arguments[found.argument]

    def _list(self, root: Buffer) -> int:
        return self._lists.address(self._numbers[root])

    def _constant(self, value: int) -> int:
        if value not in self._constants:
            self._constants[value] = self._word(value)
        return self._constants[value]

    def _word(self, value: int) -> int:
        """The address of a new word."""
        if self._used == _AT_ONCE:
            self._blocks.append(np.zeros(_AT_ONCE, np.int64))
            self._used = 0
        block = self._blocks[-1]
        block[self._used] = value
        self._used += 1
        return int(block.ctypes.data) + 8 * (self._used - 1)
