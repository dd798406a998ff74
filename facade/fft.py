"""Discrete Fourier transforms and their frequencies."""

from vitrify.ops.fft import *  # noqa: F403 - the module's own list of public names
from vitrify.ops.fft import __all__ as __all__
