"""Rare arguments, for which a formula won't do, by the C library: without a cost to vectors that have none of them.

A formula gives NaN where it doesn't reach; `by_c_library` replaces that by what the C library has. LLVM turns a loop
into vectors only where nothing branches, so the replacement is a function with variants for vectors, which the loop
vectoriser takes for calls of the scalar one. Each looks for such lanes, and calls the C function for those. The
functions must stay calls until loops are vectors (`noinline`); `inlined` makes them part of their callers afterwards.
Source: LLVM Language Reference, "vector-function-abi-variant".
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from llvmlite import ir

from .emit import ScalarValue, call

PREFIX = "vitrify_rare_"  # of these functions' names
_MARK = "vitrify-rare"  # their attribute
WIDTHS = (2, 4, 8, 16, 32)  # lanes of the variants
_SELDOM = (1, 1_000_000)  # what a call of the C library may change is saved beside the call, not in the loop
_I32 = ir.IntType(32)
_GROUP = re.compile(rf'^attributes #\d+ = {{[^\n]*"{_MARK}"[^\n]*$', re.MULTILINE)
_DEFINITION = re.compile(rf"^define weak_odr(?=[^\n]*@{PREFIX})", re.MULTILINE)


def by_c_library(name: str, result: ScalarValue, *operands: ScalarValue) -> ScalarValue:
    """`result`, but where it is NaN and no operand is: there the C library's `name` of them (`sin` is sinf for f32)."""
    module = result.builder.module
    symbol = name + "f" if result.format.is_f32 else name
    function = module.globals.get(PREFIX + symbol) or _define(module, symbol, result.type, len(operands))
    return result.new(result.builder.call(function, [*(x.llvm for x in operands), result.llvm]))


def inlined(text: str) -> str | None:
    """The text of an optimised module with these functions ready to be inlined; None if it has none."""
    if _MARK not in text:
        return None
    text = _GROUP.sub(lambda found: found[0].replace("noinline", "alwaysinline"), text)
    return _DEFINITION.sub("define internal", text)


def _define(module: ir.Module, symbol: str, element: ir.Type, count: int) -> ir.Function:
    name = PREFIX + symbol
    variants = [_vector(module, f"{name}_v{lanes}", symbol, element, count, lanes) for lanes in WIDTHS]
    return _scalar(module, name, symbol, element, count, variants_attribute(name, variants, count + 1))


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


def _scalar(module: ir.Module, name: str, symbol: str, kind: ir.Type, count: int, variants: str) -> ir.Function:
    function = new_function(module, name, kind, count + 1, variants)
    *operands, result = function.args
    entry, slow, done = (function.append_basic_block(n) for n in ("entry", "slow", "done"))
    build = ir.IRBuilder(entry)
    build.cbranch(_is_rare(build, operands, result), slow, done).set_weights(_SELDOM)
    build.position_at_end(slow)
    exact = call(symbol, *(ScalarValue(build, x) for x in operands)).llvm
    build.branch(done)
    build.position_at_end(done)
    build.ret(_join(build, kind, (result, entry), (exact, slow)))
    return function


def _vector(module: ir.Module, name: str, symbol: str, element: ir.Type, count: int, lanes: int) -> ir.Function:
    kind = ir.VectorType(element, lanes)
    function = new_function(module, name, kind, count + 1)
    *operands, result = function.args
    entry, slow, lane, compute, after, done = (
        function.append_basic_block(n) for n in ("entry", "slow", "lane", "compute", "after", "done")
    )
    build = ir.IRBuilder(entry)
    rare = _is_rare(build, operands, result)
    mask = build.bitcast(rare, ir.IntType(lanes))
    build.cbranch(build.icmp_unsigned("!=", mask, mask.type(0)), slow, done).set_weights(_SELDOM)
    build.position_at_end(slow)
    build.branch(lane)
    build.position_at_end(lane)
    number, merged = build.phi(_I32), build.phi(kind)
    build.cbranch(build.extract_element(rare, number), compute, after)
    build.position_at_end(compute)
    exact = call(symbol, *(ScalarValue(build, build.extract_element(x, number)) for x in operands)).llvm
    replaced = build.insert_element(merged, exact, number)
    build.branch(after)
    build.position_at_end(after)
    kept = _join(build, kind, (merged, lane), (replaced, compute))
    following = build.add(number, _I32(1))
    build.cbranch(build.icmp_unsigned("<", following, _I32(lanes)), lane, done)
    for phi, first, later in ((number, _I32(0), following), (merged, result, kept)):
        phi.add_incoming(first, slow)
        phi.add_incoming(later, after)
    build.position_at_end(done)
    build.ret(_join(build, kind, (result, entry), (kept, after)))
    return function


def _is_rare(build: ir.IRBuilder, operands: Sequence[ir.Value], result: ir.Value) -> ir.Value:
    numbers = build.fcmp_ordered("ord", operands[0], operands[-1])
    return build.and_(build.fcmp_unordered("uno", result, result), numbers)


def _join(build: ir.IRBuilder, kind: ir.Type, *ways: tuple[ir.Value, ir.Block]) -> ir.Value:
    phi = build.phi(kind)
    for value, block in ways:
        phi.add_incoming(value, block)
    return phi
