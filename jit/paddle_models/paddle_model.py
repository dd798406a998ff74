"""What both forms of a program are read into: steps in order, with named values."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from ...base import dtype as dt
from ...base.dtype import DType
from ...base.errors import DTypeError


@dataclass(frozen=True, slots=True)
class Variable:
    """A tensor's name and type; sizes of -1 are open."""

    name: str
    shape: tuple[int, ...]
    dtype: DType
    trainable: bool = True


@dataclass(frozen=True, slots=True)
class ModelStep:
    """One operation. inputs: names by slot; a slot's name is empty where the form has none."""

    kind: str
    inputs: dict[str, list[str]]
    outputs: dict[str, list[str]]
    attributes: dict[str, Any]
    blocks: tuple[Block, ...] = ()


@dataclass(slots=True)
class Block:
    """Steps, the names of what the block takes, and of what it hands out."""

    arguments: list[str] = field(default_factory=list)
    steps: list[ModelStep] = field(default_factory=list)
    results: list[str] = field(default_factory=list)


@dataclass(slots=True)
class Model:
    """A program. form: "old" (.pdmodel, inputs in named slots) or "new" (.json, inputs by position)."""

    form: str
    feeds: list[Variable]
    fetches: list[str]
    parameters: dict[str, Variable]  # value -> the parameter
    block: Block


_NUMBERS = {
    0: dt.bool_, 1: dt.int16, 2: dt.int32, 3: dt.int64, 4: dt.float16, 5: dt.float32, 6: dt.float64, 20: dt.uint8,
    21: dt.int8, 22: dt.bfloat16, 23: dt.complex64, 24: dt.complex128,
}  # fmt: skip
_SHORT = {
    "bool": dt.bool_, "i8": dt.int8, "ui8": dt.uint8, "i16": dt.int16, "i32": dt.int32, "i64": dt.int64,
    "f16": dt.float16, "bf16": dt.bfloat16, "f32": dt.float32, "f64": dt.float64, "c64": dt.complex64,
    "c128": dt.complex128,
}  # fmt: skip


def dtype_of(number: Any, what: str) -> DType:
    """The dtype behind PaddlePaddle's number for it, or behind its name. Errors: DTypeError for others."""
    found = _NUMBERS.get(number) if isinstance(number, int) else next((d for d in dt.ALL if d.name == number), None)
    if found is None:
        raise DTypeError(f"{what}: PaddlePaddle's element type {number!r} has no counterpart here")
    return found


def short_dtype(name: str, what: str) -> DType:
    """The dtype of a type in the JSON form, such as `f32`. Errors: DTypeError for others."""
    if name not in _SHORT:
        raise DTypeError(f"{what}: PaddlePaddle's element type {name!r} has no counterpart here")
    return _SHORT[name]
