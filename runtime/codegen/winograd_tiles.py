"""The transforms of F(2 x 2, 3 x 3) in explicit vectors, as LLVM that kernels can call: images, results and filters.

A tile of 2 x 2 pixels of a result is made of 4 x 4 pixels of the image. Both and the filters are transformed so that
sixteen products of numbers do what thirty-six did; summed over channels these are sixteen products of matrices.
`tiles_in_*` and `tiles_out_*` treat as many neighbouring tiles at once as a vector has lanes.
Source: Lavin, Gray, Fast Algorithms for Convolutional Neural Networks, 2016.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from llvmlite import ir

from ...base.target import current_target
from ...ops.conv_winograd import PANEL
from .element_types import FLOAT_TYPES
from .memory_moves import prefetch, transposed
from .tiles import I32, I64, Vectors, counted_loop, of_vectors


def functions() -> dict[str, Any]:
    """Name -> intrinsic, for a kernel's globals."""
    out: dict[str, Any] = {}
    for name, held in FLOAT_TYPES.items():
        out[f"tiles_in_{name}"] = of_vectors("tiles_in", held, 0, "iii piiii piii", _tiles_in, called=False)
        out[f"tiles_out_{name}"] = of_vectors("tiles_out", held, 0, "iii piii piii", _tiles_out, called=False)
        out[f"filters_in_{name}"] = of_vectors("filters_in", held, 1, "ii piii pii", _filters_in, called=False)
    return out


def _steps(make: Vectors) -> ir.Constant:
    """0, 1, 2, ... as integers of 32 bits."""
    return replace(make, element=I32).counted()


def _spread(make: Vectors, number: ir.Value) -> ir.Value:
    """An integer in every lane, as 32 bits."""
    return replace(make, element=I32).splat(make.build.trunc(number, I32))


def _tiles_in(make: Vectors, _: list[int], values: Any) -> None:
    """out[out_at + f * out_step + i * out_row + j] = number f of the transform of the 4 x 4 pixels at row
    top + 2 i, column left + 2 j of the image x[x_at ...] of height x width, 0 outside of it, for i < rows and
    j < min(count, lanes).
    """
    rows, height, width, x, x_at, top, left, count, out, out_at, out_row, out_step = values
    build, lanes, ahead = make.build, make.lanes, current_target().caches.ahead
    x, out = make.at(x, x_at, left), make.at(out, out_at)
    columns = [build.add(_steps(make), _spread(make, build.add(left, I64(k * lanes)))) for k in range(3)]
    stored = build.icmp_unsigned(
        "<", _steps(make), _spread(make, build.select(build.icmp_signed("<", count, I64(lanes)), count, I64(lanes)))
    )

    def row(number: ir.Value) -> list[ir.Value]:
        """The four differences and sums along a row of the image."""
        inside = build.select(build.icmp_unsigned("<", number, height), width, I64(0))
        limit, line = _spread(make, inside), make.at(x, build.mul(number, width))
        for k in range(2):
            prefetch(build, make.at(line, ahead + k * lanes))
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
        number = build.add(top, build.mul(i, I64(2)))
        a, b = state[:4], state[4:]
        c, d = row(build.add(number, I64(2))), row(build.add(number, I64(3)))
        place = make.at(out, build.mul(i, out_row))
        for j in range(4):
            sums = (build.fsub(a[j], c[j]), build.fadd(b[j], c[j]), build.fsub(c[j], b[j]), build.fsub(b[j], d[j]))
            for k, value in enumerate(sums):
                make.store_where(value, make.at(place, build.mul(out_step, I64(4 * k + j))), stored)
        return [*c, *d]

    counted_loop(build, rows, [*row(top), *row(build.add(top, I64(1)))], step)


