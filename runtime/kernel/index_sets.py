"""Index-set splitting: a loop whose conditions change only at known places becomes one loop for each part between them.

Elements of `pad`, `roll` and updated slices are selected by where they lie. Inside a part all such conditions are
constant, so that its loads are contiguous and become vectors. A place may depend on what is around the loop, as the
diagonal of `tril` on the row. Source: Banerjee, Loop Transformations, 1993.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from itertools import pairwise

from ...ops.dims import DimLike
from ...ops.kernel_expressions import (
    FALSE,
    TRUE,
    Binary,
    CallExpr,
    Comparison,
    Expr,
    Literal,
    Name,
    larger,
    replaced,
    smaller,
    walk,
)
from .statements import For, Let, LoopKind, Statement, Store, expressions_of, nodes

MOST_PLACES = 6  # where a loop is split; each is one more copy of its body
MOST_BLOCK_PLACES = 2  # where each block of a loop is split
MOST_STATEMENTS = 200  # that the copies have
LEAST_LENGTH = 64  # iterations of a loop that is worth it
LEAST_MOVING = 128  # of one that is split at another place each time
LEAST_BLOCK = 4  # of a part of a block that is one itself
_Terms = tuple[tuple[int, Expr], ...]  # what is added (1) and subtracted (-1), which the loop doesn't change
_Line = tuple[int, int, _Terms]  # how often a value counts the loop's variable, and what it adds to that


@dataclass(frozen=True)
class _Names:
    """Names that are linear in a loop's variable, and all that the loop changes."""

    lines: dict[str, _Line]
    changed: frozenset[str]


@dataclass(frozen=True)
class _Kernel:
    """What is known of a kernel: its `extent`, how many `lanes` a vector has, and how often each name stands in it."""

    extent: DimLike
    lanes: int
    mentions: Callable[[], Counter[str]]


def split_loops(body: Sequence[Statement], extent: DimLike, lanes: int = 16) -> list[Statement]:
    """A copy in which innermost loops over known ranges are split where conditions on their variable change.

    extent: the length of the kernel's range, of which a call does `lo` to `hi`. lanes: of a vector of results. Blocks
    of fewer than two vectors stay whole: LLVM computes them with masks.
    """
    return _split_inside(body, _Kernel(extent, lanes, cache(lambda: _mentions(body))))


def _split_inside(body: Sequence[Statement], kernel: _Kernel) -> list[Statement]:
    made: list[Statement] = []
    for statement in body:
        if isinstance(statement, For) and all(isinstance(s, (Let, Store)) for s in statement.body):
            if not (_is_block_of_more(statement) or _range(statement, kernel)) or not _compares(statement.body):
                made.append(statement)
                continue
            inside, everywhere = _mentions(statement.body), kernel.mentions()
            made += _split(statement, kernel, {name for name, count in inside.items() if everywhere[name] > count})
        elif isinstance(statement, For):
            made.append(replace(statement, body=_split_inside(statement.body, kernel)))
        else:
            made.append(statement)
    return made


def _compares(body: Sequence[Statement]) -> bool:
    """Whether a body has conditions."""
    return any(isinstance(part, Comparison) for part in nodes(body))


def _mentions(body: Sequence[Statement]) -> Counter[str]:
    """How often each name stands in a body."""
    return Counter(part.name for part in nodes(body) if isinstance(part, Name))


def _range(loop: For, kernel: _Kernel) -> tuple[int, int] | None:
    """First iteration and stop of a loop, where they are known and far enough from each other for a split to pay."""
    start, stop = (0, kernel.extent) if _is_range(loop) else (_integer(loop.start), _integer(loop.stop))
    if not isinstance(start, int) or not isinstance(stop, int) or _integer(loop.step) != 1:
        return None
    if loop.kind is LoopKind.BLOCK:
        return (start, stop) if stop - start >= 2 * kernel.lanes and _is_map(loop) else None
    return (start, stop) if stop - start >= LEAST_LENGTH else None


def _is_block_of_more(loop: For) -> bool:
    """Whether it is a loop over a part, known by names, of a longer one: a block of a sum."""
    is_known = _integer(loop.start) is not None or _is_range(loop)
    return loop.kind is LoopKind.SERIAL and not is_known and _integer(loop.step) == 1


def _is_map(loop: For) -> bool:
    """Whether all that a loop writes are elements of arrays, in no registers."""
    return all(
        isinstance(s, Let) or (isinstance(s, Store) and str(s.target.pointer).startswith("p")) for s in loop.body
    )


def _is_range(loop: For) -> bool:
    """Whether it is the loop over the kernel's range, of which a call does a part."""
    return (loop.start, loop.stop) == (Name("lo"), Name("hi"))


