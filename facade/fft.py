"""Discrete Fourier transforms and their frequencies."""

from vitrify.base.suggest import tell_unknown_names as _tell_unknown_names
from vitrify.ops.fft import *  # noqa: F403 - the module's own list of public names
from vitrify.ops.fft import __all__ as __all__
from vitrify.ops.mistakes import publish as _publish

_publish(__name__)
_tell_unknown_names(__name__)
