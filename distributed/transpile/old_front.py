"""DistributeTranspiler: the old front of the transpilers."""

from __future__ import annotations

from typing import Any, NoReturn

from ...base.errors import ArgumentError, ModeError
from ...static.current import default_main_program, default_startup_program
from ...static.program import Program
from .grad_all_reduce import GradAllReduce


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
