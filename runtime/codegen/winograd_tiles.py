"""The transforms of F(2 x 2, 3 x 3) in explicit vectors, as LLVM that kernels can call: images, results and filters.

A tile of 2 x 2 pixels of a result is made of 4 x 4 pixels of the image. Both and the filters are transformed so that
sixteen products of numbers do what thirty-six did; summed over channels these are sixteen products of matrices.
`tiles_in_*` and `tiles_out_*` treat as many neighbouring tiles at once as a vector has lanes.
Source: Lavin, Gray, Fast Algorithms for Convolutional Neural Networks, 2016.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from llvmlite import ir

from ...base.target import current_target
from ...ops.conv_winograd import PANEL
from .element_types import FLOAT_TYPES
from .kernel_types import INT64, VOID, Kind, PointerKind, declared, intrinsic, intrinsic_of_literals, signature
from .tiles import I32, I64, Vectors, counted_loop, literals


def functions() -> dict[str, Any]:
    """Name -> intrinsic, for a kernel's globals."""
    out: dict[str, Any] = {}
    for name, held in FLOAT_TYPES.items():
        kind, element, lanes = held.kind, held.llvm, current_target().lanes(held.itemsize)
        out[f"tiles_in_{name}"] = _tiles_in(kind, element, lanes)
        out[f"tiles_out_{name}"] = _tiles_out(kind, element, lanes)
        out[f"filters_in_{name}"] = _filters_in(kind, element)
    return out


