"""The layer whose `forward` is running, as a dotted path, and what its operations are for: kept by what captures
functions, and by the profiler.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

_stack: ContextVar[tuple[tuple[Any, str], ...]] = ContextVar("layers", default=())
_purpose: ContextVar[Any] = ContextVar("purpose", default=None)


def layer_path() -> str:
    """The path of the innermost layer that runs, its class in parentheses; empty outside of layers."""
    stack = _stack.get()
    return stack[-1][1] if stack else ""


def purpose() -> Any:
    """What operations are made for now besides a result: a `Purpose` (location.py); None: for their result."""
    return _purpose.get()


@contextmanager
def serving(what: Any) -> Iterator[None]:
    """Inside the block operations are made for this purpose."""
    token = _purpose.set(what)
    try:
        yield
    finally:
        _purpose.reset(token)


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


_remembered: weakref.WeakKeyDictionary[Any, tuple[str, Any]] = weakref.WeakKeyDictionary()  # steps of the tape
_any_remembered: dict[Any, Any] = vars(_remembered)["data"]  # its entries: to ask itself whether it has some is slow


def remember(step: Any, gradient: Any = None) -> None:
    """Keep in mind in which layer a step of the tape was made: its gradient belongs to that layer as well.

    gradient: the Purpose of the operations of its gradient.
    """
    path = layer_path()
    if (path or gradient is not None) and step is not None:
        _remembered[step] = path, gradient


def backward_of(step: Any, part: Callable[..., Any] | None = None) -> Callable[..., Any]:
    """The `backward` of a step of the tape, run in the layer that made it. `part`: another part of its gradient."""
    known = _remembered.get(step) if _any_remembered else None
    backward: Callable[..., Any] = step.backward if part is None else part
    if known is None:
        return backward
    path, gradient = known

    def run(*args: Any) -> Any:
        token = _stack.set((*_stack.get(), (None, path)) if path else _stack.get())
        try:
            with serving(gradient):
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
