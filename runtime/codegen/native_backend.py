"""The VM's source to object code, by Numba: what tools/ship_vm.py ships, and what runs where nothing was shipped.

Everything that imports Numba is here and in vm/native.py; kernels need neither. Numba's own pipeline optimises three
times and builds wrappers for Python; this one types and lowers, then runs one LLVM pipeline. It leans on Numba's
internals: tried with 0.62.0 and 0.68.1.
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
from numba.core.registry import cpu_target
from numba.core.targetconfig import ConfigStack

from ...base.collection import without_collection
from ..vm.native import functions as vm_functions
from .target_machine import COMPILING, emit_object, hide_all_but, move_to_target, run_pipeline

I64 = ir.IntType(64)


def compile_native(text: str, entry: str, symbol: str) -> bytes:
    """Object code of `entry(i64) -> i64` in `text`, made of the files of native_source."""
    return emit_object(native_module(text, entry, symbol))


def native_module(text: str, entry: str, symbol: str) -> Any:
    """The LLVM of a native function, optimised for the current target."""
    function = _load(text, entry, vm_functions(), symbol)
    with COMPILING, global_compiler_lock:
        module, body, libraries = _lower(function, (types.int64,), types.int64)
        _add_native_wrapper(module, body, symbol)
        linked = _linked(module, libraries, symbol)
        move_to_target(linked)
        run_pipeline(linked)
    return linked


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


@lru_cache(maxsize=1)
def _flags() -> Any:
    flags: Any = Flags()
    flags.nrt = False
    flags.error_model = "numpy"
    flags.noalias = True
    flags.no_cpython_wrapper = True
    flags.no_cfunc_wrapper = True
    flags.no_compile = True
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


def _lower(function: Any, arguments: tuple[Any, ...], result: Any) -> tuple[ir.Module, ir.Function, list[Any]]:
    """Numba's front half: typed, lowered, not optimised. Returns the module, its function, and what it calls."""
    with global_compiler_lock, without_collection():
        state = _state(function, arguments, result)
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


def _state(function: Any, arguments: tuple[Any, ...], result: Any) -> Any:
    typing, target, flags = cpu_target.typing_context, cpu_target.target_context, _flags()
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


def _add_native_wrapper(module: ir.Module, body: ir.Function, symbol: str) -> None:
    wrapper = ir.Function(module, ir.FunctionType(I64, [I64]), symbol)
    build = ir.IRBuilder(wrapper.append_basic_block())
    build.ret(build.load(_call_body(build, body, list(wrapper.args))))


def _call_body(build: ir.IRBuilder, body: ir.Function, values: list[ir.Value]) -> ir.Value:
    # Numba's convention: a place for the result and one for an exception (never raised here) come first.
    result, exception = (build.alloca(kind.pointee) for kind in body.function_type.args[:2])
    build.call(body, [result, exception, *values])
    return result


def _linked(module: ir.Module, libraries: list[Any], symbol: str) -> Any:
    linked = llvm.parse_assembly(cgutils.normalize_ir_text(str(module)))
    for library in libraries:
        linked.link_in(library._get_module_for_linking(), preserve=True)
    hide_all_but(linked, symbol)
    return linked
