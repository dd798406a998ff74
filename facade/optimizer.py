"""Optimisers; `lr` holds the learning-rate schedules."""

from vitrify.dygraph import optimizer as _optimizer
from vitrify.dygraph.optimizer import *  # noqa: F403 - the folder's own list of public names

__all__ = list(getattr(_optimizer, "__all__", ()))
