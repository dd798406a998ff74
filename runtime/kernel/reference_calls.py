"""What the intrinsics of kernels mean, in NumPy and the mathematical library (see reference.py)."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from ...base.dtype import NATIVE
from ...base.errors import KernelError
from ...base.target import current_target
from ...ops import philox, special_arrays
from ..vm import lapack
from . import reference_tiles
from .reference_lapack import routine

NUMPY: dict[str, np.dtype[Any]] = {d.short: np.dtype(np.uint8) if d.is_bool else np.dtype(d.numpy) for d in NATIVE}


@dataclass(frozen=True)
class Address:
    """Memory from an element on."""

    array: np.ndarray[Any, Any]
    start: int = 0

    def load(self, index: Any) -> Any:
        return self.array[self._place(index)]

    def store(self, index: Any, value: Any) -> None:
        self.array[self._place(index)] = self.array.dtype.type(value)

    def _place(self, index: Any) -> int:
        place = self.start + int(index)
        if not 0 <= place < len(self.array):
            raise KernelError(f"element {place} of an array of {len(self.array)}")
        return place


def called(function: str, arguments: Sequence[Any]) -> Any:
    """The result of a call; for those that write memory, None."""
    if function in NUMPY:
        return _cast(arguments[0], NUMPY[function])
    if function in _PLAIN:
        return _PLAIN[function](*arguments)
    family, _, element = function.rpartition("_")
    if element in NUMPY and family in _TYPED:
        kind = NUMPY[element]
        return kind.type(_TYPED[family](*(_cast(a, kind) for a in arguments)))
    if element in NUMPY and family in _OF_TYPE:
        return _OF_TYPE[family](NUMPY[element], *arguments)
    raise KernelError(f"`{function}` has no meaning in the reference of kernels")


def _cast(value: Any, kind: np.dtype[Any]) -> Any:
    if kind.kind in "iu" and isinstance(value, np.floating):
        return np.asarray(value).astype(np.int64).astype(kind)[()]
    return np.asarray(value).astype(kind)[()]


# ---- numbers ------------------------------------------------------------------------------------------------------


def _wide(function: Callable[..., float]) -> Callable[..., Any]:
    """A function of Python's `math`; where it raises, the result is NaN."""

    def run(*values: Any) -> Any:
        try:
            return function(*map(float, values))
        except ValueError:
            return math.nan
        except OverflowError:
            return math.inf

    return run


def _largest(a: Any, b: Any) -> Any:
    return a if a != a or a >= b else b


def _smallest(a: Any, b: Any) -> Any:
    return a if a != a or a <= b else b


def _sigmoid(x: Any) -> Any:
    return 1 / (1 + np.exp(-np.float64(x)))


def _digamma(x: Any) -> float:
    """By its recurrence and asymptotic series, to 1e-9 for positive x."""
    value, total = float(x), 0.0
    while value < 20:
        total -= 1 / value
        value += 1
    square = value * value
    return total + math.log(value) - 1 / (2 * value) - (1 / 12 - (1 / 120 - 1 / (252 * square)) / square) / square


def _power(exponent: float, x: Any) -> Any:
    return np.power(x, x.dtype.type(exponent)) if x.dtype.kind == "f" else np.power(x, abs(int(exponent)))


def _logical_shift(x: Any, y: Any) -> Any:
    bare = np.dtype(f"u{x.itemsize}")
    return np.right_shift(x.view(bare), y.view(bare)).view(x.dtype)


