"""The facts that passes read from op definitions (`Op.terms` and what follows it) hold for every sample."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import vitrify.ops
from vitrify.ops.op import OPS, Op, Sample

from .numpy_values import ArrayValue, call, numpy_values

assert vitrify.ops  # fills the table


def with_fact(fact: str) -> list[Any]:
    """Each sample of the op definitions that state a fact."""
    ops = [op for op in OPS.values() if getattr(op, fact)]
    assert ops, fact
    return [pytest.param(op, sample, id=f"{op.name}-{k}") for op in ops for k, sample in enumerate(op.samples())]


def result_of(op: Op, sample: Sample) -> Any:
    with numpy_values():
        (made,) = call(op, [ArrayValue(a) for a in sample.args], sample.attrs)
    return made.array


@pytest.mark.parametrize(("op", "sample"), with_fact("terms"))
def test_terms_are_the_signs_of_a_sum(op: Op, sample: Sample) -> None:
    assert len(op.terms) == len(op.operands)
    total: Any = 0
    for x, sign in zip(sample.args, op.terms, strict=True):
        with np.errstate(all="ignore"):
            total = np.add(total, x) if sign > 0 else np.subtract(total, x)
    np.testing.assert_array_equal(result_of(op, sample), total)


@pytest.mark.parametrize(("op", "sample"), with_fact("is_contraction"))
def test_a_contraction_is_a_matmul_of_its_factors(op: Op, sample: Sample) -> None:
    x, y = (np.asarray(a) for a in sample.args)
    x = x.swapaxes(-1, -2) if sample.attrs.get("transpose_x") and x.ndim > 1 else x
    y = y.swapaxes(-1, -2) if sample.attrs.get("transpose_y") and y.ndim > 1 else y
    np.testing.assert_allclose(result_of(op, sample), x @ y, rtol=1e-6)


@pytest.mark.parametrize(("op", "sample"), with_fact("is_bilinear"))
def test_a_bilinear_op_is_linear_in_each_operand(op: Op, sample: Sample) -> None:
    assert len(op.operands) == 2
    x, y = (np.asarray(a) for a in sample.args)
    if x.dtype.kind not in "fc" or y.dtype.kind not in "fc":
        return  # of integers and bools there are no gradients
    made = result_of(op, sample)
    for k in range(2):
        doubled = [a * 2 if j == k else a for j, a in enumerate((x, y))]
        np.testing.assert_allclose(result_of(op, Sample(tuple(doubled), sample.attrs)), made * 2, rtol=1e-6)


@pytest.mark.parametrize(("op", "sample"), with_fact("detaches"))
def test_a_detached_operand_keeps_its_elements(op: Op, sample: Sample) -> None:
    assert not op.is_differentiable
    np.testing.assert_array_equal(result_of(op, sample), np.asarray(sample.args[0]))


@pytest.mark.parametrize(("op", "sample"), with_fact("writes_into_first"))
def test_an_op_that_writes_into_its_first_operand_keeps_its_type(op: Op, sample: Sample) -> None:
    made, first = result_of(op, sample), np.asarray(sample.args[0])
    assert (made.shape, made.dtype) == (first.shape, first.dtype)


def test_literals_read_nothing() -> None:
    assert {op.name: op.operands for op in OPS.values() if op.is_literal and op.operands} == {}


def test_sums_and_differences_are_told_apart() -> None:
    assert OPS["add"].is_sum and not OPS["add"].is_difference
    assert OPS["subtract"].is_difference and not OPS["subtract"].is_sum
    assert all(op.commutative for op in OPS.values() if op.is_sum)
