"""A captured program as steps for a library: state that nothing changes becomes constants, memory gets fixed places.

What needs Python, or memory whose size only a run knows, is refused here, by name and line of the user.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..base.errors import ArgumentError
from ..ir.core import Operation, Program, Value
from ..ir.walk import clone_program
from ..ops.create import ArrayData
from ..ops.dims import Dim, DimLike, evaluate
from ..ops.op import OPS
from ..ops.types import TensorType
from ..passes.manager import PassManager
from ..passes.memory.memory_plan import Lifetime, plan
from ..passes.pipelines import default_pipeline
from ..runtime.schedule.linearise import linearise
from ..runtime.schedule.pipeline import run_schedule
from ..runtime.schedule.program_steps import (
    ARENA,
    CONSTANT,
    Buffer,
    HostCallStep,
    InterpretedStep,
    ListStep,
    ProgramStep,
    RowStep,
    Steps,
)

Array = np.ndarray[Any, Any]
ALIGNMENT = 64
MOST_CORNERS = 12  # symbols of which every combination of least and most size is looked at


@dataclass
class Port:
    """An input or output: its name, type, and the axes whose sizes are open."""

    name: str
    type: TensorType


@dataclass
class Callback:
    """A function of the host's that the program calls. name: as the user gave it; callee: as the program has it."""

    name: str
    callee: str
    inputs: list[TensorType]
    outputs: list[TensorType]


@dataclass
class LibraryPlan:
    """A program with a place for everything it needs.

    limits: the largest size of each symbol. state: initial contents, with their places in the arena. lists: place and
    bytes. start: where these end. places: where buffers that own memory lie behind them, for the largest sizes, lowest
    first; a run with smaller sizes moves them together. bytes: of all, for the largest sizes. weights: the state that
    has become constants, by name.
    """

    name: str
    steps: Steps
    program: Program
    inputs: list[Port]
    outputs: list[Port]
    limits: dict[str, int]
    state: list[tuple[str, Array, int]]
    lists: list[tuple[int, int]]
    callbacks: list[Callback]
    start: int
    places: dict[Buffer, int]
    bytes: int
    weights: dict[str, Array]

    def below(self, buffer: Buffer) -> list[Buffer]:
        """The buffers that lie in front of one and live at the same time, so that it has to stay behind them."""
        found = []
        for other in self.places:
            if other is buffer:
                break
            if other.first <= buffer.last and buffer.first <= other.last:
                found.append(other)
        return found


def plan_library(
    program: Program, weights: Mapping[str, Array], names: Sequence[str], limits: Mapping[str, int], most_items: int,
    callbacks: Sequence[str] = (),
) -> LibraryPlan:  # fmt: skip
    """The plan of a captured program, for the current target. names: of its outputs; callbacks: that C will bind.

    Errors: ArgumentError.
    """
    made = clone_program(program)
    fixed = fix_state(made, weights)
    PassManager(default_pipeline()).run(made)
    steps = run_schedule(linearise(made))
    bound = _bound(steps, callbacks)
    _refuse_python(steps, [one.callee for one in bound])
    known = _checked_limits(program.name, steps, limits)
    inputs = [Port(n, v.tensor_type) for n, v in zip(made.feeds, made.feed_values, strict=True)]
    outputs = [Port(n, v.tensor_type) for n, v in zip(names, made.fetches, strict=True)]
    size, state = 0, []
    for entry in made.state:
        array = np.ascontiguousarray(weights[entry.name])
        state.append((entry.name, array, size))
        size = _aligned(size + array.nbytes)
    lists = []
    for item in _list_items(steps, known):
        lists.append((size, item * most_items))
        size = _aligned(size + item * most_items)
    places, end = _places(steps, known, size)
    return LibraryPlan(program.name, steps, made, inputs, outputs, known, state, lists, bound, size, places, end, fixed)


