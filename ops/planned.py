"""Functions over rows that eager mode may run as a plan: their kernels one after the other, without a tape between.

Such a function asks nothing of the values it gets, draws no random numbers and changes nothing. It stays the one
definition: the plan is recorded from it (dygraph/call_cache.py keeps plans, jit/call/compiled_plans.py makes them).
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, TypeVar

from ..base.frame_marks import wrapper
from ..base.misfits import numbers_of, refuse_texts
from .argument_names import names_of
from .dispatch import bottoms, interpreters
from .mistakes import MISTAKES, named, plain

KEY_IN_DETAIL = (0, False)  # as Op.key_form: numbers and sizes count
F = TypeVar("F", bound=Callable[..., Any])


@wrapper
def planned(fn: F) -> F:
    """A decorator of functions over rows: eager calls may run as a plan."""
    numbers = numbers_of(fn)

    @functools.wraps(fn)
    def call(*args: Any, **kwargs: Any) -> Any:
        try:
            if kwargs and not (names := names_of(fn)).others.isdisjoint(kwargs):
                return names.call(fn.__name__, call, args, kwargs)
            if not interpreters():
                made = bottoms[0].planned(fn, args, kwargs)
                if made is not NotImplemented:
                    return made
            refuse_texts(fn.__name__, numbers, args, kwargs)
            made = fn(*args, **kwargs)
            return named(made, fn.__name__, args, kwargs) if kwargs or interpreters() else made
        except MISTAKES as error:
            told = plain(error, fn.__name__, fn, args, kwargs)
            if told is None:
                raise
        raise told from None

    fn.key_form = KEY_IN_DETAIL  # type: ignore[attr-defined]
    call.tells_plainly = True  # type: ignore[attr-defined]
    return call  # type: ignore[return-value]
