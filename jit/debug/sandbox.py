"""Runs of the user's function that leave no trace: tensors, gradients and Python objects are put back afterwards."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from ...dygraph import storage as cells
from ...dygraph.tensor import Tensor
from ..compiling import tracing_lock
from ..trace.state.rollback import Objects
from ..trace.state.write_log import Log


@contextmanager
def undone(roots: Iterable[Any], tensors: Iterable[Tensor] = ()) -> Iterator[None]:
    """Undo what eager code inside the block writes: tensors, their `.grad`, and objects that the roots reach.

    tensors: those whose memory compiled code may write, which says nothing of it.
    """
    log, objects = Log(), Objects(own=())
    objects.add(roots)
    with tracing_lock:  # a trace watches writes, too
        before = cells.on_write, cells.on_grad_write

        def on_write(x: Tensor) -> None:
            log.write(x)
            log.write_eagerly(x)

        for x in tensors:
            on_write(x)
            log.write_grad(x)
        cells.on_write, cells.on_grad_write = on_write, lambda x, _: log.write_grad(x)
        try:
            yield
        finally:
            cells.on_write, cells.on_grad_write = before
            unchanged = [key for key, (cell, copy) in log.arrays.items() if _is_as_before(cell, copy, log)]
            for key in unchanged:
                del log.arrays[key]
            log.undo()
            objects.undo(keep_new=False)


def _is_as_before(cell: cells.Storage, copy: Any, log: Log) -> bool:
    """Whether the array that the cell had is as it was: then the cell keeps it, and with it its address."""
    known = log.storages.get(id(cell))
    array = cell.payload if known is None else known[1]
    return isinstance(array, np.ndarray) and array.tobytes() == copy.tobytes()
