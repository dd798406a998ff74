"""Convolutions and pools over images."""

from __future__ import annotations

from typing import Any

from ...base.errors import ArgumentError
from ...ir.core import Operation
from ...ops.dims import DimLike, product
from ..writer import Writer
from .kinds import Emitter


def _pads(padding: Any) -> list[int]:
    """ONNX's order: all beginnings, then all ends."""
    return [int(p[0]) for p in padding] + [int(p[1]) for p in padding]


def _window(a: dict[str, Any]) -> dict[str, Any]:
    return {
        "strides": list(a["stride"]),
        "pads": _pads(a["padding"]),
        "dilations": list(a["dilation"]),
        "group": int(a["groups"]),
    }


def _conv(w: Writer, o: Operation, x: str, weight: str) -> str:
    return w.node("Conv", x, weight, **_window(o.attrs))


def _transposed(w: Writer, o: Operation, g: str, weight: str) -> str:
    """The result's size says how much output padding there is."""
    a = o.attrs
    extra = []
    for axis in range(2):
        size: DimLike = o.operands[0].shape[2 + axis]
        kernel = o.operands[1].shape[2 + axis]
        before, after = a["padding"][axis]
        smallest = (size - 1) * a["stride"][axis] + (kernel - 1) * a["dilation"][axis] + 1 - before - after
        extra.append(o.result.shape[2 + axis] - smallest)
    if not all(isinstance(e, int) and e >= 0 for e in extra):
        raise ArgumentError(
            f"conv2d_input_grad to sizes {list(o.result.shape)} is no ConvTranspose of {list(o.operands[0].shape)}",
            loc=o.loc,
            remedy="give the image sizes in input_spec",
        )
    return w.node("ConvTranspose", g, weight, **_window(a), output_padding=extra if any(extra) else None)


def _pool_window(a: dict[str, Any]) -> dict[str, Any]:
    return {
        "kernel_shape": list(a["kernel"]),
        "strides": list(a["stride"]),
        "pads": _pads(a["padding"]),
        "ceil_mode": int(a["ceil_mode"]),
    }


def _max_pool(w: Writer, o: Operation, x: str) -> str:
    return w.node("MaxPool", x, **_pool_window(o.attrs))


def _max_pool_index(w: Writer, o: Operation, x: str) -> str:
    """ONNX counts through the whole tensor, we count in each image."""
    _, place = w.several("MaxPool", [x], 2, **_pool_window(o.attrs))
    return w.node("Mod", place, w.size(product(o.operands[0].shape[2:])))


def _avg_pool(w: Writer, o: Operation, x: str) -> str:
    a = o.attrs
    counted = not a["exclusive"] or bool(a["divisor"])
    made = w.node("AveragePool", x, **_pool_window(a), count_include_pad=int(counted))
    if not a["divisor"]:
        return made
    if a["ceil_mode"]:
        raise ArgumentError("avg_pool2d with a divisor and ceil_mode has no ONNX form", loc=o.loc)
    area = a["kernel"][0] * a["kernel"][1]
    return w.node("Mul", made, w.like(area / a["divisor"], o.result))


ROWS: dict[str, Emitter] = {
    "avg_pool2d": _avg_pool,
    "conv2d": _conv,
    "conv2d_input_grad": _transposed,
    "max_pool2d": _max_pool,
    "max_pool2d_index": _max_pool_index,
}
