"""LAPACK's routines as functions of kernels: `lapack_getrf_f32(...)` calls OpenBLAS's, and gives its `info`.

Matrices are Fortran's: a row-major matrix is handed over as its transpose. Numbers are passed by address, so that they
lie on the stack; an array is two arguments, a pointer and the element that it starts at. Imports Numba.
"""

# Numba has annotations in part only: calls of its functions count as untyped.
# mypy: disable-error-code="no-untyped-call"
from __future__ import annotations

from typing import Any

from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic

from ..vm.lapack import LETTERS, ROUTINES, symbol
from .element_types import FLOAT_TYPES, NUMBER_TYPES
from .tiles import I32, I64

I8 = ir.IntType(8)


def functions() -> dict[str, Any]:
    """Name -> Numba intrinsic, for a kernel's globals."""
    return {
        f"lapack_{routine}_{name}": _routine(routine, name, kinds)
        for routine, kinds in ROUTINES.items()
        for name in LETTERS
    }


def _routine(routine: str, name: str, kinds: str) -> Any:
    element, pivot = FLOAT_TYPES[name], NUMBER_TYPES["i32"]
    taken: list[Any] = []
    for kind in kinds:
        array = {"a": element.numba, "p": pivot.numba}.get(kind)
        taken += [types.int64] if array is None else [types.CPointer(array), types.int64]

    @intrinsic  # type: ignore[untyped-decorator, unused-ignore]
    def lapack(typing: Any, *arguments: Any) -> Any:
        """A routine's `info`: 0, or a number that says what was wrong."""
        if len(arguments) != len(taken):
            return None

        def generate(context: Any, build: Any, signature: Any, values: Any) -> Any:
            return _call(build, symbol(routine, name), kinds, list(values))

        return types.int64(*taken), generate

    return lapack


def _call(build: ir.IRBuilder, name: str, kinds: str, values: list[ir.Value]) -> ir.Value:
    given, letters = [], 0
    for kind in kinds:
        value = values.pop(0)
        if kind in "ap":
            given.append(build.gep(value, [values.pop(0)]))
        else:
            letters += kind == "c"
            given.append(cgutils.alloca_once_value(build, build.trunc(value, I8 if kind == "c" else I32)))
    info = cgutils.alloca_once_value(build, I32(0))
    lengths = [I64(1)] * letters  # of texts, which Fortran takes behind the other arguments
    arguments = [*given, info, *lengths]
    kind = ir.FunctionType(ir.VoidType(), [a.type for a in arguments])
    build.call(cgutils.get_or_insert_function(build.module, kind, name), arguments)
    return build.sext(build.load(info), I64)