_TYPED: dict[str, Callable[..., Any]] = {
    **{name: getattr(np, name) for name in (
        "exp", "exp2", "expm1", "log", "log2", "log10", "log1p", "sqrt", "tanh", "sinh", "cosh", "sin", "cos", "tan",
        "floor", "ceil", "trunc", "abs", "sign", "copysign", "maximum", "minimum", "fmax", "fmin",
    )},
    "round": np.rint, "asin": np.arcsin, "acos": np.arccos, "atan": np.arctan, "atan2": np.arctan2,
    "asinh": np.arcsinh, "acosh": np.arccosh, "atanh": np.arctanh, "mod": np.mod, "floor_div": np.floor_divide,
    "abreast_mod": np.mod, "abreast_floor_div": np.floor_divide,
    "pow": np.power, "single_pow": np.power, "rsqrt": lambda x: 1 / np.sqrt(np.float64(x)), "sigmoid": _sigmoid,
    "softplus": lambda x: np.logaddexp(0.0, np.float64(x)), "erf": _wide(math.erf), "erfc": _wide(math.erfc),
    "lgamma": _wide(math.lgamma), "digamma": _digamma, "largest": _largest, "smallest": _smallest,
    "at_least": np.maximum, "at_most": np.minimum, "signbit": np.signbit, "nextafter": np.nextafter, "gcd": np.gcd,
    "lcm": np.lcm, "shift_left": np.left_shift, "shift_right": np.right_shift, "erfinv": special_arrays.erfinv,
    "shift_right_logical": _logical_shift, "trigamma": partial(special_arrays.polygamma, n=1),
    "tetragamma": partial(special_arrays.polygamma, n=2),
    **{f"i{k}": partial(special_arrays.bessel, order=k, scaled=False) for k in (0, 1)},
    **{f"i{k}e": partial(special_arrays.bessel, order=k, scaled=True) for k in (0, 1)},
    **{f"pow{k}": partial(_power, k) for k in range(2, 9)}, **{f"pow_{k}": partial(_power, -k) for k in range(1, 9)},
    **{f"pow{k}_5": partial(_power, k + 0.5) for k in range(1, 4)},
    **{f"pow_{k}_5": partial(_power, -k - 0.5) for k in range(4)},
}  # fmt: skip


def _whole(kind: np.dtype[Any], x: Any) -> Any:
    """The integer of a float, towards 0; the least one where none fits."""
    wide = np.dtype(np.int64) if kind.itemsize == 8 else np.dtype(np.int32)
    limit = 2.0 ** (8 * wide.itemsize - 1)
    number = int(x) if -limit <= x < limit else -int(limit)
    return np.asarray(number).astype(kind)[()]


def _wrapping(operation: Callable[[int, int], int]) -> Callable[[Any, Any], Any]:
    return lambda a, b: np.asarray(operation(int(a), int(b)) % 2**64, np.uint64).astype(np.int64)[()]


def _bits_differ(a: Any, b: Any) -> Any:
    return np.bool_(np.asarray(a).tobytes() != np.asarray(b).tobytes())


# ---- memory -------------------------------------------------------------------------------------------------------


def _transpose(kind: Any, side: Any, source: Address, at: Any, step: Any, target: Address, to: Any, row: Any) -> None:
    square = [[source.load(at + j * step + i) for j in range(side)] for i in range(side)]
    for i in range(side):
        for j in range(side):
            target.store(to + i * row + j, square[i][j])


def _stream(target: Address, at: Any, source: Address, count: Any) -> None:
    for k in range(count):
        target.store(at + k, source.load(k))


def _nothing(*_: Any) -> None:
    """What only makes a kernel faster, or orders its stores for other threads."""


# ---- sums of products ---------------------------------------------------------------------------------------------


class _Tile(NamedTuple):
    """The arguments of `tile_*` and `strided_*` (codegen/tiles.py)."""

    rows: int
    vectors: int
    last: int
    adds: int
    depth: int
    a: Address
    a_at: int
    a_step: int
    a_row: int
    b: Address
    b_at: int
    b_step: int
    out: Address
    out_at: int
    out_row: int


def _tile(kind: np.dtype[Any], *arguments: Any) -> None:
    t = _Tile(*arguments)
    columns = (t.vectors - 1) * current_target().lanes(kind.itemsize) + t.last
    for i in range(t.rows):
        for j in range(columns):
            place = t.out_at + i * t.out_row + j
            total = t.out.load(place) if t.adds else kind.type(0)
            for k in range(t.depth):
                a = t.a.load(t.a_at + k * t.a_step + i * t.a_row)
                total = total + a * t.b.load(t.b_at + k * t.b_step + j)
            t.out.store(place, total)


