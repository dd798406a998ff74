"""Kernels for another CPU, run by qemu: compiled programs do the same as ever, but for the machine code of kernels.

Each kernel is compiled for the target, linked by that target's binutils and loaded by a small C program
(emulation_driver.c) that an emulator runs. Python carries out the VM's table: it hands a kernel's memory to that
program and takes it back; all other instructions go to the VM itself. Products by OpenBLAS and NumPy's operations stay
on this machine, as they are no kernels. Memory around each buffer is marked, so that writing beyond one is found.
"""

from __future__ import annotations

import ctypes
import shutil
import struct
import subprocess
import tempfile
import threading
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from ..base.errors import KernelError, MissingDependencyError
from ..base.target import TARGETS, Target, current_target, using_target
from ..ops.dims import evaluate
from ..runtime import kernel_cache
from ..runtime.kernel_cache import KernelSource, Source
from ..runtime.schedule.program_steps import KernelStep
from ..runtime.vm import virtual_machine
from ..runtime.vm.binding import Binding, binding_at
from ..runtime.vm.native_source.layout import ROW_WORDS, HeaderWord, KernelRow, Opcode, Status
from ..runtime.vm.virtual_machine import ARRAY_DATA_OFFSET, Header, plainly

DRIVER = Path(__file__).parent / "emulation_driver.c"
ALIGNMENT = 64
_LOAD, _CALL = 1, 2
Span = tuple[int, int, bool]  # an address, bytes, and whether a kernel writes there


def missing_tools(target: Target) -> list[str]:
    """What running code for a target needs and this machine lacks, with the names that Debian's packages have."""
    triple = f"{target.architecture}-linux-gnu"
    tools = {f"qemu-{target.architecture}": "qemu-user", f"{triple}-gcc": f"gcc-{triple}"}
    return [f"{tool} (package {package})" for tool, package in tools.items() if shutil.which(tool) is None]


