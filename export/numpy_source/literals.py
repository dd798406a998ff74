"""Python values as source text: numbers, strings, containers, NumPy dtypes, scalars and arrays."""

from __future__ import annotations

import ast
import math
from typing import Any

import numpy as np


def literal(value: Any) -> str | None:
    """The text that evaluates to `value` where `np` is NumPy; None for what isn't plain data.

    >>> literal((1, float("inf"), slice(0, 3))), literal(np.float32(0.5)), literal(np.dtype("int64"))
    ('(1, np.inf, slice(0, 3, None))', 'np.float32(0.5)', 'np.dtype(np.int64)')
    """
    match value:
        case None | bool() | str() | bytes():
            return repr(value)
        case np.bool_():
            return f"np.bool_({bool(value)})"
        case np.floating() if np.isfinite(value):
            return f"np.{value.dtype.name}({value!s})"  # NumPy's shortest decimal that reads back the same
        case np.floating() | np.integer():
            return f"np.{value.dtype.name}({_number(value.item())})"
        case int() | float() | complex():
            return _number(value)
        case tuple() | list() | set() | frozenset():
            return _sequence(value)
        case dict():
            items = [(literal(k), literal(v)) for k, v in value.items()]
            if any(k is None or v is None for k, v in items):
                return None
            return "{" + ", ".join(f"{k}: {v}" for k, v in items) + "}"
        case slice():
            parts = [literal(p) for p in (value.start, value.stop, value.step)]
            return None if None in parts else f"slice({', '.join(str(p) for p in parts)})"
        case np.dtype():
            return f"np.dtype({scalar_type(value)})" if value.kind in "biufc" else None
        case np.ndarray():
            return _array(value)
        case type() if issubclass(value, np.generic):
            return f"np.{value.__name__}"
        case type() if value in (bool, int, float, complex, str):
            return value.__name__
    return "..." if value is Ellipsis else None


def scalar_type(dtype: np.dtype[Any]) -> str:
    """The NumPy class of a dtype's elements.

    >>> scalar_type(np.dtype(bool)), scalar_type(np.dtype("f4"))
    ('np.bool_', 'np.float32')
    """
    return "np.bool_" if dtype.kind == "b" else f"np.{dtype.name}"


def expression(text: str) -> ast.expr:
    """The tree of an expression."""
    return ast.parse(text, mode="eval").body


def _number(value: Any) -> str:
    if isinstance(value, complex):
        return f"complex({_number(value.real)}, {_number(value.imag)})"
    if isinstance(value, float) and not math.isfinite(value):
        return "np.nan" if value != value else ("np.inf" if value > 0 else "-np.inf")
    return repr(value)


def _sequence(value: Any) -> str | None:
    if hasattr(value, "_fields"):
        return None
    parts = [literal(v) for v in (sorted(value) if isinstance(value, (set, frozenset)) else value)]
    if any(p is None for p in parts):
        return None
    inner = ", ".join(str(p) for p in parts)
    if isinstance(value, tuple):
        return f"({inner},)" if len(parts) == 1 else f"({inner})"
    if isinstance(value, list):
        return f"[{inner}]"
    made = f"{{{inner}}}" if parts else "set()"
    return f"frozenset({made})" if isinstance(value, frozenset) else made


def _array(value: Any) -> str | None:
    if value.dtype.kind not in "biufc":
        return None
    if not value.size:
        return f"np.zeros({value.shape}, {scalar_type(value.dtype)})"
    return f"np.array({literal(value.tolist())}, {scalar_type(value.dtype)})"
