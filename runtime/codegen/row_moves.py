"""Rows of images, moved by vectors: `shifted_*` copies rows under a shift, with zeros beyond their ends, and every
second (third, fourth) element where windows step; `columns_*` transposes rows that lie where a table says.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from llvmlite import ir

from .element_types import FLOAT_TYPES
from .memory_moves import transposed
from .tiles import I64, Vectors, counted_loop, of_vectors

_STRAIGHT = 4  # pieces of a row in the text; more are a loop


def functions() -> dict[str, Any]:
    """Name -> intrinsic, for a kernel's globals."""
    out: dict[str, Any] = {}
    for name, held in FLOAT_TYPES.items():
        out[f"shifted_{name}"] = of_vectors("shifted", held, 4, "iii pii pii", _shifted)
        out[f"columns_{name}"] = of_vectors("columns", held, 1, "i wi pi pii", _columns)
    return out


# ---- rows under a shift -------------------------------------------------------------------------------------------


def _shifted(make: Vectors, sizes: list[int], values: Any) -> None:
    """target[to + (before + i) * target_row + j] = source[at + i * source_row + j * step] for i < rows, and

    0 unless low <= j < high, for j < columns; so many rows before those and behind are 0. Nothing else is read.
    """
    columns, low, high, step = sizes
    lanes = min(make.lanes, 1 << (columns - 1).bit_length())
    make, build = replace(make, lanes=lanes), make.build
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
            start = build.mul(build.add(v, I64(first)), I64(lanes))
            made = _spaced(make, make.at(line, build.mul(start, I64(step))), step, range(2 * lanes))
            make.store(made, make.at(place, start), lanes)
            return []

        if whole:
            counted_loop(build, I64(len(whole)), [], vector)
        return []

    def clear(start: ir.Value) -> Callable[[ir.Value, list[ir.Value]], list[ir.Value]]:
        def cleared(i: ir.Value, _: list[ir.Value]) -> list[ir.Value]:
            place = make.at(target, build.mul(build.add(start, i), target_row))
            for j in range(0, columns, lanes):
                make.store(make.zero(), make.at(place, j), min(lanes, columns - j))
            return []

        return cleared

    counted_loop(build, before, [], clear(I64(0)))
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
        part = make.at(place, start)
        if all(read):
            parts.append(make.load(part, lanes))
        else:
            parts.append(make.load_where(part, make.mask(read)) if any(read) else make.zero())
    made, have = parts[0], [j * step for j in range(lanes)]  # where each lane's element lies
    for number, part in enumerate(parts[1:], 1):
        # The lanes that lie in this part from it, the others as they are: of the first part, still where they lay.
        picked = [
            lanes + k - number * lanes if k // lanes == number else (k if number == 1 and k < lanes else j)
            for j, k in enumerate(have)
        ]
        made = make.shuffle(made, part, picked)
    if step > 1 and not all(valid):  # what lies between wanted ones was read, too
        made = make.build.select(make.mask(valid), made, make.zero())
    return made


# ---- columns of rows ----------------------------------------------------------------------------------------------


def _columns(make: Vectors, sizes: list[int], values: Any) -> None:
    """target[to + q * row + j] = source[at + t(j) + q] for the lanes j of a vector,

    t(j) = table[first + 2 j + 1], and q < blocks * lanes + last, where last < lanes. Nothing else is read.
    """
    (last,) = sizes
    blocks, table, first, source, at, target, to, row = values
    build, lanes = make.build, make.lanes
    source, target, table = make.at(source, at), make.at(target, to), make.at(table, first)
    lines = [make.at(source, build.load(make.at(table, 2 * j + 1))) for j in range(lanes)]

    def block(place: ir.Value, valid: int) -> None:
        rows = [make.load(make.at(line, place), valid) for line in lines]
        for i, made in enumerate(transposed(make, rows)[:valid]):
            make.store(made, make.at(target, build.mul(build.add(place, I64(i)), row)), lanes)

    def step(k: ir.Value, _: list[ir.Value]) -> list[ir.Value]:
        block(build.mul(k, I64(lanes)), lanes)
        return []

    counted_loop(build, blocks, [], step)
    if last:
        block(build.mul(blocks, I64(lanes)), last)