class Emulator:
    """A process in which kernels for a target run. Several threads may call."""

    def __init__(self, target: Target) -> None:
        missing = missing_tools(target)
        if missing:
            raise MissingDependencyError(
                f"kernels for {target.name} can't run here without {', '.join(missing)}", remedy="install the packages"
            )
        self.triple = f"{target.architecture}-linux-gnu"
        self.kernels: set[Source] = set()
        self.calls = 0
        self._loaded: dict[tuple[str, Source], int] = {}  # by target: caches of another size make other code
        self._folder = tempfile.TemporaryDirectory(prefix="kernels-")
        self._lock = threading.Lock()
        driver = Path(self._folder.name) / "driver"
        flags = ["-O2", "-Wl,--no-as-needed", "-lm"]  # kernels call functions of libm
        subprocess.run([f"{self.triple}-gcc", str(DRIVER), *flags, "-o", str(driver)], check=True)
        self._command = [f"qemu-{target.architecture}", "-L", f"/usr/{self.triple}", str(driver)]
        self._start()

    def _start(self) -> None:
        self._loaded.clear()
        self._process = subprocess.Popen(self._command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def _stop(self) -> None:
        self._process.kill()
        self._process.communicate()

    def close(self) -> None:
        """End the process."""
        self._stop()
        self._folder.cleanup()

    @contextmanager
    def _exchange(self) -> Iterator[None]:
        """One request and its answer: after half of one, as when a signal comes between, the process is a new one."""
        with self._lock:
            try:
                yield
            except BaseException:  # broad: whatever it was, what was read so far doesn't tell where an answer begins
                self._stop()
                self._start()
                raise

    def load(self, source: Source) -> int:
        """A kernel's entry in that process, compiled for the current target. KernelError where it doesn't load."""
        key = current_target().key, source
        if key not in self._loaded:
            symbol, code = kernel_cache.object_code(source)
            with self._exchange():
                self._loaded[key] = self._load(source, symbol, code)
            self.kernels.add(source)
        return self._loaded[key]

    def _load(self, source: Source, symbol: str, code: bytes) -> int:
        base = Path(self._folder.name) / symbol
        made, library = base.with_suffix(".o"), base.with_suffix(".so")
        made.write_bytes(code)
        subprocess.run([f"{self.triple}-ld", "-shared", str(made), "-o", str(library)], check=True)
        path, name = str(library).encode(), symbol.encode()
        self._write(struct.pack("8q", _LOAD, len(path), len(name), 0, 0, 0, 0, 0), path, name)
        entry, length = struct.unpack("2q", self._read(16, source))
        if not entry:
            raise KernelError(f"kernel {source.name} doesn't load: {self._read(length, source).decode()}")
        return int(entry)

    def run(
        self, source: Source, pointers: Sequence[int], spans: Sequence[Span], dims: Sequence[int], lo: int, hi: int
    ) -> None:
        """One call over a range; spans: the memory behind each pointer. KernelError where it writes beyond that."""
        entry = self.load(source)
        regions = _regions(spans)
        places = [_place(regions, pointer, span) for pointer, span in zip(pointers, spans, strict=True)]
        head = struct.pack("8q", _CALL, entry, lo, hi, len(regions), len(pointers), len(dims), 0)
        shapes = [word for start, size, _ in regions for word in (size, start % ALIGNMENT)]
        words = [*shapes, *(word for place in places for word in place), *dims]
        with self._exchange():
            self.calls += 1
            contents = [ctypes.string_at(start, size) for start, size, _ in regions]
            self._write(head, struct.pack(f"{len(words)}q", *words), *contents)
            (damaged,) = struct.unpack("q", self._read(8, source))
            for start, size, is_written in regions:
                found = self._read(size, source)
                if is_written:
                    ctypes.memmove(start, found, size)
        if damaged:
            raise KernelError(f"kernel {source.name} wrote outside of its buffers\n{source.body}")

    def _write(self, *parts: bytes) -> None:
        assert self._process.stdin is not None
        for part in parts:
            self._process.stdin.write(part)
        self._process.stdin.flush()

    def _read(self, size: int, source: Source) -> bytes:
        assert self._process.stdout is not None
        found = self._process.stdout.read(size)
        if len(found) != size:
            raise KernelError(f"kernel {source.name} ended the emulator: {self._process.wait()}\n{source.body}")
        return found


def _regions(spans: Sequence[Span]) -> list[Span]:
    """Spans that overlap as one, each once: pointers of one kernel may show into the same memory."""
    joined: list[Span] = []
    for start, size, is_written in sorted(spans):
        if joined and start < joined[-1][0] + max(joined[-1][1], 1):
            first, length, before = joined[-1]
            joined[-1] = first, max(length, start + size - first), before or is_written
        else:
            joined.append((start, size, is_written))
    return joined


def _place(regions: Sequence[Span], pointer: int, span: Span) -> tuple[int, int]:
    """In which region a pointer into a span shows, and how far in."""
    number = bisect_right([start for start, _, _ in regions], span[0]) - 1
    return number, pointer - regions[number][0]


class EmulatedVM:
    """The VM's table, row by row: kernels go to an emulator, jumps are taken here, the rest is for the VM itself."""

    def __init__(self, emulator: Emulator) -> None:
        self.emulator = emulator

    def __call__(self, header: int) -> int:
        """Run the program at this header address, or go on with it; gives a Status."""
        binding = binding_at(header)
        if binding is None:  # a table of one row, see `_alone`, or one made by hand
            return plainly(header)
        words, rows = binding.header.words, binding.header.table.reshape(-1, ROW_WORDS)
        pc = int(words[HeaderWord.PC])
        if pc == 0:
            _patch(binding.header)
        while True:
            row = rows[pc].tolist()
            opcode, target = Opcode(row[0]), pc + 1
            stop = Status.DONE
            if opcode is Opcode.END:
                words[HeaderWord.PC] = 0
                return Status.DONE
            if opcode is Opcode.KERNEL:
                self._kernel(binding, pc, row)
            elif opcode is Opcode.JUMP:
                target = int(row[1])
            elif opcode is Opcode.JUMP_IF_ZERO:
                target = int(row[2]) if ctypes.c_uint8.from_address(row[1]).value == 0 else target
            elif opcode is Opcode.JUMP_IF_GE:
                left, right = (ctypes.c_int64.from_address(row[k]).value for k in (1, 2))
                target = int(row[3]) if left >= right else target
            else:
                stop, words[HeaderWord.DETAIL] = _alone(row)
            if target <= pc and words[HeaderWord.INTERRUPT]:
                stop = Status.INTERRUPTED
            if stop is not Status.DONE:
                words[HeaderWord.PC] = target
                return stop
            pc = target

    def _kernel(self, binding: Binding, pc: int, row: Any) -> None:
        step = binding.steps_of_rows[pc]
        assert isinstance(step, KernelStep)
        slots, count = step.kernel.slots, len(step.kernel.dims)
        addresses = (ctypes.c_int64 * len(slots)).from_address(row[KernelRow.BUFFERS])
        dims = (ctypes.c_int64 * count).from_address(row[KernelRow.DIMS])
        pointers, spans = list(addresses), []
        for address, buffer, slot in zip(pointers, step.buffers, slots, strict=True):
            root, distance = buffer.root()  # a kernel may write rows of its piece that lie far apart
            spans.append((address - int(evaluate(distance, binding.sizes)), binding.bytes_of(root), slot.role != "in"))
        lo, hi = row[KernelRow.LO], row[KernelRow.HI]
        self.emulator.run(step.kernel.source, pointers, spans, list(dims), lo, hi)


def _patch(header: Header) -> None:
    """Write the addresses of the arguments where instructions expect them, as the VM does."""
    for argument, destination, offset in header.patches:
        base = int(header.arguments[argument])
        is_array = header.kinds is None or header.kinds[argument]
        if is_array:
            base = ctypes.c_int64.from_address(base + (ARRAY_DATA_OFFSET or 0)).value
        ctypes.c_int64.from_address(int(destination)).value = base + int(offset)


def _alone(row: Any) -> tuple[Status, int]:
    """Let the VM carry out one row; its Status, and the detail of one that stops."""
    header = Header(np.array([row, [int(Opcode.END)] + [0] * (ROW_WORDS - 1)], np.int64))
    return Status(virtual_machine.run(header.address)), header.detail


@contextmanager
def emulated(target: str) -> Iterator[Emulator]:
    """Compile kernels for the target of this name and run them under qemu, in all threads, within the block."""
    emulator = Emulator(TARGETS[target])
    try:
        with using_target(TARGETS[target]):
            kernel_cache.load_by(emulator.load)
            virtual_machine.enter_by(EmulatedVM(emulator))
            _running.append(emulator)
            yield emulator
    finally:
        _running.clear()
        virtual_machine.enter_by(None)
        kernel_cache.load_by(None)
        emulator.close()


_running: list[Emulator] = []


def call_kernel(source: KernelSource, arrays: Sequence[np.ndarray[Any, Any]], dims: Sequence[int], hi: int) -> None:
    """Run a kernel over 0:hi on these arrays, on the CPU that kernels are made for."""
    if _running:
        spans = [(a.ctypes.data, a.nbytes, True) for a in arrays]
        _running[-1].run(source, [start for start, _, _ in spans], spans, [*dims, 0], 0, hi)
        return
    (address,), _code = kernel_cache.held([source])
    pointers = np.array([a.ctypes.data for a in arrays], np.int64)
    sizes = np.array([*dims, 0], np.int64)
    ctypes.CFUNCTYPE(None, *[ctypes.c_int64] * 4)(address)(pointers.ctypes.data, sizes.ctypes.data, 0, hi)
