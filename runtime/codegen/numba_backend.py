"""Kernel text to object code: Numba types and lowers it, LLVM optimises it once.

Everything that imports Numba is here, and is imported only when something has to be compiled. Numba's own
pipeline optimises three times and builds wrappers for Python; this one runs the passes that kernels need, then one
LLVM pipeline with a target that may use the whole vector width of the CPU. It leans on Numba's internals: tried with
0.61.2 and 0.68.1.
"""

# Numba has annotations in part only: calls of its functions count as untyped.
# mypy: disable-error-code="no-untyped-call"
from __future__ import annotations

import ast
import linecache
from functools import lru_cache
from types import SimpleNamespace
from typing import Any

import llvmlite.binding as llvm
from llvmlite import ir
from numba.core import bytecode, cgutils, funcdesc, lowering, typed_passes, types, untyped_passes
from numba.core.compiler import Flags, StateDict, _make_subtarget
from numba.core.compiler_lock import global_compiler_lock
from numba.core.cpu_options import FastMathOptions
from numba.core.errors import NumbaError
from numba.core.registry import cpu_target
from numba.core.targetconfig import ConfigStack
from numba.extending import intrinsic

from ...base.collection import without_collection
from ...base.errors import KernelError
from ...base.memory import ALIGNMENT
from ...base.target import current_target
from ..kernel.call_facts import Unroll
from ..kernel.kernel_parser import parse_kernel
from ..vm.native import functions as vm_functions
from .element_types import ELEMENT_TYPES, INTEGER_TYPES, NUMBER_TYPES
from .gemv import functions as gemv_functions
from .kernel_lowering import NotTypedError, lower_kernel
from .lapack_calls import functions as lapack_functions
from .memory_moves import functions as move_functions
from .numba_typing import extremes, kernel_contexts, wrapping
from .prelude import namespace as prelude_namespace
from .prelude import rare
from .target_machine import inline_functions, move_to_target, run_pipeline, target_machine
from .tiles import functions as tile_functions
from .winograd_tiles import functions as winograd_functions

# Of kernels with numerics="fast". No nnan and no ninf: a NaN or an infinity that goes in must come out.
FASTMATH = {"reassoc", "contract", "arcp", "nsz", "afn"}
I64 = ir.IntType(64)


def compile_kernel(
    text: str, buffers: tuple[str, ...], dims: int, symbol: str, *, fast: bool = False, batched: bool = False,
    unroll: Unroll = "early",
) -> bytes:  # fmt: skip
    """Object code of `body` in `text` behind `void symbol(i64 bufs, i64 dims, i64 lo, i64 hi)`; see KernelSource."""
    module = _kernel_module(text, buffers, dims, symbol, fast=fast, batched=batched, unroll=unroll)
    return bytes(target_machine().emit_object(module))


def compile_native(text: str, entry: str, symbol: str) -> bytes:
    """Object code of `entry(i64) -> i64` in `text`, made of the files of native_source."""
    module, libraries = _native_module(text, entry, symbol)
    return bytes(target_machine().emit_object(_optimised(module, libraries, symbol)))


def native_text(text: str, entry: str, symbol: str) -> str:
    """The LLVM of a native function, optimised for the current target: what tools/ship_vm.py keeps."""
    module, libraries = _native_module(text, entry, symbol)
    return str(_optimised(module, libraries, symbol))


def _native_module(text: str, entry: str, symbol: str) -> tuple[ir.Module, list[Any]]:
    function = _load(text, entry, vm_functions(), symbol)
    module, body, libraries = _lower(function, (types.int64,), types.int64)
    _add_native_wrapper(module, body, symbol)
    return module, libraries


def assembly(text: str, buffers: tuple[str, ...], dims: int, *, fast: bool = False, unroll: Unroll = "early") -> str:
    """The machine code of a kernel as text, to read."""
    return str(target_machine().emit_assembly(_kernel_module(text, buffers, dims, "kernel", fast=fast, unroll=unroll)))


def llvm_text(text: str, buffers: tuple[str, ...], dims: int, *, fast: bool = False, unroll: Unroll = "early") -> str:
    """The optimised LLVM of a kernel, to read."""
    return str(_kernel_module(text, buffers, dims, "kernel", fast=fast, unroll=unroll))


