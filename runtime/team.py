"""The thread team: one pool for kernels and matrix products, started when work is first split.

Workers are Python daemon threads that stay inside one native function without the GIL. Work is claimed by
compare-and-swap on one word that packs (sequence, next chunk, chunk count): a worker that comes late sees another
sequence and its swap fails, so it never runs a stale job. The master works too. A second Python thread that finds
the team busy does its work alone. The native half is TEAM_TEXT, which the machine's text contains.
"""

from __future__ import annotations

import atexit
import ctypes
import os
import sys
import threading
from collections.abc import Callable
from enum import IntEnum
from functools import lru_cache
from typing import Any

from ..base.errors import ArgumentError
from . import blas

_SPINS = 5000  # of `pause`, before a worker sleeps: 0.1 to 0.25 ms, longer than the serial pieces of a training step
_MAX_THREADS = 1024
# What the machine looks for in a header; a negative PC makes the thread that enters a worker.
PC_WORD, TEAM_WORD, WORKER_PC = 1, 8, -1
_SEMAPHORE_BYTES = 64


class TeamWord(IntEnum):
    """The words of the team block. Those that threads fight over have a cache line of their own."""

    SGEMM = 0
    DGEMM = 1
    SGEMV = 2
    DGEMV = 3
    REALLOC = 4
    YIELD = 5
    WAIT = 6
    POST = 7
    SEMAPHORE = 8  # its address; 0: this platform has none, workers nap instead
    NAP = 9
    NAP_LENGTH = 10
    THREADS = 11  # wanted, the master included
    WORKERS = 12  # running
    STOP = 13
    SPINS = 14
    ROW = 15  # address of the instruction that is being split
    JOB = 16
    DONE = 24
    BUSY = 32
    SLEEPERS = 40
    WORKER_HEADER = 48  # the header (see machine.py) that every worker enters the machine with
    COUNT = 64


def set_num_threads(count: int) -> None:
    """Use this many threads, the calling one included, from the next split on."""
    if not 1 <= count <= _MAX_THREADS:
        raise ArgumentError(f"the number of threads must be between 1 and {_MAX_THREADS}, got {count}")
    _TEAM.resize(count)


def get_num_threads() -> int:
    """The number of threads that work is split among, at most."""
    return _TEAM.wanted


def block() -> int:
    """The address of the team block, the same for the life of the process."""
    return _TEAM.address


def start(enter: Callable[[int], int]) -> None:
    """Start the workers that are missing, inside the machine's native function, which asks for this at a split."""
    _TEAM.start(enter)


def stop() -> None:
    """End all workers and wait for them; the next split starts them anew."""
    _TEAM.stop()


@lru_cache(maxsize=1)
def c_library() -> Any:
    """The C library, with the few functions used here declared."""
    library = ctypes.CDLL("ucrtbase") if sys.platform == "win32" else ctypes.CDLL(None)
    library.calloc.restype = ctypes.c_void_p
    library.calloc.argtypes = (ctypes.c_size_t, ctypes.c_size_t)
    library.free.argtypes = (ctypes.c_void_p,)
    library.free.restype = None
    return library


def _default_threads() -> int:
    chosen = os.environ.get("VITRIFY_NUM_THREADS", "")
    if chosen.isdigit() and int(chosen) > 0:
        return min(int(chosen), _MAX_THREADS)
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


class _Team:
    def __init__(self) -> None:
        self.wanted = _default_threads()
        self._lock = threading.RLock()
        self._threads: list[threading.Thread] = []
        self._closed = False
        self._words: Any = None

    @property
    def address(self) -> int:
        return ctypes.addressof(self._block())

    def _block(self) -> Any:
        if self._words is None:
            with self._lock:
                if self._words is None:
                    self._words = _new_block(self.wanted)
        return self._words

    def start(self, enter: Callable[[int], int]) -> None:
        with self._lock:
            words = self._block()
            missing = 0 if self._closed else self.wanted - 1 - len(self._threads)
            try:
                for _ in range(missing):
                    self._threads.append(_start_worker(enter, self.address))
            except RuntimeError:  # threads cannot start while the interpreter shuts down
                self._closed = True
            words[TeamWord.WORKERS] = len(self._threads)
            if not self._threads:
                words[TeamWord.THREADS] = 1

    def stop(self) -> None:
        with self._lock:
            if not self._threads:
                return
            words = self._block()
            words[TeamWord.STOP] = 1
            for _ in self._threads:
                _post(words)
            for thread in self._threads:
                thread.join()
            self._forget_workers()

    def resize(self, count: int) -> None:
        with self._lock:
            self.stop()
            self.wanted = count
            if self._words is not None:
                self._words[TeamWord.THREADS] = count

    def close(self) -> None:
        """At exit: no native thread may be running while the interpreter takes itself apart."""
        self._closed = True
        self.resize(1)

    def after_fork(self) -> None:
        """In the child: the workers and whoever held the lock or the team are gone."""
        self._lock = threading.RLock()
        if self._words is not None:
            self._words[TeamWord.BUSY] = 0
            self._words[TeamWord.JOB] = 0
            self._forget_workers()

    def _forget_workers(self) -> None:
        words = self._words
        self._threads = []
        for word in (TeamWord.STOP, TeamWord.WORKERS, TeamWord.SLEEPERS):
            words[word] = 0
        # Posts that nobody waited for go with the old count.
        if words[TeamWord.SEMAPHORE]:
            c_library().sem_init(ctypes.c_void_p(words[TeamWord.SEMAPHORE]), 0, 0)


