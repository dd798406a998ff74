"""Which program is being built: the mode, the default programs, and recording into one of them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from typing import Any

from ..jit.writes import hooks
from ..ops.dispatch import current, using


class _State:
    """The mode and the default programs, which modes.py makes."""

    static = False
    main: Any = None
    startup: Any = None
    name_scope = "/"


state = _State()


def current_startup() -> Any:
    """The program that makes parameters now."""
    return state.startup


@contextmanager
def recording(program: Any) -> Iterator[None]:
    """Ops go to `program`, whatever the mode; writes of the program before stay out of its sight."""
    before = current()
    aside = before.aside() if before is not program.recorder else nullcontext()
    with aside, hooks(), using(program.recorder):
        try:
            yield
        finally:
            program.recorder.settle()
