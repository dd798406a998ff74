"""Rare arguments, for which a formula won't do, by the C library: without a cost to vectors that have none of them.

A formula gives NaN where it doesn't reach; `by_c_library` replaces that by what the C library has. LLVM turns a loop
into vectors only where nothing branches, so the replacement is a function with variants for vectors, which the loop
vectoriser takes for calls of the scalar one. Each looks for such lanes, and calls the C function for those. The
functions must stay calls until loops are vectors (`noinline`); `inlined` makes them part of their callers afterwards.
Source: LLVM Language Reference, "vector-function-abi-variant".
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from llvmlite import ir

from .emit import ScalarValue, call

PREFIX = "vitrify_rare_"  # of these functions' names
_MARK = "vitrify-rare"  # their attribute
WIDTHS = (2, 4, 8, 16, 32)  # lanes of the variants
_SELDOM = (1, 1_000_000)  # what a call of the C library may change is saved beside the call, not in the loop
_I32 = ir.IntType(32)
_GROUP = re.compile(rf'^attributes #\d+ = {{[^\n]*"{_MARK}"[^\n]*$', re.MULTILINE)
_DEFINITION = re.compile(rf"^define weak_odr(?=[^\n]*@{PREFIX})", re.MULTILINE)


@dataclass(frozen=True)
class Unusual:
    """What becomes of results where an operand or a result isn't usual, of scalars and of vectors alike.

    usual: whether operands and a result are. operands: what the C function gets, and isn't NaN where it is called.
    finish: the result by the operands and what was computed, or the C library has. It stands apart from the call: what
    a call saves costs more than a formula.
    """

    name: str
    usual: Callable[[Sequence[ScalarValue], ScalarValue], ScalarValue]
    operands: Callable[[Sequence[ScalarValue]], Sequence[ScalarValue]]
    finish: Callable[[Sequence[ScalarValue], ScalarValue], ScalarValue]


def by_c_library(
    name: str, result: ScalarValue, *operands: ScalarValue, unusual: Unusual | None = None
) -> ScalarValue:  # fmt: skip
    """`result`, but where it is NaN and no operand is: there the C library's `name` of them (`sin` is sinf for f32)."""
    module = result.builder.module
    symbol = name + "f" if result.format.is_f32 else name
    made = PREFIX + (unusual.name if unusual else "") + symbol
    function = module.globals.get(made) or _define(module, made, symbol, result.type, len(operands), unusual)
    return result.new(result.builder.call(function, [*(x.llvm for x in operands), result.llvm]))


def inlined(text: str) -> str | None:
    """The text of an optimised module with these functions ready to be inlined; None if it has none."""
    if _MARK not in text:
        return None
    text = _GROUP.sub(lambda found: found[0].replace("noinline", "alwaysinline"), text)
    return _DEFINITION.sub("define internal", text)


def _define(
    module: ir.Module, name: str, symbol: str, element: ir.Type, count: int, unusual: Unusual | None
) -> ir.Function:  # fmt: skip
    variants = []
    for lanes in WIDTHS:
        function = new_function(module, f"{name}_v{lanes}", ir.VectorType(element, lanes), count + 1)
        variants.append(_write(function, symbol, unusual))
    mapping = variants_attribute(name, variants, count + 1)
    return _write(new_function(module, name, element, count + 1, mapping), symbol, unusual)


def variants_attribute(name: str, variants: Sequence[ir.Function], count: int) -> str:
    """What tells LLVM that a function of `count` arguments has these variants, for vectors of WIDTHS."""
    pairs = zip(WIDTHS, variants, strict=True)
    mapping = ",".join(f"_ZGV_LLVM_N{lanes}{'v' * count}_{name}({v.name})" for lanes, v in pairs)
    return f'"vector-function-abi-variant"="{mapping}"'


def new_function(module: ir.Module, name: str, kind: ir.Type, count: int, *attributes: str) -> ir.Function:
    """A function of `count` arguments and a result of one type, that stays a call until loops are vectors."""
    function = ir.Function(module, ir.FunctionType(kind, [kind] * count), name)
    function.linkage = "weak_odr"  # kept though nothing calls it yet, and one of several alike where modules meet
    for attribute in ("noinline", "nounwind", "readnone"):
        function.attributes.add(attribute)
    for attribute in ("willreturn", f'"{_MARK}"', *attributes):
        set.add(function.attributes, attribute)  # llvmlite knows only a part of LLVM's
    return function


