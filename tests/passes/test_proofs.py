"""Rewrite rules of integers, booleans and sizes proved by an SMT solver, for every value; those of floats on all of float16.

A new rule is proved or tried without an entry here. A rule with an op of which the prover doesn't know the meaning fails:
give `proofs.MEANINGS` the op.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from itertools import permutations, product
from typing import Any

import numpy as np
import pytest

from vitrify.base import dtype as dt
from vitrify.base.dtype import DType
from vitrify.ir.facts import SizeFacts
from vitrify.ops import dims
from vitrify.ops.dims import Dim, DimLike
from vitrify.ops.op import OPS
from vitrify.ops.types import TensorType
from vitrify.passes.algebra.rules import Pattern, Rule, rule
from vitrify.passes.algebra.simplify import ALGEBRA
from vitrify.passes.algebra.view_rules import _holds
from vitrify.passes.loops.loop_indices import IndexRange
from vitrify.testing.numbers import hostile_numbers

from . import proofs
from .proofs import always, divisors, size, sizes_are_natural, z3

WHOLE = (dt.bool_, *dt.INTEGERS)
CASES = [pytest.param(item, dtype, id=f"{item.name}-{dtype.name}") for item in ALGEBRA for dtype in item.dtypes]


def sides_of(item: Rule, dtype: DType) -> tuple[Pattern, Pattern, tuple[Pattern, ...]]:
    sides = item.sides(dtype)
    assert sides is not None
    return sides


def provable(before: Pattern, after: Pattern, dtype: DType) -> bool:
    """Whether values of the dtype are bit-vectors to the rule."""
    return dtype in WHOLE or (proofs.moves_only(before) and proofs.moves_only(after))


def proof(item: Rule, dtype: DType) -> str:
    before, after, wild = sides_of(item, dtype)
    values = {w: proofs.variable(f"x{k}", w.dtype) for k, w in enumerate(wild)}
    return always(proofs.translated(before, values) == proofs.translated(after, values))


@pytest.mark.parametrize(("item", "dtype"), CASES)
def test_a_rule_is_proved_or_tried_on_every_half(item: Rule, dtype: DType) -> None:
    before, after, _ = sides_of(item, dtype)
    if provable(before, after, dtype):
        assert proof(item, dtype) == "proved"
    else:
        assert dtype.is_floating, f"{item.name} in {dtype}: neither proved nor tried"
        check_floats(item, dtype)


def test_a_wrong_rule_is_not_proved() -> None:
    @rule(dtypes=[dt.int32, dt.uint8])
    def halved_and_doubled(x: Any) -> tuple[Any, Any]:
        return (x // 2) * 2, x

    @rule(dtypes=[dt.int8])
    def absolute_is_positive(x: Any) -> tuple[Any, Any]:
        return OPS["maximum"](abs(x), x - x), abs(x)  # but for -128

    assert proof(halved_and_doubled, dt.int32).startswith("sat")
    assert proof(halved_and_doubled, dt.uint8).startswith("sat")
    assert proof(absolute_is_positive, dt.int8).startswith("sat")


def test_a_rule_with_an_unknown_op_is_not_passed_over() -> None:
    @rule(dtypes=[dt.int32])
    def unknown(x: Any) -> tuple[Any, Any]:
        return OPS["sign"](x), x

    with pytest.raises(proofs.Untranslated, match="sign"):
        proof(unknown, dt.int32)


@pytest.mark.parametrize("name", [*proofs.MEANINGS, "cast"])
def test_the_prover_means_what_the_rows_mean(name: str) -> None:
    """Each op's formula on hostile numbers of every width is what its eager kernel gives."""
    for dtype in WHOLE:
        numbers = np.array(
            [0, 1] if dtype.is_bool else sorted({*hostile_numbers(dtype), 0, 1, 2, 3, 7, 100}), dtype.numpy
        )
        if name == "cast":
            for target in WHOLE:
                check_meaning(
                    name, dtype, [numbers], lambda x, d=dtype, t=target: proofs.cast(x, d, t), {"dtype": target}
                )
            continue
        op = OPS[name]
        grid = np.array(list(product(numbers, repeat=len(op.operands) - (name == "where"))), dtype.numpy).T
        arrays = [np.ascontiguousarray(a) for a in grid]
        if name == "where":
            arrays = [np.arange(arrays[0].size) % 2 == 0, *arrays]
        try:
            op.infer(*(type_of(a) for a in arrays))
        except Exception:  # broad: the row isn't for this dtype
            continue
        check_meaning(name, dtype, arrays, lambda *xs, d=dtype: proofs.MEANINGS[name](d, *xs), {})


