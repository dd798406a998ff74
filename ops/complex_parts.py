"""What rows compute for complex numbers, said of their parts: real tensors, for which there are kernels.

A rule takes a row's attributes and its operands, complex ones as (real, imaginary) pairs, and gives a pair or a real
tensor: what the row's NumPy function computes, by the same formulas. Rows without a rule take complex numbers whole.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, TypeAlias

from .dims import product, same_shape
from .dispatch import current
from .elimination import MOST_COMPLEX, MOST_ROWS
from .families import real_dtype
from .infer import broadcast_shapes
from .op import FUNCTIONS, OPS
from .slices import piece
from .types import TensorType

Pair = tuple[Any, Any]
PartRule = Callable[..., Any]
PartCondition: TypeAlias = Callable[[dict[str, Any], TensorType], bool]
PART_RULES: dict[str, PartRule] = {}
PART_CONDITIONS: dict[str, PartCondition] = {}


def rule(*names: str, when: PartCondition | None = None) -> Callable[[PartRule], PartRule]:
    """Declare a rule for rows; `when`: for which attributes and which type of the first operand."""

    def declare(function: PartRule) -> PartRule:
        PART_RULES.update(dict.fromkeys(names, function))
        if when is not None:
            PART_CONDITIONS.update(dict.fromkeys(names, when))
        return function

    return declare


def _part(x: Any, k: int) -> Any:
    return x[k] if isinstance(x, tuple) else x


def _moves(name: str) -> PartRule:
    """A rule for rows that do the same with both parts; operands that aren't complex tell where or how much."""

    def act(attrs: dict[str, Any], *given: Any) -> Pair:
        row, use = OPS[name], current().apply
        first, second = (use(row, tuple(_part(x, k) for x in given), attrs) for k in (0, 1))
        return first, second

    return act


PART_RULES.update(
    {
        name: _moves(name)
        for name in (
            "assign", "add", "subtract", "neg", "straight_through", "stop_gradient", "where", "sum", "cumsum",
            "reshape", "transpose", "broadcast_to", "slice", "flip", "roll", "concat", "slice_update", "tril", "triu",
            "gather", "take_along_axis", "put_along_axis", "put_along_axis_add", "scatter_add", "gather_nd",
            "scatter_nd_add", "scatter_nd_update", "select", "select_update", "select_add", "windows", "patches",
        )
    }
)  # fmt: skip


@rule("real")
def _real(attrs: dict[str, Any], x: Pair) -> Any:
    return x[0]


@rule("imag")
def _imag(attrs: dict[str, Any], x: Pair) -> Any:
    return x[1]


@rule("conj")
def _conj(attrs: dict[str, Any], x: Pair) -> Pair:
    return x[0], -x[1]


@rule("complex")
def _complex(attrs: dict[str, Any], x: Any, y: Any) -> Pair:
    shape = broadcast_shapes(x.shape, y.shape)
    return _in_shape(x, shape), _in_shape(y, shape)


def _in_shape(x: Any, shape: Any) -> Any:
    return x if same_shape(x.shape, shape) else OPS["broadcast_to"](x, list(shape))


@rule("cast")
def _cast(attrs: dict[str, Any], x: Any) -> Any:
    dtype = attrs["dtype"]
    if dtype.is_bool:
        return OPS["logical_or"](OPS["cast"](x[0], dtype), OPS["cast"](x[1], dtype))
    if not dtype.is_complex:
        return OPS["cast"](x[0], dtype)
    kind = real_dtype(dtype)
    if isinstance(x, tuple):
        return OPS["cast"](x[0], kind), OPS["cast"](x[1], kind)
    return OPS["cast"](x, kind), OPS["full"](x.shape, 0.0, kind)


@rule("full")
def _full(attrs: dict[str, Any]) -> Pair:
    kind, value = real_dtype(attrs["dtype"]), complex(attrs["fill_value"])
    return OPS["full"](attrs["shape"], value.real, kind), OPS["full"](attrs["shape"], value.imag, kind)


@rule("multiply")
def _multiply(attrs: dict[str, Any], x: Pair, y: Pair) -> Pair:
    return x[0] * y[0] - x[1] * y[1], x[0] * y[1] + x[1] * y[0]


@rule("square")
def _square(attrs: dict[str, Any], x: Pair) -> Pair:
    product = x[0] * x[1]
    return x[0] * x[0] - x[1] * x[1], product + product


