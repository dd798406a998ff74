"""Kernel text to object code: its tree is lowered to LLVM, which optimises it once.

What writes kernels is here, and is imported only when something has to be compiled. One LLVM pipeline, with a target
that may use the whole vector width of the CPU.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import llvmlite.binding as llvm
from llvmlite import ir

from ...base.collection import without_collection
from ...base.target import current_target
from ..kernel.call_facts import Unroll
from ..kernel.kernel_parser import parse_kernel
from .basic_intrinsics import functions as basic_functions
from .byte_tiles import functions as byte_functions
from .element_types import ELEMENT_TYPES, NUMBER_TYPES
from .gemv import functions as gemv_functions
from .kernel_lowering import lower_kernel
from .kernel_types import INT64, Kind, PointerKind
from .lapack_calls import functions as lapack_functions
from .memory_moves import functions as move_functions
from .prelude import namespace as prelude_namespace
from .prelude import rare
from .row_moves import functions as row_functions
from .target_machine import (
    COMPILING,
    emit_assembly,
    emit_object,
    find_places_abreast,
    found_abreast,
    hide_all_but,
    inline_functions,
    run_pipeline,
    target_machine,
)
from .tiles import functions as tile_functions
from .winograd_tiles import functions as winograd_functions

# Of kernels with numerics="fast". No nnan and no ninf: a NaN or an infinity that goes in must come out.
FASTMATH = ("afn", "arcp", "contract", "nsz", "reassoc")
I64 = ir.IntType(64)


def compile_kernel(
    text: str, buffers: tuple[str, ...], dims: int, symbol: str, *, fast: bool = False, batched: bool = False,
    unroll: Unroll = "early",
) -> bytes:  # fmt: skip
    """Object code of `body` in `text` behind `void symbol(i64 bufs, i64 dims, i64 lo, i64 hi)`; see KernelSource."""
    return object_code(_llvm_of(text, buffers, dims, symbol, fast=fast, batched=batched), symbol, unroll)


def object_code(text: str, symbol: str, unroll: Unroll) -> bytes:
    """Object code of a module of LLVM's, as text, that nothing but `symbol` is called of: it depends on these alone."""
    return emit_object(_optimised(text, symbol, unroll))


def assembly(text: str, buffers: tuple[str, ...], dims: int, *, fast: bool = False, unroll: Unroll = "early") -> str:
    """The machine code of a kernel as text, to read."""
    return emit_assembly(_optimised_kernel(text, buffers, dims, fast=fast, unroll=unroll))


def llvm_text(text: str, buffers: tuple[str, ...], dims: int, *, fast: bool = False, unroll: Unroll = "early") -> str:
    """The optimised LLVM of a kernel, to read."""
    return str(_optimised_kernel(text, buffers, dims, fast=fast, unroll=unroll))


def _optimised_kernel(text: str, buffers: tuple[str, ...], dims: int, *, fast: bool, unroll: Unroll) -> Any:
    return _optimised(_llvm_of(text, buffers, dims, "kernel", fast=fast), "kernel", unroll)


def _llvm_of(
    text: str, buffers: tuple[str, ...], dims: int, symbol: str, *, fast: bool = False, batched: bool = False
) -> str:
    """The module of a kernel as text, before LLVM's passes."""
    kinds: dict[str, Kind] = {f"p{k}": PointerKind(ELEMENT_TYPES[name].kind) for k, name in enumerate(buffers)}
    kinds |= dict.fromkeys([*(f"d{k}" for k in range(dims)), "lo", "hi"], INT64)
    with COMPILING, without_collection():
        machine = target_machine()
        module = ir.Module("kernel")
        module.triple, module.data_layout = machine.triple, str(machine.target_data)
        names = kernel_globals(current_target().key)
        body = lower_kernel(parse_kernel(text), kinds, names, module, FASTMATH if fast else ())
        (_add_batched_wrapper if batched else _add_kernel_wrapper)(module, body, len(buffers), dims, symbol)
        return str(module)


