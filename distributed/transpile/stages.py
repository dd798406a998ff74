"""Stages: what happens to gradients and updates of training on several ranks, between an optimizer's caller and it.

A stage is written with ops, as the optimizers are. So the same stage works in eager mode, in captured steps, which
hold its operations, and in static programs, whose updates are recorded once more with it (`Stage.transpile`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ...base.dtype import int64
from ...base.errors import ArgumentError, ModeError
from ...dygraph.modes import GradMode
from ...dygraph.optimizer.for_stages import in_own_names, keep, own_state, set_own_state, stand_around
from ...dygraph.optimizer.optimizer import Optimizer, gradient_of
from ...ops.dispatch import current
from ...ops.op import OPS
from ...static.cond_while import cond
from ...static.current import default_startup_program, recording
from ...static.gradient_ops import apply
from ...static.op_steps import Updates, take_back
from ...static.program import Program
from ...static.scope import Scope
from ...static.transpile import Transpiler
from ..group import Group, attrs_of, chosen_group

Pairs = list[tuple[Any, Any]]
Then = Callable[[Pairs], None]

# The order of stages: gradients are added up, then travel, then update parts of parameters; parameters travel last.
ORDER = ("gradient_merge", "grad_all_reduce", "fp16_allreduce", "dgc", "local_sgd", "sharding", "parameter_server")
_TRAVEL = "each says how the gradients travel; one has to be chosen"
_NONE_TRAVEL = "local_sgd exchanges parameters, not gradients"
_SERVED = "parameter servers exchange the gradients and update"
_REFUSED = {
    **{(name, "parameter_server"): _SERVED for name in ORDER[1:-1]},
    ("grad_all_reduce", "fp16_allreduce"): _TRAVEL,
    ("grad_all_reduce", "dgc"): _TRAVEL,
    ("fp16_allreduce", "dgc"): _TRAVEL,
    ("grad_all_reduce", "local_sgd"): _NONE_TRAVEL,
    ("fp16_allreduce", "local_sgd"): _NONE_TRAVEL,
    ("dgc", "local_sgd"): _NONE_TRAVEL,
    ("local_sgd", "sharding"): "a rank that updates a part of each parameter has no parameters of its own to average",
}


class Stage(Transpiler):
    """One step on the way from gradients to updates. `group`: the ranks that work together (default: all).

    `stage.optimizer(optimizer)` is an optimizer for eager mode and captured functions; `stage.transpile(program)`
    changes a static program, and `transpile_startup` lets its startup program give all ranks the same start.
    """

    exchanges = True  # whether the gradients that reach it must still be this rank's own

    def __init__(self, group: Group | None = None) -> None:
        self.group = chosen_group(group)

    def apply(self, pairs: Pairs, then: Then, optimizer: TranspiledOptimizer) -> None:
        """Do the stage's part with [(parameter, gradient)]; `then` does the rest."""
        raise NotImplementedError(f"{self.name} has no apply")

    def prepare(self, optimizer: TranspiledOptimizer) -> None:
        """What has to be known before the first step. Errors: ModeError for an optimizer it doesn't suit."""

    def follows(self, before: Sequence[Stage]) -> None:
        """Take note of the stages before it."""

    def whole(self, state: dict[str, Any], optimizer: TranspiledOptimizer) -> dict[str, Any]:
        """A saved state without traces of how many ranks there are."""
        return state

    def parts(self, state: dict[str, Any], optimizer: TranspiledOptimizer) -> dict[str, Any]:
        """The other way round: what this rank loads."""
        return state

    def optimizer(self, optimizer: Any) -> TranspiledOptimizer:
        """An optimizer that trains with this stage (and with those that the given one has)."""
        return staged(optimizer, [self])

    def run(self, program: Program, scope: Scope) -> None:
        """Record the updates once more, with this stage. Errors: ArgumentError for a program without any."""
        updates = list(program.recorder.updates)
        if not updates:
            raise ArgumentError(f"{self.name}: the program has no updates of an optimizer",
                                remedy="call minimize() or apply_gradients() first")  # fmt: skip
        made = [staged(one.optimizer, [self]) for one in updates]
        for one, optimizer in zip(updates, made, strict=True):
            take_back(program.recorder, one.operations)
            program.recorder.updates.remove(one)
            self.replaces(program, one)
            apply(optimizer, program, one.pairs, one.startup)

    def replaces(self, program: Program, updates: Updates) -> None:
        """What else has to go with updates that are recorded once more."""

    def transpile_startup(self, startup: Program) -> Program:
        """Let the startup program give every rank what the group's first made. Returns it."""
        recorder = startup.recorder
        with recording(startup), GradMode(False):
            recorder.note_writes()
            for variable in list(recorder.initialised.values()):
                recorder.initialise(variable, OPS["broadcast"](variable, root=0, **attrs_of(self.group)))
        startup.cache.clear()
        startup.quick.clear()
        return startup


