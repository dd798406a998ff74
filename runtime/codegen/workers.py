"""Kernels compiled in processes of their own, so that several are compiled at once and Python isn't held up.

A helper is a fresh interpreter (nothing is forked) that reads sources as JSON lines and answers with object code. It
ends when it is told to, when its pipe closes, thus also when this process dies, and at the latest when this one exits.
"""

from __future__ import annotations

import atexit
import json
import os
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import asdict
from typing import IO, Any

from ...base.events import progress

MOST_HELPERS = 3
WORTH_A_HELPER = 6  # kernels: a helper spends the time of about three on starting
WORTH_AN_EARLY_HELPER = 150  # operations: their passes take about as long as a helper needs to start
PATIENCE = 0.2  # seconds to wait for a helper's last kernel until it is compiled here as well
_READY = b"vitrify compiles\n"
# Packages whose own imports a helper leaves out: it needs neither the rows of ops nor what users see.
_BARE = ("", ".ops", ".ir")
_BOOT = """
import sys, types
sys.path[:] = {path!r}
for name, folders in {bare!r}.items():
    sys.modules[name] = types.ModuleType(name)
    sys.modules[name].__path__ = folders
from {root}.runtime.kernel_cache import serve
serve()
"""
_running: set[Helper] = set()
_early: list[Helper] = []  # started before it was known how much there is to compile
Job = tuple[Any, str]  # a source, and the name that its code gets


class HelperError(RuntimeError):
    """A helper that didn't start, or ended before its time: what it had to do is done here instead."""


