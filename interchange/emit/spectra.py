"""Complex numbers and Fourier transforms: a complex tensor is a real one with a last axis of two, as DFT has it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ...base.errors import ArgumentError
from ...ir.core import Operation, Value
from ..writer import Writer
from . import shapes
from .kinds import Emitter
from .linear import matmul

_DFT = 17  # the first opset with Fourier transforms


def _parts(w: Writer, x: str) -> list[str]:
    """The real and the imaginary part."""
    return [w.node("Gather", x, w.constant(np.int64(k)), axis=-1) for k in range(2)]


def _pair(w: Writer, real: str, imaginary: str) -> str:
    last = w.ints([-1])
    return w.node("Concat", *(w.node("Unsqueeze", v, last) for v in (real, imaginary)), axis=-1)


def _dft(w: Writer, x: str, axis: int, **attributes: Any) -> str:
    if w.opset >= 20:
        return w.node("DFT", x, "", w.constant(np.int64(axis)), since=_DFT, **attributes)
    return w.node("DFT", x, since=_DFT, axis=axis, **attributes)


def _lengths(o: Operation, shape: Sequence[Any], axes: Sequence[int]) -> int:
    """How many numbers each transform sums up."""
    sizes = [shape[a] for a in axes]
    if not all(isinstance(d, int) for d in sizes):
        raise ArgumentError(
            f"{o.name} over a size {sizes} that only a run knows has no ONNX form with norm={o.attrs['norm']!r}",
            loc=o.loc,
            remedy="fix the size in the InputSpec, or use the default norm",
        )
    return int(np.prod(sizes))


def _scaled(w: Writer, o: Operation, x: str, shape: Sequence[Any], inverse: bool) -> str:
    """The factor of the transform's norm; DFT itself divides the inverse alone."""
    norm = o.attrs["norm"]
    if norm == "backward":
        return x
    count = _lengths(o, shape, o.attrs["axes"])
    factor = count ** (0.5 if norm == "ortho" else 1.0)
    value = o.result
    number = np.asarray(factor if inverse else 1.0 / factor, _real_type(value))
    return w.node("Mul", x, w.constant(number))


def _real_type(value: Value) -> Any:
    return np.zeros(0, value.dtype.numpy).real.dtype


def _axes(o: Operation, rank: int) -> list[int]:
    return [a % rank for a in o.attrs["axes"]]


def _complex_to_complex(w: Writer, o: Operation, x: str) -> str:
    value, inverse = o.operands[0], not o.attrs["forward"]
    for axis in _axes(o, value.ndim):
        x = _dft(w, x, axis, inverse=int(inverse))
    return _scaled(w, o, x, value.shape, inverse)


def _real_to_complex(w: Writer, o: Operation, x: str) -> str:
    """Half of the spectrum along the last axis; the inverse is the conjugate, divided."""
    value = o.operands[0]
    *others, last = _axes(o, value.ndim)
    x = _dft(w, w.node("Unsqueeze", x, w.ints([-1])), last, onesided=1)
    for axis in others:
        x = _dft(w, x, axis)
    if o.attrs["forward"]:
        return _scaled(w, o, x, value.shape, False)
    count = _lengths(o, value.shape, o.attrs["axes"])
    power = {"backward": 1.0, "ortho": 0.5, "forward": 0.0}[o.attrs["norm"]]
    return w.node("Mul", x, w.constant(np.asarray([1.0, -1.0], _real_type(o.result)) / count**power))


def _complex_to_real(w: Writer, o: Operation, x: str) -> str:
    """The other half is the conjugate of the first, in reversed order; the inverse of the whole is real."""
    value, size, inverse = o.operands[0], o.attrs["size"], not o.attrs["forward"]
    *others, last = _axes(o, value.ndim)
    half = value.shape[last]
    if not isinstance(size, int) or not isinstance(half, int):
        _lengths(o, [*o.result.shape[:last], size], [last])
    for axis in others:
        x = _dft(w, x, axis, inverse=int(inverse))
    kept, axes = size // 2 + 1, w.ints([last])
    x = w.node("Slice", x, w.ints([0]), w.ints([kept]), axes) if half > kept else x
    if half < kept:
        raise ArgumentError(f"{o.name} to {size} numbers needs {kept} of the spectrum, not {half}", loc=o.loc)
    if size - kept:
        rest = w.node("Slice", x, w.ints([size - kept]), w.ints([0]), axes, w.ints([-1]))
        mirrored = w.node("Mul", rest, w.constant(np.asarray([1.0, -1.0], _real_type(value))))
        x = w.node("Concat", x, mirrored, axis=last)
    (real, _) = _parts(w, _dft(w, x, last, inverse=int(inverse)))
    return _scaled(w, o, real, o.result.shape, inverse)


