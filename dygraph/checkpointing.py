"""Recomputation: forward without keeping anything, and once more when backward needs it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ..base.pytree import flatten, unflatten
from ..ops.dispatch import is_captured
from .backward import backward_from
from .modes import GradMode, is_recording
from .random_generators import default_generator
from .tape import edge_of, record_function
from .tensor import Tensor


def _is_tensor(x: object) -> bool:
    return isinstance(x, Tensor)


def recompute(
    function: Callable[..., Any], *args: Any, preserve_rng_state: bool = True, use_reentrant: bool = True, **kwargs: Any
) -> Any:
    """function(*args, **kwargs), of which only the tensors among the arguments are kept for backward: it is run again
    there, with the same random numbers (preserve_rng_state). Parameters that it uses get their `.grad`.

    In captured functions it is an ordinary call: what a program keeps is decided when it is compiled.

    >>> x = Tensor([1.0, 2.0], stop_gradient=False)
    >>> recompute(lambda x: (x * x).sum(), x).backward()
    >>> x.grad.tolist()
    [2.0, 4.0]
    """
    if is_captured() or not is_recording():
        return function(*args, **kwargs)
    state = default_generator.get_state() if preserve_rng_state else None
    inputs, tree = flatten((args, kwargs), _is_tensor)
    with GradMode(False):
        made = function(*args, **kwargs)
    outputs, shape = flatten(made, _is_tensor)
    results = [y.snapshot() for y in outputs]
    for y in results:
        y._node, y.stop_gradient = None, True
    kept = [x.detach() for x in inputs]
    stops = [x.stop_gradient for x in inputs]

    def backward(grads: tuple[Any, ...]) -> Sequence[Any]:
        aliases = [x.detach() for x in kept]
        for alias, stop in zip(aliases, stops, strict=True):
            alias.stop_gradient = stop
        given_args, given_kwargs = unflatten(tree, iter(aliases))
        now = default_generator.get_state()
        if state is not None:
            default_generator.set_state(state)
        try:
            with GradMode(True):
                again, _ = flatten(function(*given_args, **given_kwargs), _is_tensor)
        finally:
            if state is not None:
                default_generator.set_state(now)
        pairs = [(y, g) for y, g in zip(again, grads, strict=True) if g is not None and not y.stop_gradient]
        if pairs:
            backward_from([y for y, _ in pairs], [g for _, g in pairs])
        return [None if stop else alias.grad for alias, stop in zip(aliases, stops, strict=True)]

    record_function("recompute", inputs, results, backward, edges=[edge_of(x) for x in inputs])
    return unflatten(shape, iter(results))
