"""Writer: an ONNX graph under construction. Names, constants, sizes as tensors, nested graphs."""

from __future__ import annotations

import re
from collections import ChainMap
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..base.dtype import DType
from ..base.errors import ArgumentError, DTypeError
from ..base.location import Loc
from ..ir.core import Operation, Value
from ..ops.dims import Dim, DimLike, same_dim
from ..ops.sizes import plain_names
from ..ops.types import ListType, TensorType
from .onnx_package import DTYPES, onnx_module

_LAST = np.iinfo(np.int64)


@dataclass(frozen=True, slots=True)
class Axis:
    """A size that is found as the length of an axis of a named tensor."""

    tensor: str
    axis: int


class NewerOpset(ArgumentError):
    """A node needs a newer opset than the model's."""

    def __init__(self, name: str, kind: str, opset: int, since: int, loc: Any) -> None:
        remedy = f"export with opset_version={since} or later"
        super().__init__(f"{name} becomes {kind}, which opset {opset} doesn't have", loc=loc, remedy=remedy)
        self.since = since


class Writer:
    """Collects the nodes of one model. `opset`: the version of the operators that may be used."""

    def __init__(self, opset: int) -> None:
        self.opset = opset
        self.onnx = onnx_module()
        self.nodes: list[Any] = []
        self.initializers: dict[str, Any] = {}
        self.constants: dict[str, Any] = {}  # name -> Constant node, to stand first in the model
        self.names: dict[Value, str] = {}
        self.operation: Operation | None = None  # the one that is being written
        self._taken: set[str] = set()
        self._constants: dict[tuple[Any, ...], str] = {}
        self._sources: ChainMap[str, Axis | str] = ChainMap()  # symbol -> where its size is found
        self._sizes: ChainMap[tuple[Any, ...], str] = ChainMap()  # a dim's text, its sources -> the int64 [1]

    # ---- names

    def fresh(self, stem: str) -> str:
        """A name that nothing in the model has."""
        stem = re.sub(r"[^\w./]", "_", stem) or "value"
        name, k = stem, 0
        while name in self._taken:
            k += 1
            name = f"{stem}_{k}"
        self._taken.add(name)
        return name

    def reserve(self, name: str) -> str:
        """`name` as it is, which nothing in the model has yet."""
        self._taken.add(name)
        return name

    def learn(self, value: Value, name: str) -> None:
        """From now on `value` is the tensor called `name`; what its type tells about sizes is learnt."""
        self.names[value] = name
        for _, axis, symbol in self._symbols_of(value):
            if symbol not in self._sources:
                self._sources[symbol] = Axis(name, axis)

    def learn_argument(self, value: Value, name: str) -> None:
        """As `learn`, of a block's argument: sizes that its type calls as outside are this iteration's inside."""
        self.names[value] = name
        inside = self._sources.maps[0]
        for _, axis, symbol in self._symbols_of(value):
            if symbol not in inside:
                inside[symbol] = Axis(name, axis)

    @contextmanager
    def own_sizes(self) -> Iterator[None]:
        """What is learnt of sizes is forgotten at the end."""
        outer = self._sources, self._sizes
        self._sources, self._sizes = self._sources.new_child(), self._sizes.new_child()
        try:
            yield
        finally:
            self._sources, self._sizes = outer

    @staticmethod
    def _symbols_of(value: Value) -> Iterator[tuple[int, int, str]]:
        kind = value.type
        for axis, dim in enumerate(kind.shape if isinstance(kind, TensorType) else ()):
            if isinstance(dim, Dim) and str(dim).isidentifier():
                yield 0, axis, str(dim)
        yield from plain_names([kind])

    def learn_size(self, symbol: str, tensor: str) -> None:
        """The size called `symbol` is the number in `tensor`."""
        self._sources[symbol] = tensor

    # ---- nodes

    def node(self, kind: str, *inputs: str, since: int = 1, **attributes: Any) -> str:
        """A node with one output; its name. since: the first opset that has it in this form."""
        return self.several(kind, inputs, 1, since=since, **attributes)[0]

    def several(self, kind: str, inputs: Sequence[str], count: int, *, since: int = 1, **attributes: Any) -> list[str]:
        """A node with `count` outputs; their names."""
        if since > self.opset:
            name = self.operation.name if self.operation is not None else kind
            raise NewerOpset(name, kind, self.opset, since, self.loc)
        hint = self.operation.results[0].hint if self.operation is not None and self.operation.results else ""
        outputs = [self.fresh(hint or kind.lower()) for _ in range(count)]
        made = self.onnx.helper.make_node(kind, list(inputs), outputs, name=self.fresh(f"node.{outputs[0]}"))
        for key, value in attributes.items():
            if value is not None:
                made.attribute.append(self.onnx.helper.make_attribute(key, value))
        if self.loc is not None and self.loc.file:
            made.doc_string = f"{self.loc.file.replace(chr(92), '/').rsplit('/', 1)[-1]}:{self.loc.line}"
        self.nodes.append(made)
        return outputs

    @property
    def loc(self) -> Loc | None:
        """The user's line behind what is being written."""
        return self.operation.loc if self.operation is not None else None

    # ---- constants

    def constant(self, array: Any, dtype: DType | None = None) -> str:
        """The name of a constant that holds `array`; equal ones are one. Floating initializers are parameters, so that
        floating constants are nodes.
        """
        data = np.ascontiguousarray(array, None if dtype is None else dtype.numpy).reshape(np.shape(array))
        key = (str(data.dtype), data.shape, data.tobytes())
        if key not in self._constants:
            name = self._constants[key] = self.fresh("constant")
            if data.dtype.kind in "biu":
                self.initializers[name] = self.tensor(name, data)
            else:
                held = self.tensor("", data)
                self.constants[name] = self.onnx.helper.make_node(
                    "Constant", [], [name], name=f"node.{name}", value=held
                )
        return self._constants[key]

    def tensor(self, name: str, data: Any, *, empty: bool = False) -> Any:
        """A TensorProto; `empty`: without its elements."""
        made = self.onnx.TensorProto(name=name, dims=data.shape, data_type=self.element_type_of(data.dtype))
        if not empty:
            made.raw_data = data.astype(data.dtype.newbyteorder("<"), copy=False).tobytes()
        return made

    def names_read(self) -> set[str]:
        """What the nodes read."""
        return {name for node in self.nodes for name in names_read(node)}

    def ints(self, values: Sequence[int]) -> str:
        """A constant int64 [n]."""
        return self.constant(np.asarray(list(values), np.int64).reshape(-1))

    def like(self, number: Any, value: Value) -> str:
        """A constant number of the dtype of `value`."""
        return self.constant(np.asarray(number, value.dtype.numpy))

    # ---- types

    def element_type(self, dtype: DType) -> int:
        """ONNX's number for a dtype; DTypeError for those that hardly any operator takes."""
        if dtype.onnx not in DTYPES or dtype.is_complex:
            name = self.operation.name if self.operation is not None else "a value"
            raise DTypeError(
                f"{name} is {dtype.name}, which ONNX's operators don't take",
                loc=self.loc,
                remedy="keep real and imaginary parts as two tensors",
            )
        return dtype.onnx

    def element_type_of(self, numpy_dtype: Any) -> int:
        return self.element_type(next(d for d in DTYPES.values() if d.numpy == numpy_dtype))

    def info(self, name: str, kind: TensorType | ListType, *, loose: bool = False) -> Any:
        """A ValueInfoProto. loose: leave symbolic sizes open, if iterations or paths differ in them."""
        helper = self.onnx.helper
        element = kind.element if isinstance(kind, ListType) else kind
        shape = [d if isinstance(d, int) else None if loose else str(d) for d in element.shape]
        if isinstance(kind, ListType):
            inner = helper.make_tensor_type_proto(self.element_type(element.dtype), [None] * len(shape))
            return helper.make_value_info(name, helper.make_sequence_type_proto(inner))
        return helper.make_tensor_value_info(name, self.element_type(kind.dtype), shape)

    # ---- sizes

    def size(self, dim: DimLike) -> str:
        """A size as an int64 [1]."""
        if isinstance(dim, int):
            return self.ints([dim])
        key = str(dim), *(self._sources.get(symbol) for symbol in sorted(dim.symbols()))
        if key not in self._sizes:
            self._sizes[key] = self._computed(dim)
        return self._sizes[key]

    def _computed(self, dim: Dim) -> str:
        total = ""
        for monomial, factor in dim.terms:
            parts = [self._atom(atom) for atom in monomial]
            if factor != 1 or not parts:
                parts.append(self.ints([factor]))
            product = parts[0]
            for part in parts[1:]:
                product = self.node("Mul", product, part)
            total = product if not total else self.node("Add", total, product)
        return total

    def _atom(self, atom: Any) -> str:
        if isinstance(atom, str):
            return self._symbol(atom)
        kind, left, right = atom
        a, b = self.size(left), self.size(right)
        if kind == "max":
            return self.node("Max", a, b)
        return self.quotient_of_sizes(a, b)

    def _symbol(self, name: str) -> str:
        source = self._sources.get(name)
        if source is None:
            raise ArgumentError(f"no tensor of the model tells the size {name}", loc=self.loc)
        if isinstance(source, str):
            return self.node("Reshape", source, self.ints([1]))
        return self.node("Gather", self.node("Shape", source.tensor), self.ints([source.axis]), axis=0)

    def sizes(self, shape: Sequence[DimLike]) -> str:
        """A shape as an int64 [rank]."""
        if all(isinstance(d, int) for d in shape):
            return self.ints([int(d) for d in shape])
        runs: list[Any] = []
        for dim in shape:
            if isinstance(dim, int) and runs and isinstance(runs[-1], list):
                runs[-1].append(dim)
            else:
                runs.append([dim] if isinstance(dim, int) else dim)
        parts = [self.ints(run) if isinstance(run, list) else self.size(run) for run in runs]
        return parts[0] if len(parts) == 1 else self.node("Concat", *parts, axis=0)

    # ---- forms that many operations need

    def reshape(self, name: str, shape: Sequence[DimLike]) -> str:
        """`name` in another shape; a single unknown size is left to ONNX."""
        unknown = [k for k, d in enumerate(shape) if not isinstance(d, int)]
        if len(unknown) == 1 and not any(same_dim(d, 0) for d in shape):
            return self.node("Reshape", name, self.ints([d if isinstance(d, int) else -1 for d in shape]))
        zero = any(same_dim(d, 0) for d in shape) or bool(unknown)
        if zero and self.opset >= 14:
            return self.node("Reshape", name, self.sizes(shape), since=14, allowzero=1)
        return self.node("Reshape", name, self.sizes(shape))

    def box(
        self, name: str, shape: Sequence[DimLike], starts: Sequence[DimLike], sizes: Sequence[DimLike],
        strides: Sequence[int],
    ) -> str:  # fmt: skip
        """The elements from `starts`, `sizes` of them per axis, in steps of `strides`; axes that stay are left out."""
        axes, first, last, steps = [], [], [], []
        for axis, (whole, start, size, step) in enumerate(zip(shape, starts, sizes, strides, strict=True)):
            if same_dim(start, 0) and same_dim(size, whole) and step == 1:
                continue
            stop = start + size * step
            axes.append(axis)
            first.append(_from_the_end(start, whole))
            before_start = isinstance(stop, int) and stop < 0
            open_end = step > 0 and same_dim(stop, whole)
            last.append(_LAST.min + 1 if before_start else _LAST.max if open_end else _from_the_end(stop, whole))
            steps.append(step)
        if not axes:
            return name
        return self.node("Slice", name, self.sizes(first), self.sizes(last), self.ints(axes), self.ints(steps))

    def quotient_of_sizes(self, x: str, y: str) -> str:
        """A quotient of sizes rounded down, in a form that is a size again where a model is read: no comparisons."""
        return self.node("Div", self.node("Sub", x, self.node("Mod", x, y)), y)

    def floor_divide(self, x: str, y: str, dtype: DType) -> str:
        """A quotient of integers rounded down: Div rounds towards zero. Nothing on the way leaves the dtype's range."""
        quotient, rest = self.node("Div", x, y), self.node("Mod", x, y)
        if dtype.is_unsigned:
            return quotient
        zero = self.constant(np.asarray(0, dtype.numpy))
        apart = self.node("And", self.node("Not", self.node("Equal", rest, zero)), self._differ(x, y, zero))
        return self.node("Sub", quotient, self.node("Cast", apart, to=self.element_type(dtype)))

    def _differ(self, x: str, y: str, zero: str) -> str:
        return self.node("Xor", self.node("Less", x, zero), self.node("Less", y, zero))

    # ---- nested graphs

    @contextmanager
    def nested(self) -> Iterator[list[Any]]:
        """Nodes go to a list of their own; sizes computed inside are not known outside."""
        outer = self.nodes, self._sources, self._sizes, self.operation
        self.nodes, self._sources, self._sizes = [], self._sources.new_child(), self._sizes.new_child()
        try:
            yield self.nodes
        finally:
            self.nodes, self._sources, self._sizes, self.operation = outer

    def graph(self, name: str, inputs: Sequence[Any], write: Callable[[], Sequence[tuple[str, Any]]]) -> Any:
        """A nested graph; `write` writes its nodes and gives (tensor, type) of each output."""
        with self.nested() as nodes:
            given = {i.name for i in inputs}
            outputs, used = [], set[str]()
            for made, kind in write():
                inside = any(made in n.output for n in nodes)
                if not inside or made in used or made in given:  # a graph's outputs are its own nodes'
                    made = self.node("Identity", made)
                used.add(made)
                outputs.append(self.info(made, kind, loose=True))
            return self.onnx.helper.make_graph(list(nodes), self.fresh(name), list(inputs), outputs)


def _from_the_end(place: DimLike, whole: DimLike) -> DimLike:
    """A place a known number before the end of an axis of unknown size, as it is written in Python: -3, not `N-3`, so
    that a shorter axis is cut instead of counted from its end again.
    """
    back = place - whole
    return back if isinstance(back, int) and back < 0 and not isinstance(whole, int) else place


def names_read(node: Any) -> Iterator[str]:
    """What a node reads, inside of its blocks too."""
    yield from node.input
    for attribute in node.attribute:
        for inner in attribute.g.node:
            yield from names_read(inner)


def field_start(number: int, length: int) -> bytes:
    r"""How a field of a protobuf message begins whose content has so many bytes.

    >>> field_start(7, 300)
    b':\xac\x02'
    """
    made, rest = [number << 3 | 2], length
    while rest > 127:
        made.append(rest & 127 | 128)
        rest >>= 7
    return bytes([*made, rest])