@lru_cache(maxsize=8)
def kernel_globals(target: str) -> Mapping[str, Any]:
    """What kernels for the target with this key, which is the current one, call by name."""
    names: dict[str, Any] = {name: element.kind for name, element in NUMBER_TYPES.items()}
    names.update(inf=float("inf"), nan=float("nan"), back=0)
    for functions in (
        basic_functions, tile_functions, byte_functions, gemv_functions, winograd_functions, move_functions,
        row_functions, lapack_functions, prelude_namespace,
    ):  # fmt: skip
        names.update(functions())
    return names


# ---- wrappers with a C interface ----------------------------------------------------------------------------------


def _add_kernel_wrapper(module: ir.Module, body: ir.Function, buffers: int, dims: int, symbol: str) -> None:
    wrapper = ir.Function(module, ir.FunctionType(ir.VoidType(), [I64] * 4), symbol)
    if found_abreast(body):  # which becomes a part of the wrapper
        find_places_abreast(wrapper)
    build = ir.IRBuilder(wrapper.append_basic_block())
    addresses, dimensions, low, high = wrapper.args
    kinds = body.function_type.args
    values = [_load_word(build, addresses, k, kinds[k]) for k in range(buffers)]
    values += [_load_word(build, dimensions, k, I64) for k in range(dims)]
    build.call(body, [*values, low, high])
    build.ret_void()


def _add_batched_wrapper(module: ir.Module, body: ir.Function, buffers: int, dims: int, symbol: str) -> None:
    """Calls the body for each row of a table (see KernelSource), as far as lo:hi reaches into its part of the range."""
    wrapper = ir.Function(module, ir.FunctionType(ir.VoidType(), [I64] * 4), symbol)
    addresses, dimensions, low, high = wrapper.args
    entry, head, row, inside, after, done = (wrapper.append_basic_block() for _ in range(6))
    kinds = body.function_type.args
    body.attributes.add("noinline")  # else one loop would have to serve for all rows' buffers, with checks for overlap
    build = ir.IRBuilder(entry)
    count = _load_word(build, dimensions, 0, I64)
    build.branch(head)
    build.position_at_end(head)
    number, start = build.phi(I64), build.phi(I64)
    build.cbranch(build.icmp_signed("<", number, count), row, done)
    build.position_at_end(row)
    first_word = build.add(ir.Constant(I64, 1), build.mul(number, ir.Constant(I64, dims + 1)))
    own_dims = build.add(dimensions, build.mul(first_word, ir.Constant(I64, 8)))
    own_buffers = build.add(addresses, build.mul(number, ir.Constant(I64, 8 * buffers)))
    stop = _load_word(build, own_dims, 0, I64)
    since = build.select(build.icmp_signed(">", low, start), low, start)
    until = build.select(build.icmp_signed("<", high, stop), high, stop)
    build.cbranch(build.icmp_signed("<", since, until), inside, after)
    build.position_at_end(inside)
    values = [_load_word(build, own_buffers, k, kinds[k]) for k in range(buffers)]
    values += [_load_word(build, own_dims, k + 1, I64) for k in range(dims)]
    build.call(body, [*values, build.sub(since, start), build.sub(until, start)])
    build.branch(after)
    build.position_at_end(after)
    following = build.add(number, ir.Constant(I64, 1))
    build.branch(head)
    for phi, initial, next_ in ((number, ir.Constant(I64, 0), following), (start, ir.Constant(I64, 0), stop)):
        phi.add_incoming(initial, entry)
        phi.add_incoming(next_, after)
    build.position_at_end(done)
    build.ret_void()


def _load_word(build: ir.IRBuilder, base: ir.Value, index: int, kind: ir.Type) -> ir.Value:
    narrow = isinstance(kind, ir.PointerType) and current_target().pointer_bytes < 8
    words = build.inttoptr(base, (I64 if narrow else kind).as_pointer())
    word = build.load(build.gep(words, [ir.Constant(I64, index)]))
    return build.inttoptr(word, kind) if narrow else word


# ---- optimisation -------------------------------------------------------------------------------------------------


def _optimised(text: str, symbol: str, unroll: Unroll) -> Any:
    with COMPILING, without_collection():
        module = llvm.parse_assembly(text)
        hide_all_but(module, symbol, rare.PREFIX)
        run_pipeline(module, unroll=unroll)
        inlined = rare.inlined(str(module)) if f'@"{rare.PREFIX}' in text else None
        if inlined is not None:
            module = llvm.parse_assembly(inlined)
            inline_functions(module)
        return module
