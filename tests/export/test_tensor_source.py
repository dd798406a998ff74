"""Programs and gradients as Python over tensors: the text, executed, gives the values and gradients of eager mode."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import vitrify as vt
from vitrify.base.dtype import bfloat16
from vitrify.export.tensor_source import gradient_source, program_source
from vitrify.ir.builder import new_program
from vitrify.ir.core import Program, Value
from vitrify.ops.op import OPS, Op, Sample
from vitrify.ops.types import TensorType

from ..ops.numpy_values import ArrayValue, call

ROWS = [op for op in OPS.values() if op.family != "control"]


def program_of(op: Op, arrays: list[Any], attrs: dict[str, Any]) -> Program:
    """A program that is this one operation."""
    program, builder = new_program("f")
    values = [ArrayValue(a) for a in arrays]
    feeds = [program.add_feed(f"x{k}", TensorType(v.dtype, v.array.shape)) for k, v in enumerate(values)]
    with builder.active():
        made = call(op, feeds, attrs)
    results = [made] if isinstance(made, Value) else list(made)
    builder.return_(results)
    return program


def operands(sample: Sample) -> list[Any]:
    return [a for group in sample.args for a in (group if isinstance(group, (list, tuple)) else [group])]


def tensors(arrays: list[Any]) -> list[Any]:
    made = [vt.to_tensor(a) for a in arrays]
    for x in made:
        x.stop_gradient = not x.dtype.is_differentiable
    return made


@pytest.mark.parametrize("op", ROWS, ids=[op.name for op in ROWS])
def test_the_source_of_a_row_gives_its_values_and_gradients(op: Op) -> None:
    for sample in op.samples():
        arrays = operands(sample)
        if any(np.asarray(a).dtype == bfloat16.numpy for a in arrays):
            continue
        program = program_of(op, arrays, sample.attrs)
        xs = tensors(arrays)
        source = program_source(program)
        expected = as_list(call(op, xs, sample.attrs))
        found = as_list(source.load()(*xs))
        for a, b in zip(found, expected, strict=True):
            assert a.dtype == b.dtype, source
            np.testing.assert_array_equal(a.numpy(), b.numpy(), err_msg=source)
        if op.is_differentiable and sample.smooth:
            check_gradient(program, xs, expected)


def check_gradient(program: Program, xs: list[Any], expected: list[Any]) -> None:
    wrt = [k for k, x in enumerate(xs) if not x.stop_gradient]
    seeded = [y for y in expected if not y.stop_gradient]
    if not wrt or not seeded:
        return
    source = gradient_source(program, wrt)
    made, backward = source.load()(*xs)
    seeds = [vt.ones_like(y) for y in as_list(made) if y.dtype.is_differentiable]
    found = dict(zip(source.wrt, as_list(backward(*seeds)), strict=True))
    wanted = [y for y in expected if y.dtype.is_differentiable and not y.stop_gradient]
    grads = vt.grad(wanted, [xs[k] for k in wrt], [vt.ones_like(y) for y in wanted], allow_unused=True)
    for k, g in zip(wrt, grads, strict=True):
        if g is not None and f"x{k}" in found:
            np.testing.assert_allclose(found[f"x{k}"].numpy(), g.numpy(), rtol=1e-5, atol=1e-6, err_msg=source)


def as_list(made: Any) -> list[Any]:
    return list(made) if isinstance(made, (tuple, list)) else [made]
