"""Weights from and for other libraries: safetensors files, state dicts of torch and Paddle."""

from vitrify.base.suggest import tell_unknown_names as _tell_unknown_names
from vitrify.dygraph.interop import *  # noqa: F403 - the module's own list of public names
from vitrify.dygraph.interop import __all__ as __all__

_tell_unknown_names(__name__)
