"""64-bit integers to float64 and floats back, as a vector's operations: CPUs without AVX-512 have none for all at once.

Not to float32: rounding twice needs a test of how large a number is, and converting one by one is as fast as that.
"""

from __future__ import annotations

from llvmlite import ir

from ..target_machine import computes_wide_integers, converts_wide_integers
from .emit import F64, ScalarValue, fma, intrinsic, nearest, select


def converts_in_parts() -> bool:
    """Whether vectors of 64-bit integers are converted by other instructions than the CPU's conversions."""
    return computes_wide_integers() and not converts_wide_integers()


def wide_to_float(x: ScalarValue) -> ScalarValue:
    """The float64 nearest to 64 bits: each half is the low end of a float, one of them 2**32 times as large."""
    high = (x.shift_right_zero(32) ^ 0x4530000080000000).as_float()  # 2**84 + 2**63 + the upper half
    low = ((x & 0xFFFFFFFF) | 0x4330000000000000).as_float()  # 2**52 + the lower half
    return (high - (2.0**84 + 2.0**63 + 2.0**52)) + low


def float_to_wide(x: ScalarValue) -> ScalarValue:
    """The nearest 64 bits, by halves, of a number within 2**62 or an integer within 2**63."""
    high, bits = nearest(x, 2.0**-32)
    return (bits << 32) + (nearest(fma(high, -(2.0**32), x))[1] - F64.big_bits)


def to_wide(x: ScalarValue) -> ScalarValue:
    """64 bits of a float, towards 0; the least integer where none fits, as x86 has it."""
    x = intrinsic("trunc", x.to_f64())
    return select(x.magnitude() < 2.0**63, float_to_wide(x), -(1 << 63))


def is_widened(value: ir.Value) -> bool:
    """Whether a 64-bit integer was a shorter one, which CPUs convert: LLVM sees that only in its own conversions."""
    return isinstance(value, ir.instructions.CastInstr) and value.opname in ("sext", "zext")
