"""Rows of images, moved by vectors: `shifted_*` copies rows under a shift, with zeros beyond their ends, and every
second (third, fourth) element where windows step; `columns_*` transposes rows that lie where a table says.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from llvmlite import ir

from ...base.target import current_target
from .element_types import FLOAT_TYPES
from .kernel_types import INT64, VOID, PointerKind, intrinsic_of_literals, signature
from .memory_moves import transposed
from .tiles import I1, I32, I64, Vectors, called_function, counted_loop, literals

_STRAIGHT = 4  # pieces of a row in the text; more are a loop


def functions() -> dict[str, Any]:
    """Name -> intrinsic, for a kernel's globals."""
    out: dict[str, Any] = {}
    for name, held in FLOAT_TYPES.items():
        out[f"shifted_{name}"] = _shifted(held.kind, held.llvm, current_target().lanes(held.itemsize))
        out[f"columns_{name}"] = _columns(held.kind, held.llvm, current_target().lanes(held.itemsize))
    return out


# ---- rows under a shift -------------------------------------------------------------------------------------------


def _shifted(kind: Any, element: ir.Type, lanes: int) -> Any:
    pointer = PointerKind(kind)

    @intrinsic_of_literals
    def shifted(
        columns: Any, low: Any, high: Any, step: Any, before: Any, rows: Any, behind: Any, source: Any, at: Any,
        source_row: Any, target: Any, to: Any, target_row: Any,
    ) -> Any:  # fmt: skip
        """target[to + (before + i) * target_row + j] = source[at + i * source_row + j * step] for i < rows, and

        0 unless low <= j < high, for j < columns; so many rows before those and behind are 0. Nothing else is read.
        """
        sizes = literals(columns, low, high, step)
        if sizes is None:
            return None

        def generate(build: Any, values: Any) -> Any:
            name = "_".join(["shifted", str(element), *map(str, sizes)])
            width = min(lanes, 1 << (sizes[0] - 1).bit_length())
            called_function(
                build, name, values[4:],
                lambda inside, given: _generate_shifted(Vectors(inside, element, width), sizes, given),
            )  # fmt: skip
            return None

        parameters = [columns, low, high, step, *[INT64] * 3, pointer, INT64, INT64, pointer, INT64, INT64]
        return signature(VOID, *parameters), generate

    return shifted


