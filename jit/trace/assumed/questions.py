"""Questions that a captured function asks of its surroundings, asked again before its program is used again."""

from __future__ import annotations

import dataclasses
import inspect
import pathlib
import threading
from collections.abc import Callable, Iterator
from typing import Any


class Question:
    """A call that is made again before a program is used again; its answer in a form that can be compared."""

    __slots__ = ("args", "fn", "kwargs")

    def __init__(self, fn: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        self.fn, self.args, self.kwargs = fn, args, kwargs

    def __call__(self) -> Any:
        try:
            return _comparable(self.fn(*self.args, **self.kwargs))
        except (LookupError, OSError, TypeError, ValueError) as error:
            return type(error)

    @property
    def name(self) -> str:
        """How reports call it."""
        shown = getattr(self.fn, "__qualname__", type(self.fn).__name__)
        return f"{shown}({', '.join(map(repr, self.args))})"


def _comparable(value: Any) -> Any:
    if isinstance(value, pathlib.PurePath):
        return str(value)
    if isinstance(value, dict):
        return tuple((k, _comparable(v)) for k, v in value.items())
    if isinstance(value, threading.Thread):
        return value, value.name
    if isinstance(value, tuple) and value and all(isinstance(x, dataclasses.Field) for x in value):
        return tuple((x.name, x.type, x.default, x.default_factory) for x in value)
    if isinstance(value, inspect.Signature):
        return tuple((p.name, p.kind, p.default) for p in value.parameters.values())
    if isinstance(value, Iterator):
        return tuple(value)
    views = ("dict_keys", "dict_items", "dict_values", "KeysView", "ItemsView", "ValuesView")
    return tuple(value) if isinstance(value, list) or type(value).__name__ in views else value
