"""Scalars of LLVM IR with Python operators, so that the prelude's formulas read like mathematics.

Every instruction is emitted with the rounding it says: nothing here may be reassociated, contracted or approximated,
whatever the flags of the kernel around it. The algorithms depend on that (`n = (x + big) - big`), and an
element's value does not depend on what was fused around it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from llvmlite import ir

from ..target_machine import scales_by_powers


@dataclass(frozen=True)
class Format:
    """An IEEE binary format. `big` is 1.5 * 2**mantissa: adding it leaves the nearest integer in the low bits."""

    name: str
    real: ir.Type
    integer: ir.IntType
    mantissa: int
    bias: int

    @cached_property
    def big(self) -> float:
        return 1.5 * 2.0**self.mantissa

    @cached_property
    def big_bits(self) -> int:
        return ((self.bias + self.mantissa) << self.mantissa) + (1 << (self.mantissa - 1))

    @property
    def width(self) -> int:
        return int(self.integer.width)

    @cached_property
    def sign_bit(self) -> int:
        return -(1 << (self.width - 1))

    @cached_property
    def smallest_normal(self) -> float:
        return 2.0 ** (1 - self.bias)

    @property
    def is_f32(self) -> bool:
        return self.mantissa == 23


F32 = Format("f32", ir.FloatType(), ir.IntType(32), 23, 127)
F64 = Format("f64", ir.DoubleType(), ir.IntType(64), 52, 1023)
BOOL = ir.IntType(1)
Number = float | int


def _like(kind: ir.Type, element: ir.Type) -> ir.Type:
    """A type of such elements: a vector where `kind` is one."""
    return ir.VectorType(element, kind.count) if isinstance(kind, ir.VectorType) else element


class ScalarValue:
    """One scalar of the function under construction, or a vector of them."""

    __slots__ = ("builder", "llvm")

    def __init__(self, builder: ir.IRBuilder, llvm: ir.Value) -> None:
        self.builder = builder
        self.llvm = llvm

    @property
    def type(self) -> ir.Type:
        return self.llvm.type

    @property
    def element(self) -> ir.Type:
        return self.type.element if isinstance(self.type, ir.VectorType) else self.type

    @property
    def format(self) -> Format:
        return F32 if self.element == F32.real else F64

    @property
    def is_float(self) -> bool:
        return not isinstance(self.element, ir.IntType)

    def new(self, llvm: ir.Value) -> ScalarValue:
        return ScalarValue(self.builder, llvm)

    def constant(self, number: Number) -> ScalarValue:
        """`number` in this value's type; integers wrap."""
        value = float(number) if self.is_float else int(number)
        is_vector = isinstance(self.type, ir.VectorType)
        return self.new(ir.Constant(self.type, [value] * self.type.count if is_vector else value))

    def _lift(self, other: Operand) -> ir.Value:
        return other.llvm if isinstance(other, ScalarValue) else self.constant(other).llvm

    def _binary(self, other: Operand, on_floats: str, on_ints: str) -> ScalarValue:
        right = self._lift(other)
        if self.is_float:
            return self.new(getattr(self.builder, on_floats)(self.llvm, right))
        return self.new(getattr(self.builder, on_ints)(self.llvm, right))

    def __add__(self, other: Operand) -> ScalarValue:
        return self._binary(other, "fadd", "add")

    def __sub__(self, other: Operand) -> ScalarValue:
        return self._binary(other, "fsub", "sub")

    def __mul__(self, other: Operand) -> ScalarValue:
        return self._binary(other, "fmul", "mul")

    def __radd__(self, other: Number) -> ScalarValue:
        return self + other

    def __rmul__(self, other: Number) -> ScalarValue:
        return self * other

    def __rsub__(self, other: Number) -> ScalarValue:
        return self.constant(other) - self

    def __truediv__(self, other: Operand) -> ScalarValue:
        return self.new(self.builder.fdiv(self.llvm, self._lift(other)))

    def __rtruediv__(self, other: Number) -> ScalarValue:
        return self.constant(other) / self

    def __neg__(self) -> ScalarValue:
        return self.new(self.builder.fneg(self.llvm)) if self.is_float else 0 - self

    def __and__(self, other: Operand) -> ScalarValue:
        return self.new(self.builder.and_(self.llvm, self._lift(other)))

    def __or__(self, other: Operand) -> ScalarValue:
        return self.new(self.builder.or_(self.llvm, self._lift(other)))

    def __xor__(self, other: Operand) -> ScalarValue:
        return self.new(self.builder.xor(self.llvm, self._lift(other)))

    def __invert__(self) -> ScalarValue:
        return self ^ -1

    def __lshift__(self, count: Operand) -> ScalarValue:
        return self.new(self.builder.shl(self.llvm, self._lift(count)))

    def __rshift__(self, count: Operand) -> ScalarValue:
        """Shift in copies of the sign."""
        return self.new(self.builder.ashr(self.llvm, self._lift(count)))

    def shift_right_zero(self, count: Operand) -> ScalarValue:
        """Shift in zeros."""
        return self.new(self.builder.lshr(self.llvm, self._lift(count)))

    def _compare(self, operator: str, other: Operand) -> ScalarValue:
        emit = self.builder.fcmp_ordered if self.is_float else self.builder.icmp_signed
        return self.new(emit(operator, self.llvm, self._lift(other)))

    def __lt__(self, other: Operand) -> ScalarValue:
        return self._compare("<", other)

    def __le__(self, other: Operand) -> ScalarValue:
        return self._compare("<=", other)

    def __gt__(self, other: Operand) -> ScalarValue:
        return self._compare(">", other)

    def __ge__(self, other: Operand) -> ScalarValue:
        return self._compare(">=", other)

    def equals(self, other: Operand) -> ScalarValue:
        return self._compare("==", other)

    def is_nan(self) -> ScalarValue:
        return self.new(self.builder.fcmp_unordered("uno", self.llvm, self.llvm))

    def bits(self) -> ScalarValue:
        return self.new(self.builder.bitcast(self.llvm, _like(self.type, self.format.integer)))

    def as_float(self) -> ScalarValue:
        """The float of these bits."""
        form = F32 if self.element == F32.integer else F64
        return self.new(self.builder.bitcast(self.llvm, _like(self.type, form.real)))

    def magnitude(self) -> ScalarValue:
        return (self.bits() & ~self.format.sign_bit).as_float()

    def signed_like(self, other: ScalarValue) -> ScalarValue:
        """This value's magnitude with the sign of `other`."""
        sign = self.format.sign_bit
        return ((self.bits() & ~sign) | (other.bits() & sign)).as_float()

    def to_f64(self) -> ScalarValue:
        return self.new(self.builder.fpext(self.llvm, F64.real)) if self.type == F32.real else self

    def to_f32(self) -> ScalarValue:
        return self.new(self.builder.fptrunc(self.llvm, F32.real)) if self.type == F64.real else self

    def to_int(self, width: int, *, signed: bool = True) -> ScalarValue:
        """Widen or cut an integer."""
        target = ir.IntType(width)
        if width <= self.type.width:
            return self.new(self.builder.trunc(self.llvm, target)) if width < self.type.width else self
        return self.new((self.builder.sext if signed else self.builder.zext)(self.llvm, target))

    def int_to_float(self, format: Format, *, signed: bool = True) -> ScalarValue:
        return self.new((self.builder.sitofp if signed else self.builder.uitofp)(self.llvm, format.real))

    def float_to_int(self, kind: ir.IntType, *, signed: bool = True) -> ScalarValue:
        """Towards 0; the number must fit."""
        return self.new((self.builder.fptosi if signed else self.builder.fptoui)(self.llvm, kind))


