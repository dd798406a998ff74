"""What a program assumes about its symbolic sizes, and which types are the same under that."""

from __future__ import annotations

from collections.abc import Iterable

from ..ops.dims import Dim, DimLike, evaluate, never_negative, same_dim
from ..ops.types import ListType, TensorType, ValueType


class SizeFacts:
    """Equalities become substitutions (N == M: M stands for N); lower bounds are kept as they are.

    >>> n, m = Dim.symbol("N"), Dim.symbol("M")
    >>> SizeFacts([("==", n - m)]).same_dim(2 * n + 1, 2 * m + 1)
    True
    """

    def __init__(self, constraints: Iterable[tuple[str, Dim]]) -> None:
        self.substitution: dict[str, DimLike] = {}
        self.bounds: list[Dim] = []
        for relation, dim in constraints:
            if relation == "==":
                self._learn(self.reduce(dim))
            else:
                self.bounds.append(dim)

    def _learn(self, dim: DimLike) -> None:
        """Solve `dim == 0` for a symbol that stands alone in it, if there is one."""
        if isinstance(dim, int):
            return
        for monomial, k in dim.terms:
            if len(monomial) == 1 and isinstance(monomial[0], str) and abs(k) == 1:
                name = monomial[0]
                value = Dim.symbol(name) - dim if k == 1 else Dim.symbol(name) + dim
                if isinstance(value, Dim) and name in value.symbols():
                    continue
                self.substitution = {n: evaluate(v, {name: value}) for n, v in self.substitution.items()}
                self.substitution[name] = value
                return

    def reduce(self, dim: DimLike) -> DimLike:
        """A dim with all known equalities put in."""
        return evaluate(dim, self.substitution)

    def same_dim(self, a: DimLike, b: DimLike) -> bool:
        """Whether two sizes are certainly equal."""
        return same_dim(a, b) or same_dim(self.reduce(a), self.reduce(b))

    def same_type(self, a: ValueType, b: ValueType) -> bool:
        """Whether two types are certainly the same."""
        if isinstance(a, ListType) or isinstance(b, ListType):
            return isinstance(a, ListType) and isinstance(b, ListType) and self.same_type(a.element, b.element)
        same = a.dtype is b.dtype and a.rank == b.rank
        return same and all(self.same_dim(x, y) for x, y in zip(a.shape, b.shape, strict=True))

    def same_types(self, a: Iterable[ValueType], b: Iterable[ValueType]) -> bool:
        """Whether two lists of types are certainly the same."""
        left, right = tuple(a), tuple(b)
        return len(left) == len(right) and all(self.same_type(x, y) for x, y in zip(left, right, strict=True))

    def decide(self, relation: str, dim: DimLike) -> bool | None:
        """Whether `dim == 0` or `dim >= 0`; None where the facts don't say."""
        value = self.reduce(dim)
        if isinstance(value, int):
            return value == 0 if relation == "==" else value >= 0
        if self._never_negative(-value - 1):  # below 0
            return False
        if relation == "==" and self._never_negative(value - 1):
            return False
        least, most = self._never_negative(value), self._never_negative(-value)
        return True if least and (most or relation == ">=") else None

    def _never_negative(self, value: DimLike) -> bool:
        return never_negative(value) or any(never_negative(value - self.reduce(bound)) for bound in self.bounds)


def bound_symbols(kinds: Iterable[ValueType]) -> set[str]:
    """The sizes that arrays of these types tell: an axis of exactly that size."""
    found: set[str] = set()
    for kind in kinds:
        shape = kind.shape if isinstance(kind, TensorType) else ()
        found |= {
            name for dim in shape if isinstance(dim, Dim) for name in dim.symbols() if same_dim(dim, Dim.symbol(name))
        }
    return found


def show_relation(relation: str, difference: DimLike) -> str:
    """`difference OP 0` as a reader would put it: terms that are taken away on the other side, a number on the right.

    >>> n, m = Dim.symbol("N"), Dim.symbol("M")
    >>> show_relation(">=", m - 17), show_relation(">=", 16 - m), show_relation("==", n - m * 2)
    ('M >= 17', 'M <= 16', 'N == 2*M')
    """
    if isinstance(difference, int):
        return f"{difference} {relation} 0"
    left = Dim({m: k for m, k in difference.terms if k > 0}) + 0
    right = Dim({m: -k for m, k in difference.terms if k < 0}) + 0
    if isinstance(left, int):
        left, right, relation = right, left, "<=" if relation == ">=" else relation
    return f"{left} {relation} {right}"
