"""Images: transforms of arrays, data sets from local files, and the usual networks."""

from . import datasets, models, transforms

__all__ = ["datasets", "models", "transforms"]
