"""Symbolic dimensions: polynomials of named symbols with integer coefficients, plus floor division, modulo and max.

A comparison that the polynomial alone can't decide is put to the active decider (the tracer, which records a guard);
it is never guessed in silence. Symbols stand for sizes, so they are known to be at least 0.
"""

from __future__ import annotations

import ast
import math
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, TypeAlias, Union

from ..base.errors import ArgumentError, KindError
from ..base.frame_marks import asks_for_caller
from ..base.size import teller
from .dim_operators import WholeNumber, is_unbounded
from .dispatch import current

Atom: TypeAlias = Union[str, tuple[str, "Dim", "Dim"]]
Monomial: TypeAlias = tuple[Atom, ...]
DimLike: TypeAlias = Union[int, "Dim"]
Decider: TypeAlias = Callable[[str, "Dim"], bool]

_decider: ContextVar[Decider | None] = ContextVar("dim_decider", default=None)
_is_open: ContextVar[Callable[[Dim, bool], bool] | None] = ContextVar("dim_is_open", default=None)


@contextmanager
def deciding(decider: Decider | None, is_open: Callable[[Dim, bool], bool] | None = None) -> Iterator[None]:
    """Inside the block, undecided questions `difference OP 0` (OP is "==" or ">=") go to `decider`; it is told of
    divisors, too (OP is "//" or "%"). is_open: whether it would answer without an example of these sizes, by what fits.
    """
    token, open_token = _decider.set(decider), _is_open.set(is_open)
    try:
        yield
    finally:
        _decider.reset(token)
        _is_open.reset(open_token)


def _atom_key(atom: Atom) -> str:
    return atom if isinstance(atom, str) else f"~{atom[0]}({atom[1]},{atom[2]})"


def decider() -> Decider | None:
    """Who decides at the moment, if anybody."""
    return _decider.get()