def type_of(array: np.ndarray[Any, Any]) -> TensorType:
    return TensorType(dt.of_array(array), array.shape)


def check_meaning(
    name: str, dtype: DType, arrays: list[np.ndarray[Any, Any]], formula: Callable[..., Any], attrs: dict[str, Any]
) -> None:
    with np.errstate(all="ignore"):
        expected = OPS[name].eager(*arrays, **attrs)
    kind = dt.of_array(expected)
    if not attrs and kind is not dtype:
        return  # narrow integers are widened: a rule's pattern holds the cast
    for k, value in enumerate(expected):
        made = z3.simplify(formula(*(proofs.literal(a[k], dt.of_array(a)) for a in arrays)))
        assert made.as_long() == proofs.literal(value, kind).as_long(), (name, dtype, [a[k] for a in arrays])


# ---- floats


HALVES = np.arange(65536, dtype=np.uint16).view(np.float16)


def evaluated(pattern: Pattern, wild: dict[Pattern, Any]) -> Any:
    if pattern in wild:
        return wild[pattern]
    if pattern.op is None:
        return np.asarray(pattern.number, next(a.dtype for a in wild.values() if a.dtype != np.bool_))
    return pattern.op.eager(*(evaluated(a, wild) for a in pattern.args), **pattern.attrs)


def specials(kind: np.dtype[Any]) -> np.ndarray[Any, Any]:
    found = {np.float16: dt.float16, np.float32: dt.float32, np.float64: dt.float64}[kind.type]
    return np.array(list(hostile_numbers(found)), kind)


def check_floats(item: Rule, dtype: DType) -> None:
    """Both sides on every half, as a half and in the dtype; all pairs of specials; every half beside each special."""
    before, after, wild = sides_of(item, dtype)
    for kind in (np.dtype(np.float16), dtype.numpy):
        every, few = HALVES.astype(kind), specials(kind)
        if len(wild) == 1:
            rows = [[np.concatenate([every, few])]]
        else:
            rows = [[np.repeat(few, few.size), np.tile(few, few.size)]]
            rows += [[every, np.full_like(every, s)] for s in few] + [[np.full_like(every, s), every] for s in few]
        for arrays in rows:
            values = dict(zip(wild, arrays, strict=True))
            with np.errstate(all="ignore"):
                one, other = evaluated(before, values), evaluated(after, values)
            assert_same_bits(one, other, f"{item.name} in {kind}")


def assert_same_bits(one: Any, other: Any, what: str) -> None:
    """The same bits; a NaN may have others."""
    assert one.dtype == other.dtype, what
    word = np.dtype(f"u{one.dtype.itemsize}")
    wrong = (one.view(word) != other.view(word)) & ~(np.isnan(one) & np.isnan(other))
    assert not wrong.any(), f"{what}: {one[wrong][:3]} and {other[wrong][:3]}"


@pytest.mark.parametrize(
    "sides",
    [lambda x: (x + 0.0, x), lambda x: (x * 0.5 * 2.0, x), lambda x: (OPS["floor"](-x), -OPS["ceil"](-x)),
     lambda x: (OPS["square"](x), abs(x) * x)],
    ids=["negative zero", "rounds", "another", "another sign"],
)  # fmt: skip
def test_a_wrong_rule_of_floats_is_found(sides: Any) -> None:
    def fn(x: Any) -> tuple[Any, Any]:
        return sides(x)  # type: ignore[no-any-return]

    with pytest.raises(AssertionError):
        check_floats(rule(dtypes=[dt.float32])(fn), dt.float32)


# ---- casts: what holds every value of what


