"""Lists of eager kernels with few calls: neighbours that NumPy's inner loops can do become one C function.

Only kernels whose parts are known (ops/kernel_parts.py), of few elements: large ones gain nothing, and a native
function keeps the GIL. A loop nest has two levels: sizes that need more stay with NumPy. So do operands whose strides
decide about bits: functions that aren't exact run over contiguous elements only, as in NumPy.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from ...dygraph.stubs import NEW, KernelList, PlanStep, ShortKernel
from ...ops.kernel_parts import Join, Move, Permute, ReduceAxes, parts_of
from ...ops.types import TensorType
from ...runtime.vm.loop_runner import (
    MOST_OPERANDS,
    LoopCall,
    LoopOperand,
    is_possible,
    loop_of,
    make_runner,
    moving_loop,
)

MOST_ELEMENTS = 4096
_ARENA = 1 << 18  # bytes for all that is between the kernels of a call
_EXACT = frozenset((
    np.add, np.subtract, np.multiply, np.divide, np.maximum, np.minimum, np.negative, np.positive, np.absolute,
    np.equal, np.not_equal, np.less, np.less_equal, np.greater, np.greater_equal, np.logical_and, np.logical_or,
))  # fmt: skip
_FOLDS = frozenset((np.add, np.maximum, np.minimum))
_FLOATS = "fd"
_arena = np.zeros(_ARENA + 64, np.uint8)

Shape = tuple[int, ...]


def native(kernels: KernelList) -> KernelList:
    """The same kernels, some of them joined."""
    if not is_possible():
        return kernels
    steps: list[PlanStep] = []
    outside = _read_outside(kernels)
    group = _Group(kernels)
    for number, step in enumerate(kernels.steps):
        if group.take(number, step):
            continue
        steps += group.close(outside)
        steps.append(step)
        group = _Group(kernels)
    steps += group.close(outside)
    return replace(kernels, steps=steps)


def short(kernel: Any, dtypes: Sequence[Any], numbers: Sequence[int], made: np.dtype[Any]) -> ShortKernel | None:
    """An elementwise kernel that is one loop of NumPy, for any one shape of few elements; None where it isn't one.

    dtypes: of its operands; numbers: which of them are single elements.
    """
    parts = parts_of(kernel)
    if not is_possible() or len(parts) != 1 or not isinstance(what := parts[0][0], np.ufunc):
        return None
    arrays: list[Any] = [x for x in parts[0][1] if isinstance(x, np.ndarray)]
    kinds = [x.dtype if isinstance(x, np.ndarray) else dtypes[x] for x in parts[0][1]]
    loop = loop_of(what, tuple([kind.char for kind in (*kinds, made)]))
    repeats = bool(numbers or arrays)
    if loop is None or any(a.size != 1 for a in arrays) or (what not in _EXACT and (repeats or made.kind != "f")):
        return None
    operands, rest = [], iter(range(len(dtypes) + 1, MOST_OPERANDS + len(dtypes)))
    for x, kind in zip(parts[0][1], kinds, strict=True):
        held = isinstance(x, np.ndarray)
        operands.append(LoopOperand(next(rest) if held else x, 0 if held or x in numbers else kind.itemsize))
    call = LoopCall(*loop, [*operands, LoopOperand(len(dtypes), made.itemsize)], 0)
    places = [0] * (len(dtypes) + 1) + [a.ctypes.data for a in arrays]
    return ShortKernel(make_runner([call], places, arrays, measured=True), made, MOST_ELEMENTS, tuple(numbers))


def _read_outside(kernels: KernelList) -> dict[int, list[int]]:
    """slot -> numbers of the steps that read it; the end counts as a step."""
    found: dict[int, list[int]] = {}
    for number, step in enumerate(kernels.steps):
        for slot in step.places:
            found.setdefault(slot, []).append(number)
    for slot in kernels.returned:
        found.setdefault(slot, []).append(len(kernels.steps))
    return found


class _Refusal(Exception):
    """These operands stay with NumPy."""


@dataclass(frozen=True)
class _Buffer:
    """Elements of a dtype, contiguous in a shape."""

    name: Any  # a slot, or ("part", number)
    shape: Shape
    dtype: np.dtype[Any]


@dataclass(frozen=True)
class _Nest:
    """Calls of one loop, with names of buffers in place of their numbers."""

    loop: tuple[int, int]
    operands: tuple[tuple[Any, int, int, int], ...]  # buffer, inner stride, stride from call to call, offset
    count: int
    outer: int


@dataclass
class _Group:
    """Neighbouring steps that become one function."""

    kernels: KernelList
    numbers: list[int] = field(default_factory=list)
    nests: list[_Nest] = field(default_factory=list)
    made: dict[Any, _Buffer] = field(default_factory=dict)  # what the group computes, by name
    aliases: dict[int, tuple[int, PlanStep]] = field(default_factory=dict)  # slot -> the slot whose memory it has
    constants: dict[Any, Any] = field(default_factory=dict)

    def take(self, number: int, step: PlanStep) -> bool:
        """Whether the step becomes part of the group."""
        parts = parts_of(step.kernel) if step.kernel is not None else ((Move.VIEW, (0,)),)
        if not parts or type(step.to) is not int or self._size(step.to) > MOST_ELEMENTS:
            return False
        before = len(self.nests), dict(self.made)
        try:
            if parts[0][0] is Move.VIEW:
                self.aliases[step.to] = step.places[0], step
            else:
                self._nest_all(step, parts)
        except _Refusal:
            del self.nests[before[0] :]
            self.made = before[1]
            return False
        self.numbers.append(number)
        return True

    def _size(self, slot: int) -> int:
        kind = self.kernels.types.get(slot)
        shape = None if kind is None else _known(kind)
        return MOST_ELEMENTS + 1 if shape is None else math.prod(shape)

    def _nest_all(self, step: PlanStep, parts: Sequence[Any]) -> None:
        """The loops of a step. Errors: _Refusal."""
        assert type(step.to) is int
        found: list[_Buffer] = []
        for k, (what, places) in enumerate(parts):
            operands = [self._operand(p, step.places, found) for p in places]
            name = step.to if k == len(parts) - 1 else ("part", step.to, k)
            kind = self.kernels.types[step.to] if k == len(parts) - 1 else None
            self.nests += _nests(what, operands, made := _result(what, operands, name, kind), self._constant)
            found.append(made)
            self.made[name] = made

    def _operand(self, place: Any, slots: Sequence[int], found: list[_Buffer]) -> _Buffer:
        if isinstance(place, np.ndarray):
            return self._constant(place)
        if place < 0:
            before: _Buffer = found[-1 - place]
            return before
        slot = slots[place]
        kind = self.kernels.types.get(slot)
        shape = None if kind is None else _known(kind)
        if kind is None or shape is None or not 0 < math.prod(shape) <= MOST_ELEMENTS:
            raise _Refusal
        return _Buffer(self.root(slot), shape, kind.dtype.numpy)

    def _constant(self, array: Any) -> _Buffer:
        name = ("constant", len(self.constants))
        self.constants[name] = array
        return _Buffer(name, array.shape, array.dtype)

    def root(self, slot: int) -> int:
        """The slot whose memory a slot has."""
        while slot in self.aliases:
            slot = self.aliases[slot][0]
        return slot

    def close(self, readers: Mapping[int, list[int]]) -> list[PlanStep]:
        """The steps that stand for those of the group."""
        steps = [self.kernels.steps[k] for k in self.numbers]
        if not self.nests:
            return steps
        last = self.numbers[-1]
        wanted = [s for step in steps if type(s := step.to) is int and any(r > last for r in readers.get(s, ()))]
        outputs = {slot: self.made[slot] for slot in wanted if slot in self.made}
        holders = {slot: slot for slot in outputs}  # buffer -> the slot that has it outside
        again: list[PlanStep] = []  # views that are asked for later
        for slot in [s for s in wanted if s in self.aliases]:
            root = self.root(slot)
            if root in self.made and root not in holders:  # nobody else asks for the memory: it is made in this shape
                outputs[slot] = replace(self.made[root], shape=_known(self.kernels.types[slot]) or ())
                holders[root] = slot
            else:
                again.append(replace(self.aliases[slot][1], places=(holders.get(root, root),)))
        reads = [op[0] for nest in self.nests for op in nest.operands]
        inputs = sorted({n for n in reads if type(n) is int and n not in self.made and n not in self.kernels.constants})
        if not outputs or self._arena_size(outputs) > _ARENA:
            return steps
        kinds = tuple([(b.shape, b.dtype) for b in outputs.values()])
        run = self._runner(inputs, [b.name for b in outputs.values()])
        return [PlanStep(run, tuple(inputs), tuple(outputs), NEW, True, kinds), *again]

    def _arena_size(self, outputs: Mapping[int, _Buffer]) -> int:
        there = {b.name for b in outputs.values()}
        return sum(_padded(b) for name, b in self.made.items() if name not in there)

    def _runner(self, inputs: Sequence[int], outputs: Sequence[int]) -> Any:
        """The function of the inputs' and the outputs' arrays."""
        slots: dict[Any, int] = {name: k for k, name in enumerate([*inputs, *outputs])}
        places = [0] * len(slots)
        kept: list[Any] = [_arena]
        at = -(-_arena.ctypes.data // 64) * 64
        for name, buffer in self.made.items():
            if name not in slots:
                slots[name] = len(places)
                places.append(at)
                at += _padded(buffer)
        for name in dict.fromkeys(op[0] for nest in self.nests for op in nest.operands):
            if name not in slots:
                array = self.constants[name] if name in self.constants else self.kernels.constants[name]
                kept.append(array := np.ascontiguousarray(array).reshape(array.shape))
                slots[name] = len(places)
                places.append(array.ctypes.data)
        calls = []
        for nest in self.nests:
            operands = [LoopOperand(slots[name], inner, step, offset) for name, inner, step, offset in nest.operands]
            calls.append(LoopCall(*nest.loop, operands, nest.count, nest.outer))
        return make_runner(calls, places, kept)


def _known(kind: TensorType) -> Shape | None:
    """The sizes of a type; None where one is known to a run only."""
    sizes = [d for d in kind.shape if isinstance(d, int)]
    return tuple(sizes) if len(sizes) == len(kind.shape) else None


def _padded(buffer: _Buffer) -> int:
    return -(-math.prod(buffer.shape) * buffer.dtype.itemsize // 64) * 64


def _result(what: Any, operands: Sequence[_Buffer], name: Any, kind: TensorType | None) -> _Buffer:
    """Where a part's result is. kind: of the whole kernel's, for its last part."""
    if kind is not None:
        shape = _known(kind)
        if shape is None or 0 in shape:
            raise _Refusal
        return _Buffer(name, shape, kind.dtype.numpy)
    x = operands[0]
    if isinstance(what, ReduceAxes):
        rest = enumerate(x.shape)
        left = [1 if k in what.axis else d for k, d in rest if what.keepdim or k not in what.axis]
        return _Buffer(name, tuple(left), x.dtype)
    return _Buffer(name, np.broadcast_shapes(*(o.shape for o in operands)), x.dtype)


def _nests(what: Any, operands: list[_Buffer], made: _Buffer, constant: Any) -> list[_Nest]:
    if isinstance(what, ReduceAxes):
        return _fold(what, operands[0], made, constant)
    if isinstance(what, (Permute, Join)):
        return _moves(what, operands, made)
    if isinstance(what, Move):
        size = made.dtype.itemsize
        chosen = operands[1:] if what is Move.CHOOSE else operands
        if size not in (1, 2, 4, 8) or any(o.dtype != made.dtype for o in chosen):
            raise _Refusal
        if what is Move.CHOOSE and operands[0].dtype != np.bool_:
            raise _Refusal
        return [_nest(moving_loop(size, what is Move.CHOOSE), operands, made)]
    loop = loop_of(what, tuple([o.dtype.char for o in operands] + [made.dtype.char]))
    if loop is None:
        raise _Refusal
    if what not in _EXACT and any(o.shape != made.shape for o in operands):
        raise _Refusal
    return [_nest(loop, operands, made)]


def _moves(what: Permute | Join, operands: Sequence[_Buffer], made: _Buffer) -> list[_Nest]:
    """Copies between axes in another order, or side by side."""
    size = made.dtype.itemsize
    if size not in (1, 2, 4, 8) or any(o.dtype != made.dtype for o in operands):
        raise _Refusal
    loop, nests, at = moving_loop(size), [], 0
    if isinstance(what, Permute):
        (x,) = operands
        strides = _strides(x, x.shape)
        pairs = zip([strides[p] for p in what.perm], _strides(made, made.shape), strict=True)
        columns: list[tuple[int, ...]] = list(pairs)
        return [_deep(loop, (x.name, made.name), made.shape, columns)]
    for x in operands:
        rows = math.prod(x.shape[: what.axis])
        count = math.prod(x.shape[what.axis :])
        width = math.prod(made.shape[what.axis :])
        places = (x.name, size, count * size, 0), (made.name, size, width * size, at * size)
        nests.append(_Nest(loop, places, count, rows))
        at += count
    return nests


def _nest(loop: tuple[int, int], operands: Sequence[_Buffer], made: _Buffer) -> _Nest:
    """An elementwise loop. Errors: _Refusal for sizes that need a deeper nest."""
    rows = [_strides(o, made.shape) for o in (*operands, made)]
    return _deep(loop, [o.name for o in (*operands, made)], made.shape, list(zip(*rows, strict=True)))


def _deep(loop: tuple[int, int], names: Sequence[Any], shape: Shape, strides: list[tuple[int, ...]]) -> _Nest:
    """The nest of a shape; strides: of each axis, one per operand. Errors: _Refusal where two levels aren't enough."""
    sizes, columns = _joined(shape, strides)
    if len(sizes) > 2:
        raise _Refusal
    outer, count = (1, *sizes)[-2:] if sizes else (1, 1)
    inner = columns[-1] if columns else (0,) * len(names)
    step = columns[-2] if len(columns) > 1 else (0,) * len(names)
    places = zip(names, inner, step, (0,) * len(names), strict=True)
    return _Nest(loop, tuple(places), count, outer)