def _kernel_module(
    text: str, buffers: tuple[str, ...], dims: int, symbol: str, *, fast: bool = False, batched: bool = False,
    unroll: Unroll = "early",
) -> Any:  # fmt: skip
    kinds: dict[str, Any] = {f"p{k}": types.CPointer(ELEMENT_TYPES[name].numba) for k, name in enumerate(buffers)}
    kinds |= dict.fromkeys([*(f"d{k}" for k in range(dims)), "lo", "hi"], types.int64)
    names = _kernel_globals(current_target().key)
    try:
        with global_compiler_lock, without_collection(), ConfigStack().enter(_flags(fast).copy()):
            module, body, libraries = lower_kernel(parse_kernel(text), kinds, names, _flags(fast), _Library)
    except (NotTypedError, KernelError):  # Numba finds types that the tree alone doesn't tell
        module, body, libraries = _inferred(_load(text, "body", names, symbol), tuple(kinds.values()), _flags(fast))
    (_add_batched_wrapper if batched else _add_kernel_wrapper)(module, body, len(buffers), dims, symbol)
    return _optimised(module, libraries, symbol, unroll=unroll)


def _inferred(function: Any, arguments: tuple[Any, ...], flags: Any) -> tuple[ir.Module, ir.Function, list[Any]]:
    """A kernel by Numba's pipeline."""
    try:
        return _lower(function, arguments, types.void, flags, kernel_contexts())
    except (NumbaError, NotImplementedError):  # it says more than kernels' own contexts know: Numba's know all
        return _lower(function, arguments, types.void, flags)


# ---- from text to an LLVM module ----------------------------------------------------------------------------------


def _load(text: str, entry: str, names: dict[str, Any], symbol: str) -> Any:
    # Numba reads sources through linecache for its messages; without this it would look for a file.
    file_name = f"<{symbol}>"
    linecache.cache[file_name] = (len(text), None, text.splitlines(keepends=True), file_name)
    scope = {**names, "__name__": "vitrify.kernel"}
    exec(compile(_without_imports(ast.parse(text)), file_name, "exec"), scope)
    return scope[entry]


def _without_imports(module: ast.Module) -> ast.Module:
    """A native text is several files of one package: all that they import from each other is in it, or in `names`."""
    module.body = [one for one in module.body if not (isinstance(one, ast.ImportFrom) and one.level)]
    return module


@lru_cache(maxsize=8)
def _kernel_globals(target: str) -> dict[str, Any]:
    """Of kernels for the target with this key, which is the current one."""
    names: dict[str, Any] = {name: kind.numba for name, kind in NUMBER_TYPES.items()}
    names.update({f"local_{name}": _local_array(name) for name in NUMBER_TYPES})
    names.update(inf=float("inf"), nan=float("nan"), back=0)
    names.update({f"whole_{name}": _whole(ELEMENT_TYPES[name].numba) for name in (*INTEGER_TYPES, "bool")})
    names.update(fast_add=_reordered("fadd"), fast_multiply=_reordered("fmul"), fast_multiply_add=_contracted())
    names.update(
        {**tile_functions(), **gemv_functions(), **winograd_functions(), **move_functions(), **lapack_functions()}
    )
    names.update({**extremes(), **wrapping(), **prelude_namespace()})
    return names


class _Library:
    """What Numba's lowering asks of a code library, keeping the module instead of optimising it."""

    def __init__(self, codegen: Any) -> None:
        self.codegen = self._codegen = codegen
        self.modules: list[ir.Module] = []
        self.linked: list[Any] = []
        self._reload_init: set[Any] = set()

    def create_ir_module(self, name: str) -> ir.Module:
        return self._codegen._create_empty_module(name)

    def add_ir_module(self, module: ir.Module) -> None:
        self.modules.append(module)

    def add_linking_library(self, library: Any) -> None:
        if library not in self.linked:
            self.linked.append(library)


@lru_cache(maxsize=2)
def _flags(fast: bool = False) -> Any:
    flags: Any = Flags()
    flags.nrt = False
    flags.error_model = "numpy"
    flags.noalias = True
    flags.no_cpython_wrapper = True
    flags.no_cfunc_wrapper = True
    flags.no_compile = True
    flags.fastmath = FastMathOptions(FASTMATH if fast else set())
    return flags


_PASSES = (
    untyped_passes.ExtractByteCode,
    untyped_passes.TranslateByteCode,
    untyped_passes.FixupArgs,
    untyped_passes.IRProcessing,
    untyped_passes.ReconstructSSA,
    typed_passes.NopythonTypeInference,
    typed_passes.PreLowerStripPhis,
    typed_passes.IRLegalization,
)


