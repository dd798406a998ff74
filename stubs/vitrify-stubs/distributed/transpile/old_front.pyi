# Written by `make stubs`; edits here are lost.

from builtins import bool as _bool
from builtins import int as _int
from builtins import str as _str
from builtins import tuple as _tuple
from typing import Any as _Any
from vitrify.static.program import Program as _Program

class DistributeTranspiler:
    """The old front of `GradAllReduce` and of `ServedUpdates`: every rank calls `transpile`.

    Without servers each rank runs `get_trainer_program()`. With them ranks 0 to trainers - 1 do, and the last ranks run
    `get_pserver_program(endpoint)`; all run the startup program first, and trainers close their Executor at the end."""
    config: _Any
    def __init__(self, config: _Any = None) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def transpile(self, trainer_id: _int, program: _Any = None, pservers: _Any = '', trainers: _Any = 1, sync_mode: _bool = True, startup_program: _Any = None, current_endpoint: _Any = '') -> None:
        """Transpile the program and its startup program in place.

        pservers: a name for each server, with commas between: how many there are. Names are compared, not connected to.
        Errors: ArgumentError if trainers and servers aren't as many as the ranks."""
    def get_trainer_program(self, wait_port: _bool = True) -> _Program:
        """The program that each trainer runs. Errors: ArgumentError before `transpile`."""
    def get_startup_program(self, endpoint: _str = '', pserver_program: _Any = None, startup_program: _Any = None) -> _Program:
        """The startup program that every rank runs. Errors: ArgumentError before `transpile`."""
    def get_pserver_program(self, endpoint: _str = '') -> _Program:
        """The program of the server with this name. Errors: ModeError without servers, ArgumentError for others."""
    def get_pserver_programs(self, endpoint: _str = '') -> _tuple[_Program, _Program]:
        """The server's program and the startup program."""

class DistributeTranspilerConfig:
    """Settings of `DistributeTranspiler`.

    mode: "collective" (or "nccl2", as older programs say), or "pserver". geo_sgd_mode: trainers update by themselves
    and exchange every geo_sgd_need_push_nums steps."""
    mode: _str
    geo_sgd_mode: _bool
    geo_sgd_need_push_nums: _int
    sync_mode: _bool
