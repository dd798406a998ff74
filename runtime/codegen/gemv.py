"""GEMV: products of one row and a small matrix in explicit vectors, as LLVM that kernels can call.

`gemv_*` adds the rows of the matrix, each times a number of the row; `gemv_transposed_*` takes a transposed matrix, and
adds products lane by lane. An address is two arguments, a pointer and the element that it starts at: so a kernel that
is written into another one can be given a piece of an array (loop_kernels.py).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from llvmlite import ir

from ...base.target import current_target
from .element_types import FLOAT_TYPES
from .tiles import I64, Vectors, counted_loop, of_vectors


def functions() -> dict[str, Any]:
    """Name -> intrinsic, for a kernel's globals."""
    out: dict[str, Any] = {}
    for name, held in FLOAT_TYPES.items():
        out[f"gemv_{name}"] = of_vectors("gemv", held, 2, "pi pi pi i", _gemv, called=False)
        out[f"gemv_transposed_{name}"] = of_vectors(
            "gemv_transposed", held, 2, "pi pi pi i", _dots, called=False, opened=_open_dots
        )
    return out


def _places(make: Vectors, values: Any) -> tuple[ir.Value, ir.Value, ir.Value, ir.Value]:
    """Of out[out_at + j] = sum over k < depth of a[a_at + k] b[b_at + ...], for j < columns: where a, b and out begin.

    `gemv_*` reads b at k * columns + j, `gemv_transposed_*` at j * depth + k. back: 1 to begin with the last ones.
    """
    a, a_at, b, b_at, out, out_at, back = values
    return make.at(a, a_at), make.at(b, b_at), make.at(out, out_at), back


