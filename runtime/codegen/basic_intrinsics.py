"""What kernels say beyond plain Python on numbers: arrays on the stack, extremes, sums that may be reordered."""

from __future__ import annotations

from typing import Any

from llvmlite import ir

from ...base.memory import ALIGNMENT
from .element_types import ELEMENT_TYPES, INTEGER_TYPES, NUMBER_TYPES
from .kernel_types import (
    INT64,
    Float,
    Integer,
    IntegerLiteral,
    Intrinsic,
    Kind,
    Number,
    PointerKind,
    intrinsic,
    intrinsic_of_literals,
    signature,
    stack_slot,
    unified,
)
from .prelude import wide_conversions
from .prelude.emit import ScalarValue

I64 = ir.IntType(64)


def functions() -> dict[str, Intrinsic]:
    """Name -> intrinsic, for a kernel's globals."""
    return {
        **{f"local_{name}": _local_array(kind.kind) for name, kind in NUMBER_TYPES.items()},
        **{f"whole_{name}": _whole(ELEMENT_TYPES[name].kind) for name in (*INTEGER_TYPES, "bool")},
        "fast_add": _reordered("fadd"), "fast_multiply": _reordered("fmul"), "fast_multiply_add": _contracted,
        "min": _extreme("<"), "max": _extreme(">"),
        "wrapping_add": _wrapping("add"), "wrapping_subtract": _wrapping("sub"), "wrapping_multiply": _wrapping("mul"),
    }  # fmt: skip


def _local_array(kind: Number) -> Intrinsic:
    @intrinsic_of_literals
    def local(count: Kind) -> Any:
        """A small array on the stack of the kernel, not initialised; its length is a literal."""
        if not isinstance(count, IntegerLiteral):
            return None

        def write(build: Any, values: Any) -> Any:
            pointer = stack_slot(build, kind.llvm, size=ir.Constant(I64, count.value))
            pointer.align = ALIGNMENT
            return pointer

        return signature(PointerKind(kind), count), write

    return local


def _extreme(relation: str) -> Intrinsic:
    @intrinsic
    def extreme(a: Kind, b: Kind) -> Any:
        """The smaller, or the larger, of two integers."""
        kind = unified(a, b)
        if not isinstance(kind, Integer):
            return None

        def write(build: Any, values: Any) -> Any:
            compare = build.icmp_signed if kind.signed else build.icmp_unsigned
            return build.select(compare(relation, *values), *values)

        return signature(kind, kind, kind), write

    return extreme


def _wrapping(instruction: str) -> Intrinsic:
    """Operators tell LLVM that nothing overflows, which is so for indices. Of a user's numbers LLVM must not conclude
    that a square is positive.
    """

    @intrinsic
    def arithmetic(a: Kind, b: Kind) -> Any:
        """The sum, difference or product modulo 2**64."""
        if not isinstance(a, Integer) or not isinstance(b, Integer):
            return None

        def write(build: Any, values: Any) -> Any:
            return getattr(build, instruction)(*values)

        return signature(INT64, INT64, INT64), write

    return arithmetic


def _reordered(instruction: str) -> Intrinsic:
    """A sum or product of two floats of a type, which LLVM may reorder: one step of a reduction."""

    @intrinsic
    def reordered(a: Kind, b: Kind) -> Any:
        """One step of a reduction."""

        def write(build: Any, values: Any) -> Any:
            # Without nsz LLVM leaves operands that aren't steps themselves as they are written.
            return getattr(build, instruction)(*values, flags=build.flags or ("reassoc",))

        return signature(a, a, b), write

    return reordered


@intrinsic
def _contracted(a: Kind, x: Kind, y: Kind) -> Any:
    """a + x * y as one step of a sum of products, rounded once where the CPU can."""

    def write(build: Any, values: Any) -> Any:
        total, first, second = values
        inner, outer = build.flags or ("contract",), build.flags or ("reassoc", "contract")
        return build.fadd(total, build.fmul(first, second, flags=inner), flags=outer)

    return signature(a, a, a, a), write


def _whole(kind: Number) -> Intrinsic:
    assert isinstance(kind, Integer)

    @intrinsic
    def whole(x: Kind) -> Any:
        """The integer of a float, towards 0; NumPy's on x86 where none fits."""
        if not isinstance(x, Float):
            return None

        def write(build: Any, values: Any) -> Any:
            # An integer that doesn't fit is undefined in LLVM; x86 has the least one, small types its low bits.
            (number,) = values
            if build.abreast and kind == INT64 and wide_conversions.converts_in_parts():
                return wide_conversions.to_wide(ScalarValue(build, number)).llvm
            wide = ir.IntType(max(32, kind.bits))
            limit, least = 2.0 ** (wide.width - 1), ir.Constant(wide, -(1 << (wide.width - 1)))
            fits = build.and_(
                build.fcmp_ordered(">=", number, ir.Constant(number.type, -limit)),
                build.fcmp_ordered("<", number, ir.Constant(number.type, limit)),
            )
            safe = build.select(fits, number, ir.Constant(number.type, 0.0))
            made = build.select(fits, build.fptosi(safe, wide), least)
            return made if wide.width == kind.bits else build.trunc(made, ir.IntType(kind.bits))

        return signature(kind, x), write

    return whole