def _split(loop: For, kernel: _Kernel, kept: set[str]) -> Sequence[Statement]:
    """The parts of a loop; the loop itself where there is nothing to gain. kept: names that stand elsewhere, too."""
    known = _linear_names(loop, kept)
    conditions, moving = _conditions(loop.body, known)
    bounds = _range(loop, kernel)
    if bounds is None:
        return _split_wherever_it_is(loop, conditions, known, kept)
    start, stop = bounds
    places = sorted({p for p in conditions.values() if start < p < stop})
    if len(places) > MOST_PLACES or len(loop.body) * len(places) > MOST_STATEMENTS:
        return [loop]
    parts = [loop] if not conditions else []
    for first, end in pairwise([start, *places, stop]) if conditions else ():
        truths = {condition: _holds(condition, known, first) for condition in conditions}
        from_: Expr = Literal(first)
        to: Expr = Literal(end)
        if _is_range(loop):
            from_ = loop.start if first == start else larger(loop.start, first)
            to = loop.stop if end == stop else smaller(loop.stop, end)
        kind = loop.kind if loop.kind is not LoopKind.BLOCK or end - first >= LEAST_BLOCK else LoopKind.SERIAL
        parts.append(replace(loop, start=from_, stop=to, body=_body(loop, truths, kept), kind=kind))
    is_long = stop - start >= LEAST_MOVING and loop.kind is not LoopKind.BLOCK
    if len({place for place, _ in moving.values()}) != 1 or not is_long or len(places) > 1:
        return parts
    return [half for part in parts for half in _split_at(part, moving, kept)]


def _split_wherever_it_is(
    loop: For, conditions: dict[Comparison, int], known: _Names, kept: set[str]
) -> Sequence[Statement]:
    """The parts of a loop over a range that isn't known, before and behind each place where conditions change."""
    places = sorted(set(conditions.values()))
    if not places or len(places) > MOST_BLOCK_PLACES:
        return [loop]
    ends = [loop.start, *(smaller(larger(Literal(place), loop.start), loop.stop) for place in places), loop.stop]
    parts = []
    for (start, stop), first in zip(pairwise(ends), [places[0] - 1, *places], strict=True):
        truths = {condition: _holds(condition, known, first) for condition in conditions}
        parts.append(replace(loop, start=start, stop=stop, body=_body(loop, truths, kept)))
    return parts


def _split_at(loop: For, moving: dict[Comparison, tuple[_Place, int]], kept: set[str]) -> Sequence[For]:
    """Two parts of a loop, at the one place where all these conditions change."""
    ((offset, terms), _), *_ = moving.values()
    first, *rest = sorted(terms, key=lambda term: -term[0])
    place = first[1] if first[0] > 0 else Literal(0) - first[1]
    for sign, term in (*rest, *([(1 if offset > 0 else -1, Literal(abs(offset)))] if offset else [])):
        place = place + term if sign > 0 else place - term
    place = smaller(larger(place, loop.start), loop.stop)
    after = {condition: (condition.operator[0] == ">") == (slope > 0) for condition, (_, slope) in moving.items()}
    before = {condition: not holds for condition, holds in after.items()}
    return [
        replace(loop, stop=place, body=_body(loop, before, kept)),
        replace(loop, start=place, body=_body(loop, after, kept)),
    ]


def _body(loop: For, conditions: dict[Comparison, bool], kept: set[str]) -> list[Statement]:
    """The loop's body with these conditions as they are in a part of it."""

    def decided(part: Expr) -> Expr | None:
        found = conditions.get(part) if isinstance(part, Comparison) else None
        return None if found is None else TRUE if found else FALSE

    truths: dict[str, Expr] = {}
    body: list[Statement] = []
    for statement in loop.body:
        if isinstance(statement, Let):
            value = _folded(replaced(statement.value, decided), truths)
            if value in (TRUE, FALSE) and statement.name.name not in kept:
                truths[statement.name.name] = value
                continue
            body.append(replace(statement, value=value))
        elif isinstance(statement, Store):
            body.append(replace(statement, value=_folded(replaced(statement.value, decided), truths)))
    return _needed(body, kept)


def _needed(body: list[Statement], kept: set[str]) -> list[Statement]:
    """Without numbers that nothing reads any more."""
    made: list[Statement] = []
    read = set(kept)
    for statement in reversed(body):
        if isinstance(statement, Let) and statement.name.name not in read:
            continue
        made.append(statement)
        parts = expressions_of(statement)[isinstance(statement, Let) :]  # of a Let, not the name it gives
        read.update(node.name for part in parts for node in walk(part) if isinstance(node, Name))
    return made[::-1]


