"""Node: one ONNX node while it is read. Its inputs as values, its attributes, and what is known of small inputs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import SimpleNamespace
from typing import Any, TypeAlias

import numpy as np

from ...base.dtype import DType, int64
from ...base.errors import ArgumentError, DTypeError
from ...ir.core import Value
from ...jit.trace.known_values import known_array, sizes_in
from ...ops import functions
from ...ops.dims import DimLike
from ...ops.op import OPS
from ..onnx_package import CARRIERS, DTYPES

op: Any = SimpleNamespace(**functions())  # the public functions over rows, called on values of a program
rows: Any = SimpleNamespace(**OPS)  # the rows themselves, for those that a function hides


class NotConstantError(ArgumentError):
    """An input has to be known while the model is loaded; `input` is its name in the model."""

    def __init__(self, message: str, input: str) -> None:
        super().__init__(message, remedy=f"give its value: vt.onnx.load(path, constants={{{input!r}: array}})")
        self.input = input


class Node:
    """What the rows read. `graph` is the reader of the graph it stands in; `version` the model's opset."""

    def __init__(self, graph: Any, proto: Any, inputs: Sequence[Value | None], attributes: dict[str, Any]) -> None:
        self.graph = graph
        self.proto = proto
        self.inputs = inputs
        self.attributes = attributes
        self.version: int = graph.model.opset

    # ---- inputs

    def has(self, k: int) -> bool:
        """Whether input `k` is given."""
        return k < len(self.inputs) and self.inputs[k] is not None

    def get(self, k: int) -> Value | None:
        """Input `k`, or None."""
        return self.inputs[k] if k < len(self.inputs) else None

    def __getitem__(self, k: int) -> Value:
        value = self.get(k)
        if value is None:
            raise ArgumentError(f"{self.shown} has no input {k}")
        return value

    @property
    def given(self) -> list[Value]:
        """All inputs that are given, in order."""
        return [v for v in self.inputs if v is not None]

    @property
    def shown(self) -> str:
        """The node in messages."""
        return f"{self.proto.op_type} {self.proto.name!r}" if self.proto.name else str(self.proto.op_type)

    def wants(self, k: int) -> bool:
        """Whether output `k` is asked for."""
        return k < len(self.proto.output) and bool(self.proto.output[k])

    # ---- attributes

    def attribute(self, name: str, default: Any = None) -> Any:
        """An attribute, or its default."""
        return self.attributes.get(name, default)

    def required(self, name: str) -> Any:
        """An attribute that must be there."""
        if name not in self.attributes:
            raise ArgumentError(f"{self.shown} lacks the attribute {name!r}")
        return self.attributes[name]

    def dtype(self, name: str, default: DType | None = None) -> DType:
        """An attribute that holds an element type."""
        number = self.attributes.get(name)
        if number is None:
            if default is None:
                raise ArgumentError(f"{self.shown} lacks the attribute {name!r}")
            return default
        return element_type(number, self.shown)

    def refuse(self, what: str) -> ArgumentError:
        """The error for a form of the operator that isn't supported."""
        return ArgumentError(f"{self.shown}: {what} is not supported")

    # ---- what is known of an input

    def array(self, k: int) -> Any | None:
        """Input `k` as an array, where it is a constant of the model; None otherwise."""
        value = self.get(k)
        if value is None:
            return None
        name = self.proto.input[k]
        fixed = self.graph.array(name)
        return fixed if fixed is not None else known_array(value)

    def constant(self, k: int, what: str) -> Any:
        """Input `k` as an array; NotConstantError where only a run knows it."""
        found = self.array(k)
        if found is None:
            name = self.proto.input[k]
            raise NotConstantError(f"{self.shown}: its {what} ({name!r}) must be known while the model is loaded", name)
        return found

    def ints(self, attribute: str, k: int | None = None) -> list[int] | None:
        """A list of ints that is an attribute in older versions and input `k` in newer ones; None where absent."""
        if attribute in self.attributes:
            found = self.attributes[attribute]
            return [int(v) for v in found] if isinstance(found, (list, tuple)) else [int(found)]
        if k is None or not self.has(k):
            return None
        return [int(v) for v in np.ravel(self.constant(k, attribute))]

    def sizes(self, k: int) -> list[DimLike]:
        """The elements of input `k`, int64 [n], as sizes; those that only a run knows get names of their own."""
        array = self.array(k)
        if array is not None:
            return [int(v) for v in np.ravel(array)]
        return self.elements(self[k])

    def known_sizes(self, k: int, what: str) -> list[DimLike]:
        """As `sizes`; NotConstantError for an input of the model, whose elements may mean more than sizes."""
        if self.array(k) is None and self[k].block is self.graph.model.program.body and self[k].operation is None:
            self.constant(k, what)
        return self.sizes(k)

    def elements(self, value: Value) -> list[DimLike]:
        """The elements of an integer value as sizes, each as far as it is known."""
        return list(sizes_in(self.graph.model.tracer, value, self.shown))

    def count(self, size: DimLike) -> Any:
        """The whole numbers below a size, int64."""
        return op.arange(size if isinstance(size, int) else self.graph.builder.constant(size, int64))

    def number(self, k: int, what: str) -> Any:
        """Input `k`, which has one element, as a Python number."""
        return np.ravel(self.constant(k, what))[0].item()


Importer: TypeAlias = Callable[[Node], Any]


def element_type(number: int, shown: str) -> DType:
    """Our dtype for ONNX's number, or the one that carries it; DTypeError for strings and float8e8m0."""
    if number in CARRIERS:
        return CARRIERS[number]
    if number not in DTYPES:
        raise DTypeError(f"{shown}: element type {number} of ONNX has no counterpart here")
    return DTYPES[number]
