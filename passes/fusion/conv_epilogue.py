"""What follows a convolution is done inside it: bias, normalisation by fixed numbers, a residual, relu."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from ...ir.core import Block, Operation, Program, Value
from ...ir.walk import walk
from ...ops.conv_affine import conv2d_affine, conv2d_affine_add
from ...ops.create import ArrayData, constant
from ...ops.dims import same_dim, same_shape
from ...ops.op import OPS
from ...ops.types import TensorType
from ..manager import Pass

MAX_TAPS = 128  # elements of a filter per channel, for which there are kernels with an epilogue


@dataclass(frozen=True)
class ConvEpilogue(Pass):
    """A convolution whose result is used once, by factors and terms per channel, then the sum with an image of its
    shape, then relu, becomes one operation. Reassociates them: (y - m) * s + b is y * s + (b - m * s).
    """

    name = "conv_epilogue"

    def run(self, program: Program) -> bool:
        changed = False
        for operation in list(walk(program.body)):
            if operation.name == "conv2d" and has_fixed_sizes(operation):
                changed |= _fuse_epilogue(operation)
        return changed


def has_fixed_sizes(convolution: Operation) -> bool:
    """Whether all sizes but the batch are known, and positive, and the filters small: there are kernels for these."""
    shapes = [v.tensor_type.shape for v in (*convolution.operands[:2], convolution.result)]
    known = all(isinstance(n, int) and n > 0 for shape in shapes for n in shape[1:])
    kernel = convolution.attrs.get("kernel") or convolution.operands[1].tensor_type.shape[2:]
    return (
        known
        and convolution.result.dtype.short in ("f32", "f64")
        and all(isinstance(n, int) for n in kernel)
        and kernel[0] * kernel[1] <= MAX_TAPS
        and (convolution.name == "conv2d_weight_grad" or isinstance(shapes[1][0], int))
    )


@dataclass
class _Chain:
    """What follows: (op, value per channel) in order, the image to add, relu; the last operation of the chain."""

    last: Operation
    steps: list[tuple[str, Value]] = field(default_factory=list)
    other: Value | None = None
    relu: bool = False


def _fuse_epilogue(convolution: Operation) -> bool:
    chain = _follow(convolution)
    if not chain.steps and chain.other is None and not chain.relu:
        return False
    block = convolution.parent
    assert block is not None
    last = chain.last
    builder = _Before(block, last)
    scale, shift = builder.affine(chain.steps, convolution.result.tensor_type)
    others = [] if chain.other is None else [chain.other]
    row = conv2d_affine_add if others else conv2d_affine
    attrs = {**convolution.attrs, "relu": chain.relu}
    operands = [*convolution.operands, scale, shift, *others]
    made = builder.insert(Operation(row, operands, attrs, [last.result.type], [], last.loc))
    made.hint = last.result.hint
    last.result.replace_by(made)
    return True


def _follow(convolution: Operation) -> _Chain:
    chain, value = _Chain(convolution), convolution.result
    shape = value.tensor_type.shape
    while len(value.uses) == 1 and not chain.relu:
        ((user, number),) = value.uses
        if user.parent is not convolution.parent or not _takes(chain, user, number, value):
            break
        value = user.result
        if not same_shape(value.tensor_type.shape, shape):
            break
        chain.last = user
    return chain


def _takes(chain: _Chain, user: Operation, number: int, value: Value) -> bool:
    """Whether the chain goes on with `user`, whose operand `number` is `value`; notes what it does."""
    if user.op.detaches:
        return True
    if user.name == "relu":
        chain.relu = True
        return True
    known = user.op.is_sum or user.op.is_difference or user.name == "multiply"
    if not known or (user.op.is_difference and number):
        return False
    other = user.operands[1 - number]
    if chain.other is None and _is_per_channel(other, value):
        chain.steps.append((user.name, other))
        return True
    if chain.other is None and user.op.is_sum and same_shape(other.tensor_type.shape, value.tensor_type.shape):
        chain.other = other
        return True
    return False


def _is_per_channel(other: Value, value: Value) -> bool:
    """Whether `other` has one element for each channel of the images `value`."""
    shape = other.tensor_type.shape
    if len(shape) not in (3, 4):
        return False
    channels, *rest = shape[-3:]
    ones = [*rest, *shape[:-3]]
    return same_dim(channels, value.tensor_type.shape[1]) and all(same_dim(d, 1) for d in ones)


class _Before:
    """Puts operations before another one."""

    def __init__(self, block: Block, place: Operation) -> None:
        self.block = block
        self.place = place

    def insert(self, operation: Operation) -> Value:
        return self.block.insert(self.block.operations.index(self.place), operation).result

    def call(self, name: str, *operands: Value) -> Value:
        return self.insert(Operation(OPS[name], list(operands), {}, [operands[0].type], [], self.place.loc))

    def flat(self, value: Value, kind: TensorType) -> Value:
        attrs = {"shape": kind.shape}
        return self.insert(Operation(OPS["reshape"], [value], attrs, [kind], [], self.place.loc))

    def filled(self, number: float, kind: TensorType) -> Value:
        data = ArrayData(np.full([int(d) for d in kind.shape], number, kind.dtype.numpy))
        return self.insert(Operation(constant, [], {"data": data}, [kind], [], self.place.loc))

    def affine(self, steps: list[tuple[str, Value]], images: TensorType) -> tuple[Value, Value]:
        """Factor and term [channels] that do what the steps do."""
        kind = TensorType(images.dtype, (images.shape[1],))
        scale: Value | None = None
        shift: Value | None = None
        for name, value in steps:
            vector = self.flat(value, kind)
            if name == "multiply":
                scale = vector if scale is None else self.call("multiply", scale, vector)
                shift = None if shift is None else self.call("multiply", shift, vector)
            elif shift is None:
                shift = vector if name == "add" else self.call("neg", vector)
            else:
                shift = self.call(name, shift, vector)
        return (
            self.filled(1.0, kind) if scale is None else scale,
            self.filled(0.0, kind) if shift is None else shift,
        )
