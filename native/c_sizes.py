"""Sizes as C expressions of int64."""

from __future__ import annotations

from collections.abc import Iterable

from ..ops.dims import Atom, Dim, DimLike


def symbol(name: str) -> str:
    """The variable of an open size, which no type of C is called, as size_t is."""
    return f"dim_{name}"


def c_size(size: DimLike) -> str:
    """A size as C.

    >>> c_size(Dim.parse("2*N+(M+3)//2"))
    '(2 * dim_N + vt_floor_div(dim_M + 3, 2))'
    """
    if not isinstance(size, Dim):
        return f"{size}" if abs(size) < 2**31 else f"INT64_C({size})"
    text = _sum(size)
    return f"({text})" if " " in text else text


def c_product(sizes: Iterable[DimLike]) -> str:
    """The product of sizes as C, multiplied as it is written."""
    return " * ".join(c_size(size) for size in sizes) or "1"


def _sum(size: Dim) -> str:
    text = ""
    for monomial, k in size.terms:
        factors = [_atom(atom) for atom in monomial]
        if abs(k) != 1 or not factors:
            factors.insert(0, str(abs(k)))
        text += (" - " if k < 0 else " + ") if text else ("-" if k < 0 else "")
        text += " * ".join(factors)
    return text


def _atom(atom: Atom) -> str:
    if isinstance(atom, str):
        return symbol(atom)
    function = "vt_floor_div" if atom[0] == "//" else "vt_max"
    return f"{function}({_sum(atom[1])}, {_sum(atom[2])})"
