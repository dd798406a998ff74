"""The input pipeline: data sets, samplers, loaders."""

from vitrify.base.suggest import tell_unknown_names as _tell_unknown_names
from vitrify.data import *  # noqa: F403 - the folder's own list of public names
from vitrify.data import __all__ as __all__

__path__: list[str] = []  # so that the tables' modules below it can be imported
_tell_unknown_names(__name__)
