"""Programs from files at concrete sizes: whether every operation keeps its types when the symbols are numbers.

A program that was traced took its guesses about sizes from a run and carries them as constraints. A text may leave them
out, and claim that a slice of `32*N` elements fits into `N`: the verifier can't tell, and native code would read beyond
the memory. So a program from a text is checked once for each combination of sizes, before it runs.
"""

from __future__ import annotations

from collections.abc import Mapping

from ..base.errors import GuardError, VitrifyError
from ..ops.sizes import runtime_names
from ..ops.types import ListType
from .core import Operation, Program, is_list
from .dynamic_sizes import is_dynamic
from .walk import map_attrs, map_type, walk


def check_concrete(program: Program, sizes: Mapping[str, int]) -> None:
    """GuardError where an operation of the program can't have the type it claims, for these sizes."""
    known = dict(sizes)
    for operation in walk(program.body):
        values = [*operation.operands, *operation.results]
        skipped = (
            operation.blocks or operation.is_terminator or operation.op.family == "control" or is_dynamic(operation)
        )
        if operation.name == "list_push":
            _check_element(program, operation, known)
        elif not skipped and not any(is_list(v) or runtime_names(v.type) for v in values):
            _check(program, operation, known)


def _check_element(program: Program, operation: Operation, sizes: dict[str, int]) -> None:
    """What is put into a list is what will be taken out, unless only a run knows its size."""
    items, value = (v.type for v in operation.operands)
    if runtime_names(items) or runtime_names(value):
        return
    wanted, found = map_type(items, sizes), map_type(value, sizes)
    if not isinstance(wanted, ListType) or wanted.element != found:
        raise _misfit(program, operation, sizes, f"the value is {found}")


def _check(program: Program, operation: Operation, sizes: dict[str, int]) -> None:
    try:
        kinds = [map_type(v.type, sizes) for v in operation.operands]
        inferred = operation.op.infer(*kinds, **map_attrs(operation.attrs, sizes))
        claimed = tuple(map_type(r.type, sizes) for r in operation.results)
    except VitrifyError as error:
        raise _misfit(program, operation, sizes, error.message) from error
    made = inferred if isinstance(inferred, tuple) else (inferred,)
    if made != claimed:
        raise _misfit(program, operation, sizes, f"it makes {', '.join(map(str, made))}")


def _misfit(program: Program, operation: Operation, sizes: dict[str, int], reason: str) -> GuardError:
    shown = ", ".join(f"{name}={size}" for name, size in sizes.items()) or "any size"
    kinds = ", ".join(str(r.type) for r in operation.results)
    return GuardError(
        f"{program.name} doesn't hold for {shown}: `{operation.name}` is said to make {kinds}, but {reason}",
        loc=operation.loc,
    )
