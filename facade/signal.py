"""Signals in frames and the short-time Fourier transform."""

from vitrify.base.suggest import tell_unknown_names as _tell_unknown_names
from vitrify.ops.mistakes import publish as _publish
from vitrify.ops.signal import *  # noqa: F403 - the module's own list of public names
from vitrify.ops.signal import __all__ as __all__

_publish(__name__)
_tell_unknown_names(__name__)
