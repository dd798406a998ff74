"""Attention written out in simple ops becomes the row `attention`: matmuls, scale, masks and softmax in one kernel.

Where the program holds the gradient already (a training step), its part of it becomes `attention_grad`.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field

from ...ir.builder import ahead_of
from ...ir.core import Block, Operation, Program, Value
from ...ir.known_numbers import literal_number
from ...ir.walk import walk
from ...ops.attention import refusal
from ...ops.dims import same_shape
from ...ops.op import OPS
from ...ops.types import Shape, TensorType
from ..algebra.dce import DeadCode
from ..algebra.simplify import Simplify
from ..manager import Pass

_SWAP_HEADS = (0, 2, 1, 3)


@dataclass(frozen=True)
class MatchAttention(Pass):
    """Find `softmax(q kᵀ * scale + mask) v`, with or without its gradient, and put `attention` for it.

    Taken: a factor or divisor that is one number; then one mask, added or chosen by `where` with -inf; arrays of rank 3
    or 4, also as transposes of [batch, length, heads, size]. Not where something else reads the scores or the weights.
    """

    name = "match_attention"

    def run(self, program: Program) -> bool:
        changed = False
        for operation in [o for o in walk(program.body) if _is_softmax(o)]:
            found = _read(operation)
            if isinstance(found, _Attention):
                _replace(found)
                changed = True
        if changed:
            Simplify().run(program)
            DeadCode().run(program)
        return changed


def apart(block: Block) -> dict[Operation, str]:
    """For matmuls around a softmax of a block that stay apart from it: why, in words."""
    why: dict[Operation, str] = {}
    for operation in block.operations:
        if _is_softmax(operation):
            found = _read(operation)
            if isinstance(found, _Refused):
                why.update(dict.fromkeys(found.matmuls, found.reason))
    return why


# ---- reading


@dataclass
class _Attention:
    """softmax(scores) v: the operands as they stand, and what becomes of them."""

    block: Block
    loc_of: Operation
    out: Operation
    q: Value
    k: Value
    v: Value
    transposed: bool  # k is [.., size, keys]
    scale: float = 1.0
    mask: Value | None = None
    inverted: bool = False  # where the mask is true, none may look
    inside: set[Operation] = field(default_factory=set)
    gradient: _Gradient | None = None


@dataclass
class _Gradient:
    """The gradients of q, k and v as matmuls, and the gradient that they start from."""

    g: Value
    to_q: Operation
    to_k: Operation
    to_v: Operation


@dataclass(frozen=True)
class _Refused:
    matmuls: tuple[Operation, ...]
    reason: str


def _is_softmax(operation: Operation) -> bool:
    """Whether this is the division at the end of a softmax over the last axis."""
    return operation.name == "divide" and _softmax_source(operation) is not None


def _softmax_source(division: Operation) -> Value | None:
    """The scores of a softmax."""
    weights, total = division.operands
    exp, total_of = weights.operation, total.operation
    if exp is None or exp.name != "exp" or total_of is None or not _folds_last(total_of, "sum", weights):
        return None
    shifted = exp.operands[0].operation
    if shifted is None or not shifted.op.is_difference:
        return None
    top = _behind(shifted.operands[1]).operation
    if top is None or not _folds_last(top, "max", shifted.operands[0]):
        return None
    return shifted.operands[0]


def _folds_last(operation: Operation, name: str, source: Value) -> bool:
    attrs = operation.attrs
    if operation.name != name or operation.operands[0] is not source:
        return False
    return tuple(attrs["axis"]) == (source.ndim - 1,) and bool(attrs["keepdim"])


def _behind(value: Value) -> Value:
    """The value itself behind `stop_gradient`: gradients were taken, or it is a maximum, which takes none."""
    while value.operation is not None and value.operation.op.detaches:
        value = value.operation.operands[0]
    return value


def _users(value: Value) -> Iterator[Operation]:
    """Who reads a value, also through `stop_gradient`."""
    for user, _ in value.uses:
        if user.op.detaches:
            yield from _users(user.result)
        else:
            yield user


def _read(division: Operation) -> _Attention | _Refused | None:
    """What a softmax is part of; None where it isn't attention at all."""
    block = division.parent
    source = _softmax_source(division)
    direct = [user for user, _ in division.result.uses]  # what stops the gradient of weights must go on doing so
    outs = [u for u in direct if _is_matmul(u, False) and u.operands[0] is division.result]
    if block is None or source is None or not outs or outs[0].attrs["transpose_y"]:
        return None
    out = outs[0]
    made = _Attention(block, division, out, source, source, out.operands[1], False)
    matmul = _follow_scores(made, source)
    if isinstance(matmul, str):
        return _Refused((out,), matmul)
    if matmul is None:
        return None
    made.q, made.k = matmul.operands
    made.transposed = not matmul.attrs["transpose_y"]
    made.inside |= {division, matmul, *(v.operation for v in (division.operands[1],) if v.operation is not None)}
    reason = _misfit(made) or _other_readers(made, division, matmul)
    return made if reason is None else _Refused((matmul, out), reason)