class Helper:
    """One process that compiles."""

    def __init__(self) -> None:
        root = __package__.rpartition(".runtime")[0]
        bare = {root + name: list(sys.modules[root + name].__path__) for name in _BARE}
        code = _BOOT.format(path=sys.path, bare=bare, root=root)
        environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1", "VITRIFY_NUM_THREADS": "1"}
        try:
            self._process = subprocess.Popen(
                [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL, env=environment,
            )  # fmt: skip
        except (OSError, ValueError, TypeError) as error:  # no interpreter is known where Python is embedded
            raise HelperError(str(error)) from error
        self._is_ready = False
        _running.add(self)

    def wait(self) -> None:
        """Until it has loaded what it needs and can compile."""
        taken = self._process.stdout
        assert taken is not None
        while not self._is_ready:  # a site's own start-up code may print
            try:
                line = taken.readline()
            except (OSError, ValueError) as error:
                raise HelperError(str(error)) from error
            if not line:
                raise HelperError("it ended while it was starting")
            self._is_ready = line == _READY

    def compile(self, source: Any, name: str) -> bytes | str:
        """Object code, or what was wrong with the source."""
        self.wait()
        given, taken = self._process.stdin, self._process.stdout
        assert given is not None
        assert taken is not None
        request = {"kind": type(source).__name__, "name": name, "source": asdict(source)}
        try:
            given.write(json.dumps(request).encode() + b"\n")
            given.flush()
            head = taken.readline()
            count, good = json.loads(head)
            content = taken.read(count)
        except (OSError, ValueError) as error:
            raise HelperError(str(error)) from error
        if len(content) != count:
            raise HelperError("it ended in the middle of an answer")
        return content if good else content.decode()

    def close(self) -> None:
        """End the process and wait for it."""
        _running.discard(self)
        given, taken = self._process.stdin, self._process.stdout
        try:
            if given is not None:
                given.write(b"\n")
                given.close()
        except OSError:  # it is gone already
            pass
        try:
            self._process.wait(2)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        if taken is not None:
            taken.close()

    def kill(self) -> None:
        """End the process at once, whatever it is doing."""
        self._process.kill()

    def forget(self) -> None:
        """After a fork: the process belongs to the parent."""
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                os.close(pipe.fileno())


def serve(given: IO[bytes], taken: IO[bytes], compile_one: Callable[[dict[str, Any]], bytes]) -> None:
    """What a helper does: answer requests until an empty line or the end of the input."""
    taken.write(_READY)
    taken.flush()
    for line in iter(given.readline, b""):
        if not line.strip():
            return
        try:
            answer, good = compile_one(json.loads(line)), True
        except Exception as error:  # broad: LLVM raises many kinds, and the asker has to hear of it
            answer, good = f"{type(error).__name__}: {error}".encode(), False
        taken.write(json.dumps([len(answer), good]).encode() + b"\n" + answer)
        taken.flush()


class _Work:
    """Sources that several threads compile: the longest first, so that the last ones end at about the same time."""

    def __init__(self, jobs: Sequence[Job]) -> None:
        self.made: dict[str, bytes] = {}
        self._waiting = deque(sorted(jobs, key=lambda job: len(job[0].body), reverse=True))
        self._begun: dict[str, Job] = {}  # by helpers
        self._helpers: list[Helper] = []
        self._is_over = False
        self._change = threading.Condition()

    def take(self) -> Job | None:
        """The next one that nobody has begun."""
        with self._change:
            return self._waiting.popleft() if self._waiting else None

    def take_begun(self) -> Job | None:
        """One that a helper has begun and doesn't finish; None once none is left."""
        with self._change:
            self._change.wait_for(lambda: not self._begun, PATIENCE)
            return self._begun.pop(next(iter(self._begun))) if self._begun else None

    def keep(self, job: Job, code: bytes) -> None:
        """Code that was compiled here."""
        self.made[job[1]] = code

    def help(self) -> None:
        """What the thread of a helper does."""
        try:
            helper = _early_one() or Helper()
        except HelperError:
            return
        try:
            if self._is_wanted(helper):
                self._drain(helper)
            else:
                helper.kill()
        except HelperError:
            return
        finally:
            helper.close()

    def _is_wanted(self, helper: Helper) -> bool:
        with self._change:
            self._helpers.append(helper)
            return not self._is_over

    def _drain(self, helper: Helper) -> None:
        helper.wait()  # until then whoever is ready gets on with the work
        while (job := self.take()) is not None:
            with self._change:
                self._begun[job[1]] = job
            try:
                answer = helper.compile(*job)
            finally:
                with self._change:
                    self._begun.pop(job[1], None)
                    self._change.notify_all()
            if isinstance(answer, bytes):
                self.made.setdefault(job[1], answer)

    def end(self) -> None:
        """Nothing more is wanted: helpers that are still starting, or at work, are stopped."""
        with self._change:
            self._waiting.clear()
            self._is_over = True
            for helper in self._helpers:
                helper.kill()


def compile_all(jobs: Sequence[Job], helpers: int, here: Callable[[Any, str], bytes] | None) -> dict[str, bytes]:
    """Object code by name for (source, name) pairs, by helpers and, where `here` is given, in this thread too.

    What no helper managed is missing from the result, so that whoever compiles it next meets the error. This thread
    never waits long for a helper: not until it has started, nor for one that is slow with the last kernel.
    """
    work = _Work(jobs)
    threads = [threading.Thread(target=work.help, daemon=True) for _ in range(helpers)]
    for thread in threads:
        thread.start()
    try:
        if here is not None:
            while (job := work.take() or work.take_begun()) is not None:
                work.keep(job, here(*job))
                progress("kernels", len(work.made), len(jobs))
            work.end()
    finally:
        if sys.exc_info()[0] is not None:
            work.end()
        for thread in threads:
            thread.join()
    return work.made


def helpers_for(kernels: int, background: bool) -> int:
    """How many helpers are worth starting: VITRIFY_COMPILE_PROCESSES at most, else as many as there are other cores."""
    most = _most_helpers()
    worth = max(kernels // WORTH_A_HELPER, len(_early) if kernels > 1 else 0)
    if background and not os.environ.get("VITRIFY_COMPILE_PROCESSES", ""):
        return max(1, min(most, worth))
    return min(most, worth)


def _most_helpers() -> int:
    chosen = os.environ.get("VITRIFY_COMPILE_PROCESSES", "")
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return int(chosen) if chosen.isdigit() else min(MOST_HELPERS, cores - 1)


def start_early(operations: int) -> None:
    """Start a helper for a program of so many operations that is about to go through its passes.

    While they run it starts, and is ready once there are kernels. `dismiss` ends it if it wasn't wanted.
    """
    if operations >= WORTH_AN_EARLY_HELPER and not _early and _most_helpers() > 0:
        try:
            _early.append(Helper())
        except HelperError:  # then nobody helps
            return


def dismiss() -> None:
    """End the helper that was started early and is still without work."""
    helper = _early_one()
    if helper is not None:
        helper.kill()
        helper.close()


def _early_one() -> Helper | None:
    try:
        return _early.pop()
    except IndexError:  # there is none, or another thread took it
        return None


def _kill_all() -> None:
    for helper in list(_running):
        helper.kill()


def _after_fork() -> None:
    for helper in list(_running):
        helper.forget()
    _running.clear()
    _early.clear()


atexit.register(_kill_all)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