def _generate_shifted(make: Vectors, sizes: list[int], values: Any) -> None:
    (columns, low, high, step), build, lanes = sizes, make.build, make.lanes
    before, rows, behind, source, at, source_row, target, to, target_row = values
    source, target = make.at(source, at), make.at(target, to)
    end_row = build.add(before, rows)
    first, last = -(-low // lanes), high // lanes  # the vectors between them have all of their lanes
    whole = range(first, last - 1) if last - first > _STRAIGHT else range(0)

    def row(i: ir.Value, _: list[ir.Value]) -> list[ir.Value]:
        line = make.at(source, build.mul(i, source_row))
        place = make.at(target, build.mul(build.add(before, i), target_row))
        for start in range(0, columns, lanes):
            if start // lanes not in whole:
                made = _spaced(make, make.at(line, start * step), step, range(low - start, high - start))
                make.store(made, make.at(place, start), min(lanes, columns - start))

        def vector(v: ir.Value, _: list[ir.Value]) -> list[ir.Value]:
            start = build.mul(build.add(v, ir.Constant(I64, first)), ir.Constant(I64, lanes))
            made = _spaced(make, make.at(line, build.mul(start, ir.Constant(I64, step))), step, range(2 * lanes))
            make.store(made, make.at(place, start), lanes)
            return []

        if whole:
            counted_loop(build, ir.Constant(I64, len(whole)), [], vector)
        return []

    def clear(start: ir.Value) -> Callable[[ir.Value, list[ir.Value]], list[ir.Value]]:
        def cleared(i: ir.Value, _: list[ir.Value]) -> list[ir.Value]:
            place = make.at(target, build.mul(build.add(start, i), target_row))
            for j in range(0, columns, lanes):
                make.store(make.zero(), make.at(place, j), min(lanes, columns - j))
            return []

        return cleared

    counted_loop(build, before, [], clear(ir.Constant(I64, 0)))
    counted_loop(build, rows, [], row)
    counted_loop(build, behind, [], clear(end_row))


def _spaced(make: Vectors, place: ir.Value, step: int, inside: range) -> ir.Value:
    """A vector of elements `step` apart; 0 in the lanes that aren't inside. Nothing beyond what is inside is read."""
    lanes = make.lanes
    valid = [j in inside for j in range(lanes)]
    if not any(valid):
        return make.zero()
    parts, last = [], (inside.stop - 1) * step
    for start in range(0, lanes * step, lanes):
        read = [inside.start * step <= k <= last for k in range(start, start + lanes)]
        parts.append(_masked_load(make, make.at(place, start), read))
    made, have = parts[0], [j * step for j in range(lanes)]  # where each lane's element lies
    for number, part in enumerate(parts[1:], 1):
        # The lanes that lie in this part from it, the others as they are: of the first part, still where they lay.
        picked = [
            lanes + k - number * lanes if k // lanes == number else (k if number == 1 and k < lanes else j)
            for j, k in enumerate(have)
        ]
        made = make.shuffle(made, part, picked)
    if step > 1 and not all(valid):  # what lies between wanted ones was read, too
        mask = ir.Constant(ir.VectorType(I1, lanes), [int(v) for v in valid])
        made = make.build.select(mask, made, make.zero())
    return made


def _masked_load(make: Vectors, place: ir.Value, read: Sequence[bool]) -> ir.Value:
    if all(read):
        return make.load(place, make.lanes)
    if not any(read):
        return make.zero()
    place = make.build.bitcast(place, make.kind.as_pointer())
    flags = ir.VectorType(I1, make.lanes)
    function = make.masked("load", ir.FunctionType(make.kind, [place.type, I32, flags, make.kind]))
    mask = ir.Constant(flags, [int(r) for r in read])
    return make.build.call(function, [place, ir.Constant(I32, make.size), mask, make.zero()])


# ---- columns of rows ----------------------------------------------------------------------------------------------


def _columns(kind: Any, element: ir.Type, lanes: int) -> Any:
    pointer, words = PointerKind(kind), PointerKind(INT64)

    @intrinsic_of_literals
    def columns(
        last: Any, blocks: Any, table: Any, first: Any, source: Any, at: Any, target: Any, to: Any, row: Any
    ) -> Any:  # fmt: skip
        """target[to + q * row + j] = source[at + t(j) + q] for the lanes j of a vector,

        t(j) = table[first + 2 j + 1], and q < blocks * lanes + last, where last < lanes. Nothing else is read.
        """
        sizes = literals(last)
        if sizes is None:
            return None

        def generate(build: Any, values: Any) -> Any:
            name = "_".join(["columns", str(element), str(sizes[0])])
            called_function(
                build, name, values[1:],
                lambda inside, given: _generate_columns(Vectors(inside, element, lanes), sizes[0], given),
            )  # fmt: skip
            return None

        return signature(VOID, last, INT64, words, INT64, pointer, INT64, pointer, INT64, INT64), generate

    return columns


def _generate_columns(make: Vectors, last: int, values: Any) -> None:
    blocks, table, first, source, at, target, to, row = values
    build, lanes = make.build, make.lanes
    source, target, table = make.at(source, at), make.at(target, to), make.at(table, first)
    lines = [make.at(source, build.load(make.at(table, 2 * j + 1))) for j in range(lanes)]

    def block(place: ir.Value, valid: int) -> None:
        rows = [make.load(make.at(line, place), valid) for line in lines]
        for i, made in enumerate(transposed(make, rows)[:valid]):
            make.store(made, make.at(target, build.mul(build.add(place, ir.Constant(I64, i)), row)), lanes)

    def step(k: ir.Value, _: list[ir.Value]) -> list[ir.Value]:
        block(build.mul(k, ir.Constant(I64, lanes)), lanes)
        return []

    counted_loop(build, blocks, [], step)
    if last:
        block(build.mul(blocks, ir.Constant(I64, lanes)), last)
