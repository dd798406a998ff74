"""NumPy arrays that captured code reaches from outside its arguments: they can't be written while it is captured.

The program takes their elements for constants, so a write would be done once, and never again. While the trace runs,
they are read-only, which NumPy itself checks on every write.
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
        last = array
        while isinstance(last.base, np.ndarray):
            last = last.base
        if not array.flags.writeable:
            return
        if last.flags.owndata or _is_writable(last.base):
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
                raise _refusal(None)
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
        if self.arrays and isinstance(error, ValueError) and _is_numpys(error):
            raise _refusal(innermost_place(error.__traceback__)) from None


def _is_writable(buffer: Any) -> bool:
    """Whether an array's memory is that of a writable buffer (a mapped file, a bytearray)."""
    try:
        with memoryview(buffer) as view:
            return not view.readonly
    except TypeError:
        return False


def _refusal(loc: Loc | None) -> CaptureError:
    return CaptureError(
        "an array that isn't an argument is written in place: the program would do it only once",
        loc=loc,
        remedy="keep a tensor there, or pass the array as an argument and write `a[...] = ...`",
    )


def _is_numpys(error: ValueError) -> bool:
    """Whether NumPy has raised this for a read-only array: no `raise` statement did."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    if trace is None or trace.tb_frame.f_code.co_code[trace.tb_lasti] == _RAISE:
        return False
    return any(type(part) is str and "read-only" in part for part in error.args)  # texts of a run can't be looked into