def _lower(
    function: Any, arguments: tuple[Any, ...], result: Any, flags: Any = None, contexts: tuple[Any, Any] | None = None
) -> tuple[ir.Module, ir.Function, list[Any]]:
    """Numba's front half: typed, lowered, not optimised. Returns the module, its function, and what it calls."""
    with global_compiler_lock, without_collection():
        state = _state(function, arguments, result, flags or _flags(), contexts)
        with ConfigStack().enter(state.flags.copy()):
            for run in _PASSES:
                run().run_pass(state)
            library = _Library(state.targetctx.codegen())
            described = funcdesc.PythonFunctionDescriptor.from_specialized_function(
                state.func_ir,
                state.typemap,
                state.return_type,
                state.calltypes,
                mangler=state.targetctx.mangler,
                inline=False,
                noalias=True,
                abi_tags=[],
            )
            with state.targetctx.push_code_library(library):
                lowering.Lower(state.targetctx, library, described, state.func_ir, metadata=state.metadata).lower()
        module = library.modules[0]
        return module, module.get_global(described.llvm_func_name), library.linked


def _state(function: Any, arguments: tuple[Any, ...], result: Any, flags: Any, contexts: tuple[Any, Any] | None) -> Any:
    typing, target = contexts or (cpu_target.typing_context, cpu_target.target_context)
    typing.refresh()
    target.refresh()
    state = StateDict()
    state.update(
        func_id=bytecode.FunctionIdentity.from_function(function),
        typingctx=typing,
        targetctx=_make_subtarget(target, flags),
        flags=flags,
        args=arguments,
        return_type=result,
        locals={},
        metadata={},
        reload_init=[],
        lifted=(),
        status=SimpleNamespace(can_fallback=False),
    )
    for name in ("library", "func_ir", "typemap", "calltypes", "parfor_diagnostics", "lifted_from", "pipeline"):
        state[name] = None
    return state


# ---- wrappers with a C interface ----------------------------------------------------------------------------------


def _add_kernel_wrapper(module: ir.Module, body: ir.Function, buffers: int, dims: int, symbol: str) -> None:
    wrapper = ir.Function(module, ir.FunctionType(ir.VoidType(), [I64] * 4), symbol)
    build = ir.IRBuilder(wrapper.append_basic_block())
    addresses, dimensions, low, high = wrapper.args
    kinds = body.function_type.args[2:]
    values = [_load_word(build, addresses, k, kinds[k]) for k in range(buffers)]
    values += [_load_word(build, dimensions, k, I64) for k in range(dims)]
    _call_body(build, body, [*values, low, high])
    build.ret_void()


def _add_batched_wrapper(module: ir.Module, body: ir.Function, buffers: int, dims: int, symbol: str) -> None:
    """Calls the body for each row of a table (see KernelSource), as far as lo:hi reaches into its part of the range."""
    wrapper = ir.Function(module, ir.FunctionType(ir.VoidType(), [I64] * 4), symbol)
    addresses, dimensions, low, high = wrapper.args
    entry, head, row, inside, after, done = (wrapper.append_basic_block() for _ in range(6))
    kinds = body.function_type.args[2:]
    body.attributes.add("noinline")  # else one loop would have to serve for all rows' buffers, with checks for overlap
    build = ir.IRBuilder(entry)
    unused = [build.alloca(kind.pointee) for kind in body.function_type.args[:2]]
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
    build.call(body, [*unused, *values, build.sub(since, start), build.sub(until, start)])
    build.branch(after)
    build.position_at_end(after)
    following = build.add(number, ir.Constant(I64, 1))
    build.branch(head)
    for phi, initial, next_ in ((number, ir.Constant(I64, 0), following), (start, ir.Constant(I64, 0), stop)):
        phi.add_incoming(initial, entry)
        phi.add_incoming(next_, after)
    build.position_at_end(done)
    build.ret_void()


def _add_native_wrapper(module: ir.Module, body: ir.Function, symbol: str) -> None:
    wrapper = ir.Function(module, ir.FunctionType(I64, [I64]), symbol)
    build = ir.IRBuilder(wrapper.append_basic_block())
    build.ret(build.load(_call_body(build, body, list(wrapper.args))))


def _load_word(build: ir.IRBuilder, base: ir.Value, index: int, kind: ir.Type) -> ir.Value:
    narrow = isinstance(kind, ir.PointerType) and current_target().pointer_bytes < 8
    words = build.inttoptr(base, (I64 if narrow else kind).as_pointer())
    word = build.load(build.gep(words, [ir.Constant(I64, index)]))
    return build.inttoptr(word, kind) if narrow else word


def _call_body(build: ir.IRBuilder, body: ir.Function, values: list[ir.Value]) -> ir.Value:
    # Numba's convention: a place for the result and one for an exception (never raised here) come first.
    result, exception = (build.alloca(kind.pointee) for kind in body.function_type.args[:2])
    build.call(body, [result, exception, *values])
    return result


