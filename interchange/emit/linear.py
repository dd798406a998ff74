"""Matrix products, inverses where ONNX has them, random numbers."""

from __future__ import annotations

from typing import Any

from ...base.errors import ArgumentError
from ...ir.core import Operation, Value
from ..writer import Writer
from .kinds import Emitter


def _transposed(w: Writer, name: str, value: Value, transpose: bool) -> str:
    if not transpose:
        return name
    rank = value.ndim
    return w.node("Transpose", name, perm=[*range(rank - 2), rank - 1, rank - 2])


def matmul(w: Writer, o: Operation, x: str, y: str) -> str:
    """The product of two operands, of which some may be transposed."""
    if o.attrs["transpose_x"] and o.operands[1].ndim == 1:  # onnxruntime fuses Transpose and MatMul wrongly for vectors
        left = _transposed(w, x, o.operands[0], True)
        column = w.node("Unsqueeze", y, w.ints([1]))
        return w.node("Squeeze", w.node("MatMul", left, column), w.ints([-1]))
    left = _transposed(w, x, o.operands[0], o.attrs["transpose_x"])
    return w.node("MatMul", left, _transposed(w, y, o.operands[1], o.attrs["transpose_y"]))


def _matmul_add(w: Writer, o: Operation, c: str, x: str, y: str) -> str:
    a = o.attrs
    inner = o.operands[1].shape[0 if a["transpose_x"] else -1]
    if o.operands[1].ndim == 2 == o.operands[2].ndim and o.operands[0].ndim <= 2 and inner != 0:
        return w.node("Gemm", x, y, c, alpha=float(a["alpha"]), beta=float(a["beta"]),
                      transA=int(a["transpose_x"]), transB=int(a["transpose_y"]))  # fmt: skip
    left = _transposed(w, x, o.operands[1], a["transpose_x"])
    product = w.node("MatMul", left, _transposed(w, y, o.operands[2], a["transpose_y"]))
    scaled = w.node("Mul", product, w.like(a["alpha"], o.result))
    return w.node("Add", scaled, w.node("Mul", c, w.like(a["beta"], o.result)))


def _random(kind: str, low: str, high: str) -> Emitter:
    """Numbers of another generator than ours: the distribution is the same, the numbers are not."""

    def emit(w: Writer, o: Operation, state: str) -> str:
        dtype = w.element_type(o.result.dtype)
        numbers: dict[str, Any] = {low: float(o.attrs[low]), RENAMED.get(high, high): float(o.attrs[high])}
        shape = o.attrs["shape"]
        if all(isinstance(d, int) for d in shape):
            return w.node(kind, dtype=dtype, shape=[int(d) for d in shape], **numbers)
        zeros = w.node("ConstantOfShape", w.sizes(shape))
        return w.node(f"{kind}Like", zeros, dtype=dtype, **numbers)

    return emit


RENAMED = {"std": "scale"}


def _randint(w: Writer, o: Operation, state: str) -> str:
    low, high = int(o.attrs["low"]), int(o.attrs["high"])
    if max(abs(low), abs(high)) > 2**24:
        raise ArgumentError(f"randint from {low} to {high} is beyond what ONNX's float draws reach", loc=o.loc)
    zeros = w.node("ConstantOfShape", w.sizes(o.attrs["shape"]))
    drawn = w.node("Floor", w.node("RandomUniformLike", zeros, dtype=11, low=float(low), high=float(high)))
    return w.node("Cast", drawn, to=w.element_type(o.result.dtype))


def _same_state(w: Writer, o: Operation, state: str) -> str:
    return state


ROWS: dict[str, Emitter] = {
    "det": lambda w, o, x: w.node("Det", x),
    "matmul": matmul,
    "matmul_add": _matmul_add,
    "normal": _random("RandomNormal", "mean", "std"),
    "randint": _randint,
    "rng_advance": _same_state,
    "uniform": _random("RandomUniform", "low", "high"),
}
