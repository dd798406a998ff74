"""The layer whose `forward` is running, as a dotted path: kept by what captures functions, and by the profiler."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

_stack: ContextVar[tuple[tuple[Any, str], ...]] = ContextVar("layers", default=())


def layer_path() -> str:
    """The path of the innermost layer that runs, its class in parentheses; empty outside of layers."""
    stack = _stack.get()
    return stack[-1][1] if stack else ""


@contextmanager
def inside_layer(layer: Any) -> Iterator[None]:
    """Inside the block the layer is the innermost one. Its name is that by which a layer around it holds it.

    >>> from ..dygraph.nn import Linear, Sequential
    >>> net = Sequential(Linear(2, 2))
    >>> with inside_layer(net), inside_layer(net[0]):
    ...     layer_path()
    'Sequential.0 (Linear)'
    """
    stack = _stack.get()
    token = _stack.set((*stack, (layer, _path(layer, stack))))
    try:
        yield
    finally:
        _stack.reset(token)


def in_layer(layer: Any, forward: Callable[..., Any]) -> Callable[..., Any]:
    """`forward`, run inside the layer."""

    def run(*args: Any, **kwargs: Any) -> Any:
        with inside_layer(layer):
            return forward(*args, **kwargs)

    return run


_remembered: weakref.WeakKeyDictionary[Any, str] = weakref.WeakKeyDictionary()  # steps of the tape -> layer
_any_remembered: dict[Any, str] = vars(_remembered)["data"]  # its entries: to ask itself whether it has some is slow


def remember(step: Any) -> None:
    """Keep in mind that a step of the tape was made in the layer that runs now: its gradient belongs to it as well."""
    path = layer_path()
    if path and step is not None:
        _remembered[step] = path


def backward_of(step: Any) -> Callable[..., Any]:
    """The `backward` of a step of the tape, run in the layer that made it."""
    path = _remembered.get(step) if _any_remembered else None
    backward: Callable[..., Any] = step.backward
    if path is None:
        return backward

    def run(*args: Any) -> Any:
        token = _stack.set((*_stack.get(), (None, path)))
        try:
            return backward(*args)
        finally:
            _stack.reset(token)

    return run


def _path(layer: Any, stack: tuple[tuple[Any, str], ...]) -> str:
    kind = type(layer).__name__
    for owner, path in reversed(stack):
        name = None if owner is None else _name_in(owner, layer)
        if name is not None:
            return f"{path.partition(' ')[0]}.{name} ({kind})"
    return kind


def _name_in(owner: Any, layer: Any) -> str | None:
    for name, child in owner._sub_layers.items():
        if child is layer:
            return str(name)
    return next((name for name, inner in owner.named_sublayers() if inner is layer), None)
