"""What static mode keeps for a process, as one object: each simulated rank has its own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from . import scope as scopes
from .current import install_recorder, state
from .mode_guards import disable_static
from .program import Program


@dataclass(frozen=True, slots=True)
class StaticState:
    """The mode, the default programs and the scopes in force."""

    static: bool
    main: Any
    startup: Any
    name_scope: str
    scopes: list[scopes.Scope]

    @classmethod
    def now(cls) -> StaticState:
        """The state in force."""
        return cls(state.static, state.main, state.startup, state.name_scope, list(scopes.in_force))

    @classmethod
    def fresh(cls) -> StaticState:
        """Eager mode, empty default programs, an empty scope."""
        return cls(False, Program(), Program(), "/", [scopes.Scope()])

    def restore(self) -> None:
        """Put it in force again."""
        state.static, state.main, state.startup = self.static, self.main, self.startup
        state.name_scope = self.name_scope
        scopes.in_force[:] = self.scopes


def leave_static() -> None:
    """Eager mode, for a rank that begins or ends."""
    disable_static() if state.static else install_recorder()