Operand = ScalarValue | float | int


def select(condition: ScalarValue, a: Operand, b: Operand) -> ScalarValue:
    """`a` where the condition holds, else `b`, both computed; one of them is a ScalarValue."""
    like = a if isinstance(a, ScalarValue) else b
    assert isinstance(like, ScalarValue)
    builder = condition.builder
    return like.new(builder.select(condition.llvm, like._lift(a), like._lift(b)))


def call(name: str, *args: ScalarValue, pure: bool = False) -> ScalarValue:
    """Call a C function or LLVM intrinsic whose result has its arguments' type. pure: nobody looks at its errno."""
    first = args[0]
    kind = ir.FunctionType(first.type, [a.type for a in args])
    function = first.builder.module.globals.get(name) or ir.Function(first.builder.module, kind, name)
    for attribute in ("readnone", "nounwind", "willreturn") if pure else ():
        set.add(function.attributes, attribute)  # llvmlite knows only a part of LLVM's
    return first.new(first.builder.call(function, [a.llvm for a in args]))


def intrinsic(name: str, *args: ScalarValue) -> ScalarValue:
    """`llvm.name` for the type of the first argument."""
    kind = args[0].type
    lanes = f"v{kind.count}" if isinstance(kind, ir.VectorType) else ""
    return call(f"llvm.{name}.{lanes}{args[0].format.name}", *args)


