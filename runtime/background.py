"""Compilation that nobody waits for: calls run on the interpreter until the kernels are there, then on the VM.

The program is optimised in a thread and its kernels are compiled in other processes (workers.py), both once the first
call has had its result, or a tenth of a second. A call switches over at its beginning, never in its middle. What goes
wrong meanwhile is raised by the next call.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from ..ir.core import Program
from ..ir.interpret import bind_sizes
from .interpreted import call_interpreted
from .options import CompileOptions

Array = np.ndarray[Any, Any]
HEAD_START = 0.1  # seconds that the first call has Python for itself


def compile_in_background(
    program: Program, callbacks: Mapping[str, Callable[..., Any]], options: CompileOptions
) -> BackgroundExecutable:
    """Start to compile a program, and give what runs it meanwhile."""

    def make() -> Any:
        from .compiler import compile_program  # loads LLVM, which the first result doesn't wait for

        return compile_program(program, callbacks=callbacks, options=options)

    return BackgroundExecutable(program, callbacks, make)


class BackgroundExecutable:
    """An Executable in the making; looking inside waits for it. `make` compiles, in a thread."""

    def __init__(self, program: Program, callbacks: Mapping[str, Callable[..., Any]], make: Callable[[], Any]):
        self.captured = program
        self.callbacks = callbacks
        self.native: Any = None
        self.failure: BaseException | None = None
        self._make_native = make
        self._first_result = threading.Event()
        self._thread = threading.Thread(target=self._work, daemon=True, name="vitrify-compile")
        self._thread.start()

    def _work(self) -> None:
        self._first_result.wait(HEAD_START)
        try:
            self.native = self._make_native()
        except BaseException as error:  # broad: whatever it is, the next call raises it
            self.failure = error

    def wait(self, timeout: float | None = None) -> Any:
        """The Executable, once it is made. Errors: those of compilation; TimeoutError."""
        self._first_result.set()
        self._thread.join(timeout)
        if self.failure is not None:
            raise self.failure
        if self.native is None:
            raise TimeoutError(f"{self.captured.name} isn't compiled yet")
        return self.native

    def bind(self, arrays: Sequence[Array]) -> Any:
        """Something that runs calls with these sizes: by the VM if that is ready."""
        if self.failure is not None:
            raise self.failure
        if self.native is not None:
            return self.native.bind(arrays)
        bind_sizes(self.captured, arrays)
        return InterpretedBound(self, [a.shape for a in arrays])

    def release(self, bound: Any) -> None:
        """Give back what `bind` gave."""
        if not isinstance(bound, InterpretedBound):
            self.native.release(bound)

    def run(self, feeds: Sequence[Array], state: Sequence[Array] = ()) -> list[Array]:
        """As Executable.run."""
        bound = self.bind([*feeds, *state])
        try:
            found: list[Array] = bound.call([np.asarray(a, order="C") for a in feeds], state)
            return found
        finally:
            self.release(bound)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.wait(), name)  # kernels, steps, plans, …: what only the finished executable has


class InterpretedBound:
    """Calls with one combination of sizes, interpreted at first. By one thread at a time, as a Bound."""

    __slots__ = ("_native", "executable", "shapes")

    def __init__(self, executable: BackgroundExecutable, shapes: Sequence[tuple[int, ...]]) -> None:
        self.executable, self.shapes = executable, shapes
        self._native: Any = None

    def call(self, feeds: Sequence[Array], state: Sequence[Array]) -> list[Array]:
        """Run once; state is written only after the whole program went well."""
        native = self._native
        if native is not None:
            return native.call(feeds, state)  # type: ignore[no-any-return]
        owner = self.executable
        if owner.failure is not None:
            raise owner.failure
        if owner.native is not None:
            self._native = owner.native.bind([*feeds, *state])
            return self._native.call(feeds, state)  # type: ignore[no-any-return]
        try:
            return call_interpreted(owner.captured, owner.callbacks, feeds, state)
        finally:
            owner._first_result.set()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._bound(), name)

    def _bound(self) -> Any:
        """A binding of the finished executable for these sizes, for reports."""
        if self._native is None:
            self._native = self.executable.wait().bind_shapes(self.shapes)
        return self._native