def _gemv(make: Vectors, sizes: list[int], values: Any) -> None:
    """Some vectors of columns at a time, so that their sums stay in registers; few of them, by several rows at once."""
    (depth, columns), (a, b, out, back) = sizes, _places(make, values)
    together = current_target().sums_at_once
    width = together * make.lanes

    def block(first: ir.Value) -> None:
        _columns(make, depth, columns, [make.lanes] * together, a, make.at(b, first), make.at(out, first))

    _each_block(make, I64(columns // width), width, back, block)
    first = columns // width * width
    rest = columns - first
    valid = [make.lanes] * (rest // make.lanes) + [rest % make.lanes] * bool(rest % make.lanes)
    if valid:
        _columns(make, depth, columns, valid, a, make.at(b, first), make.at(out, first))


def _each_block(make: Vectors, count: ir.Value, width: int, back: ir.Value, body: Callable[[ir.Value], None]) -> None:
    """body(k * width) for k < count, from the last one on if `back` is 1.

    A loop that changes direction each time finds what it read last in the nearest cache. If it always starts at the
    front, what it reads next has just been evicted.
    """
    build = make.build
    last = build.sub(count, I64(1))

    def one(k: ir.Value, _: list[ir.Value]) -> list[ir.Value]:
        place = build.select(build.icmp_signed("==", back, I64(0)), k, build.sub(last, k))
        body(build.mul(place, I64(width)))
        return []

    if not (isinstance(count, ir.Constant) and count.constant == 0):
        counted_loop(build, count, [], one)


def _columns(
    make: Vectors, depth: int, columns: int, valid: list[int], a: ir.Value, b: ir.Value, out: ir.Value
) -> None:
    build, together = make.build, max(1, current_target().sums_at_once // len(valid))

    def add(k: ir.Value, sums: list[ir.Value], rows: int) -> list[ir.Value]:
        """`rows` rows from row k on, each to sums of its own."""
        made = list(sums)
        for row in range(rows):
            number = make.splat(build.load(make.at(a, k, row)))
            place = make.at(b, build.mul(k, I64(columns)), row * columns)
            for j, n in enumerate(valid):
                at = row * len(valid) + j
                made[at] = make.multiply_add(number, make.load(make.at(place, j * make.lanes), n), sums[at])
        return made

    steps = I64(depth // together)
    whole = I64(together)
    sums = counted_loop(
        build, steps, [make.zero()] * (together * len(valid)), lambda k, s: add(build.mul(k, whole), s, together)
    )
    sums = add(I64(depth // together * together), sums, depth % together)
    for j, n in enumerate(valid):
        total = sums[j]
        for row in range(1, together):
            total = build.fadd(total, sums[row * len(valid) + j])
        make.store(total, make.at(out, j * make.lanes), n)


def _dots(make: Vectors, sizes: list[int], values: Any) -> None:
    """As many columns at a time as a vector has lanes: their sums of lanes are one vector."""
    (depth, columns), (a, b, out, back) = sizes, _places(make, values)
    whole = columns // make.lanes

    def block(first: ir.Value) -> None:
        line = make.at(b, make.build.mul(first, I64(depth)))
        _several_dots(make, depth, make.lanes, a, line, make.at(out, first))

    _each_block(make, I64(whole), make.lanes, back, block)
    if columns % make.lanes:
        first = whole * make.lanes
        _several_dots(make, depth, columns - first, a, make.at(b, first * depth), make.at(out, first))


def _several_dots(make: Vectors, depth: int, count: int, a: ir.Value, b: ir.Value, out: ir.Value) -> None:
    """The products of a with `count` rows of b, at most as many as a vector has lanes."""
    build = make.build

    def add(place: ir.Value, sums: list[ir.Value], valid: int) -> list[ir.Value]:
        row = make.load(make.at(a, place), valid)
        lines = [make.load(make.at(b, place, j * depth), valid) for j in range(count)]
        return [make.multiply_add(row, line, total) for line, total in zip(lines, sums, strict=True)]

    def step(k: ir.Value, sums: list[ir.Value]) -> list[ir.Value]:
        return add(build.mul(k, I64(make.lanes)), sums, make.lanes)

    sums = counted_loop(build, I64(depth // make.lanes), [make.zero()] * count, step)
    if depth % make.lanes:
        sums = add(I64(depth // make.lanes * make.lanes), sums, depth % make.lanes)
    total = make.sums(sums)
    Vectors(build, make.element, total.type.count).store(total, out, count)


def _open_dots(make: Vectors, sizes: Any, values: Any) -> None:
    """As `_dots`, for sizes that are known only when it runs; products are added in the same order.

    The last columns are as many as a vector has lanes, too: what is too many repeats the last one and isn't stored.
    """
    (depth, columns), (a, b, out, back), build, lanes = sizes, _places(make, values), make.build, make.lanes
    width = I64(lanes)
    steps, whole = build.sdiv(depth, width), build.sdiv(columns, width)
    left = build.sub(depth, build.mul(steps, width))

    def is_some(count: ir.Value) -> ir.Value:
        return build.zext(build.icmp_signed(">", count, I64(0)), I64)

    def dots(lines: list[ir.Value]) -> ir.Value:
        def step(k: ir.Value, sums: list[ir.Value]) -> list[ir.Value]:
            place = build.mul(k, width)
            row = make.load(make.at(a, place), lanes)
            loaded = [make.load(make.at(line, place), lanes) for line in lines]
            return [make.multiply_add(row, line, total) for line, total in zip(loaded, sums, strict=True)]

        def end(_: ir.Value, sums: list[ir.Value]) -> list[ir.Value]:
            place = build.mul(steps, width)
            row = make.load_where(make.at(a, place), make.first(left))
            loaded = [make.load_where(make.at(line, place), make.first(left)) for line in lines]
            return [make.multiply_add(row, line, total) for line, total in zip(loaded, sums, strict=True)]

        sums = counted_loop(build, steps, [make.zero()] * lanes, step)
        return make.sums(counted_loop(build, is_some(left), sums, end))

    def block(first: ir.Value) -> None:
        start = make.at(b, build.mul(first, depth))
        total = dots([make.at(start, build.mul(depth, I64(j))) for j in range(lanes)])
        make.store(total, make.at(out, first), lanes)

    _each_block(make, whole, lanes, back, block)
    first = build.mul(whole, width)
    rest = build.sub(columns, first)
    start, last = make.at(b, build.mul(first, depth)), build.sub(rest, I64(1))

    def behind(k: ir.Value, _: list[ir.Value]) -> list[ir.Value]:
        lines = []
        for j in range(lanes):
            number = I64(j)
            line = build.select(build.icmp_signed("<", number, last), number, last)
            lines.append(make.at(start, build.mul(depth, line)))
        make.store_where(dots(lines), make.at(out, first), make.first(rest))
        return []

    counted_loop(build, is_some(rest), [], behind)
