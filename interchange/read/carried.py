"""Element types of ONNX that this package doesn't have: each is carried in a wider dtype that has all its values.

uint16 becomes int32, uint32 and uint64 int64, integers of 2 and 4 bits int8 or uint8, floats of 4 and 8 bits float32.
Results are brought back into the type: integers wrap, floats are rounded. uint64 is exact below 2**63.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...base import dtype as dt
from ...base.dtype import DType
from ...base.errors import ArtifactError
from ..onnx_package import CARRIERS, onnx_module
from .node import op, rows


@dataclass(frozen=True, slots=True)
class Carried(ABC):
    """A type and the dtype that carries it."""

    name: str
    dtype: DType
    bits: int

    @abstractmethod
    def fit(self, x: Any, saturate: bool) -> Any:
        """x, of any dtype, in the carrying dtype and with values of the type."""

    @abstractmethod
    def decode(self, codes: Any) -> Any:
        """The values of unsigned codes of `bits` bits."""

    def array(self, proto: Any, data: bytes | None, count: int, shown: str) -> Any:
        """The elements of a TensorProto, or of its bytes in another file. Errors: ArtifactError for too few or many."""
        raw = data if data is not None else self._bytes(proto)
        if len(raw) != -(-count * self.bits // 8):
            raise ArtifactError(f"{shown}: {len(raw)} bytes for {count} elements of {self.name}")
        if self.bits >= 8:
            return self.decode(np.frombuffer(raw, f"<u{self.bits // 8}"))
        bits = np.unpackbits(np.frombuffer(raw, np.uint8), bitorder="little").reshape(-1, self.bits)
        return self.decode((bits[:count] << np.arange(self.bits)).sum(-1).astype(np.uint8))

    def _bytes(self, proto: Any) -> bytes:
        if proto.HasField("raw_data"):
            return bytes(proto.raw_data)
        held = proto.uint64_data if self.bits in (32, 64) else proto.int32_data
        return np.asarray(held, np.uint64).astype(f"<u{max(self.bits, 8) // 8}").tobytes()


@dataclass(frozen=True, slots=True)
class Whole(Carried):
    """An integer type."""

    signed: bool = False

    @property
    def bounds(self) -> tuple[int, int]:
        """The least and the greatest value."""
        return (-(1 << self.bits - 1), (1 << self.bits - 1) - 1) if self.signed else (0, (1 << self.bits) - 1)

    def fit(self, x: Any, saturate: bool) -> Any:
        """Modulo 2**bits; floats are cut to whole numbers first."""
        x = op.cast(x, dt.int64)
        if self.bits < 64:
            low = self.bounds[0]
            x = op.bitwise_and(x - low, (1 << self.bits) - 1) + low if low else op.bitwise_and(x, (1 << self.bits) - 1)
        return op.cast(x, self.dtype)

    def decode(self, codes: Any) -> Any:
        """Two's complement."""
        wide = codes.astype(np.int64)
        if self.signed:
            wide = np.where(wide >> self.bits - 1, wide - (1 << self.bits), wide)
        return wide.astype(self.dtype.numpy)


@dataclass(frozen=True, slots=True)
class Real(Carried):
    """A float type: mantissa bits, bias of the exponent, and what its codes for no finite number are.

    special: "ieee" (infinities and NaN), "fn" (NaN alone), "fnuz" (NaN where -0 would be), "none".
    """

    mantissa: int = 0
    bias: int = 0
    special: str = "ieee"

    @property
    def greatest(self) -> float:
        """The greatest finite value."""
        values = self.decode(np.arange(1 << self.bits, dtype=np.uint8))
        return float(values[np.isfinite(values)].max())

    def fit(self, x: Any, saturate: bool) -> Any:
        """The nearest value, the even one of two. Beyond the greatest: that one, or infinity, or NaN."""
        x = op.cast(x, dt.float32)
        power = rows.bitcast(op.bitwise_and(rows.bitcast(x, dt.int32), 0x7F800000), dt.float32)
        step = op.clip(power, 2.0 ** (1 - self.bias), 2.0**100) * 2.0**-self.mantissa
        near = op.round(x / step) * step
        beyond = op.abs(near) > self.greatest
        limit = op.where(x < 0, op.full_like(x, -self.greatest), op.full_like(x, self.greatest))
        if not saturate and self.special != "none":
            limit = limit * float("inf") if self.special == "ieee" else op.full_like(x, float("nan"))
        made = op.where(beyond, limit, near)
        if self.special == "none":
            return op.where(op.isnan(x), op.zeros_like(x), made)
        return made + 0.0 if self.special == "fnuz" else made

    def decode(self, codes: Any) -> Any:
        """Sign, exponent and mantissa."""
        wide = codes.astype(np.int64)
        width = self.bits - 1 - self.mantissa
        exponent, fraction = wide >> self.mantissa & (1 << width) - 1, wide & (1 << self.mantissa) - 1
        size = np.where(exponent == 0, fraction, fraction + (1 << self.mantissa)).astype(np.float64)
        value = size * 2.0 ** (np.maximum(exponent, 1) - self.bias - self.mantissa)
        value = np.where(wide >> self.bits - 1, -value, value)
        highest = exponent == (1 << width) - 1
        if self.special == "ieee":
            value = np.where(highest, np.where(fraction == 0, np.copysign(np.inf, value), np.nan), value)
        elif self.special == "fn":
            value = np.where(highest & (fraction == (1 << self.mantissa) - 1), np.nan, value)
        elif self.special == "fnuz":
            value = np.where(wide == 1 << self.bits - 1, np.nan, value)
        return value.astype(np.float32)


