"""Values that cross control flow without need: carried ones that never change, or that are equal in every iteration,
and results that both branches agree on.
"""

from __future__ import annotations

from ...ir.core import Block, Operation, Value, is_list


def forward_unchanged(block: Block) -> bool:
    """Let users of such a value read the original; DCE then drops what is carried for nobody."""
    changed = False
    for operation in block.operations:
        if operation.name in ("for", "while"):
            changed |= _forward_of_loop(operation)
            changed |= _merge_equal(operation)
        elif operation.name == "if":
            changed |= _forward_of_if(operation)
        for inner in operation.blocks:
            changed |= forward_unchanged(inner)
    return changed


def _forward_of_loop(operation: Operation) -> bool:
    skip = 1 if operation.name == "for" else 0
    body = operation.blocks[-1]
    changed = False
    for k, result in enumerate(operation.results):
        start, arg = operation.operands[k + skip], body.args[k + skip]
        if is_list(result) or body.yields[k] not in (arg, start) or result.type != start.type or arg.type != start.type:
            continue
        for block in operation.blocks:
            place = k + (skip if block is body else 0)
            users = [(o, i) for o, i in block.args[place].uses if o is not body.terminator or i != k]
            for user, i in users:
                user.set_operand(i, start)
            changed |= bool(users)
        changed |= bool(result.uses)
        for user, i in list(result.uses):
            user.set_operand(i, start)
    return changed


def _merge_equal(operation: Operation) -> bool:
    """Let users of a carried value read another one that starts as the same value and is given on as the same value:
    the two are equal in every iteration.
    """
    skip, body = 1 if operation.name == "for" else 0, operation.blocks[-1]
    first: dict[tuple[Value, Value], int] = {}
    changed = False
    for k, (result, given) in enumerate(zip(operation.results, body.yields, strict=True)):
        start = operation.operands[k + skip]
        same = first.setdefault((start, given), k)
        kinds = (result.type, start.type, body.args[k + skip].type)
        if (
            same == k
            or is_list(result)
            or kinds != (operation.results[same].type, start.type, body.args[same + skip].type)
        ):
            continue
        pairs = [(block.args[k + (skip if block is body else 0)], block.args[same + (skip if block is body else 0)])
                 for block in operation.blocks]  # fmt: skip
        for value, other in (*pairs, (result, operation.results[same])):
            changed |= bool(value.uses)
            value.replace_by(other)
    return changed


def _forward_of_if(operation: Operation) -> bool:
    then, other = operation.blocks
    changed = False
    for result, a, b in zip(operation.results, then.yields, other.yields, strict=True):
        if a is b and result.uses and not is_list(result) and a.type == result.type:
            result.replace_by(a)
            changed = True
    return changed
