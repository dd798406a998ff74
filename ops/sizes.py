"""Sizes that only a run knows (`u0`, `u1`, …): how many elements a mask picks, how long a list has grown.

A row whose result has such a size takes the attribute `defines`: one name per axis that the data decide, made by
`fresh_sizes` in its `prepare`, used by its `infer`. The operation then *defines* these names; so do the arguments and
results of loops and branches whose sizes differ between iterations or paths. Two different names are never taken for
equal by a pass; where a row needs them equal (`x[a] + y[b]`), the run checks.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from ..base.dtype import BY_SHORT
from ..base.size import ElementCount, Size
from .dims import (
    Dim,
    DimLike,
    at_least,
    decider,
    evaluate,
    floordiv,
    is_open,
    maximum,
    never_negative,
    product,
    same_dim,
)
from .dispatch import bottom
from .interpreter import Interpreter
from .types import ListType, TensorType

_NAME = re.compile(r"u\d+")
_ISSUED = [0]  # the number of the next name; above every one issued or read in this process
_counting: ContextVar[list[int]] = ContextVar("counting", default=_ISSUED)


def is_runtime_name(name: str) -> bool:
    """Whether a symbol is of the kind that only a run knows.

    >>> is_runtime_name("u3"), is_runtime_name("N"), is_runtime_name("u8")  # the last one is a dtype
    (True, False, False)
    """
    return name[0] == "u" and _NAME.fullmatch(name) is not None and name not in BY_SHORT


_BITS = frozenset({8, 16, 32, 64})  # u8 is a dtype; u16, u32 and u64 may become one


def fresh_size() -> Dim:
    """A new size of this kind, different from all others in this process, or in the program that is being captured."""
    counter = _counting.get()
    number = counter[0]
    while number in _BITS:
        number += 1
    counter[0] = number + 1
    _ISSUED[0] = max(_ISSUED[0], number + 1)
    return Dim.symbol(f"u{number}")


@contextmanager
def counting_anew() -> Iterator[None]:
    """Number the sizes of one program from 0, so that its text is the same whenever it is captured."""
    token = _counting.set([0])
    try:
        yield
    finally:
        _counting.reset(token)


def fresh_sizes(interpreter: Interpreter, count: int = 1) -> tuple[Dim, ...] | None:
    """The attribute `defines` for a new operation; None in eager mode, where the arrays tell."""
    return None if interpreter is bottom() else tuple(fresh_size() for _ in range(count))


def note_name(name: str) -> None:
    """A name was read from a program's text: no fresh one may be the same."""
    if is_runtime_name(name):
        for counter in (_ISSUED, _counting.get()):
            counter[0] = max(counter[0], int(name[1:]) + 1)


def any_issued() -> bool:
    """Whether this process has met such a size at all; where not, nobody needs to look for them."""
    return _ISSUED[0] > 0


def runtime_names(thing: Any) -> set[str]:
    """The names of run-time sizes in a dim, a type, a shape or an attribute."""
    if isinstance(thing, Dim):
        return {name for name in thing.symbols() if is_runtime_name(name)}
    if isinstance(thing, TensorType):
        return runtime_names(thing.shape)
    if isinstance(thing, ListType):
        return runtime_names(thing.element.shape)
    if isinstance(thing, (tuple, list)):
        return {name for part in thing if type(part) is not int for name in runtime_names(part)}
    return set()


def _plain(dim: DimLike) -> str | None:
    if isinstance(dim, Dim) and len(dim.terms) == 1:
        ((monomial, factor),) = dim.terms
        name = monomial[0] if len(monomial) == 1 and factor == 1 else None
        return name if isinstance(name, str) and is_runtime_name(name) else None
    return None


def is_plain(dim: DimLike) -> bool:
    """Whether a dim is one run-time name and nothing else: an array of that type tells its size."""
    return _plain(dim) is not None


def plain_names(kinds: Iterable[Any]) -> Iterator[tuple[int, int, str]]:
    """(which type, which axis, name) of each axis that tells a run-time size."""
    for k, kind in enumerate(kinds):
        for axis, dim in enumerate(kind.shape if isinstance(kind, TensorType) else ()):
            name = None if type(dim) is int else _plain(dim)
            if name is not None:
                yield k, axis, name


