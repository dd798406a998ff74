"""Gradients of whole programs, checked against differences in float64."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from vitrify.ir.builder import Builder
from vitrify.ir.core import Program
from vitrify.ir.interpret import interpret
from vitrify.ir.parser import parse_program
from vitrify.ir.verifier import verify
from vitrify.ir.walk import clone_program
from vitrify.ops.op import OPS
from vitrify.passes.autodiff import vjp_block_values

Callbacks = dict[str, Callable[..., Any]]


def with_gradients(program: Program, wrt: Sequence[int]) -> tuple[Program, list[int]]:
    """A copy that also returns the gradients of the sum of its float fetches; `wrt` counts body arguments."""
    made = clone_program(program)
    end = made.body.terminator
    builder = Builder(made.body, before=end)
    outputs = [v for v in made.fetches if v.dtype.is_differentiable]
    with builder.active():
        seeds = [OPS["full"](v.shape, 1.0, v.dtype) for v in outputs]
    grads = vjp_block_values(builder, outputs, seeds, [made.body.args[k] for k in wrt])
    found = [k for k, g in zip(wrt, grads, strict=True) if g is not None]
    for gradient in grads:
        if gradient is not None:
            end.add_operand(gradient)
    made.fetch_names = []
    verify(made)
    return made, found


def total(program: Program, arrays: Sequence[Any], callbacks: Callbacks) -> float:
    fetched, _ = interpret(program, arrays, (), callbacks)
    return float(sum(np.sum(f) for f in fetched if f.dtype.kind == "f"))


def numeric(program: Program, arrays: Sequence[Any], k: int, callbacks: Callbacks, eps: float = 1e-6) -> Any:
    base = [np.array(a) for a in arrays]
    out = np.zeros_like(base[k])
    for place in np.ndindex(base[k].shape):
        kept = base[k][place]
        base[k][place] = kept + eps
        above = total(program, base, callbacks)
        base[k][place] = kept - eps
        out[place] = (above - total(program, base, callbacks)) / (2 * eps)
        base[k][place] = kept
    return out


def check(
    text: str | Program, *arrays: Any, wrt: Sequence[int] | None = None, callbacks: Callbacks | None = None,
    second: bool = False,
) -> Program:  # fmt: skip
    """Gradients of the program equal differences; with `second`, those of the gradient program too. Returns it."""
    program = parse_program(text) if isinstance(text, str) else text
    verify(program)
    given = [np.asarray(a) for a in arrays]
    floats = [k for k, a in enumerate(given) if a.dtype.kind == "f"]
    made, found = with_gradients(program, floats if wrt is None else wrt)
    before, _ = interpret(program, given, (), callbacks or {})
    fetched, _ = interpret(made, given, (), callbacks or {})
    for a, b in zip(before, fetched, strict=False):
        np.testing.assert_array_equal(a, b)
    for k, gradient in zip(found, fetched[len(before) :], strict=True):
        expected = numeric(program, given, k, callbacks or {})
        np.testing.assert_allclose(gradient, expected, rtol=1e-5, atol=1e-6, err_msg=f"gradient of argument {k}")
    for k in set(floats if wrt is None else wrt) - set(found):
        assert not numeric(program, given, k, callbacks or {}).any(), f"argument {k} has a gradient"
    if second:
        check(made, *arrays, wrt=wrt, callbacks=callbacks)
    return made