# ---- optimisation -------------------------------------------------------------------------------------------------


def _optimised(module: ir.Module, libraries: list[Any], symbol: str, *, unroll: Unroll = "early") -> Any:
    linked = _linked(module, libraries, symbol)
    with global_compiler_lock:
        move_to_target(linked)
        run_pipeline(linked, unroll=unroll)
        is_rare = any(name.startswith(rare.PREFIX) for name in module.globals)
        text = rare.inlined(str(linked)) if is_rare else None
        if text is not None:
            linked = llvm.parse_assembly(text)
            inline_functions(linked)
    return linked


def _linked(module: ir.Module, libraries: list[Any], symbol: str) -> Any:
    with global_compiler_lock:
        linked = llvm.parse_assembly(cgutils.normalize_ir_text(str(module)))
        for library in libraries:
            linked.link_in(library._get_module_for_linking(), preserve=True)
        _hide_all_but(linked, symbol)
        return linked


def _hide_all_but(module: Any, symbol: str) -> None:
    for function in module.functions:
        if not function.is_declaration and function.name != symbol and not function.name.startswith(rare.PREFIX):
            function.linkage = "internal"
    for variable in module.global_variables:
        if not variable.is_declaration:
            variable.linkage = "internal"


# ---- intrinsics: what kernels can say beyond plain Python ---------------------------------------------------------


def _local_array(name: str) -> Any:
    kind = ELEMENT_TYPES[name].numba

    @intrinsic(prefer_literal=True)  # type: ignore[untyped-decorator, unused-ignore]
    def local(typing: Any, count: Any) -> Any:
        """A small array on the stack of the kernel, not initialised; its length is a literal."""
        if not isinstance(count, types.IntegerLiteral):
            return None

        def generate(context: Any, build: Any, signature: Any, values: Any) -> Any:
            size = ir.Constant(I64, count.literal_value)
            pointer = cgutils.alloca_once(build, context.get_data_type(kind), size=size)
            pointer.align = ALIGNMENT
            return pointer

        return types.CPointer(kind)(count), generate

    return local


def _reordered(instruction: str) -> Any:
    """A sum or product of two floats of a type, which LLVM may reorder: one step of a reduction."""

    @intrinsic  # type: ignore[untyped-decorator, unused-ignore]
    def reordered(typing: Any, a: Any, b: Any) -> Any:
        """One step of a reduction."""

        def generate(context: Any, build: Any, signature: Any, values: Any) -> Any:
            # Without nsz LLVM leaves operands that aren't steps themselves as they are written.
            flags = () if context.fastmath else ("reassoc",)
            return getattr(build, instruction)(*values, flags=flags)

        return a(a, a), generate

    return reordered


def _whole(kind: Any) -> Any:
    @intrinsic  # type: ignore[untyped-decorator, unused-ignore]
    def whole(typing: Any, x: Any) -> Any:
        """The integer of a float, towards 0; NumPy's on x86 where none fits."""
        if not isinstance(x, types.Float):
            return None

        def generate(context: Any, build: Any, signature: Any, values: Any) -> Any:
            # An integer that doesn't fit is undefined in LLVM; x86 has the least one, small types its low bits.
            (number,) = values
            wide = ir.IntType(max(32, kind.bitwidth))
            limit, least = 2.0 ** (wide.width - 1), ir.Constant(wide, -(1 << (wide.width - 1)))
            fits = build.and_(
                build.fcmp_ordered(">=", number, ir.Constant(number.type, -limit)),
                build.fcmp_ordered("<", number, ir.Constant(number.type, limit)),
            )
            safe = build.select(fits, number, ir.Constant(number.type, 0.0))
            made = build.select(fits, build.fptosi(safe, wide), least)
            return made if wide.width == kind.bitwidth else build.trunc(made, ir.IntType(kind.bitwidth))

        return kind(x), generate

    return whole


def _contracted() -> Any:
    @intrinsic  # type: ignore[untyped-decorator, unused-ignore]
    def contracted(typing: Any, a: Any, x: Any, y: Any) -> Any:
        """a + x * y as one step of a sum of products, rounded once where the CPU can."""

        def generate(context: Any, build: Any, signature: Any, values: Any) -> Any:
            total, first, second = values
            if context.fastmath:
                return build.fadd(total, build.fmul(first, second))
            return build.fadd(total, build.fmul(first, second, flags=("contract",)), flags=("reassoc", "contract"))

        return a(a, a, a), generate

    return contracted
