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
    concrete,
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


def size_names(thing: Any) -> set[str]:
    """The names of all sizes in a dim, a type, a shape or an attribute, and in sequences of these."""
    if isinstance(thing, Dim):
        return set(thing.symbols())
    if isinstance(thing, TensorType):
        return size_names(thing.shape)
    if isinstance(thing, ListType):
        return size_names(thing.element.shape)
    if isinstance(thing, (tuple, list)):
        return {name for part in thing if type(part) is not int for name in size_names(part)}
    return set()


def runtime_names(thing: Any) -> set[str]:
    """The same of sizes that only a run knows."""
    return {name for name in size_names(thing) if is_runtime_name(name)}


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


def left_of(size: DimLike, count: int) -> DimLike:
    """How many elements are left of `size` without `count` of them, of which there may be fewer.

    >>> left_of(Dim.symbol("u1"), 1), left_of(left_of(Dim.symbol("u1"), 1), 2), left_of(Dim.symbol("u1") + 2, 1)
    (max(u1-1,0), max(u1-3,0), u1+1)
    """
    if count and isinstance(size, Dim) and len(size.terms) == 1:
        ((monomial, factor),) = size.terms
        atom = monomial[0] if len(monomial) == 1 and factor == 1 else None
        if atom is not None and not isinstance(atom, str) and atom[0] == "max" and not atom[2].terms:
            size = atom[1]
    rest = size - count
    return rest if count == 0 or never_negative(rest) else maximum(rest, 0)


def taken_of(size: DimLike, start: int | None, stop: int | None) -> tuple[DimLike, DimLike] | None:
    """Where `x[start:stop]` begins on an axis, and how many elements it has, whatever the size; None: not known.

    >>> u = Dim.symbol("u1")
    >>> taken_of(u, None, -1), taken_of(u, 1, None), taken_of(u, 1, -1), taken_of(7, 2, 4)
    ((0, max(u1-1,0)), (u1-max(u1-1,0), max(u1-1,0)), (u1-max(u1-1,0), max(u1-2,0)), (2, 2))
    """
    from_end = start is not None and start < 0
    first = start or 0
    place = left_of(size, -first) if from_end else size - left_of(size, first)
    behind = size - place  # how many there are from there on
    if stop is None:
        return place, behind
    if stop < 0:
        if not from_end:
            return place, left_of(size, first - stop)
        return place, behind - (size - left_of(size, -stop)) if first < stop else 0
    if from_end:
        return None
    return place, behind - left_of(size, stop) if stop > first else 0


def enough_for(dim: Dim) -> tuple[str, int] | None:
    """The one size that only a run knows in a number, and from which size on the number isn't below 0; None where it
    can't be told, or the number falls.

    >>> u = Dim.symbol("u1")
    >>> enough_for(u - 3), enough_for(left_of(u, 1) - left_of(u, 2)), enough_for(left_of(u, 1) + 1 - u)
    (('u1', 3), ('u1', 0), ('u1', 0))
    >>> enough_for(u - left_of(u, 1) - 1), enough_for(3 - u)
    (('u1', 1), None)
    """
    names = dim.symbols()
    name = next(iter(names))
    line = _for_large(dim) if len(names) == 1 and is_runtime_name(name) else None
    if line is None:
        return None
    slope, rest, least = line
    if slope < 0 or (slope == 0 and rest < 0):
        return None
    least = max(least, -(rest // slope)) if slope else least
    if least > _MOST_TRIED:
        return None
    while least and concrete([dim], {name: least - 1})[0] >= 0:
        least -= 1
    return name, least


def is_repeated(a: DimLike, b: DimLike) -> bool:
    """Whether of two axes that fit each other from some size of a run on the first one says, below that too, how long
    both are together: where they aren't equal, one of them is repeated, or they don't fit.

    >>> u = Dim.symbol("u1")
    >>> padded = left_of(u, 1) * 2 - left_of(u, 2)  # x[1:] and its first element: 0, 0, 2, 3, …
    >>> is_repeated(padded, u), is_repeated(u, padded), is_repeated(u, u + 1)
    (True, False, False)
    """
    name = least = None
    for difference in (a - b, b - a):
        found = enough_for(difference) if isinstance(difference, Dim) else None
        if found is None:
            return False
        name, least = found[0], max(least or 0, found[1])
    pairs = [concrete([a, b], {str(name): size}) for size in range(least or 0)]
    return all(x == y or 1 not in (x, y) or x == (y if x == 1 else x) for x, y in pairs)


_MOST_TRIED = 64  # sizes below which each one is tried


def _for_large(dim: Dim) -> tuple[int, int, int] | None:
    """A number with one size in it as slope * size + rest, from some size on: these three."""
    slope = rest = least = 0
    for monomial, factor in dim.terms:
        if not monomial:
            rest += factor
            continue
        line = _atom_for_large(monomial[0]) if len(monomial) == 1 else None
        if line is None:
            return None
        slope, rest, least = slope + factor * line[0], rest + factor * line[1], max(least, line[2])
    return slope, rest, least


def _atom_for_large(atom: Any) -> tuple[int, int, int] | None:
    if isinstance(atom, str):
        return 1, 0, 0
    a, b = _for_large(atom[1]), _for_large(atom[2])
    if atom[0] != "max" or a is None or b is None:
        return None
    slope, rest = a[0] - b[0], a[1] - b[1]
    larger, least = (a if (slope, rest) > (0, 0) else b), max(a[2], b[2])
    if slope:  # from where they cross
        least = max(least, -(rest // slope))
    return larger[0], larger[1], least
