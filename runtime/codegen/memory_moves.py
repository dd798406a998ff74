"""What kernels ask of memory beyond loads and stores, as LLVM: `transpose_*` transposes a small square in registers,
`fetch` prefetches, `stream` makes non-temporal stores (past the caches), `compress_*` stores what a mask picks.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from llvmlite import ir

from ...base.target import current_target
from .element_types import INTEGER_TYPES, NUMBER_TYPES
from .kernel_types import INT64, VOID, declared, intrinsic, signature, size_of
from .tiles import I32, I64, Vectors, counted_loop, of_vectors

_BYTES = ir.IntType(8).as_pointer()


def functions() -> dict[str, Any]:
    """Name -> intrinsic, for a kernel's globals."""
    word, out = INTEGER_TYPES["i64"], dict[str, Any]()
    for name, held in NUMBER_TYPES.items():
        out[f"transpose_{name}"] = of_vectors("transpose", held, 1, "pii pii", _transpose, called=False)
    for name in ("f32", "f64", "i32", "i64"):
        out[f"compress_{name}"] = of_vectors("compress", NUMBER_TYPES[name], 1, "pi bi pi", _compress, called=False)
    return {
        **out, "compress_places": of_vectors("places", word, 1, "bi pi", _compress_places, called=False),
        "trues": of_vectors("trues", word, 1, "bi", _trues, INT64, called=False), "fetch": _fetch(),
        "stream": _stream(), "fence": of_vectors("fence", word, 0, "", _fence, called=False),
    }  # fmt: skip


def _transpose(make: Vectors, sizes: list[int], values: Any) -> None:
    """target[to + i * row + j] = source[at + j * step + i] for i, j < side, a power of two."""
    (side,), (source, at, step, target, to, line), build = sizes, values, make.build
    make = replace(make, lanes=side)
    source, target = make.at(source, at), make.at(target, to)
    rows = [make.load(make.at(source, build.mul(step, I64(j))), side) for j in range(side)]
    for i, row in enumerate(transposed(make, rows)):
        make.store(row, make.at(target, build.mul(line, I64(i))), side)


def transposed(make: Vectors, rows: list[ir.Value]) -> list[ir.Value]:
    """The columns of a square of as many rows, a power of two, as vectors have lanes."""
    rows, side = list(rows), len(rows)
    half = side // 2
    while half:  # the blocks off the diagonal of each square of 2 * half change places
        for k in range(side):
            if not k & half:
                a, b = rows[k], rows[k + half]
                rows[k] = make.shuffle(a, b, [side + e - half if e & half else e for e in range(side)])
                rows[k + half] = make.shuffle(a, b, [side + e if e & half else e + half for e in range(side)])
        half //= 2
    return rows


def _flags(build: ir.IRBuilder, mask: ir.Value, at: ir.Value, lanes: int) -> ir.Value:
    """Whether each of some bytes of a mask isn't 0."""
    kind = ir.VectorType(mask.type.pointee, lanes)
    bytes_ = build.load(build.bitcast(build.gep(mask, [at]), kind.as_pointer()))
    bytes_.align = 1
    return build.icmp_unsigned("!=", bytes_, ir.Constant(kind, None))


def _trues(make: Vectors, sizes: list[int], values: Any) -> Any:
    """How many of the `lanes` bytes of a mask from `at` on aren't 0; at most 64."""
    (lanes,), (mask, at), build = sizes, values, make.build
    flags = build.bitcast(_flags(build, mask, at, lanes), ir.IntType(lanes))
    bits = flags if lanes == I64.width else build.zext(flags, I64)
    return build.call(declared(build.module, ir.FunctionType(I64, [I64]), "llvm.ctpop.i64"), [bits])


def _pack(make: Vectors, given: ir.Value, mask: Any, start: Any, target: Any, to: Any) -> None:
    """Store the lanes of a vector that a mask picks, one after the other, and any numbers behind them."""
    build = make.build
    flags = _flags(build, mask, start, make.lanes)
    function = declared(
        build.module, ir.FunctionType(make.kind, [make.kind, flags.type, make.kind]),
        f"llvm.experimental.vector.compress.{make.suffix}",
    )  # fmt: skip
    packed = build.call(function, [given, flags, ir.Constant(make.kind, ir.Undefined)])
    make.store(packed, make.at(target, to), make.lanes)


