"""Signals in frames and the short-time Fourier transform."""

from vitrify.ops.signal import *  # noqa: F403 - the module's own list of public names
from vitrify.ops.signal import __all__ as __all__
