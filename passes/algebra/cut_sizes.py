"""What a slice between known bounds takes of an axis follows from the size of the axis, whatever that is in a run.

A slice of an array whose size only a run knows (`x[:-1]` of what a mask picked) is recorded with a size of a new name,
as bounds outside of the axis are cut off. Two such slices couldn't be told to fit each other, and would run on NumPy,
with all that is made of them. As a size that is computed, `max(u1-1,0)`, it is a size of kernels.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from ...base.errors import VitrifyError
from ...ir.builder import ahead_of
from ...ir.core import Operation, Program, is_list
from ...ir.dynamic_sizes import defined, is_dynamic, makes_what_it_says
from ...ir.known_numbers import known_number
from ...ir.walk import clone_program, put_sizes, walk
from ...ops.dims import DimLike, deciding, same_dim
from ...ops.op import OPS
from ...ops.sizes import runtime_names, taken_of
from ..manager import Pass

_OPEN = np.iinfo(np.int64)  # its ends stand for bounds left open


@dataclass(frozen=True)
class CutSizes(Pass):
    """Put `slice` and `slice_update` for `slice_between` and `put_between` with known bounds, outside of loops and
    branches, and in programs whose loops and branches carry no array of such a size: the VM cuts those in its lists.

    Only where all operations then say their sizes rightly, whatever these are.
    """

    name = "cut_sizes"

    def run(self, program: Program) -> bool:
        if not any(o.name in _MEANINGS for o in program.body.operations) or any(map(_carries_open, walk(program.body))):
            return False
        tried = clone_program(program)
        if not (_replaced(tried) and _says_its_sizes(tried)):
            return False
        return _replaced(program)


def _replaced(program: Program) -> bool:
    """Put the known sizes, and types that follow from them; whether there were any."""
    changed = False
    for operation in [o for o in program.body.operations if o.name in _MEANINGS]:
        bounds = _taken(operation)
        if bounds is not None and _MEANINGS[operation.name](program, operation, *bounds):
            operation.erase()
            changed = True
    for operation in walk(program.body) if changed else ():
        if is_dynamic(operation) and not operation.blocks and operation.op.family != "control":
            _retype(operation)
    return changed


def _retype(operation: Operation) -> None:
    """Give the results the types that follow from the operands' if these fit."""
    try:
        with deciding(lambda relation, dim: True):
            made = operation.op.infer(*[v.type for v in operation.operands], **operation.attrs)
    except VitrifyError:
        return
    for result, kind in zip(operation.results, made if isinstance(made, tuple) else (made,), strict=True):
        result.type = kind


def _says_its_sizes(program: Program) -> bool:
    """Whether every operation makes what its type says, or fails, or defines the size: sizes that are only taken to be
    equal (`x[a] + x[b]`, where one may be repeated) say nothing of how long what is cut is.
    """
    for operation in walk(program.body):
        if not is_dynamic(operation) or operation.blocks or operation.op.family == "control" or defined(operation):
            continue
        dims = [d for r in operation.results for d in getattr(r.type, "shape", ())]
        if any(map(runtime_names, dims)) and not makes_what_it_says(operation):
            return False
    return True


def _carries_open(operation: Operation) -> bool:
    """Whether a loop, a branch, a function or a list has to do with an array of a size that only a run knows."""
    if not operation.blocks:
        return any(is_list(v) and runtime_names(v.type) for v in operation.results)
    touched = [*operation.operands, *operation.results]
    for block in operation.blocks:
        touched += [*block.args, *block.yields]
    return any(runtime_names(v.type) for v in touched)


def _taken(operation: Operation) -> tuple[DimLike, DimLike] | None:
    """Where what is cut begins, and its size."""
    x, *_ = operation.operands
    ends = [known_number(v) for v in operation.operands[-2:]]
    if operation.attrs["step"] != 1 or any(type(n) is not int for n in ends):
        return None
    start, stop = (None if n in (_OPEN.min, _OPEN.max) else n for n in ends)
    return taken_of(x.shape[operation.attrs["axis"]], start, stop)


def _cut(program: Program, operation: Operation, start: DimLike, count: DimLike) -> bool:
    (name,), axis = operation.attrs["defines"], operation.attrs["axis"]
    x = operation.operands[0]
    sizes = [count if k == axis else d for k, d in enumerate(x.shape)]
    with ahead_of(operation).active():
        made = OPS["slice"](x, starts=_on(axis, start, x.ndim), sizes=tuple(sizes), strides=(1,) * x.ndim)
    operation.result.replace_by(made)
    put_sizes(program, {str(name): count})
    return True


def _put(program: Program, operation: Operation, start: DimLike, count: DimLike) -> bool:
    x, value, *_ = operation.operands
    axis = operation.attrs["axis"]
    if not same_dim(value.shape[axis], count):
        return False
    with ahead_of(operation).active():
        made = OPS["slice_update"](x, value, starts=_on(axis, start, x.ndim), strides=(1,) * x.ndim)
    operation.result.replace_by(made)
    return True


def _on(axis: int, start: DimLike, rank: int) -> tuple[DimLike, ...]:
    return tuple(start if k == axis else 0 for k in range(rank))


_MEANINGS: Mapping[str, Callable[[Program, Operation, DimLike, DimLike], bool]] = {
    "slice_between": _cut, "put_between": _put,
}  # fmt: skip