def fix_state(program: Program, weights: Mapping[str, Array]) -> dict[str, Array]:
    """State that no run changes becomes constants, which passes may fold and pack; gives these by name."""
    changed = {o.operands[0] for o in program.body.operations if o.name == "update"}
    kept, fixed = [], {}
    feeds = len(program.feeds)
    for entry, value in zip(program.state, program.state_values, strict=True):
        if value in changed:
            kept.append((entry, value))
            continue
        data = ArrayData(np.asarray(weights[entry.name], value.dtype.numpy))
        fixed[entry.name] = data.array
        constant = Operation(OPS["constant"], [], {"data": data}, [value.tensor_type])
        program.body.insert(0, constant)
        _replace(value, constant.result)
    program.body.set_args([*program.body.args[:feeds], *(value for _, value in kept)])
    program.state = [entry for entry, _ in kept]
    return fixed


def _replace(old: Value, new: Value) -> None:
    for operation, k in list(old.uses):
        operation.set_operand(k, new)


def callback_name(step: ProgramStep) -> str | None:
    """The name of the callback that a step calls, if it calls one."""
    if isinstance(step, HostCallStep) and step.operation is not None and step.operation.name == "callback":
        return str(step.operation.attrs["callee"])
    return None


def callback_outputs(step: HostCallStep) -> tuple[list[Buffer], list[Buffer]]:
    """What a callback writes, and the handle of what a PyLayer saved, which C has none of."""
    assert step.operation is not None
    hidden = int(step.operation.attrs["form"] != "array")
    count = len(step.outputs) - hidden
    return step.outputs[:count], step.outputs[count:]


def _bound(steps: Steps, names: Sequence[str]) -> list[Callback]:
    """The callbacks of these names, which may leave out the module. Errors: ArgumentError."""
    called: dict[str, HostCallStep] = {}
    for step in steps.steps:
        name = callback_name(step)
        if name is not None and isinstance(step, HostCallStep):
            called.setdefault(name, step)
    found = []
    for name in names:
        callees = [callee for callee in called if f".{callee}".endswith(f".{name}")]
        if len(callees) != 1:
            raise ArgumentError(
                f"the model calls {'several' if callees else 'no'} {name}",
                remedy=f"its callbacks are {', '.join(called) or 'none'}",
            )
        step = called[callees[0]]
        shown, _ = callback_outputs(step)
        found.append(Callback(name, callees[0], [b.kind for b in step.inputs], [b.kind for b in shown]))
    return found


def _refuse_python(steps: Steps, callbacks: Sequence[str]) -> None:
    """ArgumentError for the first step that only Python carries out."""
    for step in steps.steps:
        if isinstance(step, RowStep) and step.operation is not None:
            raise ArgumentError(
                f"an array or list grows while the program runs: only a run knows its size ({step.operation.name})",
                loc=step.operation.loc,
                remedy="write into an array of fixed size, and count how much of it is in use",
            )
        if not isinstance(step, (HostCallStep, InterpretedStep)) or callback_name(step) in callbacks:
            continue
        assert step.operation is not None
        name, attrs = step.operation.name, step.operation.attrs
        what = f"the callback {attrs['callee']}" if name == "callback" else f"the operation {name}"
        why = f": only a run knows its sizes ({step.reason})" if isinstance(step, InterpretedStep) else ""
        raise ArgumentError(
            f"{what} runs in Python, which a library doesn't have{why}", loc=step.operation.loc,
            remedy=f'give callbacks={{"{str(attrs["callee"]).rpartition(".")[2]}": "c"}} and bind it in C'
            if name == "callback"
            else "compute it before the call and pass it as an input, or write it with other operations",
        )  # fmt: skip
    sized = next((s for s in steps.steps if s.words and s.operation is not None), None)
    if sized is not None and sized.operation is not None:
        raise ArgumentError(
            f"only a run knows the sizes of the operation {sized.operation.name}", loc=sized.operation.loc,
            remedy="compute with arrays of fixed size and how much of them counts",
        )  # fmt: skip
    if steps.host_feeds or steps.host_fetches:
        _, value = [*steps.host_feeds, *steps.host_fetches][0]
        raise ArgumentError(
            f"only a run knows the size of {value.hint or 'a result'}: {value.type}",
            remedy="return an array of fixed size and how much of it counts",
        )


