# Written by `make stubs`; edits here are lost.

from builtins import bool as _bool
from builtins import int as _int
from builtins import str as _str
from typing import Any as _Any
from typing import NoReturn as _NoReturn
from vitrify.static.program import Program as _Program

class DistributeTranspiler:
    """The old front of `GradAllReduce`: `transpile`, then run `get_trainer_program()` on each rank."""
    config: _Any
    def __init__(self, config: _Any = None) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def transpile(self, trainer_id: _int, program: _Any = None, pservers: _Any = '', trainers: _Any = 1, sync_mode: _bool = True, startup_program: _Any = None, current_endpoint: _Any = '') -> None:
        """Transpile the program and its startup program in place. Errors: ModeError for parameter servers."""
    def get_trainer_program(self, wait_port: _bool = True) -> _Program:
        """The program that each rank runs. Errors: ArgumentError before `transpile`."""
    def get_pserver_program(self, endpoint: _str = '') -> _NoReturn:
        """Errors: ModeError: there are no parameter servers."""
    def get_pserver_programs(self, endpoint: _str = '') -> _NoReturn:
        """Errors: ModeError: there are no parameter servers."""

class DistributeTranspilerConfig:
    """Settings of `DistributeTranspiler`. `mode`: "collective" (or "nccl2", as older programs say)."""
    mode: _str
