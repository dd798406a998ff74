"""Tiles of products of bytes, which x86 adds by fours to lanes of 32 bits (VNNI), as LLVM that kernels can call."""

from __future__ import annotations

from typing import Any

from llvmlite import ir

from ...base.target import current_target
from .element_types import INTEGER_TYPES
from .kernel_types import INT64, Kind, PointerKind, declared
from .tiles import I32, I64, Vectors, counted_loop, of_vectors


def functions() -> dict[str, Any]:
    """Name -> intrinsic, for a kernel's globals; none where the CPU has no such instruction."""
    if not current_target().adds_byte_products:
        return {}
    signed, unsigned, sums = (PointerKind(INTEGER_TYPES[name].kind) for name in ("i8", "u8", "i32"))
    kinds: list[Kind] = [INT64, unsigned, INT64, INT64, signed, INT64, sums, sums, INT64, INT64]
    return {"tile_bytes": of_vectors("tile_bytes", INTEGER_TYPES["i32"], 3, kinds, _bytes)}


def _bytes(make: Vectors, sizes: list[int], values: Any) -> None:
    """out[out_at + i * out_row + j] = sum over k < 4 * fours of a[a_at + i * a_row + k] y[k, j], less extra[j]

    for i < rows and j < vectors * lanes, of the last vector only `last` lanes. a is of unsigned bytes, y of signed
    ones: y[k, j] = b[k // 4 * b_step + 4 * j + k % 4].
    """
    (rows, vectors, last), build, lanes = sizes, make.build, make.lanes
    fours, a, a_at, a_row, b, b_step, extra, out, out_at, out_row = values
    a, out = make.at(a, a_at), make.at(out, out_at)
    valid = [lanes] * (vectors - 1) + [last]
    starts = [build.mul(a_row, I64(i)) for i in range(rows)]
    dot = declared(build.module, ir.FunctionType(make.kind, [make.kind] * 3), current_target().byte_products)

    def step(k: ir.Value, totals: list[ir.Value]) -> list[ir.Value]:
        line, column = make.at(b, build.mul(k, b_step)), build.mul(k, I64(4))
        row = [_words(make, make.at(line, 4 * lanes * j)) for j in range(vectors)]
        found = []
        for i in range(rows):
            four = build.load(build.bitcast(make.at(a, starts[i], column), I32.as_pointer()))
            four.align = 1
            number = make.splat(four)
            found += [build.call(dot, [totals[i * vectors + j], number, row[j]]) for j in range(vectors)]
        return found

    first = [build.sub(make.zero(), make.load(make.at(extra, j * lanes), lanes)) for j in range(vectors)]
    for k, total in enumerate(counted_loop(build, fours, first * rows, step)):
        i, j = divmod(k, vectors)
        make.store(total, make.at(out, build.mul(out_row, I64(i)), j * lanes), valid[j])


def _words(make: Vectors, pointer: ir.Value) -> ir.Value:
    """Bytes as lanes of 32 bits."""
    made = make.build.load(make.build.bitcast(pointer, make.kind.as_pointer()))
    made.align = 1
    return made