def is_divisibility(dim: Dim) -> bool:
    """Whether `dim == 0` says that sizes are multiples of something: it holds for many, and pins none.

    >>> [is_divisibility(Dim.parse(text)) for text in ("N-2*(N//2)", "N//2-3", "N-4")]
    [True, False, False]
    """
    factor = _divisors(dim)
    if factor == 1:
        return False
    multiples = {name: Dim.symbol(name) * factor for name in dim.symbols()}
    return isinstance(left := dim.evaluate(multiples), int) and left == 0


def _divisors(dim: Dim) -> int:
    """The product of the numbers that a dim divides by."""
    found = 1
    for monomial, _ in dim.terms:
        for atom in monomial:
            if not isinstance(atom, str):
                by = atom[2].evaluate({})
                found *= _divisors(atom[1]) * (by if atom[0] == "//" and isinstance(by, int) and by > 0 else 1)
    return found


def freshened(kind: TensorType) -> TensorType:
    """The type with a new name for each axis whose size only a run knows."""
    return TensorType(kind.dtype, tuple(fresh_size() if runtime_names(d) else d for d in kind.shape))


def solved(constraints: Iterable[tuple[str, DimLike]]) -> dict[str, DimLike]:
    """What symbols are by constraints such as `n - 2 == 0`: each that can be solved for a symbol gives one.

    >>> n, m = Dim.symbol("N"), Dim.symbol("M")
    >>> solved([("==", n - 2), (">=", m - 5), ("==", m - n)])
    {'N': 2, 'M': 2}
    """
    found: dict[str, DimLike] = {}
    for relation, given in constraints:
        dim = evaluate(given, found)  # a constraint that says the same once more gives nothing
        if relation != "==" or not isinstance(dim, Dim):
            continue
        for monomial, factor in dim.terms:
            name = monomial[0] if len(monomial) == 1 else None
            if not isinstance(name, str) or abs(factor) != 1 or name in found:
                continue
            rest = dim - Dim.symbol(name) * factor
            if isinstance(rest, int) or name not in rest.symbols():
                value = rest * -factor
                found = {known: evaluate(size, {name: value}) for known, size in found.items()}
                found[name] = value
                break
    return found


class DimCount(Dim):
    """A number of elements that only a run knows; called, it gives the sizes, as `ElementCount` does."""

    __slots__ = ("_sizes",)

    def __init__(self, count: Dim, sizes: Sequence[DimLike]) -> None:
        self.terms, self._hash, self._sizes = count.terms, count._hash, tuple(sizes)

    def __call__(self, dim: int | None = None) -> Any:
        return Size(self._sizes) if dim is None else self._sizes[dim]


def element_count(sizes: Sequence[DimLike]) -> DimLike:
    """How many elements a tensor of these sizes has, as `Tensor.size` gives it: one can call it."""
    count = product(sizes)
    return DimCount(count, sizes) if isinstance(count, Dim) else ElementCount(count, sizes)  # type: ignore[arg-type]


def is_clamped_by_runs(size: DimLike, *bounds: DimLike | None) -> bool:
    """Whether nobody can say how bounds compare with an axis, or only what holds in runs that come here; or bounds that
    no example tells cut an axis of known length, such as a table's.
    """
    if decider() is None or is_open(size, on_a_path=True):
        return True
    return isinstance(size, int) and any(isinstance(b, Dim) and is_open(b) for b in bounds)


def from_start(place: DimLike, size: DimLike) -> DimLike:
    """A place of a subscript, counted from the start of an axis: one below 0 is counted from the end.

    >>> from_start(-2, 5), from_start(Dim.parse("N"), Dim.parse("2*N")), from_start(Dim.parse("-N-1"), Dim.parse("2*N"))
    (3, N, N-1)
    """
    if isinstance(place, int):
        return place + size if place < 0 else place
    if never_negative(place):
        return place
    if never_negative(-place - 1) or same_dim(place, -size):
        return place + size
    if is_clamped_by_runs(size, place):
        return place - size * floordiv(place, maximum(place, -place) + 1)  # the quotient is -1 below 0, else 0
    return place if at_least(place, 0) else place + size


def at_large(difference: Dim) -> int:
    """A difference of sizes for sizes that are all large."""
    value = difference.evaluate({name: 100_003 + k for k, name in enumerate(sorted(difference.symbols()))})
    assert isinstance(value, int)
    return value