@asks_for_caller
class Dim(WholeNumber):
    """A dimension whose size is known only at run time, e.g. `N`, `2*N+1`, `(N+3)//2`.

    >>> n = Dim.symbol("N")
    >>> (n + 1) * 2, (n * 4) // 2, n - n
    (2*N+2, 2*N, 0)
    """

    __slots__ = ("_hash", "terms")

    def __init__(self, terms: Mapping[Monomial, int]) -> None:
        ordered = sorted(terms.items(), key=lambda t: (-len(t[0]), [_atom_key(a) for a in t[0]]))
        self.terms: tuple[tuple[Monomial, int], ...] = tuple(ordered)
        self._hash = hash(self.terms)

    @staticmethod
    def symbol(name: str) -> Dim:
        """The dimension called `name`."""
        return Dim({(name,): 1})

    @staticmethod
    def parse(text: str) -> DimLike:
        """Read a dimension as it is printed.

        >>> Dim.parse("2*N+(M+3)//2")
        2*N+(M+3)//2
        """
        return _from_ast(ast.parse(text, mode="eval").body, text)

    def __add__(self, other: object) -> DimLike:
        if isinstance(other, float):
            return self._number() + other  # type: ignore[no-any-return]
        if not isinstance(other, (int, Dim)):
            return NotImplemented
        total = dict(self.terms)
        for monomial, k in _terms(other):
            total[monomial] = total.get(monomial, 0) + k
        return _make(total)

    __radd__ = __add__

    def __neg__(self) -> DimLike:
        return _make({m: -k for m, k in self.terms})

    def __sub__(self, other: object) -> DimLike:
        if isinstance(other, float):
            return self._number() - other  # type: ignore[no-any-return]
        if not isinstance(other, (int, Dim)):
            return NotImplemented
        return self + (-other)

    def __rsub__(self, other: Any) -> DimLike:
        if isinstance(other, float):
            return other - self._number()  # type: ignore[no-any-return]
        found: DimLike = -self + other
        return found

    def __mul__(self, other: object) -> DimLike:
        if isinstance(other, float):
            return self._number() * other  # type: ignore[no-any-return]
        if not isinstance(other, (int, Dim)):
            return NotImplemented
        if type(other) is int:
            return _make({monomial: k * other for monomial, k in self.terms})
        total: dict[Monomial, int] = {}
        for left, a in self.terms:
            for right, b in _terms(other):
                monomial = tuple(sorted(left + right, key=_atom_key))
                total[monomial] = total.get(monomial, 0) + a * b
        return _make(total)

    __rmul__ = __mul__

    def __floordiv__(self, other: object) -> DimLike:
        if isinstance(other, float):
            return self._number() // other  # type: ignore[no-any-return]
        if not isinstance(other, (int, Dim)):
            return NotImplemented
        return floordiv(self, other, "//")

    def __rfloordiv__(self, other: Any) -> Any:
        return other // self._number() if isinstance(other, float) else floordiv(other, self, "//")

    def __mod__(self, other: object) -> DimLike:
        if isinstance(other, float):
            return self._number() % other  # type: ignore[no-any-return]
        if not isinstance(other, (int, Dim)):
            return NotImplemented
        return self - floordiv(self, other, "%") * other

    def __rmod__(self, other: Any) -> Any:
        return other % self._number() if isinstance(other, float) else other - floordiv(other, self, "%") * self

    def __truediv__(self, other: Any) -> Any:
        """A quotient is no size but a number of the program: a value of the active interpreter."""
        return self._value() / other

    def __rtruediv__(self, other: Any) -> Any:
        return other / self._value()

    def __pow__(self, other: Any, modulo: Any = None) -> Any:
        if modulo is not None:
            return pow(self.__index__(), int(other), int(modulo))
        if isinstance(other, int) and 0 <= other <= 8:
            return product([self] * other)
        if isinstance(other, Dim) or (isinstance(other, int) and other > 0):
            return self.__index__() ** int(other)
        return (self._number() if isinstance(other, (int, float)) else self._value()) ** other

    def __rpow__(self, other: Any) -> Any:
        return other ** (self._value() if isinstance(other, float) else self.__index__())

    def __abs__(self) -> DimLike:
        return maximum(self, -self)

    def _number(self) -> Any:
        """What arithmetic with a float starts from: no size, but a float of the program."""
        return self._value() * 1.0

    def _value(self) -> Any:
        """A Python number of a captured function where there are such, else a tensor."""
        return current().number_of(self)

    def __eq__(self, other: object) -> bool:
        if isinstance(other, (float, bool)):
            return float(other).is_integer() and self.__eq__(int(other))
        if not isinstance(other, (int, Dim)):
            return NotImplemented
        difference = self - other
        if isinstance(difference, int):
            return difference == 0
        decider = _decider.get()
        return decider("==", difference) if decider is not None else False

    def __ne__(self, other: object) -> bool:
        equal: Any = self.__eq__(other)
        if equal is NotImplemented or isinstance(equal, bool):
            return equal if equal is NotImplemented else not equal
        return equal.logical_not()  # type: ignore[no-any-return]  # a tensor: only a run knows

    def __hash__(self) -> int:
        if _decider.get() is not None and sys._getframe(1).f_globals is not globals():  # arithmetic has keys of its own
            current().hashes_size(self)
        return self._hash

    def __ge__(self, other: Any) -> bool:
        if is_unbounded(other):
            return bool(other < 0)
        return at_least(self, _from_below(other)) if isinstance(other, (int, float, Dim)) else NotImplemented

    def __gt__(self, other: Any) -> bool:
        if is_unbounded(other):
            return bool(other < 0)
        return at_least(self, _from_above(other) + 1) if isinstance(other, (int, float, Dim)) else NotImplemented

    def __le__(self, other: Any) -> bool:
        if is_unbounded(other):
            return bool(other > 0)
        return at_least(_from_above(other), self) if isinstance(other, (int, float, Dim)) else NotImplemented

    def __lt__(self, other: Any) -> bool:
        if is_unbounded(other):
            return bool(other > 0)
        return at_least(_from_below(other), self + 1) if isinstance(other, (int, float, Dim)) else NotImplemented

    def __bool__(self) -> bool:
        return not self.__eq__(0)

    def __index__(self) -> int:
        """The number, where one is needed and a size can't stand: the tracer tells it, and guards it, or refuses."""
        number = current().size_now(self)
        if number is NotImplemented:
            raise KindError(f"a number is needed, not the size {self}", remedy="declare this size as a number")
        return int(number)

    __int__ = __index__

    def symbols(self) -> set[str]:
        """The names of all symbols in it."""
        return {name for monomial, _ in self.terms for atom in monomial for name in _atom_symbols(atom)}

    def evaluate(self, sizes: Mapping[str, DimLike]) -> DimLike:
        """Put sizes (or other dims) for symbols; symbols not named stay."""
        total: DimLike = 0
        for monomial, k in self.terms:
            product: DimLike = k
            for atom in monomial:
                product = product * _evaluate_atom(atom, sizes)
            total = total + product
        return total

    def __repr__(self) -> str:
        tell = teller.get()
        out = "" if tell is None else tell(self)
        for monomial, k in self.terms if tell is None else ():
            factors = [_show_atom(a) for a in monomial]
            if k != 1 or len(monomial) > 1:  # `2*(N//2)`: without the parentheses it would read `(2*N)//2`
                factors = [f"({f})" if a[0] == "//" else f for a, f in zip(monomial, factors, strict=True)]
            if not factors or abs(k) != 1:
                factors.insert(0, str(abs(k)))
            out += ("-" if k < 0 else "+" if out else "") + "*".join(factors)
        return out

    __str__ = __repr__


