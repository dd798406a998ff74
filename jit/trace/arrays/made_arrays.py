"""NumPy arrays that captured code makes (`np.zeros(3)`) and fills with elements of a run.

They are Python's own, as their elements are known. Some writes they can't take: of an element, or to a place, that only
a run knows; and under a condition of the program, or in a loop of it, where a write to Python's array would be done
whether the run gets there or not. Then the function is captured again, and what NumPy gives at that line stands for an
array of the run.
"""

from __future__ import annotations

import dis
import weakref
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from types import CodeType
from typing import Any, TypeAlias

import numpy as np

from ....base.dtype import DType, as_dtype
from ....base.errors import CaptureError, KindError, VitrifyError
from ....base.location import caller_loc
from ....base.pytree import flatten
from ....dygraph.given_array import GivenArray, given_array
from ....dygraph.tensor import Tensor
from ....ops.op import OPS
from ...tracebacks import innermost_frame, innermost_place
from ..state.escapes import origins_in
from .locked_arrays import can_be_locked, is_of_locked

Array: TypeAlias = "np.ndarray[Any, Any]"
Place: TypeAlias = tuple[str, int]  # a file and a line

_MOST_LISTED = 16  # elements of a constant that are written out, though they are equal
_ITEMS = {dis.opmap[name] for name in ("STORE_SUBSCR", "BINARY_SUBSCR") if name in dis.opmap}
_OPERATION = dis.opmap["BINARY_OP"]
_ON_ITEMS = range(13, 27)  # of these: the operators that write in place, and from Python 3.14 on `a[k]`
_WORDS = "a NumPy array is written under a condition of the program, or in a loop of it, and was made before that"
_REMEDY = (
    "make it by a function of NumPy in the captured code (`np.zeros(3)`, `a.copy()`), pass it as an argument, or use "
    "a tensor"
)


class FilledArray(CaptureError):
    """A write that Python's own arrays can't take. places: the lines where calls make these arrays."""

    def __init__(self, message: str, places: frozenset[Place], **where: Any) -> None:
        super().__init__(message, **where)
        self.places = places


class MadeArrays:
    """The arrays that calls have given in one capture.

    filled: the lines where calls give arrays of the run, as an earlier attempt has learnt.
    """

    def __init__(self) -> None:
        self.filled: frozenset[Place] = frozenset()
        self._made: dict[int, tuple[weakref.ref[Array], Place]] = {}
        self._known: set[Place] = set()  # where these were made, those that are gone, too
        # whose memory was read-only while code ran that a run may leave out, or do again; views that it cut still are
        self._locked: dict[int, weakref.ref[Array]] = {}

    def of_call(self, tracer: Any, fn: Any, args: Sequence[Any], made: Array) -> Array | GivenArray:
        """What a call gave."""
        dtype = _dtype_of_new(fn, args, made)
        if dtype is None:
            return made
        loc = caller_loc()
        if (loc.file, loc.line) in self.filled:
            return _of_run(tracer, made, dtype)
        self._made[id(made)] = weakref.ref(made), (loc.file, loc.line)
        self._known.add((loc.file, loc.line))
        return made

    @contextmanager
    def held(self, arrays: Iterable[Array], values: Sequence[Any], statement: Any) -> Iterator[None]:
        """While code runs that may run again, or not at all: the arrays that it reaches, or that values of its
        variables hold, can't be written. statement: it is a statement of a function; others stand before and behind it.
        """
        found = [*arrays, *(a for v in values for a in flatten(v, _is_array)[0])]
        found = [a for a in found if a.flags.writeable and not (a.dtype.hasobject and statement is not None)]
        locked = list({id(a): a for a in found if can_be_locked(a)}.values())
        for array in locked:
            array.flags.writeable = False
            self._locked[id(_root(array))] = weakref.ref(_root(array))
        try:
            yield
        finally:
            for array in sorted(locked, key=lambda a: a.base is not None):  # those that own memory first
                array.flags.writeable = True

    def refuse(
        self, error: BaseException, hidden: BaseException | None, arrays: Sequence[Array] | None, *, has_outside: bool
    ) -> None:  # fmt: skip
        """Raise what an error stands for that a write to an array has raised.

        hidden: the refusal of an element that is behind it. arrays: those that are written; None: the line tells.
        has_outside: others are read-only, too, since they are from outside.
        """
        is_locked = bool(self._locked) and is_of_locked(error)
        if isinstance(error, FilledArray) or (hidden is None and not is_locked):
            return
        arrays = _written_at(error) if arrays is None else arrays
        places = frozenset() if arrays is None else self._places(arrays)
        if isinstance(hidden, CaptureError) and places:
            made = FilledArray(hidden.message, places, loc=hidden.loc, remedy=hidden.remedy)
            if (origins := origins_in(hidden)) is not None:
                made.origins = origins  # type: ignore[attr-defined]
            raise made from error
        if hidden is not None and hidden is not error:
            raise hidden from error
        may_be_outside = has_outside and (arrays is None or any(map(self._is_outside, arrays)))
        if hidden is None and (places or not may_be_outside):
            raise FilledArray(_WORDS, places, loc=innermost_place(error.__traceback__), remedy=_REMEDY) from None

    def carry(self, *values: Any) -> None:
        """What a variable is before a loop and after an iteration. Errors: FilledArray for arrays."""
        arrays = [x for x in values if isinstance(x, np.ndarray)]
        places = self._places(arrays) if arrays else frozenset()
        if places:
            words = "a NumPy array is another one after an iteration of a loop of the program"
            raise FilledArray(words, places, loc=caller_loc(), remedy=_REMEDY)

    def _places(self, arrays: Sequence[Array]) -> frozenset[Place]:
        """The lines where these were made, or what they are views of; all lines for what arithmetic has made."""
        found: set[Place] = set()
        for array in arrays:
            if self._is_outside(array):
                continue
            known = self._place(array)
            found |= self._known if known is None else {known}
        return frozenset(found if arrays else self._known)

    def _place(self, array: Any) -> Place | None:
        while isinstance(array, np.ndarray):
            made, place = self._made.get(id(array), (None, None))
            if made is not None and made() is array:
                return place
            array = array.base
        return None

    def _is_outside(self, array: Array) -> bool:
        """Whether it is one from outside of the function, which is read-only while that is captured."""
        known = self._locked.get(id(_root(array)))
        return not array.flags.writeable and (known is None or known() is not _root(array))


