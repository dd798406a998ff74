"""Kernels that walk one axis in order: cumulative sums, products and extremes, positions of extremes."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from math import gcd
from typing import TypeAlias

from ....base.target import current_target
from ....ir.core import Operation
from ....ops.dims import product
from ....ops.kernel_expressions import ONE, ZERO, Expr, Name, call, differ, equal, expr, select, smaller
from ....ops.types import TensorType
from ...kernel.kernel_call import Kernel
from ...kernel.statements import LoopKind
from ..element import wrapping
from ..nest import Nest, size_of
from ..parameters import stored_as
from ..registry import generates
from .lanes import ABREAST, WIDTH, AxisLines
from .squares import SquareScan, are_squares

_Pair: TypeAlias = Callable[[Expr, Expr], Expr]
_RUN = 64  # elements of a line of which it is asked at once whether one of them is an extreme
_VECTORS = 4  # comparisons that are under way at once, at least
_ROWS = 4  # of lines side by side that are looked at in one go
_RUNS = 4  # fewer runs aren't worth it
_BLOCK = 512  # elements of a line that are searched for the extreme that they have


def _first(start: int, short: str) -> Expr:
    """What leaves the first element as it is: -0.0 is the neutral element of sums of floats."""
    return call(short, -0.0 if start == 0 and short in ("f32", "f64") else start)


def _scan_kernel(start: int, combine: _Pair) -> Callable[[Operation], Kernel]:
    def generate(operation: Operation) -> Kernel:
        nest = Nest(operation)
        short = nest.result.dtype.short
        lines: AxisLines | SquareScan = AxisLines(nest, nest.result.tensor_type.shape, operation.attrs["axis"])
        if are_squares(nest) and operation.operands[0].dtype is nest.result.dtype:
            lines = SquareScan(nest, short, short)
        total = lines.found("a", short)

        def step(place: Expr, x: Expr) -> Expr:
            made = combine(total.value, x)
            total.set(call(short, wrapping(made) if short == "i64" else made))
            return total.value

        return lines.walk(lambda x: total.set(_first(start, short)), step, reverse=operation.attrs["reverse"])

    return generate


def _pointers(nest: Nest) -> tuple[Expr, Expr]:
    """The memory of the operand and of the result."""
    return nest.parameters.pointer(nest.operation.operands[0]), nest.parameters.pointer(nest.result, "out")


def _logarithm_of_sum(short: str) -> _Pair:
    """log(exp(a) + exp(b)); infinities of one sign, which have no difference, stay."""

    def combine(a: Expr, b: Expr) -> Expr:
        more = call(f"maximum_{short}", a, b)
        apart = call(f"abs_{short}", a - b)
        sum_ = more + call(f"log1p_{short}", call(f"exp_{short}", -apart))
        return select(equal(a, b), a + call(short, 0.6931471805599453), sum_)

    return combine


def _running_logsum(operation: Operation) -> Kernel:
    """Many lines go abreast: their exponentials are vectors then, too."""
    shape, axis = operation.operands[0].tensor_type.shape, operation.attrs["axis"]
    lines = product(shape[:axis])
    few = axis == len(shape) - 1 and isinstance(lines, int) and lines < ABREAST
    return (_logsum_in_blocks if few else _logsum_in_lanes)(Nest(operation))


def _logsum_in_blocks(nest: Nest) -> Kernel:
    """A line on its own. Only one product and one sum wait for the element before: exponentials and logarithms don't.

    What is kept is the largest element so far, and the sum of all exponentials relative to its own. Of an element and
    the largest one before it, the smaller one's exponential relative to the other's is all that a step needs.
    """
    kind, back = nest.result.tensor_type, nest.operation.attrs["reverse"]
    short = kind.dtype.short
    lanes, (source, out) = AxisLines(nest, kind.shape, nest.operation.attrs["axis"]), _pointers(nest)
    most = nest.local("most", short, _RUN + 1)
    total = nest.local("total", short, _RUN)

    def at(place: Expr) -> Expr:
        return lanes.at(lanes.size - 1 - place if back else place)

    with lanes.lines():
        best, sum_ = nest.let("best", call(short, -math.inf)), nest.let("sum", call(short, 0))
        with nest.loop("first", 0, lanes.size, _RUN) as first:
            count = nest.let("count", smaller(lanes.size - first, _RUN))
            nest.store(most[0], best)
            with nest.loop("j", 0, count) as j:
                x = nest.let("x", source[at(first + j)])
                nest.let(best, select((x > best) | differ(x, x), x, best))
                nest.store(most[j + 1], best)
            with nest.loop("j", 0, count) as j:
                x, before = nest.let("x", source[at(first + j)]), nest.let("before", most[j])
                apart = select(equal(x, before), call(short, 0), call(f"abs_{short}", x - before))
                nest.store(total[j], call(f"exp_{short}", -apart))
            with nest.loop("j", 0, count) as j:
                share, won = nest.let("share", total[j]), nest.let("won", differ(most[j + 1], most[j]))
                one = call(short, 1)
                nest.let(sum_, sum_ * select(won, share, one) + select(won, one, share))
                nest.store(total[j], sum_)
            with nest.loop("j", 0, count) as j:
                nest.store(out[at(first + j)], most[j + 1] + call(f"log_{short}", total[j]))
    return nest.finish(lanes.extent, size_of(nest.result) * 20)


def _logsum_in_lanes(nest: Nest) -> Kernel:
    """The first element stands for itself: its sum with nothing is not computed."""
    shape, short = nest.result.tensor_type.shape, nest.result.dtype.short
    lanes = AxisLines(nest, shape, nest.operation.attrs["axis"], abreast=ABREAST)
    total, combine = lanes.found("a", short), _logarithm_of_sum(short)
    source, out = _pointers(nest)
    back = nest.operation.attrs["reverse"]
    with lanes.lines(), nest.when(lanes.size > 0):
        first = nest.let("k", lanes.size - 1 if back else ZERO)
        with lanes.each():
            total.set(source[lanes.at(first)])
            nest.store(out[lanes.at(first)], total.value)
        with nest.loop("j", 1, lanes.size) as j:
            place = nest.let("k", lanes.size - 1 - j if back else j)
            with lanes.each():
                total.set(combine(total.value, source[lanes.at(place)]))
                nest.store(out[lanes.at(place)], total.value)
    return nest.finish(lanes.extent, size_of(nest.result) * 20)


def _running_kernel(*, places: bool) -> Callable[[Operation], Kernel]:
    """The extremes so far, or their places: an equal element replaces an earlier one, and the last NaN wins."""

    def generate(operation: Operation) -> Kernel:
        nest, compare = Nest(operation), operator.ge if operation.attrs["largest"] else operator.le
        kind = operation.operands[0].tensor_type

        def wins(x: Expr, best: Expr) -> Expr:
            made: Expr = compare(x, best)
            return made | differ(x, x) if kind.dtype.is_floating else made

        size = kind.shape[operation.attrs["axis"]]
        is_long = operation.attrs["axis"] == kind.rank - 1 and not (isinstance(size, int) and size < _RUN)
        walk = _running_in_blocks if is_long and not are_squares(nest) else _running_in_step
        return walk(nest, wins, places=places)

    return generate


def _running_in_step(nest: Nest, wins: _Pair, *, places: bool) -> Kernel:
    """Many lines at once."""
    kind = nest.operation.operands[0].tensor_type
    short = stored_as(kind.dtype.short)
    lines: AxisLines | SquareScan = AxisLines(nest, kind.shape, nest.operation.attrs["axis"], abreast=ABREAST)
    if are_squares(nest):
        lines = SquareScan(nest, short, "i64" if places else short)
    best = lines.found("best", short)
    at = lines.found("at", "i64") if places else best

    def start(x: Expr) -> None:
        best.set(x)
        if places:
            at.set(call("i64", 0))

    def step(place: Expr, element: Expr) -> Expr:
        x = nest.let("x", element)
        won = nest.let("won", wins(x, best.value))
        best.set(select(won, x, best.value))
        if places:
            at.set(select(won, place, at.value))
        return at.value

    return lines.walk(start, step)


def _running_in_blocks(nest: Nest, wins: _Pair, *, places: bool) -> Kernel:
    """A line on its own: a block in which nothing wins, as in most, is filled with what was found before."""
    kind = nest.operation.operands[0].tensor_type
    lanes, (source, out) = AxisLines(nest, kind.shape, nest.operation.attrs["axis"]), _pointers(nest)
    with lanes.lines(), nest.when(lanes.size > 0):
        best = nest.let("best", source[lanes.at(ZERO)])
        at = nest.let("at", call("i64", 0)) if places else best
        with nest.loop("first", 0, lanes.size, _RUN) as first:
            stop, news = nest.let("stop", smaller(first + _RUN, lanes.size)), nest.let("news", call("i32", 0))
            with nest.loop("j", first, stop) as j:
                x = nest.let("x", source[lanes.at(j)])
                nest.let(news, news | call("i32", wins(x, best)))
            with nest.when(news > 0), nest.loop("j", first, stop) as j:
                x = nest.let("x", source[lanes.at(j)])
                won = nest.let("won", wins(x, best))
                nest.let(best, select(won, x, best))
                if places:
                    nest.let(at, select(won, j, at))
                nest.store(out[lanes.at(j)], at)
            with nest.otherwise(), nest.loop("j", first, stop) as j:
                nest.store(out[lanes.at(j)], at)
    return nest.finish(lanes.extent, size_of(nest.result))


def _wins(better: _Pair, x: Expr, best: Expr, *, floating: bool) -> Expr:
    """Whether an element takes the best one's place: the first NaN does, and stays."""
    return better(x, best) | (differ(x, x) & equal(best, best)) if floating else better(x, best)


