"""What native functions can call beyond plain Python: memory by address, atomics, calls of C functions, kernels.

native_source/primitives.py says to readers and types what each one does. Imports Numba.
"""

# Numba has annotations in part only: calls of its functions count as untyped.
# mypy: disable-error-code="no-untyped-call"
from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import llvmlite.binding as llvm
import numba
from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic

I64 = ir.IntType(64)


def _intrinsic(result: Any, arguments: int, generate: Callable[..., Any]) -> Any:
    """An intrinsic over int64 arguments; `generate(build, *values)` emits its LLVM."""
    signature = result(*[types.int64] * arguments)

    def emit(context: Any, build: Any, signature: Any, values: Any) -> Any:
        produced = generate(build, *values)
        return context.get_dummy_value() if result is types.void else produced

    return _named([f"a{k}" for k in range(arguments)], (signature, emit))


def _store_float(number: Any, kind: ir.Type) -> Any:
    """An intrinsic that writes a floating-point number to an address."""

    def emit(context: Any, build: Any, signature: Any, values: Any) -> Any:
        build.store(values[1], _at(build, values[0], kind))
        return context.get_dummy_value()

    return _named(["address", "value"], (types.void(types.int64, number), emit))


def _named(parameters: list[str], made: Any) -> Any:
    """An intrinsic with these parameters; Numba looks at their number."""
    scope: dict[str, Any] = {"made": made}
    exec(f"def made_intrinsic({', '.join(['typing', *parameters])}):\n    return made", scope)
    return intrinsic(scope["made_intrinsic"])


def _at(build: ir.IRBuilder, address: ir.Value, kind: ir.Type = I64) -> ir.Value:
    return build.inttoptr(address, kind.as_pointer())


def _word_address(build: ir.IRBuilder, block: ir.Value, index: ir.Value) -> ir.Value:
    return build.add(block, build.mul(index, ir.Constant(I64, 8), flags=("nsw",)), flags=("nsw",))


def _swap_if_equal(build: ir.IRBuilder, address: ir.Value, expected: ir.Value, value: ir.Value) -> ir.Value:
    pair = build.cmpxchg(_at(build, address), expected, value, "seq_cst", "seq_cst")
    return build.extract_value(pair, 1)


def _pause(build: ir.IRBuilder) -> None:
    # Tells the core that it waits: less heat, and the other hyper-thread gets on.
    machine = llvm.get_process_triple().split("-")[0]
    if machine == "x86_64":
        pause = ir.FunctionType(ir.VoidType(), [])
        build.call(cgutils.get_or_insert_function(build.module, pause, "llvm.x86.sse2.pause"), [])
    elif machine in ("aarch64", "arm64"):
        hint = ir.FunctionType(ir.VoidType(), [ir.IntType(32)])
        yield_hint = ir.Constant(ir.IntType(32), 1)
        build.call(cgutils.get_or_insert_function(build.module, hint, "llvm.aarch64.hint"), [yield_hint])


def _copy_bytes(build: ir.IRBuilder, target: ir.Value, source: ir.Value, count: ir.Value) -> None:
    byte = ir.IntType(8)
    cgutils.raw_memmove(build, _at(build, target, byte), _at(build, source, byte), count, 1)


def _memset(build: ir.IRBuilder, target: ir.Value, count: ir.Value, value: ir.Value) -> None:
    byte = ir.IntType(8)
    function = build.module.declare_intrinsic("llvm.memset", (byte.as_pointer(), I64))
    build.call(function, [_at(build, target, byte), build.trunc(value, byte), count, ir.Constant(ir.IntType(1), 0)])


_FOREIGN = {
    "i": (types.int64, ir.IntType(32)),
    "l": (types.int64, I64),
    "p": (types.int64, ir.IntType(8).as_pointer()),
    "f": (types.float32, ir.FloatType()),
    "d": (types.float64, ir.DoubleType()),
    "v": (types.void, ir.VoidType()),
}