def _is_matmul(operation: Operation, transposed_x: bool) -> bool:
    return operation.op.is_contraction and bool(operation.attrs["transpose_x"]) == transposed_x


def _follow_scores(made: _Attention, value: Value) -> Operation | str | None:
    """From softmax back to the matmul, through masks and factors; a reason in words where that isn't possible."""
    scaled = False
    while (operation := value.operation) is not None and operation.parent is made.block:
        made.inside.add(operation)
        if _is_matmul(operation, False):
            return operation
        inner = _unmasked(made, operation)
        if inner is not None:
            if scaled:
                return "the mask comes before the scale"
            value = inner
            continue
        number = _factor(operation)
        if number is None:
            return None
        value, factor = number
        made.scale, scaled = made.scale * factor, True
    return None


def _unmasked(made: _Attention, operation: Operation) -> Value | None:
    """The scores before a mask, which is noted; None where the operation is none, or a second one."""
    if operation.name == "where":
        choice, first, second = operation.operands
        for inner, other, inverted in ((first, second, False), (second, first, True)):
            if (
                literal_number(other) == -math.inf
                and made.mask is None
                and same_shape(inner.shape, operation.result.shape)
            ):
                made.mask, made.inverted = choice, inverted
                return inner
        return None
    if not operation.op.is_sum or made.mask is not None:
        return None
    for inner, other in (operation.operands, operation.operands[::-1]):
        if _leads_to_matmul(inner, made.block) and same_shape(inner.shape, operation.result.shape):
            made.mask = other
            return inner
    return None


def _leads_to_matmul(value: Value, block: Block) -> bool:
    operation = value.operation
    while operation is not None and operation.parent is block and (step := _factor(operation)) is not None:
        operation = step[0].operation
    return operation is not None and operation.parent is block and operation.op.is_contraction


def _factor(operation: Operation) -> tuple[Value, float] | None:
    """What a multiplication or division by one number scales, and by how much."""
    if operation.name not in ("multiply", "divide"):
        return None
    pairs = [operation.operands, operation.operands[::-1]][: 1 if operation.name == "divide" else 2]
    for value, other in pairs:
        number = literal_number(other)
        if number is not None and value.ndim and math.isfinite(number) and number:
            return value, number if operation.name == "multiply" else 1.0 / number
    return None


def _misfit(made: _Attention) -> str | None:
    """Why the operands don't suit the row."""
    q, k, v = made.q, made.k, made.v
    if q.ndim not in (3, 4) or not q.ndim == k.ndim == v.ndim:
        return "queries, keys and values must have three or four axes"
    keys = (*k.shape[:-2], k.shape[-1], k.shape[-2]) if made.transposed else k.shape
    if not all(same_shape(a, b) for a, b in ((q.shape[:-2], keys[:-2]), (keys, v.shape))):
        return "queries, keys and values must have the same leading axes, and keys the shape of values"
    kinds = [TensorType(x.dtype, _four(s)) for x, s in ((q, q.shape), (k, keys), (v, v.shape))]
    mask = made.mask
    mask_kind = None if mask is None else TensorType(mask.dtype, _mask_shape(mask, q.ndim))
    return refusal(kinds[0], kinds[1], kinds[2], mask_kind, 1)


def _four(shape: Shape) -> Shape:
    """[batch, length, size] with one head."""
    return shape if len(shape) == 4 else (shape[0], 1, *shape[1:])


def _mask_shape(mask: Value, rank: int) -> Shape:
    """Of a mask for scores of rank 3 or 4, as the row takes it."""
    shape = tuple(mask.shape)
    return _four(shape) if rank == mask.ndim == 3 else (*[1] * (4 - mask.ndim), *shape)


