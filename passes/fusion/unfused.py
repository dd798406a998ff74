"""What fusion left apart, and by which rule: for each value that goes from one kernel to the next through memory.

It groups a program as the fusion pass does and then asks that pass's own predicates about every pair of neighbours.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ...base.location import Loc
from ...base.target import current_target
from ...ir.core import Block, Operation, Program, Value
from ...ir.dynamic_sizes import is_dynamic
from ...ir.walk import clone_program
from ...ops.control import call
from ...ops.effects import Effect
from ...ops.infer import show_shape
from ...ops.lowering import Custom, Library
from ...ops.types import TensorType
from ..manager import PassManager
from ..pipelines import default_pipeline
from .contractions import takes_epilogue
from .fuse import MAX_OPERATIONS, Fusion, Unit, joint_domain, joint_rows, users_of
from .fusion_facts import alias_offset, changes_only_ones, folds_transposed, innermost_reduced, is_free, is_native
from .match_attention import apart

RULES: dict[str, tuple[str, str]] = {
    "control flow": (
        "a kernel doesn't reach into or out of an `if` or a loop",
        "move what only the branch or loop body uses into it",
    ),
    "exchange": ("the ranks of a run exchange arrays in between", "nothing: the order of exchanges is fixed"),
    "callback": ("Python runs in between", "write it with tensor operations instead of a PyLayer or py_func"),
    "library call": ("a library routine reads and writes whole arrays in memory", ""),
    "epilogue": ("only elementwise operations that read a matmul can be its epilogue", ""),
    "own loop nest": ("the operation has a loop nest of its own that takes nothing in", ""),
    "no native code": ("NumPy runs this operation", ""),
    "dtype": ("kernels don't know this dtype", "cast to float32 before, and back after"),
    "run-time size": ("only the run knows how large it is", "use vt.where with a mask of fixed size if you can"),
    "long kernel": (f"together they have more than {MAX_OPERATIONS} operations", ""),
    "complete result": ("the value is complete only after the whole sweep over its operand", ""),
    "other axes": ("the two reduce along different axes", "reduce along the same axes, or along one of them first"),
    "other iteration space": ("the two run over different shapes", ""),
    "transposed": ("rows of a transposed array lie apart in memory, which a kernel of its own transposes", ""),
    "other rows": ("the reader needs results of rows other than the one at hand", ""),
    "several places": ("the reader takes it at several places, and would compute it for each", ""),
    "cycle": ("each would have to wait for the other, through what stands between them", ""),
    "attention": ("the matmul and the softmax beside it are no attention", ""),
    "order": ("neither could take the other in when it was visited", ""),
}


@dataclass(frozen=True, slots=True)
class Apart:
    """Two neighbours that are no single kernel: what they do, the type of what goes between them, the rule (a key of
    RULES) with what it depends on here, and the reader's line.
    """

    producer: str
    consumer: str
    value: str
    rule: str
    detail: str
    loc: Loc

    @property
    def why(self) -> str:
        """What the rule says."""
        return RULES[self.rule][0]

    @property
    def edit(self) -> str:
        """What one can change about it; empty where nothing."""
        return RULES[self.rule][1]

    def __str__(self) -> str:
        place = f" ({self.loc.short()})" if self.loc.file else ""
        detail = f" ({self.detail})" if self.detail else ""
        edit = f"; {self.edit}" if self.edit else ""
        return f"{self.producer} | {self.consumer}{place}: {self.rule}{detail}: {self.why}{edit}"


def unfused(program: Program) -> list[Apart]:
    """Neighbours in a captured program that the default pipeline leaves in kernels of their own, in program order.

    Views and constants cost no kernel and are not listed; neither are updates of state.
    """
    prepared = clone_program(program)
    passes = default_pipeline()
    last = max(k for k, item in enumerate(passes) if item.name == "fuse")
    PassManager(passes[:last]).run(prepared)
    return [apart for block in _blocks(prepared.body) for apart in _in_block(block)]


def _blocks(block: Block) -> Iterator[Block]:
    yield block
    for operation in block.operations:
        for inner in operation.blocks:
            yield from _blocks(inner)


def _in_block(block: Block) -> Iterator[Apart]:
    fusion = Fusion(block)
    fusion.gather()
    seen: set[tuple[Unit, Unit]] = set()
    for operation in block.operations[:-1]:
        consumer = fusion.unit[operation]
        for value in _read_through_views(operation):
            maker = value.operation
            producer = fusion.unit.get(maker) if maker is not None else None
            if producer is None or producer is consumer or (producer, consumer) in seen:
                continue
            seen.add((producer, consumer))
            if not _is_kernel(producer) or not _is_kernel(consumer) or not (producer.fusible or consumer.fusible):
                continue
            rule, detail = _rule(fusion, producer, consumer)
            yield Apart(_words(producer), _words(consumer), str(value.type), rule, detail, operation.loc)


def _read_through_views(operation: Operation) -> Iterator[Value]:
    """What an operation reads, with what stands behind views of it."""
    inner = [v for block in operation.blocks for o in block.operations for v in o.operands]
    for value in dict.fromkeys([*operation.operands, *inner]):
        found = value
        while found.operation is not None and _is_view(found.operation):
            found = found.operation.operands[0]
        yield found


def _is_view(operation: Operation) -> bool:
    return alias_offset(operation) is not None or changes_only_ones(operation)


def _is_kernel(unit: Unit) -> bool:
    """Whether a unit does work of its own."""
    first = unit.operations[0]
    return len(unit.operations) > 1 or not (is_free(first) or _is_view(first) or first.op.effect is Effect.STATE)


def _words(unit: Unit) -> str:
    names = list(dict.fromkeys(o.name for o in unit.operations if not is_free(o)))
    return ", ".join(names[:4]) + (f", … ({len(unit.operations)})" if len(names) > 4 else "")


def _rule(fusion: Fusion, producer: Unit, consumer: Unit) -> tuple[str, str]:
    """The rule that keeps two neighbours apart, with what it depends on here."""
    for one, other in ((producer, consumer), (consumer, producer)):
        if one.operations[0].op.is_contraction and any(o.name == "exp" for o in other.operations):
            why = apart(fusion.block).get(one.operations[0])
            if why is not None:
                return "attention", why
    if takes_epilogue(producer.operations[0]) and not producer.fusible:
        return "epilogue", fusion.keeps_apart(producer, consumer)
    if takes_epilogue(consumer.operations[0]) and not consumer.fusible:
        return "epilogue", "a matmul reads the elements of its factors many times"
    for unit in (producer, consumer):
        if not unit.fusible:
            return _alone(unit.operations[0])
    count = len(producer.operations) + len(consumer.operations)
    if count > MAX_OPERATIONS:
        return "long kernel", f"{count}"
    shape = joint_domain(producer, consumer)
    if shape is None:
        return _no_joint_domain(fusion, producer, consumer)
    if fusion.reaches(producer, consumer, direct=False):
        return "cycle", ""
    if fusion.repeats(producer, consumer):
        return "several places", ""
    domain, axes = shape
    if joint_rows(fusion, producer, consumer, domain, axes) is None:
        return "other rows", ""
    return "order", ""


def _alone(operation: Operation) -> tuple[str, str]:
    """Why an operation takes part in no kernel but its own."""
    if operation.name == "callback":
        return "callback", str(operation.attrs["callee"])
    if operation.blocks or operation.op is call or operation.name.startswith("list_"):
        return "control flow", f"`{operation.name}`"
    if operation.op.effect is Effect.CALLBACK:
        return "callback", operation.name
    if operation.op.effect is Effect.COLLECTIVE:
        return "exchange", operation.name
    if is_dynamic(operation):
        return "run-time size", operation.name
    if isinstance(operation.op.lowering, Library):
        return "library call", operation.name
    if not is_native(operation):
        kinds = [v.type for v in (*operation.operands, *operation.results)]
        named = [k.dtype.short for k in kinds if isinstance(k, TensorType) and not k.dtype.is_native]
        return "dtype", ", ".join(dict.fromkeys(named))
    if isinstance(operation.op.lowering, Custom):
        return "own loop nest", operation.name
    return "no native code", operation.name


def _no_joint_domain(fusion: Fusion, producer: Unit, consumer: Unit) -> tuple[str, str]:
    if producer.axes is not None and not innermost_reduced(producer.domain, producer.axes):
        return "complete result", ""
    if producer.axes is not None and consumer.axes is not None and producer.axes != consumer.axes:
        return "other axes", f"{_tuple(producer.axes)} and {_tuple(consumer.axes)}"
    if folds_transposed(producer.operations, consumer.domain, consumer.axes):
        return "transposed", ""
    shapes = f"{show_shape(producer.domain)} and {show_shape(consumer.domain)}"
    if producer.axes is not None:
        return "other iteration space", shapes
    readers = {id(fusion.unit.get(u, u)) for o in producer.operations for u in users_of(o, fusion.block)}
    if len(readers) > 1:
        return "other iteration space", f"{shapes}; {len(readers)} kernels read it, so it isn't computed in each"
    if producer.cost > current_target().costs.duplicated:
        return "other iteration space", f"{shapes}; too dear to compute for each element that is read"
    return "other iteration space", shapes


def _tuple(axes: tuple[int, ...]) -> str:
    return f"({', '.join(map(str, axes))})"
