"""The lowering rules of the rows, carried out element by element in plain Python: what they say is what `eager` does.

Loads outside an operand are errors here: a rule has to be memory-safe even where it selects another value in the end.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pytest

from vitrify.base.dtype import BY_SHORT
from vitrify.ops import philox, special
from vitrify.ops.dims import Dim, DimLike
from vitrify.ops.infer import dtype_bounds
from vitrify.ops.kernel_expressions import Expr, Literal, Name, call, parse
from vitrify.ops.lowering import Index, Point, Reduce, Scalar
from vitrify.ops.op import OPS, Op, Sample
from vitrify.ops.types import TensorType

from .numpy_values import ArrayValue, Step, numpy_values
from .numpy_values import call as call_op
from .test_rows import ROWS, flat_args

MOST_ELEMENTS = 130


class Kernel:
    """A PointContext whose expressions are Python over the operands a0, a1, …"""

    def __init__(self, step: Step) -> None:
        self.attrs = step.attrs
        self.inputs: Sequence[TensorType] = [a.type for a in step.operands]
        self.output = step.results[0].type

    def load(self, operand: int, index: Index) -> Expr:
        shape = self.inputs[operand].shape
        fixed = [Literal(0) if d == 1 else i for i, d in zip(index, shape, strict=True)]  # an axis of one element
        return call("load", f"a{operand}", *fixed)

    def dim(self, size: DimLike) -> Expr:
        assert not isinstance(size, Dim)
        return Literal(size)

    def let(self, expression: Expr) -> Expr:
        return expression

    def literal(self, value: Any, dtype: str) -> Expr:
        return call(dtype, parse(repr(float(value) if dtype.startswith("f") else value)))

    def checked_index(self, operand: int, index: Sequence[Expr], size: DimLike) -> Expr:
        return call("checked_index", self.load(operand, index), self.dim(size))

    def one_index(self, operand: int, size: DimLike) -> Expr:
        return self.checked_index(operand, [], size)


def load(array: Any, *index: Any) -> Any:
    assert all(0 <= i < d for i, d in zip(index, array.shape, strict=True)), f"{tuple(index)} outside {array.shape}"
    return array[tuple(int(i) for i in index)]


def checked_index(place: Any, size: Any) -> int:
    assert -size <= place < size
    return int(place if place >= 0 else place + size)


def draw(fn: Any, kind: Any) -> Any:
    return lambda seed, offset, i: fn(int(seed), int(offset), int(i) + 1, kind)[int(i)]


NUMPY_NAMES = {
    "asin": np.arcsin, "acos": np.arccos, "atan": np.arctan, "atan2": np.arctan2, "asinh": np.arcsinh,
    "acosh": np.arccosh, "atanh": np.arctanh, "pow": np.power, "round": np.rint, "mod": np.remainder,
    "abreast_mod": np.remainder, "abreast_floor_div": np.floor_divide, "floor_div": np.floor_divide, "erf": special.erf,
    "rsqrt": lambda x: type(x)(1) / np.sqrt(x),
    "at_least": np.maximum, "at_most": np.minimum, "largest": np.maximum, "smallest": np.minimum,
    "sigmoid": OPS["sigmoid"].eager, "softplus": lambda x: np.maximum(x, 0) + np.log1p(np.exp(-np.abs(x))),
    "philox_uniform": draw, "philox_normal": draw,
    **{n: OPS[n].eager for n in ("lgamma", "digamma", "trigamma", "tetragamma", "erfinv", "i0", "i0e", "i1", "i1e")},
    **{n: OPS[n].eager for n in ("shift_left", "shift_right", "shift_right_logical")},
}  # fmt: skip


class Prelude(Mapping[str, Any]):
    """The prelude's functions by name: `exp_f32` is np.exp; `f32` is a constructor."""

    def __init__(self, arrays: Sequence[Any]) -> None:
        self.fixed: dict[str, Any] = {
            "select": lambda c, a, b: a if c else b, "load": load, "checked_index": checked_index,
            "inf": math.inf, "nan": math.nan, "min": min, "max": max, "abs": abs,
            **{f"a{k}": a for k, a in enumerate(arrays)}, **{name: d.numpy.type for name, d in BY_SHORT.items()},
        }  # fmt: skip

    def __getitem__(self, name: str) -> Any:
        if name in self.fixed:
            return self.fixed[name]
        stem, _, kind = name.rpartition("_")
        if kind not in BY_SHORT:
            raise KeyError(name)
        dtype = BY_SHORT[kind]
        if stem in ("lowest", "highest"):
            bound = dtype.numpy.type(dtype_bounds(dtype)[stem == "highest"])
            return lambda: bound
        if stem == "whole":
            return lambda x: np.asarray(x).astype(dtype.numpy)[()]
        if stem.startswith("philox_"):
            return draw(getattr(philox, stem.removeprefix("philox_")), dtype.numpy)
        return NUMPY_NAMES.get(stem) or getattr(np, stem)

    def __iter__(self) -> Any:
        return iter(self.fixed)

    def __len__(self) -> int:
        return len(self.fixed)