def _new_block(threads: int) -> Any:
    # Never freed: a thread may be inside the machine until the very end of the process.
    raw = c_library().calloc(1, 8 * TeamWord.COUNT + _SEMAPHORE_BYTES + 64)
    base = (int(raw) + 63) & ~63
    words = (ctypes.c_int64 * TeamWord.COUNT).from_address(base)
    for name, pointer in {**_system_pointers(), **blas.pointers()}.items():
        words[TeamWord[name.upper()]] = pointer
    words[TeamWord.SEMAPHORE] = _new_semaphore(base + 8 * TeamWord.COUNT)
    words[TeamWord.NAP_LENGTH] = 1 if sys.platform == "win32" else 100  # ms there, µs elsewhere
    words[TeamWord.THREADS] = threads
    words[TeamWord.SPINS] = _SPINS
    words[TeamWord.WORKER_HEADER + PC_WORD] = WORKER_PC
    words[TeamWord.WORKER_HEADER + TEAM_WORD] = base
    return words


def _system_pointers() -> dict[str, int]:
    library = c_library()
    if sys.platform == "win32":
        kernel = ctypes.CDLL("kernel32")
        found = {"realloc": library.realloc, "yield": kernel.SwitchToThread, "nap": kernel.Sleep}
    else:
        found = {"realloc": library.realloc, "yield": library.sched_yield, "nap": library.usleep}
        if sys.platform.startswith("linux"):
            found |= {"wait": library.sem_wait, "post": library.sem_post}
    return {name: ctypes.cast(function, ctypes.c_void_p).value or 0 for name, function in found.items()}


def _new_semaphore(address: int) -> int:
    # macOS has sem_init, but it always fails there.
    if not sys.platform.startswith("linux"):
        return 0
    failed = c_library().sem_init(ctypes.c_void_p(address), 0, 0)
    return 0 if failed else address


def _post(words: Any) -> None:
    if words[TeamWord.SEMAPHORE]:
        c_library().sem_post(ctypes.c_void_p(words[TeamWord.SEMAPHORE]))


def _start_worker(enter: Callable[[int], int], address: int) -> threading.Thread:
    header = address + 8 * TeamWord.WORKER_HEADER
    thread = threading.Thread(target=enter, args=(header,), daemon=True, name="vitrify-worker")
    thread.start()
    return thread


# Offsets in bytes, as constants of the native text: TEAM_JOB = 128, ...
_OFFSETS = "".join(f"TEAM_{word.name} = {8 * word}\n" for word in TeamWord)

