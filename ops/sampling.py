"""Rows that draw from distributions without a short formula: Poisson, binomial, gamma. NumPy's samplers run them.

The stream is NumPy's Philox with the key (seed, offset): the same state gives the same numbers, eagerly and compiled.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..base.dtype import FLOATS, int64
from ..base.errors import ArgumentError
from .elementwise import zeros_of
from .families import common_dtype
from .infer import broadcast_shapes, require_dtype, require_same_dtype
from .interpreter import Interpreter
from .op import NONDIFFERENTIABLE, Op, Sample, row
from .random import require_state
from .types import TensorType

Prepared = tuple[tuple[Any, ...], dict[str, Any]]


def _stream(state: Any) -> np.random.Generator:
    key = np.asarray(state, np.int64).view(np.uint64)
    return np.random.Generator(np.random.Philox(key=key))


def _sampler(
    name: str, doc: str, operands: str, draw: Callable[..., Any], low: float, high: float, *,
    least: float = 0.0, vjp: Any = NONDIFFERENTIABLE,
) -> Op:  # fmt: skip
    """A row `name(state, parameters…)`: one number per element of the parameters, in their dtype."""

    def prepare(interpreter: Interpreter, values: list[Any], attrs: dict[str, Any]) -> Prepared:
        return (values[0], *common_dtype(interpreter, values[1:], to_float=True, allowed=FLOATS, name=name)), attrs

    def infer(state: TensorType, *types: TensorType) -> TensorType:
        require_state(name, state)
        dtype = require_same_dtype(name, types)
        require_dtype(name, dtype, FLOATS)
        return TensorType(dtype, broadcast_shapes(*(t.shape for t in types)))

    def run(state: Any, *parameters: Any) -> Any:
        for p in parameters:
            if not (p >= least).all():
                raise ArgumentError(
                    f"{name} needs parameters of at least {least:g}", remedy="look for negative numbers and NaN"
                )
        wide = [np.asarray(p, np.float64) for p in parameters]
        return np.asarray(draw(_stream(state), *wide)).astype(parameters[0].dtype)

    def samples() -> list[Sample]:
        count = len(operands.split())
        rng = np.random.default_rng(0)
        return [
            Sample((np.array([1, 5], int64.numpy), *(rng.uniform(low, high, (3, 4)) for _ in range(count)))),
            Sample(
                (np.array([-2, 0], int64.numpy), *(rng.uniform(low, high, ()).astype("float32") for _ in range(count)))
            ),
        ]

    return row(
        name, doc, f"state {operands}", prepare=prepare, infer=infer, eager=run, vjp=vjp, samples=samples,
        method=False, public=False, family="random",
    )  # fmt: skip


draw_poisson = _sampler(
    "draw_poisson",
    "Numbers from Poisson distributions of these rates, 0 for rates below 0; they have gradients of 0.",
    "rate",
    lambda g, rate: g.poisson(np.maximum(rate, 0.0)),
    0.5,
    9.0,
    least=-np.inf,  # NaN is refused
    vjp=lambda g, y, state, rate: (None, zeros_of(g)),
)
draw_binomial = _sampler(
    "draw_binomial",
    "How many of `count` tries succeed, each with probability `prob`.",
    "count prob",
    lambda g, count, prob: g.binomial(count.astype(np.int64), prob),
    0.0,
    1.0,
)
draw_gamma = _sampler(
    "draw_gamma", "Numbers from gamma distributions of these shapes and scale 1.", "alpha",
    lambda g, alpha: g.standard_gamma(alpha), 0.5, 9.0,
)  # fmt: skip
