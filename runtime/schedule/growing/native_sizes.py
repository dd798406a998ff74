"""Which operations over sizes that only a run knows are kernels whatever these sizes are."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ....ir.core import Operation
from ....ir.dynamic_sizes import bounds_of, defined, fits_any_size, makes_what_it_says, mentioned
from ....ir.walk import walk
from ....ops.dims import Dim, DimLike
from ....ops.effects import Effect
from ....ops.lowering import Custom, Host, Library, Scalar
from ....ops.sizes import enough_for, is_plain, runtime_names
from ....ops.types import ListType, TensorType
from ....passes.fusion.custom_gemm import is_gemv
from ....passes.fusion.fusion_facts import alias_offset, is_native
from ...lower.registry import has_generator
from .row_operations import split

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


class SizeRange(NamedTuple):
    """Sizes of one name: from `least` on, and up to `most` if there is a largest one."""

    name: str
    least: int
    most: int | None = None


def native_ranges(operation: Operation) -> list[SizeRange] | None:
    """For which sizes native code does an operation.

    None where more has to be checked, and where a library is called, whose parameters depend on the sizes.
    """
    if not runs_natively(operation):
        return None
    found: list[SizeRange] = []
    for part in parts_of(operation):
        bounds = bounds_of(part)
        if bounds is None or _calls_library(part) or not _divides_by_numbers(part):
            return None
        for bound in bounds:
            made = _range(bound)
            if made is None or not (_may_be_apart(operation) or _is_told(part)):
                return None
            found.append(made)
    told = {name for result in operation.results for name in runtime_names(result.type)}
    # where such a size is another one, what NumPy makes may have another, too
    return None if any(r.most is not None and r.name in told for r in found) else found


def _range(bound: Dim) -> SizeRange | None:
    """The sizes for which a number that holds one of them isn't below 0.

    >>> u = Dim.symbol("u0")
    >>> _range(u - 3), _range(5 - u)
    (SizeRange(name='u0', least=3, most=None), SizeRange(name='u0', least=0, most=5))
    """
    enough = enough_for(bound)
    if enough is not None:
        return SizeRange(*enough)
    for sign in (1, -1):
        name, rest = split(bound * sign) or (None, 0)
        if name is not None and isinstance(rest, int):
            return SizeRange(name, -rest) if sign > 0 else SizeRange(name, 0, -rest)
    return None


def _is_told(operation: Operation) -> bool:
    """Whether an operation apart, whose result isn't a part of its operand, has the sizes that it is said to have."""
    return alias_offset(operation) is None and makes_what_it_says(operation)


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


def _may_be_apart(operation: Operation) -> bool:
    """Whether an operation that doesn't fit all sizes has a kernel of its own: fusion leaves it out."""
    return not isinstance(operation.op.lowering, Scalar) and alias_offset(operation) is None


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
