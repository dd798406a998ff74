"""Both sides of every rule, run on NaN, infinities, signed zeros and extreme integers: equal to the bit."""

from __future__ import annotations

import inspect
from itertools import product
from typing import Any

import numpy as np
import pytest

from vitrify.base import dtype as dt
from vitrify.base.dtype import DType
from vitrify.ir.builder import new_program
from vitrify.ir.interpret import interpret
from vitrify.ir.parser import parse_program
from vitrify.ir.verifier import verify
from vitrify.ops.types import TensorType
from vitrify.passes.algebra.rules import Rule, build, rule
from vitrify.passes.algebra.simplify import ALGEBRA, Simplify
from vitrify.testing.numbers import hostile_numbers


def samples(dtype: DType) -> list[Any]:
    return list(hostile_numbers(dtype))


def both_sides(item: Rule, dtype: DType, shape: tuple[int, ...] | None = None) -> tuple[Any, Any]:
    """What both sides give for all combinations of samples, or for arrays of this shape."""
    sides = item.sides(dtype)
    assert sides is not None
    before, after, wild = sides
    grid = list(product(*(samples(w.dtype) for w in wild)))
    arrays = [np.array([row[k] for row in grid], w.dtype.numpy) for k, w in enumerate(wild)]
    if shape is not None:
        arrays = [np.resize(a, shape).astype(a.dtype) for a in arrays]
    program, builder = new_program(item.name)
    names = list(inspect.signature(item.fn).parameters)
    bound = {w: program.add_feed(n, TensorType(w.dtype, arrays[0].shape)) for w, n in zip(wild, names, strict=True)}
    builder.return_([build(before, bound, builder), build(after, bound, builder)])
    verify(program)
    with np.errstate(all="ignore"):
        one, other = interpret(program, arrays)[0]
    return one, other


@pytest.mark.parametrize("item", ALGEBRA, ids=lambda r: r.name)
def test_both_sides_are_equal(item: Rule) -> None:
    for dtype in item.dtypes:
        one, other = (x.astype(float) if dtype == "bfloat16" else x for x in both_sides(item, dtype))
        np.testing.assert_array_equal(one, other, err_msg=f"{item.name} in {dtype}")  # NaN equals NaN
        if dtype.is_floating:
            np.testing.assert_array_equal(np.signbit(one) | np.isnan(one), np.signbit(other) | np.isnan(other))


@pytest.mark.parametrize("shape", [(), (0,), (2, 0, 3), (1, 1)], ids=str)
@pytest.mark.parametrize("item", ALGEBRA, ids=lambda r: r.name)
def test_both_sides_have_one_shape_and_dtype(item: Rule, shape: tuple[int, ...]) -> None:
    for dtype in item.dtypes:
        one, other = both_sides(item, dtype, shape)
        assert (one.dtype, one.shape) == (other.dtype, other.shape) == (one.dtype, shape), dtype
        assert one.tobytes() == other.tobytes(), dtype


def test_the_samples_are_hostile() -> None:
    for dtype in (dt.float16, dt.float32, dt.float64):
        numbers, info = hostile_numbers(dtype), np.finfo(dtype.numpy)
        assert np.isnan(numbers).any()
        assert {info.max, info.min, np.inf, -np.inf, info.smallest_subnormal, info.tiny} <= set(numbers.tolist())
        assert {np.signbit(v) for v in numbers if v == 0} == {True, False}
    assert {-128, 127, -1, 0, 1} <= set(hostile_numbers(dt.int8).tolist())


@pytest.mark.parametrize("item", ALGEBRA, ids=lambda r: r.name)
def test_the_driver_finds_the_rule(item: Rule) -> None:
    """The before side alone, simplified, has no more operations than the after side."""
    sides = item.sides(item.dtypes[0])
    assert sides is not None
    before, after, wild = sides
    program, builder = new_program("p")
    bound = {w: program.add_feed(f"x{k}", TensorType(w.dtype, (3,))) for k, w in enumerate(wild)}
    builder.return_([build(before, bound, builder)])
    root = program.body.operations[-2]
    assert Simplify().run(program)
    assert root not in program.body.operations
    verify(program)
    del after


def test_a_wrong_rule_is_caught() -> None:
    @rule(dtypes=[dt.float32])
    def wrong(x: Any) -> tuple[Any, Any]:
        return x + 0.0, x

    one, other = both_sides(wrong, dt.float32)
    assert (np.signbit(one) != np.signbit(other)).any()


def test_rules_of_the_user_come_first() -> None:
    @rule(dtypes=[dt.float32])
    def cosh_is_even(x: Any) -> tuple[Any, Any]:
        from vitrify.ops.op import OPS

        return OPS["cosh"](-x), OPS["cosh"](x)

    text = "program @p(%x: f32[2]) -> f32[2] { %a = neg %x : f32[2] %b = cosh %a : f32[2] return %b }"
    program = parse_program(text)
    assert not Simplify().run(program)
    assert Simplify(rules=(cosh_is_even,)).run(program)
    assert program.fetches[0].operation.operands == program.feed_values


def test_a_factor_that_widens_stays() -> None:
    text = """program @p(%x: f32[2]) -> f32[3, 2] {
      %one = full {dtype = f32, fill_value = 1.0, shape = (3, 1)} : f32[3, 1]
      %a = multiply %x, %one : f32[3, 2]
      return %a
    }"""
    program = parse_program(text)
    assert not Simplify().run(program)