def run(made: Expr | str, arrays: Sequence[Any], **names: Any) -> Any:
    prelude = Prelude(arrays)
    prelude.fixed |= names
    return eval(str(made), {"__builtins__": {}}, prelude)


def step_of(op: Op, sample: Sample) -> Step:
    with numpy_values() as numpy_run:
        call_op(op, [ArrayValue(a) for a in flat_args(sample)], sample.attrs)
    return numpy_run.steps[-1]


def cases(kind: type) -> list[Any]:
    return [
        pytest.param(op, sample, id=f"{op.name}-{k}")
        for op in ROWS
        if isinstance(op.lowering, kind)
        for k, sample in enumerate(op.samples())
    ]


def every_index(shape: Sequence[int]) -> list[tuple[int, ...]]:
    return list(itertools.product(*map(range, shape)))[:MOST_ELEMENTS]


def assert_same(got: Any, expected: Any, what: object) -> None:
    tolerance = 1e-5 if np.asarray(expected).dtype in (np.float32, np.complex64) else 1e-9
    np.testing.assert_allclose(got, expected, rtol=tolerance, atol=tolerance, err_msg=str(what))


@pytest.mark.parametrize(("op", "sample"), cases(Scalar))
def test_a_scalar_template_computes_the_element(op: Op, sample: Sample) -> None:
    step = step_of(op, sample)
    arrays = [a.array for a in step.operands]
    assert isinstance(op.lowering, Scalar)
    text = op.lowering.write(Kernel(step), [Name(f"x{k}") for k in range(len(arrays))])
    spread = np.broadcast_arrays(*arrays)
    with np.errstate(all="ignore"):
        for index in every_index(step.results[0].shape):
            elements = {f"x{k}": a[index] for k, a in enumerate(spread)}
            got = run(text, [], **elements)
            assert_same(step.results[0].dtype.numpy.type(got), step.results[0].array[index], (text, elements))


@pytest.mark.parametrize(("op", "sample"), cases(Point))
def test_a_point_rule_computes_the_element(op: Op, sample: Sample) -> None:
    step = step_of(op, sample)
    assert isinstance(op.lowering, Point)
    if op.name in ("as_real", "as_complex"):
        assert op.lowering.alias is not None and not op.lowering.inline  # no kernel is written: the memory is the same
        return
    result = step.results[0].array
    names = [f"i{k}" for k in range(result.ndim)]
    text = op.lowering.fn(Kernel(step), [Name(name) for name in names])
    arrays = [a.array for a in step.operands]
    with np.errstate(all="ignore"):
        for index in every_index(result.shape):
            got = run(text, arrays, **dict(zip(names, index, strict=True)))
            assert_same(result.dtype.type(got), result[index], (text, index))


@pytest.mark.parametrize(("op", "sample"), cases(Point))
def test_an_alias_names_a_contiguous_piece(op: Op, sample: Sample) -> None:
    step = step_of(op, sample)
    assert isinstance(op.lowering, Point)
    if op.lowering.alias is None:
        return
    offset = op.lowering.alias([a.type for a in step.operands], step.attrs)
    if offset is not None:
        result = step.results[0].array
        held = step.operands[0].array.reshape(-1)[offset:].view(result.dtype)[: result.size]
        np.testing.assert_array_equal(held, result.reshape(-1))


@pytest.mark.parametrize(("op", "sample"), cases(Reduce))
def test_a_reduction_folds_and_merges(op: Op, sample: Sample) -> None:
    """Each line is folded in two halves, then merged, as threads do."""
    step = step_of(op, sample)
    rule = op.lowering
    assert isinstance(rule, Reduce)
    axis = step.attrs["axis"]
    x = step.operands[0].array
    kept = [k for k in range(x.ndim) if k not in axis]
    lines = x.transpose([*kept, *axis]).reshape([x.shape[k] for k in kept] + [math.prod(x.shape[k] for k in axis)])
    results = step.results[0].array.reshape(lines.shape[:-1])
    kind = rule.accumulator or step.results[0].dtype.short
    merge = rule.merge or rule.combine

    def value(template: str, **names: Any) -> Any:
        made = run(template.format(T=kind, a="a", x="x", n="n"), [], **names)
        return made if template == rule.finish else BY_SHORT[kind].numpy.type(made)

    with np.errstate(all="ignore"):
        for index in every_index(lines.shape[:-1]):
            halves = []
            for part in np.array_split(lines[index], 2):
                total = value(rule.start)
                for element in part:
                    total = value(rule.combine, a=total, x=element)
                halves.append(total)
            total = value(merge, a=halves[0], x=halves[1])
            got = run(rule.finish.format(T=kind, a="a", n="n"), [], a=total, n=np.int64(lines.shape[-1]))
            assert_same(got, results[index], rule)
