"""Instructions that LLVM knows for vectors only, as functions with variants that its loop vectoriser takes.

AVX-512 takes a float apart in two instructions, whatever it is: no case of subnormal numbers, zeros, infinities and NaN
is left to the formula. The functions are calls until loops are vectors, as those in rare.py are.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from llvmlite import ir

from .emit import ScalarValue
from .rare import PREFIX, WIDTHS, new_function, variants_attribute

_I32 = ir.IntType(32)
_AS_SET = 4  # round as the processor is set to
_FROM_THREE_QUARTERS = 3  # mantissas from 0.75 to 1.5 ...
_NAN_OF_NEGATIVE = 2 << 2  # ... and NaN of a negative number


def exponent_of(x: ScalarValue) -> ScalarValue:
    """floor(log2 |x|) as a float: -inf of zeros, inf of infinities, NaN of NaN. AVX-512 only."""
    return _instruction("getexp", x)


def mantissa_of(x: ScalarValue) -> ScalarValue:
    """x / 2**n within [0.75, 1.5); 1 of inf, 1 or -1 of zeros, NaN of what is below 0. AVX-512 only."""
    return _instruction("getmant", x, _FROM_THREE_QUARTERS | _NAN_OF_NEGATIVE)


def scaled(x: ScalarValue, power: ScalarValue) -> ScalarValue:
    """x 2**floor(power) of any power, rounded once: infinite or 0 where that is beyond the range. AVX-512 only."""
    return _instruction("scalef", x, power)


def _instruction(name: str, *operands: ScalarValue | int) -> ScalarValue:
    """An instruction of some operands, followed by numbers that are part of it."""
    values = [x for x in operands if isinstance(x, ScalarValue)]
    immediate = [x for x in operands if isinstance(x, int)]
    x = values[0]
    module = x.builder.module
    symbol = f"{PREFIX}{name}_{x.format.name}"
    function = module.globals.get(symbol) or _define(module, symbol, name, x.type, len(values), immediate)
    return x.new(x.builder.call(function, [v.llvm for v in values]))


def _define(
    module: ir.Module, symbol: str, name: str, element: ir.Type, count: int, immediate: Sequence[int]
) -> ir.Function:  # fmt: skip
    made = []
    for lanes in WIDTHS:
        function = new_function(module, f"{symbol}_v{lanes}", ir.VectorType(element, lanes), count)
        build = ir.IRBuilder(function.append_basic_block())
        build.ret(_of_vectors(build, name, function.args, lanes, immediate))
        made.append(function)
    function = new_function(module, symbol, element, count, variants_attribute(symbol, made, count))
    build = ir.IRBuilder(function.append_basic_block())
    nothing = ir.Constant(ir.VectorType(element, 2), None)
    vectors = [build.insert_element(nothing, x, _I32(0)) for x in function.args]
    build.ret(build.extract_element(_of_vectors(build, name, vectors, 2, immediate), _I32(0)))
    return function


def _of_vectors(
    build: ir.IRBuilder, name: str, values: Sequence[ir.Value], lanes: int, immediate: Sequence[int]
) -> ir.Value:  # fmt: skip
    """The instruction on vectors of any length, in pieces of 16 to 64 bytes."""
    kind = values[0].type
    size = 4 if kind.element == ir.FloatType() else 8
    fewest, most = 16 // size, 64 // size
    if lanes > most:
        halves = [[_slice(build, v, k * (lanes // 2), lanes // 2) for v in values] for k in range(2)]
        low, high = (_of_vectors(build, name, half, lanes // 2, immediate) for half in halves)
        return build.shuffle_vector(low, high, _numbers(range(lanes)))
    if lanes < fewest:
        whole = _of_vectors(build, name, [_slice(build, v, 0, fewest) for v in values], fewest, immediate)
        return _slice(build, whole, 0, lanes)
    mask = ir.IntType(max(lanes, 8))
    bits = size * 8 * lanes
    operands = [*values, *map(_I32, immediate), ir.Constant(kind, None), ir.Constant(mask, (1 << lanes) - 1)]
    operands += [_I32(_AS_SET)] if bits == 512 else []
    full = f"llvm.x86.avx512.mask.{name}.{'ps' if size == 4 else 'pd'}.{bits}"
    signature = ir.FunctionType(kind, [v.type for v in operands])
    return build.call(build.module.globals.get(full) or ir.Function(build.module, signature, full), operands)


def _slice(build: ir.IRBuilder, value: ir.Value, start: int, count: int) -> ir.Value:
    """`count` lanes from `start` on; those beyond the end repeat the last one."""
    last = value.type.count - 1
    return build.shuffle_vector(value, value, _numbers(min(k, last) for k in range(start, start + count)))


def _numbers(values: Iterable[int]) -> ir.Constant:
    numbers = list(values)
    return ir.Constant(ir.VectorType(_I32, len(numbers)), numbers)
