"""Twenty programs written without a look at the others: networks, simulations and data work; the form of first.py."""

from . import tenth_simulations  # noqa: F401 - it adds its programs
from .tenth_networks import LIBRARIES, PROGRAMS, WEIGHTS  # noqa: F401