class _Gemv(NamedTuple):
    """The arguments of `gemv_*` (codegen/gemv.py)."""

    depth: int
    columns: int
    a: Address
    a_at: int
    b: Address
    b_at: int
    out: Address
    out_at: int
    back: int


def _gemv(kind: np.dtype[Any], *arguments: Any, transposed: bool = False) -> None:
    t = _Gemv(*arguments)
    for j in range(t.columns):
        total = kind.type(0)
        for k in range(t.depth):
            place = j * t.depth + k if transposed else k * t.columns + j
            total = total + t.a.load(t.a_at + k) * t.b.load(t.b_at + place)
        t.out.store(t.out_at + j, total)


def _rank(kind: np.dtype[Any], x: Any) -> Any:
    bits = int(kind.type(math.nan if x != x else x).view(f"i{kind.itemsize}"))
    return np.int64(bits ^ ((1 << (8 * kind.itemsize - 1)) - 1) if bits < 0 else bits)


def _unrank(kind: np.dtype[Any], number: Any) -> Any:
    bits = int(number)
    whole = np.dtype(f"i{kind.itemsize}").type(bits ^ ((1 << (8 * kind.itemsize - 1)) - 1) if bits < 0 else bits)
    return whole.view(kind)


def _trues(lanes: Any, mask: Address, at: Any) -> int:
    return sum(bool(mask.load(at + k)) for k in range(lanes))


def _compress(kind: Any, lanes: Any, source: Address, at: Any, mask: Address, start: Any, target: Any, to: Any) -> None:
    _pack(kind, [source.load(at + k) if mask.load(start + k) else None for k in range(lanes)], target, to)


def _compress_places(lanes: Any, mask: Address, start: Any, target: Address, to: Any) -> None:
    _pack(np.dtype(np.int64), [start + k if mask.load(start + k) else None for k in range(lanes)], target, to)


def _pack(kind: np.dtype[Any], given: Sequence[Any], target: Address, to: Any) -> None:
    picked = [x for x in given if x is not None]
    for k in range(len(given)):
        target.store(to + k, picked[k] if k < len(picked) else kind.type(0))


_PLAIN: dict[str, Callable[..., Any]] = {
    "select": lambda test, then, otherwise: then if test else otherwise, "differ": _bits_differ, "min": min, "max": max,
    "abs": abs, "fast_add": lambda a, b: a + b, "fast_multiply": lambda a, b: a * b,
    "fast_multiply_add": lambda a, x, y: a + x * y, "wrapping_add": _wrapping(lambda a, b: a + b),
    "wrapping_subtract": _wrapping(lambda a, b: a - b), "wrapping_multiply": _wrapping(lambda a, b: a * b),
    "fetch": _nothing, "fence": _nothing, "stream": _stream, "trues": _trues,
    "compress_places": _compress_places,
}  # fmt: skip
_OF_TYPE: dict[str, Callable[..., Any]] = {
    "whole": _whole, "compress": _compress, "transpose": _transpose, "tile": _tile, "strided": _tile, "gemv": _gemv,
    "pairs": reference_tiles.pairs, "outer": reference_tiles.outer, "inner": reference_tiles.inner,
    "shifted": reference_tiles.shifted, "columns": reference_tiles.columns,
    "tiles_in": reference_tiles.tiles_in, "tiles_out": reference_tiles.tiles_out,
    "filters_in": reference_tiles.filters_in,
    "gemv_transposed": lambda *arguments: _gemv(*arguments, transposed=True),
    "rank": _rank, "unrank": _unrank,
    **{f"lapack_{name}": routine(name) for name in lapack.ROUTINES},
    "isnan": lambda kind, x: np.isnan(x), "isinf": lambda kind, x: np.isinf(x),
    "isfinite": lambda kind, x: np.isfinite(x),
    "philox_uniform": lambda kind, seed, offset, n: philox.uniform(int(seed), int(offset), int(n) + 1, kind)[-1],
    "philox_normal": lambda kind, seed, offset, n: philox.normal(int(seed), int(offset), int(n) + 1, kind)[-1],
}  # fmt: skip
