"""Fourier transforms of real and imaginary parts: rows for one axis, and transforms made of them.

A row transforms lines of up to fft_plan.MOST numbers whose prime factors are small. Longer lines are transformed as
matrices, along both axes; lines of other lengths by a product with a chirp (Bluestein), for which there are rows.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..base.dtype import FLOATS
from ..base.errors import ArgumentError
from .complex_parts import Pair, rule
from .dims import DimLike
from .dispatch import current
from .fft_plan import MOST, is_smooth, roots, table
from .infer import axis_index, require_dtype, require_same_dtype, require_shape
from .lowering import Custom
from .op import NONDIFFERENTIABLE, OPS, Op, Sample, random_array, row
from .slices import piece
from .types import TensorType


def _eager_complex(x: Any, y: Any, factors: Any, *, axis: int, size: int, inverse: bool, scale: float) -> Any:
    run = np.fft.ifft if inverse else np.fft.fft
    made = run(x + 1j * y, axis=axis, norm="forward" if inverse else "backward") * scale
    return made.real.astype(x.dtype), made.imag.astype(x.dtype)


def _eager_half(x: Any, factors: Any, *, axis: int, size: int, inverse: bool, scale: float) -> Any:
    made = np.fft.rfft(x, axis=axis) * scale
    return made.real.astype(x.dtype), (-made.imag if inverse else made.imag).astype(x.dtype)


def _eager_whole(x: Any, y: Any, factors: Any, *, axis: int, size: int, inverse: bool, scale: float) -> Any:
    made = np.fft.irfft(x + (1j if inverse else -1j) * y, size, axis=axis, norm="forward") * scale
    return made.astype(x.dtype)


_COUNT: dict[str, Callable[[int], int]] = {
    "complex": lambda n: n, "half": lambda n: n // 2 + 1, "whole": lambda n: n
}  # fmt: skip


def _lines(form: str, doc: str, operands: str, eager: Any) -> Op:
    def infer(*given: TensorType, axis: int, size: int, inverse: bool, scale: float) -> Any:
        name = f"fft_lines_{form}"
        dtype = require_same_dtype(name, given)
        require_dtype(name, dtype, FLOATS)
        shape = list(given[0].shape)
        axis = axis_index(axis, len(shape))
        if not _has_lines(size):
            raise ArgumentError(f"{name}: there is no plan for lines of {size}", remedy="use the functions of vt.fft")
        shape[axis] = size // 2 + 1 if form == "whole" else size
        for part in given[:-1]:
            require_shape(name, "a part", part.shape, shape)
        require_shape(name, "the table of factors", given[-1].shape, table(form, size, inverse).shape)
        shape[axis] = _COUNT[form](size)
        made = TensorType(dtype, tuple(shape))
        return made if form == "whole" else (made, made)

    def samples() -> list[Sample]:
        found = []
        for shape, axis, size, inverse in (((3, 8), 1, 8, False), ((15, 2), 0, 15, True)):
            given = list(shape)
            given[axis] = size // 2 + 1 if form == "whole" else size
            parts = tuple(random_array(k, tuple(given)) for k in range(len(operands.split()) - 1))
            factors = np.ascontiguousarray(table(form, size, inverse))
            found.append(
                Sample((*parts, factors), {"axis": axis, "size": size, "inverse": inverse, "scale": 1.0 / size})
            )
        return found

    return row(
        f"fft_lines_{form}",
        doc,
        operands,
        attrs={"axis": -1, "size": 1, "inverse": False, "scale": 1.0},
        infer=infer,
        eager=eager,
        vjp=NONDIFFERENTIABLE,
        lowering=Custom("lines.fft"),
        work=lambda given, made, **_: made[0].size * 20,
        samples=samples,
        method=False,
        public=False,
    )


_LINES = {
    "complex": _lines(
        "complex", "The transform of complex lines in parts, times `scale`.", "x y factors", _eager_complex
    ),
    "half": _lines("half", "The half of the transform of real lines that isn't redundant.", "x factors", _eager_half),
    "whole": _lines(
        "whole", "The real transform, of `size` elements, of half of a spectrum.", "x y factors", _eager_whole
    ),
}  # fmt: skip


def _use(form: str, given: tuple[Any, ...], axis: int, size: int, inverse: bool, factor: float) -> Any:
    factors = current().constant(table(form, size, inverse), given[0].dtype)
    attrs = {"axis": axis, "size": size, "inverse": inverse, "scale": factor}
    return current().apply(_LINES[form], (*given, factors), attrs)


def _has_lines(size: int) -> bool:
    return 0 < size <= MOST and is_smooth(size)


# Any length


def _constants(like: Any, shape: Sequence[int], numbers: Any) -> Pair:
    """Complex numbers in this shape, as constants of the dtype of `like`."""
    parts = (np.ascontiguousarray(part.reshape(shape)) for part in (numbers.real, numbers.imag))
    first, second = (current().constant(part, like.dtype) for part in parts)
    return first, second


def _along(x: Any, axis: int, numbers: Any) -> Pair:
    """Complex numbers for the elements of an axis."""
    return _constants(x, [numbers.size if k == axis else 1 for k in range(x.ndim)], numbers)


def _times(x: Pair, y: Pair) -> Pair:
    return x[0] * y[0] - x[1] * y[1], x[0] * y[1] + x[1] * y[0]


def _each(change: Callable[[Any], Any], x: Pair) -> Pair:
    return change(x[0]), change(x[1])


def _transform(x: Pair, axis: int, size: int, inverse: bool, factor: float) -> Pair:
    """The transform of complex lines of any length."""
    if _has_lines(size):
        made: Pair = _use("complex", x, axis, size, inverse, factor)
        return made
    sides = _sides(size)
    return (_by_chirp if sides is None else _as_matrix)(x, axis, size, inverse, factor)


def _sides(size: int) -> tuple[int, int] | None:
    """Two factors of about the same size that are lines; None where there are none."""
    if not is_smooth(size):
        return None
    for first in range(math.isqrt(size), 1, -1):
        if size % first == 0 and size // first <= MOST:
            return first, size // first
    return None


def _as_matrix(x: Pair, axis: int, size: int, inverse: bool, factor: float) -> Pair:
    """Element j1 n2 + j2 to k1 + n1 k2: along j1, times roots of unity, along j2."""
    sides = _sides(size)
    assert sides is not None
    lead, rest = list(x[0].shape[:axis]), list(x[0].shape[axis + 1 :])
    x = _each(lambda part: OPS["reshape"](part, [*lead, *sides, *rest]), x)
    x = _use("complex", x, axis, sides[0], inverse, factor)
    twiddles = roots(size, np.arange(sides[0])[:, None] * np.arange(sides[1]), inverse)
    rotations = _constants(x[0], [*sides, *(1 for _ in rest)], twiddles)
    x = _use("complex", _times(x, rotations), axis + 1, sides[1], inverse, 1.0)
    order = [*range(axis), axis + 1, axis, *range(axis + 2, x[0].ndim)]
    return _each(lambda part: OPS["reshape"](OPS["transpose"](part, order), [*lead, size, *rest]), x)


def _by_chirp(x: Pair, axis: int, size: int, inverse: bool, factor: float) -> Pair:
    """jk = (j² + k² - (k - j)²) / 2: a convolution with a chirp, by transforms of a length that has kernels."""
    long = _smooth_from(2 * size - 1)
    chirp = roots(2 * size, np.arange(size, dtype=np.int64) ** 2, inverse)
    wave = np.zeros(long, np.complex128)
    wave[:size] = chirp.conj()
    wave[long - size + 1 :] = chirp[:0:-1].conj()
    spectrum = np.fft.fft(wave) * (factor / long)
    room = [(0, long - size if k == axis else 0) for k in range(x[0].ndim)]
    x = _times(x, _along(x[0], axis, chirp))
    x = _transform(_each(lambda part: OPS["pad"](part, room), x), axis, long, False, 1.0)
    x = _transform(_times(x, _along(x[0], axis, spectrum)), axis, long, True, 1.0)
    return _times(_each(lambda part: piece(part, axis, 0, size), x), _along(x[0], axis, chirp))


def _smooth_from(least: int) -> int:
    """The first length from here on of factors 2, 3 and 5 that vectors like."""
    while True:
        rest = least
        for prime in (2, 3, 5):
            while rest % prime == 0:
                rest //= prime
        if (rest == 1 and least % 8 == 0) or (least <= 16 and is_smooth(least)):
            return least
        least += 1


def _half_of(x: Any, axis: int, size: int, inverse: bool, factor: float) -> Pair:
    """The transform of real lines."""
    if _has_lines(size):
        made: Pair = _use("half", (x,), axis, size, inverse, factor)
        return made
    if size % 2 == 0:
        return _packed_half(x, axis, size, inverse, factor)
    zeros = OPS["full"](x.shape, 0.0, x.dtype)
    full = _transform((x, zeros), axis, size, inverse, factor)
    return _each(lambda part: piece(part, axis, 0, size // 2 + 1), full)


def _packed_half(x: Any, axis: int, size: int, inverse: bool, factor: float) -> Pair:
    """Even elements as real parts, odd ones as imaginary parts; then their transforms are told apart."""
    count, shape = size // 2, list(x.shape)
    pairs = OPS["reshape"](x, [*shape[:axis], count, 2, *shape[axis + 1 :]])
    shape[axis] = count
    both = [OPS["reshape"](piece(pairs, axis + 1, k, 1), shape) for k in (0, 1)]
    made = _transform((both[0], both[1]), axis, count, inverse, factor)
    z = _each(lambda part: OPS["concat"]([part, piece(part, axis, 0, 1)], axis), made)
    y = _each(lambda part: OPS["flip"](part, [axis]), z)
    even = (z[0] + y[0]) * 0.5, (z[1] - y[1]) * 0.5
    odd = (z[1] + y[1]) * 0.5, (y[0] - z[0]) * 0.5
    rotated = _times(odd, _along(x, axis, roots(size, np.arange(count + 1), inverse)))
    return even[0] + rotated[0], even[1] + rotated[1]


def _whole_of(x: Pair, axis: int, size: int, inverse: bool, factor: float) -> Any:
    """The real transform of half of a spectrum."""
    if _has_lines(size):
        return _use("whole", x, axis, size, inverse, factor)
    start, inner = (size // 2 + 1, (size - 1) // 2)
    single = np.ones(start)
    single[0] = 0.0
    if size % 2 == 0:
        single[-1] = 0.0
    imag = x[1] * _along(x[0], axis, single.astype(np.complex128))[0]
    if size % 2 == 0:
        return _packed_whole((x[0], imag), axis, size, inverse, factor)
    back = _each(lambda part: OPS["flip"](piece(part, axis, 1, inner), [axis]), (x[0], -imag))
    full = OPS["concat"]([x[0], back[0]], axis), OPS["concat"]([imag, back[1]], axis)
    return _transform(full, axis, size, inverse, factor)[0]


def _packed_whole(x: Pair, axis: int, size: int, inverse: bool, factor: float) -> Any:
    """The way back: transforms of even and of odd elements, as one of complex numbers."""
    count, shape = size // 2, list(x[0].shape)
    z = _each(lambda part: piece(part, axis, 0, count), x)
    y = _each(lambda part: OPS["flip"](piece(part, axis, 1, count), [axis]), x)
    twiddles = _along(x[0], axis, roots(size, np.arange(count), inverse))
    rotated = _times((z[0] - y[0], z[1] + y[1]), twiddles)
    made = _transform((z[0] + y[0] - rotated[1], z[1] - y[1] + rotated[0]), axis, count, inverse, factor)
    lead, rest = shape[:axis], shape[axis + 1 :]
    sides = [OPS["reshape"](part, [*lead, count, 1, *rest]) for part in made]
    return OPS["reshape"](OPS["concat"](sides, axis + 1), [*lead, size, *rest])


# What the rows of complex numbers are, said of parts


def _factor(norm: str, forward: bool, size: int) -> float:
    if norm == "ortho":
        return 1.0 / math.sqrt(size)
    return 1.0 / size if (norm == "forward") == forward else 1.0


def _is_known(*sizes: DimLike) -> bool:
    return all(isinstance(size, int) and size > 0 for size in sizes)


def _known_axes(attrs: dict[str, Any], kind: TensorType) -> bool:
    return _is_known(*(kind.shape[a] for a in attrs["axes"]), attrs.get("size", 1))


def _over(x: Pair, axes: tuple[int, ...], attrs: dict[str, Any]) -> Pair:
    norm, forward = attrs["norm"], attrs["forward"]
    for axis in axes:
        size = x[0].shape[axis]
        x = _transform(x, axis, size, not forward, _factor(norm, forward, size))
    return x


@rule("fft_c2c", when=_known_axes)
def _c2c(attrs: dict[str, Any], x: Pair) -> Pair:
    return _over(x, attrs["axes"], attrs)


@rule("fft_r2c", when=_known_axes)
def _r2c(attrs: dict[str, Any], x: Any) -> Pair:
    *others, last = attrs["axes"]
    size, forward = x.shape[last], attrs["forward"]
    half = _half_of(x, last, size, not forward, _factor(attrs["norm"], forward, size))
    return _over(half, tuple(others), attrs)


@rule("fft_c2r", when=_known_axes)
def _c2r(attrs: dict[str, Any], x: Pair) -> Any:
    *others, last = attrs["axes"]
    size, forward = attrs["size"], attrs["forward"]
    return _whole_of(_over(x, tuple(others), attrs), last, size, not forward, _factor(attrs["norm"], forward, size))
