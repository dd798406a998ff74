"""Operators of kernels on each pair of types: their types are Numba's for 64 bits, their results NumPy's."""

from __future__ import annotations

import ctypes
import itertools
import operator
from typing import Any

import numpy as np
import pytest
from llvmlite import ir

from vitrify.base.errors import KernelError
from vitrify.runtime.codegen import number_operators as operators
from vitrify.runtime.codegen.kernel_types import (
    BOOLEAN,
    FLOAT32,
    FLOAT64,
    INT8,
    INT16,
    INT32,
    INT64,
    UINT8,
    FlaggedBuilder,
    IntegerLiteral,
    Kind,
    unified,
)
from vitrify.runtime.kernel_cache import KernelSource, addresses
from vitrify.testing.element_loops import element_loop

Array = np.ndarray[Any, np.dtype[Any]]
KINDS: dict[str, Kind] = {
    "bool": BOOLEAN, "int8": INT8, "int16": INT16, "int32": INT32, "int64": INT64, "uint8": UINT8,
    "float32": FLOAT32, "float64": FLOAT64,
}  # fmt: skip
NUMBERS = [name for name in KINDS if name != "bool"]
BINARY = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv, "//": operator.floordiv,
    "%": operator.mod, "<<": operator.lshift, ">>": operator.rshift, "&": operator.and_, "|": operator.or_,
    "^": operator.xor, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
    "==": operator.eq, "!=": operator.ne,
}  # fmt: skip


def builder() -> FlaggedBuilder:
    function = ir.Function(ir.Module(), ir.FunctionType(ir.VoidType(), []), "tried")
    return FlaggedBuilder(function.append_basic_block())


def values(dtype: str) -> Array:
    kind = np.dtype(dtype)
    if kind.kind == "f":
        return np.array([0.0, -0.0, 1.5, -2.5, 7.0, -7.0, 1e30, np.inf, -np.inf, np.nan, 0.1], kind)
    most = int(np.iinfo(kind).max)
    low = [0, 1, 3, 2, 7, 100, most, most - 1]
    return np.array(low if kind.kind == "u" else [*low, -1, -3, -7, int(np.iinfo(kind).min)], kind)


def is_float(*names: str) -> bool:
    return any(np.dtype(name).kind == "f" for name in names)


def wide(a: str, b: str) -> str:
    """The dtype in which kernels compute."""
    if is_float(a, b):
        return str(np.result_type(a, b))
    return "uint64" if a == b == "uint8" else "int64"


@pytest.mark.parametrize(("a", "b"), list(itertools.product(NUMBERS, NUMBERS)))
def test_results_are_numpys(a: str, b: str) -> None:
    x, y = (np.ascontiguousarray(v.ravel()) for v in np.meshgrid(values(a), values(b)))
    kind = wide(a, b)
    p, q = x.astype(kind), y.astype(kind)
    for symbol, function in BINARY.items():
        if symbol in ("<<", ">>", "&", "|", "^") and is_float(a, b):
            continue
        keep = np.ones(x.shape, bool)
        if symbol in ("<<", ">>"):
            keep = (y >= 0) & (y < 60) & (np.abs(x.astype(float)) < 8 if symbol == "<<" else True)
        elif symbol in "+-*" and not is_float(a, b):  # an overflow is undefined
            with np.errstate(all="ignore"):
                keep = np.abs(function(x.astype(float), y.astype(float))) < 2.0**62
            keep &= (x >= y) | (kind != "uint64")
        with np.errstate(all="ignore"):
            expected = np.asarray(function(p, q))
        made = np.zeros(
            x.size, bool if expected.dtype == bool else "float64" if expected.dtype.kind == "f" else "int64"
        )
        element_loop(f"A {symbol} B", str(made.dtype), a, b)(x, y, made)
        np.testing.assert_array_equal(made[keep], expected.astype(made.dtype)[keep], err_msg=symbol)


