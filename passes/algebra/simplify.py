"""Algebra as pairs (before, after), each exact to the bit for every input, NaN, infinities and signed zeros included.

What is *not* here, and why: `x + 0.0` is x but for x = -0.0; `x * 0.0` isn't 0 for NaN and infinities; `x - x` neither;
`sum` over an axis of one element turns -0.0 into 0.0; `x / c` is not `x * (1 / c)`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ...base.dtype import ALL, FLOATS, INTEGERS, NUMBERS, bool_, int32, int64
from ...ir.core import Program
from ...ops.op import OPS
from ..loops.carried_values import forward_unchanged
from ..manager import Pass
from .rules import Rule, Table, rule
from .view_rules import VIEWS

Pair = tuple[Any, Any]


@rule(dtypes=NUMBERS)
def double_negation(x: Any) -> Pair:
    """The sign is flipped twice."""
    return OPS["neg"](-x), x


@rule(dtypes=NUMBERS)
def times_one(x: Any) -> Pair:
    """One is neutral, also for NaN."""
    return x * 1, x


@rule(dtypes=NUMBERS)
def times_minus_one(x: Any) -> Pair:
    """The product only flips the sign."""
    return x * -1, -x


@rule(dtypes=FLOATS)
def over_one(x: Any) -> Pair:
    """One is neutral on the right."""
    return x / 1, x


@rule(dtypes=[int32, int64])
def plus_zero(x: Any) -> Pair:
    """Integers only: -0.0 + 0.0 is 0.0. (Sums of narrower integers are int32.)"""
    return x + 0, x


@rule(dtypes=FLOATS)
def plus_minus_zero(x: Any) -> Pair:
    """-0.0 is the neutral element of floating-point sums."""
    return x + (-0.0), x


@rule(dtypes=NUMBERS)
def minus_zero(x: Any) -> Pair:
    """-0.0 - 0.0 is -0.0."""
    return x - 0, x


@rule(dtypes=NUMBERS)
def plus_negated(x: Any, y: Any) -> Pair:
    """The difference is defined as this sum."""
    return x + -y, x - y


@rule(dtypes=NUMBERS)
def minus_negated(x: Any, y: Any) -> Pair:
    """Two flips of the sign."""
    return x - -y, x + y


@rule(dtypes=NUMBERS)
def product_of_negated(x: Any, y: Any) -> Pair:
    """The sign of a product is the product of the signs."""
    return -x * -y, x * y


@rule(dtypes=NUMBERS)
def absolute_twice(x: Any) -> Pair:
    """Nothing is left to do."""
    return abs(abs(x)), abs(x)


@rule(dtypes=NUMBERS)
def absolute_of_negated(x: Any) -> Pair:
    """The sign doesn't matter."""
    return abs(-x), abs(x)


@rule(dtypes=NUMBERS)
def square_of_negated(x: Any) -> Pair:
    """The sign doesn't matter."""
    return OPS["square"](-x), OPS["square"](x)


@rule(dtypes=FLOATS)
def relu_twice(x: Any) -> Pair:
    """Nothing is left to do."""
    return OPS["relu"](OPS["relu"](x)), OPS["relu"](x)


@rule(dtypes=FLOATS)
def floor_twice(x: Any) -> Pair:
    """Nothing is left to do."""
    return OPS["floor"](OPS["floor"](x)), OPS["floor"](x)


@rule(dtypes=FLOATS)
def ceil_twice(x: Any) -> Pair:
    """Nothing is left to do."""
    return OPS["ceil"](OPS["ceil"](x)), OPS["ceil"](x)


@rule(dtypes=NUMBERS)
def maximum_of_same(x: Any) -> Pair:
    """Of two equal ones either is the larger; NaN stays NaN."""
    return OPS["maximum"](x, x), x


@rule(dtypes=NUMBERS)
def minimum_of_same(x: Any) -> Pair:
    """Of two equal ones either is the smaller; NaN stays NaN."""
    return OPS["minimum"](x, x), x


@rule(dtypes=[bool_])
def not_not(x: Any) -> Pair:
    """Two negations."""
    return OPS["logical_not"](OPS["logical_not"](x)), x


@rule(dtypes=[bool_])
def and_of_same(x: Any) -> Pair:
    """Both or neither."""
    return OPS["logical_and"](x, x), x


@rule(dtypes=[bool_])
def or_of_same(x: Any) -> Pair:
    """Both or neither."""
    return OPS["logical_or"](x, x), x


@rule(dtypes=INTEGERS)
def flipped_twice(x: Any) -> Pair:
    """Every bit is flipped twice."""
    return ~~x, x


@rule(dtypes=ALL)
def choice_of_same(c: bool, x: Any) -> Pair:
    """The condition doesn't matter."""
    return OPS["where"](c, x, x), x


@rule(dtypes=ALL)
def choice_of_first(x: Any, y: Any) -> Pair:
    """The condition is known."""
    return OPS["where"](True, x, y), x


@rule(dtypes=ALL)
def choice_of_second(x: Any, y: Any) -> Pair:
    """The condition is known."""
    return OPS["where"](False, x, y), y


@rule(dtypes=ALL)
def choice_by_negated(c: bool, x: Any, y: Any) -> Pair:
    """Swap the two instead."""
    return OPS["where"](OPS["logical_not"](c), x, y), OPS["where"](c, y, x)


@rule(dtypes=ALL)
def copy(x: Any) -> Pair:
    """Values don't change: a copy is the value."""
    return OPS["assign"](x), x


@rule(dtypes=ALL)
def other_gradient(x: Any, y: Any) -> Pair:
    """It has been differentiated by now."""
    return OPS["straight_through"](x, y), y


ALGEBRA: tuple[Rule, ...] = (
    double_negation, times_one, times_minus_one, over_one, plus_zero, plus_minus_zero, minus_zero, plus_negated,
    minus_negated, product_of_negated, absolute_twice, absolute_of_negated, square_of_negated, relu_twice, floor_twice,
    ceil_twice, maximum_of_same, minimum_of_same, not_not, and_of_same, or_of_same, flipped_twice, choice_of_same,
    choice_of_first, choice_of_second, choice_by_negated, copy, other_gradient,
)  # fmt: skip


@dataclass(frozen=True)
class Simplify(Pass):
    """Apply the tables of algebra and of views until nothing fits, and drop carried values that never change. Exact:
    results keep every bit. `rules` are the user's own, tried first.
    """

    name = "simplify"
    rules: tuple[Rule, ...] = ()

    def run(self, program: Program) -> bool:
        table = Table((*self.rules, *ALGEBRA), VIEWS) if self.rules else _TABLE
        changed = False
        for _ in range(_MOST_ROUNDS):
            again = table.apply(program.body)
            again |= forward_unchanged(program.body)
            if not again:
                break
            changed = True
        return changed


_MOST_ROUNDS = 4  # what is left after so many waits for the next run of the pass
_TABLE = Table(ALGEBRA, VIEWS)
