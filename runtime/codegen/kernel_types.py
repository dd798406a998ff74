"""Types of the values in kernels, and how an intrinsic says what it takes and gives. Knows LLVM alone."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeAlias, Union

from llvmlite import ir


@dataclass(frozen=True)
class Integer:
    """An integer of so many bits."""

    bits: int
    signed: bool

    @property
    def llvm(self) -> ir.Type:
        return ir.IntType(self.bits)

    @property
    def plain(self) -> Kind:
        return self


@dataclass(frozen=True)
class Float:
    """A floating-point number of 32 or 64 bits."""

    bits: int

    @property
    def llvm(self) -> ir.Type:
        return ir.FloatType() if self.bits == 32 else ir.DoubleType()

    @property
    def plain(self) -> Kind:
        return self


@dataclass(frozen=True)
class Boolean:
    """A condition: one bit in registers; arrays hold bools as bytes."""

    @property
    def llvm(self) -> ir.Type:
        return ir.IntType(1)

    @property
    def plain(self) -> Kind:
        return self


@dataclass(frozen=True)
class PointerKind:
    """The address of elements in memory."""

    element: Number

    @property
    def llvm(self) -> ir.Type:
        return self.element.llvm.as_pointer()

    @property
    def plain(self) -> Kind:
        return self


@dataclass(frozen=True)
class IntegerLiteral:
    """An integer that a kernel's text says: an intrinsic may need its value to be written. `plain`: the type it has."""

    value: int

    @property
    def llvm(self) -> ir.Type:
        return self.plain.llvm

    @property
    def plain(self) -> Kind:
        return INT64 if -(2**63) <= self.value < 2**63 else UINT64


@dataclass(frozen=True)
class Void:
    """Of a call that gives nothing."""

    @property
    def llvm(self) -> ir.Type:
        return ir.VoidType()

    @property
    def plain(self) -> Kind:
        return self


Number: TypeAlias = Union[Integer, Float]
Kind: TypeAlias = Union[Integer, Float, Boolean, PointerKind, IntegerLiteral, Void]
Typed: TypeAlias = tuple[Any, Kind]  # an LLVM value (None for nothing) and its type

INT8, INT16, INT32, INT64 = (Integer(bits, True) for bits in (8, 16, 32, 64))
UINT8, UINT32, UINT64 = (Integer(bits, False) for bits in (8, 32, 64))
FLOAT32, FLOAT64 = Float(32), Float(64)
BOOLEAN, VOID = Boolean(), Void()


def unified(a: Kind, b: Kind) -> Kind | None:
    """The type that holds values of both, as NumPy promotes; None where one is no number.

    >>> unified(INT32, UINT8) == INT32, unified(FLOAT32, INT64) == FLOAT64, unified(BOOLEAN, INT8) == INT8
    (True, True, True)
    """
    a, b = a.plain, b.plain
    if a == b or isinstance(b, Boolean):
        return a
    if isinstance(a, Boolean):
        return b
    if isinstance(a, Integer) and isinstance(b, Integer):
        return _unified_integers(a, b)
    if not isinstance(a, Integer | Float) or not isinstance(b, Integer | Float):
        return None
    is_single = all(k.bits <= (32 if isinstance(k, Float) else 16) for k in (a, b))
    return FLOAT32 if is_single else FLOAT64


def _unified_integers(a: Integer, b: Integer) -> Kind:
    if a.signed == b.signed:
        return max(a, b, key=lambda kind: kind.bits)
    signed, unsigned = (a, b) if a.signed else (b, a)
    bits = max(signed.bits, 2 * unsigned.bits)
    return Integer(bits, True) if bits <= 64 else FLOAT64


class CallSignature(NamedTuple):
    """What a call gives, and what it takes: arguments of other types are converted."""

    result: Kind
    arguments: tuple[Kind, ...]


Write: TypeAlias = Callable[[Any, Sequence[Any]], Any]  # (builder, the arguments' values) -> the result's value
Define: TypeAlias = Callable[..., Union[tuple[CallSignature, Write], None]]


class Intrinsic:
    """What a kernel calls by name.

    define(*types): the signature for arguments of these types and what writes the call; None where they don't fit.
    """

    def __init__(self, define: Define, *, literals: bool) -> None:
        self.define, self.literals, self.__doc__ = define, literals, define.__doc__

    def found(self, kinds: tuple[Kind, ...]) -> tuple[CallSignature, Write] | None:
        """The call with arguments of these types: as literals first where those say something, else as plain ones."""
        plain = tuple([kind.plain for kind in kinds])
        return self.define(*(kinds if self.literals else plain)) or self.define(*(plain if self.literals else kinds))


def intrinsic(define: Define) -> Intrinsic:
    """Decorate a function of types (see Intrinsic) to which a literal's value says nothing."""
    return Intrinsic(define, literals=False)


def intrinsic_of_literals(define: Define) -> Intrinsic:
    """Decorate a function of types (see Intrinsic) some of which must be literals."""
    return Intrinsic(define, literals=True)


def signature(result: Kind, *arguments: Kind) -> CallSignature:
    """A signature, written as a call."""
    return CallSignature(result, arguments)


# ---- what llvmlite lacks


class FlaggedBuilder(ir.IRBuilder):  # type: ignore[misc]  # llvmlite has no types
    """Writes a kernel's instructions.

    flags: of its arithmetic on floats, for numerics="fast". abreast: whether they stand in a loop that becomes vectors.
    """

    flags: tuple[str, ...] = ()
    abreast: bool = False


def stack_slot(build: Any, kind: ir.Type, size: ir.Value | None = None, name: str = "") -> Any:
    """A place on the stack, made once where the function begins, and 0."""
    with build.goto_entry_block():
        place = build.alloca(kind, size=size, name=name)
        build.store(ir.Constant(kind, None), place)
    return place


def kept_in_one(build: Any, value: Any, place: Any) -> Any:
    """A value for a place; where it is a new number or the one that lies there, one that is written in either case.

    LLVM would write only the new numbers of a vector, by a mask: 18 instructions on some CPUs, and what reads the
    vector next has to wait until all of it is in memory. Of a frozen number LLVM doesn't know that it lies there.
    """
    if not isinstance(value, ir.instructions.SelectInstr):
        return value
    for given in value.operands[1:]:
        if isinstance(given, ir.instructions.LoadInstr) and _array(given.operands[0]) is _array(place):
            with build.goto_block(value.parent):
                build.position_before(value)
                frozen = ir.instructions.Instruction(value.parent, given.type, "freeze", [given])
                build._insert(frozen)
            value.replace_usage(given, frozen)
    return value


def _array(place: Any) -> Any:
    """The array that an address lies in."""
    while isinstance(place, ir.instructions.GEPInstr):
        place = place.pointer
    return place


def stack_value(build: Any, value: Any) -> Any:
    """A place on the stack with a value in it."""
    place = stack_slot(build, value.type)
    build.store(value, place)
    return place


def declared(module: ir.Module, kind: ir.FunctionType, name: str) -> ir.Function:
    """The function of that name, declared on first use."""
    return module.globals.get(name) or ir.Function(module, kind, name)


def size_of(kind: ir.Type) -> int:
    """Bytes of a number in memory."""
    if isinstance(kind, ir.IntType):
        return int(kind.width) // 8
    return 4 if isinstance(kind, ir.FloatType) else 8
