"""Transpilers: static programs of one rank become programs of several. Print them before and after."""

from __future__ import annotations

from typing import Any, NoReturn

from ..base.errors import ArgumentError, ModeError
from ..dygraph.modes import GradMode
from ..ir.core import Operation, Value
from ..ir.walk import walk
from ..ops.op import OPS
from ..static.current import default_main_program, default_startup_program, recording
from ..static.program import Program
from ..static.scope import Scope
from ..static.transpile import Transpiler
from .group import Group, attrs_of, chosen_group


class GradAllReduce(Transpiler):
    """Average the gradients over a group of ranks before the optimizer's updates read them.

    `transpile_startup` gives all ranks the first one's parameters and states. Fetched gradients stay this rank's own.
    The compiler joins the exchanges of small gradients (`bucket_exchanges`).

    >>> import vitrify as vt
    >>> vt.enable_static()
    >>> main, startup = vt.static.Program(), vt.static.Program()
    >>> with vt.static.program_guard(main, startup):
    ...     loss = vt.static.nn.fc(vt.static.data("x", [None, 3]), 1).mean()
    ...     _ = vt.optimizer.SGD(0.1).minimize(loss)
    >>> _ = GradAllReduce().transpile(main)
    >>> [op.type for op in main.global_block().ops].count("all_reduce")
    2
    >>> vt.disable_static()
    """

    name = "grad_all_reduce"

    def __init__(self, group: Group | None = None) -> None:
        self.group = chosen_group(group)

    def run(self, program: Program, scope: Scope) -> None:
        """Put an exchange between each gradient and the updates. Errors: ArgumentError for a program without any."""
        recorder = program.recorder
        if not recorder.updates:
            raise ArgumentError(f"{self.name}: the program has no updates of an optimizer",
                                remedy="call minimize() or apply_gradients() first, and transpile once")  # fmt: skip
        for gradients, updates in recorder.updates:
            readers = {inner for operation in updates for inner in (operation, *_inside(operation))}
            for gradient in dict.fromkeys(gradients):
                self._average(gradient, updates[0], readers)
        recorder.updates.clear()

    def _average(self, gradient: Value, first: Operation, readers: set[Operation]) -> None:
        loc = gradient.operation.loc if gradient.operation is not None else first.loc
        attrs = {"reduction": "mean", **attrs_of(self.group)}
        made = Operation(OPS["all_reduce"], [gradient], attrs, [gradient.type], (), loc)
        block = first.parent
        assert block is not None
        block.insert(block.operations.index(first), made)
        for user, k in list(gradient.uses):
            if user in readers:
                user.set_operand(k, made.result)

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


def _inside(operation: Operation) -> list[Operation]:
    return [o for block in operation.blocks for o in walk(block)]


class StaticOptimizer:
    """An optimizer of static programs whose `minimize` also transpiles for several ranks (`GradAllReduce`)."""

    def __init__(self, optimizer: Any) -> None:
        self._inner = optimizer

    def __getattr__(self, name: str) -> Any:
        return getattr(self._inner, name)

    def minimize(self, loss: Any, startup_program: Any = None, parameters: Any = None, no_grad_set: Any = None) -> Any:
        """The optimizer's `minimize`; then gradients are averaged, and the startup program broadcasts."""
        made = self._inner.minimize(loss, startup_program, parameters, no_grad_set)
        transpiler = GradAllReduce()
        transpiler.transpile(loss.program)
        transpiler.transpile_startup(startup_program or default_startup_program())
        return made


class DistributeTranspilerConfig:
    """Settings of `DistributeTranspiler`. `mode`: "collective" (or "nccl2", as older programs say)."""

    mode = "collective"


class DistributeTranspiler:
    """The old front of `GradAllReduce`: `transpile`, then run `get_trainer_program()` on each rank."""

    def __init__(self, config: Any = None) -> None:
        self.config = config or DistributeTranspilerConfig()
        self._program: Program | None = None

    def transpile(
        self, trainer_id: int, program: Any = None, pservers: Any = "", trainers: Any = 1, sync_mode: bool = True,
        startup_program: Any = None, current_endpoint: Any = "",
    ) -> None:  # fmt: skip
        """Transpile the program and its startup program in place. Errors: ModeError for parameter servers."""
        if self.config.mode not in ("collective", "nccl2"):
            _no_servers()
        chosen = default_main_program() if program is None else program
        transpiler = GradAllReduce()
        self._program = transpiler.transpile(chosen)
        transpiler.transpile_startup(startup_program or default_startup_program())

    def get_trainer_program(self, wait_port: bool = True) -> Program:
        """The program that each rank runs. Errors: ArgumentError before `transpile`."""
        if self._program is None:
            raise ArgumentError("get_trainer_program: call transpile() first")
        return self._program

    def get_pserver_program(self, endpoint: str = "") -> NoReturn:
        """Errors: ModeError: there are no parameter servers."""
        _no_servers()

    get_pserver_programs = get_pserver_program


def _no_servers() -> NoReturn:
    raise ModeError("parameter servers aren't supported", remedy='set config.mode = "collective"')
