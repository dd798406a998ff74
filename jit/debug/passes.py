"""Each pass between two runs of the interpreter: the first pass, rule and operation after which a value differs."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from ...base.dtype import int64
from ...base.errors import VitrifyError
from ...base.flags import flags
from ...ir.core import Operation, Program, Value
from ...ir.interpret import interpret
from ...ir.printer import print_program
from ...ir.verifier import verify
from ...ir.walk import clone_program, walk
from ...ops.create import ArrayData
from ...ops.types import TensorType
from ...passes.algebra.rules import gated
from ...passes.autodiff.residuals import CarriedLoop
from ...passes.manager import Pass
from ..call.array_lists import CALLBACKS
from .comparison import Deviation, deviation, largest_ulp
from .results import Difference, Stage
from .trail import Callbacks, Trail

Array = np.ndarray[Any, Any]
NUDGES = 5
AMPLE = 64.0  # kernels round more often than five nudges show


@dataclass(frozen=True)
class CheckInputs:
    """Arrays to run a program on, its callbacks, how far results may be apart, and the schedule of what is compiled."""

    feeds: Sequence[Array]
    state: Sequence[Array]
    callbacks: Callbacks
    tolerance: float
    schedule: tuple[str, ...] | None = field(default_factory=lambda: flags.schedule)

    def run(self, program: Program) -> list[Array]:
        """Fetches, then the state afterwards, by the interpreter."""
        fetched, after = interpret(program, self.feeds, self.state, self.callbacks)
        return [*without_handles(program, fetched), *map(np.array, after)]

    def noise(self, program: Program) -> list[Array]:
        """How far each element of the results moves when the float inputs move by their last bit, many times over.

        Elements that rounding alone decides (a difference of equal numbers, a comparison at its edge) move a lot.
        """
        expected = self.run(program)
        worst = [np.zeros(a.shape) for a in expected]
        rng = np.random.default_rng(0)
        for _ in range(NUDGES):
            moved = replace(
                self, feeds=[_nudged(a, rng) for a in self.feeds], state=[_nudged(a, rng) for a in self.state]
            )
            try:
                found = moved.run(program)
            except Exception:  # broad: a check, or a callback of the user's, may not like other inputs
                break
            for k, (a, b) in enumerate(zip(expected, found, strict=True)):
                if a.shape == b.shape:
                    worst[k] = np.maximum(worst[k], _moved(a, b))
        return [AMPLE * np.maximum(w, _usual(w)) for w in worst]

    def difference(
        self, program: Program, expected: Sequence[Any], found: Sequence[Any]
    ) -> tuple[int, Deviation] | None:  # fmt: skip
        """The first result of the program that deviates by more than rounding explains: its number and how."""
        wrong = first_deviation(expected, found, self.tolerance)
        return wrong and first_deviation(expected, found, self.tolerance, self.noise(program))

    def trail(self, program: Program) -> Trail:
        """The whole run of the interpreter."""
        return Trail.of(program, self.feeds, self.state, self.callbacks)


def without_handles(program: Program, fetched: Sequence[Any]) -> list[Array]:
    """Fetches, with zeros for those that number a call of a PyLayer: each run has another number."""
    return [
        np.zeros_like(array) if _is_handle(value) else np.array(array)
        for value, array in zip(program.fetches, fetched, strict=True)
    ]


def _is_handle(value: Value) -> bool:
    """Whether a value numbers a call of a PyLayer, or a list that a loop fills for its gradient."""
    maker = value.operation
    if maker is None or value.type != TensorType(int64, ()):
        return False
    if maker.name in ("for", "while"):
        return _is_handle(CarriedLoop(maker).inits[value.index])
    if maker.name != "callback":
        return False
    return maker.attrs["callee"] in CALLBACKS or (maker.attrs["form"] != "array" and value is maker.results[-1])


def result_names(program: Program) -> list[str]:
    """What messages call the fetches, then the state entries."""
    names = program.fetch_names or [f"result {k}" for k in range(len(program.fetches))]
    return [*names, *(entry.name for entry in program.state)]


def _usual(noise: Array) -> float:
    """What the elements of one result move by on average: a few nudges may miss some of them."""
    finite = noise[np.isfinite(noise)]
    return float(finite.mean()) if finite.size else 0.0


def _nudged(array: Array, rng: np.random.Generator) -> Array:
    if array.dtype.kind != "f":
        return array
    with np.errstate(all="ignore"):
        moved = array * (1.0 + np.finfo(array.dtype).eps * rng.choice([-1.0, 1.0], array.shape))
    return np.asarray(moved, array.dtype)


def _moved(a: Array, b: Array) -> Array:
    if a.dtype.kind not in "fc":
        return np.where(a == b, 0.0, np.inf)
    with np.errstate(all="ignore"):
        apart = np.abs(a.astype(np.complex128) - b.astype(np.complex128))
    return np.where((a == b) | (np.isnan(a) & np.isnan(b)), 0.0, np.where(np.isfinite(apart), apart, np.inf))


def first_deviation(
    expected: Sequence[Any], found: Sequence[Any], tolerance: float, noise: Sequence[Any] | None = None
) -> tuple[int, Deviation] | None:  # fmt: skip
    """The first array that deviates: its number and how."""
    for k, (a, b) in enumerate(zip(expected, found, strict=True)):
        apart = deviation(a, b, tolerance, 0.0 if noise is None else noise[k])
        if apart is not None:
            return k, apart
    return None


def check_passes(
    program: Program, passes: Sequence[Pass], inputs: CheckInputs, label: str
) -> Iterator[tuple[Stage, Difference | None]]:  # fmt: skip
    """Run the passes on `program`, in place; for each, how far it is off, and what differs if it does.

    A program that a pass leaves as it was isn't run again: what it gives is known.
    """
    expected = inputs.run(program)
    checked: tuple[str, list[ArrayData]] | None = None
    worst = 0.0
    for item in passes:
        start = time.perf_counter()
        before = clone_program(program)
        mapping: dict[Value, Value] = {}
        trial = clone_program(program, mapping)
        name = f"{label}: after {item.name}"
        try:
            changed = item.run(trial)
            if not changed and _whole(trial) == checked:
                yield Stage(name, worst, time.perf_counter() - start), None
                continue
            verify(trial)
            found = inputs.run(trial)
            worst = max([largest_ulp(a, b) for a, b in zip(expected, found, strict=True)], default=0.0)
        except Exception as error:  # broad: whatever a pass raises, or what it left raises, names the pass
            stage = Stage(name, float("inf"), time.perf_counter() - start)
            yield stage, _failed(before, item, inputs, name, error)
            return
        stage = Stage(name, worst, time.perf_counter() - start)
        wrong = inputs.difference(program, expected, found)
        if wrong is not None:
            yield stage, _located(program, trial, mapping, item, inputs, name, wrong)
            return
        yield stage, None
        checked = _whole(trial)
        if changed:
            program.body = trial.body
            program.body.parent = program
            program.constraints, program.state, program.feeds = trial.constraints, trial.state, trial.feeds


def _whole(program: Program) -> tuple[str, list[ArrayData]]:
    """All that a program consists of: equal for programs that give the same."""
    constants: dict[str, ArrayData] = {}
    return print_program(program, constants=constants), list(constants.values())


def _located(
    before: Program, after: Program, mapping: dict[Value, Value], item: Pass, inputs: CheckInputs, name: str,
    wrong: tuple[int, Deviation],
) -> Difference:  # fmt: skip
    """The first value that the pass has changed, in the order in which the program before it runs."""
    old, new = inputs.trail(before), inputs.trail(after)
    pairs = _pairs(before, after, mapping)
    rule = culprit(before, item, lambda p: inputs.difference(before, old_results(before, old), inputs.run(p)) is None)
    runs: dict[Operation, int] = {}
    for event in old.events:
        iteration = runs[event.operation] = runs.get(event.operation, -1) + 1
        if event.operation.blocks:
            continue  # what differs inside is named
        for k, value in enumerate(event.operation.results):
            counterpart = pairs.get(value)
            if counterpart is None or counterpart not in new.values:
                continue
            others = new.values[counterpart]
            apart = deviation(event.made[k], others[min(iteration, len(others) - 1)], inputs.tolerance)
            if apart is not None:
                became = counterpart.operation.name if counterpart.operation is not None else "an argument"
                return Difference(
                    stage=name, operation=event.operation.name, loc=event.operation.loc, deviation=apart,
                    pass_name=item.name, rule=rule, became=became, where=event.where, result=k,
                    program=before, event=event, passes=(item,),
                )  # fmt: skip
    number, apart = wrong
    made = before.fetches[number] if number < len(before.fetches) else None
    source = made.operation if made is not None else None
    return Difference(
        stage=name, operation=source.name if source else result_names(before)[number],
        loc=source.loc if source else None, deviation=apart, pass_name=item.name, rule=rule, program=before,
        passes=(item,),
    )  # fmt: skip


def old_results(program: Program, trail: Trail) -> list[Array]:
    """Fetches, then the state afterwards."""
    return [*without_handles(program, trail.fetched), *trail.after]


def _failed(before: Program, item: Pass, inputs: CheckInputs, name: str, error: Exception) -> Difference:
    """A pass that fails, or after which the program isn't valid or doesn't run."""

    def is_fine(program: Program) -> bool:
        try:
            verify(program)
            inputs.run(program)
        except Exception:  # broad: as in check_passes
            return False
        return True

    known = error if isinstance(error, VitrifyError) else None
    return Difference(
        stage=name, operation=type(error).__name__, loc=known.loc if known else None, deviation=None,
        pass_name=item.name, rule=culprit(before, item, is_fine), program=before, passes=(item,),
        note=known.message if known else str(error),
    )  # fmt: skip


def culprit(program: Program, item: Pass, is_fine: Callable[[Program], bool]) -> str | None:
    """The rule whose application by the pass makes the program wrong, found by halving; None if it isn't a rule's."""

    def run(limit: int) -> tuple[bool, list[str]]:
        trial = clone_program(program)
        applied: list[str] = []

        def gate(name: str, operation: Operation) -> bool:
            if len(applied) >= limit:
                return False
            applied.append(name)
            return True

        try:
            with gated(gate):
                item.run(trial)
        except Exception:  # broad: as in check_passes
            return False, applied
        return is_fine(trial), applied

    fine, applied = run(1 << 30)
    if not applied or fine or not run(0)[0]:
        return None
    good, bad = 0, len(applied)
    while bad - good > 1:
        middle = (good + bad) // 2
        if run(middle)[0]:
            good = middle
        else:
            bad = middle
    return run(bad)[1][-1]


def _pairs(before: Program, after: Program, mapping: dict[Value, Value]) -> dict[Value, Value]:
    """Values of the program before a pass -> those that stand for them afterwards, as far as operands tell."""
    present = {*after.body.args}
    for operation in walk(after.body):
        present.update(operation.results)
        for block in operation.blocks:
            present.update(block.args)
    pairs = {old: new for old, new in mapping.items() if new in present}
    counterparts = {}
    for old, new in pairs.items():
        if old.operation is not None and new.operation is not None:
            counterparts[old.operation] = new.operation
    old_end, new_end = before.body.terminator, after.body.terminator
    for a, b in [(old_end, new_end), *counterparts.items(), *_ends(counterparts)]:
        if a.op is b.op and len(a.operands) == len(b.operands):
            for x, y in zip(a.operands, b.operands, strict=True):
                if x.type == y.type:
                    pairs.setdefault(x, y)
    return pairs


def _ends(counterparts: dict[Operation, Operation]) -> Iterator[tuple[Operation, Operation]]:
    for a, b in counterparts.items():
        for x, y in zip(a.blocks, b.blocks, strict=False):
            yield x.terminator, y.terminator
