"""Images: transforms of arrays, data sets from local files, and the usual networks."""

from ..base.suggest import tell_unknown_names as _tell_unknown_names
from . import datasets, models, transforms

__all__ = ["datasets", "models", "transforms"]

_tell_unknown_names(__name__)