def _compress(make: Vectors, sizes: list[int], values: Any) -> None:
    """Those of source[at + k], k < lanes, whose mask[start + k] isn't 0, one after the other from target[to] on.

    `lanes` elements of the target are written, whatever the mask.
    """
    source, at, *others = values
    make = replace(make, lanes=sizes[0])
    _pack(make, make.load(make.at(source, at), make.lanes), *others)


def _compress_places(make: Vectors, sizes: list[int], values: Any) -> None:
    """The same of the numbers start + k."""
    make = replace(make, lanes=sizes[0])
    _pack(make, make.build.add(make.splat(values[1]), make.counted()), *values)


def _fetch() -> Any:
    @intrinsic
    def fetch(pointer: Any, at: Any, count: Any) -> Any:
        """Bring `count` elements from element `at` on into the cache, without waiting for them."""

        def generate(build: Any, values: Any) -> Any:
            start, element = values[:2]
            size = size_of(start.type.pointee)
            address = build.gep(start, [element])
            line = current_target().caches.line
            whole = build.add(build.mul(values[2], I64(size)), I64(line - 1))
            lines = build.sdiv(whole, I64(line))
            counted_loop(build, lines, [], lambda k, _: _fetch_line(build, address, k, line))
            return None

        return signature(VOID, pointer, INT64, INT64), generate

    return fetch


def _stream() -> Any:
    @intrinsic
    def stream(target: Any, at: Any, source: Any, count: Any) -> Any:
        """target[at + k] = source[k] for k < count, whole lines of the cache past it where they begin as lines do.

        Where they don't, as ordinary stores do. `fence` must follow before another thread reads.
        """

        def generate(build: Any, values: Any) -> Any:
            to, element, from_, elements = values
            size, bytes_ = size_of(to.type.pointee), current_target().caches.line
            to = build.gep(to, [element])
            lanes = bytes_ // size
            kind = ir.VectorType(to.type.pointee, lanes)
            start = build.ptrtoint(to, I64)
            mask = I64(bytes_ - 1)
            odd = build.or_(build.and_(start, mask), build.and_(build.mul(elements, I64(size)), mask))
            zero = I64(0)

            def line(k: Any, _: Any) -> list[ir.Value]:
                place = build.mul(k, I64(lanes))
                read = build.load(build.bitcast(build.gep(from_, [place]), kind.as_pointer()))
                read.align = size
                written = build.store(read, build.bitcast(build.gep(to, [place]), kind.as_pointer()))
                written.align = bytes_
                written.set_metadata("nontemporal", build.module.add_metadata([I32(1)]))
                return []

            def one(k: Any, _: Any) -> list[ir.Value]:
                build.store(build.load(build.gep(from_, [k])), build.gep(to, [k]))
                return []

            with build.if_else(build.icmp_signed("==", odd, zero)) as (whole, pieces):
                with whole:
                    counted_loop(build, build.sdiv(elements, I64(lanes)), [], line)
                with pieces:
                    counted_loop(build, elements, [], one)
            return None

        return signature(VOID, target, INT64, source, INT64), generate

    return stream


def _fence(make: Vectors, *_: Any) -> None:
    """What was streamed is in memory from here on, for other threads too."""
    make.build.fence("seq_cst")


def _fetch_line(build: ir.IRBuilder, address: ir.Value, number: ir.Value, size: int) -> list[ir.Value]:
    prefetch(build, build.gep(build.bitcast(address, _BYTES), [build.mul(number, I64(size))]))
    return []


def prefetch(build: ir.IRBuilder, address: ir.Value, *, write: bool = False) -> None:
    """Ask for the cache line at an address, which need not be memory of ours: to read or write it often."""
    kind = ir.FunctionType(ir.VoidType(), [_BYTES, I32, I32, I32])
    numbers = [I32(n) for n in (int(write), 3, 1)]
    build.call(declared(build.module, kind, "llvm.prefetch.p0"), [build.bitcast(address, _BYTES), *numbers])
