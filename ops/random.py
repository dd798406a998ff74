"""Rows that draw random numbers. The generator's state, int64[2] (seed, offset), is an operand: the rows are pure.

Element i of a draw depends on (seed, offset, i) alone (counter-based, philox.py), so that eager and compiled code, on
any number of threads, draw the same numbers. Draws at different offsets are independent, whatever their sizes:
`rng_advance` by 1 after each is enough.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from functools import reduce
from typing import Any

import numpy as np

from ..base import dtype as dt
from ..base.dtype import FLOATS, DType, as_dtype
from ..base.errors import ArgumentError, DTypeError
from ..base.flags import flags
from . import philox
from .dims import product, same_shape
from .infer import as_dim, as_dims, not_negative, require_dtype
from .interpreter import Interpreter
from .kernel_expressions import ONE, ZERO, Expr, call, equal, select
from .lowering import Index, Point, PointContext
from .op import REQUIRED, Op, Sample, row
from .types import Shape, TensorType

Prepared = tuple[tuple[Any, ...], dict[str, Any]]


def require_state(op: str, state: TensorType) -> None:
    """Refuse what isn't the state of a generator."""
    if state.dtype is not dt.int64 or not same_shape(state.shape, (2,)):
        raise DTypeError(f"{op} needs a generator's state, i64[2], not {state}")


def linear_index(ctx: PointContext, index: Index, shape: Shape) -> Expr:
    """The place of an element in row-major order, as an expression."""
    if not index:
        return call("i64", 0)
    terms = [call("i64", i) * ctx.dim(product(shape[k + 1 :])) for k, i in enumerate(index[:-1])]
    return ctx.let(reduce(operator.add, [*terms, call("i64", index[-1])]))


def _draw(
    name: str, doc: str, attrs: dict[str, Any], kinds: tuple[DType, ...], eager: Any, element: Any, samples: Any
) -> Op:
    """A row `name(state, shape, …, dtype)`. eager(seed, offset, n, attrs) draws n numbers; element(ctx, draw) writes
    one, where draw(kind) is the call of a prelude function.
    """

    def prepare(interpreter: Interpreter, values: list[Any], attrs: dict[str, Any]) -> Prepared:
        dtype = as_dtype(attrs["dtype"]) if attrs["dtype"] is not None else flags.default_dtype
        rest = {k: float(v) if dtype.is_floating else int(v) for k, v in attrs.items() if k not in ("shape", "dtype")}
        return (values[0],), {"shape": not_negative(as_dims(attrs["shape"])), "dtype": dtype, **rest}

    def infer(state: TensorType, *, shape: Shape, dtype: DType, **_: Any) -> TensorType:
        require_state(name, state)
        require_dtype(name, dtype, kinds)
        return TensorType(dtype, shape)

    def run(state: Any, *, shape: tuple[int, ...], dtype: DType, **rest: Any) -> Any:
        numbers = eager(int(state[0]), int(state[1]), math.prod(shape), dtype=dtype, **rest)
        return np.asarray(numbers).astype(dtype.numpy, copy=False).reshape(shape)

    def point(ctx: PointContext, index: Index) -> Expr:
        place = linear_index(ctx, index, ctx.output.shape)
        seed, offset = ctx.load(0, [ZERO]), ctx.load(0, [ONE])
        made: Expr = element(ctx, lambda function: call(f"philox_{function}", seed, offset, place))
        return made

    return row(
        name, doc, "state", attrs={"shape": REQUIRED, "dtype": None, **attrs}, prepare=prepare, infer=infer, eager=run,
        vjp=lambda g, y, state, **_: (None,), lowering=Point(point), samples=samples, method=False, public=False,
        family="random",
    )  # fmt: skip


def _state(seed: int, offset: int = 0) -> Any:
    return np.array([seed, offset], np.int64)


def _uniform_eager(seed: int, offset: int, n: int, *, dtype: DType, low: float, high: float) -> Any:
    kind = dtype.numpy.type
    return philox.uniform(seed, offset, n, dtype.numpy) * kind(high - low) + kind(low)


