"""Signals that break off what never ends by itself."""

from __future__ import annotations

import gc
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


class Alarm(Exception):
    """What the handler of the signal raises."""


@contextmanager
def alarm(seconds: float = 0.2, error: type[BaseException] = Alarm) -> Iterator[None]:
    """Raise ``error`` in the body after ``seconds``, and again until it gets through.

    Python drops an exception that a handler raises within a finalizer or a callback of the collector, and tells
    ``sys.unraisablehook``. So collection is off in the body, and a dropped alarm isn't reported: the next one counts.
    """

    def ring(*_: Any) -> None:
        raise error

    def dropped(report: Any) -> None:
        if not issubclass(report.exc_type, error):
            hook(report)

    collects, hook, former = gc.isenabled(), sys.unraisablehook, signal.signal(signal.SIGALRM, ring)
    gc.disable()
    sys.unraisablehook = dropped
    try:
        signal.setitimer(signal.ITIMER_REAL, seconds, seconds)
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, former)
        sys.unraisablehook = hook
        if collects:
            gc.enable()