def staged(optimizer: Any, stages: Sequence[Stage]) -> TranspiledOptimizer:
    """An optimizer with these stages and those it has. Errors: ModeError for stages that don't go together."""
    if isinstance(optimizer, TranspiledOptimizer):
        return TranspiledOptimizer(optimizer.inner, [*optimizer.stages, *stages])
    return TranspiledOptimizer(optimizer, stages)


def in_order(stages: Sequence[Stage]) -> tuple[Stage, ...]:
    """Stages in the order in which they act. Errors: ModeError, with the reason, for a pair that can't be."""
    names = [stage.name for stage in stages]
    for k, name in enumerate(names):
        for other in names[k + 1 :]:
            reason = "one is enough" if name == other else _REFUSED.get((name, other)) or _REFUSED.get((other, name))
            if reason is not None:
                raise ModeError(f"{name} and {other} don't go together: {reason}")
    made = tuple(sorted(stages, key=lambda stage: ORDER.index(stage.name)))
    for k, stage in enumerate(made):
        stage.follows(made[:k])
    return made


class TranspiledOptimizer:
    """An optimizer whose gradients pass through stages before its updates. All else is the optimizer's own."""

    def __init__(self, inner: Optimizer, stages: Sequence[Stage]) -> None:
        if not isinstance(inner, Optimizer):
            raise ArgumentError(f"an optimizer is needed, not a {type(inner).__name__}")
        self.inner, self.stages = inner, in_order(stages)
        self.loss: Any = None  # while `minimize` runs
        for stage in self.stages:
            stage.prepare(self)
        self._takes_over(inner._parameter_list)
        stand_around(inner, self)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.__dict__["inner"], name)

    def _takes_over(self, parameters: Sequence[Any]) -> None:
        """DataParallel leaves the gradients alone that a stage exchanges."""
        if any(stage.exchanges for stage in self.stages):
            for parameter in parameters:
                parameter.exchanged_by_optimizer = True

    def step(self) -> None:
        """Send the gradients that there are through the stages, then update."""
        self._apply_gradients([(p, g) for p in self.inner._parameter_list if (g := gradient_of(p)) is not None])

    def _apply_gradients(self, params_grads: Any) -> None:
        pairs = [(p, g) for p, g in params_grads if g is not None]
        for p, g in pairs:
            if getattr(g, "__conditional__", None) is not None:
                raise ModeError(f"the gradient of {p.name} is there on some paths of the function only",
                                remedy="use the parameter on all paths, or train eagerly")  # fmt: skip
        with GradMode(False):
            self._from(0, pairs)

    def _from(self, k: int, pairs: Pairs) -> None:
        if k == len(self.stages):
            self.inner._apply_gradients(pairs)
        else:
            self.stages[k].apply(pairs, lambda rest: self._from(k + 1, rest), self)

    def _add_group(self, settings: dict[str, Any]) -> None:
        self.inner._add_group(settings)
        self._takes_over(settings["params"])

    apply_gradients = Optimizer.apply_gradients
    backward = Optimizer.backward

    def minimize(self, loss: Any, startup_program: Any = None, parameters: Any = None, no_grad_set: Any = None) -> Any:
        """The optimizer's `minimize`, with the stages; in static mode the startup program gives all ranks one start."""
        self.loss = loss
        try:
            made = Optimizer.minimize(self, loss, startup_program, parameters, no_grad_set)  # type: ignore[arg-type]
        finally:
            self.loss = None
        if current().is_static:
            self.stages[0].transpile_startup(startup_program or default_startup_program())
        return made

    # ---- what stages keep

    def kept(self, name: str, param: Any, **settings: Any) -> Any:
        """A tensor that a stage keeps for a parameter: part of `state_dict`."""
        return keep(self.inner, name, param, settings)

    def counter(self, name: str) -> Any:
        """A number that a stage keeps for all parameters, i64[], zero at first."""
        return self.kept(name, self.inner._parameter_list[0], shape=(), dtype=int64)

    def every(self, k: int, counter: str, act: Callable[[], None]) -> None:
        """Count a step; each k-th one calls `act`."""
        count = self.counter(counter)
        now = count + 1
        count._write(now)

        def then() -> None:
            act()
            count._write(OPS["full"]([], 0, int64))

        cond(now == k, then, None)

    def state_dict(self) -> dict[str, Any]:
        """The optimizer's state, of whole parameters, with what the stages keep. Every rank of a group calls it."""
        state = own_state(self.inner)
        for stage in self.stages:
            state = stage.whole(state, self)
        return state

    def set_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Set what `state_dict` gave, on any number of ranks."""
        state = in_own_names(self.inner, state_dict)
        for stage in self.stages:
            state = stage.parts(state, self)
        set_own_state(self.inner, state)

    set_dict = set_state_dict

    def __repr__(self) -> str:
        return f"{self.inner!r} with {', '.join(stage.name for stage in self.stages)}"
