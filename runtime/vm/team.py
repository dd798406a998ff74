"""The thread team: one pool for kernels and matrix products, started when work is first split.

Workers are Python daemon threads that stay inside one native function without the GIL. Work is claimed by
compare-and-swap on one word that packs (sequence, next chunk, chunk count): a worker that comes late sees another
sequence and its swap fails, so it never runs a stale job. The master works too. A second Python thread that finds
the team busy does its work alone. The native half is native_source/thread_team.py, a part of the VM.
"""

from __future__ import annotations

import atexit
import ctypes
import os
import sys
import threading
from collections.abc import Callable
from functools import lru_cache
from typing import Any

from ...base.errors import ArgumentError
from ...base.target import current_target
from . import blas
from .native_source.layout import WORKER_PC, HeaderWord, TeamWord

_MAX_THREADS = 1024
_SEMAPHORE_BYTES = 64


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
    """Start the workers that are missing, inside the VM's native function, which asks for this at a split."""
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
    library.realloc.restype = ctypes.c_void_p
    library.realloc.argtypes = (ctypes.c_void_p, ctypes.c_size_t)
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
    # Never freed: a thread may be inside the VM until the very end of the process.
    raw = c_library().calloc(1, 8 * TeamWord.COUNT + _SEMAPHORE_BYTES + 64)
    base = (int(raw) + 63) & ~63
    words = (ctypes.c_int64 * TeamWord.COUNT).from_address(base)
    for name, pointer in {**_system_pointers(), **blas.pointers()}.items():
        words[TeamWord[name.upper()]] = pointer
    words[TeamWord.SEMAPHORE] = _new_semaphore(base + 8 * TeamWord.COUNT)
    words[TeamWord.NAP_LENGTH] = 1 if sys.platform == "win32" else 100  # ms there, µs elsewhere
    words[TeamWord.THREADS] = threads
    words[TeamWord.SPINS] = current_target().threads.spins
    words[TeamWord.WORKER_HEADER + HeaderWord.PC] = WORKER_PC
    words[TeamWord.WORKER_HEADER + HeaderWord.TEAM] = base
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


_TEAM = _Team()
atexit.register(_TEAM.close)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_TEAM.after_fork)
