"""Index-set splitting: a loop whose conditions change only at known places becomes one loop for each part between them.

Elements of `pad`, `roll` and updated slices are selected by where they lie. Inside a part all such conditions are
constant, so that its loads are contiguous and become vectors. Source: Banerjee, Loop Transformations, 1993.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
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
MOST_STATEMENTS = 200  # that the copies have
LEAST_LENGTH = 64  # iterations of a loop that is worth it
_Known = dict[str, tuple[int, int]]  # of a name: how often it counts the loop's variable, and what it adds to that


def split_loops(body: Sequence[Statement], extent: DimLike) -> list[Statement]:
    """A copy in which innermost loops over known ranges are split where conditions on their variable change.

    extent: the length of the kernel's range, of which a call does `lo` to `hi`.
    """
    return _split_inside(body, extent, cache(lambda: _mentions(body)))


def _split_inside(
    body: Sequence[Statement], extent: DimLike, mentions: Callable[[], Counter[str]]
) -> list[Statement]:  # fmt: skip
    made: list[Statement] = []
    for statement in body:
        if isinstance(statement, For) and all(isinstance(s, (Let, Store)) for s in statement.body):
            if _range(statement, extent) is None or not _compares(statement.body):
                made.append(statement)
                continue
            inside, everywhere = _mentions(statement.body), mentions()
            made += _split(statement, extent, {name for name, count in inside.items() if everywhere[name] > count})
        elif isinstance(statement, For):
            made.append(replace(statement, body=_split_inside(statement.body, extent, mentions)))
        else:
            made.append(statement)
    return made


def _compares(body: Sequence[Statement]) -> bool:
    """Whether a body has conditions."""
    return any(isinstance(part, Comparison) for part in nodes(body))


def _mentions(body: Sequence[Statement]) -> Counter[str]:
    """How often each name stands in a body."""
    return Counter(part.name for part in nodes(body) if isinstance(part, Name))


def _range(loop: For, extent: DimLike) -> tuple[int, int] | None:
    """First iteration and stop of a loop, where they are known and near enough to each other for a split to pay."""
    start, stop = (0, extent) if _is_range(loop) else (_integer(loop.start), _integer(loop.stop))
    if not isinstance(start, int) or not isinstance(stop, int) or _integer(loop.step) != 1:
        return None
    return (start, stop) if stop - start >= LEAST_LENGTH and loop.kind is not LoopKind.BLOCK else None


def _is_range(loop: For) -> bool:
    """Whether it is the loop over the kernel's range, of which a call does a part."""
    return (loop.start, loop.stop) == (Name("lo"), Name("hi"))


def _split(loop: For, extent: DimLike, kept: set[str]) -> Sequence[Statement]:
    """The parts of a loop; the loop itself where there is nothing to gain. kept: names that stand elsewhere, too."""
    bounds = _range(loop, extent)
    if bounds is None:
        return [loop]
    start, stop = bounds
    known = _linear_names(loop, kept)
    conditions = _conditions(loop.body, known)
    places = sorted({p for p in conditions.values() if start < p < stop})
    if not conditions or len(places) > MOST_PLACES or len(loop.body) * len(places) > MOST_STATEMENTS:
        return [loop]
    parts = []
    for first, end in pairwise([start, *places, stop]):
        body = _needed(_body(loop, conditions, known, kept, first), kept)
        from_: Expr = Literal(first)
        to: Expr = Literal(end)
        if _is_range(loop):
            from_ = loop.start if first == start else larger(loop.start, first)
            to = loop.stop if end == stop else smaller(loop.stop, end)
        parts.append(replace(loop, start=from_, stop=to, body=body))
    return parts


def _body(loop: For, conditions: Collection[Comparison], known: _Known, kept: set[str], first: int) -> list[Statement]:
    """The loop's body with every condition as it is from this iteration on."""

    def decided(part: Expr) -> Expr | None:
        if isinstance(part, Comparison) and part in conditions:
            line = _linear(part.left - part.right, known)
            assert line is not None
            return TRUE if _holds(part.operator, line[0] * first + line[1]) else FALSE
        return None

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
    return body


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


def _linear_names(loop: For, kept: set[str]) -> _Known:
    """The loop's variable and the names that are linear in it and stand nowhere else."""
    known: _Known = {loop.variable.name: (1, 0)}
    for statement in loop.body:
        if isinstance(statement, Let):
            line = _linear(statement.value, known)
            if line is not None and statement.name.name not in kept:
                known[statement.name.name] = line
    return known


def _linear(value: Expr, known: _Known) -> tuple[int, int] | None:
    """(a, b) of a value that is a times the loop's variable plus b."""
    number = _integer(value)
    if number is not None:
        return 0, number
    if isinstance(value, Name):
        return known.get(value.name)
    if isinstance(value, Binary) and value.operator in "+-":
        left, right = _linear(value.left, known), _linear(value.right, known)
        if left is not None and right is not None:
            sign = 1 if value.operator == "+" else -1
            return left[0] + sign * right[0], left[1] + sign * right[1]
    return None


def _conditions(body: Sequence[Statement], known: _Known) -> dict[Comparison, int]:
    """Comparisons that change once along the loop, with the first iteration after that."""
    found: dict[Comparison, int] = {}
    for statement in body:
        if not isinstance(statement, (Let, Store)):
            continue
        for part in walk(statement.value):
            if isinstance(part, Comparison) and part.operator in ("<", "<=", ">", ">="):
                line = _linear(part.left - part.right, known)
                if line is not None and line[0] in (-1, 1):
                    found[part] = _change(part.operator, *line)
    return found


def _change(operator: str, slope: int, offset: int) -> int:
    """The first iteration v from which `slope * v + offset operator 0` is what it stays."""
    zero = -offset * slope  # slope is 1 or -1
    is_after = (operator in (">=", "<")) == (slope == 1)  # whether it changes between v - 1 and v, not v and v + 1
    return zero if is_after else zero + 1


def _holds(operator: str, value: int) -> bool:
    return {"<": value < 0, "<=": value <= 0, ">": value > 0, ">=": value >= 0}[operator]


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