def _other_readers(made: _Attention, division: Operation, matmul: Operation) -> str | None:
    """Why what is inside can't go: something outside reads it that isn't its gradient."""
    exp = division.operands[0].operation
    assert exp is not None
    shifted = exp.operands[0].operation
    assert shifted is not None
    made.inside |= {exp, shifted}
    top = _behind(shifted.operands[1]).operation
    if top is not None:
        made.inside.add(top)
    outside = [
        user for o in made.inside for user in _users(o.result) if user not in made.inside and user is not made.out
    ]
    if not outside:
        return None
    found = _gradient(made, division, matmul)
    if found is None:
        return "something else reads the scores or the weights"
    made.gradient, allowed = found
    if any(user not in allowed for user in outside):
        return "something else reads the scores or the weights"
    return None


def _gradient(made: _Attention, division: Operation, matmul: Operation) -> tuple[_Gradient, set[Operation]] | None:
    """The gradient as autodiff writes it, with all operations that belong to it; None where it looks otherwise."""
    to_v = [u for u in _users(division.result) if _is_matmul(u, True) and _behind(u.operands[0]) is division.result]
    if len(to_v) != 1 or to_v[0].attrs["transpose_y"]:
        return None
    g = to_v[0].operands[1]
    arriving = [
        u for u in _users(made.v)
        if _is_matmul(u, False) and u.attrs["transpose_y"] and _behind(u.operands[0]) is _behind(g)
    ]  # fmt: skip
    for start in arriving:
        steps = _softmax_gradient(division, start)
        if steps is None:
            continue
        last = _back_to_matmul(made, matmul, steps[-1])
        if last is None:
            continue
        to_q, to_k = _last_matmuls(made, last[-1])
        if to_q is not None and to_k is not None:
            inner = {start, *steps, *last}
            allowed = inner | {to_q, to_k, to_v[0]}
            if all(user in allowed for o in inner for user in _users(o.result)):
                return _Gradient(_behind(g), to_q, to_k, to_v[0]), allowed
    return None


def _one(value: Value, name: str, *others: Value) -> Operation | None:
    """The operation of a name that reads exactly these, in any order where that doesn't matter."""
    for user in _users(value):
        given = [_behind(v) for v in user.operands]
        wanted = [_behind(value), *map(_behind, others)]
        if user.name == name and (given == wanted or (user.op.commutative and given[::-1] == wanted)):
            return user
    return None


def _softmax_gradient(division: Operation, start: Operation) -> list[Operation] | None:
    """From the gradient of the weights to that of the scores: (g / s + sum(-g p / s)) e for p = e / s."""
    weights, total = division.operands
    share, minus = _one(start.result, "divide", total), _one(start.result, "neg")
    if share is None or minus is None:
        return None
    steps = [share, minus]
    for name, others in (("multiply", (division.result,)), ("divide", (total,))):
        found = _one(steps[-1].result, name, *others)
        if found is None:
            return None
        steps.append(found)
    last_axis = (weights.ndim - 1,)
    row = next((u for u in _users(steps[-1].result) if u.name == "sum" and tuple(u.attrs["axis"]) == last_axis), None)
    if row is None:
        return None
    steps.append(row)
    for name in ("reshape", "broadcast_to"):
        more = next((u for u in _users(steps[-1].result) if u.name == name), None)
        steps += [] if more is None else [more]
    both = _one(share.result, "add", steps[-1].result)
    last = None if both is None else _one(both.result, "multiply", weights)
    return None if both is None or last is None else [*steps, both, last]


def _back_to_matmul(made: _Attention, matmul: Operation, last: Operation) -> list[Operation] | None:
    """The scale and the mask, backwards."""
    steps = [last]
    path: list[Operation] = []  # from the scores to the matmul
    value = _scores_of(made)
    while value.operation is not matmul:
        operation = value.operation
        assert operation is not None
        path.append(operation)
        value = next(v for v in operation.operands if v.operation in made.inside)
    for operation in path:
        if operation.op.is_sum:
            continue
        users = [u for u in _users(steps[-1].result) if u.name == operation.name]
        if len(users) != 1 or not _mirrors(users[0], operation, steps[-1].result):
            return None
        steps.append(users[0])
    return steps


def _scores_of(made: _Attention) -> Value:
    source = _softmax_source(made.loc_of)
    assert source is not None
    return source


def _mirrors(user: Operation, operation: Operation, value: Value) -> bool:
    """Whether `user` does to the gradient `value` what belongs to `operation`: the same factor, 0 where it hid."""
    hides = operation.name == "where"
    for mine, other in zip(user.operands, operation.operands, strict=True):
        if _behind(mine) is _behind(value):
            if hides and literal_number(other) == -math.inf:
                return False
        elif mine is not other and literal_number(mine) != (0.0 if hides else literal_number(other)):
            return False
    return True


