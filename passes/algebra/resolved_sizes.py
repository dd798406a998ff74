"""A size that the run finds, but of which only one number fits what is done with the array, is that number.

`bincount(x, minlength=256) * levels` fits for 256 levels only if the largest element is below 256. That is checked
where the size is found, and then kernels know all sizes: no step waits for one.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import islice

from ...ir.builder import ahead_of
from ...ir.core import Operation, Program, Value
from ...ir.known_numbers import literal_number
from ...ir.walk import put_sizes, walk
from ...ops.dims import Dim, DimLike, same_dim
from ...ops.effects import Effect
from ...ops.lowering import Scalar
from ...ops.op import OPS
from ..manager import Pass

_FAR = 40  # operations behind the one that names a size among which one is looked for that fits one number only


@dataclass(frozen=True)
class ResolvedSizes(Pass):
    """Replace sizes that `bind_size` names by the only number that the operations behind it allow, and check that it is
    this one. Effects keep their place before the error: behind one, and in programs that write state, whose place in
    the user's code a program doesn't tell, nothing is replaced.
    """

    name = "resolved_sizes"

    def run(self, program: Program) -> bool:
        found = False
        if any(o.op.effect is Effect.STATE for o in walk(program.body)):
            return False
        for operation in [o for o in program.body.operations if o.name == "bind_size"]:
            (size,) = operation.attrs["defines"]
            resolved = _resolved(operation, size)
            if resolved is None:
                continue
            reader, number = resolved
            builder = ahead_of(operation)
            builder.loc = reader.loc
            value = operation.operands[0]
            shapes = " and ".join(str(list(v.tensor_type.shape)) for v in reader.operands)
            with builder.active():
                fits = OPS["equal"](value, builder.constant(number, value.dtype))
                text = f"{reader.name}: of the shapes {shapes}, whose size {size} the run finds, only {number} fits"
                builder.check(fits, text, "ShapeError")
            operation.result.replace_by(value)
            operation.erase()
            put_sizes(program, {str(size): number})
            found = True
        return found


def _resolved(bound: Operation, size: Dim) -> tuple[Operation, int] | None:
    """The first operation that only one size fits, and that size."""
    following = iter(bound.parent.operations if bound.parent is not None else ())
    for operation in following:
        if operation is bound:
            break
    for operation in islice(following, _FAR):
        if operation.op.effect is not Effect.PURE or operation.blocks:
            return None
        number = _number(operation, size, _least(bound.operands[0]))
        if number is not None:
            return operation, number
    return None


def _number(operation: Operation, size: Dim, least: int) -> int | None:
    shapes = [v.tensor_type.shape for v in operation.operands]
    if operation.name == "reshape":
        return _of_elements(shapes[0], operation.result.tensor_type.shape, size)
    if operation.op.is_contraction and len(shapes) == 2 and "transpose_x" in operation.attrs:
        x, y = shapes
        inner = x[-2 if operation.attrs["transpose_x"] else -1]
        other = y[-1 if len(y) == 1 or operation.attrs["transpose_y"] else -2]
        return _other(size, (inner, other), 0)
    if not isinstance(operation.op.lowering, Scalar) or least < 2:  # a size of 1 fits all
        return None
    rank = max(map(len, shapes))
    axes = ([s[k - rank] for s in shapes if len(s) >= rank - k] for k in range(rank))
    return next((n for dims in axes if (n := _other(size, dims, 2)) is not None), None)


def _other(size: Dim, dims: Iterable[DimLike], least: int) -> int | None:
    """The known one among sizes that must be the same as `size`, which is one of them."""
    dims = list(dims)
    if not any(same_dim(d, size) for d in dims):
        return None
    return next((d for d in dims if isinstance(d, int) and d >= least), None)


def _of_elements(before: Iterable[DimLike], after: Iterable[DimLike], size: Dim) -> int | None:
    total, rest, places = 1, 1, 0
    for d in after:
        if not isinstance(d, int):
            return None
        total *= d
    for d in before:
        if isinstance(d, int):
            rest *= d
        elif same_dim(d, size):
            places += 1
        else:
            return None
    return total // rest if places == 1 and rest and total % rest == 0 else None


def _least(value: Value) -> int:
    """What a size is at least, given that it isn't negative."""
    number, operation = literal_number(value), value.operation
    if number is not None or operation is None:
        return int(number or 0)
    if operation.name == "maximum":
        return max(map(_least, operation.operands))
    if operation.name != "where":
        return 0
    test, a, b = operation.operands
    return _least(b) if _is_negative(test, a) else min(_least(a), _least(b))


def _is_negative(test: Value, value: Value) -> bool:
    """Whether a test says that a value is below 0."""
    operation = test.operation
    if operation is None or operation.name != "less_than" or literal_number(operation.operands[1]) != 0:
        return False
    return _whole(operation.operands[0]) is _whole(value)


def _whole(value: Value) -> Value:
    """The integer that was cast to another type."""
    operation = value.operation
    cast = operation is not None and operation.name == "cast" and operation.operands[0].dtype.is_integer
    return operation.operands[0] if cast and operation is not None else value
