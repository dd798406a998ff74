"""Pipelines of static programs: a rank's program runs its stage for one part of a batch after the other.

`minimize` records the forward operations of this rank's stage once for each part, with what other stages send and take,
and its gradients, in the order of `schedules.py`. It adds the gradients up, then lets the optimizer update.
Sources: Huang et al., GPipe, 2019 (FThenB); Narayanan et al., PipeDream, 2019 (1F1B).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...base.errors import ArgumentError, KindError, ModeError
from ...dygraph.modes import GradMode
from ...ir.core import Operation, Value, is_list
from ...ir.walk import clone_operation, map_type
from ...ops.dims import Dim, evaluate, same_dim
from ...ops.op import OPS
from ...ops.shape import concat
from ...ops.sizes import fresh_size, runtime_names, solved
from ...ops.types import TensorType
from ...passes.autodiff.reverse import passes_gradient
from ...static.current import current_startup, recording
from ...static.gradient_ops import apply, blocked_values, name_gradient, parameters_of
from ...static.op_steps import forget_state, in_role
from ...static.program import Program
from ...static.recorder import Recorder, Write
from ...static.variable import Variable
from ..exchanges import all_reduce_of, broadcast_of
from ..group import here, new_group
from .schedules import FORWARD, order
from .spread_models import clip_whole
from .static_stages import Border, leading_from, reads, stages_of, state_read
from .topology import HybridCommunicateGroup, get_hybrid_communicate_group, has_grid, topology_of


class PipelineOptimizer:
    """An optimizer whose `minimize` makes a pipeline of a static program, with the stages that `device_guard` names.

    Ops inside `device_guard("cpu:1")` are stage 1. The program says what is computed of one part. A run is fed
    num_microbatches parts at once: sizes that are left open are those of all parts together, and the first size of a
    feed, if it is known, is one part's. Loss and gradients are the means of the parts'. Each rank calls it with the
    same program; there are as many ranks as stages (in a grid of `fleet.init`: as its pp_degree), or one rank that runs
    all. schedule_mode: "1F1B" or "FThenB".
    """

    def __init__(
        self, optimizer: Any, num_microbatches: int = 1, start_cpu_core_id: int = 0, *, schedule_mode: str = "1F1B"
    ) -> None:
        if num_microbatches < 1:
            raise ArgumentError(f"PipelineOptimizer: {num_microbatches} parts don't make a batch")
        order(schedule_mode, 0, 1, 1).__next__()  # an unknown schedule is an error here
        self.inner_opt, self.parts, self.schedule = optimizer, num_microbatches, schedule_mode

    def __getattr__(self, name: str) -> Any:
        return getattr(self.__dict__["inner_opt"], name)

    def minimize(
        self, loss: Any, startup_program: Program | None = None, parameters: Any = None, no_grad_set: Any = None
    ) -> tuple[list[Any], list[tuple[Any, Any]]]:
        """This rank's stage of a program, with updates: (its operations, [(parameter, gradient)] of this stage).

        All ranks can fetch the loss. What else a stage computes can be fetched there: rows of all parts, the mean of a
        number, or else what the last part made. The startup program makes this stage's parameters alone.
        Errors: KindError for a loss that is no variable; ArgumentError where stages and ranks don't fit; ModeError for
        a program with gradients.
        """
        if not isinstance(loss, Variable):
            raise KindError(f"minimize needs a Variable as loss, not a {type(loss).__name__}",
                            remedy="a pipeline of a model in eager mode is a PipelineLayer")  # fmt: skip
        program, startup = loss.program, startup_program or current_startup()
        made = _Recording(program, loss, self.parts, self.schedule, parameters, no_grad_set)
        pairs = made.run()
        if made.group.nranks > 1:
            clip_whole(self.inner_opt, made.grid)
        operations = apply(self.inner_opt, program, pairs, startup)
        made.drop_other_stages(startup)
        for stage in getattr(self.inner_opt, "stages", ())[:1]:
            stage.transpile_startup(startup)
        program.cache.clear()
        program.quick.clear()
        return operations, pairs


def _grid() -> HybridCommunicateGroup:
    """The grid of `fleet.init`; without one all ranks are stages."""
    if has_grid():
        return get_hybrid_communicate_group()
    return HybridCommunicateGroup(topology_of({"pp_degree": here()[1], "dp_degree": 1}))


class _Recording:
    """One program on its way from what all stages compute of one part to what one stage does with all parts."""

    def __init__(
        self, program: Program, loss: Variable, parts: int, schedule: str, parameters: Any, no_grad_set: Any
    ) -> None:
        recorder = program.recorder
        recorder.note_writes()
        if recorder.forward_end is not None or recorder.updates:
            raise ModeError("PipelineOptimizer: the program has gradients already",
                            remedy="leave them to its minimize")  # fmt: skip
        self.program, self.recorder, self.parts, self.schedule = program, recorder, parts, schedule
        self.grid = _grid()
        self.group, self.stage = self.grid.get_pipe_parallel_group(), self.grid.stage_id
        self.loss = recorder.value_of(loss)
        self.parameters = {recorder.value_of(p): p for p in parameters_of(program, parameters)}
        for value in (blocked := blocked_values(program, no_grad_set)):
            self.parameters.pop(value, None)
        recorder.shield(blocked | recorder.blocked)
        self.stages = stages_of(recorder, together=self.group.nranks == 1)
        if self.stages.count != self.group.nranks:
            raise ArgumentError(
                f"PipelineOptimizer: {self.stages.count} stage(s) don't fit a pipeline of {self.group.nranks} rank(s)",
                remedy="name a stage for each rank by static.device_guard, or set hybrid_configs['pp_degree']",
            )
        self.last = self.stages.of(self.loss) or 0
        self.state = [e for e in recorder.lifted.values() if e.value.uses]
        self.before = _Before(recorder)
        self.sizes: dict[str, Any] = {}  # those of a part
        self.maps: list[dict[Value, Value]] = []  # for each part: what stands for the values of the program before
        self.arrived: list[dict[Border, Any]] = []  # for each part: what earlier stages have sent
        self.common: dict[Value, Value] = {}  # what is equal for all parts
        self.whole: dict[Value, Any] = {}  # feeds as a row of parts
        self.sent: dict[tuple[str, int], list[tuple[Any, Any, dict[str, Any]]]] = {}
        self.totals: dict[Value, Any] = {}  # gradients of parameters
        self.total: Any = None  # the mean loss

    def run(self) -> list[tuple[Any, Any]]:
        """Record everything up to the updates: [(parameter, gradient)] of this stage."""
        self._find_borders()
        self._cut_feeds()
        with recording(self.program), self.recorder.at_stage(self.stage), GradMode(False):
            for kind, k in order(self.schedule, self.stage, self.group.nranks, self.parts):
                if kind == FORWARD:
                    self._forward(k)
                else:
                    with in_role(self.recorder, "backward"):
                        self._backward(k)
            with in_role(self.recorder, "backward"):
                self._wait("backward", self.parts - 1)
                self._add_tied()
            self._share_results()
        self.before.leave()
        self.program.pipeline_stage = self.stage
        pairs = [(p, self.totals[value]) for value, p in self.parameters.items() if value in self.totals]
        for p, gradient in pairs:
            name_gradient(self.program, gradient, f"{p.name}@GRAD")
        return pairs

    # ---- what travels

    def _find_borders(self) -> None:
        """What this stage takes and gives, and for which of it gradients come back."""
        stages, borders = self.stages, self.stages.borders()
        for value, stage in borders:
            if is_list(value) or runtime_names(value.type):
                raise ArgumentError(
                    f"stage {stage} reads what stage {stages.of(value)} makes: {value.type}, as only a run knows",
                    loc=value.operation.loc if value.operation is not None else None,
                    remedy="compute it in the stage that reads it",
                )
        self.into = [(value, stage) for value, stage in borders if stage == self.stage]
        self.out = [(value, stage) for value, stage in borders if stages.of(value) == self.stage]
        self.trained = self._trained(borders)
        written = [w.value for w in self.before.writes if stages.of(w.value) in (None, self.stage)]
        self.own = stages.needed(self.stage, written)

    def _trained(self, borders: Sequence[Border]) -> set[Border]:
        """Told by the gradients of the whole program, which each rank looks at: so both sides of a border agree."""
        recorder, operations = self.recorder, self.stages.operations
        made = [v for o in operations for v in o.results if not is_list(v) and v.dtype.is_differentiable]
        with recording(self.program), in_role(recorder, "backward"):
            found = recorder.gradients(
                [recorder.variable(self.loss)], [recorder.variable(v) for v in made], [None], set()
            )
        _forget(recorder, [o for o in recorder.program.body.operations if recorder.roles.get(o) == "backward"])
        asked = {value for value, gradient in zip(made, found, strict=True) if gradient is not None}
        led = leading_from(operations, self.parameters)
        ways = {
            (value, stage) for operation, stage in self.stages.places.items() for value in reads(operation)
            if passes_gradient(operation) and not asked.isdisjoint(operation.results)
        }  # fmt: skip
        return {(value, stage) for value, stage in borders if value in led and (value, stage) in ways}

    def _cut_feeds(self) -> None:
        """The feeds hold all parts."""
        feeds = [v for v in self.recorder.program.feed_values if v.shape]
        left_open = [v for v in feeds if isinstance(v.shape[0], Dim)]
        self.cut = left_open or feeds
        self.rows = [value.shape[0] for value in self.cut]
        known = solved(self.recorder.program.constraints)
        for value in self.cut:
            rows = value.shape[0]
            if isinstance(rows, Dim):
                self.sizes[str(rows)] = evaluate(rows, known) // self.parts
            else:
                value.type = TensorType(value.dtype, (rows * self.parts, *value.shape[1:]))

    # ---- a part of a batch

    def _forward(self, k: int) -> None:
        """This stage with part k."""
        recorder, stages = self.recorder, self.stages
        read = {value for operation in self.own for value in reads(operation)}
        mapping = {**self.common, **{v: self._part(v, k) for v in self.cut if v in read}}
        mapping.update({e.value: recorder.current.get(id(e.cell), e.value) for e in self.state})
        arrived = {
            border: self._take(map_type(border[0].type, self.sizes), stages.of(border[0])) for border in self.into
        }
        mapping.update({value: x._storage.payload for (value, _), x in arrived.items()})
        names = runtime_names([r.type for operation in self.own for r in operation.results])
        sizes = self.sizes | {name: fresh_size() for name in names if k}
        for operation in self.own:
            if operation not in stages.common or not k:
                recorder.program.body.append(clone_operation(operation, mapping, sizes))
        if not k:
            self.common = {r: mapping[r] for o in self.own if o in stages.common for r in o.results}
        for write in self.before.writes:
            once = write.value.operation in stages.common
            if write.value in mapping and not (once and k):
                recorder.current[id(write.cell)] = mapping[write.value]
                recorder.writes.append(Write(write.cell, mapping[write.value], write.test))
        self.maps.append(mapping)
        self.arrived.append(arrived)
        self._send("forward", k, [(mapping[value], stage) for value, stage in self.out])
        if self.last == self.stage:
            loss = recorder.variable(mapping[self.loss]) / self.parts
            self.total = loss if self.total is None else self.total + loss

    def _backward(self, k: int) -> None:
        """The gradients of part k. Those of the latest stage are added first, as in one program without stages."""
        recorder, mapping = self.recorder, self.maps[k]
        targets, weights = [], []
        for value, stage in sorted(self.out, key=lambda border: -border[1]):
            if (value, stage) in self.trained:
                targets.append(recorder.variable(mapping[value]))
                weights.append(self._take(mapping[value].tensor_type, stage))
        if self.last == self.stage:
            targets.append(recorder.variable(mapping[self.loss]))
            weights.append(OPS["full"](mapping[self.loss].shape, 1.0, self.loss.dtype) / self.parts)
        self._wait("forward", k)  # it has arrived, as its gradient has; so no memory is held for it
        self._wait("backward", k - 1)
        wanted = [border for border in self.into if border in self.trained]
        own = state_read(self.own, {value: value for value in self.parameters})
        xs = [*(self.parameters[value] for value in own), *(self.arrived[k][border] for border in wanted)]
        found = recorder.gradients(targets, xs, weights, set()) if targets else [None] * len(xs)
        for value, gradient in zip(own, found, strict=False):
            if gradient is not None:
                before = self.totals.get(value)
                self.totals[value] = gradient if before is None else before + gradient
        back = []
        for border, gradient in zip(wanted, found[len(own) :], strict=True):
            sent = OPS["zeros_like"](self.arrived[k][border]) if gradient is None else gradient
            back.append((sent._storage.payload, self.stages.of(border[0]) or 0))
        self._send("backward", k, back)

    def _part(self, value: Value, k: int) -> Value:
        """Part k of a feed."""
        if self.parts == 1:
            return value
        if value not in self.whole:
            shape = (self.parts, value.shape[0] // self.parts, *value.shape[1:])
            self.whole[value] = OPS["reshape"](self.recorder.variable(value, True), shape)
        found: Value = self.whole[value][k]._storage.payload
        return found

    # ---- exchanges

    def _take(self, kind: Any, stage: int | None) -> Any:
        """Wait for an array of another stage."""
        made = OPS["recv"](peer=self.group.ranks[stage or 0], group=(), shape=kind.shape, dtype=kind.dtype)
        made.stop_gradient = False
        return made

    def _send(self, way: str, k: int, items: Sequence[tuple[Value, int]]) -> None:
        """Begin to send values to stages."""
        begun = self.sent[way, k] = []
        for value, stage in items:
            x, attrs = self.recorder.variable(value, True), {"peer": self.group.ranks[stage], "group": ()}
            begun.append((OPS["send_start"](x, **attrs), x, attrs))

    def _wait(self, way: str, k: int) -> None:
        """End what was begun."""
        for ticket, x, attrs in self.sent.pop((way, k), ()):
            OPS["send_wait"](ticket, x, **attrs)

    def _add_tied(self) -> None:
        """Add up the gradients of parameters that several stages read, over these."""
        readers: dict[Value, set[int]] = {value: set() for value in self.parameters}
        for operation, stage in self.stages.places.items():
            for value in reads(operation):
                if value in readers:
                    readers[value].add(stage)
        for value, found in readers.items():
            if len(found) > 1 and self.stage in found:
                parameter, stages = self.parameters[value], sorted(found)
                parameter.counts_elsewhere = self.stage != stages[0]
                own = self.totals[value] if value in self.totals else OPS["zeros_like"](parameter)
                self.totals[value] = all_reduce_of(own, "sum", new_group([self.group.ranks[s] for s in stages]))

    # ---- results

    def _share_results(self) -> None:
        """Let the user's variables stand for what all parts made; the loss for the mean, on all ranks."""
        if self.group.nranks > 1:
            kind = map_type(self.loss.type, self.sizes)
            assert isinstance(kind, TensorType)
            total = OPS["full"](kind.shape, 0, kind.dtype) if self.total is None else self.total
            self.total = broadcast_of(total, self.group.ranks[self.last], self.group)
        joined = {self.loss: self.total._storage.payload}
        outermost = set(self.before.operations)
        for variable in self.before.variables:
            value = variable._storage.payload
            if value.operation not in outermost:  # a feed, or of a branch, where nothing outside can stand for it
                continue
            if value not in joined and value in self.maps[0]:
                joined[value] = self._joined(value)
            if value in joined:
                variable._storage.payload = joined[value]
            else:
                variable.stage = self.stages.of(value) or 0

    def _joined(self, value: Value) -> Value:
        """What the parts made, as one."""
        found = [self.recorder.variable(mapping[value], True) for mapping in self.maps]
        made = found[-1]
        if len(found) > 1 and not value.shape and value.dtype.is_floating:
            made = sum(found[1:], found[0]) / len(found)
        elif len(found) > 1 and value.shape and any(same_dim(value.shape[0], rows) for rows in self.rows):
            made = concat(found, 0)
        payload: Value = made._storage.payload
        return payload

    def drop_other_stages(self, startup: Program) -> None:
        """Leave parameters and other state to the stages that read them."""
        for entry in self.state:
            if not entry.value.uses and id(entry.cell) in startup.recorder.initialised:
                forget_state(self.program, startup, entry.tensor)
        startup.cache.clear()
        startup.quick.clear()


class _Before:
    """What a program was: its operations, its variables, and what it wrote to state, which no longer counts."""

    def __init__(self, recorder: Recorder) -> None:
        self.recorder = recorder
        self.operations = list(recorder.program.body.operations)
        self.variables = [v for v in recorder.held.values() if isinstance(v._storage.payload, Value)]
        self.writes, recorder.writes = recorder.writes, []
        for write in self.writes:
            recorder.current.pop(id(write.cell), None)

    def leave(self) -> None:
        """Take it out, with its ways of testing."""
        _forget(self.recorder, self.operations)
        for way in self.recorder.modes:
            for operation in way.test_operations:
                operation.forget()
        self.recorder.modes.clear()
        self.recorder.blocked.clear()
        self.recorder.forward_end = 0


def _forget(recorder: Recorder, operations: Sequence[Operation]) -> None:
    """Take operations out whose results nobody reads but they."""
    gone, body = set(operations), recorder.program.body
    for operation in operations:
        operation.forget()
        for known in (recorder.roles, recorder.stages, recorder.name_scopes):
            known.pop(operation, None)
    body.operations[:] = [operation for operation in body.operations if operation not in gone]