def _from_below(x: Any) -> DimLike:
    """The least whole number that isn't below x."""
    return math.ceil(x) if isinstance(x, float) else x


def _from_above(x: Any) -> DimLike:
    """The greatest whole number that isn't above x."""
    return math.floor(x) if isinstance(x, float) else x


def same_dim(a: DimLike, b: DimLike) -> bool:
    """Whether two dims are structurally equal; asks nobody."""
    if a is b:
        return True
    if isinstance(a, int) or isinstance(b, int):
        return isinstance(a, int) and isinstance(b, int) and a == b
    if a._hash != b._hash or len(a.terms) != len(b.terms):
        return False
    return all(
        k == j and len(m) == len(n) and all(_same_atom(x, y) for x, y in zip(m, n, strict=True))
        for (m, k), (n, j) in zip(a.terms, b.terms, strict=True)
    )


def _same_atom(a: Atom, b: Atom) -> bool:
    """Atoms hold dims: comparing tuples of them would ask whether these are equal."""
    if isinstance(a, str) or isinstance(b, str):
        return a == b
    return a[0] == b[0] and same_dim(a[1], b[1]) and same_dim(a[2], b[2])


def same_shape(a: Iterable[DimLike], b: Iterable[DimLike]) -> bool:
    """Whether two shapes are structurally equal; asks nobody."""
    if a is b and isinstance(a, tuple):
        return True
    left, right = tuple(a), tuple(b)
    if len(left) != len(right):
        return False
    for x, y in zip(left, right, strict=True):  # noqa: SIM110 - passes ask this a million times of a large program
        if x is not y and not same_dim(x, y):
            return False
    return True


def assume_equal(a: DimLike, b: DimLike) -> bool | None:
    """Whether a == b: True or False when known or decided (and guarded) by the tracer, None when nobody can say."""
    difference = a - b
    if isinstance(difference, int):
        return difference == 0
    decider = _decider.get()
    return None if decider is None else decider("==", difference)


@asks_for_caller
def at_least(a: DimLike, b: DimLike) -> bool:
    """a >= b, decided by the polynomial, else by the decider; ArgumentError when nobody can say."""
    difference = a - b
    if isinstance(difference, int):
        return difference >= 0
    if never_negative(difference):
        return True
    if any(not m for m, k in difference.terms) and never_negative(-difference):
        return False
    if (decider := _decider.get()) is None:
        raise ArgumentError(f"whether {a} >= {b} depends on sizes known only at run time")
    return decider(">=", difference)


def never_negative(dim: DimLike) -> bool:
    """Whether that shows in its form: no negative coefficient, no atom that may be negative, as (N-3)//2 may be."""
    if isinstance(dim, int):
        return dim >= 0
    return all(k >= 0 and all(_atom_never_negative(a) for a in monomial) for monomial, k in dim.terms)


def _atom_never_negative(atom: Atom) -> bool:
    if isinstance(atom, str):
        return True
    parts = [never_negative(atom[1]), never_negative(atom[2])]
    return any(parts) if atom[0] == "max" else all(parts)


