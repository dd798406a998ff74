"""Thirty-eight more programs: networks, simulations, solvers, tables. Each module adds its own to the frame's table."""

from . import seventeenth_data, seventeenth_networks, seventeenth_simulations, seventeenth_solvers  # noqa: F401
from .seventeenth_frame import LIBRARIES, PROGRAMS  # noqa: F401