def _root(array: Array) -> Array:
    """The array that has the memory of a view."""
    while isinstance(array.base, np.ndarray):
        array = array.base
    return array


def _dtype_of_new(fn: Any, args: Sequence[Any], made: Array) -> DType | None:
    """The dtype of an array that a call of NumPy, or a tensor's or array's method, has made; None for another."""
    if made.base is not None or not made.flags.writeable or any(made is a for a in args):
        return None
    owner = getattr(fn, "__self__", None)
    is_method = isinstance(owner, (np.ndarray, Tensor)) and owner is not made
    if not (is_method or isinstance(fn, np.ufunc) or str(getattr(fn, "__module__", "")).partition(".")[0] == "numpy"):
        return None
    try:
        return as_dtype(made.dtype)
    except KindError:  # of objects, texts, times
        return None


def _of_run(tracer: Any, array: Array, dtype: DType) -> GivenArray:
    """What stands for an array of the run that has these elements."""
    line = array.reshape(-1)
    if array.size > _MOST_LISTED and array.dtype.kind in "biuf" and line.tobytes() == line[:1].tobytes() * array.size:
        return given_array(OPS["full"](array.shape, line[0].item(), dtype).detach())
    return given_array(tracer.constant(array, None).detach())


@contextmanager
def refusing(tracer: Any) -> Iterator[None]:
    """Where a write to an array fails, say what it is."""
    try:
        yield
    except Exception as error:  # broad: whatever C code makes of a refusal
        refuse(tracer, error)
        raise


def refuse(tracer: Any, error: BaseException) -> None:
    """Raise what an error stands for that may come from a write to an array, or hide a refusal."""
    tracer.arrays.refuse(error, _hidden(tracer, error), None, has_outside=bool(tracer.objects.locked.arrays))
    tracer.objects.locked.refuse(error)


def _hidden(tracer: Any, error: BaseException) -> BaseException | None:
    """The refusal that an error is, that C code says it came from, or that the same line has led to."""
    cause: BaseException | None = error
    while cause is not None and cause not in tracer.refusals:
        cause = None if isinstance(cause, VitrifyError) else cause.__cause__
    if cause is not None or isinstance(error, VitrifyError) or not tracer.refusals:
        return cause
    last, found = tracer.refusals[-1], innermost_frame(error.__traceback__)
    if found is None or last.__traceback__ is None or not _is_of_items(found.tb_frame.f_code, found.tb_lasti):
        return None
    return last if last.__traceback__.tb_frame.f_back is found.tb_frame else None


def written_by(fn: Any, args: Sequence[Any], kwargs: dict[str, Any]) -> list[Array]:
    """The arrays that a call may write: whose method it is, the first argument, and `out=`."""
    parts = (getattr(fn, "__self__", None), *args[:1], kwargs.get("out"))
    return [x for x in parts if isinstance(x, np.ndarray)]


def _written_at(error: BaseException) -> list[Array] | None:
    """The arrays that a line names which reads or writes an item, or writes in place; None where none does that."""
    found = innermost_frame(error.__traceback__)
    if found is None or not _is_of_items(found.tb_frame.f_code, found.tb_lasti):
        return None
    known = found.tb_frame.f_locals
    steps = dis.get_instructions(found.tb_frame.f_code)
    on_line = (s for s in steps if s.positions is not None and s.positions.lineno == found.tb_lineno)
    names = {s.argval for s in on_line if s.opname.startswith("LOAD") and isinstance(s.argval, str)}
    return [x for name in sorted(names) if isinstance(x := known.get(name), np.ndarray)]


def _is_of_items(code: CodeType, at: int) -> bool:
    step = code.co_code[at]
    return step in _ITEMS or (step == _OPERATION and code.co_code[at + 1] in _ON_ITEMS)


def _is_array(x: object) -> bool:
    return isinstance(x, np.ndarray)