@asks_for_caller
def floordiv(a: DimLike, b: DimLike, sign: str = "") -> DimLike:
    """a // b, exact where the polynomial divides.

    >>> floordiv(Dim.parse("4*N"), 2), floordiv(Dim.parse("N+1"), 2)
    (2*N, (N+1)//2)
    """
    if sign and isinstance(b, Dim) and (decider := _decider.get()) is not None:
        decider(sign, b)  # the user's code divides: it may be 0 where a run makes it
    if isinstance(a, int) and isinstance(b, int):
        return a // b
    if same_dim(a, b):
        return 1
    if isinstance(b, int) and isinstance(a, Dim):
        if b == 1:
            return a
        if all(k % b == 0 for m, k in a.terms if m):
            return _make({m: k // b for m, k in a.terms})
    if isinstance(a, Dim) and isinstance(b, Dim) and len(b.terms) == 1:
        exact = _divide(a, b)
        if exact is not None:
            return exact
    return Dim({(("//", _as_dim(a), _as_dim(b)),): 1})


def is_open(dim: DimLike, *, on_a_path: bool = False) -> bool:
    """Whether no example tells this size, as where an InputSpec leaves it to each run: an answer is a guess.

    on_a_path: and whether what is traced is a side of a condition, which not every run takes.
    """
    ask = _is_open.get()
    return isinstance(dim, Dim) and ask is not None and ask(dim, on_a_path)


def maximum(a: DimLike, b: DimLike) -> DimLike:
    """The larger of two dims, symbolic where undecided."""
    difference = a - b
    if isinstance(difference, int):
        return a if difference >= 0 else b
    return Dim({(("max", _as_dim(a), _as_dim(b)),): 1})


def minimum(a: DimLike, b: DimLike) -> DimLike:
    """The smaller of two dims, symbolic where undecided."""
    return a + b - maximum(a, b)


def product(dims: Iterable[DimLike]) -> DimLike:
    """The product of dims; 1 for none."""
    known = 1
    total: DimLike | None = None  # of the symbolic ones
    for dim in dims:
        if isinstance(dim, Dim):
            total = dim if total is None else total * dim
        else:
            known *= dim
    if total is None:
        return known
    return total if known == 1 else total * known


def evaluate(dim: DimLike, sizes: Mapping[str, DimLike]) -> DimLike:
    """`dim` with sizes put in; an int stays itself."""
    return dim.evaluate(sizes) if isinstance(dim, Dim) else dim


def concrete(dims: Iterable[DimLike], sizes: Mapping[str, int]) -> tuple[int, ...]:
    """A shape with all symbols replaced by sizes."""
    return tuple(int(evaluate(d, sizes)) for d in dims)


def _divide(a: Dim, b: Dim) -> DimLike | None:
    (divisor, k), *_ = b.terms
    out: dict[Monomial, int] = {}
    for monomial, c in a.terms:
        rest = list(monomial)
        for atom in divisor:
            if atom not in rest:
                return None
            rest.remove(atom)
        if c % k:
            return None
        out[tuple(rest)] = c // k
    return _make(out)


def _terms(value: DimLike) -> tuple[tuple[Monomial, int], ...]:
    return value.terms if isinstance(value, Dim) else (((), int(value)),)


def _as_dim(value: DimLike) -> Dim:
    return value if isinstance(value, Dim) else Dim({(): value} if value else {})


def _make(terms: Mapping[Monomial, int]) -> DimLike:
    kept = {m: k for m, k in terms.items() if k}
    if not kept:
        return 0
    if len(kept) == 1 and () in kept:
        return kept[()]
    return Dim(kept)


def _atom_symbols(atom: Atom) -> set[str]:
    return {atom} if isinstance(atom, str) else atom[1].symbols() | atom[2].symbols()


def _evaluate_atom(atom: Atom, sizes: Mapping[str, DimLike]) -> DimLike:
    if isinstance(atom, str):
        return sizes[atom] if atom in sizes else Dim.symbol(atom)
    a, b = atom[1].evaluate(sizes), atom[2].evaluate(sizes)
    return floordiv(a, b) if atom[0] == "//" else maximum(a, b)


def _show_atom(atom: Atom) -> str:
    if isinstance(atom, str):
        return atom
    if atom[0] == "max":
        return f"max({_show(atom[1])},{_show(atom[2])})"
    shown = f"({_show(atom[1])})" if len(atom[1].terms) > 1 else _show(atom[1])
    return f"{shown}//{_show_divisor(atom[2])}"


def _show(dim: Dim) -> str:
    return str(dim) or "0"


def _show_divisor(dim: Dim) -> str:
    text = _show(dim)
    return text if text.isalnum() else f"({text})"


def _from_ast(node: ast.expr, text: str) -> DimLike:
    match node:
        case ast.Constant(value=int(value)):
            return value
        case ast.Name(id=name):
            return Dim.symbol(name)
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return -_from_ast(operand, text)
        case ast.BinOp(left=left, op=op, right=right):
            a, b = _from_ast(left, text), _from_ast(right, text)
            match op:
                case ast.Add():
                    return a + b
                case ast.Sub():
                    return a - b
                case ast.Mult():
                    return a * b
                case ast.FloorDiv():
                    return floordiv(a, b)
        case ast.Call(func=ast.Name(id="max"), args=[left, right]):
            return maximum(_from_ast(left, text), _from_ast(right, text))
    raise ArgumentError(f"{text!r} is not a dimension")
