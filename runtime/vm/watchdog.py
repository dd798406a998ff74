"""Lets Python handle signals while native loops run: a call that goes on for long comes back now and then.

Python runs the handlers of signals between its own instructions, and a native loop has none. So a thread asks every
bound program that has loops, a few times a second, to stop at its next backward jump. The executor goes on with it at
once; in between Python raises what a handler raises (KeyboardInterrupt at ctrl-C). A call pays nothing for it.
"""

from __future__ import annotations

import os
import threading
import time
import weakref

from .virtual_machine import Header

PERIOD = 0.2  # seconds
_headers: weakref.WeakSet[Header] = weakref.WeakSet()
_lock = threading.Lock()
_thread: threading.Thread | None = None


def watch(header: Header) -> None:
    """Ask this program, while it lives, to come back now and then."""
    global _thread
    with _lock:
        _headers.add(header)
        if _thread is None:
            _thread = threading.Thread(target=_walk, name="vitrify-watchdog", daemon=True)
            _thread.start()


def _walk() -> None:
    while True:
        time.sleep(PERIOD)
        with _lock:
            for header in list(_headers):
                header.interrupt()


def _after_fork() -> None:
    """The child has no such thread: it starts one of its own when it binds a program with loops."""
    global _lock, _thread
    _lock = threading.Lock()
    _thread = None
    if _headers:
        watch(next(iter(_headers)))


os.register_at_fork(after_in_child=_after_fork)