def test_types_are_those_of_numba() -> None:
    """Texts of rows were written for Numba's types, which Python's operators have there."""
    numba = pytest.importorskip("numba")
    typing = numba.core.registry.cpu_target.typing_context
    typing.refresh()
    given = {name: getattr(numba.types, "boolean" if name == "bool" else name) for name in KINDS}
    build = builder()
    for (a, b), (symbol, function) in itertools.product(itertools.product(KINDS, KINDS), BINARY.items()):
        try:
            found = typing.resolve_function_type(function, (given[a], given[b]), {})
        except numba.core.errors.TypingError:
            found = None
        left, right = ((ir.Constant(KINDS[k].llvm, None), KINDS[k]) for k in (a, b))
        if found is None:
            with pytest.raises(KernelError, match="have no"):
                operators.binary(build, symbol, left, right)
            continue
        _, kind = operators.binary(build, symbol, left, right)
        names = {**{str(v): k for k, v in given.items()}, "uint64": "uint64"}
        told = "uint64" if str(kind) == str(operators.UINT64) else next(k for k, v in KINDS.items() if v == kind)
        assert told == names[str(found.return_type)], (a, symbol, b)


def test_unary_operators_and_magnitudes() -> None:
    for name in NUMBERS:
        x = values(name)
        made = np.zeros(x.size, "float64" if is_float(name) else "int64")
        for expression, expected in {"-A": -x, "abs(A)": np.abs(x)}.items():
            element_loop(expression, str(made.dtype), name)(x, made)
            np.testing.assert_array_equal(made, expected.astype(made.dtype), err_msg=f"{expression} of {name}")
            np.testing.assert_array_equal(np.signbit(made), np.signbit(expected.astype(made.dtype)))
        if not is_float(name):
            element_loop("~A", "int64", name)(x, made)
            np.testing.assert_array_equal(made, (~x).astype("int64"))
        truth = np.zeros(x.size, bool)
        element_loop("not A", "bool", name)(x, truth)
        np.testing.assert_array_equal(truth, ~x.astype(bool))


def test_powers() -> None:
    x, y = np.array([3, -2, 0, 1, 5], "int64"), np.array([4, 3, 0, 9, 2], "int64")
    made, exact = np.zeros(5, "int64"), np.zeros(5)
    element_loop("A ** B", "int64", "int64", "int64")(x, y, made)
    assert made.tolist() == [81, -8, 1, 1, 25]
    element_loop("A ** 3 + f64(A) ** 2", "float64", "float32")(x.astype("float32"), exact)
    assert exact.tolist() == [36, -4, 0, 2, 150]
    element_loop("f64(A) ** 0.5", "float64", "int64")(np.abs(x), exact)
    np.testing.assert_allclose(exact, np.abs(x) ** 0.5, rtol=1e-15)


@pytest.mark.parametrize(("a", "b"), list(itertools.product(KINDS, KINDS)))
def test_one_type_for_two_is_numpys_promotion(a: str, b: str) -> None:
    assert unified(KINDS[a], KINDS[b]) == KINDS[str(np.promote_types(a, b))]


def test_values_of_two_types_are_chosen_in_one_that_holds_both() -> None:
    made = np.zeros(3)
    element_loop("A if i > 1 else B", "float64", "int64", "float32")(np.arange(3), np.full(3, 0.5, "float32"), made)
    assert made.tolist() == [0.5, 0.5, 2.0]


def test_conversions_of_literals_need_no_instructions() -> None:
    build = builder()
    for number, kind in ((3, FLOAT32), (0.1, FLOAT32), (2, INT8), (7, FLOAT64)):
        made = operators.cast(build, *operators.literal(number), kind)
        assert isinstance(made, ir.Constant)
        assert made.type == kind.llvm
    assert not build.block.instructions
    huge = operators.cast(build, *operators.literal(1e300), FLOAT32)
    assert not isinstance(huge, ir.Constant)  # LLVM makes it infinite
    assert IntegerLiteral(2**63).plain == operators.UINT64


TEXT = """def body(p0, p1, d0, lo, hi):
    for r in range(lo, hi):
        a = p0[r]
        p1[r] = min(a, d0) + 1000 * max(a, i64(-3)) + 1000000 * max(0, min(r, 2))
"""


def test_extremes_of_integers() -> None:
    given, made = np.array([-7, 5, 9], np.int64), np.zeros(3, np.int64)
    (address,) = addresses([KernelSource("extremes", TEXT, ("i64", "i64"), 1)])
    pointers = (ctypes.c_int64 * 2)(given.ctypes.data, made.ctypes.data)
    sizes = (ctypes.c_int64 * 1)(6)
    ctypes.CFUNCTYPE(None, *[ctypes.c_int64] * 4)(address)(ctypes.addressof(pointers), ctypes.addressof(sizes), 0, 3)
    expected = [min(a, 6) + 1000 * max(a, -3) + 1_000_000 * min(r, 2) for r, a in enumerate(given.tolist())]
    assert made.tolist() == expected
