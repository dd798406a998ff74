"""LAPACK's routines as functions of kernels: `lapack_getrf_f32(...)` calls OpenBLAS's, and gives its `info`.

Matrices are Fortran's: a row-major matrix is handed over as its transpose. Numbers are passed by address, so that they
lie on the stack; an array is two arguments, a pointer and the element that it starts at.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir

from ..vm.lapack import LETTERS, ROUTINES, symbol
from .element_types import FLOAT_TYPES, NUMBER_TYPES
from .kernel_types import INT64, PointerKind, declared, intrinsic, signature, stack_value
from .tiles import I32, I64

I8 = ir.IntType(8)


def functions() -> dict[str, Any]:
    """Name -> intrinsic, for a kernel's globals."""
    return {
        f"lapack_{routine}_{name}": _routine(routine, name, kinds)
        for routine, kinds in ROUTINES.items()
        for name in LETTERS
    }


def _routine(routine: str, name: str, kinds: str) -> Any:
    element, pivot = FLOAT_TYPES[name], NUMBER_TYPES["i32"]
    taken: list[Any] = []
    for kind in kinds:
        array = {"a": element.kind, "p": pivot.kind}.get(kind)
        taken += [INT64] if array is None else [PointerKind(array), INT64]

    @intrinsic
    def lapack(*arguments: Any) -> Any:
        """A routine's `info`: 0, or a number that says what was wrong."""
        if len(arguments) != len(taken):
            return None

        def generate(build: Any, values: Any) -> Any:
            return _call(build, symbol(routine, name), kinds, list(values))

        return signature(INT64, *taken), generate

    return lapack


def _call(build: ir.IRBuilder, name: str, kinds: str, values: list[ir.Value]) -> ir.Value:
    given, letters = [], 0
    for kind in kinds:
        value = values.pop(0)
        if kind in "ap":
            given.append(build.gep(value, [values.pop(0)]))
        else:
            letters += kind == "c"
            given.append(stack_value(build, build.trunc(value, I8 if kind == "c" else I32)))
    info = stack_value(build, I32(0))
    lengths = [I64(1)] * letters  # of texts, which Fortran takes behind the other arguments
    arguments = [*given, info, *lengths]
    kind = ir.FunctionType(ir.VoidType(), [a.type for a in arguments])
    build.call(declared(build.module, kind, name), arguments)
    return build.sext(build.load(info), I64)
