"""What went wrong in a run, in the user's terms: the line, and the index that was out of range."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from types import TracebackType
from typing import Any

import numpy as np

from ..base.errors import AxisError, VitrifyError
from ..base.stand_in_frames import lead_to
from ..ir.core import Operation, Value
from ..ir.walk import map_attrs
from ..ops.dims import evaluate
from ..ops.failing import label_outside

Array = np.ndarray[Any, Any]


def placed(operation: Operation, doing: str = "") -> AbstractContextManager[None]:
    """A context: errors from inside carry the line of the operation; those of the user's own code as a note.

    Their tracebacks show the user's frames that led to the operation when it was recorded, then their own.
    """
    return _Placed(operation, doing)


class _Placed:
    def __init__(self, operation: Operation, doing: str = "") -> None:
        self._operation, self._doing = operation, doing

    def __enter__(self) -> None:
        pass

    def __exit__(self, kind: object, error: BaseException | None, trace: TracebackType | None) -> None:
        if error is None or not isinstance(error, Exception):
            return
        loc = self._operation.loc
        if isinstance(error, VitrifyError):
            error.at(loc)
        elif note := "\n".join(text for text in (self._doing, loc.excerpt()) if text):
            error.add_note(note)
        is_raise = self._operation.attrs.get("callee", "").startswith("raise ")  # the exception's own frames are those
        error.__traceback__ = lead_to(loc, None if is_raise else trace)


def led_to(operation: Operation, error: BaseException) -> BaseException:
    """The error of an operation, with the user's frames that led there in its traceback."""
    return error.with_traceback(lead_to(operation.loc))


def bad_index(operation: Operation, known: Mapping[Value, Array], sizes: dict[str, int]) -> AxisError:
    """The error of a kernel that met an index out of range: found by running its operations one by one.

    known: what the kernel read, or what it wrote over that. The result names the index and the line where that can
    still be told.
    """
    inner, values = [operation], dict(known)
    if operation.name == "group":
        body = operation.blocks[0]
        values.update((a, known[v]) for a, v in zip(body.args, operation.operands, strict=True) if v in known)
        inner, yielded = body.operations[:-1], body.operations[-1].operands
        values.update((y, known[r]) for y, r in zip(yielded, operation.results, strict=True) if r in known)
    indexed = [o for o in inner if any(v.dtype.is_integer for v in o.operands[1:])]
    where = (indexed[0] if indexed else operation).loc
    for step in inner:
        if all(v in values for v in step.results):
            continue
        try:
            with np.errstate(all="ignore"):
                read = [values[v] if v in values else _unread(v, sizes) for v in step.operands]
                made = step.op.eager(*read, **map_attrs(step.attrs, sizes))
        except AxisError as error:
            if step.loc.labels_of:
                return label_outside(step.loc.labels_of, error, step.loc).with_traceback(lead_to(step.loc))
            words = error.message.rpartition(": ")[2]
            return AxisError(words, loc=step.loc, remedy=error.remedy).with_traceback(lead_to(step.loc))
        except Exception:  # broad: this only looks for a better message
            break
        results = made if isinstance(made, tuple) else (made,)
        values.update(zip(step.results, map(np.asarray, results), strict=True))
    remedy = "check the indices or labels given to this line"
    return AxisError("an index is outside its axis", loc=where, remedy=remedy).with_traceback(lead_to(where))


def left_of(read: Sequence[tuple[Value, Array]], made: Sequence[tuple[Value, Array]]) -> dict[Value, Array]:
    """What is known behind a kernel of what it read: what it wrote in the place of an input is there for that."""
    over = [(v, a) for v, a in made if any(np.may_share_memory(a, b) for _, b in read)]
    return dict([(v, a) for v, a in read if not any(np.may_share_memory(a, b) for _, b in made)] + over)


def _unread(value: Value, sizes: Mapping[str, int]) -> Array:
    """A constant; zeros for what a kernel writes into without reading it: its elements don't matter here."""
    made = value.operation
    if made is not None and made.name == "constant":
        array: Array = made.attrs["data"].array
        return array
    kind = value.tensor_type
    return np.zeros([int(evaluate(d, sizes)) for d in kind.shape], kind.dtype.numpy)
