"""Thirty-five more programs: models, simulations and loops, data work. Each module adds its own to one table."""

from . import (  # noqa: F401  # noqa: F401
    nineteenth_control,
    nineteenth_data,
    nineteenth_models,
    nineteenth_networks,
    nineteenth_simulations,
    nineteenth_tables,
)
from .nineteenth_frame import LIBRARIES, PROGRAMS  # noqa: F401
