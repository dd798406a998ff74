"""Calls of a compiled function that run as it was written: compiling is off, failed, or a debugger is asked for."""

from __future__ import annotations

import warnings
from abc import abstractmethod
from collections.abc import Callable
from typing import Any

from ...base.errors import CaptureError
from ...base.location import Loc
from ..function_settings import Settings
from ..switches import is_enabled, is_quiet
from ..tracebacks import DebuggerError
from .signature import Signature

recorders: list[Callable[..., None]] = []  # told of each call that fails: (function, args, kwargs, error)


class EagerCalls:
    """The half of StaticFunction that runs the function itself."""

    _signature: Signature
    _settings: Settings
    _gave_up: str | None = None
    _warned_off = False
    _debugged: frozenset[Loc | None] = frozenset()  # lines of debuggers that a warning has named

    @abstractmethod
    def _original(self) -> Any:
        """The function as it was written, bound to its instance."""

    def _call_eagerly(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        if not is_enabled() and not self._warned_off and not is_quiet():
            self._warned_off = True
            warnings.warn(f"{self._signature.name} runs uncompiled because of enable_to_static(False)", stacklevel=4)
        return self._original()(*args, **kwargs)

    def _runs_instead(self, error: CaptureError) -> bool:
        """Whether a call that can't be captured runs eagerly; the first time, a warning says so."""
        if isinstance(error, DebuggerError):
            if error.loc not in self._debugged:
                self._debugged |= {error.loc}
                place = error.loc or Loc("<unknown>", 1)
                words = f"{self._signature.name} runs eagerly while this line opens a debugger: {place.text()}"
                warnings.warn_explicit(words, UserWarning, place.file, place.line)
            return True
        if self._settings.fallback != "eager":
            return False
        self._gave_up = str(error)
        warnings.warn(
            f'{self._signature.name} runs uncompiled from here on (fallback="eager"), because:\n{error}', stacklevel=5
        )
        return True

    def _note_failure(self, args: tuple[Any, ...], kwargs: dict[str, Any], error: BaseException) -> None:
        for recorder in tuple(recorders):
            recorder(self, args, kwargs, error)
