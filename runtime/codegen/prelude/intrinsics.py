"""The prelude's functions as intrinsics."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from inspect import getdoc
from typing import Any

from llvmlite import ir

from ..element_types import FLOAT_TYPES, INTEGER_TYPES
from ..kernel_types import (
    BOOLEAN,
    FLOAT32,
    FLOAT64,
    INT64,
    UINT32,
    Boolean,
    Float,
    Integer,
    Intrinsic,
    Kind,
    intrinsic,
    signature,
    unified,
)
from . import basic, bessel, exponential, gamma_erf, integers, philox_bits, powers, trigonometry
from .emit import F32, F64, ScalarValue

Emit = Callable[..., ScalarValue]


def _wrap(emit: Emit, arguments: tuple[Kind, ...], result: Kind) -> Intrinsic:
    """An intrinsic that takes and gives these types, whose body is what `emit` emits; other arguments are cast."""
    taken = signature(result, *arguments)

    def define(*given: Kind) -> Any:
        return (taken, write) if len(given) == len(arguments) else None

    def write(build: Any, values: Any) -> Any:
        return emit(*(ScalarValue(build, value) for value in values)).llvm

    define.__doc__ = getdoc(emit)
    return intrinsic(define)


@intrinsic
def _select(condition: Kind, a: Kind, b: Kind) -> Any:
    """`a` where the condition (bool or integer) holds, else `b`: an LLVM select, both computed."""
    common = unified(a, b)
    if common is None:
        return None

    def write(build: Any, values: Any) -> Any:
        flag, first, second = values
        if not isinstance(condition, Boolean):
            flag = build.icmp_unsigned("!=", flag, flag.type(0))
        return build.select(flag, first, second)

    return signature(common, condition, common, common), write


@intrinsic
def _differ(a: Kind, b: Kind) -> Any:
    """Whether two numbers of one type differ in some bit: zeros of both signs do, a NaN not from itself."""
    if a != b:
        return None

    def write(build: Any, values: Any) -> Any:
        if isinstance(a, Float):
            values = [build.bitcast(x, ir.IntType(a.bits)) for x in values]
        return build.icmp_unsigned("!=", *values)

    return signature(BOOLEAN, a, b), write


_UNARY: tuple[Emit, ...] = (
    exponential.exp, exponential.exp2, exponential.expm1, exponential.log, exponential.log2, exponential.log10,
    exponential.log1p, exponential.tanh, exponential.sinh, exponential.cosh, exponential.sigmoid, exponential.softplus,
    exponential.asinh, exponential.acosh, exponential.atanh, trigonometry.sin, trigonometry.cos, trigonometry.tan,
    trigonometry.asin, trigonometry.acos, trigonometry.atan, gamma_erf.erf, gamma_erf.erfc, gamma_erf.lgamma,
    gamma_erf.digamma, gamma_erf.trigamma, gamma_erf.tetragamma, gamma_erf.erfinv, *bessel.ALL, *powers.ALL,
    *powers.HALVES,
    basic.sqrt, basic.rsqrt, basic.floor, basic.ceil, basic.round, basic.trunc, basic.abs, basic.sign,
)  # fmt: skip
_BINARY: tuple[Emit, ...] = (
    powers.pow, powers.single_pow, trigonometry.atan2, basic.maximum, basic.minimum, basic.at_least,
    basic.at_most, basic.largest, basic.smallest, basic.fmax, basic.fmin, basic.copysign, basic.mod, basic.floor_div,
    basic.nextafter,
)  # fmt: skip
_TESTS: tuple[Emit, ...] = (basic.isnan, basic.isinf, basic.isfinite, basic.signbit)
_INTEGER: dict[str, Emit] = {
    "abreast_floor_div": integers.abreast_floor_div, "abreast_mod": integers.abreast_mod,
    "floor_div": integers.floor_div, "mod": integers.mod, "maximum": integers.maximum, "minimum": integers.minimum,
    "at_least": integers.maximum, "at_most": integers.minimum, "largest": integers.maximum,
    "smallest": integers.minimum, "pow": integers.power, "shift_left": integers.shift_left,
    "shift_right": integers.shift_right, "shift_right_logical": integers.shift_right_logical,
    "gcd": integers.greatest_divisor, "lcm": integers.least_multiple,
}  # fmt: skip
_RANDOM: dict[str, tuple[Emit, Kind]] = {
    "philox_u32": (philox_bits.u32, UINT32),
    "philox_uniform_f32": (philox_bits.uniform_f32, FLOAT32),
    "philox_uniform_f64": (philox_bits.uniform_f64, FLOAT64),
    "philox_normal_f32": (philox_bits.normal_f32, FLOAT32),
    "philox_normal_f64": (philox_bits.normal_f64, FLOAT64),
}


@cache
def functions() -> dict[str, Intrinsic]:
    """Every function by its name in kernels."""
    table: dict[str, Intrinsic] = {"select": _select, "differ": _differ}
    for suffix, element in FLOAT_TYPES.items():
        kind = element.kind
        rows: list[tuple[Emit, tuple[Kind, ...], Kind]] = [(emit, (kind,), kind) for emit in _UNARY]
        rows += [(emit, (kind, kind), kind) for emit in _BINARY]
        rows += [(emit, (kind,), BOOLEAN) for emit in _TESTS]
        table |= {f"{emit.__name__}_{suffix}": _wrap(emit, arguments, result) for emit, arguments, result in rows}
        table[f"rank_{suffix}"] = _wrap(basic.rank, (kind,), INT64)
        unrank = partial(basic.unrank, format=F32 if suffix == "f32" else F64)
        table[f"unrank_{suffix}"] = _wrap(unrank, (INT64,), kind)
    for suffix, element in INTEGER_TYPES.items():
        kind = element.kind
        assert isinstance(kind, Integer)
        for base, emit in _INTEGER.items():
            table[f"{base}_{suffix}"] = _wrap(partial(emit, signed=kind.signed), (kind, kind), kind)
        for emit in powers.ALL:
            table[f"{emit.__name__}_{suffix}"] = _wrap(emit, (kind,), kind)
    for name, (emit, result) in _RANDOM.items():
        table[name] = _wrap(emit, (INT64,) * 3, result)
    return table
