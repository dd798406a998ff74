"""DistributeTranspiler: the old front of the transpilers."""

from __future__ import annotations

from typing import Any

from ...base.errors import ArgumentError, ModeError
from ...static.current import default_main_program, default_startup_program
from ...static.program import Program
from ..group import here
from .grad_all_reduce import GradAllReduce
from .served_program import ServerProgram
from .served_updates import ServedUpdates


class DistributeTranspilerConfig:
    """Settings of `DistributeTranspiler`.

    mode: "collective" (or "nccl2", as older programs say), or "pserver". geo_sgd_mode: trainers update by themselves
    and exchange every geo_sgd_need_push_nums steps.
    """

    mode = "collective"
    geo_sgd_mode = False
    geo_sgd_need_push_nums = 100
    sync_mode = True


class DistributeTranspiler:
    """The old front of `GradAllReduce` and of `ServedUpdates`: every rank calls `transpile`.

    Without servers each rank runs `get_trainer_program()`. With them ranks 0 to trainers - 1 do, and the last ranks run
    `get_pserver_program(endpoint)`; all run the startup program first, and trainers close their Executor at the end.
    """

    def __init__(self, config: Any = None) -> None:
        self.config = config or DistributeTranspilerConfig()
        self._program: Program | None = None
        self._startup: Program | None = None
        self._endpoints: list[str] = []
        self._servers: list[ServerProgram] = []

    def transpile(
        self, trainer_id: int, program: Any = None, pservers: Any = "", trainers: Any = 1, sync_mode: bool = True,
        startup_program: Any = None, current_endpoint: Any = "",
    ) -> None:  # fmt: skip
        """Transpile the program and its startup program in place.

        pservers: a name for each server, with commas between: how many there are. Names are compared, not connected to.
        Errors: ArgumentError if trainers and servers aren't as many as the ranks.
        """
        self._program = default_main_program() if program is None else program
        self._startup = startup_program or default_startup_program()
        self._endpoints = [name.strip() for name in str(pservers or "").split(",") if name.strip()]
        if self.config.mode not in ("collective", "nccl2", "pserver"):
            raise ArgumentError(f"DistributeTranspiler has no mode {self.config.mode!r}",
                                remedy='use "collective" or "pserver"')  # fmt: skip
        served = self.config.mode == "pserver" or (self._endpoints and self.config.mode == "collective")
        stage = self._served(trainers, sync_mode) if served else GradAllReduce()
        stage.transpile(self._program)
        stage.transpile_startup(self._startup)
        if isinstance(stage, ServedUpdates):
            optimizer = self._program.recorder.updates[0].optimizer
            self._program.ends = stage.stop
            self._servers = [ServerProgram(stage, optimizer, k) for k in range(stage.servers)]

    def _served(self, trainers: Any, sync_mode: bool) -> ServedUpdates:
        count, size = len(self._endpoints), here()[1]
        if not count:
            raise ArgumentError('DistributeTranspiler: mode "pserver" needs pservers',
                                remedy='name one for each server: pservers="a:1,b:1"')  # fmt: skip
        if int(trainers) + count != size:
            raise ArgumentError(f"DistributeTranspiler: {trainers} trainers and {count} servers aren't {size} ranks",
                                remedy=f"start {int(trainers) + count} ranks")  # fmt: skip
        if self.config.geo_sgd_mode:
            return ServedUpdates(count, "geo", int(self.config.geo_sgd_need_push_nums))
        return ServedUpdates(count, "sync" if sync_mode and self.config.sync_mode else "async")

    def get_trainer_program(self, wait_port: bool = True) -> Program:
        """The program that each trainer runs. Errors: ArgumentError before `transpile`."""
        if self._program is None:
            raise ArgumentError("get_trainer_program: call transpile() first")
        return self._program

    def get_startup_program(
        self, endpoint: str = "", pserver_program: Any = None, startup_program: Any = None
    ) -> Program:
        """The startup program that every rank runs. Errors: ArgumentError before `transpile`."""
        if self._startup is None:
            raise ArgumentError("get_startup_program: call transpile() first")
        return self._startup

    def get_pserver_program(self, endpoint: str = "") -> Program:
        """The program of the server with this name. Errors: ModeError without servers, ArgumentError for others."""
        if not self._servers:
            raise ModeError("there are no parameter servers", remedy='call transpile(..., pservers="a:1")')
        if endpoint not in self._endpoints:
            raise ArgumentError(f"there is no parameter server {endpoint!r}",
                                remedy=f"the names are {', '.join(self._endpoints)}")  # fmt: skip
        return self._servers[self._endpoints.index(endpoint)]

    def get_pserver_programs(self, endpoint: str = "") -> tuple[Program, Program]:
        """The server's program and the startup program."""
        return self.get_pserver_program(endpoint), self.get_startup_program(endpoint)
