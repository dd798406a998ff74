"""Every row of the op table as NumPy source: the text, executed with NumPy alone in sight, gives the row's bits."""

from __future__ import annotations

import ast
from typing import Any

import numpy as np
import pytest

from vitrify.base.dtype import bfloat16
from vitrify.base.errors import ArgumentError
from vitrify.export.numpy_source.helpers import Helpers
from vitrify.export.numpy_source.module import assembled
from vitrify.ops.effects import Effect
from vitrify.ops.op import OPS, Op, Sample

from ..ops.numpy_values import ArrayValue, Step, call, numpy_values

ROWS = [op for op in OPS.values() if op.family not in ("control", "collective")]
EXCHANGES = [op for op in OPS.values() if op.effect is Effect.COLLECTIVE and op.operands and op.samples()]


def steps_of(op: Op, sample: Sample) -> list[Step]:
    args = [a for group in sample.args for a in (group if isinstance(group, (list, tuple)) else [group])]
    with numpy_values() as interpreter:
        call(op, [ArrayValue(a) for a in args], sample.attrs)
    return interpreter.steps


@pytest.mark.parametrize("op", ROWS, ids=[op.name for op in ROWS])
def test_the_source_of_a_row_gives_its_bits(op: Op) -> None:
    for sample in op.samples():
        for step in steps_of(op, sample):
            if any(v.dtype is bfloat16 for v in (*step.operands, *step.results)):
                continue
            helpers = Helpers()
            names = [f"x{k}" for k in range(len(step.operands))]
            made = helpers.expression(
                step.op, [ast.Name(n, ast.Load()) for n in names], [v.type for v in step.operands], step.attrs
            )
            text = assembled(helpers, f"def run({', '.join(names)}):\n    return {ast.unparse(made)}\n")
            space: dict[str, Any] = {}
            exec(compile(text, "<generated>", "exec"), space)
            with np.errstate(all="ignore"):
                found = space["run"](*(v.array for v in step.operands))
            found = found if isinstance(found, tuple) else (found,)
            assert "vitrify" not in text
            for a, b in zip(found, step.results, strict=True):
                assert np.asarray(a).dtype == b.array.dtype, text
                np.testing.assert_array_equal(np.asarray(a), b.array, err_msg=text)


@pytest.mark.parametrize("op", EXCHANGES, ids=[op.name for op in EXCHANGES])
def test_exchanges_between_ranks_have_no_source(op: Op) -> None:
    step = steps_of(op, op.samples()[0])[0]
    names = [ast.Name(f"x{k}", ast.Load()) for k in range(len(step.operands))]
    with pytest.raises(ArgumentError, match=f"{op.name} can't be written as NumPy source"):
        Helpers().expression(step.op, names, [v.type for v in step.operands], step.attrs)