def _position_kernel(extreme: str, better: _Pair) -> Callable[[Operation], Kernel]:
    def generate(operation: Operation) -> Kernel:
        nest = Nest(operation)
        kind = operation.operands[0].tensor_type
        lanes = AxisLines(nest, kind.shape, operation.attrs["axis"])
        rows = _rows_of_run(lanes, kind)
        if rows:
            _in_runs(nest, lanes, better, rows)
        else:
            (_in_line if lanes.lane is None else _in_lanes)(nest, lanes, extreme, better)
        return nest.finish(lanes.extent, size_of(operation.operands[0]))

    return generate


def _in_line(nest: Nest, lanes: AxisLines, extreme: str, better: _Pair) -> None:
    kind = nest.operation.operands[0].tensor_type
    width = _VECTORS * current_target().lanes(max(4, kind.dtype.itemsize))
    length = kind.shape[lanes.axis]
    with lanes.lines():
        if isinstance(length, int) and length <= current_target().short_rows.before_costly:
            _written_out(nest, lanes, length, better)
        elif kind.dtype.itemsize >= 4 and isinstance(length, int) and width <= length < _BLOCK:
            _by_several(nest, lanes, extreme, width)
        else:
            _in_blocks(nest, lanes, extreme, better)


def _written_out(nest: Nest, lanes: AxisLines, length: int, better: _Pair) -> None:
    """A few elements one behind another, without a jump: the loop over lines becomes vectors."""
    kind = nest.operation.operands[0].tensor_type
    number = "i32" if kind.dtype.itemsize < 8 else "i64"
    source, out = _pointers(nest)
    best, at = nest.let("best", source[lanes.at(ZERO)]), nest.let("at", call(number, 0))
    for j in range(1, length):
        x = nest.let("x", source[lanes.at(expr(j))])
        won = nest.let("won", _wins(better, x, best, floating=kind.dtype.is_floating))
        nest.let(best, select(won, x, best))
        nest.let(at, select(won, call(number, j), at))
    nest.store(out[lanes.line], call("i64", at))


