"""What a run has changed in Python and takes back if it fails, as it leaves the state's arrays as they were.

Callbacks that change objects of the library itself say how; those of users are the users' own.
"""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")


class _Runs(threading.local):
    """The runs that are in progress in a thread: how deep they are nested, and how to take back what they did."""

    def __init__(self) -> None:
        self.depth = 0
        self.undo: dict[Any, Callable[[], Any]] = {}


_runs = _Runs()


def if_it_fails(what: Any, way_back: Callable[[Any], Callable[[], Any]]) -> None:
    """Before `what` is changed: have what `way_back(what)` gives called if the run in progress ends with an error, the
    latest first. Asked for once a run; nothing outside of runs.
    """
    if _runs.depth and id(what) not in _runs.undo:
        _runs.undo[id(what)] = way_back(what)


def undoes(run: Callable[P, R]) -> Callable[P, R]:
    """The function as a run: if it fails, what it did is taken back. A run within another can fail with that, too.

    >>> done = [1]
    >>> @undoes
    ... def f(fails):
    ...     if_it_fails(done, lambda xs: xs.pop)
    ...     done.append(2)
    ...     assert not fails
    >>> f(False)
    >>> try:
    ...     f(True)
    ... except AssertionError:
    ...     done
    [1, 2]
    """

    @functools.wraps(run)
    def as_run(*args: P.args, **kwargs: P.kwargs) -> R:
        before = len(_runs.undo)
        _runs.depth += 1
        try:
            return run(*args, **kwargs)
        except BaseException:  # broad: whatever ended it
            while len(_runs.undo) > before:
                _runs.undo.popitem()[1]()
            raise
        finally:
            _runs.depth -= 1
            if not _runs.depth:
                _runs.undo.clear()

    return as_run
