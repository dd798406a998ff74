"""Two carried values that an iteration only reads as their sum, and one of which is 0 from then on: one is carried.

The gradient of an array that a loop fills comes from behind the loop and from later iterations; as two arrays they
would be added, whole, in each iteration, which makes the gradient of T steps cost T arrays of T rows.
"""

from __future__ import annotations

from ...ir.builder import insert_before
from ...ir.core import Operation, Value, is_list
from ...ir.known_numbers import literal_number
from ...ops.dims import same_shape
from ...ops.op import OPS
from .loop_indices import trip_count_of


def merge_carried_sums(loop: Operation) -> bool:
    """Carry such sums of a `for`. What is 0 is left out of them: -0.0 stays, which 0.0 would turn into 0.0."""
    body, changed = loop.blocks[0], False
    for total in list(body.operations):
        if total.op.is_sum and not is_list(total.result):
            changed |= any(_merge(loop, total, a, b) for a, b in (total.operands, reversed(total.operands)))
    return changed


def _merge(loop: Operation, total: Operation, fading: Value, kept: Value) -> bool:
    k, j, body = _place(loop, fading, total), _place(loop, kept, total), loop.blocks[0]
    if k is None or j is None or k == j:
        return False
    kinds = [v.type for v in (fading, kept, total.result, loop.results[k], loop.results[j])]
    if any(kind != kinds[0] for kind in kinds) or not _is_zeros(body.yields[k], fading):
        return False
    after = _only_sum(loop.results[k], loop.results[j])
    count = trip_count_of(loop)
    if after is None and not (isinstance(count, int) and count > 0):
        return False  # without an iteration both are what they were, each on its own
    starts = [loop.operands[k + 1], loop.operands[j + 1]]
    loop.set_operand(j + 1, _sum_of(loop, total, *starts))
    total.result.replace_by(kept)
    total.erase()
    if after is not None:
        after.result.replace_by(loop.results[j])
        after.erase()
    return True


def _place(loop: Operation, value: Value, reader: Operation) -> int | None:
    """Which carried value this is, if only one operation reads it, and once."""
    args = loop.blocks[0].args
    if value not in args[1:] or [user for user, _ in value.uses] != [reader]:
        return None
    return args.index(value) - 1


def _is_zeros(value: Value, like: Value) -> bool:
    made = value.operation
    number = made.attrs["fill_value"] if made is not None and made.name == "full" else literal_number(value)
    return number == 0 and same_shape(value.tensor_type.shape, like.tensor_type.shape)


def _only_sum(a: Value, b: Value) -> Operation | None:
    """The sum of both, if nothing else reads them."""
    users = {user for value in (a, b) for user, _ in value.uses}
    (one,) = users if len(users) == 1 else (None,)
    fits = one is not None and one.op.is_sum and set(one.operands) == {a, b}
    return one if fits and one is not None and one.result.type == a.type else None


def _sum_of(loop: Operation, total: Operation, a: Value, b: Value) -> Value:
    for one, other in ((a, b), (b, a)):
        if _is_zeros(one, other):
            return other
    return insert_before(loop, OPS[total.name], [a, b], dict(total.attrs))