def _by_several(nest: Nest, lanes: AxisLines, extreme: str, width: int) -> None:
    """The extreme of a line, by several vectors, of which none waits for another; then the first block that has it.

    The last elements are looked at with some that were before.
    """
    kind = nest.operation.operands[0].tensor_type
    short, floating = kind.dtype.short, kind.dtype.is_floating
    number = "i32" if kind.dtype.itemsize < 8 else "i64"
    source, out = _pointers(nest)
    most = nest.local("most", short, width)
    with nest.loop("e", 0, width, kind=LoopKind.BLOCK) as e:
        nest.store(most[e], source[lanes.at(e)])
    with nest.loop("j", width, lanes.size, width) as j:
        row = nest.let("row", lanes.at(smaller(j, lanes.size - width)))
        with nest.loop("e", 0, width, kind=LoopKind.BLOCK) as e:
            nest.store(most[e], call(f"{extreme}_{short}", most[e], source[row + e]))
    best = nest.let("best", most[0])
    with nest.loop("e", 0, width) as e:
        nest.let(best, call(f"{extreme}_{short}", best, most[e]))

    def hit(place: Expr) -> Expr:
        x = source[place]
        return equal(x, best) | differ(x, x) if floating else equal(x, best)

    start, following, at = nest.let("start", 0), nest.let("following", 0), nest.let("at", call(number, width))
    with nest.repeat(equal(at, width)):
        nest.let(start, smaller(following, lanes.size - width))
        with nest.loop("e", 0, width) as e:
            place = select(hit(lanes.at(start + e)), call(number, e), call(number, width))
            nest.let(at, call(f"smallest_{number}", at, place))
        nest.let(following, following + width)
    nest.store(out[lanes.line], start + call("i64", at))