CARRIED: dict[int, Carried] = {
    4: Whole("uint16", CARRIERS[4], 16),
    12: Whole("uint32", CARRIERS[12], 32),
    13: Whole("uint64", CARRIERS[13], 64),
    17: Real("float8e4m3fn", CARRIERS[17], 8, 3, 7, "fn"),
    18: Real("float8e4m3fnuz", CARRIERS[18], 8, 3, 8, "fnuz"),
    19: Real("float8e5m2", CARRIERS[19], 8, 2, 15, "ieee"),
    20: Real("float8e5m2fnuz", CARRIERS[20], 8, 2, 16, "fnuz"),
    21: Whole("uint4", CARRIERS[21], 4),
    22: Whole("int4", CARRIERS[22], 4, True),
    23: Real("float4e2m1", CARRIERS[23], 4, 1, 1, "none"),
    25: Whole("uint2", CARRIERS[25], 2),
    26: Whole("int2", CARRIERS[26], 2, True),
}

# Operators whose results are elements of their inputs, so that they are values of the type already.
KEEPS = frozenset({
    "ArgMax", "Compress", "Concat", "Constant", "ConstantOfShape", "DepthToSpace", "Expand", "Flatten", "Gather",
    "GatherElements", "GatherND", "Identity", "If", "Loop", "Max", "MaxPool", "Min", "Pad", "ReduceMax", "ReduceMin",
    "Reshape", "ReverseSequence", "Scan", "ScatterElements", "ScatterND", "Shape", "Size", "Slice", "SpaceToDepth",
    "Split", "Squeeze", "Tile", "TopK", "Transpose", "Trilu", "Unique", "Unsqueeze", "Where",
})  # fmt: skip


def carried_names(proto: Any) -> dict[str, Carried]:
    """The carried type of each tensor of a model that has one."""
    if not any(_uses(graph) for graph in _graphs(proto.graph)):
        return {}
    found: dict[str, Carried] = {}
    inferred = onnx_module("onnx.shape_inference").infer_shapes(proto)
    for graph in _graphs(inferred.graph):
        for info in (*graph.input, *graph.value_info, *graph.output):
            number = info.type.tensor_type.elem_type
            if number in CARRIED:
                found[info.name] = CARRIED[number]
        found.update({t.name: CARRIED[t.data_type] for t in graph.initializer if t.data_type in CARRIED})
    return found


def _uses(graph: Any) -> bool:
    """Whether a graph names a carried type."""
    infos = (*graph.input, *graph.output, *graph.value_info)
    if any(i.type.tensor_type.elem_type in CARRIED for i in infos):
        return True
    if any(t.data_type in CARRIED for t in graph.initializer):
        return True
    return any(
        a.t.data_type in CARRIED or (a.name in ("to", "dtype", "output_dtype") and a.i in CARRIED)
        for node in graph.node
        for a in node.attribute
    )


def _graphs(graph: Any) -> Iterator[Any]:
    yield graph
    for node in graph.node:
        for attribute in node.attribute:
            for inner in (*([attribute.g] if attribute.HasField("g") else []), *attribute.graphs):
                yield from _graphs(inner)