# ---- conditions ----------------------------------------------------------------------------------------------------


def _linear_names(loop: For, kept: set[str]) -> _Names:
    """The loop's variable and the names that are linear in it and stand nowhere else."""
    lets = [statement for statement in loop.body if isinstance(statement, Let)]
    changed = frozenset((loop.variable.name, *(statement.name.name for statement in lets)))
    known = _Names({loop.variable.name: (1, 0, ())}, changed)
    for statement in lets:
        line = _linear(statement.value, known)
        if line is not None and statement.name.name not in kept:
            known.lines[statement.name.name] = line
    return known


def _linear(value: Expr, known: _Names) -> _Line | None:
    """A value that is a multiple of the loop's variable and what is added to that."""
    number = _integer(value)
    if number is not None:
        return 0, number, ()
    if isinstance(value, Name) and value.name in known.changed:
        return known.lines.get(value.name)
    if isinstance(value, Binary) and value.operator in "+-":
        left, right = _linear(value.left, known), _linear(value.right, known)
        if left is None or right is None:
            return None
        sign = 1 if value.operator == "+" else -1
        return left[0] + sign * right[0], left[1] + sign * right[1], _sum(left[2], right[2], sign)
    return (0, 0, ((1, value),)) if _stays(value, known) else None


def _sum(left: _Terms, right: _Terms, sign: int) -> _Terms:
    total = Counter[Expr]()
    for by, terms in ((1, left), (sign, right)):
        for own, term in terms:
            total[term] += by * own
    return tuple((1 if count > 0 else -1, term) for term, count in total.items() for _ in range(abs(count)))


def _stays(value: Expr, known: _Names) -> bool:
    """Whether a loop doesn't change a value: a number that is made of names."""
    parts = list(walk(value))
    return all(isinstance(p, Binary) or _integer(p) is not None or isinstance(p, Name) for p in parts) and not any(
        isinstance(p, Name) and p.name in known.changed for p in parts
    )


_Place = tuple[int, _Terms]


def _conditions(
    body: Sequence[Statement], known: _Names
) -> tuple[dict[Comparison, int], dict[Comparison, tuple[_Place, int]]]:
    """Comparisons that change once along the loop, with the first iteration after that: a number, or more, with the
    slope of what is compared.
    """
    found: dict[Comparison, int] = {}
    moving: dict[Comparison, tuple[_Place, int]] = {}
    for statement in body:
        if not isinstance(statement, (Let, Store)):
            continue
        for part in walk(statement.value):
            if isinstance(part, Comparison) and part.operator in ("<", "<=", ">", ">="):
                line = _linear(part.left - part.right, known)
                if line is None or line[0] not in (-1, 1):
                    continue
                place = _change(part.operator, line[0], line[1])
                if line[2]:
                    moving[part] = (place, _sum((), line[2], -line[0])), line[0]
                else:
                    found[part] = place
    return found, moving


def _change(operator: str, slope: int, offset: int) -> int:
    """The first iteration v from which `slope * v + offset operator 0` is what it stays."""
    zero = -offset * slope  # slope is 1 or -1
    is_after = (operator in (">=", "<")) == (slope == 1)  # whether it changes between v - 1 and v, not v and v + 1
    return zero if is_after else zero + 1


def _holds(condition: Comparison, known: _Names, first: int) -> bool:
    """Whether a condition holds from this iteration on."""
    line = _linear(condition.left - condition.right, known)
    assert line is not None
    value = line[0] * first + line[1]
    return {"<": value < 0, "<=": value <= 0, ">": value > 0, ">=": value >= 0}[condition.operator]


# ---- expressions ---------------------------------------------------------------------------------------------------


def _folded(value: Expr, truths: dict[str, Expr]) -> Expr:
    """With conditions that are decided carried out, from the inside out."""
    if isinstance(value, Name):
        return truths.get(value.name, value)
    parts = value.parts
    if not parts:
        return value
    new = tuple(_folded(part, truths) for part in parts)
    made = value if all(a is b for a, b in zip(parts, new, strict=True)) else value.with_parts(new)
    if isinstance(made, CallExpr) and made.function == "select" and made.arguments[0] in (TRUE, FALSE):
        return made.arguments[1] if made.arguments[0] == TRUE else made.arguments[2]
    if isinstance(made, Binary) and made.operator in "&|":
        decides = FALSE if made.operator == "&" else TRUE
        if decides in (made.left, made.right):
            return decides
        for one, other in ((made.left, made.right), (made.right, made.left)):
            if one in (TRUE, FALSE):
                return other
    return made


def _integer(value: Expr) -> int | None:
    return value.value if isinstance(value, Literal) and type(value.value) is int else None