@rule("divide")
def _divide(attrs: dict[str, Any], x: Pair, y: Pair) -> Pair:
    """Smith's way, the larger part of the divisor first, as NumPy: nothing overflows that fits."""
    sizes = abs(y[0]), abs(y[1])
    real_first = sizes[0] >= sizes[1]
    where = OPS["where"]
    large, small = where(real_first, y[0], y[1]), where(real_first, y[1], y[0])
    ratio = small / large
    scale = 1.0 / (large + small * ratio)
    real = where(real_first, x[0] + x[1] * ratio, x[0] * ratio + x[1]) * scale
    imag = where(real_first, x[1] - x[0] * ratio, x[1] * ratio - x[0]) * scale
    by_zero = OPS["logical_and"](OPS["equal"](sizes[0], 0.0), OPS["equal"](sizes[1], 0.0))
    return where(by_zero, x[0] / sizes[0], real), where(by_zero, x[1] / sizes[0], imag)


@rule("mean")
def _mean(attrs: dict[str, Any], x: Pair) -> Pair:
    """The sum divided by a complex number without imaginary part: an infinite part makes the other NaN, as NumPy's."""
    use, count = current().apply, product(tuple(x[0].shape)[k] for k in attrs["axis"])
    real, imag = (use(OPS["sum"], (part,), attrs) for part in x)
    real, imag = real + imag * 0.0, imag - real * 0.0
    if not isinstance(count, int) or not count:
        return real / count, imag / count
    return real * (1.0 / count), imag * (1.0 / count)


@rule("abs")
def _abs(attrs: dict[str, Any], x: Pair) -> Any:
    """The larger part times a root, so that squares don't overflow; infinite beside NaN, as hypot."""
    a, b = abs(x[0]), abs(x[1])
    where = OPS["where"]
    a_first = a >= b
    large, small = where(a_first, a, b), where(a_first, b, a)
    ratio = where(OPS["equal"](large, 0.0), large, small / large)
    length = where(OPS["equal"](small, large), large * math.sqrt(2.0), large * OPS["sqrt"](ratio * ratio + 1.0))
    length = where(OPS["isnan"](small), small, length)
    infinite = OPS["logical_or"](OPS["isinf"](a), OPS["isinf"](b))
    return where(infinite, math.inf, length)


@rule("sqrt")
def _sqrt(attrs: dict[str, Any], x: Pair) -> Pair:
    """The root in the right half: of the larger part's size and the length, which add up without cancelling. Where a
    sum would overflow or lose digits, both parts are multiplied by a power of four first.
    """
    where, (real, imag) = OPS["where"], x
    largest = OPS["maximum"](abs(real), abs(imag))
    few, many = _ROOT_LIMITS[real.dtype.itemsize]
    is_small, is_large = largest < 2.0**-few, largest > 2.0**few
    up, down, root_up, root_down, one = (OPS["full"]((), 2.0**k, real.dtype) for k in _exponents(many))
    scale, back = (
        where(is_small, up, where(is_large, down, one)),
        where(is_small, root_down, where(is_large, root_up, one)),
    )
    a, b = real * scale, imag * scale
    root = OPS["sqrt"]((abs(a) + _abs({}, (a, b))) * 0.5)
    other = where(OPS["equal"](root, 0.0), root, abs(b) / (root + root))
    to_right = OPS["greater_equal"](a, 0.0)
    infinite = OPS["isinf"](imag)
    made, size = where(to_right, root, other) * back, where(to_right, other, root) * back
    return where(infinite, math.inf, made), FUNCTIONS["copysign"](where(infinite, math.inf, size), imag)


# of floats of so many bytes: exponents beyond which squares and sums of squares are no floats, and by which both move
_ROOT_LIMITS = {4: (40, 48), 8: (400, 432)}


def _exponents(many: int) -> tuple[int, ...]:
    return many, -many, many // 2, -many // 2, 0


def _known_axes(attrs: dict[str, Any], x: TensorType) -> bool:
    return all(isinstance(x.shape[axis], int) and x.shape[axis] for axis in attrs["axis"])


@rule("prod", when=_known_axes)
def _prod(attrs: dict[str, Any], x: Pair) -> Pair:
    """Products of halves, until one number is left of each axis."""
    for axis in attrs["axis"]:
        odd: list[Pair] = []
        while (size := x[0].shape[axis]) > 1:
            half = size // 2
            if size % 2:
                odd.append(_piece(x, axis, size - 1, 1))
            x = _multiply({}, _piece(x, axis, 0, half), _piece(x, axis, half, half))
        for last in odd:
            x = _multiply({}, x, last)
    shape = tuple(size for k, size in enumerate(x[0].shape) if attrs["keepdim"] or k not in attrs["axis"])
    return OPS["reshape"](x[0], shape), OPS["reshape"](x[1], shape)


