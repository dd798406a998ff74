"""Bounds of integers hold for every sample of the ops that have a rule, whatever numbers the operands could have been."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import vitrify.ops
from vitrify.ops.bounds import Bounds
from vitrify.ops.op import OPS, Op, Sample

from .numpy_values import ArrayValue, call, numpy_values

assert vitrify.ops  # fills the table


def _bounds(array: Any, wider: int = 0) -> Bounds | None:
    x = np.asarray(array)
    if x.dtype.kind not in "iub":
        return None
    return (int(x.min()) - wider, int(x.max()) + wider) if x.size else (0, 0)


def _cases() -> list[Any]:
    return [
        pytest.param(OPS[name], sample, id=f"{name}-{k}")
        for name, row in OPS.items()
        if row.bounds
        for k, sample in enumerate(OPS[name].samples())
    ]


@pytest.mark.parametrize(("op", "sample"), _cases())
def test_results_lie_between_the_bounds(op: Op, sample: Sample) -> None:
    assert op.bounds
    operands = [a for arg in sample.args for a in (arg if isinstance(arg, list) else [arg])]
    with numpy_values(), np.errstate(all="ignore"):
        made = call(op, [_value(a) for a in sample.args], sample.attrs)[0].array
    if made.dtype.kind not in "iub" or not made.size or any(np.asarray(a).dtype.kind not in "iub" for a in operands):
        return
    limits = (0, 1) if made.dtype.kind == "b" else (int(np.iinfo(made.dtype).min), int(np.iinfo(made.dtype).max))
    for wider in (0, 3):
        pairs = [_bounds(a, wider * (np.asarray(a).dtype.kind != "b")) for a in operands]
        found = op.bounds(*pairs)
        if found is not None and limits[0] <= found[0] and found[1] <= limits[1]:
            assert found[0] <= made.min()
            assert made.max() <= found[1]


def _value(arg: Any) -> Any:
    return [ArrayValue(np.asarray(a)) for a in arg] if isinstance(arg, list) else ArrayValue(np.asarray(arg))


@pytest.mark.parametrize(
    ("name", "pairs", "expected"),
    [
        ("remainder", ((-50, 90), (12, 12)), (0, 11)),
        ("remainder", ((3, 7), (12, 12)), (3, 7)),
        ("remainder", ((3, 7), (-12, 12)), None),
        ("floor_divide", ((-7, 9), (2, 4)), (-4, 4)),
        ("floor_divide", ((-7, 9), (0, 4)), None),
        ("multiply", ((-2, 3), (-5, 1)), (-15, 10)),
        ("subtract", ((0, 3), (1, 9)), (-9, 2)),
        ("bitwise_and", ((-8, 100), (0, 15)), (0, 15)),
        ("bitwise_and", ((-8, 100), (-1, 15)), None),
        ("where", ((0, 0), (1, 2), (5, 6)), (5, 6)),
        ("where", ((1, 1), (1, 2), (5, 6)), (1, 2)),
        ("where", ((0, 1), (1, 2), (5, 6)), (1, 6)),
        ("where", ((0, 1), None, None), None),
        ("less_than", ((0, 4), (5, 9)), (1, 1)),
        ("less_than", ((5, 9), (0, 5)), (0, 0)),
        ("greater_equal", ((0, 4), (4, 9)), (0, 1)),
        ("less_than", (None, None), None),
    ],
)
def test_bounds(name: str, pairs: tuple[Bounds | None, ...], expected: Bounds | None) -> None:
    rule = OPS[name].bounds
    assert rule
    assert rule(*pairs) == expected