def _tiles_out(make: Vectors, _: list[int], values: Any) -> None:
    """The 2 x 2 pixels at row top + 2 i, column left + 2 j of the image out[out_at ...] of height x width, as far
    as they lie in it, from the numbers a[a_at + f * a_step + i * a_row + j], for i < rows and j < lanes.
    """
    rows, height, width, a, a_at, a_row, a_step, out, out_at, top, left = values
    build, lanes, ahead = make.build, make.lanes, current_target().caches.ahead
    a, out = make.at(a, a_at), make.at(out, out_at, left)
    columns = [build.add(_steps(make), _spread(make, build.add(left, I64(k * lanes)))) for k in range(2)]

    def sums(values: list[ir.Value]) -> tuple[ir.Value, ir.Value]:
        middle = build.fadd(values[1], values[2])
        return build.fadd(values[0], middle), build.fsub(build.fsub(values[1], values[2]), values[3])

    def step(i: ir.Value, state: list[ir.Value]) -> list[ir.Value]:
        place = make.at(a, build.mul(i, a_row))
        lines = []
        for k in range(4):
            numbers = [make.load(make.at(place, build.mul(a_step, I64(4 * k + j))), lanes) for j in range(4)]
            lines.append(sums(numbers))
        left_pixels, right_pixels = (sums([line[side] for line in lines]) for side in range(2))
        for y in range(2):
            number = build.add(top, build.add(build.mul(i, I64(2)), I64(y)))
            limit = _spread(make, build.select(build.icmp_unsigned("<", number, height), width, I64(0)))
            start = build.mul(number, width)
            for half in range(2):
                prefetch(build, make.at(out, start, ahead + half * lanes), write=True)
            for half in range(2):
                chosen = [half * lanes // 2 + k // 2 + k % 2 * lanes for k in range(lanes)]
                value = make.shuffle(left_pixels[y], right_pixels[y], chosen)
                inside = build.icmp_unsigned("<", columns[half], limit)
                make.store_where(value, make.at(out, start, half * lanes), inside)
        return state

    counted_loop(build, rows, [], step)


def _filters_in(make: Vectors, sizes: list[int], values: Any) -> None:
    """out[out_at + f * out_step + c * PANEL + j] = number f of the transform of the 3 x 3 filter at
    w[w_at + min(j, valid - 1) * lane + c * channel], rotated by 180 degrees if `rotated`, for c < count, j < PANEL.
    """
    (rotated,), make = sizes, replace(make, lanes=PANEL)
    count, valid, w, w_at, lane, channel, out, out_at, out_step = values
    build = make.build
    last = build.sub(valid, I64(1))
    filters = []
    for j in range(PANEL):
        number = build.select(build.icmp_signed("<", last, I64(j)), last, I64(j))
        filters.append(make.at(w, w_at, build.mul(number, lane)))

    def taps(c: ir.Value) -> list[ir.Value]:
        """Of PANEL filters, the nine numbers for channel c."""
        places = [make.at(place, build.mul(c, channel)) for place in filters]
        ninth: ir.Value = ir.Constant(make.kind, ir.Undefined)
        for j, place in enumerate(places):
            ninth = build.insert_element(ninth, build.load(make.at(place, 8)), I32(j))
        found = [*transposed(make, [make.load(place, PANEL) for place in places]), ninth]
        return found[::-1] if rotated else found

    def transform(into: Vectors, c: ir.Value, numbers: list[ir.Value]) -> None:
        half = ir.Constant(into.kind, [0.5] * into.lanes)

        def spread(values: list[ir.Value]) -> list[ir.Value]:
            """Four numbers of three."""
            outer, middle = build.fmul(half, build.fadd(values[0], values[2])), build.fmul(half, values[1])
            return [values[0], build.fadd(outer, middle), build.fsub(outer, middle), values[2]]

        rows = [spread(numbers[3 * y : 3 * y + 3]) for y in range(3)]
        target = make.at(out, out_at, build.mul(c, I64(PANEL)))
        for j in range(4):
            for k, value in enumerate(spread([row[j] for row in rows])):
                into.store(value, make.at(target, build.mul(out_step, I64(4 * k + j))), into.lanes)

    def two(k: ir.Value, state: list[ir.Value]) -> list[ir.Value]:
        """Two channels, which fill a cache line of each of the sixteen matrices: it is written once."""
        c = build.mul(k, I64(2))
        both = zip(taps(c), taps(build.add(c, I64(1))), strict=True)
        transform(replace(make, lanes=2 * PANEL), c, [make.shuffle(a, b, list(range(2 * PANEL))) for a, b in both])
        return state

    def one(k: ir.Value, state: list[ir.Value]) -> list[ir.Value]:
        c = build.add(k, build.sub(count, I64(1)))
        transform(make, c, taps(c))
        return state

    counted_loop(build, build.lshr(count, I64(1)), [], two)
    counted_loop(build, build.and_(count, I64(1)), [], one)