def _piece(x: Pair, axis: int, start: int, size: int) -> Pair:
    return piece(x[0], axis, start, size), piece(x[1], axis, start, size)


@rule("exp")
def _exp(attrs: dict[str, Any], x: Pair) -> Pair:
    """In two factors, so that a large one times a small sine or cosine doesn't overflow."""
    root, where = OPS["exp"](x[0] * 0.5), OPS["where"]
    real = root * OPS["cos"](x[1]) * root
    imag = where(OPS["equal"](x[1], 0.0), x[1], root * OPS["sin"](x[1]) * root)
    odd = OPS["logical_not"](OPS["isfinite"](x[1]))
    grows = OPS["logical_and"](odd, OPS["equal"](x[0], math.inf))
    falls = OPS["logical_and"](odd, OPS["equal"](x[0], -math.inf))
    return where(falls, 0.0, where(grows, math.inf, real)), where(falls, 0.0, imag)


@rule("equal")
def _equal(attrs: dict[str, Any], x: Pair, y: Pair) -> Any:
    return OPS["logical_and"](OPS["equal"](x[0], y[0]), OPS["equal"](x[1], y[1]))


@rule("not_equal")
def _not_equal(attrs: dict[str, Any], x: Pair, y: Pair) -> Any:
    return OPS["logical_or"](OPS["not_equal"](x[0], y[0]), OPS["not_equal"](x[1], y[1]))


def _either(name: str) -> PartRule:
    return lambda attrs, x: OPS["logical_or"](OPS[name](x[0]), OPS[name](x[1]))


PART_RULES.update({name: _either(name) for name in ("isnan", "isinf")})


@rule("isfinite")
def _isfinite(attrs: dict[str, Any], x: Pair) -> Any:
    return OPS["logical_and"](OPS["isfinite"](x[0]), OPS["isfinite"](x[1]))


@rule("matmul")
def _matmul(attrs: dict[str, Any], x: Pair, y: Pair) -> Pair:
    """Four products of real matrices."""

    def product(a: Any, b: Any) -> Any:
        return current().apply(OPS["matmul"], (a, b), attrs)

    return product(x[0], y[0]) - product(x[1], y[1]), product(x[0], y[1]) + product(x[1], y[0])


def _of_few_rows(most: int) -> PartCondition:
    def holds(attrs: dict[str, Any], x: TensorType) -> bool:
        return isinstance(x.shape[-1], int) and 0 < x.shape[-1] <= most

    return holds


def _whole_matrix(x: Pair) -> Any:
    """The real matrix of twice the size that does with (real, imaginary) columns what a complex one does."""
    last = x[0].ndim - 1
    rows = OPS["concat"]([x[0], -x[1]], last), OPS["concat"]([x[1], x[0]], last)
    return OPS["concat"](list(rows), last - 1)


def _halves(x: Any) -> Pair:
    """The upper and the lower half of a matrix's rows."""
    axis = x.ndim - 2
    half = x.shape[axis] // 2
    return piece(x, axis, 0, half), piece(x, axis, half, half)


@rule("solve", when=_of_few_rows(MOST_COMPLEX))
def _solve(attrs: dict[str, Any], x: Pair, y: Pair) -> Pair:
    return _halves(OPS["solve"](_whole_matrix(x), OPS["concat"](list(y), y[0].ndim - 2)))


@rule("inv", when=_of_few_rows(MOST_ROWS // 2))
def _inv(attrs: dict[str, Any], x: Pair) -> Pair:
    made = OPS["inv"](_whole_matrix(x))
    return _halves(piece(made, made.ndim - 1, 0, x[0].shape[-1]))


def parts_of_pairs(pairs: Any) -> Pair:
    """The two parts in a real tensor [..., 2]."""
    last, shape = pairs.ndim - 1, list(pairs.shape[:-1])
    first, second = (OPS["reshape"](piece(pairs, last, k, 1), shape) for k in (0, 1))
    return first, second


def pairs_of_parts(x: Any, y: Any) -> Any:
    """A real tensor [..., 2] of two parts."""
    shape = [*x.shape, 1]
    return OPS["concat"]([OPS["reshape"](x, shape), OPS["reshape"](y, shape)], x.ndim)
