"""Compiled against plain: results, arguments and what stands around them, with which object is which."""

from __future__ import annotations

import copy
import dataclasses
from collections import deque
from collections.abc import Callable
from typing import Any

import numpy as np

import vitrify as vt


class Drawn:
    """A value as text in which equal texts mean equal values, in the same objects at the same places.

    tensors: whether it matters which tensors are the same objects.
    """

    def __init__(self, known: dict[int, str], *, tensors: bool) -> None:
        self.known = known
        self.tensors = tensors
        self.seen: dict[int, int] = {}
        self.alive: list[Any] = []

    def of(self, value: Any) -> Any:
        if isinstance(value, (bool, int, float, str, bytes, type(None))):
            return f"{type(value).__name__} {value!r}"
        if isinstance(value, vt.Tensor) and not self.tensors:
            return self._inside(value)
        if id(value) in self.seen and not isinstance(value, tuple):
            return f"again {self.seen[id(value)]}"
        if not isinstance(value, tuple):
            self.seen[id(value)] = len(self.seen)
            self.alive.append(value)
        return self.known.get(id(value), ""), self._inside(value)

    def _inside(self, value: Any) -> Any:
        if isinstance(value, vt.Tensor):
            return value.dtype.name, np.round(value.numpy().astype(float), 4).tolist(), value.stop_gradient
        if isinstance(value, np.ndarray):
            return value.dtype.name, value.tolist()
        if isinstance(value, dict):
            return type(value).__name__, [(repr(k), self.of(v)) for k, v in value.items()]
        if isinstance(value, (list, tuple, deque)):
            return type(value).__name__, [self.of(v) for v in value]
        if isinstance(value, (set, frozenset)):
            return type(value).__name__, sorted(map(repr, value))
        if dataclasses.is_dataclass(value) or hasattr(value, "__dict__"):
            return type(value).__name__, [(k, self.of(v)) for k, v in vars(value).items()]
        return type(value).__name__


def _names(value: Any, found: dict[int, str], alive: list[Any], *, tensors: bool) -> dict[int, str]:
    """A name for each object that is there before the call."""
    if isinstance(value, (bool, int, float, str, bytes, type(None))) or id(value) in found:
        return found
    if isinstance(value, vt.Tensor) and not tensors:
        return found
    if not isinstance(value, tuple):
        found[id(value)] = f"#{len(found)}"
        alive.append(value)
    parts: Any = ()
    if isinstance(value, dict):
        parts = value.values()
    elif isinstance(value, (list, tuple, deque)):
        parts = value
    elif hasattr(value, "__dict__") and not isinstance(value, vt.Tensor):
        parts = vars(value).values()
    for part in parts:
        _names(part, found, alive, tensors=tensors)
    return found


def story(fn: Callable[..., Any], args: tuple[Any, ...], calls: int = 3, *, tensors: bool = True) -> list[Any]:
    """What each of some calls gives and leaves behind."""
    told = []
    for _ in range(calls):
        alive: list[Any] = []
        known = _names(args, {}, alive, tensors=tensors)
        try:
            result: Any = fn(*args)
        except Exception as error:  # broad: whatever the function raises
            result = f"{type(error).__name__}: {error}"
        told.append(Drawn(known, tensors=tensors).of((result, args)))
    return told


def check(
    fn: Callable[..., Any], args: tuple[Any, ...], calls: int = 3, compiled: Any = None, *, tensors: bool = True
) -> None:
    """Eager equals compiled, call after call."""
    twin = copy.deepcopy(args)
    expected = story(fn, args, calls, tensors=tensors)
    found = story(vt.jit.to_static(fn) if compiled is None else compiled, twin, calls, tensors=tensors)
    for k, (a, b) in enumerate(zip(expected, found, strict=True)):
        assert a == b, f"call {k}:\n  eager    {a}\n  compiled {b}"