def _checked_limits(name: str, steps: Steps, limits: Mapping[str, int]) -> dict[str, int]:
    missing = [s for s in steps.symbols if s not in limits]
    unknown = [s for s in limits if s not in steps.symbols]
    if missing or unknown:
        open_sizes, example = ", ".join(steps.symbols) or "none", ", ".join(f"{s!r}: 64" for s in steps.symbols)
        raise ArgumentError(
            f"{name} has the open sizes {open_sizes}; the limits name {', '.join(limits) or 'none'}",
            remedy=f"give limits={{{example}}}: the library's memory is planned for these",
        )
    wrong = [s for s, most in limits.items() if most < 1]
    if wrong:
        raise ArgumentError(f"the limit of {wrong[0]} is {limits[wrong[0]]}", remedy="give at least 1")
    return dict(limits)


def most_of(size: DimLike, limits: Mapping[str, int]) -> int:
    """The largest value of a size up to the limits, at the corners of what they allow."""
    if not isinstance(size, Dim):
        return size
    symbols = sorted(size.symbols())[:MOST_CORNERS]
    corners = itertools.product(*((0, limits[s]) for s in symbols))
    return max(int(evaluate(size, dict(zip(symbols, corner, strict=True)))) for corner in corners)


def _places(steps: Steps, limits: Mapping[str, int], start: int) -> tuple[dict[Buffer, int], int]:
    """Where buffers lie behind `start`, planned for the largest sizes, and where the last one ends."""
    roots: dict[Buffer, None] = {}
    for buffer in steps.buffers:
        root = buffer.owner()
        if root.role == ARENA:
            roots[root] = None
    sizes = [most_of(b.bytes, limits) for b in roots]
    made = plan([Lifetime(size, b.first, b.last) for b, size in zip(roots, sizes, strict=True)])
    found = sorted(zip(roots, made.offsets, strict=True), key=lambda one: one[1])
    return {buffer: start + offset for buffer, offset in found}, _aligned(start + made.peak)


def _list_items(steps: Steps, limits: Mapping[str, int]) -> list[int]:
    """The largest item of each list, in bytes."""
    items = [0] * steps.lists
    for step in steps.steps:
        if isinstance(step, ListStep) and step.buffer is not None:
            items[step.number] = max(items[step.number], most_of(step.buffer.bytes, limits))
    return items


def _aligned(size: int) -> int:
    return -(-size // ALIGNMENT) * ALIGNMENT


class Constants:
    """The arrays of a library in one piece of memory. symbol: what C calls it. beside: it is a file beside the library.

    Equal ones lie there once; in a file, only those of several plans: other weights then give a file of the same form.

    places: where each array lies, by its id; whoever asks keeps the arrays alive. entries: name, dtype, shape, first
    and last byte of all that lies there, without holes.
    """

    def __init__(self, symbol: str, beside: bool = False) -> None:
        self.symbol, self.beside = symbol, beside
        self.places: dict[int, int] = {}
        self.content = bytearray()
        self.entries: list[tuple[str, str, tuple[int, ...], int, int]] = []
        self._known: dict[bytes, list[int]] = {}

    @property
    def start(self) -> str:
        """Where they begin, as C."""
        return "model->weights" if self.beside else self.symbol

    def add(self, plan: LibraryPlan) -> None:
        """Take in what a plan's steps read, and the first values of its state."""
        roots = [buffer.owner() for buffer in plan.steps.buffers]
        names = {id(array): name for name, array in plan.weights.items()}
        taken: set[int] = set()
        for name, array, _ in plan.state:
            self._place(name, array, taken)
        for root in roots:
            if root.role == CONSTANT and root.data is not None and id(root.data) not in self.places:
                self._place(names.get(id(root.data), root.hint), root.data, taken)

    def _place(self, name: str, array: Array, taken: set[int]) -> None:
        data = array.tobytes()
        known = self._known.setdefault(data, [])
        free = [start for start in known if not (self.beside and start in taken)]
        if not free:
            hole = -len(self.content) % ALIGNMENT
            if hole:
                self.entries.append(("padding", "uint8", (hole,), len(self.content), len(self.content) + hole))
                self.content += bytes(hole)
            first = len(self.content)
            known.append(first)
            free.append(first)
            self.content += data
            self.entries.append((name, str(array.dtype), array.shape, first, len(self.content)))
        self.places[id(array)] = free[0]
        taken.add(free[0])
