"""Classes in patterns of `match`: `case int(k)`, `case Tensor()`. Python asks `isinstance` of them past what a call of
it gives for what stands for a number or an array.
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from ...dygraph.tensor import Tensor
from ..trace.tracer import active
from .stdlib.builtin import handler

_SAMPLES: tuple[Any, ...] = (0, 0.5, True, np.empty(0))


class _Asked(type):
    """Classes that are asked as a call of `isinstance` is."""

    stands_for: Any

    def __instancecheck__(cls, x: Any) -> bool:
        tracer, ask = active(), handler(isinstance)
        return isinstance(x, cls.stands_for) if tracer is None or ask is None else bool(ask(tracer, x, cls.stands_for))


def pattern_class(kind: Any) -> Any:
    """What stands in a pattern for a class of the user's code."""
    return kind if active() is None or not _is_open(kind) else _class_for(kind)


def _is_open(kind: Any) -> bool:
    return isinstance(kind, type) and (kind is Tensor or any(isinstance(x, kind) for x in _SAMPLES))


@functools.lru_cache(maxsize=64)
def _class_for(kind: type) -> type:
    takes_itself = issubclass(kind, (int, float))  # its only part is the number itself: such classes inherit that
    names = {n: getattr(kind, n) for n in ("__match_args__",) if hasattr(kind, n)}
    base = int if takes_itself else object
    return _Asked(kind.__name__, (base,), {**names, "stands_for": kind})