def _foreign_call(result: str, arguments: str) -> Any:
    """An intrinsic that calls the C function at an address; letters give its types (int64 narrows to C's int)."""
    signature = _FOREIGN[result][0](types.int64, *[_FOREIGN[code][0] for code in arguments])

    def emit(context: Any, build: Any, signature: Any, values: Any) -> Any:
        kinds = [_FOREIGN[code][1] for code in arguments]
        function = build.inttoptr(values[0], ir.FunctionType(_FOREIGN[result][1], kinds).as_pointer())
        produced = build.call(function, [_to_c(build, v, c) for v, c in zip(values[1:], arguments, strict=True)])
        if result == "v":
            return context.get_dummy_value()
        return {"i": lambda: build.sext(produced, I64), "p": lambda: build.ptrtoint(produced, I64)}[result]()

    return _named(["function", *(f"a{k}" for k in range(len(arguments)))], (signature, emit))


def _to_c(build: ir.IRBuilder, value: ir.Value, code: str) -> ir.Value:
    if code == "i":
        return build.trunc(value, ir.IntType(32))
    if code == "p":
        return build.inttoptr(value, ir.IntType(8).as_pointer())
    return value


def _helper(function: Callable[..., Any]) -> Any:
    """A function that the native text calls, compiled once for int64 and not again for each literal or enum."""
    njit: Any = numba.njit  # its annotations lack the options that leave Python's wrappers out
    made = njit(error_model="numpy", no_cpython_wrapper=True, no_cfunc_wrapper=True)(function)
    choose = made.get_call_template
    made.get_call_template = lambda args, kws: choose(tuple(_plain(kind) for kind in args), kws)
    return made


def _plain(kind: Any) -> Any:
    return kind.dtype if isinstance(kind, types.IntEnumMember) else types.unliteral(kind)


@lru_cache(maxsize=1)
def functions() -> dict[str, Any]:
    """Name -> Numba intrinsic, for the globals of a native text."""
    int64, void = types.int64, types.void
    return {
        "helper": _helper,
        "f32": types.float32,
        "at": _intrinsic(int64, 2, _word_address),
        "load": _intrinsic(int64, 1, lambda b, a: b.load(_at(b, a))),
        "store": _intrinsic(void, 2, lambda b, a, v: b.store(v, _at(b, a))),
        "load_u8": _intrinsic(int64, 1, lambda b, a: b.zext(b.load(_at(b, a, ir.IntType(8))), I64)),
        "load_f64": _intrinsic(types.float64, 1, lambda b, a: b.load(_at(b, a, ir.DoubleType()))),
        "load_f32": _intrinsic(types.float32, 1, lambda b, a: b.load(_at(b, a, ir.FloatType()))),
        "store_f32": _store_float(types.float32, ir.FloatType()),
        "store_f64": _store_float(types.float64, ir.DoubleType()),
        "atomic_load": _intrinsic(int64, 1, lambda b, a: b.load_atomic(_at(b, a), "seq_cst", 8)),
        "atomic_store": _intrinsic(void, 2, lambda b, a, v: b.store_atomic(v, _at(b, a), "seq_cst", 8)),
        "atomic_add": _intrinsic(int64, 2, lambda b, a, v: b.atomic_rmw("add", _at(b, a), v, "seq_cst")),
        "atomic_exchange": _intrinsic(int64, 2, lambda b, a, v: b.atomic_rmw("xchg", _at(b, a), v, "seq_cst")),
        "compare_and_swap": _intrinsic(types.boolean, 3, _swap_if_equal),
        "pause": _intrinsic(void, 0, _pause),
        "copy_bytes": _intrinsic(void, 3, _copy_bytes),
        "fill_bytes": _intrinsic(void, 3, _memset),
        "call_kernel": _foreign_call("v", "llll"),
        "call_gemm32": _foreign_call("v", "iiiiiifpipifpi"),
        "call_gemm64": _foreign_call("v", "iiiiiidpipidpi"),
        "call_gemv32": _foreign_call("v", "iiiifpipifpi"),
        "call_gemv64": _foreign_call("v", "iiiidpipidpi"),
        "call_realloc": _foreign_call("p", "pl"),
        "call_i": _foreign_call("i", "i"),
        "call_p": _foreign_call("i", "p"),
        "call_void": _foreign_call("i", ""),
        "call_clock": _foreign_call("i", "ip"),
        "call_loop": _foreign_call("v", "pppp"),
        "call_iallgather": _foreign_call("i", "pilpillp"),
        "call_test": _foreign_call("i", "ppp"),
        "call_together": _foreign_call("i", "pilpill"),
        "call_bcast": _foreign_call("i", "pilil"),
    }
