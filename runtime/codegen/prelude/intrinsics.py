"""The prelude's functions as Numba intrinsics."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from inspect import getdoc
from typing import Any

from llvmlite import ir
from numba.core import types
from numba.extending import intrinsic

from ..element_types import FLOAT_TYPES, INTEGER_TYPES
from . import basic, bessel, exponential, gamma_erf, integers, philox_bits, powers, trigonometry
from .emit import F32, F64, ScalarValue

Emit = Callable[..., ScalarValue]


def _wrap(name: str, emit: Emit, arguments: tuple[Any, ...], result: Any) -> object:
    """An intrinsic `name(*arguments) -> result` whose body is what `emit` emits; arguments of other types are cast."""
    signature = result(*arguments)

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        return emit(*(ScalarValue(builder, a) for a in args)).llvm

    def one(typingctx: Any, x: Any) -> Any:
        return signature, codegen

    def two(typingctx: Any, x: Any, y: Any) -> Any:
        return signature, codegen

    def three(typingctx: Any, seed: Any, offset: Any, i: Any) -> Any:
        return signature, codegen

    typing = (one, two, three)[len(signature.args) - 1]
    typing.__name__ = typing.__qualname__ = name
    typing.__doc__ = getdoc(emit)
    return intrinsic(typing)


def _select(typingctx: Any, condition: Any, a: Any, b: Any) -> Any:
    """`a` where the condition (bool or integer) holds, else `b`: an LLVM select, both computed."""
    unified = typingctx.unify_types(a, b)
    if unified is None:
        return None

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        flag, first, second = args
        if not isinstance(condition, types.Boolean):
            flag = builder.icmp_unsigned("!=", flag, flag.type(0))
        return builder.select(flag, first, second)

    return unified(condition, unified, unified), codegen


def _differ(typingctx: Any, a: Any, b: Any) -> Any:
    """Whether two numbers of one type differ in some bit: zeros of both signs do, a NaN not from itself."""
    if a != b:
        return None

    def codegen(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        if isinstance(a, types.Float):
            args = [builder.bitcast(x, ir.IntType(a.bitwidth)) for x in args]
        return builder.icmp_unsigned("!=", *args)

    return types.boolean(a, a), codegen


_UNARY: tuple[Emit, ...] = (
    exponential.exp, exponential.exp2, exponential.expm1, exponential.log, exponential.log2, exponential.log10,
    exponential.log1p, exponential.tanh, exponential.sinh, exponential.cosh, exponential.sigmoid, exponential.softplus,
    exponential.asinh, exponential.acosh, exponential.atanh, trigonometry.sin, trigonometry.cos, trigonometry.tan,
    trigonometry.asin, trigonometry.acos, trigonometry.atan, gamma_erf.erf, gamma_erf.erfc, gamma_erf.lgamma,
    gamma_erf.digamma, gamma_erf.trigamma, gamma_erf.erfinv, *bessel.ALL, *powers.ALL, *powers.HALVES,
    basic.sqrt, basic.rsqrt, basic.floor, basic.ceil, basic.round, basic.trunc, basic.abs, basic.sign,
)  # fmt: skip
_BINARY: tuple[Emit, ...] = (
    exponential.pow, exponential.single_pow, trigonometry.atan2, basic.maximum, basic.minimum, basic.at_least,
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
_RANDOM: dict[str, tuple[Emit, Any]] = {
    "philox_u32": (philox_bits.u32, types.uint32),
    "philox_uniform_f32": (philox_bits.uniform_f32, types.float32),
    "philox_uniform_f64": (philox_bits.uniform_f64, types.float64),
    "philox_normal_f32": (philox_bits.normal_f32, types.float32),
    "philox_normal_f64": (philox_bits.normal_f64, types.float64),
}


@cache
def functions() -> dict[str, object]:
    """Every function by its name in kernels."""
    table: dict[str, object] = {"select": intrinsic(_select), "differ": intrinsic(_differ)}
    for suffix, element in FLOAT_TYPES.items():
        kind = element.numba
        rows: list[tuple[Emit, Any, Any]] = [(emit, (kind,), kind) for emit in _UNARY]
        rows += [(emit, (kind, kind), kind) for emit in _BINARY]
        rows += [(emit, (kind,), types.boolean) for emit in _TESTS]
        for emit, arguments, result in rows:
            name = f"{emit.__name__}_{suffix}"
            table[name] = _wrap(name, emit, arguments, result)
        table[f"rank_{suffix}"] = _wrap(f"rank_{suffix}", basic.rank, (kind,), types.int64)
        unrank = partial(basic.unrank, format=F32 if suffix == "f32" else F64)
        table[f"unrank_{suffix}"] = _wrap(f"unrank_{suffix}", unrank, (types.int64,), kind)
    for suffix, element in INTEGER_TYPES.items():
        kind = element.numba
        for base, emit in _INTEGER.items():
            name = f"{base}_{suffix}"
            table[name] = _wrap(name, partial(emit, signed=kind.signed), (kind, kind), kind)
        for emit in powers.ALL:
            name = f"{emit.__name__}_{suffix}"
            table[name] = _wrap(name, emit, (kind,), kind)
    for name, (emit, result) in _RANDOM.items():
        table[name] = _wrap(name, emit, (types.int64,) * 3, result)
    return table