def _in_blocks(nest: Nest, lanes: AxisLines, extreme: str, better: _Pair) -> None:
    """The block with the extreme first, then its place in there: both are reductions that become vectors."""
    kind = nest.operation.operands[0].tensor_type
    short, floating = stored_as(kind.dtype.short), kind.dtype.is_floating
    number = "i32" if kind.dtype.itemsize < 8 else "i64"
    source, out = _pointers(nest)
    best = nest.let("best", source[lanes.at(ZERO)])
    start = nest.let("start", 0)
    with nest.loop("first", 0, lanes.size, _BLOCK) as first:
        here = nest.let("here", source[lanes.at(first)])
        with nest.loop("j", first, smaller(first + _BLOCK, lanes.size)) as j:
            nest.let(here, call(f"{extreme}_{short}", here, source[lanes.at(j)]))
        with nest.when(_wins(better, here, best, floating=floating)):
            nest.let(best, here)
            nest.let(start, first)
    at = nest.let("at", call(number, _BLOCK))
    with nest.loop("i", 0, smaller(lanes.size - start, _BLOCK)) as i:
        x = nest.let("x", source[lanes.at(start + i)])
        hit = equal(x, best) | differ(x, x) if floating else equal(x, best)
        nest.let(at, call(f"smallest_{number}", at, select(hit, call(number, i), call(number, _BLOCK))))
    nest.store(out[lanes.line], start + call("i64", at))