def every_value(dtype: DType) -> np.ndarray[Any, Any]:
    """All values of a dtype of 16 bits or less; hostile ones, powers of two and their neighbours of a wider one."""
    if dtype.is_bool:
        return np.array([False, True])
    if dtype.itemsize <= 2:
        return np.arange(256**dtype.itemsize, dtype=f"u{dtype.itemsize}").view(dtype.numpy)
    if dtype.is_complex:
        parts = [0.0, -0.0, 1.5, np.inf, np.nan, 1e30, 1 / 3]
        return np.array([complex(a, b) for a in parts for b in parts], dtype.numpy)
    if dtype.is_integer:
        near = [s * 2**k + d for k in range(8 * dtype.itemsize - 1) for s in (1, -1) for d in (-1, 0, 1)]
        return np.array(
            sorted({*near, 2 ** (8 * dtype.itemsize - 1) - 1, -(2 ** (8 * dtype.itemsize - 1))}), dtype.numpy
        )
    words = np.random.default_rng(0).integers(0, 2**63, 20000).view(np.uint64)
    drawn = words.astype(f"u{dtype.itemsize}").view(dtype.numpy)
    return np.concatenate([np.array(list(hostile_numbers(dtype)), dtype.numpy), HALVES.astype(dtype.numpy), drawn])


def converted(array: Any, dtype: DType) -> Any:
    with np.errstate(all="ignore"):
        return OPS["cast"].eager(array, dtype=dtype)


def same(one: Any, other: Any) -> bool:
    if one.dtype.kind == "c":
        return same(one.real, other.real) and same(one.imag, other.imag)
    with np.errstate(invalid="ignore"):  # bfloat16's comparisons warn of NaN
        equal = (one == other) | ((one != one) & (other != other))
        if one.dtype.kind not in "biu":
            equal &= (np.signbit(one) == np.signbit(other)) | (one != one)
    return bool(np.all(equal))


PAIRS = [pytest.param(w, n, id=f"{n.name} in {w.name}") for w in dt.ALL for n in dt.ALL]


@pytest.mark.parametrize(("wide", "narrow"), PAIRS)
def test_a_dtype_that_holds_another_loses_nothing(wide: DType, narrow: DType) -> None:
    """A cast there and on is the cast in one step, to every dtype: `_cast_of_cast` stands on this alone."""
    if not _holds(wide, narrow):
        return
    values = every_value(narrow)
    there = converted(values, wide)
    assert same(converted(there, narrow), values)
    for target in dt.ALL:
        assert same(converted(there, target), converted(values, target)), target
    if wide in WHOLE and narrow in WHOLE:
        x = proofs.variable("x", narrow)
        for target in WHOLE:
            twice = proofs.cast(proofs.cast(x, narrow, wide), wide, target)
            assert always(twice == proofs.cast(x, narrow, target)) == "proved"


@pytest.mark.parametrize(("wide", "narrow"), PAIRS)
def test_a_dtype_that_loses_something_does_not_hold_it(wide: DType, narrow: DType) -> None:
    values = every_value(narrow)
    if not same(converted(converted(values, wide), narrow), values):
        assert not _holds(wide, narrow)


# ---- sizes


