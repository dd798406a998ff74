"""Rules of integers, booleans and sizes as formulas for an SMT solver: what `test_proofs.py` asks.

An integer of a program is a bit-vector of its width that wraps around; what only moves values (`where`, `assign`) is
the same for every dtype, so there a float is the bit-vector of its bits. A size is an integer that isn't negative.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import pytest

from vitrify.base.dtype import DType
from vitrify.ops.dims import Dim, DimLike
from vitrify.passes.algebra.rules import Pattern

z3 = pytest.importorskip("z3", reason="proofs need z3-solver; pip install z3-solver")

MOVES = ("where", "assign", "straight_through")  # the ops whose meaning is the same for every dtype


def bits(dtype: DType) -> int:
    """How many bits a value is proved with: a bool is one."""
    return 1 if dtype.is_bool else 8 * dtype.itemsize


def variable(name: str, dtype: DType) -> Any:
    """Any value of a dtype."""
    return z3.BitVec(name, bits(dtype))


def literal(array: np.ndarray[Any, Any], dtype: DType) -> Any:
    """A number of a program."""
    return z3.BitVecVal(int.from_bytes(array.tobytes(), "little") if not dtype.is_bool else int(array), bits(dtype))


def _signed(dtype: DType) -> bool:
    return dtype.numpy.kind == "i"


def _less(a: Any, b: Any, dtype: DType) -> Any:
    return a < b if _signed(dtype) else z3.ULT(a, b)


def _absolute(x: Any, dtype: DType) -> Any:
    return z3.If(x < 0, -x, x) if _signed(dtype) else x


def floor_divide(a: Any, b: Any, dtype: DType) -> Any:
    """Rounds down; by zero it is zero, and the least number by -1 is itself, as NumPy has it."""
    if not _signed(dtype):
        return z3.If(b == 0, 0, z3.UDiv(a, b))
    quotient, rest = a / b, z3.SRem(a, b)
    return z3.If(b == 0, 0, z3.If(z3.And(rest != 0, (rest < 0) != (b < 0)), quotient - 1, quotient))


def remainder(a: Any, b: Any, dtype: DType) -> Any:
    """With the sign of the divisor; by zero it is zero."""
    return z3.If(b == 0, 0, a - floor_divide(a, b, dtype) * b)


def cast(x: Any, source: DType, target: DType) -> Any:
    """Between integers and bools: the low bits, or the sign repeated; a bool is whether it isn't 0."""
    if target.is_bool:
        return z3.If(x != 0, z3.BitVecVal(1, 1), z3.BitVecVal(0, 1))
    more = bits(target) - bits(source)
    if more <= 0:
        return z3.Extract(bits(target) - 1, 0, x)
    return z3.SignExt(more, x) if _signed(source) else z3.ZeroExt(more, x)


MEANINGS: dict[str, Callable[..., Any]] = {
    "neg": lambda dtype, x: -x,
    "abs": lambda dtype, x: _absolute(x, dtype),
    "square": lambda dtype, x: x * x,
    "add": lambda dtype, a, b: a + b,
    "subtract": lambda dtype, a, b: a - b,
    "multiply": lambda dtype, a, b: a * b,
    "floor_divide": lambda dtype, a, b: floor_divide(a, b, dtype),
    "remainder": lambda dtype, a, b: remainder(a, b, dtype),
    "maximum": lambda dtype, a, b: z3.If(_less(a, b, dtype), b, a),
    "minimum": lambda dtype, a, b: z3.If(_less(b, a, dtype), b, a),
    "bitwise_not": lambda dtype, x: ~x,
    "bitwise_and": lambda dtype, a, b: a & b,
    "bitwise_or": lambda dtype, a, b: a | b,
    "bitwise_xor": lambda dtype, a, b: a ^ b,
    "logical_not": lambda dtype, x: ~x,
    "logical_and": lambda dtype, a, b: a & b,
    "logical_or": lambda dtype, a, b: a | b,
    "logical_xor": lambda dtype, a, b: a ^ b,
    "where": lambda dtype, c, a, b: z3.If(c == 1, a, b),
    "assign": lambda dtype, x: x,
    "straight_through": lambda dtype, x, value: value,
}


class Untranslated(Exception):
    """A rule's side has an op of which the prover doesn't know the meaning."""


def translated(pattern: Pattern, wild: Mapping[Pattern, Any]) -> Any:
    """One side of a rule as a formula."""
    if pattern in wild:
        return wild[pattern]
    if pattern.op is None:
        return literal(np.asarray(pattern.number), pattern.dtype)
    args = [translated(a, wild) for a in pattern.args]
    if pattern.op.name == "cast":
        return cast(args[0], pattern.args[0].dtype, pattern.dtype)
    meaning = MEANINGS.get(pattern.op.name)
    if meaning is None:
        raise Untranslated(pattern.op.name)
    return meaning(pattern.args[-1].dtype, *args)


def moves_only(pattern: Pattern) -> bool:
    """Whether a side only moves values, but for what it does with conditions."""
    if pattern.op is None:
        return True
    plain = pattern.op.name in MOVES or pattern.dtype.is_bool
    return plain and all(map(moves_only, pattern.args))


def always(claim: Any, *assumptions: Any, seconds: float = 20.0) -> str:
    """The word "proved", or the values for which a claim doesn't hold, or why nobody knows."""
    solver = z3.Solver()
    solver.set("timeout", int(1000 * seconds))
    solver.add(*assumptions, z3.Not(claim))
    found = solver.check()
    return (
        "proved" if found == z3.unsat else f"{found}: {solver.model() if found == z3.sat else solver.reason_unknown()}"
    )


# ---- sizes


def size(dim: DimLike) -> Any:
    """A size as a formula of its symbols."""
    if isinstance(dim, int):
        return z3.IntVal(dim)
    total: Any = z3.IntVal(0)
    for monomial, k in dim.terms:
        part: Any = z3.IntVal(k)
        for atom in monomial:
            part = part * _atom(atom)
        total = total + part
    return total


def _atom(atom: Any) -> Any:
    if isinstance(atom, str):
        return z3.Int(atom)
    a, b = size(atom[1]), size(atom[2])
    return whole_quotient(a, b) if atom[0] == "//" else z3.If(a >= b, a, b)


def whole_quotient(a: Any, b: Any) -> Any:
    """Python's `//`: rounds down, whatever the signs."""
    return z3.If(b > 0, a / b, (-a) / (-b))


def divisors(dim: DimLike) -> list[Any]:
    """What a size divides by, as assumptions that it isn't 0."""
    if isinstance(dim, int):
        return []
    found = []
    for monomial, _ in dim.terms:
        for atom in monomial:
            if not isinstance(atom, str):
                found += [*divisors(atom[1]), *divisors(atom[2])]
                if atom[0] == "//":
                    found.append(size(atom[2]) != 0)
    return found


def sizes_are_natural(*dims: DimLike) -> list[Any]:
    """The assumption that symbols aren't negative."""
    names = sorted({name for d in dims if isinstance(d, Dim) for name in d.symbols()})
    return [z3.Int(name) >= 0 for name in names]