def _last_matmuls(made: _Attention, last: Operation) -> tuple[Operation | None, Operation | None]:
    """The matmuls that give the gradients of q and k."""
    to_q = to_k = None
    q = _behind(made.q)
    for user in _users(last.result):
        if not user.op.is_contraction:
            continue
        x, y = (_behind(v) for v in user.operands)
        flags = bool(user.attrs["transpose_x"]), bool(user.attrs["transpose_y"])
        slopes = _behind(last.result)
        if x is slopes and y is _behind(made.k) and flags == (False, made.transposed):
            to_q = user
        elif flags == (True, False) and (x, y) in ((q, slopes), (slopes, q)):
            to_k = user
    return to_q, to_k


# ---- replacing


class _View:
    """An operand as the row takes it: [batch, length, heads, size] if it is a transpose of that, else heads first."""

    def __init__(self, value: Value, transposed: bool = False) -> None:
        self.value, self.transposed = value, transposed
        self.rank = value.ndim
        maker = value.operation
        is_transpose = maker is not None and maker.name == "transpose"
        order = tuple(maker.attrs["perm"]) if maker is not None and is_transpose else tuple(range(self.rank))
        if transposed:
            order = (*order[:-2], order[-1], order[-2])
        self.source = maker.operands[0] if maker is not None and is_transpose else value
        self.heads_last = self.rank == 4 and order == _SWAP_HEADS

    def taken(self, heads: int) -> Value:
        """The value in the row's order (under an active builder)."""
        if heads == 2:
            return self.source
        value = self.value
        if self.transposed:
            value = OPS["transpose"](value, (*range(self.rank - 2), self.rank - 1, self.rank - 2))
        made: Value = value if self.rank == 4 else OPS["reshape"](value, _four(tuple(value.shape)))
        return made


def _given(value: Value, heads: int, rank: int, transposed: bool = False) -> Value:
    """A result of the row in the order that the program had."""
    made: Value = value
    if heads == 2:
        made = OPS["transpose"](made, (0, 2, 3, 1) if transposed else _SWAP_HEADS)
    elif rank == 3:
        b, _, n, d = made.shape
        made = OPS["reshape"](made, (b, n, d))
    if transposed and heads == 1:
        made = OPS["transpose"](made, (*range(rank - 2), rank - 1, rank - 2))
    return made


def _replace(made: _Attention) -> None:
    views = [_View(made.q), _View(made.k, made.transposed), _View(made.v)]
    rank = made.q.ndim
    heads = 2 if all(v.heads_last for v in views) else 1
    builder = ahead_of(made.out)
    attrs = {"scale": made.scale, "causal": False, "heads": heads}
    with builder.active():
        taken = [v.taken(heads) for v in views]
        masks = _mask(made, rank)
        out, sums = OPS["attention"](*taken, masks, **attrs)
        result = _given(out, heads, rank)
    result.hint = made.out.result.hint
    made.out.result.replace_by(result)
    found = made.gradient
    if found is None:
        return
    order = made.block.operations
    builder.before = min((found.to_q, found.to_k, found.to_v), key=order.index)
    builder.loc = builder.before.loc
    with builder.active():
        g = found.g
        if heads == 2:
            g = OPS["transpose"](g, _SWAP_HEADS)
        elif rank == 3:
            g = OPS["reshape"](g, _four(tuple(g.shape)))
        grads = OPS["attention_grad"](g, *taken, out, sums, masks, **attrs)
        transposed = _behind(found.to_k.operands[0]) is _behind(made.q)
        parts = [(found.to_q, False), (found.to_k, transposed), (found.to_v, False)]
        for (operation, is_transposed), gradient in zip(parts, grads, strict=True):
            given = _given(gradient, heads, rank, is_transposed)
            for user, _ in list(operation.result.uses):
                if user.op.detaches:  # it is a gradient: nothing differentiates it any more
                    user.result.replace_by(given)
            operation.result.replace_by(given)


def _mask(made: _Attention, rank: int) -> list[Value]:
    mask = made.mask
    if mask is None:
        return []
    if made.inverted:
        mask = OPS["logical_not"](mask)
    if mask.ndim < 4:
        mask = OPS["reshape"](mask, _mask_shape(mask, rank))
    return [mask]
