"""Optimisers; `lr` holds the learning-rate schedules."""

import sys as _sys

from vitrify.dygraph import optimizer as _optimizer
from vitrify.dygraph.optimizer import *  # noqa: F403 - the folder's own list of public names

__all__ = list(getattr(_optimizer, "__all__", ()))
_sys.modules[f"{__name__}.lr"] = _optimizer.lr  # so that `from vitrify.optimizer.lr import …` finds it
