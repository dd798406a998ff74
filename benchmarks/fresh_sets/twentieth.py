"""Sixty-six more programs: models and their steps, simulations, data work. Each module adds its own to one table."""

from . import (  # noqa: F401
    twentieth_bodies,
    twentieth_fields,
    twentieth_gradients,
    twentieth_layers,
    twentieth_learners,
    twentieth_signals,
    twentieth_tables,
)
from .twentieth_frame import LIBRARIES, PROGRAMS, WEIGHTS  # noqa: F401
