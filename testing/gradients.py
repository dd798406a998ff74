"""Gradients of whole programs for tests: a program that returns its own gradients, and slopes to compare them with."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from ..ir.builder import Builder
from ..ir.core import Program
from ..ir.interpret import interpret
from ..ir.parser import parse_program
from ..ir.printer import print_program
from ..ir.walk import clone_program
from ..ops.op import OPS
from ..passes.autodiff import vjp_block_values

Array = np.ndarray[Any, Any]
Callbacks = Mapping[str, Callable[..., Any]]


def with_gradients(program: Program, wrt: Sequence[int]) -> tuple[Program, list[int]]:
    """A copy that also returns gradients of the sum of its float fetches, and for which arguments it has one.

    `wrt` counts the body's arguments: feeds, then state.
    """
    made = clone_program(program)
    end = made.body.terminator
    builder = Builder(made.body, before=end)
    outputs = [v for v in made.fetches if v.dtype.is_differentiable]
    with builder.active():
        seeds = [OPS["full"](v.shape, 1.0, v.dtype) for v in outputs]
    gradients = vjp_block_values(builder, outputs, seeds, [made.body.args[k] for k in wrt])
    for gradient in gradients:
        if gradient is not None:
            end.add_operand(gradient)
    made.fetch_names = []
    return made, [k for k, g in zip(wrt, gradients, strict=True) if g is not None]


def in_double(program: Program, arrays: Sequence[Array]) -> tuple[Program, list[Array]]:
    """The program and its arguments in float64 (complex128), where differences say something."""
    made = parse_program(print_program(program).replace("f32", "f64").replace("c64", "c128"))
    wide = {np.dtype(np.float32): np.float64, np.dtype(np.complex64): np.complex128}
    return made, [a.astype(wide.get(a.dtype, a.dtype)) for a in arrays]


def float_arguments(arrays: Sequence[Array]) -> list[int]:
    """The numbers of the arguments that may have a gradient."""
    return [k for k, a in enumerate(arrays) if a.dtype.kind == "f"]


def random_direction(arrays: Sequence[Array], seed: int) -> list[Array]:
    """A direction in the space of the float arguments; zeros elsewhere."""
    rng = np.random.default_rng(seed)
    return [np.asarray(rng.standard_normal(a.shape)) if a.dtype.kind == "f" else np.zeros(a.shape) for a in arrays]


def numeric_slopes(
    program: Program, arrays: Sequence[Array], direction: Sequence[Array], *, callbacks: Callbacks | None = None,
    step: float = 1e-6,
) -> tuple[float, float]:  # fmt: skip
    """The slope of the sum of the float fetches along a direction, seen from either side: at a kink they differ."""
    count = len(program.feeds)

    def total(distance: float) -> float:
        moved = [np.asarray((a + distance * d).astype(a.dtype)) for a, d in zip(arrays, direction, strict=True)]
        fetched, _ = interpret(program, moved[:count], moved[count:], callbacks)
        return float(sum(np.sum(f) for f in fetched if f.dtype.kind == "f"))

    here = total(0.0)
    return (total(step) - here) / step, (here - total(-step)) / step