def _product(w: Writer, o: Operation, x: str, y: str) -> str:
    a, b, c, d = *_parts(w, x), *_parts(w, y)
    real = w.node("Sub", w.node("Mul", a, c), w.node("Mul", b, d))
    return _pair(w, real, w.node("Add", w.node("Mul", a, d), w.node("Mul", b, c)))


def _matrix_product(w: Writer, o: Operation, x: str, y: str) -> str:
    a, b, c, d = *_parts(w, x), *_parts(w, y)
    real = w.node("Sub", matmul(w, o, a, c), matmul(w, o, b, d))
    return _pair(w, real, w.node("Add", matmul(w, o, a, d), matmul(w, o, b, c)))


def _length(w: Writer, o: Operation, x: str) -> str:
    squares = w.node("Mul", x, x)
    return w.node("Sqrt", w.node("ReduceSum", squares, w.ints([-1]), keepdims=0))


def _conjugate(w: Writer, o: Operation, x: str) -> str:
    return w.node("Mul", x, w.constant(np.asarray([1.0, -1.0], _real_type(o.result))))


def _constant(w: Writer, o: Operation) -> str:
    array = np.asarray(o.attrs["data"].array)
    return w.constant(np.stack([array.real, array.imag], -1))


def _full(w: Writer, o: Operation) -> str:
    number, sizes = np.asarray(o.attrs["fill_value"], o.result.dtype.numpy), w.sizes(o.result.shape)
    parts = (w.tensor("", np.full((1,), part)) for part in (number.real, number.imag))
    return _pair(w, *(w.node("ConstantOfShape", sizes, value=part) for part in parts))


def _by_parts(emit: Emitter) -> Emitter:
    """What moves elements does so with the real and the imaginary parts alike."""

    def made(w: Writer, o: Operation, *names: str) -> str:
        parts = [_parts(w, name) for name in names]
        real, imaginary = (emit(w, o, *each) for each in zip(*parts, strict=True))
        return _pair(w, str(real), str(imaginary))

    return made


def _cast(w: Writer, o: Operation, x: str) -> str:
    """From a real dtype, or between the complex ones."""
    given, wanted = o.operands[0].dtype, o.result.dtype
    if not wanted.is_complex:
        raise ArgumentError(f"a cast of {given.name} to {wanted.name} has no ONNX form", loc=o.loc, remedy="use real()")
    made = w.node("Cast", x, to=w.element_type_of(_real_type(o.result)))
    return made if given.is_complex else _pair(w, made, w.node("Sub", made, made))


def _same(w: Writer, o: Operation, x: str) -> str:
    return x


def _reshape(w: Writer, o: Operation, x: str) -> str:
    return w.reshape(x, [*o.result.shape, 2])


def _transpose(w: Writer, o: Operation, x: str) -> str:
    return w.node("Transpose", x, perm=[*o.attrs["perm"], len(o.attrs["perm"])])


def _concat(w: Writer, o: Operation, *parts: str) -> str:
    return w.node("Concat", *parts, axis=int(o.attrs["axis"]) % o.result.ndim)


def _slice(w: Writer, o: Operation, x: str) -> str:
    a = o.attrs
    return w.box(x, o.operands[0].shape, a["starts"], a["sizes"], a["strides"] or [1] * o.result.ndim)


def _sum(kind: str) -> Emitter:
    """Both parts at once; shapes that differ are aligned in front of the last axis."""

    def emit(w: Writer, o: Operation, x: str, y: str) -> str:
        (a, b), (c, d) = _parts(w, x), _parts(w, y)
        return _pair(w, w.node(kind, a, c), w.node(kind, b, d))

    return emit


# Of operations with complex operands or results; others of these names have rows of their own.
ROWS: dict[str, Emitter] = {
    "abs": _length,
    "add": _sum("Add"),
    "as_complex": _same,
    "as_real": _same,
    "cast": _cast,
    "complex": lambda w, o, x, y: _pair(w, x, y),
    "concat": _concat,
    "conj": _conjugate,
    "constant": _constant,
    "fft_c2c": _complex_to_complex,
    "fft_c2r": _complex_to_real,
    "fft_r2c": _real_to_complex,
    "imag": lambda w, o, x: _parts(w, x)[1],
    "matmul": _matrix_product,
    "multiply": _product,
    "full": _full,
    "neg": lambda w, o, x: w.node("Neg", x),
    "real": lambda w, o, x: _parts(w, x)[0],
    "reshape": _reshape,
    "slice": _slice,
    "subtract": _sum("Sub"),
    "transpose": _transpose,
    **{name: _by_parts(shapes.ROWS[name]) for name in ("broadcast_to", "flip", "roll", "slice_update")},
}
