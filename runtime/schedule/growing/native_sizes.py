"""Which operations over sizes that only a run knows are kernels whatever these sizes are."""

from __future__ import annotations

from collections.abc import Iterator

from ....ir.core import Operation
from ....ir.dynamic_sizes import defined, fits_any_size, mentioned
from ....ir.walk import walk
from ....ops.dims import Dim, DimLike
from ....ops.effects import Effect
from ....ops.lowering import Custom, Host, Library
from ....ops.sizes import is_plain, runtime_names
from ....ops.types import ListType, TensorType
from ....passes.fusion.custom_gemm import is_gemv
from ....passes.fusion.fusion_facts import is_native
from ...lower.registry import has_generator

COPIES = {"index.concat"}  # lowerings that become copies, without a kernel of their own


def parts_of(operation: Operation) -> list[Operation]:
    """The operations of a group, but for constants; one that is none."""
    if operation.name != "group":
        return [operation]
    return [o for o in walk(operation.blocks[0]) if not o.is_terminator and o.name != "constant"]


def names_of(operation: Operation) -> set[str]:
    """The sizes in an operation that only a run knows."""
    found: set[str] = set()
    for part in parts_of(operation):
        found |= mentioned(part).union(*(runtime_names(v.type) for v in part.operands))
    return found


def runs_natively(operation: Operation) -> bool:
    """Whether native code can do an operation once its sizes are known."""
    parts = parts_of(operation)
    return bool(parts) and all(map(_part_runs_natively, parts))


def _part_runs_natively(operation: Operation) -> bool:
    lowering = operation.op.lowering
    if operation.blocks or operation.op.effect is not Effect.PURE or operation.op.family == "control":
        return False
    if isinstance(lowering, Host) or not is_native(operation) or defined(operation):
        return False
    return not isinstance(lowering, Custom) or lowering.name in COPIES or has_generator(lowering.name, operation)


def is_native_for_any_size(operation: Operation) -> bool:
    """Whether native code does an operation whatever its sizes are: nothing about them has to be checked, and no
    library is called, whose parameters depend on them.
    """
    if not runs_natively(operation):
        return False
    parts = parts_of(operation)
    return not any(map(_calls_library, parts)) and all(_divides_by_numbers(p) and fits_any_size(p) for p in parts)


def tells_its_sizes(operation: Operation) -> bool:
    """Whether the results of an operation of the host have the sizes that their types say, or say what these are."""
    if operation.blocks and operation.name != "group":
        own = defined(operation)
        return all(runtime_names(d) <= own and is_plain(d) for d in _open_dims(operation))
    return all(map(fits_any_size, parts_of(operation)))


def _open_dims(operation: Operation) -> Iterator[DimLike]:
    for result in operation.results:
        kind = result.type.element if isinstance(result.type, ListType) else result.type
        if isinstance(kind, TensorType):
            yield from (d for d in kind.shape if runtime_names(d))


def _calls_library(operation: Operation) -> bool:
    return isinstance(operation.op.lowering, Library) and not is_gemv(operation)


def _divides_by_numbers(operation: Operation) -> bool:
    """Whether no size in it is divided by one that may be 0."""
    kinds = [v.type for v in (*operation.operands, *operation.results)]
    dims = [d for kind in kinds if isinstance(kind, TensorType) for d in kind.shape]
    return all(map(_is_positive, _divisors((*dims, *operation.attrs.values()))))


def _is_positive(dim: object) -> bool:
    known = dim.evaluate({}) if isinstance(dim, Dim) else dim
    return isinstance(known, int) and known > 0


def _divisors(thing: object) -> Iterator[Dim]:
    if isinstance(thing, tuple):
        for part in thing:
            yield from _divisors(part)
    elif isinstance(thing, Dim):
        for monomial, _ in thing.terms:
            for atom in monomial:
                if not isinstance(atom, str):
                    if atom[0] == "//":
                        yield atom[2]
                    yield from _divisors(atom[1:])
