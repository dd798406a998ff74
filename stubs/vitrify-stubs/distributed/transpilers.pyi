# Written by `make stubs`; edits here are lost.

from builtins import bool as _bool
from builtins import int as _int
from builtins import str as _str
from typing import Any as _Any
from typing import NoReturn as _NoReturn
from vitrify.distributed.group import Group as _Group
from vitrify.static.program import Program as _Program
from vitrify.static.scope import Scope as _Scope
from vitrify.static.transpile import Transpiler as _Transpiler

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

class GradAllReduce(_Transpiler):
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
    >>> vt.disable_static()"""
    group: _Any
    name: _str
    def __init__(self, group: _Group | None = None) -> None:
        """Initialize self.  See help(type(self)) for accurate signature."""
    def run(self, program: _Program, scope: _Scope) -> None:
        """Put an exchange between each gradient and the updates. Errors: ArgumentError for a program without any."""
    def transpile_startup(self, startup: _Program) -> _Program:
        """Let the startup program give every rank what the group's first made. Returns it."""