def _uniform_element(ctx: PointContext, draw: Callable[[str], Expr]) -> Expr:
    kind = ctx.output.dtype.short
    low, high = ctx.attrs["low"], ctx.attrs["high"]
    return draw(f"uniform_{kind}") * ctx.literal(high - low, kind) + ctx.literal(low, kind)


uniform = _draw(
    "uniform",
    "Numbers evenly from [low, high).",
    {"low": 0.0, "high": 1.0},
    FLOATS,
    _uniform_eager,
    _uniform_element,
    lambda: [
        Sample((_state(1),), {"shape": [3, 4]}),
        Sample((_state(2, 10),), {"shape": [33], "dtype": "float64", "low": -1.0, "high": 3.0}),
        Sample((_state(3),), {"shape": []}),
        Sample((_state(3),), {"shape": [0, 2]}),
    ],
)


def _normal_eager(seed: int, offset: int, n: int, *, dtype: DType, mean: float, std: float) -> Any:
    kind = dtype.numpy.type
    return philox.normal(seed, offset, n, dtype.numpy) * kind(std) + kind(mean)


def _normal_element(ctx: PointContext, draw: Callable[[str], Expr]) -> Expr:
    kind = ctx.output.dtype.short
    return draw(f"normal_{kind}") * ctx.literal(ctx.attrs["std"], kind) + ctx.literal(ctx.attrs["mean"], kind)


normal = _draw(
    "normal",
    "Numbers from the normal distribution with `mean` and standard deviation `std`.",
    {"mean": 0.0, "std": 1.0},
    FLOATS,
    _normal_eager,
    _normal_element,
    lambda: [
        Sample((_state(1),), {"shape": [3, 4]}),
        Sample((_state(-5, 7),), {"shape": [33], "dtype": "float64", "mean": 2.0, "std": 0.5}),
        Sample((_state(3),), {"shape": []}),
    ],
)


def _randint_eager(seed: int, offset: int, n: int, *, dtype: DType, low: int, high: int) -> Any:
    if high <= low:
        raise ArgumentError(f"randint needs low < high, not {low} and {high}")
    return np.floor(philox.uniform(seed, offset, n, np.float64) * float(high - low)).astype(np.int64) + low


def _randint_element(ctx: PointContext, draw: Callable[[str], Expr]) -> Expr:
    low, high = ctx.attrs["low"], ctx.attrs["high"]
    drawn = call("i64", draw("uniform_f64") * ctx.literal(float(high - low), "f64"))  # not negative: i64() rounds down
    return call(ctx.output.dtype.short, drawn + ctx.literal(low, "i64"))


randint = _draw(
    "randint",
    "Integers evenly from low, …, high - 1, by scaling a float64: exact spans up to 2**53.",
    {"low": 0, "high": 2},
    (dt.int32, dt.int64),
    _randint_eager,
    _randint_element,
    lambda: [
        Sample((_state(1),), {"shape": [3, 4], "dtype": "int64", "low": -3, "high": 4}),
        Sample((_state(2, 5),), {"shape": [33], "dtype": "int32", "low": 0, "high": 1000}),
    ],
)


def _prepare_advance(interpreter: Interpreter, values: list[Any], attrs: dict[str, Any]) -> Prepared:
    return (values[0],), {"count": as_dim(attrs["count"])}


def _infer_advance(state: TensorType, *, count: Any) -> TensorType:
    require_state("rng_advance", state)
    return state


def _advance_point(ctx: PointContext, index: Index) -> Expr:
    value = ctx.let(ctx.load(0, index))
    return select(equal(index[0], 0), value, value + ctx.dim(ctx.attrs["count"]))


rng_advance = row(
    "rng_advance",
    "The generator's state with its offset moved on by `count`.",
    "state",
    attrs={"count": 1},
    prepare=_prepare_advance,
    infer=_infer_advance,
    eager=lambda state, *, count: state + np.array([0, count], np.int64),
    vjp=lambda g, y, state, **_: (None,),
    lowering=Point(_advance_point),
    samples=lambda: [Sample((_state(4, 9),), {"count": 12}), Sample((_state(4),), {"count": 0})],
    method=False,
    public=False,
    family="random",
)
