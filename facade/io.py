"""The input pipeline: data sets, samplers, loaders."""

from vitrify.data import *  # noqa: F403 - the folder's own list of public names
from vitrify.data import __all__ as __all__
