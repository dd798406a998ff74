"""Gradients as functions: `grad` and `backward` of several tensors."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..base.errors import ArgumentError, AssertedError
from ..ops.dispatch import current
from ..ops.mistakes import public
from .backward import backward_from, gradients_of
from .tensor import Tensor


def _tensors(value: Any, what: str) -> list[Tensor]:
    found = list(value) if isinstance(value, (list, tuple)) else [value]
    for x in found:
        if not isinstance(x, Tensor):
            raise AssertedError(f"{what} must be tensors, not {type(x).__name__}")
    return found


def _seeds(value: Any, count: int, what: str) -> list[Any]:
    if value is None:
        return [None] * count
    found = list(value) if isinstance(value, (list, tuple)) else [value]
    if len(found) != count:
        raise AssertedError(f"{what} has {len(found)} entries for {count} tensors", remedy="give None for ones")
    for x in found:
        if x is not None and not isinstance(x, Tensor):
            raise AssertedError(f"{what} must be tensors or None, not {type(x).__name__}")
    return found


def backward(tensors: Any, grad_tensors: Any = None, retain_graph: bool = False) -> None:
    """Add the gradients of one or several tensors to `.grad` of the leaves they depend on.

    grad_tensors: weights, one per tensor; None for ones.
    """
    roots = _tensors(tensors, "tensors")
    backward_from(roots, _seeds(grad_tensors, len(roots), "grad_tensors"), retain_graph=retain_graph)


@public
def grad(
    outputs: Any,
    inputs: Any,
    grad_outputs: Any = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    only_inputs: bool = True,
    allow_unused: bool = False,
    no_grad_vars: Any = None,
) -> list[Any]:
    """The gradients of the sum of `outputs` (weighted by `grad_outputs`), one per input. Writes no `.grad`.

    create_graph: the gradients can be differentiated again. allow_unused: None for an input without a path, instead of
    a ValueError. no_grad_vars: tensors taken as constants.

    >>> x = Tensor(3.0, stop_gradient=False)
    >>> (dx,) = grad(x * x, x, create_graph=True)
    >>> float(dx), float(grad(dx, x)[0])
    (6.0, 2.0)
    """
    if not only_inputs:
        raise ArgumentError("only_inputs=False isn't supported", remedy="call backward() to fill .grad of all leaves")
    roots, wanted = _tensors(outputs, "outputs"), _tensors(inputs, "inputs")
    seeds = _seeds(grad_outputs, len(roots), "grad_outputs")
    blocked = [] if no_grad_vars is None else _tensors(no_grad_vars, "no_grad_vars")
    reachable = [(y, g) for y, g in zip(roots, seeds, strict=True) if not y.stop_gradient]
    if current().is_static:  # there is no tape
        found: list[Any] = current().gradients_of(roots, wanted, seeds, blocked)
    else:
        found = gradients_of(
            [y for y, _ in reachable],
            wanted,
            [g for _, g in reachable],
            retain_graph=create_graph if retain_graph is None else retain_graph,
            create_graph=create_graph,
            blocked=blocked,
        )
    for x, g in zip(wanted, found, strict=True):
        if g is None and not allow_unused:
            raise ArgumentError(
                f"the outputs don't depend on the input {x.name} (stop_gradient={x.stop_gradient})",
                remedy="give allow_unused=True to get None for it"
                if not x.stop_gradient
                else "set its stop_gradient=False before the computation, or give allow_unused=True",
            )
        if g is not None and not create_graph:
            g._node, g.stop_gradient = None, True
        elif g is not None and isinstance(g._storage.payload, np.ndarray):
            g.stop_gradient = False  # also a constant one: what is made of it can be differentiated
    return found
