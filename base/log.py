"""What the compiler is doing, a line each on stderr: `VITRIFY_LOG=capture,guards`, or `set_log("all")`.

Topics: capture (functions become programs), guards (why a new program was needed), passes (what each did, how long it
took), compile (programs become native), cache (kernels from memory, from disk, made anew).
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterable

from .errors import ArgumentError

TOPICS = ("capture", "guards", "passes", "compile", "cache")
_start = time.perf_counter()


def _chosen(topics: Iterable[str], where: str) -> frozenset[str]:
    named = [t.strip() for t in topics if t.strip()]
    wrong = [t for t in named if t not in (*TOPICS, "all")]
    if wrong:
        remedy = f"the topics are {', '.join(TOPICS)}, and all"
        raise ArgumentError(f"{where} names no topic {wrong[0]!r}", remedy=remedy)
    return frozenset(TOPICS if "all" in named else named)


def _from_environment() -> set[str]:
    try:
        return set(_chosen(os.environ.get("VITRIFY_LOG", "").split(","), "VITRIFY_LOG"))
    except ArgumentError as error:  # importing goes on: a misspelt switch is no reason to stop a program
        sys.stderr.write(f"vitrify: {error}\n")
        return set()


wanted: set[str] = _from_environment()


def set_log(topics: str = "") -> None:
    """Say what to log from now on: topics with commas between them, "all", or nothing. Lines go to stderr.

    The topics are capture, guards, passes, compile and cache; `VITRIFY_LOG` sets them for a process.
    Errors: ArgumentError for other topics.

    >>> set_log("capture, guards")
    >>> set_log("")
    """
    made = _chosen(topics.split(","), "set_log")
    wanted.clear()
    wanted.update(made)


def log(topic: str, message: str) -> None:
    """A line about a topic, with the seconds since the start. Ask `topic in wanted` first where the text is costly."""
    if topic in wanted:
        sys.stderr.write(f"[vitrify {time.perf_counter() - _start:8.3f} s {topic}] {message}\n")
