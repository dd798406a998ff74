"""A whole ONNX model as a program: graphs, initializers, types, and the block that is being filled."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from ...base import dtype as dt
from ...base.errors import ArgumentError, ArtifactError, VitrifyError
from ...ir.core import Program, Value
from ...jit.construct_tracer import ConstructTracer
from ...jit.serialize.read_blocks import ReadBlocks
from ...jit.serialize.state_names import StateNames
from ...ops.dims import Dim, DimLike, deciding
from ...ops.sizes import is_runtime_name
from ...ops.types import TensorType
from ..onnx_package import BUFFERS_KEY, DTYPES, UNTRAINED_KEY, onnx_module
from . import ROWS
from .carried import CARRIED, KEEPS, carried_names
from .node import Node, NotConstantError, element_type, rows
from .sequences import TAKERS

_BUFFERS = {"BatchNormalization": (3, 4)}  # inputs that training doesn't move
_FAULTS = (
    KeyError,
    IndexError,
    TypeError,
    ValueError,
    AttributeError,
    AssertionError,
    ZeroDivisionError,
    OverflowError,
)


class ModelReader:
    """Reads one ModelProto. `data(tensor)` gives the bytes of a tensor that lies in a file of its own.

    constants: values for graph inputs, which then are no inputs any more.
    """

    def __init__(self, proto: Any, name: str, opset: int, data: Any, constants: Mapping[str, Any]) -> None:
        self.proto = proto
        self.opset = opset
        self.data = data
        self.constants = constants
        self.tracer = ConstructTracer(name)
        self.builder = self.tracer.builder
        self.builder.locate = None
        self.blocks = ReadBlocks(self.tracer)
        self.weights: dict[str, Any] = {}
        self.roles: dict[str, str] = {}
        self.frozen: set[str] = set()  # state entries that are parameters which training leaves alone
        self.inputs: list[str] = []
        self.carried = carried_names(proto)
        self._state: Value | None = None
        self._generator: Value | None = None
        self.names = StateNames()
        self.buffers = {
            node.input[k] for node in proto.graph.node for k in _BUFFERS.get(node.op_type, ()) if k < len(node.input)
        }
        self.untrained: set[str] = set()
        for item in proto.metadata_props:
            if item.key == BUFFERS_KEY:
                self.buffers.update(item.value.split(" "))
            if item.key == UNTRAINED_KEY:
                self.untrained.update(item.value.split(" "))

    @property
    def program(self) -> Program:
        """What is being written."""
        return self.tracer.program

    def read(self) -> Program:
        """The program of the whole model."""
        with deciding(self.tracer.decide), self.builder.active():
            graph = GraphReader(self, self.proto.graph, None)
            graph.take_inputs()
            results = _flat(self.proto.graph.output, graph.run())
            made = [v if v.operation is not None else rows.assign(v) for v in results.values()]
            if self._state is not None and self._generator is not None:
                self.builder.update(self._state, self._generator)
            self.builder.return_(made)
        self.program.fetch_names = [self.names.plain(name) for name in results]
        return self.program

    # ---- state

    def parameter(self, name: str, array: Any) -> Value:
        """A floating initializer as a state entry."""
        plain = self.names.plain(name)
        self.weights[plain] = array
        self.roles[plain] = "buffer" if name in self.buffers and name not in self.untrained else "parameter"
        if name in self.untrained:
            self.frozen.add(plain)
        return self.program.add_state(plain, TensorType(dt.of_array(array), array.shape), self.roles[plain])

    def random(self, n: Node, count: DimLike) -> Value:
        """The generator's state for a draw of `count` numbers."""
        if self.builder.block is not self.program.body:
            raise n.refuse("a random operator inside a loop or branch")
        if self._state is None:
            self.weights["generator"] = np.array([int(n.attribute("seed", 0.0)), 0], np.int64)
            self.roles["generator"] = "rng"
            self._state = self._generator = self.program.add_state("generator", TensorType(dt.int64, (2,)), "rng")
        before = self._generator
        assert before is not None
        self._generator = rows.rng_advance(before, count=count)
        return before

    # ---- tensors and types

    def tensor(self, proto: Any, shown: str) -> Any:
        """A TensorProto as an array; ArtifactError where its bytes don't fit its shape."""
        dtype, kind = element_type(proto.data_type, shown), CARRIED.get(proto.data_type)
        dims = [int(d) for d in proto.dims]
        if any(d < 0 for d in dims):
            raise ArtifactError(f"{shown}: the shape {dims} has negative sizes")
        count = 1
        for d in dims:
            count *= d
        bits = dtype.itemsize * 8 if kind is None else kind.bits
        raw = self.data(proto, -(-count * bits // 8)) if proto.data_location == proto.EXTERNAL else None
        if kind is not None:
            return kind.array(proto, raw, count, shown).reshape(dims)
        if raw is None and not proto.HasField("raw_data"):
            return self._typed(proto, shown, dtype, count, dims)
        raw = proto.raw_data if raw is None else raw
        if len(raw) != count * dtype.itemsize:
            raise ArtifactError(f"{shown}: {len(raw)} bytes for a {dtype.name} tensor of shape {dims}")
        plain = np.dtype(dtype.numpy).newbyteorder("<") if dtype.numpy is not dt.bfloat16.numpy else dtype.numpy
        return np.frombuffer(raw, plain).astype(dtype.numpy).reshape(dims)

    @staticmethod
    def _typed(proto: Any, shown: str, dtype: Any, count: int, dims: list[int]) -> Any:
        held = max(len(f) for f in (proto.float_data, proto.int32_data, proto.int64_data, proto.double_data))
        if dtype.is_complex:
            held //= 2
        if held != count:
            raise ArtifactError(f"{shown}: {held} numbers for a {dtype.name} tensor of shape {dims}")
        if dtype is dt.bfloat16:
            return np.asarray(proto.int32_data, np.uint16).view(dtype.numpy).reshape(dims)
        return np.asarray(onnx_module("onnx.numpy_helper").to_array(proto)).astype(dtype.numpy).reshape(dims)

    def type_of(self, info: Any) -> TensorType:
        """The type of a graph's input."""
        kind = info.type
        if kind.WhichOneof("value") != "tensor_type":
            found = kind.WhichOneof("value") or "value without a type"
            raise ArgumentError(f"input {info.name!r} is a {found}: only tensors are read")
        tensor = kind.tensor_type
        dtype = element_type(tensor.elem_type, f"input {info.name!r}")
        if not tensor.HasField("shape"):
            raise ArgumentError(
                f"input {info.name!r} has no shape", remedy="run onnx.shape_inference on the model, or fix its inputs"
            )
        shape = [self._dim(d, f"{info.name}_{k}") for k, d in enumerate(tensor.shape.dim)]
        return TensorType(dtype, tuple(shape))

    @staticmethod
    def _dim(proto: Any, place: str) -> DimLike:
        if proto.HasField("dim_value"):
            if proto.dim_value < 0:
                raise ArtifactError(f"{place}: a size of {proto.dim_value}")
            return int(proto.dim_value)
        stem = proto.dim_param if re.fullmatch(r"[\w.:/\- ]+", proto.dim_param) else place
        name = re.sub(r"\W", "_", stem)
        name = f"N_{name}" if name[0].isdigit() or is_runtime_name(name) or name in _TYPE_NAMES else name
        return Dim.symbol(name)


_TYPE_NAMES = frozenset(d.short for d in DTYPES.values()) | {"max", "list"}


class GraphReader:
    """One graph of a model, the main one or one in a node. Names of graphs around it are seen inside."""

    def __init__(self, model: ModelReader, proto: Any, outer: GraphReader | None) -> None:
        self.model = model
        self.proto = proto
        self.outer = outer
        self.values: dict[str, Value] = {}
        self.initializers = {t.name: t for t in proto.initializer}
        self._arrays: dict[str, Any] = {}

    @property
    def builder(self) -> Any:
        """Where operations are recorded."""
        return self.model.builder

    def constant(self, array: Any) -> Value:
        """An array as a value of the block that is being filled."""
        made: Value = self.builder.constant(np.asarray(array), None)
        return made

    def nested(self, proto: Any, args: Iterable[Value]) -> GraphReader:
        """The reader of a graph inside a node, its inputs bound to `args`."""
        made = GraphReader(self.model, proto, self)
        given = list(args)
        if len(proto.input) != len(given):
            raise ArtifactError(f"graph {proto.name!r} has {len(proto.input)} inputs for {len(given)} values")
        made.values.update({i.name: v for i, v in zip(proto.input, given, strict=True)})
        return made

    def take_inputs(self) -> None:
        """Make feeds of the graph's inputs."""
        names = {i.name for i in self.proto.input}
        unknown = sorted(set(self.model.constants) - names)
        if unknown:
            raise ArgumentError(f"the model has no input {unknown[0]!r}", remedy=f"it has {', '.join(sorted(names))}")
        for info in self.proto.input:
            if info.type.WhichOneof("value") in ("sequence_type", "optional_type"):
                self.values[info.name] = self._given(info)
            elif info.name in self.model.constants:
                array = np.asarray(self.model.constants[info.name])
                kind = self.model.carried.get(info.name)
                self._arrays[info.name] = array if kind is None else array.astype(kind.dtype.numpy)
            elif info.name not in self.initializers:
                name = self.model.names.identifier(info.name)
                self.values[info.name] = self.model.program.add_feed(name, self.model.type_of(info))
                self.model.inputs.append(name)

    def _given(self, info: Any) -> Any:
        """A sequence, as a list, or an optional: both have to be known while the model is loaded."""
        if info.name not in self.model.constants:
            kind = info.type.WhichOneof("value").partition("_")[0]
            raise NotConstantError(f"input {info.name!r} is a {kind}: it must be known", info.name)
        held = self.model.constants[info.name]
        if held is None:
            return None
        plain = [np.asarray(v) for v in (held if isinstance(held, (list, tuple)) else [held])]
        made = [self.constant(v) for v in plain]
        return made if isinstance(held, (list, tuple)) else made[0]

    def array(self, name: str) -> Any | None:
        """The array behind a name, if it is an initializer or a constant of this graph or one around it."""
        if name in self._arrays:
            return self._arrays[name]
        if name in self.initializers:
            self._arrays[name] = self.model.tensor(self.initializers[name], f"initializer {name!r}")
            return self._arrays[name]
        return self.outer.array(name) if self.outer is not None and name not in self.values else None

    def value(self, name: str) -> Value:
        """The value of a name; initializers become state (floats) or constants where they are first read."""
        if name in self.values:
            return self.values[name]
        array = self.array(name)
        if array is None:
            if self.outer is None:
                raise ArtifactError(f"nothing in the model makes {name!r}")
            return self.outer.value(name)
        owner = self._owner(name)
        if owner.outer is None and dt.of_array(array).is_floating and name in owner.initializers:
            owner.values[name] = self.model.parameter(name, array)
            return owner.values[name]
        made = self.values[name] = self.constant(array)
        return made

    def _owner(self, name: str) -> GraphReader:
        here = name in self._arrays and (self.outer is None or self.outer.array(name) is None)
        return self if here or self.outer is None else self.outer._owner(name)

    def run(self) -> list[Value]:
        """Read all nodes; the graph's outputs."""
        for node in self.proto.node:
            self._read(node)
        return [self.value(o.name) for o in self.proto.output]

    def _read(self, proto: Any) -> None:
        shown = f"{proto.op_type} {proto.name!r}" if proto.name else proto.op_type
        try:
            inputs = [self.value(name) if name else None for name in proto.input]
            if any(isinstance(v, list) for v in inputs) and proto.op_type not in TAKERS:
                raise ArgumentError(f"{shown}: a sequence as its input is not supported")
            attributes = {a.name: onnx_module("onnx.helper").get_attribute_value(a) for a in proto.attribute}
            made = ROWS[proto.op_type](Node(self, proto, inputs, attributes))
        except VitrifyError as error:
            if proto.op_type not in error.message:
                error.message = f"{shown}: {error.message}"
            error.raised_at = None
            raise
        except _FAULTS as error:
            raise ArtifactError(f"{shown} is malformed ({type(error).__name__}: {error})") from error
        results: Sequence[Any] = made if isinstance(made, tuple) else (made,)
        if len(proto.output) > len(results):
            raise ArgumentError(f"{shown}: output {len(results)} is not supported")
        for name, value in zip(proto.output, results, strict=False):
            if name in self.values:
                raise ArtifactError(f"{shown} makes {name!r}, which is there already")
            if name:
                self.values[name] = self._fitting(name, value, proto.op_type, attributes)

    def _fitting(self, name: str, value: Any, operator: str, attributes: Mapping[str, Any]) -> Any:
        """A result as a value of its type, where that is carried in a wider one."""
        kind = self.model.carried.get(name)
        if kind is None or operator in KEEPS or not isinstance(value, Value):
            return value
        return kind.fit(value, bool(attributes.get("saturate", 1)))


def _flat(infos: Any, values: Sequence[Any]) -> dict[str, Value]:
    """The graph's outputs by name; a sequence is one output for each of its tensors, an empty optional none."""
    found: dict[str, Value] = {}
    for info, value in zip(infos, values, strict=True):
        if isinstance(value, list):
            found.update({f"{info.name}_{k}": v for k, v in enumerate(value)})
        elif value is not None:
            found[info.name] = value
    return found


def unknown_operators(proto: Any) -> list[str]:
    """Operators of a model that no row reads, nested graphs included; those of other domains with the domain."""
    found: set[str] = set()
    graphs = [proto.graph]
    while graphs:
        for node in graphs.pop().node:
            if node.domain not in ("", "ai.onnx"):
                found.add(f"{node.domain}.{node.op_type}")
            elif node.op_type not in ROWS:
                found.add(node.op_type)
            for attribute in node.attribute:
                graphs += [attribute.g] if attribute.HasField("g") else []
                graphs += list(attribute.graphs)
    return sorted(found)
