"""OperatorCall: one operation while it is read: its inputs as values, its attributes, and what is known of them."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any, TypeAlias

import numpy as np

from ...base.dtype import DType
from ...base.errors import ArgumentError
from ...ir.core import Value
from ...ops import functions
from ...ops.dims import DimLike
from ...ops.op import OPS
from ..trace.known_values import known_array, sizes_in
from .paddle_model import ModelStep, dtype_of

op: Any = SimpleNamespace(**functions())  # the public functions over ops, called on values of a program
rows: Any = SimpleNamespace(**OPS)  # the ops themselves, for those that a function hides

Input: TypeAlias = "Value | list[Any] | None"


class OperatorCall:
    """What the rows read. `reader` fills the program; inputs are in the order of the row's slots."""

    def __init__(self, reader: Any, step: ModelStep, inputs: list[Input]) -> None:
        self.reader = reader
        self.step = step
        self.inputs = inputs

    @property
    def tracer(self) -> Any:
        """Who records the program."""
        return self.reader.tracer

    # ---- inputs

    def get(self, k: int) -> Input:
        """Input `k`: a value, a list of values, or None."""
        return self.inputs[k] if k < len(self.inputs) else None

    def has(self, k: int) -> bool:
        """Whether input `k` is there."""
        return self.get(k) is not None

    def __getitem__(self, k: int) -> Value:
        found = self.get(k)
        if isinstance(found, list):
            found = found[0] if len(found) == 1 else None
        if found is None:
            raise ArgumentError(f"{self.step.kind} has no input {k}")
        return found

    def several(self, k: int) -> list[Value]:
        """Input `k` as a list."""
        found = self.get(k)
        return found if isinstance(found, list) else [self[k]]

    # ---- attributes

    def attribute(self, names: str, default: Any = None) -> Any:
        """The attribute under the first of these names that the operation has."""
        found = next((self.step.attributes[n] for n in names.split() if n in self.step.attributes), None)
        return default if found is None else found

    def required(self, names: str) -> Any:
        """An attribute that must be there."""
        found = self.attribute(names)
        if found is None:
            raise ArgumentError(f"{self.step.kind} lacks the attribute {names.split()[0]!r}")
        return found

    def dtype(self, names: str, default: DType | None = None) -> DType:
        """An attribute that holds an element type; the default where it is absent, or none in particular (-1)."""
        found = self.attribute(names)
        if isinstance(found, DType):
            return found
        if found is None or found == -1:
            if default is None:
                raise ArgumentError(f"{self.step.kind} lacks the attribute {names.split()[0]!r}")
            return default
        return dtype_of(found, self.step.kind)

    def refuse(self, what: str) -> ArgumentError:
        """The error for a form of the operation that isn't supported."""
        return ArgumentError(f"{self.step.kind}: {what} is not supported")

    # ---- what is known of an input or attribute

    def ints(self, k: int | None, names: str) -> list[int] | None:
        """Whole numbers that are input `k`, or else an attribute; None where both are absent."""
        if k is not None and self.has(k):
            sizes = self.sizes(k, names)
            if not all(isinstance(v, int) for v in sizes):
                raise self.refuse(f"`{names.split()[0]}` that only a run knows")
            return [int(str(v)) for v in sizes]
        found = self.attribute(names)
        if found is None:
            return None
        return [int(v) for v in found] if isinstance(found, (list, tuple)) else [int(found)]

    def sizes(self, k: int | None, names: str) -> list[DimLike]:
        """As `ints`, each number as far as it is known; those that only a run knows get names of their own."""
        found = None if k is None else self.get(k)
        if found is None:
            return list(self.ints(None, names) or [])
        values = found if isinstance(found, list) else [found]
        return [size for v in values for size in sizes_in(self.tracer, v, self.step.kind)]

    def scalar(self, k: int | None, names: str, default: Any = None) -> Any:
        """One number: input `k` (a value, or a number where it is a constant), else an attribute, else the default."""
        if k is not None and self.has(k):
            known = known_array(self[k])
            return op.reshape(self[k], []) if known is None else np.ravel(known)[0].item()
        return self.attribute(names, default)

    def number(self, k: int | None, names: str, default: Any = None) -> Any:
        """As `scalar`, but known."""
        found = self.scalar(k, names, default)
        if isinstance(found, Value):
            raise self.refuse(f"`{names.split()[0]}` that only a run knows")
        if found is None:
            raise ArgumentError(f"{self.step.kind} lacks {names.split()[0]!r}")
        return found


Reader: TypeAlias = Callable[[OperatorCall], Any]