def _strides(buffer: _Buffer, shape: Shape) -> list[int]:
    """Bytes from element to element of each axis of a larger shape; 0 where the buffer is repeated."""
    strides, step = [0] * len(shape), buffer.dtype.itemsize
    lead = len(shape) - len(buffer.shape)
    if lead < 0:
        raise _Refusal
    for k in reversed(range(len(buffer.shape))):
        if buffer.shape[k] not in (1, shape[lead + k]):
            raise _Refusal
        strides[lead + k] = step if buffer.shape[k] > 1 else 0
        step *= buffer.shape[k]
    return strides


def _joined(shape: Shape, columns: list[tuple[int, ...]]) -> tuple[list[int], list[tuple[int, ...]]]:
    """Sizes and strides without axes of size 1; neighbours are one where all operands go on from one to the next."""
    sizes: list[int] = []
    found: list[tuple[int, ...]] = []
    for size, column in zip(shape, columns, strict=True):
        if size == 1:
            continue
        if sizes and all(a == b * size for a, b in zip(found[-1], column, strict=True)):
            sizes[-1], found[-1] = sizes[-1] * size, column
        else:
            sizes.append(size)
            found.append(column)
    return sizes, found


def _fold(what: ReduceAxes, x: _Buffer, made: _Buffer, constant: Any) -> list[_Nest]:
    """A reduction over the last axes, the first ones, or all, after those of size 1 are gone."""
    if what.ufunc not in _FOLDS or x.dtype.char not in _FLOATS or made.dtype != x.dtype:
        raise _Refusal
    axis = {a % len(x.shape) for a in what.axis}
    groups: list[tuple[bool, int]] = []
    for k, size in enumerate(x.shape):
        if size > 1:
            if groups and groups[-1][0] == (k in axis):
                groups[-1] = groups[-1][0], groups[-1][1] * size
            else:
                groups.append((k in axis, size))
    if len(groups) > 2 or not any(folded for folded, _ in groups):
        raise _Refusal  # of single elements: what NumPy does with an empty loop
    loop, size = loop_of(what.ufunc, (x.dtype.char,) * 3), x.dtype.itemsize
    if loop is None:
        raise _Refusal
    kept = math.prod(n for folded, n in groups if not folded)
    folded = math.prod(n for f, n in groups if f)
    behind = groups[-1][0]  # the folded axes are the last ones
    first = _first_of(what.ufunc, x.dtype)
    skip = int(first is None)
    if first is None:
        start = (x.name, folded * size if behind else size, 0, 0)
    else:
        start = (constant(first).name, 0, 0, 0)
    begin = _Nest(moving_loop(size), (start, (made.name, size, 0, 0)), kept, 1)
    count, outer = folded - skip, kept
    if behind:  # one call for each result
        one, each = (made.name, 0, size, 0), (x.name, size, folded * size, skip * size)
    else:  # one call for each row of elements
        count, outer = kept, folded - skip
        one, each = (made.name, size, 0, 0), (x.name, size, kept * size, skip * kept * size)
    return [begin, _Nest(loop, (one, each, one), count, outer)]


def _first_of(ufunc: np.ufunc, dtype: np.dtype[Any]) -> Any:
    """What NumPy begins a reduction with; None for the first element."""
    if ufunc is not np.add:
        return None
    negative = np.signbit(np.add.reduce(np.array([-0.0, -0.0], dtype)))
    return np.array(-0.0 if negative else 0.0, dtype)