def _write(function: ir.Function, symbol: str, unusual: Unusual | None) -> ir.Function:
    """The body: by the C library where that is needed, then what finishes unusual results."""
    entry, slow, after = (function.append_basic_block(n) for n in ("entry", "slow", "after"))
    build = ir.IRBuilder(entry)
    *operands, result = (ScalarValue(build, x) for x in function.args)
    given = unusual.operands(operands) if unusual else operands
    rare = _is_rare(given, result)
    _branch_where_any(build, rare, slow, after)
    build.position_at_end(slow)
    fill = _fill_lanes if isinstance(result.type, ir.VectorType) else _fill
    filled, last = fill(function, build, symbol, given, result, rare, after)
    build.position_at_end(after)
    result = result.new(_join(build, (result.llvm, entry), (filled, last)))
    build.ret(_finished(function, build, unusual, operands, result) if unusual else result.llvm)
    return function


def _finished(
    function: ir.Function, build: ir.IRBuilder, unusual: Unusual, operands: Sequence[ScalarValue], result: ScalarValue
) -> ir.Value:
    before, finish, done = build.block, *(function.append_basic_block(n) for n in ("finish", "done"))
    _branch_where_any(build, ~unusual.usual(operands, result), finish, done)
    build.position_at_end(finish)
    finished = unusual.finish(operands, result).llvm
    build.branch(done)
    build.position_at_end(done)
    return _join(build, (result.llvm, before), (finished, finish))


def _branch_where_any(build: ir.IRBuilder, unusual: ScalarValue, slow: ir.Block, done: ir.Block) -> None:
    some = unusual.llvm
    if isinstance(unusual.type, ir.VectorType):
        mask = build.bitcast(some, ir.IntType(unusual.type.count))
        some = build.icmp_unsigned("!=", mask, mask.type(0))
    build.cbranch(some, slow, done).set_weights(_SELDOM)


def _fill(
    function: ir.Function, build: ir.IRBuilder, symbol: str, operands: Sequence[ScalarValue], result: ScalarValue,
    rare: ScalarValue, after: ir.Block,
) -> tuple[ir.Value, ir.Block]:  # fmt: skip
    """What the C library has, and the block where that is known."""
    exact = call(symbol, *operands).llvm
    build.branch(after)
    return exact, build.block


def _fill_lanes(
    function: ir.Function, build: ir.IRBuilder, symbol: str, operands: Sequence[ScalarValue], result: ScalarValue,
    rare: ScalarValue, after: ir.Block,
) -> tuple[ir.Value, ir.Block]:  # fmt: skip
    """The same of the rare lanes of vectors."""
    kind = result.type
    lane, compute, following = (function.append_basic_block(n) for n in ("lane", "compute", "following"))
    slow = build.block
    build.branch(lane)
    build.position_at_end(lane)
    number, merged = build.phi(_I32), build.phi(kind)
    build.cbranch(build.extract_element(rare.llvm, number), compute, following)
    build.position_at_end(compute)
    exact = call(symbol, *(x.new(build.extract_element(x.llvm, number)) for x in operands)).llvm
    replaced = build.insert_element(merged, exact, number)
    build.branch(following)
    build.position_at_end(following)
    kept = _join(build, (merged, lane), (replaced, compute))
    upper = build.add(number, _I32(1))
    build.cbranch(build.icmp_unsigned("<", upper, _I32(kind.count)), lane, after)
    for phi, first, later in ((number, _I32(0), upper), (merged, result.llvm, kept)):
        phi.add_incoming(first, slow)
        phi.add_incoming(later, following)
    return kept, following


def _is_rare(operands: Sequence[ScalarValue], result: ScalarValue) -> ScalarValue:
    build = result.builder
    numbers = result.new(build.fcmp_ordered("ord", operands[0].llvm, operands[-1].llvm))
    return result.is_nan() & numbers


def _join(build: ir.IRBuilder, *ways: tuple[ir.Value, ir.Block]) -> ir.Value:
    phi = build.phi(ways[0][0].type)
    for value, block in ways:
        phi.add_incoming(value, block)
    return phi
