"""A `.pdmodel`: PaddlePaddle's ProgramDesc, a protobuf message, as a Model.

Source: the field numbers of paddle/fluid/framework/framework.proto.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from .paddle_model import Block, Model, ModelStep, Variable, dtype_of
from .wire import Wire

_LOD_TENSOR = 7
_MOST_DEPTH = 64  # of blocks in blocks

# AttrType -> how a message of that type gives its value
_VALUES: dict[int, Callable[[Wire], Any]] = {
    0: lambda a: _int32(a.whole(3)),
    1: lambda a: a.floats(4)[-1] if a.floats(4) else 0.0,
    2: lambda a: a.text(5),
    3: lambda a: [_int32(v) for v in a.ints(6)],
    4: lambda a: a.floats(7),
    5: lambda a: a.texts(8),
    6: lambda a: bool(a.whole(10)),
    7: lambda a: [bool(v) for v in a.ints(11)],
    8: lambda a: a.whole(12),
    9: lambda a: a.whole(13),
    10: lambda a: a.ints(14),
    11: lambda a: a.ints(15),
    12: lambda a: a.floats(16, "d"),
    13: lambda a: a.text(17),
    14: lambda a: a.texts(18),
    15: lambda a: a.floats(19, "d")[-1] if a.floats(19, "d") else 0.0,
    16: lambda a: _scalar(a.message(20)),
    17: lambda a: [_scalar(s) for s in a.messages(21)],
}


def _int32(value: int) -> int:
    return value - 2**32 if 2**31 <= value < 2**32 else value


def _scalar(s: Wire) -> Any:
    kind = s.whole(1)
    if kind == 1:
        return bool(s.whole(2))
    if kind == 2:
        return s.whole(3)
    if kind == 3:
        return s.floats(4, "d")[-1] if s.floats(4, "d") else 0.0
    parts = s.message(5)
    return complex(*(parts.floats(k, "d")[-1] if parts.floats(k, "d") else 0.0 for k in (1, 2)))


def read_desc(where: str, data: bytes) -> Model:
    """The program of a `.pdmodel`. Errors: ArtifactError for damaged data, DTypeError for unknown element types."""
    program = Wire(where, data)
    blocks = program.messages(1)
    if not blocks:
        program.fail("it has no block")
    kinds = {v.text(1): v for b in blocks for v in b.messages(3)}
    root = _Blocks(program, blocks).read(0, 0)
    feeds: dict[int, str] = {}
    fetches: dict[int, str] = {}
    steps = []
    for step in root.steps:
        if step.kind == "feed":
            feeds[int(step.attributes.get("col", 0))] = _single(program, step.outputs, "Out")
        elif step.kind == "fetch":
            fetches[int(step.attributes.get("col", 0))] = _single(program, step.inputs, "X")
        else:
            steps.append(step)
    root.steps = steps
    fixed = set(_statistics(root))
    parameters = {}
    for name, variable in kinds.items():
        if variable.whole(3) and variable.message(2).whole(1) == _LOD_TENSOR:
            parameters[name] = _variable(program, variable, name not in fixed)
    unknown = [name for name in feeds.values() if name not in kinds]
    if unknown:
        program.fail(f"there is no variable {unknown[0]!r}")
    return Model(
        "old",
        [_variable(program, kinds[feeds[k]]) for k in sorted(feeds)],
        [fetches[k] for k in sorted(fetches)],
        parameters,
        root,
    )


def _single(program: Wire, slots: dict[str, list[str]], slot: str) -> str:
    names = slots.get(slot, [])
    if len(names) != 1:
        program.fail(f"a feed or fetch with {len(names)} variables")
    return names[0]


def _statistics(block: Block) -> Iterator[str]:
    """What training doesn't move: the file doesn't say so."""
    for step in block.steps:
        for slot in ("Mean", "Variance") if step.kind in ("batch_norm", "sync_batch_norm") else ():
            yield from step.inputs.get(slot, [])
        for inner in step.blocks:
            yield from _statistics(inner)


def _variable(program: Wire, v: Wire, trainable: bool = False) -> Variable:
    name, tensor = v.text(1), v.message(2).message(3).message(1)
    shape = tuple(tensor.ints(2))
    if any(d < -1 for d in shape):
        program.fail(f"{name} has the shape {list(shape)}")
    kind = tensor.whole(1, -1)
    return Variable(name, shape, dtype_of(kind, name), trainable)


class _Blocks:
    """Blocks by number; a step's blocks are read with it."""

    def __init__(self, program: Wire, blocks: list[Wire]) -> None:
        self.program, self.blocks = program, blocks

    def read(self, number: int, depth: int) -> Block:
        """A block and those in it."""
        if not 0 <= number < len(self.blocks) or depth > _MOST_DEPTH:
            self.program.fail(f"there is no block {number}, or it is inside of itself")
        return Block(steps=[self._step(o, depth) for o in self.blocks[number].messages(4)])

    def _step(self, o: Wire, depth: int) -> ModelStep:
        attributes, inner = {}, []
        for a in o.messages(4):
            kind = a.whole(2)
            if kind not in _VALUES:
                o.fail(f"an attribute of the type {kind}")
            attributes[a.text(1)] = _VALUES[kind](a)
            if kind == 8 and a.text(1) == "sub_block":
                inner.append(self.read(a.whole(12), depth + 1))
        return ModelStep(o.text(3), _slots(o, 1), _slots(o, 2), attributes, tuple(inner))


def _slots(o: Wire, number: int) -> dict[str, list[str]]:
    return {s.text(1): s.texts(2) for s in o.messages(number)}
