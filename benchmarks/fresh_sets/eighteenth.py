"""Thirty-three more programs: networks, simulations, control, data work. Each module adds its own to one table."""

from . import eighteenth_data, eighteenth_networks, eighteenth_simulations  # noqa: F401
from .eighteenth_frame import LIBRARIES, PROGRAMS  # noqa: F401
