"""Weights from and for other libraries: safetensors files, state dicts of torch and Paddle."""

from vitrify.dygraph.interop import *  # noqa: F403 - the module's own list of public names
from vitrify.dygraph.interop import __all__ as __all__