@dataclass(frozen=True)
class Lanes(Vectors):
    """Vectors of which any lanes can be loaded and stored."""

    def load_where(self, pointer: ir.Value, mask: ir.Value) -> ir.Value:
        """The lanes that the mask has, the others 0 and their memory left alone."""
        place = self.build.bitcast(pointer, self.kind.as_pointer())
        kinds = [place.type, I32, mask.type, self.kind]
        function = self.masked("load", ir.FunctionType(self.kind, kinds))
        return self.build.call(function, [place, ir.Constant(I32, self.size), mask, self.zero()])

    def store_where(self, value: ir.Value, pointer: ir.Value, mask: ir.Value) -> None:
        """The lanes that the mask has; the memory of the others is left alone."""
        place = self.build.bitcast(pointer, self.kind.as_pointer())
        kinds = [self.kind, place.type, I32, mask.type]
        function = self.masked("store", ir.FunctionType(ir.VoidType(), kinds))
        self.build.call(function, [value, place, ir.Constant(I32, self.size), mask])

    def fetch(self, pointer: ir.Value, *, write: bool = False) -> None:
        """Ask for the cache line at `pointer`, which need not be memory of ours."""
        kind = ir.FunctionType(ir.VoidType(), [ir.IntType(8).as_pointer(), I32, I32, I32])
        function = declared(self.build.module, kind, "llvm.prefetch.p0")
        place = self.build.bitcast(pointer, ir.IntType(8).as_pointer())
        self.build.call(function, [place, ir.Constant(I32, int(write)), ir.Constant(I32, 3), ir.Constant(I32, 1)])

    def steps(self) -> ir.Constant:
        """0, 1, 2, ... as integers of 32 bits."""
        return ir.Constant(ir.VectorType(I32, self.lanes), list(range(self.lanes)))

    def spread(self, number: ir.Value) -> ir.Value:
        """An integer in every lane, as 32 bits."""
        few = Vectors(self.build, I32, self.lanes)
        return few.splat(self.build.trunc(number, I32))

    def transposed(self, values: list[ir.Value]) -> list[ir.Value]:
        """The columns of the matrix whose rows are `values`, as many as there are lanes."""
        half = self.lanes // 2
        places = [[j // 2 + k * half + j % 2 * self.lanes for j in range(self.lanes)] for k in range(2)]
        for _ in range(self.lanes.bit_length() - 1):
            values = [self.shuffle(values[k], values[k + half], lanes) for k in range(half) for lanes in places]
        return values


def _tiles_in(kind: Any, element: ir.Type, lanes: int) -> Any:
    pointer = PointerKind(kind)

    @intrinsic
    def tiles_in(
        rows: Any, height: Any, width: Any, x: Any, x_at: Any, top: Any, left: Any, count: Any, out: Any,
        out_at: Any, out_row: Any, out_step: Any,
    ) -> Any:  # fmt: skip
        """out[out_at + f * out_step + i * out_row + j] = number f of the transform of the 4 x 4 pixels at row
        top + 2 i, column left + 2 j of the image x[x_at ...] of height x width, 0 outside of it, for i < rows and
        j < min(count, lanes).
        """

        def generate(build: Any, values: Any) -> Any:
            _generate_in(Lanes(build, element, lanes), values)
            return None

        parameters: list[Kind] = [
            INT64, INT64, INT64, pointer, INT64, INT64, INT64, INT64, pointer, INT64, INT64, INT64,
        ]  # fmt: skip
        return signature(VOID, *parameters), generate

    return tiles_in


def _generate_in(make: Lanes, values: Any) -> None:
    rows, height, width, x, x_at, top, left, count, out, out_at, out_row, out_step = values
    build, lanes, ahead = make.build, make.lanes, current_target().caches.ahead
    x, out = make.at(x, x_at, left), make.at(out, out_at)
    columns = [build.add(make.steps(), make.spread(build.add(left, _int(k * lanes)))) for k in range(3)]
    stored = build.icmp_unsigned(
        "<", make.steps(), make.spread(build.select(_less(build, count, lanes), count, _int(lanes)))
    )

    def row(number: ir.Value) -> list[ir.Value]:
        """The four differences and sums along a row of the image."""
        inside = build.select(build.icmp_unsigned("<", number, height), width, _int(0))
        limit, line = make.spread(inside), make.at(x, build.mul(number, width))
        for k in range(2):
            make.fetch(make.at(line, ahead + k * lanes))
        pixels = [
            make.load_where(make.at(line, k * lanes), build.icmp_unsigned("<", columns[k], limit)) for k in range(3)
        ]
        even, odd = ([k + start for k in range(0, 2 * lanes, 2)] for start in (0, 1))
        first, second = (make.shuffle(pixels[0], pixels[1], chosen) for chosen in (even, odd))
        shifted = list(range(1, lanes + 1))
        third = make.shuffle(first, pixels[2], shifted)
        fourth = make.shuffle(second, pixels[2], [*shifted[:-1], lanes + 1])
        return [
            build.fsub(first, third), build.fadd(second, third), build.fsub(third, second), build.fsub(second, fourth),
        ]  # fmt: skip

    def step(i: ir.Value, state: list[ir.Value]) -> list[ir.Value]:
        number = build.add(top, build.mul(i, _int(2)))
        a, b = state[:4], state[4:]
        c, d = row(build.add(number, _int(2))), row(build.add(number, _int(3)))
        place = make.at(out, build.mul(i, out_row))
        for j in range(4):
            sums = (build.fsub(a[j], c[j]), build.fadd(b[j], c[j]), build.fsub(c[j], b[j]), build.fsub(b[j], d[j]))
            for k, value in enumerate(sums):
                make.store_where(value, make.at(place, build.mul(out_step, _int(4 * k + j))), stored)
        return [*c, *d]

    counted_loop(build, rows, [*row(top), *row(build.add(top, _int(1)))], step)


def _tiles_out(kind: Any, element: ir.Type, lanes: int) -> Any:
    pointer = PointerKind(kind)

    @intrinsic
    def tiles_out(
        rows: Any, height: Any, width: Any, a: Any, a_at: Any, a_row: Any, a_step: Any, out: Any,
        out_at: Any, top: Any, left: Any,
    ) -> Any:  # fmt: skip
        """The 2 x 2 pixels at row top + 2 i, column left + 2 j of the image out[out_at ...] of height x width, as far
        as they lie in it, from the numbers a[a_at + f * a_step + i * a_row + j], for i < rows and j < lanes.
        """

        def generate(build: Any, values: Any) -> Any:
            _generate_out(Lanes(build, element, lanes), values)
            return None

        parameters: list[Kind] = [INT64, INT64, INT64, pointer, INT64, INT64, INT64, pointer, INT64, INT64, INT64]
        return signature(VOID, *parameters), generate

    return tiles_out


def _generate_out(make: Lanes, values: Any) -> None:
    rows, height, width, a, a_at, a_row, a_step, out, out_at, top, left = values
    build, lanes, ahead = make.build, make.lanes, current_target().caches.ahead
    a, out = make.at(a, a_at), make.at(out, out_at, left)
    columns = [build.add(make.steps(), make.spread(build.add(left, _int(k * lanes)))) for k in range(2)]

    def sums(values: list[ir.Value]) -> tuple[ir.Value, ir.Value]:
        middle = build.fadd(values[1], values[2])
        return build.fadd(values[0], middle), build.fsub(build.fsub(values[1], values[2]), values[3])

    def step(i: ir.Value, state: list[ir.Value]) -> list[ir.Value]:
        place = make.at(a, build.mul(i, a_row))
        lines = []
        for k in range(4):
            numbers = [make.load(make.at(place, build.mul(a_step, _int(4 * k + j))), lanes) for j in range(4)]
            lines.append(sums(numbers))
        left_pixels, right_pixels = (sums([line[side] for line in lines]) for side in range(2))
        for y in range(2):
            number = build.add(top, build.add(build.mul(i, _int(2)), _int(y)))
            limit = make.spread(build.select(build.icmp_unsigned("<", number, height), width, _int(0)))
            start = build.mul(number, width)
            for half in range(2):
                make.fetch(make.at(out, start, ahead + half * lanes), write=True)
            for half in range(2):
                chosen = [half * lanes // 2 + k // 2 + k % 2 * lanes for k in range(lanes)]
                value = make.shuffle(left_pixels[y], right_pixels[y], chosen)
                inside = build.icmp_unsigned("<", columns[half], limit)
                make.store_where(value, make.at(out, start, half * lanes), inside)
        return state

    counted_loop(build, rows, [], step)


def _filters_in(kind: Any, element: ir.Type) -> Any:
    pointer = PointerKind(kind)

    @intrinsic_of_literals
    def filters_in(
        rotated: Any, count: Any, valid: Any, w: Any, w_at: Any, lane: Any, channel: Any, out: Any,
        out_at: Any, out_step: Any,
    ) -> Any:  # fmt: skip
        """out[out_at + f * out_step + c * PANEL + j] = number f of the transform of the 3 x 3 filter at
        w[w_at + min(j, valid - 1) * lane + c * channel], rotated by 180 degrees if `rotated`, for c < count, j < PANEL.
        """
        sizes = literals(rotated)
        if sizes is None:
            return None

        def generate(build: Any, values: Any) -> Any:
            _generate_filters(Lanes(build, element, PANEL), sizes[0], values[1:])
            return None

        parameters: list[Kind] = [rotated, INT64, INT64, pointer, INT64, INT64, INT64, pointer, INT64, INT64]
        return signature(VOID, *parameters), generate

    return filters_in


def _generate_filters(make: Lanes, rotated: int, values: Any) -> None:
    count, valid, w, w_at, lane, channel, out, out_at, out_step = values
    build = make.build
    last = build.sub(valid, _int(1))
    filters = []
    for j in range(PANEL):
        number = build.select(_less(build, last, j), last, _int(j))
        filters.append(make.at(w, w_at, build.mul(number, lane)))

    def taps(c: ir.Value) -> list[ir.Value]:
        """Of PANEL filters, the nine numbers for channel c."""
        places = [make.at(place, build.mul(c, channel)) for place in filters]
        ninth: ir.Value = ir.Constant(make.kind, ir.Undefined)
        for j, place in enumerate(places):
            ninth = build.insert_element(ninth, build.load(make.at(place, 8)), ir.Constant(I32, j))
        found = [*make.transposed([make.load(place, PANEL) for place in places]), ninth]
        return found[::-1] if rotated else found

    def transform(into: Lanes, c: ir.Value, numbers: list[ir.Value]) -> None:
        half = ir.Constant(into.kind, [0.5] * into.lanes)

        def spread(values: list[ir.Value]) -> list[ir.Value]:
            """Four numbers of three."""
            outer, middle = build.fmul(half, build.fadd(values[0], values[2])), build.fmul(half, values[1])
            return [values[0], build.fadd(outer, middle), build.fsub(outer, middle), values[2]]

        rows = [spread(numbers[3 * y : 3 * y + 3]) for y in range(3)]
        target = make.at(out, out_at, build.mul(c, _int(PANEL)))
        for j in range(4):
            for k, value in enumerate(spread([row[j] for row in rows])):
                into.store(value, make.at(target, build.mul(out_step, _int(4 * k + j))), into.lanes)

    def two(k: ir.Value, state: list[ir.Value]) -> list[ir.Value]:
        """Two channels, which fill a cache line of each of the sixteen matrices: it is written once."""
        c = build.mul(k, _int(2))
        both = zip(taps(c), taps(build.add(c, _int(1))), strict=True)
        transform(
            Lanes(build, make.element, 2 * PANEL), c, [make.shuffle(a, b, list(range(2 * PANEL))) for a, b in both]
        )
        return state

    def one(k: ir.Value, state: list[ir.Value]) -> list[ir.Value]:
        c = build.add(k, build.sub(count, _int(1)))
        transform(make, c, taps(c))
        return state

    counted_loop(build, build.lshr(count, _int(1)), [], two)
    counted_loop(build, build.and_(count, _int(1)), [], one)


def _int(number: int) -> ir.Constant:
    return ir.Constant(I64, number)


def _less(build: ir.IRBuilder, value: ir.Value, number: int) -> ir.Value:
    return build.icmp_signed("<", value, _int(number))
