"""What the tiles of convolutions mean, in NumPy: sums over a table of offsets, and transformed tiles (reference.py).

Their arguments are those of the functions of the same names in codegen/tiles.py and codegen/winograd_tiles.py.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ...base.target import current_target
from ...ops.conv_winograd import FILTER, IMAGE, PANEL, RESULT

if TYPE_CHECKING:
    from .reference_calls import Address

Kind = np.dtype[Any]


def pairs(kind: Kind, table: Address, at: Any, count: Any, a: Any, a_step: Any, b: Any, b_step: Any) -> None:
    """Offsets at equal steps, two by two."""
    for k in range(count):
        table.store(at + 2 * k, a + k * a_step)
        table.store(at + 2 * k + 1, b + k * b_step)


def outer(
    kind: Kind, rows: Any, vectors: Any, last: Any, adds: Any, table: Address, at: Any, depth: Any, a: Address,
    a_at: Any, a_row: Any, b: Address, b_at: Any, out: Address, out_at: Any, out_row: Any,
) -> None:  # fmt: skip
    """Sums of numbers of a times runs of b, where the table says."""
    pixels = (vectors - 1) * current_target().lanes(kind.itemsize) + last
    for i in range(rows):
        for j in range(pixels):
            place = out_at + i * out_row + j
            total = out.load(place) if adds else kind.type(0)
            for k in range(depth):
                to_a, to_b = table.load(at + 2 * k), table.load(at + 2 * k + 1)
                total = total + a.load(a_at + i * a_row + to_a) * b.load(b_at + to_b + j)
            out.store(place, total)


def inner(
    kind: Kind, rows: Any, columns: Any, last: Any, adds: Any, images: Any, vectors: Any, table: Address, at: Any,
    a: Address, a_at: Any, a_row: Any, a_image: Any, b: Address, b_at: Any, b_image: Any, out: Address, out_at: Any,
    out_row: Any,
) -> None:  # fmt: skip
    """Sums of products along runs of a and b, over some images."""
    length = vectors * current_target().lanes(kind.itemsize) + last
    for i in range(rows):
        for j in range(columns):
            place = out_at + i * out_row + j
            total = out.load(place) if adds else kind.type(0)
            start = table.load(at + 2 * j + 1)
            for n in range(images):
                for q in range(length):
                    number = a.load(a_at + n * a_image + i * a_row + q)
                    total = total + number * b.load(b_at + n * b_image + start + q)
            out.store(place, total)


def shifted(
    kind: Kind, columns: Any, low: Any, high: Any, step: Any, before: Any, rows: Any, behind: Any, source: Address,
    at: Any, source_row: Any, target: Address, to: Any, target_row: Any,
) -> None:  # fmt: skip
    """Rows under a shift, zeros beyond their ends, and rows of zeros before and behind."""
    for i in range(before + rows + behind):
        for j in range(columns):
            inside = low <= j < high and before <= i < before + rows
            value = source.load(at + (i - before) * source_row + j * step) if inside else kind.type(0)
            target.store(to + i * target_row + j, value)


def columns(
    kind: Kind, last: Any, blocks: Any, table: Address, first: Any, source: Address, at: Any, target: Address, to: Any,
    row: Any,
) -> None:  # fmt: skip
    """Rows that lie where a table says, as the columns of a matrix."""
    lanes = current_target().lanes(kind.itemsize)
    for q in range(blocks * lanes + last):
        for j in range(lanes):
            target.store(to + q * row + j, source.load(at + table.load(first + 2 * j + 1) + q))


def tiles_in(
    kind: Kind, rows: Any, height: Any, width: Any, x: Address, x_at: Any, top: Any, left: Any, count: Any,
    out: Address, out_at: Any, out_row: Any, out_step: Any,
) -> None:  # fmt: skip
    """The transforms of neighbouring tiles of 4 x 4 pixels."""
    matrix = IMAGE.astype(kind)
    for i in range(rows):
        for j in range(min(count, current_target().lanes(kind.itemsize))):
            tile = np.zeros((4, 4), kind)
            for y in range(4):
                for k in range(4):
                    row, column = top + 2 * i + y, left + 2 * j + k
                    if 0 <= row < height and 0 <= column < width:
                        tile[y, k] = x.load(x_at + row * width + column)
            for f, number in enumerate((matrix @ tile @ matrix.T).reshape(-1)):
                out.store(out_at + f * out_step + i * out_row + j, number)


def tiles_out(
    kind: Kind, rows: Any, height: Any, width: Any, a: Address, a_at: Any, a_row: Any, a_step: Any, out: Address,
    out_at: Any, top: Any, left: Any,
) -> None:  # fmt: skip
    """The 2 x 2 pixels of neighbouring tiles, as far as they lie in the image."""
    matrix = RESULT.astype(kind)
    for i in range(rows):
        for j in range(current_target().lanes(kind.itemsize)):
            numbers = [a.load(a_at + f * a_step + i * a_row + j) for f in range(16)]
            tile = matrix @ np.reshape(np.array(numbers, kind), (4, 4)) @ matrix.T
            for y in range(2):
                for k in range(2):
                    row, column = top + 2 * i + y, left + 2 * j + k
                    if 0 <= row < height and 0 <= column < width:
                        out.store(out_at + row * width + column, tile[y, k])


def filters_in(
    kind: Kind, rotated: Any, count: Any, valid: Any, w: Address, w_at: Any, lane: Any, channel: Any, out: Address,
    out_at: Any, out_step: Any,
) -> None:  # fmt: skip
    """The transforms of a panel of 3 x 3 filters, the last one repeated."""
    matrix = FILTER.astype(kind)
    for c in range(count):
        for j in range(PANEL):
            first = w_at + min(j, valid - 1) * lane + c * channel
            taps = np.array([w.load(first + k) for k in range(9)], kind)
            filter_ = np.reshape(taps[::-1] if rotated else taps, (3, 3))
            for f, number in enumerate((matrix @ filter_ @ matrix.T).reshape(-1)):
                out.store(out_at + f * out_step + c * PANEL + j, number)