def _in_lanes(nest: Nest, lanes: AxisLines, extreme: str, better: _Pair) -> None:
    """All lines of a block at once, some rows of them one after the other while what was found is in registers."""
    kind = nest.operation.operands[0].tensor_type
    size = kind.shape[nest.operation.attrs["axis"]]
    number = "i32" if kind.dtype.itemsize < 8 and isinstance(size, int) and size < 2**31 else "i64"
    best, at = lanes.found("best", stored_as(kind.dtype.short)), lanes.found("at", number)
    source, out = _pointers(nest)
    with lanes.lines():
        with lanes.each():
            best.set(source[lanes.at(ZERO)])
            at.set(call(number, 0))
        together = nest.let("together", (lanes.size - 1) // _ROWS * _ROWS + 1)
        for first, stop, rows in ((ONE, together, _ROWS), (together, lanes.size, 1)):
            with nest.loop("j", first, stop, rows) as j, lanes.each():
                most, place = best.value, at.value
                for k in range(rows):
                    x = nest.let(f"x{rows}_{k}", source[lanes.at(j + k)])
                    won = nest.let(f"won{rows}_{k}", _wins(better, x, most, floating=kind.dtype.is_floating))
                    most = nest.let(f"most{rows}_{k}", select(won, x, most))
                    place = nest.let(f"place{rows}_{k}", select(won, call(number, j + k), place))
                best.set(most)
                at.set(place)
        with lanes.each():
            nest.store(out[lanes.at(ZERO, ONE)], call("i64", at.value))


def _rows_of_run(lanes: AxisLines, kind: TensorType) -> int:
    """How many rows of a few columns are taken as one, so that they fill vectors; 0 where that isn't worth it."""
    width = current_target().lanes(max(4, kind.dtype.itemsize))
    columns, length = lanes.inner, kind.shape[lanes.axis]
    if lanes.lane is None or not isinstance(columns, int) or not 0 < columns < width:
        return 0
    step = width // gcd(columns, width)
    rows = step * max(1, _VECTORS * width // (columns * step))
    return 0 if rows * columns > WIDTH or (isinstance(length, int) and length < _RUNS * rows) else rows


def _in_runs(nest: Nest, lanes: AxisLines, better: _Pair, rows: int) -> None:
    """All columns of a run of rows at once, and then the best of each column's places in a run.

    All start from the first row. That it isn't there that the others found it doesn't matter: the first place of equal
    ones is the first row's own.
    """
    kind = nest.operation.operands[0].tensor_type
    columns, floating = lanes.inner, kind.dtype.is_floating
    assert isinstance(columns, int)
    number = "i32" if kind.dtype.itemsize < 8 and isinstance(kind.shape[lanes.axis], int) else "i64"
    best = nest.local("best", stored_as(kind.dtype.short), rows * columns)
    at = nest.local("at", number, rows * columns)
    source, out = _pointers(nest)

    def take(element: Expr, place: Expr, run: Expr) -> None:
        x = nest.let("x", source[place])
        won = nest.let("won", _wins(better, x, best[element], floating=floating))
        nest.store(best[element], select(won, x, best[element]))
        nest.store(at[element], select(won, call(number, run), at[element]))

    with nest.range() as r:
        start = nest.let("start", r * lanes.size * columns)
        runs = nest.let("runs", lanes.size // rows)
        with nest.loop("k", 0, rows) as k, nest.loop("c", 0, columns) as c:
            nest.store(best[k * columns + c], source[start + c])
            nest.store(at[k * columns + c], call(number, 0))
        with nest.loop("j", 0, runs) as j:
            row = nest.let("row", start + j * (rows * columns))
            with nest.loop("e", 0, rows * columns, kind=LoopKind.BLOCK) as e:
                take(e, row + e, j)
        row = nest.let("row", start + runs * (rows * columns))
        with nest.loop("e", 0, (lanes.size - runs * rows) * columns) as e:
            take(e, row + e, runs)
        with nest.loop("e", 0, rows * columns, kind=LoopKind.BLOCK) as e:
            nest.store(at[e], at[e] * call(number, rows) + call(number, e // columns))
        _best_of_runs(nest, (best, at), (rows, columns), better, floating=floating)
        with nest.loop("c", 0, columns) as c:
            nest.store(out[r * columns + c], call("i64", at[c]))


def _best_of_runs(
    nest: Nest, found: tuple[Name, Name], shape: tuple[int, int], better: _Pair, *, floating: bool
) -> None:
    """What half of the rows found is compared with what the other half found, till one row is left."""
    (best, at), (rows, columns) = found, shape
    while rows > 1:
        half = (rows + 1) // 2
        with nest.loop("e", 0, (rows - half) * columns, kind=LoopKind.BLOCK) as e:
            other = e + half * columns
            x, here = nest.let("x", best[other]), nest.let("here", at[other])
            most, first = nest.let("most", best[e]), nest.let("first", at[e])
            same: Expr = equal(x, most)
            if floating:
                same = same | (differ(x, x) & differ(most, most))
            won = nest.let("won", _wins(better, x, most, floating=floating) | (same & (here < first)))
            nest.store(best[e], select(won, x, most))
            nest.store(at[e], select(won, here, first))
        rows = half


generates("scan.cumsum")(_scan_kernel(0, operator.add))
generates("scan.cumprod")(_scan_kernel(1, operator.mul))
generates("scan.logcumsumexp")(_running_logsum)
generates("scan.running_place")(_running_kernel(places=True))
generates("scan.running_extreme")(_running_kernel(places=False))
generates("reduce.argmax")(_position_kernel("largest", operator.gt))
generates("reduce.argmin")(_position_kernel("smallest", operator.lt))
