"""Sizes of tiles: how many rows of numbers by how many vectors keep the multipliers busy without spilling registers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from itertools import product

from ....base.target import Core

VARIANT_COST = 0.02  # of the whole: what one more compiled form of the tile has to save


@dataclass(frozen=True, slots=True)
class Tiling:
    """`rows` x `columns` per tile over a product of `row_count` x `column_count`, the remainders in smaller tiles."""

    rows: int
    columns: int
    row_count: int
    column_count: int
    cost: float

    @property
    def row_parts(self) -> tuple[tuple[int, int, int], ...]:
        """(first row, rows per tile, number of tiles) of the full tiles, and of the remainder."""
        return _parts(self.row_count, self.rows)

    @property
    def column_parts(self) -> tuple[tuple[int, int, int], ...]:
        """The same for columns."""
        return _parts(self.column_count, self.columns)


def _parts(count: int, size: int) -> tuple[tuple[int, int, int], ...]:
    full, rest = divmod(count, size)
    found = [(0, size, full)] if full else []
    return tuple(found + ([(full * size, rest, 1)] if rest else []))


@dataclass(frozen=True)
class Strip:
    """Equal tiles side by side: where the first one starts, how far apart they are, and how many there are.

    size: rows or vectors of a tile. last: elements of a tile's last vector; of a tile without vectors, its pixels.
    """

    first: int
    step: int
    count: int
    size: int
    last: int = 0

    def extent(self, lanes: int) -> int:
        """Pixels that a column of tiles covers."""
        return max(self.size - 1, 0) * lanes + self.last


def column_strips(tiling: Tiling, lanes: int, last: int, unit: int = 1) -> list[Strip]:
    """The tiles along the columns, which are vectors; where the last one has fewer lanes, its tile comes last.

    last: the lanes that it has. unit: what places are counted in, so many for each vector.
    """
    found = []
    for start, size, count in tiling.column_parts:
        is_shorter = last < lanes and start + size * count == tiling.column_count
        whole = count - is_shorter
        if whole:
            found.append(Strip(start * unit, size * unit, whole, size, lanes))
        if is_shorter:
            found.append(Strip((start + size * whole) * unit, size * unit, 1, size, last))
    return found


@lru_cache(maxsize=4096)
def outer_tiling(row_count: int, vector_count: int, depth: int, core: Core, most_rows: int = 1 << 10) -> Tiling:
    """For tiles of numbers times vectors: a number is loaded per row, a vector per column, each used in all the others.

    most_rows: of a tile, so that the lines with their numbers stay in the first cache.

    >>> tiling = outer_tiling(64, 49, 576, Core(64, 32))
    >>> tiling.rows * tiling.columns <= 31, sum(rows * tiles for _, rows, tiles in tiling.row_parts)
    (True, 64)
    """
    shapes = _shapes(min(row_count, most_rows), vector_count, core, lambda rows, columns: columns)
    return _best(shapes, row_count, vector_count, depth, core)


@lru_cache(maxsize=4096)
def inner_tiling(row_count: int, column_count: int, depth: int, core: Core) -> Tiling:
    """For tiles of vectors times vectors, their lanes added at the end; `depth` vectors long.

    >>> tiling = inner_tiling(16, 144, 64, Core(64, 32))
    >>> tiling.rows * tiling.columns <= 31, sum(columns * tiles for _, columns, tiles in tiling.column_parts)
    (True, 144)
    """
    shapes = _shapes(row_count, column_count, core, min)
    return _best(shapes, row_count, column_count, depth, core, sums=4.0)


def _shapes(rows: int, columns: int, core: Core, held: Callable[[int, int], int]) -> list[tuple[int, int]]:
    """The tiles up to a size whose sums, one number and so many vectors beside them fit into the registers."""
    sizes = product(range(1, min(rows, core.registers) + 1), range(1, min(columns, core.registers) + 1))
    return [(a, b) for a, b in sizes if a * b + held(a, b) + 1 < core.registers]


def _best(
    shapes: list[tuple[int, int]], row_count: int, column_count: int, depth: int, core: Core, sums: float = 1.0
) -> Tiling:  # fmt: skip
    known: dict[tuple[int, int], float] = {}
    waiting = core.latency * core.slack

    def tile(rows: int, columns: int) -> float:
        # A number is loaded for a row, and a vector, perhaps across two lines, for a column; then sums are stored.
        cost = known.get((rows, columns))
        if cost is None:
            cycles = max(rows * columns / core.multiply_adds, (rows + 2 * columns) / core.loads, waiting)
            cost = known[rows, columns] = cycles * max(depth, 1) + sums * rows * columns + 20
        return cost

    row_parts = {rows: _parts(row_count, rows) for rows in dict.fromkeys(rows for rows, _ in shapes)}
    column_parts = {columns: _parts(column_count, columns) for columns in dict.fromkeys(c for _, c in shapes)}

    def cost_of(shape: tuple[int, int]) -> float:
        ways, across = row_parts[shape[0]], column_parts[shape[1]]
        total = 0.0
        for _, rows, many in ways:
            for _, columns, times in across:
                total += tile(rows, columns) * (many * times)
        return total * (1 + VARIANT_COST * (len(ways) * len(across)))

    best = min(shapes, key=cost_of)
    return Tiling(*best, row_count, column_count, cost_of(best))