def muladd(a: ScalarValue, b: Operand, c: Operand) -> ScalarValue:
    """a * b + c, in one rounding where the CPU can: use it where either rounding will do."""
    return intrinsic("fmuladd", a, a.new(a._lift(b)), a.new(a._lift(c)))


def fma(a: ScalarValue, b: Operand, c: Operand) -> ScalarValue:
    """a * b + c in one rounding, always (slow on a CPU without the instruction)."""
    return intrinsic("fma", a, a.new(a._lift(b)), a.new(a._lift(c)))


def polynomial(x: ScalarValue, coefficients: Sequence[float]) -> ScalarValue:
    """Horner's rule; lowest power first."""
    result = x.constant(coefficients[-1])
    for c in reversed(coefficients[:-1]):
        result = muladd(result, x, c)
    return result


def polynomial_in_halves(x: ScalarValue, coefficients: Sequence[float]) -> ScalarValue:
    """The even powers apart from the odd ones: one multiplication more, and half the time until the result is there."""
    square = x * x
    return muladd(polynomial(square, coefficients[1::2]), x, polynomial(square, coefficients[::2]))


def polynomial_in_pairs(x: ScalarValue, coefficients: Sequence[float]) -> ScalarValue:
    """Estrin's rule, with x**2, x**4, ...: some operations more, and the fewest that wait for each other."""
    terms: list[Operand] = list(coefficients)
    while True:
        pairs = zip(terms[::2], terms[1::2], strict=False)
        made = [muladd(x, high, low) for low, high in pairs]
        if len(terms) == 2:
            return made[0]
        terms = [*made, *(terms[-1:] if len(terms) % 2 else [])]
        x = x * x


def pair(large: ScalarValue, small: Operand) -> tuple[ScalarValue, ScalarValue]:
    """large + small as the nearest float and what it lacks, for |large| >= |small| (Dekker)."""
    total = large + small
    return total, (large - total) + small


def sum_pair(a: ScalarValue, b: Operand) -> tuple[ScalarValue, ScalarValue]:
    """`pair`, whichever is larger (Knuth)."""
    total = a + b
    back = total - a
    return total, (a - (total - back)) + (b - back)


def quotient(top: ScalarValue, top_low: ScalarValue, bottom: ScalarValue, bottom_low: ScalarValue) -> ScalarValue:
    """(top + top_low) / (bottom + bottom_low), low parts being what a rounding lost: a division, then its remainder."""
    inverse = 1.0 / bottom
    q = top * inverse
    lost = fma(-q, bottom, top) + (top_low - q * bottom_low)
    return fma(lost, inverse, q)


def clamp(x: ScalarValue, low: float, high: float) -> ScalarValue:
    """`x` limited to [low, high]; NaN stays."""
    x = select(x < low, low, x)
    return select(x > high, high, x)


def nearest(x: ScalarValue, factor: float = 1.0) -> tuple[ScalarValue, ScalarValue]:
    """The integer nearest to x * factor, a small number, as float and as bits whose low end is that integer."""
    big = x + x.format.big if factor == 1.0 else muladd(x, factor, x.constant(x.format.big))
    return big - x.format.big, big.bits()


def times_power(p: ScalarValue, k: ScalarValue) -> ScalarValue:
    """p * 2**k for any integer k of p's width, though 2**k may be out of range."""
    if scales_by_powers():
        return _scaled(p, k.to_int(32))
    half = k >> 1
    return p * power_of_two(half) * power_of_two(k - half)


def _scaled(p: ScalarValue, k: ScalarValue) -> ScalarValue:
    module, name = p.builder.module, f"llvm.ldexp.{p.format.name}.i32"
    function = module.globals.get(name) or ir.Function(module, ir.FunctionType(p.type, [p.type, k.type]), name)
    return p.new(p.builder.call(function, [p.llvm, k.llvm]))


def power_of_two(k: ScalarValue) -> ScalarValue:
    """2**k for an integer k in the range of normal numbers."""
    form = F32 if k.type == F32.integer else F64
    return ((k + form.bias) << form.mantissa).as_float()
