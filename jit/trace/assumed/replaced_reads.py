"""Tensors that a function reads as Python values (`.item()`, `.numpy()`) and puts others in the place of.

What Python code reads of a tensor from outside is guarded, as a constant of the program. But the tensor of the next
call is another one: the program has to read it, as it reads those that are computed. So the function is traced again.
"""

from __future__ import annotations

from typing import Any

from ....base.errors import CaptureError
from ....base.pytree import flatten
from ....dygraph.number import Number
from ....dygraph.tensor import Tensor


class ReadsReplaced(CaptureError):
    """A trace has taken elements of such tensors for constants. cells: their identities."""

    def __init__(self, cells: frozenset[int], names: str) -> None:
        super().__init__(f"{names} is read as a Python value and replaced")
        self.cells = cells


def require_none(tracer: Any) -> None:
    """Errors: ReadsReplaced where a trace that has ended has taken elements for constants that aren't."""
    read = {id(x._storage): x.name for x, _ in tracer.reads if isinstance(x, Tensor) and type(x) is not Number}
    if not read:
        return
    found: set[int] = set()
    for _, _, before, after in tracer.objects.changes():
        found |= _cells(before) - _cells(after)  # what a list was given beside them leaves them where they are
    found |= _cells([grad for x, grad, _ in tracer.logs[0].grads.values() if x._grad is not grad])
    found &= read.keys()
    if found:
        raise ReadsReplaced(frozenset(found), ", ".join(read[cell] for cell in found))


def _cells(value: Any) -> set[int]:
    return {id(x._storage) for x in flatten(value, lambda v: isinstance(v, Tensor))[0] if isinstance(x, Tensor)}
