"""Attribute values <-> text, the writing half: numbers, strings, tuples, types, dims, constant arrays.

Everything here is exact: what is read back equals what was written, bit by bit (NaN payloads, signed zeros).
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ..base import dtype as dt
from ..base.dtype import DType
from ..base.errors import ArgumentError
from ..ops.create import ArrayData
from ..ops.dims import Dim
from ..ops.types import ListType, TensorType

INLINE = 16  # arrays with more elements go to the side table, if there is one
MOST_SPLAT = 1 << 24  # elements that one text may ask for by `dense<…, 0.0>`: a short text must not fill the memory
KEYWORDS = frozenset({"true", "false", "none", "inf", "nan", "max", "dense", "list", "complex"})
RESERVED = KEYWORDS | frozenset(dt.BY_SHORT)  # words that can't name a symbolic size

_WORD = re.compile(r"[^\W\d]\w*")


def is_symbol_name(name: str) -> bool:
    """Whether a symbolic size may have this name.

    >>> is_symbol_name("batch"), is_symbol_name("f32"), is_symbol_name("2x")
    (True, False, False)
    """
    return _WORD.fullmatch(name) is not None and name not in RESERVED


@dataclass(slots=True)
class Constants:
    """Where large arrays go: by content name into `table`, or, without one, in full into the text."""

    table: dict[str, ArrayData] | None = None
    splats_left: int = MOST_SPLAT
    names: dict[ArrayData, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.names = {data: name for name, data in (self.table or {}).items()}

    def name(self, data: ArrayData) -> str | None:
        """The name of an array in the side table (equal arrays share one); None: write it inline."""
        if self.table is None or data.array.size <= INLINE:
            return None
        if data not in self.names:
            fresh = next(n for k in range(len(self.table) + 1) if (n := f"const{k}") not in self.table)
            self.names[data] = fresh
            self.table[fresh] = data
        return self.names[data]


def show_attr(value: Any, constants: Constants) -> str:
    """The text of one attribute value; ArgumentError for anything that isn't plain immutable data."""
    match value:
        case None:
            return "none"
        case bool() | np.bool_():
            return "true" if value else "false"
        case int() | np.integer():
            return str(int(value))
        case float() | np.floating():
            return float.__repr__(float(value))
        case complex() | np.complexfloating():
            return f"complex({float(value.real)!r}, {float(value.imag)!r})"
        case str():
            return show_string(value)
        case tuple():
            return f"({', '.join(show_attr(v, constants) for v in value)})"
        case DType():
            return value.short
        case TensorType() | ListType() | Dim():
            return str(value)
        case ArrayData():
            return show_array(value, constants)
    raise ArgumentError(
        f"{type(value).__name__} can't be an attribute: {value!r}", remedy="use numbers, strings, tuples"
    )


def show_string(text: str) -> str:
    """A string in double quotes with JSON's escapes."""
    return json.dumps(text, ensure_ascii=not text.isprintable())


def show_array(data: ArrayData, constants: Constants) -> str:
    """`dense<f32[2], [1.0, 2.5]>`, `dense<f32[64], 0.0>` when all elements are the same, or `@const0`."""
    name = constants.name(data)
    if name is not None:
        return f"@{name}"
    array = data.array
    kind = TensorType(dt.of_array(array), tuple(array.shape))
    flat = np.ascontiguousarray(array).reshape(-1)
    if 0 < flat.size <= constants.splats_left and not kind.dtype.is_complex and _is_uniform(flat):
        constants.splats_left -= flat.size
        return f"dense<{kind}, {show_elements(flat[:1])[0]}>"
    return f"dense<{kind}, [{', '.join(show_elements(flat))}]>"


def show_elements(flat: np.ndarray[Any, Any]) -> list[str]:
    """The elements of a flat array, exactly; a complex element is two numbers.

    Floats are decimals where those read back to the same bits, else `0x` and the bits (NaNs with a payload).

    >>> show_elements(np.float32([0.1, -0.0, np.inf]))
    ['0.1', '-0.0', 'inf']
    """
    kind = flat.dtype
    if kind == np.bool_:
        return ["true" if x else "false" for x in flat]
    if kind.kind in "iu":
        return [str(int(x)) for x in flat]
    if kind.kind == "c":
        flat = flat.view(np.float32 if kind.itemsize == 8 else np.float64)
    shown = [str(x) for x in flat]
    with np.errstate(over="ignore"):
        back = np.array([float(s) for s in shown], np.float64).astype(flat.dtype)
    same = bits_of(back) == bits_of(flat)
    return [s if ok else f"0x{int(b):x}" for s, ok, b in zip(shown, same, bits_of(flat), strict=True)]


def bits_of(flat: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """The elements of an array as unsigned integers of their width."""
    return flat.view(f"u{flat.dtype.itemsize}")


def _is_uniform(flat: np.ndarray[Any, Any]) -> bool:
    bits = bits_of(flat)
    return bool((bits == bits[0]).all())