TEAM_TEXT = (
    _OFFSETS
    + '''
ROW_MAJOR = 101
AS_IS = 111
TRANSPOSED = 112


@helper
def has_work(team):
    """Whether the job has a chunk that nobody has claimed."""
    word = atomic_load(team + TEAM_JOB)
    return ((word >> 16) & 0xFFFF) < (word & 0xFFFF)


@helper
def part(lo, hi, chunk, chunks, grain):
    """The bounds of one chunk of a range; long ranges are cut at multiples of the grain."""
    step = (hi - lo + chunks - 1) // chunks
    if step >= grain:
        step = (step + grain - 1) // grain * grain
    first = min(lo + step * chunk, hi)
    return first, min(first + step, hi)


@helper
def multiply_one(team, single, block, m, n, a, b, c):
    """One product m x n; a matrix times a vector goes to gemv."""
    k = load(block + 16)
    turn_a = load(block + 24)
    turn_b = load(block + 32)
    lda = load(block + 40)
    ldb = load(block + 48)
    ldc = load(block + 56)
    alpha = load_f64(block + 152)
    beta = load_f64(block + 160)
    # gemv leaves its result alone when k is 0.
    if k > 0 and n == 1:
        rows, columns, flag = m, k, AS_IS
        if turn_a != 0:
            rows, columns, flag = k, m, TRANSPOSED
        step = ldb
        if turn_b != 0:
            step = 1
        multiply_vector(team, single, flag, rows, columns, alpha, a, lda, b, step, beta, c, ldc)
        return
    if k > 0 and m == 1:
        rows, columns, flag = k, n, TRANSPOSED
        if turn_b != 0:
            rows, columns, flag = n, k, AS_IS
        step = 1
        if turn_a != 0:
            step = lda
        multiply_vector(team, single, flag, rows, columns, alpha, b, ldb, a, step, beta, c, 1)
        return
    flag_a = AS_IS
    if turn_a != 0:
        flag_a = TRANSPOSED
    flag_b = AS_IS
    if turn_b != 0:
        flag_b = TRANSPOSED
    if single:
        call_gemm32(load(team + TEAM_SGEMM), ROW_MAJOR, flag_a, flag_b, m, n, k, f32(alpha), a, lda, b, ldb,
                    f32(beta), c, ldc)
    else:
        call_gemm64(load(team + TEAM_DGEMM), ROW_MAJOR, flag_a, flag_b, m, n, k, alpha, a, lda, b, ldb,
                    beta, c, ldc)


@helper
def multiply_vector(team, single, flag, rows, columns, alpha, a, lda, x, x_step, beta, y, y_step):
    """y = alpha op(a) x + beta y."""
    if single:
        call_gemv32(load(team + TEAM_SGEMV), ROW_MAJOR, flag, rows, columns, f32(alpha), a, lda, x, x_step,
                    f32(beta), y, y_step)
    else:
        call_gemv64(load(team + TEAM_DGEMV), ROW_MAJOR, flag, rows, columns, alpha, a, lda, x, x_step,
                    beta, y, y_step)


@helper
def multiply(team, single, block, chunk, chunks):
    """One chunk of a batch of products: some of the batch when it is long enough, else a slab of each product."""
    size = 8
    if single:
        size = 4
    m = load(block)
    n = load(block + 8)
    inner = load(block + 120)
    first, last = 0, load(block + 88) * inner
    m_first, m_last, n_first, n_last = 0, m, 0, n
    if last >= chunks:
        first, last = part(first, last, chunk, chunks, 1 << 62)
    elif m >= n or m >= 96:
        # OpenBLAS walks rows by 24 (f32): cut there, each element is summed as in the whole product.
        step = max(1, (m // chunks + 24) // 48) * 48
        m_first = min(m, step * chunk)
        if chunk + 1 < chunks:
            m_last = min(m, m_first + step)
    else:
        n_first, n_last = part(0, n, chunk, chunks, 64)
    if m_first >= m_last or n_first >= n_last:
        return
    a_row, b_column = load(block + 40), 1
    if load(block + 24) != 0:
        a_row = 1
    if load(block + 32) != 0:
        b_column = load(block + 48)
    a = load(block + 64) + size * m_first * a_row
    b = load(block + 72) + size * n_first * b_column
    c = load(block + 80) + size * (m_first * load(block + 56) + n_first)
    for which in range(first, last):
        x, y = which // inner, which % inner
        multiply_one(team, single, block, m_last - m_first, n_last - n_first,
                     a + size * (x * load(block + 96) + y * load(block + 128)),
                     b + size * (x * load(block + 104) + y * load(block + 136)),
                     c + size * (x * load(block + 112) + y * load(block + 144)))


@helper
def run_chunk(team, row, chunk, chunks):
    """One chunk of a KERNEL (opcode 1) or a GEMM32 or GEMM64 (2, 3)."""
    opcode = load(row)
    if opcode == 1:
        lo, hi = part(load(row + 32), load(row + 40), chunk, chunks, 64)
        if lo < hi:
            call_kernel(load(row + 8), load(row + 16), load(row + 24), lo, hi)
    else:
        multiply(team, opcode == 2, load(row + 8), chunk, chunks)


@helper
def work(team):
    """Claim and run chunks until none is left."""
    while True:
        word = atomic_load(team + TEAM_JOB)
        chunk = (word >> 16) & 0xFFFF
        chunks = word & 0xFFFF
        if chunk >= chunks:
            return
        # Valid if the swap succeeds: then this job still has a chunk to do, so its master has not gone on.
        row = atomic_load(team + TEAM_ROW)
        if compare_and_swap(team + TEAM_JOB, word, word + 0x10000):
            run_chunk(team, row, chunk, chunks)
            atomic_add(team + TEAM_DONE, 1)

@helper
def withdraw(team):
    """Take back the promise to sleep; false when a post for it is on its way."""
    while True:
        sleepers = atomic_load(team + TEAM_SLEEPERS)
        if sleepers <= 0:
            return False
        if compare_and_swap(team + TEAM_SLEEPERS, sleepers, sleepers - 1):
            return True


@helper
def rouse(team):
    """Whether a worker has a reason to be awake."""
    return has_work(team) or atomic_load(team + TEAM_STOP) != 0


@helper
def sleep(team):
    """Wait for a post, or a moment where there are no semaphores."""
    semaphore = load(team + TEAM_SEMAPHORE)
    if semaphore == 0:
        call_i(load(team + TEAM_NAP), load(team + TEAM_NAP_LENGTH))
        return
    atomic_add(team + TEAM_SLEEPERS, 1)
    # The master publishes first and looks for sleepers second; this is the other order, so one sees the other.
    if rouse(team) and withdraw(team):
        return
    while call_p(load(team + TEAM_WAIT), semaphore) != 0:
        pass  # a signal came


@helper
def worker(team):
    """What each worker does until it is told to stop."""
    while atomic_load(team + TEAM_STOP) == 0:
        work(team)
        spins = 0
        while spins < load(team + TEAM_SPINS) and not rouse(team):
            pause()
            spins += 1
        if not rouse(team):
            sleep(team)
    return 0
'''
)

_TEAM = _Team()
atexit.register(_TEAM.close)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_TEAM.after_fork)
