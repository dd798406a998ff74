"""Operands of other sizes than a row's samples have: refused by the row's inference, or evaluated to what it says.

Kernels trust the inferred types: where inference let an operand pass that the eager kernel can't take, native code would
read beyond it. What a program says of its axes, the verifier checks.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from vitrify.base import dtype as dt
from vitrify.base.errors import VerifyError, VitrifyError
from vitrify.ir.builder import new_program
from vitrify.ir.core import Operation
from vitrify.ir.dynamic_sizes import learn
from vitrify.ir.verifier import verify
from vitrify.ir.walk import map_type
from vitrify.ops.op import OPS, Op, Sample
from vitrify.ops.types import TensorType

from .numpy_values import ArrayValue, call, numpy_values

ROWS = [op for op in OPS.values() if op.family != "control"]
# Rows whose NumPy kernel is all there is: it raises by itself, and nothing is read beyond an array.
HOST = {
    "rnnt_loss", "fft_c2c", "fft_r2c", "fft_c2r", "pivot_matrix", "put_between", "slice_between",
    "arange_between", "masked_select",
}  # fmt: skip
# Differences that no kernel reads by: no heads, filters of no width, an empty batch of transformed tiles, a list of one.
HARMLESS = {"attention", "conv2d", "conv2d_winograd", "gather_nd", "tril", "triu", "matmul"}


def flat(sample: Sample) -> list[Any]:
    found: list[Any] = []
    for arg in sample.args:
        found += [np.array(a) for a in arg] if isinstance(arg, (list, tuple)) else [np.array(arg)]
    return found


def other_shapes(shape: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """One axis larger or smaller, missing, or more."""
    for k, size in enumerate(shape):
        for by in (-1, 1, 2):
            if size + by >= 0:
                yield (*shape[:k], size + by, *shape[k + 1 :])
    yield from (shape[1:], (1, *shape), (2, *shape)) if shape else ((1,), (2,))


def resized(array: Any, shape: tuple[int, ...]) -> Any:
    return np.resize(array, shape).astype(array.dtype) if array.size else np.zeros(shape, array.dtype)


def in_program(op: Op, arrays: list[Any], attrs: dict[str, Any], results: tuple[Any, ...]) -> None:
    """The verifier's word on the operation."""
    program, builder = new_program("p")
    feeds = [program.add_feed(f"x{k}", TensorType(dt.of_array(a), a.shape)) for k, a in enumerate(arrays)]
    operation = Operation(op, feeds, attrs, list(results))
    program.body.append(operation)
    builder.return_(operation.results)
    verify(program)


@pytest.mark.parametrize("op", [op for op in ROWS if op.name not in HOST], ids=lambda op: op.name)
def test_operands_of_other_sizes(op: Op) -> None:
    wrong = []
    for sample in op.samples():
        with numpy_values() as run:
            call(op, [ArrayValue(a) for a in flat(sample)], sample.attrs)
        step = run.steps[-1]
        arrays = [np.asarray(v.array) for v in step.operands]
        for k, array in enumerate(arrays):
            for shape in other_shapes(array.shape):
                changed = [resized(array, shape) if j == k else a for j, a in enumerate(arrays)]
                found = fault(op, changed, step.attrs)
                if found:
                    wrong.append(f"operand {k} of shape {shape}: {found}")
    assert not wrong or op.name in HARMLESS, "\n".join(wrong)


def fault(op: Op, arrays: list[Any], attrs: dict[str, Any]) -> str:
    """What is wrong where inference lets operands pass; nothing where they are refused, or evaluated as it says."""
    kinds = [TensorType(dt.of_array(a), a.shape) for a in arrays]
    try:
        made = op.infer(*kinds, **attrs)
        results = made if isinstance(made, tuple) else (made,)
        in_program(op, arrays, attrs, results)
    except (VitrifyError, IndexError, ValueError):
        return ""  # the verifier tells of the latter two
    try:
        with np.errstate(all="ignore"):
            out = op.eager(*arrays, **attrs)
    except VitrifyError:
        return ""  # a value, say an index, that is out of range: checked by kernels, too
    except Exception as error:  # broad: that is what this test looks for
        return repr(error)
    values = out if isinstance(out, tuple) else (out,)
    told: dict[str, int] = {}
    learn(results, [np.asarray(v) for v in values], told)
    shapes = [map_type(r, told) for r in results]
    found = [TensorType(dt.of_array(np.asarray(v)), np.shape(v)) for v in values]
    return "" if [str(s) for s in shapes] == [str(f) for f in found] else f"{found} where {shapes} is inferred"


@pytest.mark.parametrize(
    ("axis", "message"),
    [
        *((axis, f"`flip` has the axis {axis}, but its first operand is f32") for axis in (1, 7)),
        *((axis, "the attribute axis of `flip` must be a tuple of axes, counted from 0") for axis in (-1, "0")),
    ],
)
def test_an_axis_that_is_not_there(axis: Any, message: str) -> None:
    program, builder = new_program("p")
    x = program.add_feed("x", TensorType(dt.float32, (3,)))
    operation = Operation(OPS["flip"], [x], {"axis": (axis,)}, [x.type])
    program.body.append(operation)
    builder.return_(operation.results)
    with pytest.raises(VerifyError, match=message):
        verify(program)