N, M = Dim.symbol("N"), Dim.symbol("M")
SIZES: list[DimLike] = [
    0, 1, 2, 5, -3, N, M, N + 1, N - 3, 2 * N, 4 * N + 2, 3 - N, N + M, 2 * N - 2 * M, N * M, 6 * N * M, (N + 1) // 2,
    (N - 3) // 2, N // 4, (2 * N + 1) // 3, dims.maximum(N, M), dims.maximum(N - 2, 0), N // 2 + 1, (N + 5) % 3,
    dims.maximum(N - M, M - N), 2 * ((N + 1) // 2), -2 * N + 4,
]  # fmt: skip
ARITHMETIC: dict[str, tuple[Callable[[Any, Any], DimLike], Callable[[Any, Any], Any]]] = {
    "+": (operator.add, operator.add),
    "-": (operator.sub, operator.sub),
    "*": (operator.mul, operator.mul),
    "max": (dims.maximum, lambda a, b: z3.If(a >= b, a, b)),
}


def assumptions(*given: DimLike) -> list[Any]:
    return [*sizes_are_natural(*given), *(d for g in given for d in divisors(g))]


@pytest.mark.parametrize("name", ARITHMETIC)
def test_arithmetic_of_sizes_is_that_of_integers(name: str) -> None:
    ours, theirs = ARITHMETIC[name]
    for a, b in product(SIZES, SIZES):
        claim = size(ours(a, b)) == theirs(size(a), size(b))
        assert always(claim, *assumptions(a, b)) == "proved", f"({a}) {name} ({b})"


DIVISORS: list[DimLike] = [1, 2, 3, 4, -2, N, M, 2 * N, N + 1, N * M, N // 2]


@pytest.mark.parametrize("by", DIVISORS, ids=str)
def test_quotients_of_sizes_round_down(by: DimLike) -> None:
    for a in SIZES:
        for made, meant in (
            (a // by, proofs.whole_quotient(size(a), size(by))),
            (a % by, size(a) - proofs.whole_quotient(size(a), size(by)) * size(by)),
        ):
            claim = size(made) == meant
            assert always(claim, *assumptions(a, by), size(by) != 0) == "proved", f"({a}) by ({by})"


@pytest.mark.parametrize("dim", SIZES, ids=str)
def test_what_is_said_to_be_natural_is(dim: DimLike) -> None:
    """Also of differences, where `at_least` decides, and by the facts of a program."""
    known = SizeFacts([(">=", N - 4), ("==", M - 2 * N)])  # type: ignore[list-item]
    held = [size(N) >= 4, size(M) == 2 * size(N)]
    for other in SIZES:
        difference = dim - other
        claim = size(difference) >= 0
        if dims.never_negative(difference):
            assert always(claim, *assumptions(difference)) == "proved", difference
        if isinstance(difference, Dim):
            for relation, meant in ((">=", claim), ("==", size(difference) == 0)):
                for facts, more in ((SizeFacts([]), []), (known, held)):
                    decided = facts.decide(relation, difference)
                    if decided is not None:
                        stated = meant if decided else z3.Not(meant)
                        found = always(stated, *assumptions(difference, N, M), *more)
                        assert found == "proved", f"{difference} {relation} 0 is said to be {decided}"
            if known.same_dim(dim, other):
                assert always(size(dim) == size(other), *assumptions(dim, other, N, M), *held) == "proved"


@pytest.mark.parametrize("dim", [d for d in SIZES if isinstance(d, Dim)], ids=str)
def test_sizes_put_in_and_texts_read_back(dim: Dim) -> None:
    assert dims.same_dim(Dim.parse(str(dim)), dim)
    for value in (0, 3, N + M, 2 * M, M // 2):
        made = dim.evaluate({"N": value})
        meant = z3.substitute(size(dim), (z3.Int("N"), size(value)))
        given = [z3.substitute(d, (z3.Int("N"), size(value))) for d in divisors(dim)]
        assert always(size(made) == meant, *assumptions(made, value, M), *given) == "proved"


# ---- indices


@pytest.mark.parametrize("extent", range(5))
def test_an_index_that_lies_in_an_axis_is_within_its_bounds(extent: int) -> None:
    for low, high in product(range(-3, 7), range(-3, 7)):
        if low <= high:
            assert IndexRange(low, high).lies_in(extent) is (low >= 0 and high < extent), (low, high)
            through = IndexRange(low, high, 1).goes_through(extent)
            assert through is (list(range(low, high + 1)) == list(range(extent)))


@pytest.mark.parametrize("extent", SIZES, ids=str)
def test_an_index_of_a_symbolic_axis_is_within_its_bounds(extent: DimLike) -> None:
    index = z3.Int("index")
    for low, high in product(SIZES[:12], SIZES):
        place = IndexRange(low, high, 1)
        between = [index >= size(low), index <= size(high), *assumptions(low, high, extent)]
        if place.lies_in(extent):
            assert always(z3.And(index >= 0, index < size(extent)), *between) == "proved", (low, high)
        if place.goes_through(extent):
            assert always(z3.And(size(low) == 0, size(high) == size(extent) - 1)) == "proved"


def test_transposes_compose() -> None:
    """All pairs of permutations of up to four axes."""
    for rank in range(1, 5):
        x = np.arange(np.prod(range(2, rank + 2))).reshape(range(2, rank + 2))
        for inner, outer in product(permutations(range(rank)), repeat=2):
            joined = tuple(inner[k] for k in outer)
            np.testing.assert_array_equal(x.transpose(inner).transpose(outer), x.transpose(joined))
