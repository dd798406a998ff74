"""What kernels ask of memory beyond loads and stores, as LLVM: `transpose_*` transposes a small square in registers,
`fetch` prefetches, `stream` makes non-temporal stores (past the caches), `compress_*` stores what a mask picks.
"""

from __future__ import annotations

from typing import Any

from llvmlite import ir

from ...base.target import current_target
from .element_types import NUMBER_TYPES
from .kernel_types import INT64, VOID, PointerKind, declared, intrinsic, intrinsic_of_literals, signature, size_of
from .tiles import I32, I64, Vectors, counted_loop, literals


def functions() -> dict[str, Any]:
    """Name -> intrinsic, for a kernel's globals."""
    transposes: dict[str, Any] = {f"transpose_{name}": _transpose(name) for name in NUMBER_TYPES}
    compresses: dict[str, Any] = {f"compress_{name}": _compress(name) for name in ("f32", "f64", "i32", "i64")}
    return {
        **transposes, **compresses, "compress_places": _compress_places(), "trues": _trues(),
        "fetch": _fetch(), "stream": _stream(), "fence": _fence(),
    }  # fmt: skip


def _transpose(name: str) -> Any:
    kind, element = NUMBER_TYPES[name].kind, NUMBER_TYPES[name].llvm
    pointer = PointerKind(kind)

    @intrinsic_of_literals
    def transpose(side: Any, source: Any, at: Any, step: Any, target: Any, to: Any, row: Any) -> Any:
        """target[to + i * row + j] = source[at + j * step + i] for i, j < side, a power of two."""
        sizes = literals(side)
        if sizes is None:
            return None

        def generate(build: Any, values: Any) -> Any:
            _generate_transpose(build, element, kind.bits // 8, sizes[0], values[1:])
            return None

        return signature(VOID, side, pointer, INT64, INT64, pointer, INT64, INT64), generate

    return transpose


def _generate_transpose(build: ir.IRBuilder, element: ir.Type, size: int, side: int, values: Any) -> None:
    source, at, step, target, to, line = values
    make = Vectors(build, element, side)
    source, target = make.at(source, at), make.at(target, to)
    rows = []
    for j in range(side):
        place = make.at(source, build.mul(step, ir.Constant(I64, j)))
        rows.append(build.load(build.bitcast(place, make.kind.as_pointer())))
        rows[-1].align = size
    for i, row in enumerate(transposed(make, rows)):
        place = make.at(target, build.mul(line, ir.Constant(I64, i)))
        build.store(row, build.bitcast(place, make.kind.as_pointer())).align = size


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


def _trues() -> Any:
    @intrinsic_of_literals
    def trues(lanes: Any, mask: Any, at: Any) -> Any:
        """How many of the `lanes` bytes of a mask from `at` on aren't 0; at most 64."""
        sizes = literals(lanes)
        if sizes is None:
            return None

        def generate(build: Any, values: Any) -> Any:
            flags = build.bitcast(_flags(build, values[1], values[2], sizes[0]), ir.IntType(sizes[0]))
            bits = flags if sizes[0] == I64.width else build.zext(flags, I64)
            count = declared(build.module, ir.FunctionType(I64, [I64]), "llvm.ctpop.i64")
            return build.call(count, [bits])

        return signature(INT64, lanes, mask, INT64), generate

    return trues


def _pack(make: Vectors, given: ir.Value, mask: Any, start: Any, target: Any, to: Any) -> None:
    """Store the lanes of a vector that a mask picks, one after the other, and any numbers behind them."""
    build = make.build
    flags = _flags(build, mask, start, make.lanes)
    letter = "i" if isinstance(make.element, ir.IntType) else "f"
    function = declared(
        build.module, ir.FunctionType(make.kind, [make.kind, flags.type, make.kind]),
        f"llvm.experimental.vector.compress.v{make.lanes}{letter}{8 * make.size}",
    )  # fmt: skip
    packed = build.call(function, [given, flags, ir.Constant(make.kind, ir.Undefined)])
    build.store(packed, build.bitcast(make.at(target, to), make.kind.as_pointer())).align = make.size


def _compress(name: str) -> Any:
    kind, element = NUMBER_TYPES[name].kind, NUMBER_TYPES[name].llvm
    pointer = PointerKind(kind)

    @intrinsic_of_literals
    def compress(lanes: Any, source: Any, at: Any, mask: Any, start: Any, target: Any, to: Any) -> Any:
        """Those of source[at + k], k < lanes, whose mask[start + k] isn't 0, one after the other from target[to] on.

        `lanes` elements of the target are written, whatever the mask.
        """
        sizes = literals(lanes)
        if sizes is None:
            return None

        def generate(build: Any, values: Any) -> Any:
            make = Vectors(build, element, sizes[0])
            _pack(make, make.load(make.at(values[1], values[2]), sizes[0]), *values[3:])
            return None

        return signature(VOID, lanes, pointer, INT64, mask, INT64, pointer, INT64), generate

    return compress


def _compress_places() -> Any:
    pointer = PointerKind(NUMBER_TYPES["i64"].kind)

    @intrinsic_of_literals
    def compress(lanes: Any, mask: Any, start: Any, target: Any, to: Any) -> Any:
        """The same of the numbers start + k."""
        sizes = literals(lanes)
        if sizes is None:
            return None

        def generate(build: Any, values: Any) -> Any:
            make = Vectors(build, I64, sizes[0])
            first = build.insert_element(ir.Constant(make.kind, ir.Undefined), values[2], ir.Constant(I32, 0))
            every = build.shuffle_vector(first, first, ir.Constant(ir.VectorType(I32, sizes[0]), [0] * sizes[0]))
            _pack(make, build.add(every, ir.Constant(make.kind, list(range(sizes[0])))), *values[1:])
            return None

        return signature(VOID, lanes, mask, INT64, pointer, INT64), generate

    return compress


def _fetch() -> Any:
    @intrinsic
    def fetch(pointer: Any, at: Any, count: Any) -> Any:
        """Bring `count` elements from element `at` on into the cache, without waiting for them."""

        def generate(build: Any, values: Any) -> Any:
            start, element = values[:2]
            size = size_of(start.type.pointee)
            address = build.gep(start, [element])
            line = current_target().caches.line
            whole = build.add(build.mul(values[2], ir.Constant(I64, size)), ir.Constant(I64, line - 1))
            lines = build.sdiv(whole, ir.Constant(I64, line))
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
            mask = ir.Constant(I64, bytes_ - 1)
            odd = build.or_(build.and_(start, mask), build.and_(build.mul(elements, ir.Constant(I64, size)), mask))
            zero = ir.Constant(I64, 0)

            def line(k: Any, _: Any) -> list[ir.Value]:
                place = build.mul(k, ir.Constant(I64, lanes))
                read = build.load(build.bitcast(build.gep(from_, [place]), kind.as_pointer()))
                read.align = size
                written = build.store(read, build.bitcast(build.gep(to, [place]), kind.as_pointer()))
                written.align = bytes_
                written.set_metadata("nontemporal", build.module.add_metadata([ir.Constant(I32, 1)]))
                return []

            def one(k: Any, _: Any) -> list[ir.Value]:
                build.store(build.load(build.gep(from_, [k])), build.gep(to, [k]))
                return []

            with build.if_else(build.icmp_signed("==", odd, zero)) as (whole, pieces):
                with whole:
                    counted_loop(build, build.sdiv(elements, ir.Constant(I64, lanes)), [], line)
                with pieces:
                    counted_loop(build, elements, [], one)
            return None

        return signature(VOID, target, INT64, source, INT64), generate

    return stream


def _fence() -> Any:
    @intrinsic
    def fence() -> Any:
        """What was streamed is in memory from here on, for other threads too."""

        def generate(build: Any, values: Any) -> Any:
            build.fence("seq_cst")
            return None

        return signature(VOID), generate

    return fence


def _fetch_line(build: ir.IRBuilder, address: ir.Value, number: ir.Value, size: int) -> list[ir.Value]:
    bytes_ = build.bitcast(address, ir.IntType(8).as_pointer())
    place = build.gep(bytes_, [build.mul(number, ir.Constant(I64, size))])
    kind = ir.FunctionType(ir.VoidType(), [place.type, I32, I32, I32])
    function = declared(build.module, kind, "llvm.prefetch.p0")
    build.call(function, [place, *(ir.Constant(I32, n) for n in (0, 3, 1))])  # to read, often, data
    return []
