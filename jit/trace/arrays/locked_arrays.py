"""NumPy arrays that the trace reaches from outside of its arguments.

They can't be written while it runs. The program takes their elements for constants: a write would be done once, and
never again. While the trace runs, they are read-only, which NumPy itself checks on every write.
"""

from __future__ import annotations

import dis
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from ....base.errors import CaptureError
from ....base.location import Loc
from ...tracebacks import innermost_place

_RAISE = dis.opmap["RAISE_VARARGS"]
_MOST_BYTES = 1 << 28  # of an array whose elements are kept to be compared


class Locked:
    """The arrays that are read-only for now."""

    def __init__(self) -> None:
        self.arrays: list[Any] = []
        self.copied: list[tuple[Any, Any]] = []  # those that can't be made read-only for a while, with their elements

    def add(self, array: Any) -> None:
        """Make an array read-only, if it can be made writable again; else keep its elements."""
        if not array.flags.writeable:
            return
        if can_be_locked(array):
            self.arrays.append(array)
            array.flags.writeable = False
        elif array.nbytes <= _MOST_BYTES and not any(known is array for known, _ in self.copied):
            self.copied.append((array, array.copy()))

    def free(self) -> None:
        """Make all writable again: those that own memory first."""
        for array in sorted(self.arrays, key=lambda a: a.base is not None):
            array.flags.writeable = True
        self.arrays.clear()

    @contextmanager
    def held(self) -> Iterator[None]:
        """For a whole trace: writes are refused, and at its end all is writable again."""
        try:
            with self.refusing():
                yield
            if self._restore():
                raise _refused_write(None)
        finally:
            self._restore()
            self.free()

    def _restore(self) -> bool:
        """Put the elements of arrays back that aren't read-only; whether any had changed."""
        changed = [(a, old) for a, old in self.copied if a.tobytes() != old.tobytes()]
        for array, old in changed:
            array[...] = old
        self.copied.clear()
        return bool(changed)

    @contextmanager
    def refusing(self) -> Iterator[None]:
        """Where a write fails for that, say what it is."""
        try:
            yield
        except ValueError as error:
            self.refuse(error)
            raise

    def refuse(self, error: BaseException) -> None:
        """CaptureError if this error comes from a write to one of the arrays."""
        if self.arrays and is_of_locked(error):
            raise _refused_write(innermost_place(error.__traceback__)) from None


def can_be_locked(array: Any) -> bool:
    """Whether an array that is made read-only can be made writable again."""
    last = array
    while isinstance(last.base, np.ndarray):
        last = last.base
    return bool(last.flags.owndata) or _is_writable(last.base)


def _is_writable(buffer: Any) -> bool:
    """Whether an array's memory is that of a writable buffer (a mapped file, a bytearray)."""
    try:
        with memoryview(buffer) as view:
            return not view.readonly
    except TypeError:
        return False


def _refused_write(loc: Loc | None) -> CaptureError:
    return CaptureError(
        "an array that isn't an argument is written in place: the program would do it only once",
        loc=loc,
        remedy="keep a tensor there, or pass the array as an argument and write `a[...] = ...`",
    )


def is_of_locked(error: BaseException) -> bool:
    """Whether NumPy has raised this for a read-only array: no `raise` statement did."""
    if not isinstance(error, ValueError):
        return False
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    if trace is None or trace.tb_frame.f_code.co_code[trace.tb_lasti] == _RAISE:
        return False
    return any(type(part) is str and "read-only" in part for part in error.args)  # texts of a run can't be looked into
