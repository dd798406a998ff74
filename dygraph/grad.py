"""Gradients as functions: `grad`, `backward` of several tensors, Jacobians and Hessians."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..base.errors import ArgumentError, ShapeError
from ..ops.op import OPS
from ..ops.rearrange import stack
from .backward import backward_from, filled_like, gradients_of
from .modes import enable_grad
from .tensor import Tensor


def _tensors(value: Any, what: str) -> list[Tensor]:
    found = list(value) if isinstance(value, (list, tuple)) else [value]
    for x in found:
        if not isinstance(x, Tensor):
            raise ArgumentError(f"{what} must be tensors, not {type(x).__name__}")
    return found


def _seeds(value: Any, count: int, what: str) -> list[Any]:
    if value is None:
        return [None] * count
    found = list(value) if isinstance(value, (list, tuple)) else [value]
    if len(found) != count:
        raise ArgumentError(f"{what} has {len(found)} entries for {count} tensors", remedy="give None for ones")
    for x in found:
        if x is not None and not isinstance(x, Tensor):
            raise ArgumentError(f"{what} must be tensors or None, not {type(x).__name__}")
    return found


def backward(tensors: Any, grad_tensors: Any = None, retain_graph: bool = False) -> None:
    """Add the gradients of one or several tensors to `.grad` of the leaves they depend on.

    grad_tensors: weights, one per tensor; None for ones.
    """
    roots = _tensors(tensors, "tensors")
    backward_from(roots, _seeds(grad_tensors, len(roots), "grad_tensors"), retain_graph=retain_graph)


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
    reachable = [(y, g) for y, g in zip(roots, seeds, strict=True) if not y.stop_gradient]
    found = gradients_of(
        [y for y, _ in reachable],
        wanted,
        [g for _, g in reachable],
        retain_graph=create_graph if retain_graph is None else retain_graph,
        create_graph=create_graph,
        blocked=[] if no_grad_vars is None else _tensors(no_grad_vars, "no_grad_vars"),
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
    return found


def jacobian(ys: Any, xs: Any, batch_axis: int | None = None) -> Any:
    """The Jacobian of `ys` (flattened, M) by `xs` (flattened, N), as a tensor [M, N]; tuples give tuples.

    batch_axis=0: both begin with a batch axis whose entries don't mix; the result is [B, M, N].
    """
    if isinstance(ys, (list, tuple)):
        return tuple(jacobian(y, xs, batch_axis) for y in ys)
    many = isinstance(xs, (list, tuple))
    inputs = _tensors(xs, "xs")
    if batch_axis not in (None, 0):
        raise ArgumentError(f"batch_axis must be None or 0, not {batch_axis}")
    lead = 0 if batch_axis is None else 1
    if lead and (not ys.ndim or any(x.shape[:1] != ys.shape[:1] for x in inputs)):
        raise ShapeError("with batch_axis=0, ys and xs must begin with the same batch size")
    with enable_grad():
        flat = OPS["reshape"](ys, [*ys.shape[:lead], -1])
        rows: list[list[Any]] = []
        for k in range(flat.shape[-1]):
            picked = flat[:, k] if lead else flat[k]
            found = grad(picked, inputs, create_graph=True, retain_graph=True, allow_unused=True)
            rows.append([filled_like(x, 0) if g is None else g for x, g in zip(inputs, found, strict=True)])
        columns = [
            stack([OPS["reshape"](row[j], [*x.shape[:lead], -1]) for row in rows], axis=lead)
            for j, x in enumerate(inputs)
        ]
    return tuple(columns) if many else columns[0]


def hessian(ys: Any, xs: Any, batch_axis: int | None = None) -> Any:
    """The second derivatives of a scalar (with batch_axis=0: one per batch entry) by `xs`: [N, N] or [B, N, N]."""
    inputs: Sequence[Tensor] = _tensors(xs, "xs")
    with enable_grad():
        firsts = grad(ys, inputs, create_graph=True, retain_graph=True)
        table = tuple(tuple(jacobian(g, x, batch_axis) for x in inputs) for g in firsts)
    return table if isinstance(xs, (list, tuple)) else table[0][0]
